//! From candidates to leases: what is taken, what is only told.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    search::Candidate,
    signs::{Strength, Sure, name_strength},
};
use crate::{project::PackageId, resolve::ModuleId, types::Reader};

/// The most modules of one package that are taken, and that are told besides. A package that is a
/// database has dozens, and nobody reads a list that long.
const MOST: usize = 8;

/// What is taken and what is told.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// By package, the best first.
    pub(super) leases: BTreeMap<PackageId, Vec<Candidate>>,
    /// The rest that is worth a look, the best first.
    pub(super) unsure: Vec<Candidate>,
}

/// Chooses.
pub(super) fn choose(reader: &Reader<'_>, candidates: Vec<Candidate>) -> Chosen {
    // A package outside of the workspace has rules of its own.
    let member = |candidate: &Candidate| reader.workspace.package(candidate.package).member;
    // Where nothing is sure, a name that says it is better than an empty hand.
    let by_name = !candidates.iter().any(|candidate| candidate.sure == Sure::Yes && member(candidate));
    let (sure, mut unsure): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|candidate| {
        let named = by_name && candidate.name.0 == Strength::Strong && candidate.seen.speaks();
        member(candidate) && (candidate.sure == Sure::Yes || named)
    });
    let mut by_package: BTreeMap<PackageId, BTreeMap<String, Candidate>> = BTreeMap::new();
    for candidate in sure {
        let candidate = widened(reader, candidate);
        let chosen = by_package.entry(candidate.package).or_default();
        match chosen.get_mut(&candidate.path) {
            Some(known) => known.seen.join(&candidate.seen),
            None => drop(chosen.insert(candidate.path.clone(), candidate)),
        }
    }
    let mut chosen = Chosen::default();
    for (package, candidates) in by_package {
        let paths: BTreeSet<String> = candidates.keys().cloned().collect();
        let mut best: Vec<Candidate> =
            candidates.into_values().filter(|candidate| !has_outer(&paths, &candidate.path)).collect();
        best.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
        unsure.extend(best.split_off(best.len().min(MOST)));
        chosen.leases.insert(package, best);
    }
    let taken: BTreeSet<String> = chosen.leases.values().flatten().map(|candidate| candidate.path.clone()).collect();
    unsure.retain(|candidate| !taken.contains(&candidate.path) && !has_outer(&taken, &candidate.path));
    unsure.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    unsure.truncate(MOST);
    chosen.unsure = unsure;
    chosen
}

/// The outermost module around a candidate whose own name says lease: `orders::lease` for
/// `orders::lease::store`.
fn widened(reader: &Reader<'_>, candidate: Candidate) -> Candidate {
    if candidate.item {
        return candidate;
    }
    let mut wider = candidate.module;
    let mut at = Some(candidate.module);
    while let Some(id) = at {
        let module = reader.module(id);
        if module.parent.is_some() && name_strength(&module.name).0 == Strength::Strong {
            wider = id;
        }
        at = module.parent;
    }
    if wider == candidate.module {
        return candidate;
    }
    let file = file_of(reader, wider).unwrap_or_else(|| candidate.file.clone());
    Candidate { path: reader.module_path(wider), module: wider, file, ..candidate }
}

fn file_of(reader: &Reader<'_>, module: ModuleId) -> Option<String> {
    reader.module(module).file().map(|path| reader.files.shown(path))
}

/// Whether a path lies below one of the others.
fn has_outer(paths: &BTreeSet<String>, path: &str) -> bool {
    let mut rest = path;
    while let Some((outer, _)) = rest.rsplit_once("::") {
        if paths.contains(outer) {
            return true;
        }
        rest = outer;
    }
    false
}
