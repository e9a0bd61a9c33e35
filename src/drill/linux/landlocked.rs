//! Landlock: TCP connections by port, and abstract Unix sockets by who made them.

use std::io;

use landlock::{
    AccessNet, CompatLevel, Compatible as _, NetPort, Ruleset, RulesetAttr as _, RulesetCreated,
    RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};

/// What came into force beside the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Confined {
    /// Abstract Unix sockets that were made outside cannot be connected to (Linux 6.12).
    pub(super) abstract_sockets: bool,
}

/// Confines this thread and all that it starts.
///
/// # Errors
/// Where the kernel cannot confine TCP (before Linux 6.7, or without Landlock): it is that or nothing.
pub(super) fn enforce(ports: impl Iterator<Item = u16>) -> io::Result<Confined> {
    let other = |e: RulesetError| io::Error::other(format!("Landlock cannot confine TCP here: {e}"));
    let (created, abstract_sockets) = match created(true) {
        Ok(created) => (created, true),
        Err(_) => (created(false).map_err(other)?, false),
    };
    let rules = ports.map(|port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp)));
    let status = created.add_rules(rules).and_then(RulesetCreated::restrict_self).map_err(other)?;
    if status.ruleset != RulesetStatus::FullyEnforced {
        return Err(io::Error::other("Landlock was asked to confine TCP and does so in part at most"));
    }
    Ok(Confined { abstract_sockets })
}

fn created(abstract_sockets: bool) -> Result<RulesetCreated, RulesetError> {
    let mut ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset = ruleset.handle_access(AccessNet::ConnectTcp)?;
    if abstract_sockets {
        ruleset = ruleset.scope(Scope::AbstractUnixSocket)?;
    }
    ruleset.create()
}
