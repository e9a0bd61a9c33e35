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

pub use bare::{Bare, bare};
pub use check::{LeaseView, Looked, check, check_and, on_deep_stack, reader, view};
pub use coordinators::Coordinators;
pub use prepare::{Failed, Prepared, Request, leases_named, prepare};
