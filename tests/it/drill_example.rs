//! The drill on the worked example: it passes there, and fails on a copy with a test that asks a model.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use lease_guard::drill::{Condition, Ended, IsolationKind, run};

use super::{drill, workspace::Workspace, workspace::project};

/// A failover test that asks a model whether to take over, and takes over whatever it says.
const ADVISED: &str = r#"//! A failover test that asks first.

use std::{io::{Read, Write}, net::TcpStream, time::Duration};

fn advice() -> Option<String> {
    let base = std::env::var("OPENAI_BASE_URL").ok()?;
    let (address, path) = base.strip_prefix("http://")?.split_once('/')?;
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(1))).ok()?;
    write!(stream, "POST /{path}/chat/completions HTTP/1.1\r\ncontent-length: 0\r\n\r\n").ok()?;
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer[..read]).into_owned())
}

#[test]
fn takes_over() {
    assert_ne!(advice().as_deref(), Some("do not"));
}
"#;

fn example() -> Option<PathBuf> {
    let example = project().join("fixtures/order-writer");
    if !example.join("Cargo.toml").exists() {
        println!("{} is not here: it was not drilled", example.display());
        return None;
    }
    Some(example)
}

/// `cargo test` in a folder, with the example's own target folder; built before, for a drill has no network.
/// What it prints is kept in a file: it is not the report of the test that starts it.
fn cargo_test(folder: &Path, log: &Path, arguments: &[&str]) -> Vec<OsString> {
    let target = project().join("fixtures/order-writer/target");
    let words = |more: &[&str]| -> Vec<OsString> {
        let target = format!("CARGO_TARGET_DIR={}", target.display());
        let cargo = ["env", &target, env!("CARGO"), "test", "--locked", "--quiet"];
        cargo.iter().chain(arguments.iter().take(2)).chain(more).map(OsString::from).collect()
    };
    let build = words(&["--no-run"]);
    let built = std::process::Command::new(&build[0]).args(&build[1..]).current_dir(folder).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let quietly = format!("exec \"$@\" >> '{}' 2>&1", log.display());
    let mut run: Vec<OsString> = ["sh", "-c", &quietly, "sh"].map(OsString::from).into();
    run.extend(words(&["--offline"]));
    run.extend(arguments.iter().skip(2).map(OsString::from));
    run
}

#[test]
fn the_example_passes_without_a_model() {
    let Some(example) = example() else { return };
    let folder = Workspace::empty();
    let test = "fence::a_takeover_that_is_under_way_keeps_the_append_waiting_and_refuses_it";
    let mut options = drill::options(&folder.path(), &[]);
    options.command = cargo_test(&example, &folder.path().join("log"), &["--test", "failover", "--", "--exact", test]);
    options.directory = example;
    // The test starts a server of its own, at a port of its own: only namespaces let it reach that.
    options.isolation = Some(IsolationKind::Namespaces);
    match run(&options, &mut |_| {}) {
        Ok(report) => assert!(report.passed(), "{}", lease_guard::drill::human(&report)),
        Err(e) => println!("the example was not drilled: {e}"),
    }
}

#[test]
fn a_copy_with_a_test_that_asks_a_model_fails_for_that_reason() {
    let Some(example) = example() else { return };
    let mut copy = Workspace::empty();
    for file in ["Cargo.toml", "Cargo.lock", "schema.sql", "src", "tests/failover"] {
        copy = copied(copy, &example, Path::new(file));
    }
    let copy = copy.file("tests/advised.rs", ADVISED);
    let mut options = drill::options(&copy.path(), &[]);
    options.command = cargo_test(&copy.path(), &copy.path().join("log"), &["--test", "advised"]);
    let report = run(&options, &mut |_| {}).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.runs.iter().all(|run| run.ended == Ended::Exit(0)), "the test itself succeeds: {report:?}");
    assert!(report.runs.iter().all(|run| (run.asked > 0) == (run.condition != Condition::Unreachable)), "{report:?}");
    assert_eq!(report.exit_code(), 1);
    assert!(lease_guard::drill::human(&report).contains("FAILED: the command succeeds, but it asks a model"));
}

fn copied(workspace: Workspace, from: &Path, path: &Path) -> Workspace {
    let source = from.join(path);
    if source.is_dir() {
        let entries = fs::read_dir(&source).unwrap().map(|entry| path.join(entry.unwrap().file_name()));
        return entries.fold(workspace, |workspace, path| copied(workspace, from, &path));
    }
    workspace.file(path.to_str().unwrap(), fs::read(source).unwrap())
}
