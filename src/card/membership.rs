//! Decisions that act like the lease and stand beside it: who is drained, which replica serves, who is ready.
//!
//! They are found by their names, for nothing else tells them from other functions. What they reach is then followed
//! like a lease path of its own.

use super::rows::CLIENT_LINTS;
use crate::{
    base::Span,
    finding::{Finding, Problem},
    lints::{Sql, judge_lease},
    project::{Manifests, graph::Graph},
    reach::{Selection, Target, Walks},
    resolve::ItemId,
    run::{LeaseView, Prepared, followed},
    types::Reader,
};

/// Words of function names that speak of membership. `ready` alone is not among them: every poll has it.
pub(super) const WORDS: [&str; 16] = [
    "drain",
    "draining",
    "undrain",
    "evict",
    "eviction",
    "failover",
    "membership",
    "promote",
    "demote",
    "quorum",
    "readiness",
    "readyz",
    "rebalance",
    "replica",
    "replicas",
    "stepdown",
];

/// What was found.
pub(super) struct Beside {
    /// Those on the lease path, with their places.
    pub on_path: Vec<(String, Span)>,
    /// Those beside it.
    pub off_path: Vec<(String, Span)>,
    /// What those beside it reach that a lease path may not.
    pub findings: Vec<Finding>,
}

/// Looks for such decisions in the packages that are linked together with the lease's.
pub(super) fn beside(
    prepared: &Prepared,
    reader: &mut Reader<'_>,
    (manifests, graph): (&Manifests<'_>, &Graph<'_>),
    view: &LeaseView,
) -> Result<Beside, Vec<Problem>> {
    let is_linked =
        |package| view.packages.iter().any(|&of| of == package || graph.linked_together(of, package).unwrap_or(true));
    let found: Vec<ItemId> = reader
        .functions_with(&WORDS)
        .into_iter()
        .filter(|&item| is_linked(reader.package_of(reader.module_of(item))))
        .collect();
    let is_on_path = |item: &ItemId| {
        view.reached.nodes.iter().any(|node| match node.target {
            Target::Item(of) | Target::Default(of, _) => of == *item,
            _ => false,
        })
    };
    let (on_path, off_path): (Vec<ItemId>, Vec<ItemId>) = found.into_iter().partition(is_on_path);
    let shown = |reader: &Reader<'_>, items: &[ItemId]| {
        items.iter().map(|&item| (reader.item_path(item), reader.item(item).name_span)).collect::<Vec<_>>()
    };
    let findings = match off_path.as_slice() {
        [] => Vec::new(),
        items => judged(prepared, reader, (manifests, graph), view, items)?,
    };
    Ok(Beside { on_path: shown(reader, &on_path), off_path: shown(reader, &off_path), findings })
}

fn judged(
    prepared: &Prepared,
    reader: &mut Reader<'_>,
    (manifests, graph): (&Manifests<'_>, &Graph<'_>),
    view: &LeaseView,
    items: &[ItemId],
) -> Result<Vec<Finding>, Vec<Problem>> {
    let selection = Selection {
        targets: items.iter().map(|&item| Target::Item(item)).collect(),
        items: items.iter().copied().collect(),
        files: items.iter().map(|&item| reader.item(item).span.file).collect(),
        coordinators: view.selection.coordinators.clone(),
        workloads: view.selection.workloads.clone(),
        ..Selection::default()
    };
    let coordinators = view.coordinators.clone();
    let followed = followed(prepared, reader, graph, &mut Walks::new(), (view.lease, coordinators, selection))?;
    let sql = Sql::default();
    let case = followed.case(prepared, reader, manifests, prepared.text.has_graph.then_some(graph), &sql);
    let findings = judge_lease(&case, &prepared.levels).map_err(|problem| vec![problem])?;
    Ok(findings.into_iter().filter(|finding| CLIENT_LINTS.contains(&finding.lint)).collect())
}
