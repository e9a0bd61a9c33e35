//! The command line from outside: help, exit status, and a reader that leaves.

use std::process::Stdio;

use super::{
    gate::{gate, run, scrubbed},
    workspace::Workspace,
};

#[test]
fn help_and_version_are_0_and_a_misuse_is_2() {
    let nowhere = Workspace::empty();
    for (arguments, code) in [
        (&["--help"][..], 0),
        (&["--version"], 0),
        (&["explain", "held-client"], 0),
        (&["--nonsense"], 2),
        (&["explain"], 2),
        (&["explain", "forbiden-crate"], 2),
    ] {
        let said = run(gate(&nowhere.path()).args(arguments));
        assert_eq!(said.code, Some(code), "{arguments:?}: {said:?}");
        let (spoken, silent) = if code == 0 { (&said.stdout, &said.stderr) } else { (&said.stderr, &said.stdout) };
        assert!(!spoken.is_empty() && silent.is_empty(), "{arguments:?}: {said:?}");
    }
}

#[test]
fn a_direct_call_is_understood_like_one_through_cargo() {
    let binary = env!("CARGO_BIN_EXE_cargo-lease-guard");
    let direct = run(scrubbed(binary).args(["explain", "forbidden-crate"]));
    let through_cargo = run(scrubbed(binary).args(["lease-guard", "explain", "forbidden-crate"]));
    assert_eq!(direct.stdout, through_cargo.stdout);
    assert!(direct.stdout.starts_with("# forbidden-crate\n"), "{}", direct.stdout);
}

#[test]
fn explain_prints_what_the_page_holds() {
    let nowhere = Workspace::empty();
    let page = std::fs::read_to_string(super::workspace::project().join("docs/lints.md")).unwrap();
    for lint in lease_guard::lints::names() {
        let said = run(gate(&nowhere.path()).args(["explain", lint]));
        // The page's titles stand one level lower; `# ` inside the fenced rules files is a comment.
        let mut fenced = false;
        let lower = said.stdout.lines().map(|line| {
            fenced ^= line.starts_with("```");
            if line.starts_with('#') && !fenced { format!("#{line}\n") } else { format!("{line}\n") }
        });
        let lower: String = lower.collect();
        assert!(page.contains(&lower), "docs/lints.md does not hold:\n{lower}");
    }
}

#[test]
fn a_slip_in_a_lints_name_is_told_the_nearest() {
    let nowhere = Workspace::empty();
    let said = run(gate(&nowhere.path()).args(["explain", "helt-client"]));
    assert!(said.stderr.contains("did you mean `held-client`?"), "{}", said.stderr);
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_failure_and_a_full_disk_is() {
    let workspace = Workspace::empty();
    let nowhere = workspace.path();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child =
        gate(&nowhere).args(["explain", "held-client"]).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));

    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let mut child =
        gate(&nowhere).args(["explain", "held-client"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
}
