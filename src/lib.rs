//! Keeps model calls and HTTP clients out of the lease path of a Rust workspace.
//!
//! The command is `cargo lease-guard`. As a library the same check runs in a `#[test]`: see [`Guard`].
//! The other modules are the floors of the tool, lowest first; each imports only those below it.
#![forbid(unsafe_code)]

pub mod base;
pub mod cli;
pub mod commands;
pub mod config;
pub mod fence;
pub mod finding;

#[cfg(feature = "cli")]
pub mod cli;

pub mod config;
pub mod project;

pub mod source;

pub mod resolve;

pub mod timing;
pub mod types;

pub mod reach;

pub mod lints;

pub mod report;

pub mod run;

pub mod canary;

mod guard;

#[cfg(feature = "cli")]
pub mod commands;

pub use guard::{Guard, GuardReport};
