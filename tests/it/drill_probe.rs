//! A command that tries to get out, in every way there is, from a child and from a grandchild; and the
//! servers outside that it tries to get to.
//!
//! The command is this very test program, told by the environment to run one of the "tests" below, which
//! do nothing otherwise.

use std::{
    ffi::OsString,
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream, UdpSocket},
    os::{
        linux::net::SocketAddrExt as _,
        unix::{
            net::{self, UnixDatagram, UnixListener, UnixStream},
            process::CommandExt as _,
        },
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use rustix::net::{AddressFamily, Protocol, SendFlags, SocketType};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use tempfile::TempDir;

const MPTCP: Protocol = Protocol::from_raw(std::num::NonZeroU32::new(262).unwrap());
/// `MSG_FASTOPEN`.
const FAST_OPEN: SendFlags = SendFlags::from_bits_retain(0x2000_0000);

const WAYS: &str = "DRILL_PROBE_WAYS";
const SEEN: &str = "DRILL_PROBE_SEEN";
const GENERATION: &str = "DRILL_PROBE_GENERATION";
const OWN: &str = "DRILL_PROBE_OWN";
const HOLD: &str = "DRILL_PROBE_HOLD";
const FORBIDDEN: &str = "DRILL_PROBE_FORBIDDEN";
const ASK: &str = "DRILL_PROBE_ASK";
const CALL: &str = "DRILL_PROBE_CALL";
/// Between the words of a call: none of them holds it.
const BETWEEN: &str = "\u{1f}";

/// Servers of the test, outside.
pub(crate) struct Outside {
    folder: TempDir,
    tcp: Vec<TcpListener>,
    udp: Vec<UdpSocket>,
    unix: Vec<UnixListener>,
    datagrams: Vec<UnixDatagram>,
    ways: Vec<String>,
}

impl Outside {
    pub(crate) fn open() -> Self {
        let folder = TempDir::with_prefix("drill-outside-").unwrap();
        let tcp = ["127.0.0.1:0", "[::1]:0"].map(|address| TcpListener::bind(address).expect("loopback"));
        let udp = ["127.0.0.1:0", "[::1]:0"].map(|address| UdpSocket::bind(address).expect("loopback"));
        let stream = folder.path().join("stream");
        let datagram = folder.path().join("datagram");
        let name = format!("{}-abstract", folder.path().display());
        let of_name = |suffix: &str| net::SocketAddr::from_abstract_name(format!("{name}{suffix}")).unwrap();
        let unix = vec![UnixListener::bind(&stream).unwrap(), UnixListener::bind_addr(&of_name("-s")).unwrap()];
        let datagrams = vec![UnixDatagram::bind(&datagram).unwrap(), UnixDatagram::bind_addr(&of_name("-d")).unwrap()];
        let mut ways = Vec::new();
        for listener in &tcp {
            let address = listener.local_addr().unwrap();
            ways.push(format!("tcp {address}"));
            if address.is_ipv4() {
                ways.push(format!("tcp localhost:{}", address.port()));
            }
        }
        for socket in &udp {
            let address = socket.local_addr().unwrap();
            ways.push(format!("udp {address}"));
            if address.is_ipv4() {
                ways.push(format!("udp localhost:{}", address.port()));
            }
        }
        // Other ways to the same servers, which a filter could forget. Not every kernel has them.
        ways.extend(tcp.iter().map(|listener| format!("mptcp {}", listener.local_addr().unwrap())));
        ways.extend(tcp.iter().map(|listener| format!("fast-open {}", listener.local_addr().unwrap())));
        ways.push(format!("unix {}", stream.display()));
        ways.push(format!("unix-datagram {}", datagram.display()));
        ways.push(format!("abstract {name}-s"));
        ways.push(format!("abstract-datagram {name}-d"));
        tcp.iter().for_each(|listener| listener.set_nonblocking(true).unwrap());
        udp.iter().for_each(|socket| socket.set_nonblocking(true).unwrap());
        unix.iter().for_each(|listener| listener.set_nonblocking(true).unwrap());
        datagrams.iter().for_each(|socket| socket.set_nonblocking(true).unwrap());
        Self { folder, tcp: tcp.into(), udp: udp.into(), unix, datagrams, ways }
    }

    /// How many ways there are.
    pub(crate) fn ways(&self) -> usize {
        self.ways.len()
    }

    pub(crate) fn tcp(&self) -> Vec<SocketAddr> {
        self.tcp.iter().map(|listener| listener.local_addr().unwrap()).collect()
    }

    /// The Unix socket for streams.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("stream")
    }

    /// What got to the servers since this was last asked.
    pub(crate) fn arrived(&self) -> Vec<String> {
        let mut arrived = Vec::new();
        let mut bytes = [0; 64];
        for listener in &self.tcp {
            arrived.extend(std::iter::from_fn(|| listener.accept().ok()).map(|_| "tcp".to_owned()));
        }
        for listener in &self.unix {
            arrived.extend(std::iter::from_fn(|| listener.accept().ok()).map(|_| "unix".to_owned()));
        }
        for socket in &self.udp {
            while socket.recv(&mut bytes).is_ok() {
                arrived.push("udp".to_owned());
            }
        }
        for socket in &self.datagrams {
            while socket.recv(&mut bytes).is_ok() {
                arrived.push("unix-datagram".to_owned());
            }
        }
        arrived
    }

    pub(crate) fn forget(&self) {
        self.arrived();
    }
}

