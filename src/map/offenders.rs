//! Findings, each with the item that it stands in.

use std::collections::HashMap;

use super::{
    gather::{Drawn, holds, place},
    model::{Hop, Map, Offender, Standing, Subject},
};
use crate::{
    base::Span,
    finding::{Finding, Level, Report},
    reach::{NodeId, Trail},
    run::Prepared,
    types::Reader,
};

/// Adds the findings of a check, the denied first.
pub(super) fn add(map: &mut Map, prepared: &Prepared, reader: &Reader<'_>, drawn: &[Drawn<'_>], report: &Report) {
    let standing = report.findings.iter().map(|finding| match finding.level {
        Level::Deny => (finding, Standing::Denied),
        _ => (finding, Standing::Warned),
    });
    let forgiven = report.forgiven.iter().map(|(finding, _)| (finding, Standing::Forgiven));
    let mut all: Vec<(&Finding, Standing)> = standing.chain(forgiven).collect();
    // Within a standing, in the order of the report.
    all.sort_by_key(|(_, standing)| *standing);
    let by_path: HashMap<String, usize> =
        map.items.iter().enumerate().rev().map(|(number, item)| (item.path.clone(), number)).collect();
    for (finding, standing) in all {
        let lease = map.leases.iter().position(|lease| lease.name == finding.lease);
        let node = lease.and_then(|lease| node(reader, &drawn[lease], finding));
        let mut route = route(prepared, finding, &by_path);
        let mut item = None;
        if let (Some(lease), Some(node)) = (lease, node) {
            item = drawn[lease].item_of[node];
            sharpen(map, lease, drawn[lease].station_of[node], &mut route);
        }
        let item = item.or_else(|| route.iter().rev().find_map(|(_, item)| *item));
        let subject = lease.map(|_| {
            let subject = Subject { lint: finding.lint, name: finding.subject.clone(), standing };
            map.subjects.iter().position(|known| *known == subject).unwrap_or_else(|| {
                map.subjects.push(subject);
                map.subjects.len() - 1
            })
        });
        map.offenders.push(Offender {
            lint: finding.lint,
            standing,
            lease,
            subject,
            message: finding.message.clone(),
            help: finding.help.clone(),
            place: place(&prepared.files, finding.primary),
            label: finding.label.clone(),
            item,
            route,
            chain: finding.chain.iter().map(|link| format!("{} {}", link.package, link.version)).collect(),
        });
    }
}

/// The node that a finding was made at: what stands at its place, by the route that it tells.
fn node(reader: &Reader<'_>, drawn: &Drawn<'_>, finding: &Finding) -> Option<NodeId> {
    let view = drawn.view;
    let trail = Trail { reader, selection: &view.selection, reached: &view.reached };
    let mut best: Option<(bool, u32, NodeId)> = None;
    for (id, node) in view.reached.nodes.iter().enumerate() {
        let width = |span: Span| span.end - span.start;
        let around = node.events.iter().filter(|event| holds(event.span, finding.primary));
        let Some(width) = around.map(|event| width(event.span)).min() else { continue };
        let elsewhere = !finding.route.starts_with(&trail.route(id));
        best = best.min(Some((elsewhere, width, id))).or(Some((elsewhere, width, id)));
    }
    best.map(|(.., id)| id)
}

/// The hops as the finding tells them; the items by their paths.
fn route(prepared: &Prepared, finding: &Finding, by_path: &HashMap<String, usize>) -> Vec<(Hop, Option<usize>)> {
    let hops = finding.route.iter().map(|hop| {
        // A field's hop is called after the field; its item is the type.
        let owner = hop.item.rsplit_once("::").map(|(owner, _)| owner);
        let item = by_path.get(&hop.item).or_else(|| owner.and_then(|owner| by_path.get(owner))).copied();
        let hop = Hop {
            kind: hop.kind,
            certainty: hop.certainty,
            name: hop.item.clone(),
            place: place(&prepared.files, hop.place),
        };
        (hop, item)
    });
    hops.collect()
}

/// Takes the items of a route from the stations that it passes, which know them for sure.
fn sharpen(map: &Map, lease: usize, station: Option<usize>, route: &mut [(Hop, Option<usize>)]) {
    let stations = &map.leases[lease].stations;
    let mut passed = Vec::new();
    let mut at = station;
    while let Some(station) = at.and_then(|at| stations.get(at)) {
        passed.extend(station.hop.is_some().then_some(station.item));
        at = station.from;
    }
    for (hop, item) in route.iter_mut().zip(passed.into_iter().rev()) {
        hop.1 = Some(item);
    }
}
