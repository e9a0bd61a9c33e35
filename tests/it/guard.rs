//! The check as a test of the guarded workspace's own: the README's lines, compiled by rustc as a package
//! without the command line would be, and run by the test harness.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    fixtures,
    gate::{Said, offline, run, scrubbed},
    workspace::{Workspace, project},
};

const MANIFEST: &str =
    "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nreqwest = \"0.12\"\n";
const RULES: &str = "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\n";
const OFFENDS: &str = "pub async fn renew() -> bool {\n    reqwest::get(\"http://pier\").await.is_ok()\n}\n";
const CLEAN: &str = "pub async fn renew() -> bool {\n    true\n}\n";

fn ferry(watch: &str) -> Workspace {
    let workspace = fixtures::workspace([
        ("Cargo.toml", MANIFEST),
        ("lease-guard.toml", RULES),
        ("src/lib.rs", "pub mod watch;\n"),
        ("src/watch.rs", watch),
    ]);
    // The first run writes a lock, and says so.
    offline(&workspace.path(), &[]);
    workspace
}

/// The lines that the README tells users to write into a test.
fn lines() -> String {
    let readme = fs::read_to_string(project().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("```rust\n").expect("the README shows a test");
    rest.split_once("```").expect("the end of the test").0.to_owned()
}

/// The library that these tests were linked with, and the folder of what it was linked with.
fn library() -> (PathBuf, PathBuf) {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let ours = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("liblease_guard-") && name.ends_with(".rlib")
    };
    let all = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(ours);
    let newest = all.max_by_key(|path| path.metadata().unwrap().modified().unwrap());
    (newest.expect("the library stands beside its tests"), folder)
}

/// Compiles the test as one of the package in this folder.
fn compiled(root: &Path) -> PathBuf {
    let (library, dependencies) = library();
    let source = root.join("tests/lease_guard.rs");
    super::workspace::write(&source, lines());
    let test = root.join("lease_guard_test");
    let said = run(scrubbed("rustc")
        .args(["--edition=2024", "--test", "-Cdebuginfo=0"])
        .arg(format!("--extern=lease_guard={}", library.display()))
        .arg(format!("-Ldependency={}", dependencies.display()))
        .arg("-o")
        .args([&test, &source])
        .env("CARGO_MANIFEST_DIR", root)
        .current_dir(root));
    assert_eq!(said.code, Some(0), "{said:?}");
    test
}

fn ran(test: &Path, root: &Path) -> Said {
    run(scrubbed(test).current_dir(root).env("CARGO_NET_OFFLINE", "true"))
}

#[test]
fn the_test_of_the_readme_fails_with_the_screen_of_a_check_and_passes_when_clean() {
    let workspace = ferry(OFFENDS);
    let root = workspace.path();
    let test = compiled(&root);
    let failed = ran(&test, &root);
    assert_eq!(failed.code, Some(101), "{failed:?}");
    let screen = offline(&root, &["--color", "never"]).stdout;
    assert!(screen.contains("src/watch.rs:2:5"), "{screen}");
    assert!(failed.stdout.contains(&screen), "not in it:\n{screen}\n{}", failed.stdout);

    let workspace = workspace.file("src/watch.rs", CLEAN);
    let passed = ran(&test, &root);
    assert_eq!(passed.code, Some(0), "{passed:?}");

    // What cannot be looked at never passes.
    let _workspace = workspace.file("lease-guard.toml", "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::wach\"]\n");
    let lost = ran(&test, &root);
    assert_eq!(lost.code, Some(101), "{lost:?}");
    assert!(lost.stdout.contains("ferry::wach"), "{lost:?}");
}

#[test]
fn a_guard_writes_every_format_as_the_command_does() {
    let workspace = ferry(OFFENDS);
    let root = workspace.path();
    let folder = camino::Utf8PathBuf::from_path_buf(root.clone()).unwrap();
    let report = lease_guard::Guard::for_manifest_dir(folder).offline().check();
    assert_eq!(report.findings().len(), 1);
    for format in lease_guard::report::FORMATS {
        // The command stands in the workspace, and so writes cargo's paths from there.
        let root = if format.name == "cargo-json" { Path::new("/") } else { &root };
        let manifest = workspace.path().join("Cargo.toml");
        let flags = ["--format", format.name, "--color", "never", "--manifest-path", manifest.to_str().unwrap()];
        let command = offline(root, &flags).stdout;
        assert_eq!(report.render(format.name).unwrap(), command, "{}", format.name);
    }
    assert!(report.render("no-such-format").is_none());
}

#[test]
fn the_library_alone_brings_no_command_line() {
    let tree = run(Command::new(env!("CARGO"))
        .args([
            "tree",
            "--locked",
            "--offline",
            "--edges=normal",
            "--prefix=none",
            "--format={p}",
            "--no-default-features",
        ])
        .current_dir(project()));
    assert_eq!(tree.code, Some(0), "{tree:?}");
    let names: std::collections::BTreeSet<&str> =
        tree.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains("syn") && names.len() > 20, "{names:?}");
    let command_line = ["anstream", "anyhow", "clap", "clap_complete", "clap_mangen", "dugong", "textwrap"];
    for name in command_line {
        assert!(!names.contains(name), "the library alone links {name}");
    }
}
