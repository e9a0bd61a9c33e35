//! The check that the isolation isolates, made from the inside before the command is started: nobody is to
//! take a configuration's word for it.

use std::{
    io,
    net::{SocketAddr, TcpStream, UdpSocket},
    os::{linux::net::SocketAddrExt as _, unix::net},
    time::Duration,
};

use super::messages::Canaries;

const PATIENCE: Duration = Duration::from_millis(500);

/// Tries to get to each of the canaries.
///
/// # Errors
/// The first that was got to. That a datagram got through is seen by its canary.
pub(super) fn nothing_is_reached(canaries: &Canaries) -> io::Result<()> {
    let reached = |what: String| Err(io::Error::other(format!("{what} could be reached although it must not")));
    for address in &canaries.tcp {
        if TcpStream::connect_timeout(address, PATIENCE).is_ok() {
            return reached(format!("TCP {address}"));
        }
    }
    for name in &canaries.unix_abstract {
        let address = net::SocketAddr::from_abstract_name(name)?;
        if net::UnixStream::connect_addr(&address).is_ok() {
            return reached(format!("the abstract Unix socket @{name}"));
        }
    }
    for path in &canaries.unix_path {
        if net::UnixStream::connect(path).is_ok() {
            return reached(format!("the Unix socket {}", path.display()));
        }
    }
    for address in &canaries.udp {
        let own: SocketAddr = if address.is_ipv4() { ([127, 0, 0, 1], 0).into() } else { ([0_u16; 8], 0).into() };
        // Without a way out there is nothing to send with, or nobody to receive it.
        let _ = UdpSocket::bind(own).and_then(|socket| socket.send_to(b"canary", address));
    }
    Ok(())
}
