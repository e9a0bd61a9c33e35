//! Asks `cargo tree` what a member links, and compares.

use std::{collections::BTreeSet, process::Command};

use camino::Utf8Path;

use crate::{
    base::Files,
    project::{
        Manifests, Workspace,
        cargo::{CargoOptions, MetadataText},
        graph::Graph,
    },
};

/// `name version` of what `cargo tree` lists for a member.
fn cargo_tree(folder: &Utf8Path, member: &str) -> BTreeSet<String> {
    let output = Command::new("cargo")
        .args(["tree", "-e", "normal,no-proc-macro", "--target", "all", "--all-features", "--prefix", "none"])
        .args(["--format", "{p}", "--offline", "-p", member])
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let line = |line: &str| {
        let (name, rest) = line.split_once(" v")?;
        Some(format!("{name} {}", rest.split(' ').next()?))
    };
    text.lines().filter_map(line).collect()
}

/// Compares the package sets of every member that is no procedural macro. Returns how many packages
/// the workspace has.
pub(super) fn agrees(folder: &Utf8Path, text: &MetadataText, what: &str) -> usize {
    let workspace = Workspace::read(text, &|_| None).expect("a workspace");
    let files = Files::new(workspace.root.clone());
    let manifests = Manifests::new(&files, &workspace);
    let graph = Graph::new(&workspace, &manifests, text, &CargoOptions::default());
    let members: Vec<_> = graph.members().collect();
    assert!(!members.is_empty(), "{what}: no member");
    for member in members {
        let package = workspace.package(member);
        let linked = graph.linked(member).expect("a build");
        let ours: BTreeSet<String> = linked
            .into_iter()
            .map(|id| workspace.package(id))
            .map(|package| format!("{} {}", package.name, package.version))
            .collect();
        let theirs = cargo_tree(folder, &format!("{}@{}", package.name, package.version));
        let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>();
        let (more, fewer) = (only(&ours, &theirs), only(&theirs, &ours));
        assert!(
            more.is_empty() && fewer.is_empty(),
            "{what}, member {}: not in cargo tree: {more:?}; missing: {fewer:?}",
            package.name
        );
    }
    workspace.packages.len()
}
