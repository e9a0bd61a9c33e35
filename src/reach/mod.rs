//! Routes: what the lease path leads to, item by item, and how.
//!
//! `walk` says what one piece of code names, calls and touches ([`Event`]s, the same for every
//! lease). `select` finds what a lease selects. `follow` goes from there, shortest route first, and
//! keeps the tree of routes ([`Reached`]) that the lints read.

mod event;
mod walk;

pub use event::{Chain, ChainSegment, Event, EventKind, Role, Target};
pub use walk::walk;
