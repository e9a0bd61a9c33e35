//! Whether code that has a word means by it what is sought.
//!
//! Many files have a word such as `new` or `Processor`, and few mean the lease's. To walk code leads into the types of
//! all that it calls, so only that is walked which may mean it. What does not show counts as meant: the method of a
//! value, a macro, a name that leads nowhere, an alias, a generic parameter, a field that keeps code.

use std::collections::BTreeSet;

use super::follow::{Follower, within};
use crate::{
    base::Span,
    resolve::{ImplFor, ItemId, Res, Space},
    source::{ExprKind, Facts, ItemKind, MacroCall, Name, Path, TypeKind},
};

/// What callers name.
#[derive(Default)]
pub(super) struct Sought {
    /// What takes code or hands it on, and the types and traits that this belongs to.
    pub(super) items: BTreeSet<ItemId>,
    /// Functions among them that a type has by a trait: any type may.
    pub(super) of_traits: BTreeSet<Name>,
    /// Fields that keep code.
    pub(super) fields: BTreeSet<Name>,
}

/// The words in a file's code.
pub(super) struct Mentions<'f> {
    /// Methods and macros of the name, and fields that code may be put into, with where they stand.
    sure: Vec<Span>,
    /// Paths that have the word, and as which segment.
    paths: Vec<(&'f Path, usize)>,
    /// Blocks with imports or items of their own.
    blocks: Vec<Span>,
}

impl<'f> Mentions<'f> {
    /// Of these words.
    pub(super) fn of(facts: &'f Facts, words: &BTreeSet<String>, sought: &Sought) -> Self {
        let mut found = Self { sure: Vec::new(), paths: Vec::new(), blocks: Vec::new() };
        let has = |name: &Name| words.contains(&**name);
        for expr in &facts.exprs {
            match &expr.kind {
                ExprKind::Path(path) | ExprKind::Struct { path, .. } => found.path(path, has),
                ExprKind::Method { name, name_span, .. } if has(name) => found.sure.push(*name_span),
                ExprKind::Macro(call) => found.macro_call(call, has),
                ExprKind::Field { name, name_span, .. } if sought.fields.contains(name) => found.sure.push(*name_span),
                ExprKind::Block { scope: Some(_), .. } => found.blocks.push(expr.span),
                _ => {}
            }
        }
        for ty in &facts.types {
            match &ty.kind {
                TypeKind::Path(path) => found.path(path, has),
                TypeKind::Macro(call) => found.macro_call(call, has),
                _ => {}
            }
        }
        for item in &facts.items {
            if let ItemKind::MacroCall(call) = &item.kind {
                found.macro_call(call, has);
            }
        }
        found
    }

    fn path(&mut self, path: &'f Path, has: impl Fn(&Name) -> bool) {
        let segments = path.segments.iter().enumerate();
        let named = segments.filter(|(_, segment)| &*segment.name == "Self" || has(&segment.name));
        self.paths.extend(named.map(|(at, _)| (path, at)));
    }

    fn macro_call(&mut self, call: &MacroCall, has: impl Fn(&Name) -> bool) {
        if call.path.segments.iter().any(|segment| has(&segment.name)) {
            self.sure.push(call.path.span);
        }
    }
}

impl Follower<'_, '_> {
    /// Whether an item of the file may mean something sought by a word in it.
    pub(super) fn means(&mut self, item: ItemId, mentions: &Mentions<'_>, sought: &Sought) -> bool {
        let whole = self.reader.item(item).span;
        if mentions.sure.iter().any(|&span| within(span, whole)) {
            return true;
        }
        let in_block = |span| mentions.blocks.iter().any(|&block| within(span, block) && within(block, whole));
        mentions
            .paths
            .iter()
            .filter(|(path, _)| within(path.span, whole))
            .any(|&(path, at)| in_block(path.span) || self.path_means(item, path, at, sought))
    }

    fn path_means(&mut self, item: ItemId, path: &Path, at: usize, sought: &Sought) -> bool {
        let first = &path.segments[0].name;
        if path.qself.is_some() || self.is_parameter(item, first) {
            return true;
        }
        let names: Vec<Name> = path.segments[..=at].iter().map(|segment| segment.name.clone()).collect();
        if &**first == "Self" {
            let by_trait = names.last().is_some_and(|name| sought.of_traits.contains(name));
            return names.len() > 2 || by_trait || self.own_type_is_sought(item, &sought.items);
        }
        let module = self.reader.module_of(item);
        let mut found = Vec::new();
        for space in [Space::Value, Space::Type] {
            found.extend(self.reader.aside(|reader| reader.resolve_names(module, &names, path.global, space, false)));
        }
        found.is_empty()
            || found.into_iter().any(|(found, consumed)| {
                let of_type = consumed <= at && sought.of_traits.contains(&names[at]);
                of_type || self.is_sought(&found.res, &sought.items)
            })
    }

    /// Whether a name is that of a generic parameter.
    fn is_parameter(&mut self, item: ItemId, name: &Name) -> bool {
        let around = self.reader.owner(item);
        let mut items = around.into_iter().chain([item]);
        items.any(|item| self.reader.item(item).generics.params.iter().any(|param| param.name == *name))
    }

    fn is_sought(&self, res: &Res, sought: &BTreeSet<ItemId>) -> bool {
        match res {
            Res::Item(item) | Res::Variant(item, _) => {
                sought.contains(item)
                    || !matches!(
                        self.reader.item(*item).kind,
                        ItemKind::Struct(_)
                            | ItemKind::Enum(_)
                            | ItemKind::Trait { .. }
                            | ItemKind::Fn(_)
                            | ItemKind::Const { .. }
                            | ItemKind::Static { .. }
                    )
            }
            Res::Outside(_) | Res::Primitive(_) | Res::Module(_) => false,
            Res::Scanned(_) => true,
        }
    }

    fn own_type_is_sought(&mut self, item: ItemId, sought: &BTreeSet<ItemId>) -> bool {
        let Some(owner) = self.reader.owner(item) else { return true };
        match self.reader.aside(|reader| reader.impl_for(owner)) {
            ImplFor::Local(of) => sought.contains(&of),
            ImplFor::Outside(_) => false,
            _ => true,
        }
    }
}
