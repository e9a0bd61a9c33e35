//! The drill: what the command can reach, from a child and a grandchild; what a provider's faults show; and
//! that signals, exit statuses and ends come through.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use lease_guard::{
    config::Allowed,
    drill::{Condition, DrillError, DrillOptions, DrillReport, DrillRules, Ended, IsolationKind, read_record, run},
};

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
    let options = DrillOptions {
        command: command.iter().map(OsString::from).collect(),
        directory: folder.path(),
        rules: DrillRules::default(),
        isolation: None,
        limit: Duration::from_secs(100),
        helper: PathBuf::from(env!("CARGO_BIN_EXE_cargo-lease-guard")),
        workspace: folder.path(),
        target: folder.path().join("target"),
    };
    Drill { options, _folder: folder }
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
fn permitted() -> Vec<IsolationKind> {
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
    let done = std::process::Command::new(&words[0]).args(&words[1..]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let seen = drill_probe::read(&free.path().join("seen"));
    let (unreached, reached): (Vec<_>, Vec<_>) = seen.iter().partition(|seen| !seen.reached);
    assert!(unreached.is_empty() && reached.len() == 2 * outside.ways(), "{seen:#?}");

    for kind in permitted() {
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
    for kind in permitted() {
        let mut drill = drill(&[]).by(kind);
        for address in &outside.tcp() {
            drill = drill.allow(tcp("db", *address));
        }
        drill = drill.allow(Allowed::Unix { path: outside.path().display().to_string() });
        let file = drill.file("seen");
        drill.options.command = drill_probe::command(&outside, &file);
        assert!(drill.held().passed());
        for seen in drill_probe::read(&file) {
            let is_allowed = seen.way.starts_with("tcp ") || seen.way.starts_with("unix ");
            assert_eq!(seen.reached, is_allowed, "{kind:?}: {seen:?}");
        }
    }
}

#[test]
fn the_command_can_talk_to_its_own_servers_in_namespaces() {
    if !permitted().contains(&IsolationKind::Namespaces) {
        return;
    }
    let own = drill(&[]).by(IsolationKind::Namespaces);
    let mut own = own;
    own.options.command = drill_probe::own_servers();
    assert!(own.held().passed());
}

#[test]
fn a_command_that_asks_a_model_fails_although_it_succeeds() {
    for kind in permitted() {
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
    for kind in permitted() {
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
    for kind in permitted() {
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
    for kind in permitted() {
        // A daemon in a session of its own, two parents away.
        let daemon =
            "(setsid sh -c 'while :; do date > alive; sleep 0.05; done' &) ; while [ ! -e alive ]; do sleep 0.05; done";
        let left = shell(daemon).by(kind);
        let report = left.held();
        assert!(report.passed(), "{report:?}");
        nothing_writes(&left.file("alive"));
    }
}

/// Whoever wrote the file again and again does so no more.
fn nothing_writes(file: &Path) {
    assert!(file.exists(), "it was written while the command ran");
    fs::remove_file(file).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(!file.exists(), "somebody still writes {}", file.display());
}

#[test]
fn the_report_says_what_was_used_and_what_it_does_not_stop() {
    for kind in permitted() {
        let report = drill(&["true"]).by(kind).held();
        assert_eq!(report.isolation.kind, kind);
        let text = lease_guard::drill::human(&report);
        assert!(text.contains(&format!("isolation: {}", kind.word())), "{text}");
        assert!(!report.isolation.stops.is_empty() && !report.isolation.does_not_stop.is_empty(), "{text}");
    }
}
