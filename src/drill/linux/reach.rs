//! What `allow` names, as addresses and paths.

use std::{
    collections::BTreeSet,
    net::{IpAddr, SocketAddr, ToSocketAddrs as _},
    path::{Path, PathBuf},
};

use super::super::DrillError;
use crate::config::Allowed;

/// What stays reachable.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    /// Servers, each once.
    pub(super) tcp: BTreeSet<SocketAddr>,
    /// Sockets and folders of some.
    pub(super) unix: BTreeSet<PathBuf>,
    /// What names mean.
    pub(super) names: BTreeSet<(IpAddr, String)>,
    /// A line each, for the report.
    pub(super) lines: Vec<String>,
}

impl Reach {
    /// Resolves names, outside.
    pub(super) fn resolve(allow: &[Allowed]) -> Result<Self, DrillError> {
        let mut reach = Self::default();
        for entry in allow {
            match entry {
                Allowed::Unix { path } => {
                    if !Path::new(path).exists() {
                        let why = "it is not there; start what serves it".to_owned();
                        return Err(DrillError::Forward { entry: path.clone(), why });
                    }
                    reach.unix.insert(PathBuf::from(path));
                    reach.lines.push(format!("unix: {path}"));
                }
                Allowed::Tcp { label, host, port } => reach.add(label, host, *port)?,
            }
        }
        Ok(reach)
    }

    fn add(&mut self, label: &str, host: &str, port: u16) -> Result<(), DrillError> {
        let unresolved = |why: String| DrillError::Unresolved { host: host.to_owned(), why };
        let found: BTreeSet<_> =
            (host, port).to_socket_addrs().map_err(|e| unresolved(e.to_string()))?.map(plain).collect();
        if found.is_empty() {
            return Err(unresolved("it has no address".to_owned()));
        }
        let is_name = host.parse::<IpAddr>().is_err();
        for address in &found {
            let ip = address.ip();
            if ip.is_unspecified() || ip.is_multicast() {
                let why = "it is no address of a server; write the one that is connected to".to_owned();
                return Err(DrillError::Forward { entry: format!("{host}:{port}"), why });
            }
            if is_name && host != "localhost" {
                self.names.insert((ip, host.to_owned()));
            }
        }
        let at = found.iter().map(SocketAddr::to_string).collect::<Vec<_>>().join(" and ");
        self.lines.push(if is_name {
            format!("{label}: {host}:{port}, which is {at}")
        } else {
            format!("{label}: {at}")
        });
        self.tcp.extend(found);
        Ok(())
    }

    /// The addresses that the loopback device does not have by itself.
    pub(super) fn addresses(&self) -> Vec<IpAddr> {
        let all: BTreeSet<_> = self.tcp.iter().map(SocketAddr::ip).filter(|ip| !ip.is_loopback()).collect();
        all.into_iter().collect()
    }

    /// The ports.
    pub(super) fn ports(&self) -> BTreeSet<u16> {
        self.tcp.iter().map(SocketAddr::port).collect()
    }
}

/// Without what a resolver adds to an IPv6 address and no connection needs.
fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip(), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tcp(host: &str, port: u16) -> Allowed {
        Allowed::Tcp { label: "db".to_owned(), host: host.to_owned(), port }
    }

    #[test]
    fn addresses_names_and_paths_are_told_apart() {
        let unix = |path: &str| Allowed::Unix { path: path.to_owned() };
        let allow = [tcp("127.0.0.1", 5432), tcp("10.1.2.3", 1), tcp("::1", 5432), unix("/proc")];
        let reach = Reach::resolve(&allow).unwrap();
        assert_eq!(reach.addresses(), ["10.1.2.3".parse::<IpAddr>().unwrap()]);
        assert_eq!(reach.ports().into_iter().collect::<Vec<_>>(), [1, 5432]);
        assert!(reach.names.is_empty());
        assert_eq!(reach.lines, ["db: 127.0.0.1:5432", "db: 10.1.2.3:1", "db: [::1]:5432", "unix: /proc"]);
        for unreachable in [tcp("0.0.0.0", 1), unix("/no/such/socket")] {
            assert!(matches!(Reach::resolve(&[unreachable]), Err(DrillError::Forward { .. })));
        }
    }
}
