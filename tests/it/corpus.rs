//! The shared corpus: workspaces that smuggle, and workspaces that only look like it.
//!
//! It lies beside the project (`../shared/corpus`, or where `LEASE_GUARD_CORPUS` says) and is not part
//! of it.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{
    case::Case,
    fixtures, gate,
    judge::judge,
    workspace::{Workspace, project},
};

#[test]
fn every_case_of_the_corpus_is_judged_as_it_expects() {
    let named = std::env::var_os("LEASE_GUARD_CORPUS").map(PathBuf::from);
    let is_named = named.is_some();
    let folder = named.unwrap_or_else(|| project().join("../shared/corpus"));
    let (cases, stubs) = (folder.join("cases"), folder.join("stubs"));
    if !cases.is_dir() {
        // It lies beside the project, and so neither beside every checkout nor in the package.
        assert!(!is_named, "LEASE_GUARD_CORPUS names {}, which holds no cases", folder.display());
        // `fixtures` runs the project's own cases; without them nothing would have been tested at all.
        assert!(!fixtures::cases().is_empty(), "there is neither {} nor a case in fixtures/cases", cases.display());
        println!("{} is not there: the project's own cases are all that is judged", cases.display());
        return;
    }
    let cases = Case::folder(&cases);
    assert!(!cases.is_empty(), "{} holds no case", folder.display());
    let judged = cases.par_iter().map(|case| (case, run(case, &stubs)));
    let wrong: Vec<_> = judged.filter_map(|(case, answer)| Some(format!("{}: {}", case.name, answer.err()?))).collect();
    println!("corpus: {} cases, {} wrong", cases.len(), wrong.len());
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn run(case: &Case, stubs: &Path) -> Result<(), String> {
    let stubs = stubs.canonicalize().map_err(|e| format!("{}: {e}", stubs.display()))?;
    let workspace = Workspace::with(&case.files).stubs(&stubs);
    judge(case, &gate::json(&workspace.path()))
}
