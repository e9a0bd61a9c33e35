//! The loopback device of a new network namespace: it is down and has no addresses.
//!
//! Two requests of rtnetlink(7), written out: to bring a device up, and to give it an address. The numbers
//! are those of the kernel's interface (linux/rtnetlink.h, linux/if.h, linux/if_addr.h).

use std::{io, net::IpAddr};

use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink::SocketAddrNetlink, recv, sendto, socket_with,
};

/// The loopback device is the first of every namespace.
const LOOPBACK: u32 = 1;

const NLM_F_REQUEST: u16 = 0x1;
const NLM_F_ACK: u16 = 0x4;
const NLM_F_EXCL: u16 = 0x200;
const NLM_F_CREATE: u16 = 0x400;
const NLMSG_ERROR: u16 = 0x2;
const RTM_NEWLINK: u16 = 16;
const RTM_NEWADDR: u16 = 20;
const IFF_UP: u32 = 0x1;
/// No search for a duplicate, which would delay the address.
const IFA_F_NODAD: u8 = 0x2;
const IFA_ADDRESS: u16 = 1;
const IFA_LOCAL: u16 = 2;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;

/// Brings the device up; 127.0.0.1 and, where the kernel has IPv6, ::1 come with it.
pub(super) fn up() -> io::Result<()> {
    // struct ifinfomsg: family, padding, type, index, flags, the flags that change.
    let mut body = vec![0; 4];
    body.extend(LOOPBACK.to_ne_bytes());
    body.extend(IFF_UP.to_ne_bytes());
    body.extend(IFF_UP.to_ne_bytes());
    ask(RTM_NEWLINK, 0, &body)
}

/// Gives it one more address.
pub(super) fn add(address: IpAddr) -> io::Result<()> {
    let (family, flags, bytes) = match address {
        IpAddr::V4(address) => (AF_INET, 0, address.octets().to_vec()),
        IpAddr::V6(address) => (AF_INET6, IFA_F_NODAD, address.octets().to_vec()),
    };
    // struct ifaddrmsg: family, length of the prefix, flags, scope, index; then the attributes.
    let mut body = vec![family, u8::try_from(bytes.len() * 8).unwrap_or(u8::MAX), flags, 0];
    body.extend(LOOPBACK.to_ne_bytes());
    for attribute in [IFA_LOCAL, IFA_ADDRESS] {
        body.extend(u16::try_from(bytes.len() + 4).unwrap_or(u16::MAX).to_ne_bytes());
        body.extend(attribute.to_ne_bytes());
        body.extend(&bytes);
    }
    ask(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, &body)
}

/// Sends a request and waits for its acknowledgement.
fn ask(kind: u16, flags: u16, body: &[u8]) -> io::Result<()> {
    // Protocol 0 of this family is NETLINK_ROUTE.
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    // struct nlmsghdr: length, kind, flags, sequence, sender.
    let mut message = u32::try_from(body.len() + 16).map_err(io::Error::other)?.to_ne_bytes().to_vec();
    message.extend(kind.to_ne_bytes());
    message.extend((flags | NLM_F_REQUEST | NLM_F_ACK).to_ne_bytes());
    message.extend(1_u32.to_ne_bytes());
    message.extend(0_u32.to_ne_bytes());
    message.extend(body);
    sendto(&socket, &message, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0_u8; 4096];
    let (length, _) = recv(&socket, &mut answer, RecvFlags::empty())?;
    let answer = answer.get(..length).unwrap_or_default();
    let number = |from: usize, to: usize| answer.get(from..to);
    let is_error = number(4, 6).is_some_and(|kind| kind == NLMSG_ERROR.to_ne_bytes());
    let code = number(16, 20).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
    match code {
        Some(0) if is_error => Ok(()),
        Some(code) if is_error => Err(io::Error::from_raw_os_error(code.saturating_neg())),
        _ => Err(io::Error::other("the kernel gave no answer that is known")),
    }
}
