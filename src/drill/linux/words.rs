//! What each way of isolation stops, and what it does not, in the words of the report.

use super::messages::Ready;

/// With the seccomp filter in namespaces.
pub(super) const FILTERED: &str =
    "sockets of every other family (vsock, Bluetooth, packet sockets and so on), and io_uring, which could make them";
/// Without it.
pub(super) const NOT_FILTERED: &str = "sockets of families that no network namespace confines (vsock)";

const FILES: &str = "files, FIFOs and shared memory on disk that a process outside has open as well";

/// What new namespaces are good for.
pub(super) fn namespaces(ready: &mut Ready) {
    ready.stops.extend(
        [
            "TCP, UDP and every other protocol of IPv4 and IPv6, to any address and name outside: the network is its own",
            "abstract Unix sockets, System V IPC and message queues of processes outside",
            "signals to and traces of processes outside; whatever the command leaves running is ended with it",
        ]
        .map(str::to_owned),
    );
    ready.does_not_stop.extend(
        [
            "what stands behind the servers that `allow` names",
            "a Unix socket outside /run that is made after the run began",
            FILES,
        ]
        .map(str::to_owned),
    );
}

/// What Landlock and seccomp are good for together.
pub(super) fn landlock(ready: &mut Ready, ports: &[u16], unix: bool, abstract_sockets: bool) {
    let list = ports.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    let but = if ports.is_empty() { String::new() } else { format!(" but {list}") };
    ready.stops.push(format!(
        "TCP connections to every port{but}, at any address, and so also to servers that the command starts itself"
    ));
    ready.stops.push("UDP, and so the resolution of names; every other protocol; sockets of other families".to_owned());
    ready.stops.push("io_uring; whatever the command leaves running is killed after it".to_owned());
    if !ports.is_empty() {
        ready
            .does_not_stop
            .push(format!("TCP to port {list} at any other address: Landlock knows ports, not addresses"));
    }
    match (unix, abstract_sockets) {
        (false, _) => ready.stops.push("Unix sockets, all of them (pairs of connected ones apart)".to_owned()),
        (true, true) => ready.stops.push("abstract Unix sockets of processes outside".to_owned()),
        (true, false) => {
            let line = "abstract Unix sockets of processes outside: this kernel's Landlock cannot (before Linux 6.12)";
            ready.does_not_stop.push(line.to_owned());
        }
    }
    if unix {
        let line = "any Unix socket with a path: `allow` names one, and they cannot be told apart here";
        ready.does_not_stop.push(line.to_owned());
    }
    ready.does_not_stop.extend(
        ["connections that come in from outside", "what stands behind the servers that `allow` names", FILES]
            .map(str::to_owned),
    );
}
