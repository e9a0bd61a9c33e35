//! Routes: what the lease path leads to, item by item, and how.
//!
//! `walk` says what one piece of code names, calls and touches ([`Event`]s, the same for every
//! lease). `select` finds what a lease selects. `follow` goes from there, shortest route first, and
//! keeps the tree of routes ([`Reached`]) that the lints read. `anchors` and `constants` read what the
//! rules file names by path.

mod anchors;
mod constants;
mod event;
mod follow;
mod handed;
mod held;
mod mentions;
mod route;
mod select;
mod waiting;
mod walk;

pub use anchors::{Anchor, Anchored};
pub use event::{Chain, ChainSegment, Event, EventKind, Role, Target};
pub use follow::{Node, NodeId, NodeIndex, Reached, Step, Walks, follow};
pub use held::{Held, held};
pub use route::Trail;
pub use select::{LocalCoordinator, Selection, Workload, select};
pub use walk::walk;
