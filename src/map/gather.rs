//! From what a check looked at to the graph that is drawn.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{
    cuts::{self, Stops},
    model::{Edge, Hop, Item, Lease, Map, Place, Station},
    offenders,
};
use crate::{
    base::{Files, Span},
    finding::{Certainty, HopKind, Report},
    reach::{EventKind, NodeIndex, Target, Trail},
    resolve::{ImplFor, ItemId, ModuleId},
    run::{LeaseView, Looked, Prepared},
    source::ItemKind,
    types::Reader,
};

/// What a target is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    /// An item; its fields, derives and impl blocks are part of it.
    Item(ItemId),
    /// The closures in an item that are handed in: the item itself need not be on the path.
    Closures(ItemId),
    /// A module's imports.
    Imports(ModuleId),
    /// A file that does not parse.
    File(ModuleId),
}

/// One lease's view, with the number of each node's item.
pub(super) struct Drawn<'v> {
    pub(super) view: &'v LeaseView,
    /// By node: its item; none for an import that leads nowhere.
    pub(super) item_of: Vec<Option<usize>>,
    /// By node: its station.
    pub(super) station_of: Vec<Option<usize>>,
}

/// Draws the graph of all leases that were looked at.
pub fn gather(prepared: &Prepared, looked: Looked<'_, '_>) -> Map {
    let Looked { reader, views, report, .. } = looked;
    let (mut drawn, mut items) = collect(reader, views, &report);
    let stops = Stops::of(prepared, views);
    let mut map = Map::default();
    for (number, one) in drawn.iter_mut().enumerate() {
        let name = prepared.rules.leases[one.view.lease].name.value.clone();
        map.leases.push(Lease { name, stations: stations(reader, one, number, &mut items) });
    }
    behind(&drawn, &stops, &mut items);
    map.items = items;
    map.edges = edges(reader, &drawn);
    map.stops = cuts::stops(prepared, &drawn, stops);
    offenders::add(&mut map, prepared, reader, &drawn, &report);
    map
}

