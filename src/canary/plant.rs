//! Where to plant.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;

use crate::{
    base::{Files, Span},
    reach::{EventKind, Target},
    resolve::{ItemId, ModuleId},
    run::LeaseView,
    source::{ExprKind, ItemKind, TypeIx},
    types::Reader,
};

/// How the planted crate is called in source.
pub const EXTERN_NAME: &str = "__lease_guard_canary";

/// The planted package: a model client that the packs have.
pub const PACKAGE: &str = "async-openai";

/// What a plant stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// A selected module, as an item of its own.
    Module,
    /// A selected item.
    Item,
    /// A function that a selected item calls.
    Reached,
}

/// One planted offence.
#[derive(Clone, Debug)]
pub struct Plant {
    /// Its number, which its path carries: `__lease_guard_canary::p7`.
    pub number: usize,
    /// What it stands in.
    pub spot: Spot,
    /// The module or item, as a path.
    pub what: String,
    /// For a reached function: who calls it.
    pub caller: Option<String>,
    /// The workload, as written, at which the way there is cut.
    pub cut: Option<String>,
    /// Where, in the file as it is.
    pub span: Span,
    edits: Vec<(u32, String)>,
}

impl Plant {
    /// The last segment of the planted path.
    pub fn name(number: usize) -> String {
        format!("p{number}")
    }
}

/// The places of one lease, and the generated code in which nothing can be planted.
pub fn plants(reader: &mut Reader<'_>, view: &LeaseView) -> (Vec<Plant>, Vec<Span>) {
    let mut planter = Planter { reader, plants: Vec::new(), done: BTreeSet::new() };
    for &module in &view.selection.modules {
        planter.module(module);
    }
    let selected: Vec<ItemId> = view.selection.items.iter().copied().collect();
    for &item in &selected {
        planter.item(item, Spot::Item, None);
    }
    for node in view.reached.nodes.iter().filter(|node| node.step.is_none()) {
        let Target::Item(caller) = node.target else { continue };
        for event in node.events.iter() {
            if let EventKind::To { target: Target::Item(callee), .. } = event.kind
                && !view.selection.items.contains(&callee)
                && matches!(planter.reader.item(callee).kind, ItemKind::Fn(_))
            {
                let caller = planter.reader.item_path(caller);
                let before = planter.plants.len();
                planter.item(callee, Spot::Reached, Some(caller));
                let cut = workload_at(view, event.span);
                planter.plants[before..].iter_mut().for_each(|plant| plant.cut.clone_from(&cut));
            }
        }
    }
    let opaque = view.selection.opaque.iter().copied();
    let touched: Vec<Span> =
        view.opaque.iter().flat_map(|&module| planter.reader.module(module).opaque.clone()).collect();
    let plants = planter.plants;
    (plants, opaque.chain(touched).collect::<BTreeSet<Span>>().into_iter().collect())
}

/// The workload that cuts what stands at a place.
fn workload_at(view: &LeaseView, at: Span) -> Option<String> {
    let holds = |outer: &Span| outer.file == at.file && outer.start <= at.start && at.end <= outer.end;
    let cut = view.reached.workload_cuts.iter().find(|(_, spans)| spans.iter().any(holds));
    cut.and_then(|(index, _)| view.selection.workloads.get(*index)).map(|workload| workload.written.value.clone())
}

/// The planted texts, by file.
pub(super) fn planted(files: &Files, plants: &[Plant]) -> BTreeMap<Utf8PathBuf, String> {
    let mut edits: BTreeMap<Utf8PathBuf, Vec<(u32, &str)>> = BTreeMap::new();
    for plant in plants {
        let path = files.get(plant.span.file).absolute.clone();
        edits.entry(path).or_default().extend(plant.edits.iter().map(|(at, text)| (*at, text.as_str())));
    }
    let mut texts = BTreeMap::new();
    for (path, mut edits) in edits {
        let Ok(file) = files.load(&path) else { continue };
        let mut text = files.get(file).text.clone();
        // From the end, so that the places before stay where they are; of two at one place, the first
        // goes in front.
        edits.sort_by_key(|(at, _)| *at);
        for (at, insert) in edits.into_iter().rev() {
            if text.is_char_boundary(at as usize) {
                text.insert_str(at as usize, insert);
            }
        }
        texts.insert(path, text);
    }
    texts
}

struct Planter<'r, 'a> {
    reader: &'r mut Reader<'a>,
    plants: Vec<Plant>,
    done: BTreeSet<(Spot, Span)>,
}

impl Planter<'_, '_> {
    fn push(
        &mut self,
        spot: Spot,
        what: String,
        caller: Option<String>,
        span: Span,
        edits: impl Fn(&str) -> Vec<(u32, String)>,
    ) {
        if !self.done.insert((spot, span)) {
            return;
        }
        let number = self.plants.len();
        let path = format!("{EXTERN_NAME}::{}", Plant::name(number));
        self.plants.push(Plant { number, spot, what, caller, cut: None, span, edits: edits(&path) });
    }

    fn module(&mut self, module: ModuleId) {
        let what = self.reader.module_path(module);
        if let Some(path) = self.reader.module(module).file().cloned() {
            let Ok(file) = self.reader.files.load(&path) else { return };
            let end = u32::try_from(self.reader.files.get(file).text.len()).unwrap_or(u32::MAX);
            let span = Span { file, start: end, end };
            self.push(Spot::Module, what, None, span, |path| {
                vec![(end, format!("\nfn {EXTERN_NAME}() {{ {path}(); }}\n"))]
            });
        } else if let Some(decl) = self.reader.module(module).declared {
            let span = self.reader.item(decl).span;
            let end = span.end.saturating_sub(1);
            self.push(Spot::Module, what, None, span, |path| {
                vec![(end, format!(" fn {EXTERN_NAME}() {{ {path}(); }} "))]
            });
        }
    }

    fn item(&mut self, item: ItemId, spot: Spot, caller: Option<String>) {
        let facts = self.reader.facts_of(item);
        let what = self.reader.item_path(item);
        let fact = &facts[self.reader.item_ix(item)];
        let of_type = match &fact.kind {
            ItemKind::Fn(function) => {
                let Some(body) = function.body else { return };
                let span = facts[body].span;
                if !matches!(facts[body].kind, ExprKind::Block { .. }) {
                    return;
                }
                self.push(spot, what, caller, span, |path| vec![(span.start + 1, format!(" {path}(); "))]);
                return;
            }
            ItemKind::Const { of, .. } | ItemKind::Static { of, foreign: false, .. } => Some(*of),
            ItemKind::Alias { of: Some(of), .. } => Some(*of),
            ItemKind::Struct(fields) => fields.fields.first().map(|field| field.of),
            ItemKind::Enum(variants) => variants.iter().find_map(|v| v.fields.fields.first()).map(|field| field.of),
            _ => None,
        };
        if let Some(of) = of_type {
            self.around_type(&facts, of, spot, what);
        }
    }

    /// `T` becomes `(T, planted)`.
    fn around_type(&mut self, facts: &crate::source::Facts, of: TypeIx, spot: Spot, what: String) {
        let span = facts[of].span;
        self.push(spot, what, None, span, |path| vec![(span.start, "(".to_owned()), (span.end, format!(", {path})"))]);
    }
}
