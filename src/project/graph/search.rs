//! The ways from a named crate to forbidden ones, within one build.
//!
//! An edge is there if the build has it. What it asks for follows the way, feature by feature: the
//! named crate is asked for what its user's manifest says, that makes it ask its own dependencies for
//! something, and so on. An edge that the way itself does not switch on but the build does (another
//! crate of the build asks for the feature) is taken with all the features that the build has on.
//!
//! The search is broad, so that the first way to a package is a shortest one, and among those the
//! first by name. It is fast where there is nothing: the features are followed only if a plain walk
//! finds a forbidden crate at all, and only through packages that lead to one.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    sync::Arc,
};

use super::{
    Graph,
    build::{Build, FeatureNames},
};
use crate::project::{PackageId, ProjectError};

/// What is looked for. Packages are given by the names in their manifests.
#[derive(Clone, Copy)]
pub struct ChainRules<'a> {
    /// Whether a package counts as forbidden when the chain asks it for these features; `default` is
    /// among them where the default features are not turned off, whether or not the package has any.
    /// More features must never make less of it.
    pub counts: &'a dyn Fn(&str, &BTreeSet<String>) -> bool,
    /// Whether a package only serves, so that what it asks of another counts for nothing.
    pub serves: &'a dyn Fn(&str, &str) -> bool,
    /// Whether a package is a coordinator or the companion of one: what it pulls in is its own business.
    pub cut: &'a dyn Fn(&str) -> bool,
}

/// One way: from the named crate to the first forbidden one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// The packages, with the features that are on in each as far as the way asks for them.
    pub(super) steps: Vec<(PackageId, FeatureNames)>,
    /// The packages behind the named one that pull the last one in, that of the way among them.
    pub(super) parents: BTreeSet<PackageId>,
}

impl Way {
    /// The forbidden crate.
    pub(super) fn subject(&self) -> Option<PackageId> {
        self.steps.last().map(|(package, _)| *package)
    }
}

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// The first way to each forbidden crate, by length and names.
    pub(super) ways: Vec<Way>,
    /// The coordinators that ended other ways.
    pub(super) cut_at: BTreeSet<PackageId>,
}

struct State {
    package: PackageId,
    features: FeatureNames,
    parent: Option<usize>,
}

/// Looks for the ways in one build from `named`, as `user` asks for it.
///
/// # Errors
/// Where the resolver does not understand the metadata.
pub(super) fn search(
    graph: &Graph<'_>,
    build: &Build,
    rules: ChainRules<'_>,
    user: PackageId,
    named: PackageId,
) -> Result<Ways, ProjectError> {
    let mut found = Ways::default();
    if !build.has_link(user, named) {
        return Ok(found);
    }
    let walk = walk(graph, build, rules, named);
    found.cut_at = walk.cut_at;
    if walk.forbidden.is_empty() {
        return Ok(found);
    }
    let leading = leading(&walk.edges, &walk.forbidden);

    let start = step(graph, build, rules, user, &build.features_of(user), named)?;
    let mut states = vec![State { package: named, features: start, parent: None }];
    let mut seen: HashMap<PackageId, Vec<FeatureNames>> =
        HashMap::from([(named, vec![Arc::clone(&states[0].features)])]);
    let mut queue = VecDeque::from([0]);
    let mut ways: BTreeMap<PackageId, (usize, FeatureNames, BTreeSet<PackageId>)> = BTreeMap::new();
    while let Some(number) = queue.pop_front() {
        let (package, features) = (states[number].package, Arc::clone(&states[number].features));
        for &next in build.links_of(package) {
            if !leading.contains(&next) {
                continue;
            }
            let on = step(graph, build, rules, package, &features, next)?;
            let name = &graph.workspace.package(next).name;
            if walk.forbidden.contains(&next) && (rules.counts)(name, &plain(&on)) {
                ways.entry(next).or_insert_with(|| (number, on, BTreeSet::new())).2.insert(package);
                continue;
            }
            let before = seen.entry(next).or_default();
            if before.iter().any(|before| on.is_subset(before)) {
                continue;
            }
            before.push(Arc::clone(&on));
            states.push(State { package: next, features: on, parent: Some(number) });
            queue.push_back(states.len() - 1);
        }
    }
    let subjects: BTreeSet<PackageId> = ways.keys().copied().collect();
    for (subject, (parent, features, parents)) in ways {
        let mut steps = vec![(subject, features)];
        let mut at = Some(parent);
        while let Some(number) = at {
            let state = &states[number];
            steps.push((state.package, Arc::clone(&state.features)));
            at = state.parent;
        }
        steps.reverse();
        // A crate that counts by one way only (with the features asked for there) stands on others
        // without counting. It is reported, so what lies behind it is not.
        let behind_another = steps[1..steps.len() - 1].iter().any(|(package, _)| subjects.contains(package));
        if !behind_another {
            found.ways.push(Way { steps, parents });
        }
    }
    found.ways.sort_by_key(|way| (way.steps.len(), way.steps.iter().map(|(package, _)| *package).collect::<Vec<_>>()));
    Ok(found)
}

