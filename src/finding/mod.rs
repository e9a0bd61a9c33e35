//! The vocabulary that lints speak and renderers read.
//!
//! A lint makes [`Finding`]s; the run puts them in a [`Report`]; a renderer prints the report. A
//! finding has exactly one primary place, by type.

mod report;
mod types;

pub use report::{Cut, CutKind, ExceptionSeen, GraphSeen, LeaseSeen, Problem, Report, Seen, Verdict};
pub use types::{Certainty, ChainLink, Finding, Hop, HopKind, Labelled, Level};
