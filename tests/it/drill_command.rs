//! `drill`, the command: what it says, its exit status, whom it lets through, and that nothing is left of it.
//!
//! What the isolation itself is worth is shown in `drill`; this is about the way from the rules file and the
//! command line to it, and back.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{
        fs::{PermissionsExt as _, chown},
        process::CommandExt as _,
    },
    process::{Command, Stdio},
    time::Duration,
};

use lease_guard::drill::{IsolationKind, Record, read_record};
use rustix::process::{Pid, Signal, kill_process};

use super::{
    drill::{permitted, wait_for},
    drill_probe::{self, Outside},
    gate::{Said, gate, run, scrubbed},
    workspace::Workspace,
};

const MANIFEST: &str = "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const LEASE: &str = "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\n";

/// A workspace with a lease, whose rules end with these lines.
fn ferry(rules: &str) -> Workspace {
    Workspace::with([
        ("Cargo.toml", MANIFEST),
        ("lease-guard.toml", &format!("{LEASE}{rules}")),
        ("src/lib.rs", "pub mod watch;\n"),
        ("src/watch.rs", "pub fn renew() {}\n"),
    ])
}

/// The call of a drill, by the built binary.
fn calling<W: AsRef<OsStr>>(ferry: &Workspace, flags: &[&str], command: &[W]) -> Command {
    let mut call = gate(&ferry.path());
    call.args(["drill", "--offline"]).args(flags).arg("--").args(command).env("CARGO_NET_OFFLINE", "true");
    call
}

fn drill<W: AsRef<OsStr>>(ferry: &Workspace, flags: &[&str], command: &[W]) -> Said {
    run(&mut calling(ferry, flags, command))
}

fn shell(ferry: &Workspace, flags: &[&str], script: &str) -> Said {
    drill(ferry, flags, &["sh", "-c", script])
}

fn record(ferry: &Workspace) -> Option<Record> {
    read_record(&ferry.path().join("target"))
}

/// The report with what differs from machine to machine left out: times, and what this system's isolation is
/// worth in particular.
fn screen(report: &str) -> String {
    let mut kept = String::new();
    for line in report.lines() {
        if line.starts_with("  - ") {
            continue;
        }
        let timed = line.rsplit_once(" (").filter(|(_, time)| time.ends_with(" s)"));
        kept.push_str(&timed.map_or_else(|| line.to_owned(), |(before, _)| format!("{before} (TIME)")));
        kept.push('\n');
    }
    kept
}

#[test]
fn a_command_that_needs_nothing_passes() {
    for kind in permitted() {
        let ferry = ferry("");
        let way = if *kind == IsolationKind::Namespaces { "namespaces" } else { "landlock" };
        let said = shell(&ferry, &["--isolation", way], "echo the ferry leaves");
        assert_eq!(said.code, Some(0), "{said:?}");
        insta::assert_snapshot!(format!("drill_passes_{way}"), screen(&said.stdout));
        let told = said.stderr.replace(&ferry.path().display().to_string(), "FERRY");
        insta::assert_snapshot!("drill_progress", told);
        assert!(
            said.stdout.contains("\nstops:\n  - TCP") && said.stdout.contains("\ndoes not stop:\n  - "),
            "{said:?}"
        );
        let record = record(&ferry).expect("a record");
        assert!(record.passed && record.runs.len() == 5 && record.isolation == kind.word(), "{record:?}");
        assert_eq!(record.command, ["sh", "-c", "echo the ferry leaves"]);
    }
}

#[test]
fn quietly_there_is_no_progress() {
    let said = shell(&ferry(""), &["-q"], "echo the ferry leaves");
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:?}");
    assert!(said.stdout.ends_with("passed: the command succeeds without a model, and asks none\n"), "{said:?}");
}

#[test]
fn a_command_that_asks_a_model_fails_and_the_request_is_told() {
    let ferry = ferry("");
    let said = drill(&ferry, &[], &drill_probe::ask_a_model());
    assert_eq!(said.code, Some(1), "{said:?}");
    let runs = said.stdout.split_once("runs:\n").expect("the runs").1;
    insta::assert_snapshot!("drill_asks", screen(runs));
    let record = record(&ferry).expect("a record");
    assert!(!record.passed && record.runs[0].passed && record.runs[1].requests == ["POST /v1/chat/completions"]);
}

#[test]
fn the_exit_status_is_that_of_the_command() {
    for (script, flags, code, words) in [
        ("exit 7", &[][..], 7, "exit status 7"),
        ("kill -TERM $$", &[], 128 + 15, "ended by signal 15"),
        ("sleep 1000", &["--limit", "300ms"], 124, "took too long and was killed"),
    ] {
        let ferry = ferry("");
        let said = shell(&ferry, flags, script);
        assert_eq!(said.code, Some(code), "{script}: {said:?}");
        assert!(said.stdout.contains(words) && said.stdout.contains("\nFAILED: "), "{script}: {said:?}");
        assert!(record(&ferry).is_some_and(|record| !record.passed), "{script}");
    }
}

