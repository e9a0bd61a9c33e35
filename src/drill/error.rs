//! Why there was no drill. Each of these is exit status 2.

use std::{io, path::PathBuf};

/// The drill could not be held, so nothing is known.
#[derive(Debug, thiserror::Error)]
pub enum DrillError {
    /// Nothing to run.
    #[error("there is no command: write `cargo lease-guard drill -- COMMAND`, as in `drill -- cargo test failover`")]
    NoCommand,
    /// Not on this system.
    #[error(
        "the drill needs Linux, whose namespaces or Landlock keep the command from the network; run it in a Linux \
         container or in CI"
    )]
    NotLinux,
    /// Neither way is permitted here. Nothing was run.
    #[error(
        "the command cannot be isolated here, and a drill with the provider in reach proves nothing:\n{}\nallow \
         unprivileged user namespaces (in a container: without the seccomp profile that forbids them; on Ubuntu: \
         kernel.apparmor_restrict_unprivileged_userns=0), or use Linux 6.7 or later with Landlock enabled",
        refused.iter().map(|(kind, why)| format!("  {kind}: {why}")).collect::<Vec<_>>().join("\n")
    )]
    CannotIsolate {
        /// Each way, and why not.
        refused: Vec<(&'static str, String)>,
    },
    /// The command is not there, or is no program.
    #[error("`{program}` cannot be started: {why}; inside of the drill the same files are there as outside")]
    NotStarted {
        /// What was to be started.
        program: String,
        /// What the system says.
        why: String,
    },
    /// A host of `allow` is unknown.
    #[error("`{host}` of `[lease.drill] allow` cannot be resolved: {why}; write an address, or start what serves it")]
    Unresolved {
        /// The name.
        host: String,
        /// What the resolver says.
        why: String,
    },
    /// An entry of `allow` that cannot be let through.
    #[error("`{entry}` of `[lease.drill] allow` cannot be let through: {why}")]
    Forward {
        /// The entry, as an address or path.
        entry: String,
        /// Why not.
        why: String,
    },
    /// The process inside of the isolation is gone.
    #[error("the process that holds the isolation ended without a word ({0}); nothing is known of the command")]
    Lost(String),
    /// The variables of the known clients cannot be read.
    #[error("rules/base-urls.toml, which is built in, cannot be read: {0}")]
    Pack(#[from] toml::de::Error),
    /// The result cannot be written.
    #[error("the result cannot be written to {}: {source}", path.display())]
    Record {
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something that works everywhere else.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What the system says.
        source: io::Error,
    },
}

impl DrillError {
    /// For `map_err`: what was tried, around what the system says.
    #[cfg(target_os = "linux")]
    pub(super) fn system<E: Into<io::Error>>(what: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::System { what, source: source.into() }
    }
}