/// Whether a kernel may do without this way.
pub(crate) fn is_uncommon(way: &str) -> bool {
    way.starts_with("mptcp ") || way.starts_with("fast-open ")
}

/// One attempt.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) way: String,
    pub(crate) reached: bool,
    /// The error, and from which generation.
    #[expect(dead_code, reason = "it is shown where a test fails")]
    pub(crate) how: String,
}

/// What the probe wrote, over all its runs.
pub(crate) fn read(file: &Path) -> Vec<Seen> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .map(|line| {
            let mut fields = line.splitn(3, '\t');
            let mut next = || fields.next().expect("three fields").to_owned();
            let (reached, way, how) = (next(), next(), next());
            Seen { way, reached: reached == "reached", how }
        })
        .collect()
}

fn this_program(test: &str, variables: &[(&str, &str)]) -> Vec<OsString> {
    let program = std::env::current_exe().unwrap();
    // What it prints as a test is for a file, not for the report of the test that starts it.
    let quietly = "exec env \"$@\" >> probe.log 2>&1";
    let mut words: Vec<OsString> = ["sh", "-c", quietly, "sh"].map(OsString::from).into();
    words.extend(variables.iter().map(|(name, value)| format!("{name}={value}").into()));
    words.push(program.into());
    words.extend(["--exact", test, "--quiet"].map(OsString::from));
    words
}

/// The command that tries every way.
pub(crate) fn command(outside: &Outside, seen: &Path) -> Vec<OsString> {
    let (ways, seen) = (outside.ways.join("\n"), seen.display().to_string());
    this_program("drill_probe::tries_every_way", &[(WAYS, &ways), (SEEN, &seen), (GENERATION, "child")])
}

#[test]
fn tries_every_way() {
    let (Ok(ways), Ok(seen)) = (std::env::var(WAYS), std::env::var(SEEN)) else { return };
    let generation = std::env::var(GENERATION).unwrap();
    let mut file = fs::File::options().append(true).create(true).open(&seen).unwrap();
    for way in ways.lines() {
        let line = match attempt(way) {
            Ok(()) => format!("reached\t{way}\tby a {generation}\n"),
            Err(e) => format!("refused\t{way}\tby a {generation}: {e}\n"),
        };
        file.write_all(line.as_bytes()).unwrap();
    }
    if generation == "child" {
        let mut grandchild = Command::new(std::env::current_exe().unwrap());
        grandchild.args(std::env::args_os().skip(1)).env(GENERATION, "grandchild");
        assert!(grandchild.status().unwrap().success());
    }
}

/// Whether a peer was got to: by a connection, or by a datagram that the kernel took without an error.
fn attempt(way: &str) -> std::io::Result<()> {
    let (kind, to) = way.split_once(' ').unwrap();
    match kind {
        "tcp" => TcpStream::connect(to).map(drop),
        "mptcp" => other_tcp(to, Some(MPTCP), SendFlags::empty()),
        "fast-open" => other_tcp(to, None, FAST_OPEN),
        "udp" => datagram(to),
        "unix" => UnixStream::connect(to).map(drop),
        "unix-datagram" => UnixDatagram::unbound()?.send_to(b"x", to).map(drop),
        "abstract" => UnixStream::connect_addr(&net::SocketAddr::from_abstract_name(to)?).map(drop),
        "abstract-datagram" => {
            UnixDatagram::unbound()?.send_to_addr(b"x", &net::SocketAddr::from_abstract_name(to)?).map(drop)
        }
        _ => unreachable!("{way}"),
    }
}

/// A stream by another protocol, or one whose first bytes connect it.
fn other_tcp(to: &str, protocol: Option<Protocol>, flags: SendFlags) -> std::io::Result<()> {
    let address: SocketAddr = to.parse().unwrap();
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = rustix::net::socket(family, SocketType::STREAM, protocol)?;
    if flags.is_empty() {
        rustix::net::connect(&socket, &address)?;
    } else {
        rustix::net::sendto(&socket, b"x", flags, &address)?;
    }
    Ok(())
}

/// Loopback tells a sender that nobody is there, with the next thing it does on the socket.
fn datagram(to: &str) -> std::io::Result<()> {
    let own = if to.starts_with('[') { "[::1]:0" } else { "127.0.0.1:0" };
    let socket = UdpSocket::bind(own)?;
    socket.connect(to)?;
    socket.send(b"x")?;
    thread::sleep(Duration::from_millis(50));
    socket.send(b"x").map(drop)
}

