//! The capabilities of the new user namespace: who has them, and until when.

use std::io;

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, configure_capability_in_ambient_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// What a command that runs as root must not have: with these it could undo what was arranged.
const NOT_FOR_THE_COMMAND: [CapabilitySet; 3] =
    [CapabilitySet::SYS_ADMIN, CapabilitySet::NET_ADMIN, CapabilitySet::SYS_PTRACE];

/// Lets the next program that this process starts keep them, whoever the user is.
pub(super) fn hand_on() -> io::Result<()> {
    let own = capabilities(None)?;
    set_capabilities(None, CapabilitySets { inheritable: own.permitted, ..own })?;
    for bit in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if own.permitted.contains(one) {
            configure_capability_in_ambient_set(one, true)?;
        }
    }
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