/// A place as the map tells it.
pub(super) fn place(files: &Files, span: Span) -> Place {
    let file = files.get(span.file);
    let (start, end) = (file.line_column(span.start), file.line_column(span.end));
    Place {
        file: file.path.clone(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

/// All items, sorted by path, and which node belongs to which.
fn collect<'v>(reader: &mut Reader<'_>, views: &'v [LeaseView], report: &Report) -> (Vec<Drawn<'v>>, Vec<Item>) {
    let findings = report.findings.iter().chain(report.forgiven.iter().map(|(finding, _)| finding));
    let found: HashSet<Span> = findings.map(|finding| finding.primary).collect();
    let mut keys: BTreeSet<Key> = BTreeSet::new();
    let mut by_node: Vec<Vec<Option<Key>>> = Vec::new();
    for view in views {
        let parents: HashSet<usize> =
            view.reached.nodes.iter().filter_map(|node| node.step.as_ref().map(|step| step.from)).collect();
        let mut of_view = Vec::new();
        for (id, node) in view.reached.nodes.iter().enumerate() {
            let idle = matches!(node.target, Target::Import(_))
                && !parents.contains(&id)
                && !node.events.iter().any(|event| found.contains(&event.span));
            of_view.push((!idle).then(|| key(reader, &node.target)));
        }
        keys.extend(of_view.iter().flatten());
        by_node.push(of_view);
    }
    let mut items: Vec<(Key, Item)> = keys.into_iter().map(|key| (key, item(reader, key))).collect();
    items.sort_by(|(_, a), (_, b)| (&a.path, &a.place, a.kind).cmp(&(&b.path, &b.place, b.kind)));
    let numbers: HashMap<Key, usize> = items.iter().enumerate().map(|(number, (key, _))| (*key, number)).collect();
    let drawn = views.iter().zip(by_node).map(|(view, of_view)| Drawn {
        view,
        item_of: of_view.iter().map(|key| key.and_then(|key| numbers.get(&key).copied())).collect(),
        station_of: vec![None; view.reached.nodes.len()],
    });
    (drawn.collect(), items.into_iter().map(|(_, item)| item).collect())
}

fn key(reader: &mut Reader<'_>, target: &Target) -> Key {
    match *target {
        Target::Item(item) => match reader.item(item).kind {
            ItemKind::Impl { .. } => match reader.impl_for(item) {
                ImplFor::Local(of) => Key::Item(of),
                _ => Key::Item(item),
            },
            _ => Key::Item(item),
        },
        Target::Field(item, ..) | Target::Default(item, _) | Target::Derived(item) | Target::Macro(item, _) => {
            Key::Item(item)
        }
        Target::Piece(item, _) | Target::MadeBy(item) => Key::Closures(item),
        Target::Scanned(module) => Key::File(module),
        Target::Import(by) => Key::Imports(by.module),
    }
}

fn item(reader: &Reader<'_>, key: Key) -> Item {
    let (module, span, kind, path) = match key {
        Key::Item(id) => {
            let item = reader.item(id);
            let module = reader.module_of(id);
            let path = match (&item.kind, &*item.name) {
                (ItemKind::MacroCall(_), "") => {
                    format!("{}::{}!", reader.module_path(module), reader.files.text(item.name_span))
                }
                _ => reader.item_path(id),
            };
            (module, item.name_span, kind_word(&item.kind), path)
        }
        Key::Closures(id) => {
            let path = format!("{}::{{closure}}", reader.item_path(id));
            (reader.module_of(id), reader.item(id).name_span, "closure", path)
        }
        Key::Imports(id) | Key::File(id) => {
            let span = reader.module(id).declared.map(|decl| reader.item(decl).name_span);
            let top = reader.module(id).parts().first().map(|part| reader.facts(part.facts).file);
            let top = top.map(|file| Span { file, start: 0, end: 0 });
            let path = reader.module_path(id);
            let (kind, path) = match key {
                Key::File(_) => ("file", path),
                _ => ("imports", format!("{path}::{{imports}}")),
            };
            (id, top.or(span).unwrap_or(nowhere(reader)), kind, path)
        }
    };
    Item {
        path,
        kind,
        module: reader.module_path(module),
        package: reader.workspace.package(reader.package_of(module)).name.clone(),
        place: place(reader.files, span),
        selected_by: Vec::new(),
        reached_by: BTreeMap::new(),
        behind: None,
    }
}

/// The start of the first file: for what has no place of its own.
fn nowhere(reader: &Reader<'_>) -> Span {
    let root = reader.krates().find_map(|(_, krate)| reader.module(krate.root).parts().first().map(|part| part.facts));
    let file = root.map_or_else(|| reader.files.add("nowhere".into(), String::new()), |facts| reader.facts(facts).file);
    Span { file, start: 0, end: 0 }
}

fn kind_word(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::Module(_) => "mod",
        ItemKind::ExternCrate { .. } => "extern crate",
        ItemKind::Fn(_) => "fn",
        ItemKind::Struct(_) => "struct",
        ItemKind::Enum(_) => "enum",
        ItemKind::Trait { .. } | ItemKind::Names { .. } => "trait",
        ItemKind::Impl { .. } => "impl",
        ItemKind::Const { .. } => "const",
        ItemKind::Static { .. } => "static",
        ItemKind::Alias { .. } => "type",
        ItemKind::MacroRules { .. } | ItemKind::MacroCall(_) => "macro",
    }
}

fn stations(reader: &Reader<'_>, drawn: &mut Drawn<'_>, lease: usize, items: &mut [Item]) -> Vec<Station> {
    let view = drawn.view;
    let trail = Trail { reader, selection: &view.selection, reached: &view.reached };
    let mut stations: Vec<Station> = Vec::new();
    for (id, node) in view.reached.nodes.iter().enumerate() {
        let Some(number) = drawn.item_of[id] else { continue };
        let entry = &mut items[number];
        match &node.step {
            None => {
                if !entry.selected_by.contains(&lease) {
                    entry.selected_by.push(lease);
                }
                stations.push(Station { item: number, from: None, hop: None });
            }
            Some(step) => {
                let name = trail.name(&node.target);
                let mut from = drawn.station_of[step.from];
                let passed = trail.reexports(&step.uses, &name);
                let first = (step.hop, step.certainty, step.span);
                let hops = std::iter::once(first).chain(passed.iter().map(|hop| (hop.kind, hop.certainty, hop.place)));
                for (kind, certainty, span) in hops {
                    let hop = Hop { kind, certainty, name: name.clone(), place: place(reader.files, span) };
                    stations.push(Station { item: number, from, hop: Some(hop) });
                    from = Some(stations.len() - 1);
                }
            }
        }
        let last = stations.len() - 1;
        drawn.station_of[id] = Some(last);
        entry.reached_by.entry(lease).or_insert(last);
    }
    stations
}

/// Marks the items to which no route comes but through a local coordinator.
fn behind(drawn: &[Drawn<'_>], stops: &Stops, items: &mut [Item]) {
    let mut open = vec![false; items.len()];
    for (lease, one) in drawn.iter().enumerate() {
        for (node, item) in one.view.reached.nodes.iter().zip(&one.item_of) {
            let Some(item) = *item else { continue };
            match node.behind {
                None => open[item] = true,
                Some(coordinator) => items[item].behind = stops.local(lease, coordinator),
            }
        }
    }
    for (item, open) in items.iter_mut().zip(open) {
        item.behind = item.behind.filter(|_| !open);
    }
}

fn edges(reader: &mut Reader<'_>, drawn: &[Drawn<'_>]) -> Vec<Edge> {
    let mut edges: BTreeMap<(usize, usize, HopKind, Certainty), (Place, bool)> = BTreeMap::new();
    let mut add = |from: Option<usize>, to: Option<usize>, kind, certainty, place: Place, shortest: bool| {
        let (Some(from), Some(to)) = (from, to) else { return };
        if from == to {
            return;
        }
        let known = edges.entry((from, to, kind, certainty)).or_insert_with(|| (place.clone(), false));
        known.1 |= shortest;
        if place < known.0 {
            known.0 = place;
        }
    };
    for one in drawn {
        let nodes = &one.view.reached.nodes;
        let index = NodeIndex::new(&one.view.reached);
        let cut: Vec<Span> = one.view.reached.workload_cuts.values().flatten().copied().collect();
        for (id, node) in nodes.iter().enumerate() {
            if let Some(step) = &node.step {
                let place = place(reader.files, step.span);
                add(one.item_of[step.from], one.item_of[id], step.hop, step.certainty, place, true);
            }
            for event in node.events.iter() {
                let EventKind::To { target, hop, certainty, .. } = &event.kind else { continue };
                if cut.iter().any(|piece| holds(*piece, event.span)) {
                    continue;
                }
                if let Some(to) = index.get(target) {
                    let place = place(reader.files, event.span);
                    add(one.item_of[id], one.item_of[to], *hop, *certainty, place, false);
                }
            }
        }
    }
    let edges = edges.into_iter();
    edges
        .map(|((from, to, kind, certainty), (place, shortest))| Edge { from, to, kind, certainty, place, shortest })
        .collect()
}

/// Whether a place lies within another.
pub(super) fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
