//! The commands, one file each, and the table that leads from what was meant to the one that does it.
//!
//! A command takes the plain structs of `cli`, calls the floors below, and writes to the output that
//! it is handed. To add one: a file here, a variant in `cli`, a line in `dispatch`.

mod canary;
mod card;
mod check;
mod completions;
mod dispatch;
mod drill;
mod explain;
mod init;
mod man;
mod map;
mod measure;
mod outlet;
mod page;
mod rules;
mod timing;
mod tree;
mod why;

pub use dispatch::{dispatch, formats};
pub use outlet::Outlet;
