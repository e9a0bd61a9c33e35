//! The dependencies that are really linked.
//!
//! `cargo metadata` merges the whole workspace: it lists edges that no build of the lease links. Here
//! each member is built alone, on paper: guppy simulates cargo's resolver on the same metadata
//! (`simulation`), and of each build only what is linked into the target is kept (`build`). In these
//! builds [`Graph::chains`] looks for the ways from a named crate to a forbidden one (`search` within
//! one build, `chains` over all of them).
//!
//! The oracle is `cargo tree -e normal,no-proc-macro --target all --all-features -p MEMBER`; the tests
//! compare the package sets.

mod build;
mod chains;
mod links;
mod resolver;
mod search;
mod simulation;
mod state;
#[cfg(test)]
mod tests;
mod tree;

pub use chains::{Chain, ChainQuery, Found, Linked};
pub use search::ChainRules;
pub use state::Graph;
pub use tree::{Mark, Tree, TreeLine};
