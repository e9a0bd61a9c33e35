//! What is asked about a lease's arithmetic and its review.

use std::ffi::OsString;

use camino::Utf8PathBuf;

use super::{
    Project, Scope,
    typed::{CardFormat, TimingFormat},
};

/// The arithmetic of leases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The skews to sweep over, as typed (`0ms..400ms`); none for those within the bound.
    pub skew: Option<String>,
    /// The guards to sweep over, as typed; none for none at all, the lease's own, and the smallest.
    pub guard: Option<String>,
    /// How to show it.
    pub format: TimingFormat,
    /// Where to write it; none for standard output.
    pub output: Option<Utf8PathBuf>,
    /// Which rules and leases.
    pub scope: Scope,
    /// Which workspace.
    pub project: Project,
}

/// A measurement of another clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The command that prints it, and its arguments; at least one word.
    pub command: Vec<OsString>,
    /// How often it is run.
    pub runs: usize,
}

/// The card of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// How to write it.
    pub format: CardFormat,
    /// Where to write it; none for standard output.
    pub output: Option<Utf8PathBuf>,
    /// Which rules and leases.
    pub scope: Scope,
    /// Which workspace.
    pub project: Project,
}