/// The features that are on in `to` as far as `from`, with `features` of its own, asks for them.
pub(super) fn step(
    graph: &Graph<'_>,
    build: &Build,
    rules: ChainRules<'_>,
    from: PackageId,
    features: &BTreeSet<String>,
    to: PackageId,
) -> Result<FeatureNames, ProjectError> {
    let nothing = BTreeSet::new();
    let (asking, asked_one) = (graph.workspace.package(from), graph.workspace.package(to));
    if (rules.serves)(&asking.name, &asked_one.name) {
        return Ok(Arc::clone(&graph.asked(to, &nothing)?.features));
    }
    let mut asked = graph.asked(from, features)?;
    if !asked.of.contains_key(&to) {
        asked = graph.asked(from, &build.features_of(from))?;
    }
    let mut on = Arc::clone(&graph.asked(to, asked.of.get(&to).unwrap_or(&nothing))?.features);
    // The resolver says nothing of default features where there are none.
    if !asked_one.features.contains(DEFAULT) && asks_for_default(graph, from, to) {
        Arc::make_mut(&mut on).insert(DEFAULT.to_owned());
    }
    Ok(on)
}

const DEFAULT: &str = "default";

fn asks_for_default(graph: &Graph<'_>, from: PackageId, to: PackageId) -> bool {
    graph.declarations(from, to).values().any(|declaration| declaration.features.contains(DEFAULT))
}

/// The features that a manifest declares, without the optional dependencies.
fn plain(features: &BTreeSet<String>) -> BTreeSet<String> {
    features.iter().filter(|name| !name.starts_with("dep:")).cloned().collect()
}

#[derive(Default)]
struct Walk {
    /// What counts as forbidden with all the features that the build has on.
    forbidden: BTreeSet<PackageId>,
    cut_at: BTreeSet<PackageId>,
    /// The edges walked, backwards.
    edges: BTreeMap<PackageId, Vec<PackageId>>,
}

/// Everything behind the named crate up to coordinators, whatever is asked for.
fn walk(graph: &Graph<'_>, build: &Build, rules: ChainRules<'_>, named: PackageId) -> Walk {
    let mut walk = Walk::default();
    let mut seen = BTreeSet::from([named]);
    let mut wanted = vec![named];
    while let Some(package) = wanted.pop() {
        for &next in build.links_of(package) {
            let name = &graph.workspace.package(next).name;
            if (rules.cut)(name) {
                walk.cut_at.insert(next);
                continue;
            }
            walk.edges.entry(next).or_default().push(package);
            if seen.insert(next) {
                let mut all = plain(&build.features_of(next));
                all.insert(DEFAULT.to_owned());
                if (rules.counts)(name, &all) {
                    walk.forbidden.insert(next);
                }
                wanted.push(next);
            }
        }
    }
    walk
}

/// The packages from which one of `ends` is reached, the ends among them.
fn leading(backwards: &BTreeMap<PackageId, Vec<PackageId>>, ends: &BTreeSet<PackageId>) -> BTreeSet<PackageId> {
    let mut leading = ends.clone();
    let mut wanted: Vec<PackageId> = ends.iter().copied().collect();
    while let Some(package) = wanted.pop() {
        let before = backwards.get(&package).into_iter().flatten().copied();
        wanted.extend(before.filter(|package| leading.insert(*package)));
    }
    leading
}
