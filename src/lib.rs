//! Keeps model calls and HTTP clients out of the lease path of a Rust workspace.
//!
//! The command is `cargo lease-guard`. As a library the same check runs in a `#[test]`: see [`Guard`].
//! The other modules are the floors of the tool; tests/it/layout.rs lists them from the ground up, and
//! each imports only those below it.
#![forbid(unsafe_code)]

pub mod base;
pub mod canary;
#[cfg(feature = "cli")]
pub mod card;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod commands;
pub mod config;
pub mod drill;
pub mod fence;
pub mod finding;
mod guard;
pub mod lints;
#[cfg(feature = "cli")]
pub mod map;
pub mod project;
pub mod reach;
pub mod report;
pub mod resolve;
pub mod run;
pub mod source;
pub mod timing;
pub mod types;

pub use guard::{Guard, GuardReport};
