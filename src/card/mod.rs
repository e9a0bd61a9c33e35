//! The stop/go card of a lease: what a reviewer asks, one row a question, each with its evidence.
//!
//! [`gather`] answers from what a check learnt, and from the record of the last failure drill; `membership` looks at
//! decisions that act like the lease and stand beside it. `markdown` and `html` write the card; for a terminal
//! the command does. To ask something more: a function in `rows`, and a line in the table there.

mod gather;
mod html;
mod markdown;
mod membership;
mod model;
mod rows;

pub use gather::{Drilled, gather};
pub use html::html;
pub use markdown::markdown;
pub use model::{Answer, Card, Evidence, LeaseCard, Row};
