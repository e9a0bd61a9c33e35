//! Published crates that hold leases, locks and elections, with the verdict of a careful reader.
//!
//! `fixtures/real/NAME.case` holds the package and its version, the rules file that a user would write,
//! what is expected, and at its head how a reader comes to that. Sources come from the registry; where
//! it cannot be reached the test fails, unless `LEASE_GUARD_OFFLINE` is set, and then says so.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use serde_json::Value;
use walkdir::WalkDir;

use super::{
    case::Case,
    gate::{json, scrubbed},
    judge::judge,
    workspace::{Workspace, project, write},
};

#[test]
fn published_crates_get_the_verdict_of_a_careful_reader() {
    if std::env::var_os("LEASE_GUARD_OFFLINE").is_some() {
        println!("LEASE_GUARD_OFFLINE is set: no published crate was looked at");
        return;
    }
    let cases = Case::folder(&project().join("fixtures/real"));
    let packages: BTreeSet<_> = cases.iter().map(package).collect();
    assert!(packages.len() >= 8, "only {} published crates are looked at", packages.len());
    let homes = fetched(&packages);
    let wrong: Vec<_> = cases
        .par_iter()
        .filter_map(|case| {
            let why = answer(case, &homes[&package(case).0]).err()?;
            Some(format!("{}: {why}\n    a reader: {}", case.name, case.head.replace('\n', " ")))
        })
        .collect();
    println!("published crates: {} verdicts on {} packages, {} wrong", cases.len(), packages.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Name and version.
fn package(case: &Case) -> (String, String) {
    let words = case.files["package"].trim();
    let (name, version) = words.split_once(' ').unwrap_or_else(|| panic!("{}: `{words}` has no version", case.name));
    (name.to_owned(), version.to_owned())
}

fn answer(case: &Case, source: &Path) -> Result<(), String> {
    let workspace = Workspace::empty();
    copy(source, &workspace.path());
    // A toolchain that the authors built with need not be installed here; the verdict is not about it.
    for file in ["rust-toolchain", "rust-toolchain.toml"] {
        let _ = fs::remove_file(workspace.path().join(file));
    }
    write(&workspace.path().join("lease-guard.toml"), &case.files["lease-guard.toml"]);
    // All downloads first, so that a slow network is not taken for a slow check.
    cargo(&workspace.path(), &["fetch", "--locked"]);
    judge(case, &json(&workspace.path()))
}

/// Where cargo has unpacked each package (name and version), by name.
pub(crate) fn fetched(packages: &BTreeSet<(String, String)>) -> BTreeMap<String, PathBuf> {
    let scratch = Workspace::empty().file("src/lib.rs", "");
    let mut manifest =
        String::from("[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n");
    for (name, version) in packages {
        manifest += &format!("{name} = {{ version = \"={version}\", default-features = false }}\n");
    }
    write(&scratch.path().join("Cargo.toml"), manifest);
    let metadata: Value =
        serde_json::from_str(&cargo(&scratch.path(), &["metadata", "--format-version", "1"])).unwrap();
    let mut homes = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let word = |key: &str| package[key].as_str().unwrap().to_owned();
        if packages.contains(&(word("name"), word("version"))) {
            homes.insert(word("name"), Path::new(&word("manifest_path")).parent().unwrap().to_owned());
        }
    }
    homes
}

/// What cargo said. Where it fails, no published crate can be had.
pub(crate) fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let output = scrubbed("cargo").args(arguments).current_dir(folder).output().expect("cargo can be started");
    assert!(
        output.status.success(),
        "cargo {}: no published crate can be looked at (LEASE_GUARD_OFFLINE=1 leaves this test out):\n{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Copies a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).unwrap();
        } else if entry.file_type().is_file() {
            // Not `fs::copy`: the registry's files may be read-only, and these must be writable.
            fs::write(&target, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}