/// A process that holds a drill of a shell script, in a folder, where some calls are not permitted.
pub(crate) fn hold_a_drill(folder: &Path, script: &str, forbidden: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "drill_probe::holds_a_drill", "--quiet", "--nocapture"]);
    command.env(HOLD, script).env(FORBIDDEN, forbidden).current_dir(folder).stdout(Stdio::null());
    command
}

#[test]
#[expect(clippy::exit, reason = "the exit status is what the parent looks at")]
fn holds_a_drill() {
    let (Ok(script), Ok(forbidden)) = (std::env::var(HOLD), std::env::var(FORBIDDEN)) else { return };
    for call in forbidden.split_whitespace() {
        forbid(call);
    }
    let code = match super::drill::in_folder(&std::env::current_dir().unwrap(), &["sh", "-c", &script]) {
        Ok(report) => {
            fs::write("report", lease_guard::drill::human(&report)).unwrap();
            report.exit_code()
        }
        Err(e) => {
            fs::write("report", e.to_string()).unwrap();
            2
        }
    };
    std::process::exit(code.into());
}

/// The same call, by a process that may not make some calls of the system's. Its output begins with words of the test
/// runner's.
pub(crate) fn forbidding(forbidden: &str, call: &Command) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "drill_probe::calls_where_some_calls_are_forbidden", "--quiet", "--nocapture"]);
    command.current_dir(call.get_current_dir().unwrap()).stdin(Stdio::null());
    command.env_clear().envs(call.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let words: Vec<_> =
        std::iter::once(call.get_program()).chain(call.get_args()).map(|w| w.to_str().unwrap()).collect();
    command.env(CALL, words.join(BETWEEN)).env(FORBIDDEN, forbidden);
    command
}

#[test]
fn calls_where_some_calls_are_forbidden() {
    let (Ok(words), Ok(forbidden)) = (std::env::var(CALL), std::env::var(FORBIDDEN)) else { return };
    for call in forbidden.split_whitespace() {
        forbid(call);
    }
    let mut words = words.split(BETWEEN);
    let error = Command::new(words.next().unwrap()).args(words).env_remove(CALL).env_remove(FORBIDDEN).exec();
    panic!("{error}");
}

/// From now on this thread and what it starts may not make this call.
fn forbid(call: &str) {
    let (number, errno) = match call {
        "unshare" => (libc::SYS_unshare, libc::EPERM),
        "landlock" => (libc::SYS_landlock_create_ruleset, libc::ENOSYS),
        "seccomp" => (libc::SYS_seccomp, libc::ENOSYS),
        _ => unreachable!("{call}"),
    };
    let errno = SeccompAction::Errno(errno.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new([(number, Vec::new())].into(), SeccompAction::Allow, errno, arch).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    seccompiler::apply_filter(&program).unwrap();
}

/// A command that starts servers itself and talks to them.
pub(crate) fn own_servers() -> Vec<OsString> {
    this_program("drill_probe::talks_to_its_own_servers", &[(OWN, "yes")])
}

#[test]
fn talks_to_its_own_servers() {
    if std::env::var_os(OWN).is_none() {
        return;
    }
    for address in ["127.0.0.1:0", "[::1]:0"] {
        let listener = TcpListener::bind(address).unwrap();
        TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        if listener.local_addr().unwrap().is_ipv4() {
            TcpStream::connect(("localhost", listener.local_addr().unwrap().port())).unwrap();
        }
    }
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    UdpSocket::bind("127.0.0.1:0").unwrap().send_to(b"x", udp.local_addr().unwrap()).unwrap();
    assert_eq!(udp.recv(&mut [0; 2]).unwrap(), 1);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("own");
    let _listener = UnixListener::bind(&path).unwrap();
    UnixStream::connect(&path).unwrap();
    let run = TempDir::new_in("/run");
    if let Ok(run) = run {
        let _listener = UnixListener::bind(run.path().join("own")).unwrap();
        UnixStream::connect(run.path().join("own")).unwrap();
    }
}

/// A command that asks a model, as the known clients would, and is content with any answer or none.
pub(crate) fn ask_a_model() -> Vec<OsString> {
    this_program("drill_probe::asks_a_model", &[(ASK, "yes")])
}

#[test]
fn asks_a_model() {
    if std::env::var_os(ASK).is_none() {
        return;
    }
    let Ok(base) = std::env::var("OPENAI_BASE_URL") else {
        assert!(std::env::var_os("OPENAI_API_KEY").is_none_or(|key| key != "no-key-during-the-drill"));
        return;
    };
    assert_eq!(std::env::var("OPENAI_API_KEY").as_deref(), Ok("no-key-during-the-drill"));
    assert!(std::env::var_os("HTTPS_PROXY").is_none());
    let (address, path) = base.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let body = "{}";
    write!(stream, "POST /{path}/chat/completions HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = [0; 1024];
    let read = stream.read(&mut answer).unwrap();
    assert!(answer[..read].starts_with(b"HTTP/1.1 "), "{}", String::from_utf8_lossy(&answer[..read]));
}
