//! The GitHub action: its shell steps run as a runner runs them, by environment and files alone.

use std::{fs, process::Command};

use super::workspace::{Workspace, project};

const MANIFEST: &str = "[package]\nname = \"dock\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const RULES: &str = "[[lease]]\nname = \"dock\"\nmodules = [\"dock::lease\"]\n";
const CLEAN: &str = "pub fn holds(epoch: u64, fence: u64) -> bool {\n    epoch >= fence\n}\n";
const OFFENDS: &str = "pub fn fence(node: &str) -> bool {\n    std::process::Command::new(node).status().is_ok()\n}\n";

struct Ran {
    status: i32,
    stdout: String,
    outputs: String,
    summary: String,
}

fn dock(lease: &str, rules: &str) -> Workspace {
    Workspace::with([("Cargo.toml", MANIFEST), ("src/lib.rs", "pub mod lease;\n"), ("src/lease.rs", lease)])
        .file("lease-guard.toml", rules)
}

fn step(workspace: &Workspace, script: &str, inputs: &[(&str, &str)]) -> Ran {
    let folder = workspace.path();
    let (output, summary) = (folder.join("github-output"), folder.join("github-summary"));
    for file in [&output, &summary] {
        fs::write(file, "").unwrap();
    }
    let mut command = Command::new("bash");
    command.arg(project().join("action").join(script)).current_dir(&folder);
    command.env_clear();
    for name in ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_ACTION_PATH", project());
    command.env("GITHUB_OUTPUT", &output).env("GITHUB_STEP_SUMMARY", &summary);
    command.env("LEASE_GUARD_BINARY", env!("CARGO_BIN_EXE_cargo-lease-guard"));
    command.envs(inputs.iter().copied());
    let ran = command.output().expect("bash runs");
    Ran {
        status: ran.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&ran.stdout).into_owned(),
        outputs: fs::read_to_string(output).unwrap(),
        summary: fs::read_to_string(summary).unwrap(),
    }
}

#[test]
fn an_offence_fails_the_step_with_an_annotation_a_summary_and_outputs() {
    let workspace = dock(OFFENDS, RULES);
    let ran = step(&workspace, "check.sh", &[("LEASE_GUARD_SARIF", "lease-guard.sarif")]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("::error ") && ran.stdout.contains("file=src/lease.rs,line=2"), "{}", ran.stdout);
    assert_eq!(ran.outputs, "verdict=offends\nfindings=1\nsarif=lease-guard.sarif\n");
    assert!(ran.summary.contains("raw-transport"), "{}", ran.summary);
    let sarif = fs::read_to_string(workspace.path().join("lease-guard.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
}

#[test]
fn a_clean_workspace_passes_and_one_without_rules_cannot_be_checked() {
    let ran = step(&dock(CLEAN, RULES), "check.sh", &[]);
    assert_eq!((ran.status, ran.outputs.as_str()), (0, "verdict=clean\nfindings=0\nsarif=\n"), "{}", ran.stdout);
    let ran = step(&dock(CLEAN, "[forbid]\n"), "check.sh", &[("LEASE_GUARD_FAIL_ON", "never")]);
    assert_eq!(ran.status, 2, "what could not be checked fails whatever was asked: {}", ran.stdout);
    assert!(ran.outputs.starts_with("verdict=cannot-check\n"), "{}", ran.outputs);
}

#[test]
fn asked_never_to_fail_it_only_reports() {
    let ran = step(&dock(OFFENDS, RULES), "check.sh", &[("LEASE_GUARD_FAIL_ON", "never")]);
    assert_eq!(ran.status, 0);
    assert!(ran.outputs.starts_with("verdict=offends\n"));
}

#[test]
fn hostile_inputs_are_values_and_never_code() {
    let workspace = dock(CLEAN, RULES);
    let hostile = "x\"; touch planted; $(touch planted) `touch planted`\nverdict=clean";
    for input in [
        "LEASE_GUARD_MANIFEST_PATH",
        "LEASE_GUARD_RULES",
        "LEASE_GUARD_LEASE",
        "LEASE_GUARD_NO_DEPS",
        "LEASE_GUARD_FAIL_ON",
    ] {
        let ran = step(&workspace, "check.sh", &[(input, hostile)]);
        assert_eq!(ran.status, 2, "{input}: {}", ran.stdout);
        assert!(!workspace.path().join("planted").exists(), "{input} was run");
    }
    let ran = step(&workspace, "check.sh", &[("LEASE_GUARD_SARIF", hostile)]);
    assert!(!workspace.path().join("planted").exists());
    assert_eq!(ran.outputs.lines().filter(|line| line.starts_with("verdict=")).count(), 1, "{}", ran.outputs);
}

#[test]
fn a_binary_that_is_not_there_is_refused() {
    let ran = step(&dock(CLEAN, RULES), "install.sh", &[("LEASE_GUARD_BINARY", "/nowhere/cargo-lease-guard")]);
    assert_eq!(ran.status, 2);
    assert!(ran.stdout.starts_with("::error::"), "{}", ran.stdout);
}
