//! A run, from the request to the report: one call a floor, top to bottom.
//!
//! `prepare` finds the rules and the workspace (the rules file is read while cargo works); `check`
//! selects, follows and judges lease by lease. Other commands look at the same things in other ways.

mod bare;
mod check;
mod coordinators;
mod exceptions;
mod prepare;
mod seen;
mod statements;
mod times;
mod told;
mod view;

pub use bare::{Bare, bare};
pub use check::{Looked, check, check_and, on_deep_stack};
pub use coordinators::Coordinators;
pub use prepare::{Failed, Prepared, Request, leases_named, prepare};
pub use statements::Statements;
pub use times::timed;
pub use told::Told;
pub use view::{LeaseView, followed, reader, view};