#[test]
fn what_the_command_is_called_cannot_drive_a_terminal() {
    let said = shell(&ferry(""), &[], ": \u{1b}[2J\u{202e}");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.starts_with("drill: sh -c : \\u{1b}[2J\\u{202e}\n"), "{said:?}");
    let said = drill(&ferry(""), &[], &["/no/\u{1b}[2J"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(!said.stderr.contains('\u{1b}') && said.stderr.contains("cannot be started"), "{said:?}");
}

/// Two leases, of which one lets through what the other does not.
fn two_leases(outside: &Outside) -> Workspace {
    let server = outside.tcp()[0];
    let more = format!(
        "[lease.drill]\nallow = [\"db: {server}\"]\n[[lease]]\nname = \"mate\"\nmodules = [\"ferry::watch\"]\n\
         [lease.drill]\nallow = []\n"
    );
    ferry(&more)
}

#[test]
fn what_the_leases_asked_for_allow_is_reached_and_nothing_else() {
    let outside = Outside::open();
    let server = outside.tcp()[0];
    for (flags, is_let_through) in [
        (&["--lease", "captain"][..], true),
        (&[], true),
        (&["--lease", "captain", "--lease", "mate"], true),
        (&["--lease", "mate"], false),
    ] {
        let ferry = two_leases(&outside);
        let seen = ferry.path().join("seen");
        let said = drill(&ferry, flags, &drill_probe::command(&outside, &seen));
        assert_eq!(said.code, Some(0), "{flags:?}: {said:?}");
        let reachable =
            if is_let_through { format!("reachable:\n  - db: {server}\n") } else { "reachable: nothing\n".into() };
        assert!(said.stdout.contains(&reachable), "{flags:?}: {said:?}");
        assert!(!said.stderr.contains("has no [lease.drill]"), "each has one: {said:?}");
        let plain = format!("tcp {server}");
        let reached = drill_probe::read(&seen).into_iter().filter(|seen| seen.way == plain).map(|seen| seen.reached);
        let reached: Vec<_> = reached.collect();
        assert!(
            reached.len() >= 10 && reached.iter().all(|reached| *reached == is_let_through),
            "{flags:?}: {reached:?}"
        );
    }
}

#[test]
fn what_keeps_it_from_being_held_is_2_and_says_why() {
    let ran = |ferry: &Workspace| ferry.path().join("ran").exists();
    let nowhere = Workspace::with([("Cargo.toml", MANIFEST), ("src/lib.rs", "")]);
    let zero = ferry("[lease.drill]\nallow = [\"db: 0.0.0.0:5432\"]\n");
    let gone = ferry("[lease.drill]\nallow = [\"unix: /no/such/socket\"]\n");
    let misspelt = ferry("[lease.drill]\nalow = []\n");
    for (ferry, flags, words) in [
        (&nowhere, &[][..], &["lease-guard.toml", "init"][..]),
        (&ferry(""), &["--lease", "captan"], &["did you mean `--lease captain`?"]),
        (&zero, &[], &["`0.0.0.0:5432` of `[lease.drill] allow` cannot be let through", "lease-guard.toml:5:"]),
        (&gone, &[], &["`/no/such/socket`", "it is not there", "lease-guard.toml:5:"]),
        (&misspelt, &[], &["`alow`", "`allow`"]),
    ] {
        let said = shell(ferry, flags, "date > ran");
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{words:?}: {said:?}");
        assert!(words.iter().all(|word| said.stderr.contains(word)), "{words:?}: {}", said.stderr);
        assert!(!ran(ferry) && record(ferry).is_none(), "{words:?}");
    }
    let ferry = ferry("");
    let said = drill(&ferry, &[], &["/no/such/program"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said:?}");
    assert!(said.stderr.contains("`/no/such/program` cannot be started"), "{said:?}");
    assert_eq!(record(&ferry), None);
}

#[test]
fn where_it_cannot_be_isolated_nothing_runs() {
    for (forbidden, code, words) in [
        ("unshare", 0, "isolation: landlock+seccomp\n  namespaces was refused: "),
        ("unshare landlock", 2, "the command cannot be isolated here"),
        ("unshare seccomp", 2, "the command cannot be isolated here"),
    ] {
        if code == 0 && !permitted().contains(&IsolationKind::Landlock) {
            continue;
        }
        let ferry = ferry("");
        let call = calling(&ferry, &[], &["sh", "-c", "date > ran"]);
        let said = run(&mut drill_probe::forbidding(forbidden, &call));
        assert_eq!(said.code, Some(code), "{forbidden}: {said:?}");
        assert!(said.stdout.contains(words) || said.stderr.contains(words), "{forbidden}: {said:?}");
        assert_eq!(ferry.path().join("ran").exists(), code == 0, "{forbidden}");
        assert_eq!(record(&ferry).is_some(), code == 0, "{forbidden}");
    }
    let ferry = ferry("");
    let call = calling(&ferry, &["--isolation", "namespaces"], &["sh", "-c", "date > ran"]);
    let said = run(&mut drill_probe::forbidding("unshare", &call));
    assert_eq!(said.code, Some(2), "another way than the one asked for is none: {said:?}");
    assert!(!ferry.path().join("ran").exists());
}

#[test]
fn without_the_dashes_it_is_a_misuse_with_a_hint() {
    let ferry = ferry("");
    let said = run(gate(&ferry.path()).args(["drill", "sh", "-c", "date > ran"]));
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said:?}");
    assert!(said.stderr.contains("tip: the command stands behind `--`"), "{said:?}");
    assert!(!ferry.path().join("ran").exists());
}

#[test]
fn a_signal_is_handed_on_and_the_command_ends_in_its_own_way() {
    let ferry = ferry("");
    let script = "trap 'date > got; exit 3' TERM; date > ready; while :; do sleep 0.05; done";
    let mut call = calling(&ferry, &[], &["sh", "-c", script]);
    let child = call.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&ferry.path().join("ready"));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(128 + 15));
    assert!(ferry.path().join("got").exists(), "the command was told, and had time for its own ending");
    let report = String::from_utf8(ended.stdout).unwrap();
    assert!(report.contains("interrupted by signal 15: nothing is recorded"), "{report}");
    assert_eq!(record(&ferry), None);
}

