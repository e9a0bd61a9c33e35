//! The shared corpus: workspaces that smuggle, and workspaces that only look like it.
//!
//! It lies beside the project (`../shared/corpus`, or where `LEASE_GUARD_CORPUS` says) and is not part
//! of it. Cases that wait for a later floor are listed in `pending.txt`, with what they wait for. The
//! list can only shrink: one that passes must be taken off, and even a pending case may neither panic
//! nor hang.

use std::{collections::BTreeMap, path::PathBuf};

use rayon::prelude::*;

use super::{
    case::Case,
    fixtures, gate,
    judge::judge,
    workspace::{Workspace, project},
};

const PENDING: &str = include_str!("pending.txt");

#[test]
fn every_case_of_the_corpus_is_judged_as_it_expects() {
    let folder = std::env::var_os("LEASE_GUARD_CORPUS").map_or(project().join("../shared/corpus"), PathBuf::from);
    let (cases, stubs) = (folder.join("cases"), folder.join("stubs"));
    if !cases.is_dir() {
        // `fixtures` runs the project's own cases; without them nothing would have been tested at all.
        assert!(!fixtures::cases().is_empty(), "there is neither {} nor a case in fixtures/cases", cases.display());
        println!("{} is not there: the project's own cases are all that is judged", cases.display());
        return;
    }
    let cases = Case::folder(&cases);
    assert!(!cases.is_empty(), "{} holds no case", folder.display());
    let pending = pending();
    let unknown: Vec<_> = pending.keys().filter(|name| cases.iter().all(|case| case.name != **name)).collect();
    assert!(unknown.is_empty(), "pending.txt names cases that do not exist: {unknown:?}");

    let answers: Vec<_> = cases.par_iter().map(|case| (case, run(case, &stubs))).collect();
    let mut wrong = Vec::new();
    let mut waiting = 0;
    for (case, answer) in &answers {
        match (answer, pending.get(case.name.as_str())) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) => wrong.push(format!("{}: passes now; take it off tests/it/pending.txt", case.name)),
            (Err(why), Some(_)) if !is_crash(why) => waiting += 1,
            (Err(why), _) => wrong.push(format!("{}: {why}", case.name)),
        }
    }
    println!("corpus: {} cases, {} wrong, {waiting} waiting for a later floor", cases.len(), wrong.len());
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn run(case: &Case, stubs: &std::path::Path) -> Result<(), String> {
    let stubs = stubs.canonicalize().map_err(|e| format!("{}: {e}", stubs.display()))?;
    let workspace = Workspace::with(&case.files).stubs(&stubs);
    judge(case, &gate::json(&workspace.path()))
}

fn is_crash(why: &str) -> bool {
    why.starts_with("panicked") || why.starts_with("ended without")
}

/// Names of cases, with what each waits for.
fn pending() -> BTreeMap<&'static str, &'static str> {
    let lines = PENDING.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(char::is_whitespace).expect("a case and what it waits for")).collect()
}
