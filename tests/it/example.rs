//! The worked example, `fixtures/order-writer`: where it lies, and copies of it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::workspace::{Workspace, part, project};

/// Its folder. None where there is none: cargo leaves nested packages out of a published crate.
pub(crate) fn example() -> Option<PathBuf> {
    part("fixtures/order-writer/Cargo.toml").map(|manifest| manifest.parent().unwrap().to_owned())
}

/// Where its builds go, and those of its copies: what they depend on is built once.
pub(crate) fn target() -> PathBuf {
    project().join("fixtures/order-writer/target")
}

/// A copy of all that belongs to it.
pub(crate) fn copy(example: &Path) -> Workspace {
    ["Cargo.toml", "Cargo.lock", "lease-guard.toml", "schema.sql", "src", "tests"]
        .iter()
        .fold(Workspace::empty(), |copy, path| copied(copy, example, Path::new(path)))
}

fn copied(workspace: Workspace, from: &Path, path: &Path) -> Workspace {
    let source = from.join(path);
    if source.is_dir() {
        let entries = fs::read_dir(&source).unwrap().map(|entry| path.join(entry.unwrap().file_name()));
        return entries.fold(workspace, |workspace, path| copied(workspace, from, &path));
    }
    workspace.file(path.to_str().unwrap(), fs::read(source).unwrap())
}

/// Builds the tests of the example or a copy, so that a drill of them is a drill and no build.
pub(crate) fn build(folder: &Path, test: &str) {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--locked", "--quiet", "--no-run", "--test", test]);
    let built = cargo.current_dir(folder).env("CARGO_TARGET_DIR", target()).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// The command that runs such tests, without a network.
pub(crate) fn cargo_test(test: &str, arguments: &[&str]) -> Vec<String> {
    let target = format!("CARGO_TARGET_DIR={}", target().display());
    let cargo = ["env", &target, env!("CARGO"), "test", "--locked", "--offline", "--quiet", "--test", test];
    cargo.iter().chain(arguments).map(|word| (*word).to_owned()).collect()
}
