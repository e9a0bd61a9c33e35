//! What the code of a lease names: its coordinators, and who hands it code to run.

use std::collections::BTreeMap;

use super::search::Candidate;
use crate::{
    base::{FileId, Files, Span, Spanned},
    config::{self, Packs},
    finding::Problem,
    reach::{Event, EventKind, Selection, Walks, follow, select, walk},
    resolve::{ItemId, OutsideCrate},
    source::{Generics, ItemKind, PatKind, TypeIx},
    types::Reader,
};

/// The most workloads that are told of one lease.
const MOST_WORKLOADS: usize = 4;

/// A lease as it will be written.
#[derive(Clone, Debug)]
pub(super) struct Lease {
    /// Its name.
    pub(super) name: String,
    /// Its package.
    pub(super) package: String,
    /// Its modules and items, the best first.
    pub(super) code: Vec<Candidate>,
    /// The coordinators that this code names.
    pub(super) coordinators: Vec<Named>,
    /// Those that only code which it reaches names.
    pub(super) behind: Vec<Named>,
    /// Parameters by which callers hand it code.
    pub(super) workloads: Vec<String>,
}

/// A package that the packs know as a coordinator, and where it is named first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// Its name.
    pub(super) package: String,
    /// What is spoken to through it.
    pub(super) why: String,
    /// `file:line`.
    pub(super) place: String,
}

/// Looks at the code of one package's lease. What cannot be selected, for it does not parse, is
/// handed back with the reason.
pub(super) fn look(
    reader: &mut Reader<'_>,
    packs: &Packs,
    name: String,
    code: Vec<Candidate>,
) -> (Option<Lease>, Vec<(Candidate, String)>) {
    let at = reader.files.add(&reader.files.root().join("the rules to be written"), String::new());
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for candidate in code {
        match selected(reader, at, &[&candidate]) {
            Ok(_) => good.push(candidate),
            Err(problems) => {
                let why = problems.into_iter().next().map_or_else(String::new, |problem| problem.message);
                bad.push((candidate, why));
            }
        }
    }
    let all: Vec<&Candidate> = good.iter().collect();
    let Ok(selection) = selected(reader, at, &all) else { return (None, bad) };
    let Some(first) = good.first() else { return (None, bad) };
    let package = reader.workspace.package(first.package).name.clone();
    let mut own: Vec<Event> = Vec::new();
    for target in &selection.targets {
        own.extend(walk(reader, target));
    }
    let reached = follow(reader, &selection, &|_| true, &mut Walks::new());
    let further = reached.nodes.iter().filter(|node| node.step.is_some()).flat_map(|node| node.events.iter());
    let coordinators = named(reader.files, packs, own.iter());
    let mut behind = named(reader.files, packs, further);
    behind.retain(|one| {
        let known = |named: &Named| named.package == one.package || packs.is_companion(&named.package, &one.package);
        !coordinators.iter().any(known)
    });
    let workloads = workloads(reader, &selection);
    (Some(Lease { name, package, code: good, coordinators, behind, workloads }), bad)
}

fn selected(reader: &mut Reader<'_>, at: FileId, code: &[&Candidate]) -> Result<Selection, Vec<Problem>> {
    let span = Span { file: at, start: 0, end: 0 };
    let written = |value: &str| Spanned { value: value.to_owned(), span };
    let lease = config::Lease {
        name: written("lease"),
        modules: code.iter().map(|candidate| written(&candidate.path)).collect(),
        files: Vec::new(),
        packages: Vec::new(),
        coordinators: Vec::new(),
        workloads: Vec::new(),
        fence_rule: None,
        fence: None,
        timing: None,
        drill: None,
        span,
    };
    select(reader, &lease, &[])
}

/// The coordinators that some code names, without those that come with another of them.
fn named<'e>(files: &Files, packs: &Packs, events: impl Iterator<Item = &'e Event>) -> Vec<Named> {
    let mut places: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for event in events {
        if let EventKind::Outside { path, .. } = &event.kind
            && let OutsideCrate::Package(name, _) = &path.krate
            && packs.coordinator(name).is_some()
            && packs.client_pack(name).is_none()
        {
            places.entry(name.to_string()).or_default().push(event.span);
        }
    }
    let mut found: Vec<(String, Vec<Span>)> = places.into_iter().collect();
    found.sort_by(|(a, at_a), (b, at_b)| at_b.len().cmp(&at_a.len()).then_with(|| a.cmp(b)));
    let mut out: Vec<Named> = Vec::new();
    for (package, spans) in found {
        if out.iter().any(|known| packs.is_companion(&known.package, &package)) {
            continue;
        }
        let Some(first) = spans.into_iter().min_by_key(|span| files.order(*span)) else { continue };
        let why = packs.coordinator(&package).map(|known| known.why.clone()).unwrap_or_default();
        let file = files.get(first.file);
        let place = format!("{}:{}", file.path, file.line_column(first.start).line);
        out.push(Named { package, why, place });
    }
    out
}

/// Parameters of the lease's functions that take code.
fn workloads(reader: &Reader<'_>, selection: &Selection) -> Vec<String> {
    let mut found = Vec::new();
    for &item in &selection.items {
        let facts = reader.facts_of(item);
        let fact = &facts[reader.item_ix(item)];
        let ItemKind::Fn(function) = &fact.kind else { continue };
        for param in &function.params {
            let PatKind::Name(name, None) = &facts[param.pat].kind else { continue };
            let written = reader.files.text(facts[param.of].span);
            if takes_code(&written) || bounds_of(reader, item, &fact.generics, &written).iter().any(|b| takes_code(b)) {
                found.push(format!("{}::{name}", reader.item_path(item)));
            }
        }
    }
    found.sort();
    found.dedup();
    found.truncate(MOST_WORKLOADS);
    found
}

fn takes_code(written: &str) -> bool {
    ["Fn(", "FnMut(", "FnOnce(", "Future<"].iter().any(|word| written.contains(word))
}

/// The bounds of a type parameter, as written.
fn bounds_of(reader: &Reader<'_>, item: ItemId, generics: &Generics, name: &str) -> Vec<String> {
    let facts = reader.facts_of(item);
    let text = |&ty: &TypeIx| reader.files.text(facts[ty].span);
    let of_params = generics.params.iter().filter(|param| *param.name == *name).flat_map(|param| &param.bounds);
    let of_wheres = generics.wheres.iter().filter(|(of, _)| text(of) == name).flat_map(|(_, bounds)| bounds);
    of_params.chain(of_wheres).map(text).collect()
}
