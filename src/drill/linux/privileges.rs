//! The capabilities of the new user namespace: who has them, and until when.

use std::io;

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, configure_capability_in_ambient_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// What the process that arranges the namespaces needs.
const NEEDED: [CapabilitySet; 4] =
    [CapabilitySet::SYS_ADMIN, CapabilitySet::NET_ADMIN, CapabilitySet::NET_BIND_SERVICE, CapabilitySet::SETPCAP];

/// What a command that runs as root must not have: with these it could undo what was arranged.
const NOT_FOR_THE_COMMAND: [CapabilitySet; 3] =
    [CapabilitySet::SYS_ADMIN, CapabilitySet::NET_ADMIN, CapabilitySet::SYS_PTRACE];

/// Lets the next program that this process starts keep what it needs, whoever the user is.
pub(super) fn hand_on() -> io::Result<()> {
    let own = capabilities(None)?;
    set_capabilities(None, CapabilitySets { inheritable: own.permitted, ..own })?;
    NEEDED.iter().try_for_each(|one| configure_capability_in_ambient_set(*one, true))?;
    Ok(())
}

/// Lets no program that this process starts have them.
pub(super) fn withhold() -> io::Result<()> {
    NOT_FOR_THE_COMMAND.iter().try_for_each(|one| remove_capability_from_bounding_set(*one))?;
    clear_ambient_capability_set()?;
    let own = capabilities(None)?;
    set_capabilities(None, CapabilitySets { inheritable: CapabilitySet::empty(), ..own })?;
    Ok(())
}
