//! Impls, wherever they stand.
//!
//! The words in the headers of all impls (see `words`) of the packages that can name a trait or type (see
//! `dependents`) tell which files may hold one; only those are parsed. A name counts with every name that it is
//! imported or aliased as, until none is new.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use camino::Utf8PathBuf;

use super::{ItemId, Outside, Res, Space, World, words::each_word};
use crate::{
    project::PackageId,
    source::{ItemKind, Name, TypeIx, TypeKind},
};

/// What an impl is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImplFor {
    /// A local type.
    Local(ItemId),
    /// A local trait's object.
    Dyn(ItemId),
    /// A type of a crate that is not read, or a primitive one.
    Outside(Outside),
    /// Any type: `impl<T> Trait for T`.
    Any,
    /// Something else: a tuple, a function pointer.
    Other,
}

/// Answers by a second word that impls have in their headers, which is empty where any will do.
pub(super) type BySecondWord<T> = BTreeMap<Box<str>, T>;

/// An impl, and the words in the types of its header.
pub(super) type HeaderWords = (ItemId, BTreeSet<Box<str>>);

impl World<'_> {
    /// Every impl whose header names this item: of a trait, or for a type.
    pub fn impls_naming(&mut self, item: ItemId) -> Rc<[ItemId]> {
        self.impls_with(item, "")
    }

    /// Of the impls whose header names this item at least those of a trait that is called so.
    pub fn impls_of_called(&mut self, item: ItemId, of_trait: &str) -> Rc<[ItemId]> {
        self.impls_with(item, of_trait)
    }

    fn impls_with(&mut self, item: ItemId, also: &str) -> Rc<[ItemId]> {
        for also in ["", also] {
            let known = self.impls_of.get(&item).and_then(|known| known.get(also));
            if let Some(known) = known.and_then(|kept| self.solving.recall(kept)) {
                return known;
            }
        }
        let before = self.solving.start();
        let mut kept = Vec::new();
        for &one in self.impls_with_words(item, also).iter() {
            // What the header of an impl for something else leads into is of no concern.
            let aside = self.solving.start();
            if self.impl_trait(one) == Some(Res::Item(item)) || self.impl_for(one) == ImplFor::Local(item) {
                kept.push(one);
                let _ = self.solving.keep(aside, ());
            } else {
                self.solving.forget(aside);
            }
        }
        if matches!(self.item(item).kind, ItemKind::Struct(_) | ItemKind::Enum(_)) {
            let by_macro = self.macro_impls(item);
            kept.extend(&by_macro);
            self.impls_by_macro.insert(item, by_macro.into());
        }
        let found: Rc<[ItemId]> = kept.into();
        let kept = self.solving.keep(before, Rc::clone(&found));
        self.impls_of.entry(item).or_default().insert(also.into(), kept);
        found
    }

    /// Whether an impl is for a local type, be it that a macro was given the type.
    pub fn is_impl_for(&mut self, one: ItemId, of: ItemId) -> bool {
        self.impl_for(one) == ImplFor::Local(of)
            || self.impls_by_macro.get(&of).is_some_and(|by_macro| by_macro.contains(&one))
    }

    /// Every impl whose header has the item's name, or a name that it is imported or aliased as, and so for a
    /// second word where there is one.
    pub fn impls_with_words(&mut self, item: ItemId, also: &str) -> Rc<[ItemId]> {
        if let Some(known) = self.impls_by_word.get(&item).and_then(|known| known.get(also)) {
            return Rc::clone(known);
        }
        let packages = self.packages_naming(item);
        let name = self.item(item).name.clone();
        let names = self.names_for(&name, &packages);
        let mut files = self.files_with_header(&names, &packages);
        let mut second = BTreeSet::new();
        if !also.is_empty() && !files.is_empty() {
            // A trait of the language may get another name in any package below.
            let all: Vec<PackageId> = self.workspace.local().map(|(id, _)| id).collect();
            second = self.names_for(also, &all);
            let both = self.files_with_header(&second, &packages);
            files.retain(|path| both.contains(path));
        }
        self.parse_ahead(files.iter().cloned());
        let mut found = Vec::new();
        for path in &files {
            for (one, words) in self.impls_in(path).iter() {
                let has = |names: &BTreeSet<String>| names.iter().any(|name| words.contains(name.as_str()));
                if has(&names) && (also.is_empty() || has(&second)) {
                    found.push(*one);
                }
            }
        }
        let found: Rc<[ItemId]> = found.into();
        self.impls_by_word.entry(item).or_default().insert(also.into(), Rc::clone(&found));
        found
    }

    /// The impls of a file at every place where it is mounted, with the words in the types of their headers.
    fn impls_in(&mut self, path: &Utf8PathBuf) -> Rc<[HeaderWords]> {
        if let Some(known) = self.impls_in.get(path) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        for one in self.items_of_file(path, |kind| matches!(kind, ItemKind::Impl { .. })) {
            let ItemKind::Impl { of, self_type, .. } = &self.item(one).kind else { continue };
            let facts = self.facts_of(one);
            let mut words = BTreeSet::new();
            for at in of.iter().chain([self_type]) {
                let text = self.files.text(facts[*at].span);
                words.extend(each_word(text.as_bytes()).map(Box::from));
            }
            found.push((one, words));
        }
        let found: Rc<[HeaderWords]> = found.into();
        self.impls_in.insert(path.clone(), Rc::clone(&found));
        found
    }

    /// The trait that an impl is of.
    pub fn impl_trait(&mut self, one: ItemId) -> Option<Res> {
        self.impl_head(one).0.clone()
    }

    /// What an impl is for, references and owning pointers taken off.
    pub fn impl_for(&mut self, one: ItemId) -> ImplFor {
        self.impl_head(one).1.clone()
    }

    fn impl_head(&mut self, one: ItemId) -> Rc<(Option<Res>, ImplFor)> {
        if let Some(known) = self.impl_heads.get(&one).and_then(|kept| self.solving.recall(kept)) {
            return known;
        }
        let before = self.solving.start();
        let head = Rc::new((self.read_impl_trait(one), self.read_impl_for(one)));
        let kept = self.solving.keep(before, Rc::clone(&head));
        self.impl_heads.insert(one, kept);
        head
    }

    fn read_impl_trait(&mut self, one: ItemId) -> Option<Res> {
        let ItemKind::Impl { of: Some(of), .. } = &self.item(one).kind else { return None };
        self.type_head(one, *of)
    }

    fn read_impl_for(&mut self, one: ItemId) -> ImplFor {
        let ItemKind::Impl { self_type, .. } = &self.item(one).kind else { return ImplFor::Other };
        let facts = self.facts_of(one);
        let mut at = *self_type;
        loop {
            match &facts[at].kind {
                TypeKind::Ref(inner) => at = *inner,
                TypeKind::Dyn(bounds) => {
                    let head = bounds.first().and_then(|&bound| self.type_head(one, bound));
                    return match head {
                        Some(Res::Item(item)) => ImplFor::Dyn(item),
                        _ => ImplFor::Other,
                    };
                }
                TypeKind::Path(path) => {
                    let only = path.segments.first().filter(|_| path.segments.len() == 1 && path.qself.is_none());
                    if only.is_some_and(|name| self.item(one).generics.params.iter().any(|p| p.name == name.name)) {
                        return ImplFor::Any;
                    }
                    match self.type_head(one, at) {
                        Some(Res::Item(item)) => return self.through_aliases(item),
                        Some(Res::Outside(outside)) => {
                            let inner = path.segments.last().and_then(|segment| segment.args.first());
                            if let (true, Some(&inner)) = (is_pointer(&outside), inner) {
                                at = inner;
                                continue;
                            }
                            return ImplFor::Outside(outside);
                        }
                        Some(Res::Primitive(name)) => return ImplFor::Outside(Outside::std(&name)),
                        _ => return ImplFor::Other,
                    }
                }
                _ => return ImplFor::Other,
            }
        }
    }

    fn through_aliases(&mut self, item: ItemId) -> ImplFor {
        let mut at = item;
        for _ in 0..32 {
            let next = match &self.item(at).kind {
                ItemKind::Alias { of: Some(of), .. } => *of,
                ItemKind::Trait { .. } => return ImplFor::Dyn(at),
                _ => return ImplFor::Local(at),
            };
            match self.type_head(at, next) {
                Some(Res::Item(item)) => at = item,
                Some(Res::Outside(outside)) => return ImplFor::Outside(outside),
                _ => return ImplFor::Other,
            }
        }
        ImplFor::Other
    }

    /// What the path of a type leads to, seen from an item.
    pub fn type_head(&mut self, from: ItemId, of: TypeIx) -> Option<Res> {
        let facts = self.facts_of(from);
        let TypeKind::Path(path) = &facts[of].kind else { return None };
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name.clone()).collect();
        if path.qself.is_some() {
            return None;
        }
        let module = self.module_of(from);
        let found = self.resolve_names(module, &names, path.global, Space::Type, false);
        found.into_iter().find(|(_, consumed)| *consumed == names.len()).map(|(found, _)| found.res)
    }
}

/// Types of the standard library that own or borrow exactly what their first argument says, so that methods and
/// impls go through them.
pub(super) const POINTERS: [&str; 6] = ["Box", "Arc", "Rc", "Pin", "Cow", "ManuallyDrop"];

/// Whether a type is one of the standard library that methods and impls go through.
pub fn is_pointer(outside: &Outside) -> bool {
    POINTERS.iter().any(|name| outside.is_std(name))
}
