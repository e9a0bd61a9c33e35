//! What a drill is given.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use crate::config::Allowed;

/// What stays reachable.
#[derive(Clone, Debug, Default)]
pub struct DrillRules {
    /// The entries of `[lease.drill] allow`, of all leases that are drilled.
    pub allow: Vec<Allowed>,
}

/// How the command is kept from the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IsolationKind {
    /// User, network, mount, IPC and process namespaces of its own, and a seccomp filter.
    Namespaces,
    /// Landlock and seccomp together.
    Landlock,
}

impl IsolationKind {
    /// Both, the stronger first.
    pub const ALL: [Self; 2] = [Self::Namespaces, Self::Landlock];

    /// The word of reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Landlock => "landlock+seccomp",
        }
    }
}

/// One drill.
#[derive(Clone, Debug)]
pub struct DrillOptions {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Where it runs.
    pub directory: PathBuf,
    /// What stays reachable.
    pub rules: DrillRules,
    /// Only this kind of isolation; none for the strongest that is permitted.
    pub isolation: Option<IsolationKind>,
    /// How long each of the runs may take.
    pub limit: Duration,
    /// This very program, which is called again inside of the isolation: its `main` must ask
    /// [`super::inside`] first.
    pub helper: PathBuf,
    /// The workspace whose commit is told.
    pub workspace: PathBuf,
    /// The workspace's target folder, for the result; see [`super::record_path`].
    pub target: PathBuf,
}

impl DrillOptions {
    /// How long one run of the command may take where nothing is said.
    pub const LIMIT: Duration = Duration::from_secs(30 * 60);
}
