//! The trees of each lease, and what its path names in them.

use std::collections::BTreeSet;

use crate::{
    config::Lease,
    finding::Problem,
    project::{
        DependencyKind, Manifests, PackageId,
        graph::{ChainRules, Graph, Tree},
        same_name,
    },
    reach::{EventKind, Walks},
    resolve::OutsideCrate,
    run::{LeaseView, Prepared, reader, view},
    types::Reader,
};

/// What one lease links.
#[derive(Debug)]
pub(super) struct Forest {
    /// Its number in the rules.
    pub(super) lease: usize,
    /// For each of its packages: the trees of the builds that link it, one if they agree.
    pub(super) packages: Vec<(PackageId, Vec<Tree>)>,
    /// Which package's code on the path names which crate.
    pub(super) named: BTreeSet<(PackageId, PackageId)>,
}

/// The trees of the leases that were asked for.
pub(super) fn forests(prepared: &Prepared) -> Result<Vec<Forest>, Vec<Problem>> {
    let manifests = Manifests::new(&prepared.files, &prepared.workspace);
    let graph = Graph::new(&prepared.workspace, &manifests, &prepared.text, &prepared.cargo);
    let mut reader = reader(prepared);
    let mut walks = Walks::new();
    let (mut forests, mut problems) = (Vec::new(), Vec::new());
    for &number in &prepared.leases {
        let forest = view(prepared, &mut reader, &graph, &mut walks, number)
            .and_then(|view| forest(prepared, &reader, &graph, &view));
        match forest {
            Ok(forest) => forests.push(forest),
            Err(more) => problems.extend(more),
        }
    }
    if problems.is_empty() { Ok(forests) } else { Err(problems) }
}

fn forest(
    prepared: &Prepared,
    reader: &Reader<'_>,
    graph: &Graph<'_>,
    view: &LeaseView,
) -> Result<Forest, Vec<Problem>> {
    let (lease, in_force) = (&prepared.rules.leases[view.lease], &prepared.in_force);
    let is_coordinator = |package: &str| lease.coordinator_line(&prepared.packs, package).is_some();
    let rules = ChainRules {
        counts: &|package, features| in_force.counts_in_chain(package, features) && !is_coordinator(package),
        serves: &|package, dependency| in_force.only_serves(package, dependency),
        cut: &is_coordinator,
    };
    let mut packages = Vec::new();
    for &package in &view.packages {
        let trees = graph.trees(package, rules).map_err(|error| vec![error.problem()])?;
        packages.push((package, trees));
    }
    Ok(Forest { lease: view.lease, packages, named: named(prepared, reader, lease, view) })
}

/// What code on the path names, and what the manifests of a lease given as packages name.
fn named(
    prepared: &Prepared,
    reader: &Reader<'_>,
    lease: &Lease,
    view: &LeaseView,
) -> BTreeSet<(PackageId, PackageId)> {
    let mut named = BTreeSet::new();
    // What a local coordinator names is its own business.
    for node in view.reached.nodes.iter().filter(|node| node.behind.is_none()) {
        for event in node.events.iter() {
            let package = match &event.kind {
                EventKind::Outside { path, .. } => match &path.krate {
                    OutsideCrate::Package(_, Some(package)) => *package,
                    _ => continue,
                },
                EventKind::LocalCrate { package, .. } => *package,
                _ => continue,
            };
            named.insert((reader.package_of(node.module), package));
        }
    }
    let given = |name: &str| lease.packages.iter().any(|written| same_name(&written.value, name));
    for (id, package) in prepared.workspace.local().filter(|(_, package)| given(&package.name)) {
        let normal = package.dependencies.iter().filter(|dependency| dependency.kind == DependencyKind::Normal);
        named.extend(normal.filter_map(|dependency| dependency.resolved).map(|dependency| (id, dependency)));
    }
    named
}
