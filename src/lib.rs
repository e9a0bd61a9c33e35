//! Keeps model calls and HTTP clients out of the lease path of a Rust workspace.
#![forbid(unsafe_code)]

pub mod base;
pub mod canary;
pub mod cli;
pub mod commands;
pub mod config;
pub mod finding;
pub mod lints;
pub mod project;
pub mod reach;
pub mod report;
pub mod resolve;
pub mod run;
pub mod source;
pub mod types;
