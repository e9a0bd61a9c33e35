//! The lints: pure functions from what was learnt to findings.
//!
//! One file a lint. Its name, its default level, its documentation and the function that judges
//! stand together, and `table` lists them all. A lint never prints, reads files or counts.
//!
//! To add one: a file here named like the lint (`held-client` is `held_client.rs`) with a
//! `static LINT`, one line in `table`, and `UPDATE_DOCS=1 cargo test --lib lints` for the page.
//! Tests fail on a file that the table does not list and on a page that has drifted.

mod case;
mod client_clock;
mod clients;
mod draft;
mod expired_exception;
mod forbidden_call;
mod forbidden_crate;
mod forbidden_dependency;
mod forbidden_string;
mod guard_band;
mod held_client;
mod insolvent_timing;
mod judge;
mod ledger;
mod lint;
mod opaque_code;
mod raw_transport;
mod reply_repair;
mod table;
mod unfenced_write;
mod unguarded_renewal;
mod unknown_crate;
mod unmeasured_skew;
mod unused_coordinator;
mod unused_exception;
mod unused_workload;

pub use case::{Case, Sql};
pub use draft::Draft;
pub use forbidden_crate::forbidden_names;
pub use judge::{Judge, Levels, judge_lease, judge_rules};
pub use ledger::{Ledger, TimedLease};
pub use lint::{Docs, Lint};
pub use table::{LINTS, UnknownLint, find, names, page};
