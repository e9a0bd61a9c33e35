//! A node's route, as the hops that a report tells.

use super::{NodeId, Reached, Selection, Target};
use crate::{
    base::Span,
    finding::{Certainty, Hop, HopKind},
    resolve::UseRef,
    source::ItemKind,
    types::Reader,
};

/// Where routes are told from.
pub struct Trail<'t, 'a> {
    /// The code.
    pub reader: &'t Reader<'a>,
    /// What the lease selects.
    pub selection: &'t Selection,
    /// What it reaches.
    pub reached: &'t Reached,
}

impl Trail<'_, '_> {
    /// The hops from the lease path to a node; none for what is selected.
    pub fn route(&self, node: NodeId) -> Vec<Hop> {
        let mut hops = Vec::new();
        let mut at = node;
        while let Some(step) = &self.reached.nodes[at].step {
            let item = self.name(&self.reached.nodes[at].target);
            let mut told =
                vec![Hop { certainty: step.certainty, kind: step.hop, item: item.clone(), place: step.span }];
            told.extend(self.reexports(&step.uses, &item));
            hops.push(told);
            at = step.from;
        }
        hops.into_iter().rev().flatten().collect()
    }

    /// The re-exports among the imports that a name came through, outside of what is selected.
    pub fn reexports(&self, uses: &[UseRef], item: &str) -> Vec<Hop> {
        let passed =
            uses.iter().filter(|by| self.reader.use_of(**by).public && !self.selection.modules.contains(&by.module));
        passed
            .map(|by| Hop {
                certainty: Certainty::Resolved,
                kind: HopKind::ReExport,
                item: item.to_owned(),
                place: self.reader.use_of(*by).span,
            })
            .collect()
    }

    /// Imports beside the place of a name: in the same file, or on the lease path itself.
    pub fn imports(&self, uses: &[UseRef], place: Span) -> Vec<Span> {
        let beside = uses.iter().filter(|by| {
            let import = self.reader.use_of(**by);
            (!import.public && import.span.file == place.file) || self.selection.modules.contains(&by.module)
        });
        beside.map(|by| self.reader.use_of(*by).span).collect()
    }

    /// What a node is called.
    pub fn name(&self, target: &Target) -> String {
        match target {
            Target::Item(item) | Target::Derived(item) | Target::Macro(item, _) => self.reader.item_path(*item),
            Target::Default(method, _) => self.reader.item_path(*method),
            Target::Field(item, variant, field) => {
                let of = self.reader.item_path(*item);
                let (variant, fields) = match (&self.reader.item(*item).kind, variant) {
                    (ItemKind::Struct(fields), _) => (None, Some(fields)),
                    (ItemKind::Enum(variants), Some(at)) => {
                        let variant = variants.get(*at as usize);
                        (variant.map(|variant| &variant.name), variant.map(|variant| &variant.fields))
                    }
                    _ => (None, None),
                };
                let name =
                    fields.and_then(|fields| fields.fields.get(*field as usize)).map_or("", |field| &*field.name);
                match variant {
                    Some(variant) => format!("{of}::{variant}::{name}"),
                    None => format!("{of}::{name}"),
                }
            }
            Target::Piece(item, _) => format!("{}::{{closure}}", self.reader.item_path(*item)),
            Target::MadeBy(item) => format!("{}::{{closure}}", self.reader.item_path(*item)),
            Target::Scanned(module) => self.reader.module_path(*module),
            Target::Import(by) => self.reader.module_path(by.module),
        }
    }
}