#[test]
fn a_drill_under_nohup_outlives_the_terminal() {
    let ferry = ferry("");
    let script = "date > ready; while [ ! -e go ]; do sleep 0.05; done";
    let call = calling(&ferry, &[], &["sh", "-c", script]);
    let mut nohup = scrubbed("sh");
    nohup.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(call.get_program()).args(call.get_args());
    nohup.current_dir(ferry.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = nohup.spawn().unwrap();
    wait_for(&ferry.path().join("ready"));
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    fs::write(ferry.path().join("go"), "").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(record(&ferry).is_some_and(|record| record.passed));
}

#[test]
fn a_drill_that_is_killed_leaves_nothing_running() {
    let ferry = ferry("");
    let script = "trap '' TERM HUP; setsid sh -c 'while :; do date > alive; sleep 0.05; done' & wait; sleep 1000";
    let mut call = calling(&ferry, &[], &["sh", "-c", script]);
    let mut child = call.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&ferry.path().join("alive"));
    child.kill().unwrap();
    child.wait().unwrap();
    let is_quiet = || {
        let alive = ferry.path().join("alive");
        let _ = fs::remove_file(&alive);
        std::thread::sleep(Duration::from_millis(500));
        !alive.exists()
    };
    assert!((0..60).any(|_| is_quiet()), "somebody still writes");
}

#[test]
fn the_record_stands_where_the_workspaces_builds_go() {
    let ferry = ferry("").file(".cargo/config.toml", "[build]\ntarget-dir = \"elsewhere\"\n");
    assert_eq!(shell(&ferry, &[], "true").code, Some(0));
    assert!(!ferry.path().join("target").exists());
    assert!(read_record(&ferry.path().join("elsewhere")).is_some_and(|record| record.passed));
}

#[test]
fn no_root_is_needed() {
    /// `nobody`, and its group, on every Linux.
    const NOBODY: u32 = 65534;
    if !rustix::process::geteuid().is_root() {
        return; // Every other test shows it.
    }
    let ferry = ferry("");
    // Root's cargo is out of nobody's reach: what it says is said by a script.
    let mut cargo = scrubbed("cargo");
    cargo.args(["metadata", "--format-version=1", "--offline"]).current_dir(ferry.path());
    let script = ferry.path().join("cargo");
    let ferry = ferry
        .file("metadata.json", run(&mut cargo).stdout)
        .file("cargo", format!("#!/bin/sh\nexec cat '{}'\n", script.with_file_name("metadata.json").display()));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    for entry in walkdir::WalkDir::new(ferry.path()) {
        chown(entry.unwrap().path(), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let mut call = calling(&ferry, &[], &["sh", "-c", "id -u > user"]);
    call.env("CARGO", &script).env("HOME", ferry.path()).uid(NOBODY).gid(NOBODY);
    if let Err(e) = Command::new(call.get_program()).arg("--version").uid(NOBODY).gid(NOBODY).output() {
        println!("{NOBODY} may not run the program where it lies: that no root is needed was not shown: {e}");
        return;
    }
    let said = run(&mut call);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(fs::read_to_string(ferry.path().join("user")).unwrap(), format!("{NOBODY}\n"), "ids are themselves");
    assert!(record(&ferry).is_some_and(|record| record.passed));
}
