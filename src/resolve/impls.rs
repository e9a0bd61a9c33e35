//! Impls, wherever they stand.
//!
//! The words in the headers of all impls of all local packages (see `words`) tell which files may hold an
//! impl of a trait or for a type; only those are parsed. A name counts with every name that it is
//! imported or aliased as, until none is new.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use camino::Utf8PathBuf;

use super::{
    ItemId, Outside, Res, Space, World,
    words::{FileWords, WordIndex, each_word},
};
use crate::source::{ItemKind, Name, TypeIx, TypeKind};

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

impl World<'_> {
    fn word_index(&mut self) -> Rc<WordIndex> {
        use rayon::prelude::*;
        if let Some(index) = &self.word_index {
            return Rc::clone(index);
        }
        self.expand_all();
        let files: Vec<Utf8PathBuf> = self.by_file.keys().cloned().collect();
        let table = self.files;
        let words: Vec<FileWords> = files
            .par_iter()
            .map(|path| table.load(path).map(|file| FileWords::of(&table.get(file).text)).unwrap_or_default())
            .collect();
        let index = Rc::new(WordIndex::new(files, words));
        self.word_index = Some(Rc::clone(&index));
        index
    }

    /// Every impl whose header names this item: of a trait, or for a type.
    pub fn impls_naming(&mut self, item: ItemId) -> Rc<[ItemId]> {
        if let Some(known) = self.impls_of.get(&item) {
            return Rc::clone(known);
        }
        let found = self.impls_with_word(item);
        let mut kept = Vec::new();
        for one in found {
            if self.impl_trait(one) == Some(Res::Item(item)) || self.impl_for(one) == ImplFor::Local(item) {
                kept.push(one);
            }
        }
        if matches!(self.item(item).kind, ItemKind::Struct(_) | ItemKind::Enum(_)) {
            let by_macro = self.macro_impls(item);
            kept.extend(&by_macro);
            self.impls_by_macro.insert(item, by_macro.into());
        }
        let found: Rc<[ItemId]> = kept.into();
        self.impls_of.insert(item, Rc::clone(&found));
        found
    }

    /// Whether an impl is for a local type, be it that a macro was given the type.
    pub fn is_impl_for(&mut self, one: ItemId, of: ItemId) -> bool {
        self.impl_for(one) == ImplFor::Local(of)
            || self.impls_by_macro.get(&of).is_some_and(|by_macro| by_macro.contains(&one))
    }

    /// Every impl whose header has the item's name, or a name that it is imported or aliased as.
    pub fn impls_with_word(&mut self, item: ItemId) -> Vec<ItemId> {
        let index = self.word_index();
        let mut names = BTreeSet::new();
        let mut fresh = vec![self.item(item).name.to_string()];
        let mut files = BTreeSet::new();
        while let Some(name) = fresh.pop() {
            if !names.contains(&name) {
                files.extend(index.with_header(&name));
                fresh.extend(index.aliases(&name).map(str::to_owned));
                names.insert(name);
            }
        }
        let paths: Vec<Utf8PathBuf> = files.into_iter().map(|file| index.files[file].clone()).collect();
        self.parse_ahead(paths.iter().cloned());
        paths.iter().flat_map(|path| self.items_of_file(path, |kind| matches!(kind, ItemKind::Impl { .. }))).collect()
    }

    /// Names that a name is imported or aliased as, anywhere in the local packages.
    pub fn names_for(&mut self, name: &str) -> Vec<String> {
        self.word_index().aliases(name).map(str::to_owned).collect()
    }

    /// Files that have one of these words, with those that each has. A word with a second one counts
    /// only in files that have both.
    pub fn files_with_words(
        &mut self,
        words: &BTreeMap<String, Option<String>>,
    ) -> Vec<(Utf8PathBuf, BTreeSet<String>)> {
        use rayon::prelude::*;
        let index = self.word_index();
        let table = self.files;
        let seconds: BTreeSet<&str> = words.values().flatten().map(String::as_str).collect();
        index
            .files
            .par_iter()
            .filter_map(|path| {
                let file = table.get(table.load(path).ok()?);
                let here: BTreeSet<&str> = each_word(file.text.as_bytes())
                    .filter(|word| words.contains_key(*word) || seconds.contains(word))
                    .collect();
                let found = words
                    .iter()
                    .filter(|(word, second)| {
                        here.contains(word.as_str()) && second.as_ref().is_none_or(|second| here.contains(&**second))
                    })
                    .map(|(word, _)| word.clone())
                    .collect::<BTreeSet<String>>();
                (!found.is_empty()).then(|| (path.clone(), found))
            })
            .collect()
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
        if let Some(known) = self.impl_heads.get(&one) {
            return Rc::clone(known);
        }
        let head = Rc::new((self.read_impl_trait(one), self.read_impl_for(one)));
        // Within an import that is being resolved, a name may be missed that is found later.
        if self.resolving.is_empty() {
            self.impl_heads.insert(one, Rc::clone(&head));
        }
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

/// Whether a type of the standard library owns or borrows exactly what its first argument says, so
/// that methods and impls go through it.
pub fn is_pointer(outside: &Outside) -> bool {
    ["Box", "Arc", "Rc", "Pin", "Cow", "ManuallyDrop"].iter().any(|name| outside.is_std(name))
}
