//! What a whole run found and saw.

use super::{Finding, Level};
use crate::base::Span;

/// The answer of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing denied: exit status 0.
    Clean,
    /// Something denied: exit status 1.
    Offends,
    /// Something could not be looked at: exit status 2.
    CannotCheck,
}

impl Verdict {
    /// The word of the wire format.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Offends => "offends",
            Self::CannotCheck => "cannot-check",
        }
    }

    /// The process's exit status.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Offends => 1,
            Self::CannotCheck => 2,
        }
    }
}

/// Something that could not be checked, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one sentence without a full stop; may run over several lines where
    /// another program's words are quoted.
    pub message: String,
    /// Where, if it has a place.
    pub place: Option<Span>,
    /// What to do; may be empty.
    pub help: String,
}

/// One lease, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseSeen {
    /// Its name.
    pub name: String,
    /// Files that hold selected items.
    pub files: usize,
    /// Selected items.
    pub items: usize,
    /// Items on the lease path, the selected ones included.
    pub reached_items: usize,
}

/// Whether dependency chains were judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphSeen {
    /// The resolved graph was read.
    Full,
    /// `--no-deps`: sources and manifests alone.
    None,
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Source files parsed.
    pub files_parsed: usize,
    /// Macro invocations whose tokens did not parse and were scanned.
    pub macros_scanned: usize,
    /// Reached files that did not parse and were scanned as tokens.
    pub files_scanned: Vec<String>,
    /// Packages whose procedural macros write code on the lease path.
    pub proc_macros: Vec<String>,
    /// Generated files that are not on disk.
    pub opaque_includes: usize,
    /// Files in a lease's folder that no `mod` reaches.
    pub orphan_files: Vec<String>,
}

/// What cut routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CutKind {
    /// A coordinator.
    Coordinator,
    /// A workload.
    Workload,
}

impl CutKind {
    /// The word of the wire format.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Coordinator => "coordinator",
            Self::Workload => "workload",
        }
    }
}

/// One line of the rules file that cut routes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What it is.
    pub kind: CutKind,
    /// As the rules file writes it.
    pub name: String,
    /// How many routes it cut.
    pub routes: usize,
}

/// An exception and how often it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionSeen {
    /// The lint it is for.
    pub lint: String,
    /// The subject it is for.
    pub subject: String,
    /// Why it stands.
    pub reason: String,
    /// The last day it holds, as `YYYY-MM-DD`.
    pub until: Option<String>,
    /// How many findings it forgave.
    pub used: usize,
}

/// Everything a run has to say.
#[derive(Clone, Debug)]
pub struct Report {
    /// What could not be checked; if there is anything here, the verdict is `cannot-check`.
    pub errors: Vec<Problem>,
    /// The leases, in the order of the rules file.
    pub leases: Vec<LeaseSeen>,
    /// Whether dependency chains were judged.
    pub graph: GraphSeen,
    /// What was looked at.
    pub seen: Seen,
    /// What cut routes.
    pub cuts: Vec<Cut>,
    /// The findings at warn and deny, sorted.
    pub findings: Vec<Finding>,
    /// The exceptions, in the order of the rules file.
    pub exceptions: Vec<ExceptionSeen>,
    /// Findings that an exception forgave, with the number of the exception in `exceptions`.
    pub forgiven: Vec<(Finding, usize)>,
    /// Things that every report says: a Cargo.lock was written, the graph was not judged, ...
    pub notes: Vec<String>,
}

impl Report {
    /// A report of a run that could not begin.
    pub fn cannot_check(errors: Vec<Problem>) -> Self {
        Self {
            errors,
            leases: Vec::new(),
            graph: GraphSeen::None,
            seen: Seen::default(),
            cuts: Vec::new(),
            findings: Vec::new(),
            exceptions: Vec::new(),
            forgiven: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The answer.
    pub fn verdict(&self) -> Verdict {
        if !self.errors.is_empty() {
            Verdict::CannotCheck
        } else if self.findings.iter().any(|f| f.level == Level::Deny) {
            Verdict::Offends
        } else {
            Verdict::Clean
        }
    }
}
