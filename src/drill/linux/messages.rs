//! What outside and inside say to each other.

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use serde::{Deserialize, Serialize};

/// From outside to inside.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToInside {
    /// The user ids are mapped.
    Mapped,
    /// What to arrange.
    Plan(Box<Plan>),
    /// Start the command, with these changes to its environment.
    Go(BTreeMap<String, Option<String>>),
    /// Hand this signal on to the command.
    Signal(i32),
    /// End the command and all that it started.
    End,
}

/// From inside to outside.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToOutside {
    /// The user namespace is there and waits for its ids.
    Unshared,
    /// All is arranged. So many listening sockets follow: those of `Plan::listen`, then the stand-in's.
    Ready(Ready),
    /// It cannot be arranged here. Nothing was started.
    Failed(String),
    /// The command cannot be started.
    NotStarted(String),
    /// The command has ended, with a status or by a signal.
    Ended {
        /// The status.
        status: Option<i32>,
        /// The signal.
        signal: Option<i32>,
    },
}

/// What was arranged.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Ready {
    /// How many sockets follow.
    pub(super) listeners: usize,
    /// What is stopped, as it turned out.
    pub(super) stops: Vec<String>,
    /// What is not, as it turned out.
    pub(super) does_not_stop: Vec<String>,
}

/// What to arrange.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Plan {
    /// Addresses that the loopback device must have.
    pub(super) addresses: Vec<IpAddr>,
    /// Where to listen for what is let through.
    pub(super) listen: Vec<SocketAddr>,
    /// Whether to listen for the stand-in, at a port of the system's choice.
    pub(super) stand_in: bool,
    /// What names mean.
    pub(super) names: Vec<(IpAddr, String)>,
    /// TCP ports that may be connected to, where only ports can be told apart.
    pub(super) ports: Vec<u16>,
    /// And the stand-in's, where it listens outside.
    pub(super) stand_in_port: Option<u16>,
    /// Unix sockets, or folders of some, that stay reachable.
    pub(super) unix: Vec<PathBuf>,
    /// Unix sockets that are known and must not be reached.
    pub(super) hide: Vec<PathBuf>,
    /// An empty folder of the drill's own.
    pub(super) scratch: PathBuf,
    /// Servers outside that no connection may get to.
    pub(super) canaries: Canaries,
}

/// Servers of the drill's own, outside.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Canaries {
    /// TCP.
    pub(super) tcp: Vec<SocketAddr>,
    /// UDP.
    pub(super) udp: Vec<SocketAddr>,
    /// Names of abstract Unix sockets.
    pub(super) unix_abstract: Vec<String>,
    /// Paths of Unix sockets.
    pub(super) unix_path: Vec<PathBuf>,
}
