//! What is asked about a lease's arithmetic, its review and its drill.

use std::{ffi::OsString, time::Duration};

use camino::Utf8PathBuf;

use super::{
    Project, Scope,
    typed::{CardFormat, Isolation, TimingFormat},
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

/// A failure drill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drill {
    /// The program and its arguments, at least the former.
    pub command: Vec<OsString>,
    /// How long each run may take, where that is said.
    pub limit: Option<Duration>,
    /// The only way of isolation that will do; none for the strongest that is permitted.
    pub isolation: Option<Isolation>,
    /// Which rules and leases.
    pub scope: Scope,
    /// Which workspace.
    pub project: Project,
}
