//! The project's own cases: at least one for each lint, and for each that offends one that must not.
//!
//! `fixtures/cases/NAME.case` is in the corpus's format (see `case`). One that expects a finding has a
//! clean twin, `NAME_twin.case`: nearly the same workspace, with nothing to report. The packages that
//! they name are the stand-ins of `fixtures/stubs/packages.txt`.

use std::{collections::BTreeSet, fs, path::PathBuf, sync::LazyLock};

use rayon::prelude::*;
use tempfile::TempDir;

use super::{
    case::{self, Case, Verdict},
    gate,
    judge::judge,
    workspace::{Workspace, project, write},
};

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| Case::folder(&project().join("fixtures/cases")));

/// A folder of stand-ins, as a directory source of cargo; it stays until the tests have ended.
static STUBS: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = TempDir::with_prefix("lease-guard-stubs-").expect("a temporary folder");
    let path = folder.path().canonicalize().expect("the folder is there");
    let text = fs::read_to_string(project().join("fixtures/stubs/packages.txt")).expect("the stand-ins are there");
    for package in text.replace("\r\n", "\n").split("\n== ").skip(1) {
        let (title, body) = package.split_once(" ==\n").expect("`== name version ==`");
        let (name, version) = title.split_once(' ').expect("a name and a version");
        let (manifest, files) = case::split(body);
        let home = path.join(format!("{name}-{version}"));
        let head = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n");
        write(&home.join("Cargo.toml"), format!("{head}{manifest}\n"));
        // cargo wants a checksum file of each package of a directory source, but no file in it.
        write(&home.join(".cargo-checksum.json"), "{\"files\": {}}");
        files.iter().for_each(|(file, text)| write(&home.join(file), text));
    }
    (folder, path)
});

/// The project's own cases.
pub(crate) fn cases() -> &'static [Case] {
    &CASES
}

/// A workspace of these files, with the stand-ins in the registry's place.
pub(crate) fn workspace<P: AsRef<str>, T: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, T)>) -> Workspace {
    Workspace::with(files).stubs(&STUBS.1)
}

#[test]
fn every_own_case_is_judged_as_it_expects() {
    let wrong: Vec<_> = cases()
        .par_iter()
        .filter_map(|case| {
            let said = gate::json(&workspace(&case.files).path());
            judge(case, &said).err().map(|why| format!("{} ({}): {why}", case.name, case.head))
        })
        .collect();
    println!("own cases: {}, {} wrong", cases().len(), wrong.len());
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases().len(), wrong.join("\n"));
}

#[test]
fn every_case_that_offends_has_a_clean_twin() {
    let find = |name: &str| cases().iter().find(|case| case.name == name);
    for case in cases() {
        let reports = case.expect.verdict == Verdict::Offends || !case.expect.findings.is_empty();
        if let Some(original) = case.name.strip_suffix("_twin") {
            assert!(!reports && case.expect.verdict == Verdict::Clean, "{} is a twin and must be clean", case.name);
            let original = find(original).unwrap_or_else(|| panic!("{} is a twin of nothing", case.name));
            let shared = case.files.iter().filter(|&(path, text)| original.files.get(path) == Some(text)).count();
            assert!(shared > 0, "{} has nothing in common with its twin", case.name);
            assert_ne!(case.files, original.files, "{} is its twin", case.name);
        } else if reports {
            assert!(find(&format!("{}_twin", case.name)).is_some(), "{} has no clean twin", case.name);
        }
    }
}

#[test]
fn every_lint_has_a_case() {
    let shown: BTreeSet<_> =
        cases().iter().flat_map(|case| &case.expect.findings).flat_map(|finding| finding.lint.words()).collect();
    let missing: Vec<_> = lease_guard::lints::names().filter(|lint| !shown.contains(lint)).collect();
    assert!(missing.is_empty(), "no case in fixtures/cases expects {missing:?}");
    let unknown: Vec<_> = shown.iter().filter(|lint| lease_guard::lints::find(lint).is_err()).collect();
    assert!(unknown.is_empty(), "cases expect lints that do not exist: {unknown:?}");
}
