//! The whole module tree of a crate, for when code must be found by what it says.
//!
//! Only files that declare modules are parsed for it; a byte search tells which do. The others are
//! placed in the tree unread.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use camino::Utf8PathBuf;
use memchr::memmem;

use super::{FactsId, Found, ItemId, KrateId, ModuleId, Res, World, words::word_at};
use crate::{
    base::FileId,
    source::{Facts, ItemKind, Module as ModDecl, Name, ScopeIx},
};

impl World<'_> {
    /// Places every file of some crates in their trees.
    pub fn expand(&mut self, krates: &[KrateId]) {
        let fresh: Vec<KrateId> = krates.iter().copied().filter(|&krate| self.expanded.insert(krate)).collect();
        let mut level: Vec<ModuleId> = fresh.iter().map(|&krate| self.krate(krate).root).collect();
        while !level.is_empty() {
            let paths: Vec<Utf8PathBuf> = level.iter().filter_map(|&id| self.module(id).file().cloned()).collect();
            self.read_ahead(&paths);
            let deeper: BTreeSet<Utf8PathBuf> = paths.into_iter().filter(|path| self.declares_modules(path)).collect();
            self.parse_ahead(deeper.iter().cloned());
            let mut next = Vec::new();
            for id in level {
                if self.module(id).file().is_none_or(|path| deeper.contains(path)) {
                    for &item in &self.table(id).items {
                        if matches!(self.item(item).kind, ItemKind::Module(_)) {
                            next.extend(self.children_of(item).iter().copied());
                        }
                    }
                }
            }
            level = next;
        }
    }

    /// Places every file of every local crate.
    pub fn expand_all(&mut self) {
        let all: Vec<KrateId> = self.krates().map(|(id, _)| id).collect();
        self.expand(&all);
    }

    fn read_ahead(&self, paths: &[Utf8PathBuf]) {
        use rayon::prelude::*;
        let files = self.files;
        let fresh = |path: &&Utf8PathBuf| files.known(path).is_none() && self.allowed(path).is_ok();
        let paths: Vec<&Utf8PathBuf> = paths.iter().filter(fresh).collect();
        let texts: Vec<(&Utf8PathBuf, String)> =
            paths.into_par_iter().filter_map(|path| Some((path, files.read(path).ok()?))).collect();
        for (path, text) in texts {
            self.files.add(path, text);
        }
    }

    fn declares_modules(&self, path: &Utf8PathBuf) -> bool {
        let Ok(file) = self.files.load(path) else { return true };
        let file = self.files.get(file);
        let text = file.text.as_bytes();
        has_word_before(text, b"mod", |rest| {
            let rest = rest.trim_ascii_start();
            let rest = rest.strip_prefix(b"r#").unwrap_or(rest);
            let name = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_' || !c.is_ascii()).count();
            name > 0 && rest[name..].trim_ascii_start().starts_with(b";")
        }) || memmem::find(text, b"include!").is_some()
    }

    /// The modules that a file is, its inline modules aside.
    pub fn modules_of_file(&self, path: &Utf8PathBuf) -> Vec<ModuleId> {
        self.by_file.get(path).cloned().unwrap_or_default()
    }

    /// Every file that has a place in the tree so far, in the order of paths.
    pub fn placed_files(&self) -> impl Iterator<Item = (&Utf8PathBuf, &[ModuleId])> {
        self.by_file.iter().map(|(path, modules)| (path, modules.as_slice()))
    }

    /// Rust files below some folders that have no place in the tree and that no `mod` names, not even
    /// one for tests.
    pub fn unplaced_below<'p>(
        &self,
        folders: impl IntoIterator<Item = &'p Utf8PathBuf>,
        placed: &[Utf8PathBuf],
    ) -> BTreeSet<Utf8PathBuf> {
        let mut found = BTreeSet::new();
        for folder in folders {
            let walk = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
            let inside = walk.filter_entry(|entry| {
                let name = entry.file_name().to_string_lossy();
                let own_package = entry.depth() > 0 && entry.path().join("Cargo.toml").is_file();
                !name.starts_with('.') && name != "target" && !own_package
            });
            for entry in inside.filter_map(Result::ok).filter(|entry| entry.file_type().is_file()) {
                let Some(path) = camino::Utf8Path::from_path(entry.path()) else { continue };
                if path.extension() == Some("rs")
                    && !self.by_file.contains_key(path)
                    && !self.is_declared(path, folder, placed)
                {
                    found.insert(path.to_owned());
                }
            }
        }
        found
    }

    /// Whether some `mod` names a file or a folder on the way to it.
    fn is_declared(&self, path: &camino::Utf8Path, folder: &Utf8PathBuf, placed: &[Utf8PathBuf]) -> bool {
        let inner = path.strip_prefix(folder).unwrap_or(path);
        let stem = path.file_stem().unwrap_or_default();
        let names: Vec<&str> = inner
            .parent()
            .into_iter()
            .flat_map(|parent| parent.components())
            .map(|c| c.as_str())
            .chain([stem])
            .collect();
        placed.iter().filter_map(|path| self.files.load(path).ok()).any(|file| {
            let file = self.files.get(file);
            has_word_before(file.text.as_bytes(), b"mod", |rest| {
                let word = rest.trim_ascii_start();
                let end = word.iter().take_while(|c| is_word(**c)).count();
                names.iter().any(|name| name.as_bytes() == &word[..end])
            })
        })
    }

    /// The module of a scope in the file that `base` is.
    pub fn module_at(&mut self, base: ModuleId, facts_id: FactsId, scope: ScopeIx) -> ModuleId {
        self.load(base);
        if self.module(base).parts().iter().any(|part| part.facts == facts_id && part.scope == scope) {
            return base;
        }
        let facts = self.facts(facts_id).clone();
        let Some(parent) = facts[scope].parent else { return base };
        let outer = self.module_at(base, facts_id, parent);
        if facts[scope].block {
            return self.block(outer, facts_id, scope);
        }
        let declares = |facts: &Facts, item| matches!(&facts.items[item as usize].kind, ItemKind::Module(ModDecl::Inline { scope: s, .. }) if *s == scope);
        for &item in &facts[parent].items {
            if declares(&facts, item.0) {
                let decl = self.item_id(outer, facts_id, item);
                if let Some(&child) = self.children_of(decl).first() {
                    return child;
                }
            }
        }
        outer
    }

    /// Every item of a file that passes, at every place where the file is mounted.
    pub fn items_of_file(&mut self, path: &Utf8PathBuf, keep: impl Fn(&ItemKind) -> bool) -> Vec<ItemId> {
        let mut all = Vec::new();
        for base in self.modules_of_file(path) {
            self.load(base);
            let Ok(file) = self.files.load(path) else { continue };
            let Some(facts_id) = self.facts_of_file(file) else { continue };
            let facts = self.facts(facts_id).clone();
            for (index, item) in (0u32..).zip(&facts.items) {
                if keep(&item.kind) {
                    let module = self.module_at(base, facts_id, item.scope);
                    all.push(self.item_id(module, facts_id, crate::source::ItemIx(index)));
                }
            }
        }
        all
    }

    fn facts_of_file(&mut self, file: FileId) -> Option<FactsId> {
        let path = self.files.get(file).absolute.clone();
        self.parse(&path).ok()
    }

    /// A macro by its bare name: those of the crate that textual scope can show.
    pub(super) fn textual_macro(&mut self, module: ModuleId, name: &Name) -> Vec<Found> {
        let mut at = Some(module);
        while let Some(id) = at {
            let found = self.lookup(id, name, super::Space::Macro);
            if !found.is_empty() {
                return found.to_vec();
            }
            at = self.module(id).parent;
        }
        let krate = self.module(module).krate;
        let own = self.macros_named(krate, name, |_, _| true);
        if !own.is_empty() {
            return own;
        }
        // `#[macro_use] extern crate x` at the root hands on every exported macro of `x`.
        let root = self.krate(krate).root;
        let mut found = Vec::new();
        for item in self.table(root).items.clone() {
            if let ItemKind::ExternCrate { krate: named, macro_use: true } = &self.item(item).kind {
                let named = named.clone();
                for other in self.external(root, &named) {
                    if let Res::Module(other) = other.res {
                        found.extend(self.macro_of_crate(self.module(other).krate, name));
                    }
                }
            }
        }
        found
    }

    /// `crate::name!`: a macro that the crate exports, wherever it stands.
    pub(super) fn macro_of_crate(&mut self, krate: KrateId, name: &Name) -> Vec<Found> {
        self.macros_named(krate, name, |world, item| {
            matches!(world.item(item).kind, ItemKind::MacroRules { exported: true, .. })
        })
    }

    fn macros_named(&mut self, krate: KrateId, name: &Name, keep: impl Fn(&Self, ItemId) -> bool) -> Vec<Found> {
        let files = self.macro_files(krate);
        let paths = files.get(name).cloned().unwrap_or_default();
        let mut found = Vec::new();
        for path in paths {
            for item in self.items_of_file(&path, |kind| matches!(kind, ItemKind::MacroRules { .. })) {
                let module = self.module_of(item);
                if self.item(item).name == *name && self.module(module).krate == krate && keep(self, item) {
                    found.push(Found::of(Res::Item(item)));
                }
            }
        }
        found
    }

    /// The files of a crate that have a `macro_rules!`, by its name.
    fn macro_files(&mut self, krate: KrateId) -> Rc<BTreeMap<Name, Vec<Utf8PathBuf>>> {
        if let Some(known) = self.macro_files.get(&krate) {
            return Rc::clone(known);
        }
        self.expand(&[krate]);
        let mut named: BTreeMap<Name, Vec<Utf8PathBuf>> = BTreeMap::new();
        for (path, modules) in self.placed_files() {
            let Ok(file) = self.files.load(path) else { continue };
            if !modules.iter().any(|&id| self.module(id).krate == krate) {
                continue;
            }
            has_word_before(self.files.get(file).text.as_bytes(), b"macro_rules", |rest| {
                let rest = rest.trim_ascii_start().strip_prefix(b"!").unwrap_or_default();
                if let Some(name) = word_at(rest.trim_ascii_start()) {
                    let files = named.entry(Name::from(name)).or_default();
                    if files.last() != Some(path) {
                        files.push(path.clone());
                    }
                }
                false
            });
        }
        let named = Rc::new(named);
        self.macro_files.insert(krate, Rc::clone(&named));
        named
    }
}

/// Whether a byte can be part of an identifier.
pub(super) fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || !c.is_ascii()
}

/// Whether `word` stands in the text as a whole word and what follows it passes.
pub(super) fn has_word_before(text: &[u8], word: &[u8], mut follows: impl FnMut(&[u8]) -> bool) -> bool {
    memmem::find_iter(text, word).any(|at| {
        let end = at + word.len();
        let starts = at == 0 || !is_word(text[at - 1]);
        let ends = text.get(end).is_none_or(|c| !is_word(*c));
        starts && ends && follows(&text[end..])
    })
}
