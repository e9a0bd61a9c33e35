//! The seccomp filters: which sockets can be made at all.
//!
//! A filter sees the numbers of a call and nothing behind pointers: families, types and flags, never
//! addresses.

use std::{collections::BTreeMap, io};

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

/// Added to the number of a call on x86-64, it makes the same call with 32-bit pointers: another door to the
/// same room.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Failure = seccompiler::BackendError;

/// Which sockets may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sockets {
    /// Those that a network namespace confines: Unix, IPv4, IPv6, netlink.
    Namespaced,
    /// TCP, which Landlock confines, netlink's routing tables, and Unix sockets where asked for; of
    /// everything else only pairs of Unix sockets that are connected to each other.
    OnlyTcp {
        /// Whether Unix sockets may be made.
        unix: bool,
    },
}

/// Puts the filters in force for this thread and all that it starts.
pub(super) fn enforce(sockets: Sockets) -> io::Result<()> {
    let other = |e: &dyn std::fmt::Display| io::Error::other(e.to_string());
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| other(&e))?;
    let families = (rules_on_families(sockets), libc::EAFNOSUPPORT);
    let ways = (rules_on_ways(sockets), libc::EPERM);
    for (rules, errno) in [families, ways] {
        let rules = rules.map_err(|e| other(&e))?;
        let errno = u32::try_from(errno).map_err(io::Error::other)?;
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno), arch);
        let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(|e| other(&e))?;
        seccompiler::apply_filter(&program).map_err(|e| other(&e))?;
    }
    Ok(())
}

fn when(argument: u8, operator: SeccompCmpOp, value: i32) -> Result<SeccompCondition, Failure> {
    let value = u64::from(value.cast_unsigned());
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

fn all(conditions: impl IntoIterator<Item = Result<SeccompCondition, Failure>>) -> Result<SeccompRule, Failure> {
    SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)
}

/// What is refused as a family that does not exist.
fn rules_on_families(sockets: Sockets) -> Result<Rules, Failure> {
    use SeccompCmpOp::Ne;
    let mut families = vec![libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
    if sockets != (Sockets::OnlyTcp { unix: false }) {
        families.push(libc::AF_UNIX);
    }
    let none_of_them = all(families.into_iter().map(|family| when(0, Ne, family)))?;
    let no_pair = all([when(0, Ne, libc::AF_UNIX)])?;
    Ok([(libc::SYS_socket, vec![none_of_them]), (libc::SYS_socketpair, vec![no_pair])].into())
}

/// What is refused as not permitted.
fn rules_on_ways(sockets: Sockets) -> Result<Rules, Failure> {
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    // io_uring makes and connects sockets without the calls that are filtered here.
    let mut rules: Rules = [(libc::SYS_io_uring_setup, Vec::new())].into();
    #[cfg(target_arch = "x86_64")]
    rules.extend([(X32 | libc::SYS_socket, Vec::new()), (X32 | libc::SYS_io_uring_setup, Vec::new())]);
    if sockets == Sockets::Namespaced {
        return Ok(rules);
    }
    let mut refused = Vec::new();
    for family in [libc::AF_INET, libc::AF_INET6] {
        // The lower four bits are the type; above them are flags. All types but streams are refused.
        for kind in (0..16).filter(|kind| *kind != libc::SOCK_STREAM) {
            refused.push(all([when(0, Eq, family), when(1, MaskedEq(0xf), kind)])?);
        }
        // MPTCP and SCTP are streams, too, and not confined by Landlock.
        refused.push(all([when(0, Eq, family), when(2, Ne, 0), when(2, Ne, libc::IPPROTO_TCP)])?);
    }
    refused.push(all([when(0, Eq, libc::AF_NETLINK), when(2, Ne, libc::NETLINK_ROUTE)])?);
    rules.insert(libc::SYS_socket, refused);
    // Sending with this flag connects by the way, which not every kernel's Landlock sees.
    for (call, argument) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
        let open = MaskedEq(u64::from(libc::MSG_FASTOPEN.cast_unsigned()));
        rules.insert(call, vec![all([when(argument, open, libc::MSG_FASTOPEN)])?]);
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filter_can_be_built_for_every_machine_that_has_them() {
        for sockets in [Sockets::Namespaced, Sockets::OnlyTcp { unix: true }, Sockets::OnlyTcp { unix: false }] {
            for arch in [TargetArch::x86_64, TargetArch::aarch64] {
                for rules in [rules_on_families(sockets).unwrap(), rules_on_ways(sockets).unwrap()] {
                    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(1), arch);
                    let program: BpfProgram = filter.unwrap().try_into().unwrap();
                    assert!(!program.is_empty());
                }
            }
        }
    }
}
