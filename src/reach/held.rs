//! What values that the lease handles carry along: fields and variants that nothing reached touches.

use std::collections::{BTreeSet, VecDeque};

use super::{
    EventKind, NodeId, Reached, Selection, Target, Walks,
    follow::{NodeIndex, walked},
};
use crate::{base::Span, finding::HopKind, resolve::ItemId, source::ItemKind, types::Reader};

/// Something of another crate, named by the type of a field that nothing reached touches.
#[derive(Clone, Debug)]
pub struct Held {
    /// The selected node that handles a value of the type.
    pub node: NodeId,
    /// The type that it handles.
    pub handled: ItemId,
    /// From the lease path to the field: what each step leads to, and where it is written.
    pub steps: Vec<(HopKind, Target, Span)>,
    /// Where the field's type names it.
    pub span: Span,
    /// What it names: [`EventKind::Outside`] or [`EventKind::LocalCrate`].
    pub named: EventKind,
}

/// Finds what selected items hold. Of several ways to one field, the shortest.
pub fn held(reader: &mut Reader<'_>, selection: &Selection, reached: &Reached, walks: &mut Walks) -> Vec<Held> {
    let index = NodeIndex::new(reached);
    let mut queue = VecDeque::new();
    let mut seen = BTreeSet::new();
    for (id, node) in reached.nodes.iter().enumerate().filter(|(_, node)| node.step.is_none()) {
        for event in node.events.iter() {
            if let EventKind::To { target: Target::Item(item), .. } = &event.kind
                && !selection.items.contains(item)
                && is_type(reader, *item)
                && seen.insert(*item)
            {
                queue.push_back((id, *item, *item, vec![(HopKind::Type, Target::Item(*item), event.span)]));
            }
        }
    }
    let mut found = Vec::new();
    while let Some((node, handled, item, steps)) = queue.pop_front() {
        for part in parts(reader, item) {
            let events = walked(reader, walks, &part);
            let touched = index.has(&part);
            let mut steps = steps.clone();
            if let (Target::Field(..), Some(first)) = (&part, events.first()) {
                steps.push((HopKind::Field, part.clone(), first.span));
            }
            for event in events.iter() {
                match &event.kind {
                    EventKind::To { target: Target::Item(inner), .. } => {
                        if steps.len() < 12
                            && !selection.items.contains(inner)
                            && is_type(reader, *inner)
                            && seen.insert(*inner)
                        {
                            queue.push_back((node, handled, *inner, steps.clone()));
                        }
                    }
                    EventKind::Outside { .. } | EventKind::LocalCrate { .. } if !touched => {
                        let named = event.kind.clone();
                        found.push(Held { node, handled, steps: steps.clone(), span: event.span, named });
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// Whether an item can carry something: a type, or an alias of one.
fn is_type(reader: &Reader<'_>, item: ItemId) -> bool {
    matches!(reader.item(item).kind, ItemKind::Struct(_) | ItemKind::Enum(_) | ItemKind::Alias { .. })
}

/// What of a type can carry something: its fields, or what an alias stands for.
fn parts(reader: &Reader<'_>, item: ItemId) -> Vec<Target> {
    let count = |n: usize| 0..u32::try_from(n).unwrap_or(u32::MAX);
    match &reader.item(item).kind {
        ItemKind::Struct(fields) => count(fields.fields.len()).map(|at| Target::Field(item, None, at)).collect(),
        ItemKind::Enum(variants) => (0u32..)
            .zip(variants)
            .flat_map(|(variant, of)| {
                count(of.fields.fields.len()).map(move |at| Target::Field(item, Some(variant), at))
            })
            .collect(),
        ItemKind::Alias { .. } => vec![Target::Item(item)],
        _ => Vec::new(),
    }
}
