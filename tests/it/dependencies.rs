//! The dependencies: their licences, versions and sources before cargo-deny, and the oldest Rust that they build with.

use std::{collections::BTreeSet, fs};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};

use super::{
    gate::{Said, run},
    tools::validator,
    workspace::{Workspace, project},
};

/// cargo-deny's answer about this project, by these rules.
fn denied(rules: &str) -> Option<Said> {
    let config = Workspace::empty().file("deny.toml", rules);
    let mut deny = validator("cargo-deny")?;
    deny.args(["--offline", "--locked", "--config"]).arg(config.path().join("deny.toml"));
    deny.args(["check", "--deny=unnecessary-skip", "bans", "licenses", "sources"]);
    Some(run(deny.current_dir(project())))
}

#[test]
fn licences_duplicates_and_sources_are_what_deny_toml_allows() {
    let rules = fs::read_to_string(project().join("deny.toml")).unwrap();
    let Some(said) = denied(&rules) else { return };
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let words = said.stdout.clone() + &said.stderr;
    assert!(words.contains("bans ok, licenses ok, sources ok"), "{said:?}");
    for (part, complaint) in [("\"MIT\", ", "rejected"), ("  { crate = \"hashbrown@0.16.1\"", "duplicate")] {
        assert!(rules.contains(part), "{part}");
        let other = if part.starts_with(' ') { "  # {" } else { "" };
        let said = denied(&rules.replacen(part, other, 1)).unwrap();
        assert!(said.code != Some(0) && said.stderr.contains(complaint), "{part}: {said:?}");
    }
}

fn metadata() -> Metadata {
    let mut command = MetadataCommand::new();
    command.manifest_path(project().join("Cargo.toml")).other_options(["--offline", "--locked"].map(String::from));
    command.exec().expect("cargo metadata")
}

/// What the package links on any target, without what only its tests do.
fn linked(metadata: &Metadata) -> BTreeSet<&PackageId> {
    let nodes = &metadata.resolve.as_ref().expect("a graph").nodes;
    let mut seen = BTreeSet::new();
    let mut open = vec![&metadata.root_package().expect("a root").id];
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let node = nodes.iter().find(|node| node.id == *id).expect("a node");
            let is_linked = |dep: &&cargo_metadata::NodeDep| {
                dep.dep_kinds.iter().any(|kind| kind.kind != DependencyKind::Development)
            };
            open.extend(node.deps.iter().filter(is_linked).map(|dep| &dep.pkg));
        }
    }
    seen
}

#[test]
fn no_dependency_needs_a_newer_rust_than_the_one_we_state() {
    let metadata = metadata();
    let ours = metadata.root_package().unwrap().rust_version.clone().expect("Cargo.toml states a rust-version");
    let linked = linked(&metadata);
    assert!(linked.len() > 40, "only {} packages are linked", linked.len());
    let needs_more = |package: &&cargo_metadata::Package| package.rust_version.as_ref().is_some_and(|v| *v > ours);
    let newer: Vec<String> = metadata
        .packages
        .iter()
        .filter(|package| linked.contains(&package.id))
        .filter(needs_more)
        .map(|package| {
            format!("{} {} needs Rust {}", package.name, package.version, package.rust_version.as_ref().unwrap())
        })
        .collect();
    assert!(newer.is_empty(), "Cargo.toml states {ours}:\n{}", newer.join("\n"));
}

#[test]
fn the_oldest_rust_is_stated_alike_wherever_it_is_stated() {
    let ours = metadata().root_package().unwrap().rust_version.clone().unwrap();
    let stated = format!("Rust {}.{} or later", ours.major, ours.minor);
    assert!(fs::read_to_string(project().join("README.md")).unwrap().contains(&stated), "README.md: {stated}");
}
