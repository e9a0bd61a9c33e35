//! Impls, wherever they stand.
//!
//! A byte search over the headers of all impls of all local packages tells which files may hold an
//! impl of a trait or for a type; only those are parsed. A name counts with every name that it is
//! imported or aliased as, until none is new.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use camino::Utf8PathBuf;
use memchr::memmem;

use super::{
    ItemId, Outside, Res, Space, World,
    expand::{has_word_before, is_word},
};
use crate::source::{ItemKind, Name, TypeIx, TypeKind};

/// Words of impl headers, with the files that have them.
#[derive(Debug, Default)]
pub(super) struct ImplIndex {
    words: BTreeMap<Box<str>, BTreeSet<usize>>,
    files: Vec<Utf8PathBuf>,
}

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
    fn impl_index(&mut self) -> Rc<ImplIndex> {
        use rayon::prelude::*;
        if let Some(index) = &self.impl_index {
            return Rc::clone(index);
        }
        self.expand_all();
        let files: Vec<Utf8PathBuf> = self.by_file.keys().cloned().collect();
        let table = self.files;
        let words: Vec<BTreeSet<Box<str>>> = files
            .par_iter()
            .map(|path| table.load(path).map(|file| header_words(&table.get(file).text)).unwrap_or_default())
            .collect();
        let mut index = ImplIndex { words: BTreeMap::new(), files };
        for (file, words) in words.into_iter().enumerate() {
            for word in words {
                index.words.entry(word).or_default().insert(file);
            }
        }
        let index = Rc::new(index);
        self.impl_index = Some(Rc::clone(&index));
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
        let found: Rc<[ItemId]> = kept.into();
        self.impls_of.insert(item, Rc::clone(&found));
        found
    }

    /// Every impl whose header has the item's name, or a name that it is imported or aliased as.
    pub fn impls_with_word(&mut self, item: ItemId) -> Vec<ItemId> {
        let index = self.impl_index();
        let mut names = BTreeSet::new();
        let mut fresh = vec![self.item(item).name.to_string()];
        let mut files = BTreeSet::new();
        while let Some(name) = fresh.pop() {
            if names.insert(name.clone()) {
                files.extend(index.words.get(name.as_str()).into_iter().flatten().copied());
                fresh.extend(self.aliases_of(&index, &name));
            }
        }
        let paths: Vec<Utf8PathBuf> = files.into_iter().map(|file| index.files[file].clone()).collect();
        self.parse_ahead(paths.iter().cloned());
        paths.iter().flat_map(|path| self.items_of_file(path, |kind| matches!(kind, ItemKind::Impl { .. }))).collect()
    }

    /// Names that a name is imported or aliased as, anywhere: `X as Y`, `type Y = ... X`.
    fn aliases_of(&self, index: &ImplIndex, name: &str) -> Vec<String> {
        let mut found = BTreeSet::new();
        for path in &index.files {
            let Ok(file) = self.files.load(path) else { continue };
            let file = self.files.get(file);
            let text = file.text.as_bytes();
            has_word_before(text, name.as_bytes(), |rest| {
                let renamed = rest
                    .trim_ascii_start()
                    .strip_prefix(b"as")
                    .filter(|rest| !rest.first().is_some_and(|c| is_word(*c)));
                found.extend(renamed.and_then(|rest| word_at(rest.trim_ascii_start())));
                false
            });
            if memmem::find(text, b"type ").is_some() {
                has_word_before(text, b"type", |rest| {
                    let end = memchr::memchr2(b';', b'{', &rest[..rest.len().min(400)]).unwrap_or(0);
                    if let Some(equals) = memchr::memchr(b'=', &rest[..end])
                        && has_word_before(&rest[equals..end], name.as_bytes(), |_| true)
                    {
                        found.extend(word_at(rest.trim_ascii_start()));
                    }
                    false
                });
            }
        }
        found.remove("Target");
        found.remove("Output");
        found.remove("Item");
        found.remove("Error");
        found.into_iter().filter(|alias| alias != "_").collect()
    }

    /// Names that a name is imported or aliased as, anywhere in the local packages.
    pub fn names_for(&mut self, name: &str) -> Vec<String> {
        let index = self.impl_index();
        self.aliases_of(&index, name)
    }

    /// Files that have one of these words, with those that each has. A word with a second one counts
    /// only in files that have both.
    pub fn files_with_words(
        &mut self,
        words: &BTreeMap<String, Option<String>>,
    ) -> Vec<(Utf8PathBuf, BTreeSet<String>)> {
        use rayon::prelude::*;
        let index = self.impl_index();
        let table = self.files;
        let has = |text: &str, word: &str| has_word_before(text.as_bytes(), word.as_bytes(), |_| true);
        index
            .files
            .par_iter()
            .filter_map(|path| {
                let file = table.get(table.load(path).ok()?);
                let found = words
                    .iter()
                    .filter(|(word, second)| {
                        has(&file.text, word) && second.as_ref().is_none_or(|second| has(&file.text, second))
                    })
                    .map(|(word, _)| word.clone())
                    .collect::<BTreeSet<String>>();
                (!found.is_empty()).then(|| (path.clone(), found))
            })
            .collect()
    }

    /// The trait that an impl is of.
    pub fn impl_trait(&mut self, one: ItemId) -> Option<Res> {
        let ItemKind::Impl { of: Some(of), .. } = &self.item(one).kind else { return None };
        self.type_head(one, *of)
    }

    /// What an impl is for, references and owning pointers taken off.
    pub fn impl_for(&mut self, one: ItemId) -> ImplFor {
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

fn word_at(text: &[u8]) -> Option<String> {
    let text = text.strip_prefix(b"r#").unwrap_or(text);
    let end = text.iter().take_while(|c| is_word(**c)).count();
    std::str::from_utf8(&text[..end]).ok().filter(|word| !word.is_empty()).map(str::to_owned)
}

fn header_words(text: &str) -> BTreeSet<Box<str>> {
    let bytes = text.as_bytes();
    let mut words = BTreeSet::new();
    has_word_before(bytes, b"impl", |rest| {
        let header = &rest[..rest.len().min(4096)];
        let end = memchr::memchr2(b'{', b';', header).unwrap_or(header.len());
        for word in header[..end].split(|c| !is_word(*c)).filter(|word| !word.is_empty()) {
            if let Ok(word) = std::str::from_utf8(word) {
                words.insert(word.into());
            }
        }
        false
    });
    words
}
