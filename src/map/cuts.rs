//! Coordinators and workloads, and the items whose routes end at them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    gather::{Drawn, place},
    model::{Place, Stop, StopKind},
};
use crate::{
    base::Span,
    project::same_name,
    reach::{EventKind, Target},
    resolve::OutsideCrate,
    run::{LeaseView, Prepared},
};

/// The stops of all leases, each once, and the numbers by which a lease's view knows them.
#[derive(Debug, Default)]
pub(super) struct Stops {
    list: Vec<(StopKind, String)>,
    /// By lease: the stop of each of its local coordinators, of each package, of each workload.
    of_lease: Vec<[Vec<usize>; 3]>,
}

impl Stops {
    /// Those of the leases that were looked at.
    pub(super) fn of(prepared: &Prepared, views: &[LeaseView]) -> Self {
        let mut stops = Self::default();
        for view in views {
            let written = |at: &usize| prepared.rules.leases[view.lease].coordinators[*at].value.clone();
            let local = view.coordinators.local.iter().map(written);
            let local = local.map(|name| stops.number(StopKind::Coordinator, name)).collect();
            let packages = view.coordinators.packages.iter().map(written);
            let packages = packages.map(|name| stops.number(StopKind::Coordinator, name)).collect();
            let workloads = view.selection.workloads.iter().map(|workload| workload.written.value.clone());
            let workloads = workloads.map(|name| stops.number(StopKind::Workload, name)).collect();
            stops.of_lease.push([local, packages, workloads]);
        }
        stops
    }

    /// The stop of a lease's local coordinator.
    pub(super) fn local(&self, lease: usize, coordinator: usize) -> Option<usize> {
        self.of_lease.get(lease)?[0].get(coordinator).copied()
    }

    fn number(&mut self, kind: StopKind, name: String) -> usize {
        let entry = (kind, name);
        self.list.iter().position(|known| *known == entry).unwrap_or_else(|| {
            self.list.push(entry);
            self.list.len() - 1
        })
    }
}

/// The stops, with what they cut.
pub(super) fn stops(prepared: &Prepared, drawn: &[Drawn<'_>], stops: Stops) -> Vec<Stop> {
    let mut cuts: BTreeMap<usize, BTreeMap<usize, Place>> = BTreeMap::new();
    let mut cut = |stop: usize, item: usize, span: Span| {
        let place = place(&prepared.files, span);
        let known = cuts.entry(stop).or_default().entry(item).or_insert_with(|| place.clone());
        if place < *known {
            *known = place;
        }
    };
    for (one, of_lease) in drawn.iter().zip(&stops.of_lease) {
        let [local, packages, workloads] = of_lease;
        let reached = &one.view.reached;
        let mut at: HashMap<Span, BTreeSet<usize>> = HashMap::new();
        for (node, item) in reached.nodes.iter().zip(&one.item_of) {
            let Some(item) = *item else { continue };
            for event in node.events.iter() {
                at.entry(event.span).or_default().insert(item);
                let EventKind::Outside { path, .. } = &event.kind else { continue };
                let OutsideCrate::Package(named, _) = &path.krate else { continue };
                if matches!(node.target, Target::Import(_)) {
                    continue;
                }
                for &stop in packages {
                    let written = &stops.list[stop].1;
                    if same_name(named, written) || prepared.packs.is_companion(written, named) {
                        cut(stop, item, event.span);
                    }
                }
            }
        }
        let ends = |numbers: &[usize], places: &BTreeMap<usize, BTreeSet<Span>>| {
            let ends = places.iter().filter_map(|(index, spans)| Some((*numbers.get(*index)?, spans.clone())));
            ends.collect::<Vec<_>>()
        };
        for (stop, spans) in
            ends(local, &reached.coordinator_cuts).into_iter().chain(ends(workloads, &reached.workload_cuts))
        {
            for span in spans {
                for &item in at.get(&span).into_iter().flatten() {
                    cut(stop, item, span);
                }
            }
        }
    }
    let list = stops.list.into_iter().enumerate();
    list.map(|(number, (kind, name))| Stop {
        kind,
        name,
        cuts: cuts.remove(&number).unwrap_or_default().into_iter().collect(),
    })
    .collect()
}
