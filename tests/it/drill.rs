//! The drill: what the command can reach, from a child and a grandchild; what a provider's faults show; and
//! that signals, exit statuses and ends come through.

use std::{
    ffi::OsString,
    fs,
    os::unix::{fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use lease_guard::{
    config::Allowed,
    drill::{Condition, DrillError, DrillOptions, DrillReport, DrillRules, Ended, IsolationKind, read_record, run},
};

use rustix::process::{Pid, Signal, kill_process};

use super::{
    drill_probe::{self, Outside},
    workspace::Workspace,
};

struct Drill {
    options: DrillOptions,
    _folder: Workspace,
}

fn drill(command: &[&str]) -> Drill {
    let folder = Workspace::empty();
    Drill { options: options(&folder.path(), command), _folder: folder }
}

pub(crate) fn options(folder: &Path, command: &[&str]) -> DrillOptions {
    DrillOptions {
        command: command.iter().map(OsString::from).collect(),
        directory: folder.to_owned(),
        rules: DrillRules::default(),
        isolation: None,
        limit: Duration::from_secs(100),
        helper: PathBuf::from(env!("CARGO_BIN_EXE_cargo-lease-guard")),
        workspace: folder.to_owned(),
        target: folder.join("target"),
    }
}

/// A drill held by the calling process.
pub(crate) fn in_folder(folder: &Path, command: &[&str]) -> Result<DrillReport, DrillError> {
    run(&options(folder, command), &mut |_| {})
}

impl Drill {
    fn run(&self) -> Result<DrillReport, DrillError> {
        run(&self.options, &mut |_| {})
    }

    fn held(&self) -> DrillReport {
        self.run().unwrap_or_else(|e| panic!("{e}"))
    }

    fn by(mut self, kind: IsolationKind) -> Self {
        self.options.isolation = Some(kind);
        self
    }

    fn allow(mut self, allowed: Allowed) -> Self {
        self.options.rules.allow.push(allowed);
        self
    }

    fn file(&self, name: &str) -> PathBuf {
        self.options.directory.join(name)
    }
}

/// A shell that runs a script with this folder as `$0`.
fn shell(script: &str) -> Drill {
    drill(&["sh", "-c", script])
}

fn tcp(label: &str, address: std::net::SocketAddr) -> Allowed {
    Allowed::Tcp { label: label.to_owned(), host: address.ip().to_string(), port: address.port() }
}

/// The ways that are permitted here. CI must have one at least, or the tests below would show nothing.
pub(crate) fn permitted() -> &'static [IsolationKind] {
    static KINDS: OnceLock<Vec<IsolationKind>> = OnceLock::new();
    KINDS.get_or_init(look_what_is_permitted)
}

fn look_what_is_permitted() -> Vec<IsolationKind> {
    let kinds = IsolationKind::ALL.into_iter().filter(|kind| match drill(&["true"]).by(*kind).run() {
        Ok(report) => report.passed(),
        Err(DrillError::CannotIsolate { refused }) => {
            println!("not permitted here: {refused:?}");
            false
        }
        Err(e) => panic!("{e}"),
    });
    let kinds: Vec<_> = kinds.collect();
    assert!(!kinds.is_empty(), "neither way of isolation is permitted here: nothing can be shown");
    kinds
}

#[test]
fn nothing_outside_is_reached_by_a_child_or_a_grandchild() {
    let outside = Outside::open();
    // Without the drill everything is reached: the probe can tell.
    let free = Workspace::empty();
    let words = drill_probe::command(&outside, &free.path().join("seen"));
    let done = std::process::Command::new(&words[0]).args(&words[1..]).current_dir(free.path()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let seen = drill_probe::read(&free.path().join("seen"));
    let unreached = seen.iter().filter(|seen| !seen.reached && !drill_probe::is_uncommon(&seen.way)).count();
    assert!(unreached == 0 && seen.len() == 2 * outside.ways(), "{seen:#?}");

    for &kind in permitted() {
        let mut drill = drill(&[]).by(kind);
        let file = drill.file("seen");
        drill.options.command = drill_probe::command(&outside, &file);
        outside.forget();
        let report = drill.held();
        assert!(report.passed(), "{report:?}");
        let seen = drill_probe::read(&file);
        assert_eq!(seen.len(), 2 * outside.ways() * report.runs.len(), "every way was tried in every run: {seen:#?}");
        let reached: Vec<_> = seen.iter().filter(|seen| seen.reached).collect();
        assert!(reached.is_empty(), "{kind:?}: {reached:#?}");
        assert_eq!(outside.arrived(), Vec::<String>::new(), "{kind:?}: what the servers outside saw");
    }
}

#[test]
fn what_is_allowed_is_reached_and_nothing_beside_it() {
    let outside = Outside::open();
    for &kind in permitted() {
        let mut drill = drill(&[]).by(kind);
        for address in &outside.tcp() {
            drill = drill.allow(tcp("db", *address));
        }
        drill = drill.allow(Allowed::Unix { path: outside.path().display().to_string() });
        let file = drill.file("seen");
        drill.options.command = drill_probe::command(&outside, &file);
        let report = drill.held();
        assert!(report.passed());
        // What cannot be told apart is reached as well, and the report says so.
        let is_told = |what: &str| report.isolation.does_not_stop.iter().any(|line| line.contains(what));
        let (any_path, any_abstract) = (is_told("any Unix socket with a path"), is_told("abstract Unix sockets"));
        assert_eq!(any_path, kind == IsolationKind::Landlock);
        for seen in drill_probe::read(&file) {
            let is_allowed = match seen.way.split(' ').next().unwrap() {
                "tcp" | "unix" => true,
                // In namespaces these lead to the forwarded port, as plain TCP does.
                "mptcp" | "fast-open" => continue,
                "unix-datagram" => any_path,
                way => any_abstract && way.starts_with("abstract"),
            };
            assert_eq!(seen.reached, is_allowed, "{kind:?}: {seen:?}");
        }
    }
}

#[test]
fn a_name_of_allow_means_inside_what_it_means_outside() {
    use std::net::ToSocketAddrs as _;
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap().trim().to_owned();
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let addresses: Vec<_> = (name.as_str(), port).to_socket_addrs().into_iter().flatten().collect();
    if addresses.is_empty() || !addresses.iter().all(|address| address.ip().is_loopback()) {
        println!("this machine's name {name} is none of its loopback device: names were not tried");
        return;
    }
    if !permitted().contains(&IsolationKind::Namespaces) {
        return;
    }
    let allowed = Allowed::Tcp { label: "db".to_owned(), host: name.clone(), port };
    let drill = shell("head -1 /etc/hosts > hosts").by(IsolationKind::Namespaces).allow(allowed);
    let report = drill.held();
    assert!(report.passed());
    assert_eq!(report.allowed, [format!("db: {name}:{port}, which is {}", addresses[0])]);
    assert_eq!(fs::read_to_string(drill.file("hosts")).unwrap(), format!("{}\t{name}\n", addresses[0].ip()));
}

#[test]
fn an_address_of_allow_that_is_not_of_this_machine_can_be_listened_at() {
    if !permitted().contains(&IsolationKind::Namespaces) {
        return;
    }
    // Nobody connects: the forwarder would look for that server outside.
    for address in ["192.0.2.1:5432", "[2001:db8::1]:5432"] {
        let script = "grep -i -c -e C0000201 -e 010200C0 /proc/net/tcp /proc/net/fib_trie > v4; \
                      grep -c 20010db8000000000000000000000001 /proc/net/if_inet6 > v6; true";
        let drill = shell(script).by(IsolationKind::Namespaces).allow(tcp("db", address.parse().unwrap()));
        assert!(drill.held().passed());
        let seen = fs::read_to_string(drill.file("v4")).unwrap() + &fs::read_to_string(drill.file("v6")).unwrap();
        assert!(seen.lines().any(|line| !line.ends_with('0')), "{address}: {seen}");
    }
}

#[test]
fn the_command_can_talk_to_its_own_servers_in_namespaces() {
    if !permitted().contains(&IsolationKind::Namespaces) {
        return;
    }
    let mut own = drill(&[]).by(IsolationKind::Namespaces);
    own.options.command = drill_probe::own_servers();
    let report = own.held();
    assert!(report.passed(), "{}", fs::read_to_string(own.file("probe.log")).unwrap());
}

#[test]
fn a_command_that_asks_a_model_fails_although_it_succeeds() {
    for &kind in permitted() {
        let mut asks = drill(&[]).by(kind);
        asks.options.command = drill_probe::ask_a_model();
        let report = asks.held();
        for run in &report.runs {
            assert_eq!(run.ended, Ended::Exit(0), "it bears every answer: {run:?}");
            let is_fault = run.condition != Condition::Unreachable;
            assert_eq!(run.asked > 0, is_fault, "{run:?}");
            assert_eq!(run.passed(), !is_fault);
            if is_fault {
                assert_eq!(run.requests, ["POST /v1/chat/completions"], "{run:?}");
            }
        }
        assert_eq!((report.passed(), report.exit_code()), (false, 1));
        let record = read_record(&asks.options.target).expect("a record");
        assert!(!record.passed && record.runs[0].passed && record.runs[1].asked == 1, "{record:?}");
    }
}

#[test]
fn exit_statuses_and_signals_come_through() {
    for &kind in permitted() {
        let report = shell("exit 7").by(kind).held();
        assert_eq!((report.exit_code(), report.runs.len()), (7, 5));
        let report = shell("kill -TERM $$").by(kind).held();
        assert_eq!((report.runs[0].ended, report.exit_code()), (Ended::Signal(15), 143));
    }
}

#[test]
fn a_command_that_is_not_there_is_no_drill() {
    let missing = drill(&["/no/such/program"]);
    assert!(matches!(missing.run(), Err(DrillError::NotStarted { .. })));
    assert!(matches!(drill(&[]).run(), Err(DrillError::NoCommand)));
    assert_eq!(read_record(&missing.options.target), None);
}

#[test]
fn a_broken_drill_takes_the_old_record_away() {
    let good = drill(&["true"]);
    assert!(good.held().passed());
    assert!(read_record(&good.options.target).is_some_and(|record| record.passed));
    let mut broken = good;
    broken.options.command = vec!["/no/such/program".into()];
    assert!(broken.run().is_err());
    assert_eq!(read_record(&broken.options.target), None);
}

#[test]
fn a_command_that_takes_too_long_is_ended_with_all_that_it_started() {
    for &kind in permitted() {
        let mut slow = shell("(while :; do date > alive; sleep 0.05; done) & trap '' TERM; sleep 1000").by(kind);
        slow.options.limit = Duration::from_millis(700);
        let report = slow.held();
        assert!(report.runs.iter().all(|run| run.ended == Ended::TimedOut), "{report:?}");
        assert_eq!(report.exit_code(), 124);
        nothing_writes(&slow.file("alive"));
    }
}

#[test]
fn what_the_command_leaves_behind_is_ended() {
    for &kind in permitted() {
        // A daemon in a session of its own, two parents away.
        let daemon =
            "(setsid sh -c 'while :; do date > alive; sleep 0.05; done' &) ; while [ ! -e alive ]; do sleep 0.05; done";
        let left = shell(daemon).by(kind);
        let report = left.held();
        assert!(report.passed(), "{report:?}");
        nothing_writes(&left.file("alive"));
    }
}

/// Waits for a file that the command writes.
pub(crate) fn wait_for(file: &Path) {
    for _ in 0..2000 {
        if file.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} does not appear", file.display());
}

#[test]
fn a_signal_is_handed_on_and_ends_the_drill_without_a_record() {
    for forbidden in ["", "unshare"] {
        let folder = Workspace::empty();
        let script = "trap 'date > got; exit 3' TERM; date > ready; while :; do sleep 0.05; done";
        let mut holder = drill_probe::hold_a_drill(&folder.path(), script, forbidden).spawn().unwrap();
        wait_for(&folder.path().join("ready"));
        kill_process(Pid::from_child(&holder), Signal::TERM).unwrap();
        assert_eq!(holder.wait().unwrap().code(), Some(128 + 15));
        assert!(folder.path().join("got").exists(), "the command was told, and had time for its own ending");
        let report = fs::read_to_string(folder.path().join("report")).unwrap();
        assert!(report.contains("interrupted by signal 15: nothing is recorded"), "{report}");
        assert_eq!(read_record(&folder.path().join("target")), None);
    }
}

#[test]
fn a_drill_that_is_killed_leaves_nothing_running() {
    for forbidden in ["", "unshare"] {
        let folder = Workspace::empty();
        let script = "trap '' TERM HUP; setsid sh -c 'while :; do date > alive; sleep 0.05; done' & wait; sleep 1000";
        let mut holder = drill_probe::hold_a_drill(&folder.path(), script, forbidden).spawn().unwrap();
        wait_for(&folder.path().join("alive"));
        holder.kill().unwrap();
        holder.wait().unwrap();
        std::thread::sleep(Duration::from_secs(2));
        nothing_writes_any_more(&folder.path().join("alive"));
    }
}

#[test]
fn where_namespaces_are_not_permitted_the_other_way_is_taken_and_where_nothing_is_nothing_runs() {
    let held = |forbidden: &str| {
        let folder = Workspace::empty();
        let status = drill_probe::hold_a_drill(&folder.path(), "date >> ran", forbidden).status().unwrap();
        let report = fs::read_to_string(folder.path().join("report")).unwrap();
        (status.code(), report, folder.path().join("ran").exists())
    };
    let (code, report, ran) = held("unshare");
    assert_eq!((code, ran), (Some(0), true), "{report}");
    assert!(report.contains("isolation: landlock+seccomp"), "{report}");
    assert!(report.contains("namespaces was refused: new namespaces are not permitted"), "{report}");
    for forbidden in ["unshare landlock", "unshare seccomp"] {
        let (code, report, ran) = held(forbidden);
        assert_eq!((code, ran), (Some(2), false), "{report}");
        assert!(report.contains("cannot be isolated here"), "{report}");
    }
}

#[test]
fn no_root_is_needed() {
    /// `nobody`, and its group, on every Linux.
    const NOBODY: u32 = 65534;
    if !rustix::process::geteuid().is_root() {
        return; // Every other test shows it.
    }
    let folder = Workspace::empty();
    chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let script = "id -u > user";
    let mut holder = drill_probe::hold_a_drill(&folder.path(), script, "");
    match holder.uid(NOBODY).gid(NOBODY).status() {
        Ok(status) => assert_eq!(status.code(), Some(0), "{:?}", fs::read_to_string(folder.path().join("report"))),
        Err(e) => {
            println!("{NOBODY} may not run the test program where it lies: that no root is needed was not shown: {e}");
            return;
        }
    }
    assert_eq!(fs::read_to_string(folder.path().join("user")).unwrap(), format!("{NOBODY}\n"), "ids are themselves");
}

/// Whoever wrote the file again and again does so no more.
fn nothing_writes(file: &Path) {
    assert!(file.exists(), "it was written while the command ran");
    nothing_writes_any_more(file);
}

fn nothing_writes_any_more(file: &Path) {
    fs::remove_file(file).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(!file.exists(), "somebody still writes {}", file.display());
}

#[test]
fn the_report_says_what_was_used_and_what_it_does_not_stop() {
    for &kind in permitted() {
        let report = drill(&["true"]).by(kind).held();
        assert_eq!(report.isolation.kind, kind);
        let text = lease_guard::drill::human(&report);
        assert!(text.contains(&format!("isolation: {}", kind.word())), "{text}");
        assert!(!report.isolation.stops.is_empty() && !report.isolation.does_not_stop.is_empty(), "{text}");
    }
}
