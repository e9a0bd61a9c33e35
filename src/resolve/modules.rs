//! The module tree, grown as names lead into it.

use std::{collections::BTreeMap, rc::Rc};

use camino::Utf8PathBuf;

use super::{Broken, FactsId, ItemId, KrateId, World, solving::Note, words::each_word};
use crate::{
    base::{FileId, Span},
    source::{Include, ItemKind, MacroBody, Module as ModDecl, Name, Place, ScopeIx, UseBinding},
};

/// A module, or a block with items of its own, by its number in the [`World`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(u32);

impl ModuleId {
    pub(super) fn next(len: usize) -> Self {
        Self(u32::try_from(len).unwrap_or(u32::MAX))
    }
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

/// A module at one place of the tree.
#[derive(Debug)]
pub struct Module {
    /// Its crate.
    pub krate: KrateId,
    /// The module around it.
    pub parent: Option<ModuleId>,
    /// Its name; the crate's, for a root.
    pub name: Name,
    /// Whether it is a block: names not found in it are looked up in the parent.
    pub block: bool,
    /// The `mod` item that declares it.
    pub declared: Option<ItemId>,
    /// What is wrong with it, once it was looked at.
    pub broken: Option<Broken>,
    /// The `include!` that leads to the file which cannot be read, where it is one.
    pub broken_at: Option<Span>,
    pub(super) source: ModuleSource,
    pub(super) parts: Vec<Part>,
    pub(super) loaded: bool,
    /// Code in it that no one can see before a build. Where its file is missing and only a build writes that,
    /// the name in its `mod`.
    pub opaque: Vec<Span>,
    /// Modules of the workspace whose `#[macro_use]` makes their macros visible after them.
    pub(super) macro_use: bool,
}

#[derive(Debug)]
pub(super) enum ModuleSource {
    File { path: Utf8PathBuf, place: Place },
    Scope { facts: FactsId, scope: ScopeIx, place: Place },
}

/// A scope whose declarations a module has: its own, an included file's, or that of a macro's tokens.
#[derive(Clone, Debug)]
pub struct Part {
    /// The facts.
    pub facts: FactsId,
    /// The scope in them.
    pub scope: ScopeIx,
    pub(super) place: Place,
}

/// What a module declares, by name.
#[derive(Debug, Default)]
pub struct Table {
    pub(super) names: BTreeMap<Name, Vec<Entry>>,
    pub(super) globs: Vec<(usize, usize)>,
    /// `use path as _`.
    pub(super) underscores: Vec<(usize, usize)>,
    /// Impls, in source order.
    pub impls: Vec<ItemId>,
    /// All items, in source order.
    pub items: Vec<ItemId>,
    /// Uses, as (part, use), in source order.
    pub uses: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    Item(ItemId),
    Use(usize, usize),
}

impl Module {
    pub(super) fn root(krate: KrateId, name: Name, path: Utf8PathBuf) -> Self {
        let place = Place::owner(&path);
        Self::new(krate, None, name, ModuleSource::File { path, place })
    }

    fn new(krate: KrateId, parent: Option<ModuleId>, name: Name, source: ModuleSource) -> Self {
        Self {
            krate,
            parent,
            name,
            block: false,
            declared: None,
            broken: None,
            broken_at: None,
            source,
            parts: Vec::new(),
            loaded: false,
            opaque: Vec::new(),
            macro_use: false,
        }
    }

    /// The scopes whose declarations it has; empty before it was loaded.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The file that holds it, where it has one of its own.
    pub fn file(&self) -> Option<&Utf8PathBuf> {
        match &self.source {
            ModuleSource::File { path, .. } => Some(path),
            ModuleSource::Scope { .. } => None,
        }
    }
}

impl World<'_> {
    /// Reads a module's declarations, its includes and the items that its macros declare.
    pub fn load(&mut self, id: ModuleId) {
        if self.module(id).loaded {
            return;
        }
        self.modules[id.at()].loaded = true;
        let first = match &self.module(id).source {
            ModuleSource::Scope { facts, scope, place } => {
                Ok(Part { facts: *facts, scope: *scope, place: place.clone() })
            }
            ModuleSource::File { path, place } => {
                let (path, place) = (path.clone(), place.clone());
                self.parse(&path).map(|facts| Part { facts, scope: ScopeIx(0), place })
            }
        };
        match first {
            Ok(part) => self.add_part(id, part, 0),
            Err(broken) => self.modules[id.at()].broken = Some(broken),
        }
    }

    fn add_part(&mut self, id: ModuleId, part: Part, depth: usize) {
        if depth > 32 || self.module(id).parts.len() > 10_000 {
            return;
        }
        self.modules[id.at()].parts.push(part.clone());
        let facts = self.facts(part.facts).clone();
        for &item in &facts[part.scope].items {
            let ItemKind::MacroCall(call) = &facts[item].kind else { continue };
            if let Some(include) = &call.include {
                self.include(id, &part, include, call.span, depth);
            }
            self.add_macro_scope(id, &part, part.facts, &call.body, depth);
        }
    }

    fn add_macro_scope(&mut self, id: ModuleId, part: &Part, facts: FactsId, body: &MacroBody, depth: usize) {
        if let Some(scope) = body.scope {
            self.add_part(id, Part { facts, scope, place: part.place.clone() }, depth + 1);
        }
    }

    fn include(&mut self, id: ModuleId, part: &Part, include: &Include, span: Span, depth: usize) {
        if let Include::Opaque(_) = include {
            self.modules[id.at()].opaque.push(span);
            return;
        }
        let Some(path) = self.included_path(id, self.facts(part.facts).file, include) else { return };
        match self.parse(&path) {
            Ok(facts) => {
                let place = Place::owner(&path);
                self.by_file.entry(path).or_default().push(id);
                self.add_part(id, Part { facts, scope: ScopeIx(0), place }, depth + 1);
            }
            Err(broken) => {
                self.modules[id.at()].broken = Some(broken);
                self.modules[id.at()].broken_at = Some(span);
            }
        }
    }

    /// What a module declares.
    pub fn table(&mut self, id: ModuleId) -> Rc<Table> {
        if let Some(table) = self.tables.get(&id) {
            return Rc::clone(table);
        }
        self.load(id);
        let mut table = Table::default();
        let parts = self.module(id).parts.clone();
        for (part_ix, part) in parts.iter().enumerate() {
            let facts = self.facts(part.facts).clone();
            for &item in &facts[part.scope].items {
                let item_id = self.item_id(id, part.facts, item);
                table.items.push(item_id);
                match &facts[item].kind {
                    ItemKind::Impl { .. } => table.impls.push(item_id),
                    ItemKind::MacroCall(_) => {}
                    _ => table.names.entry(facts[item].name.clone()).or_default().push(Entry::Item(item_id)),
                }
            }
            for (use_ix, import) in facts[part.scope].uses.iter().enumerate() {
                table.uses.push((part_ix, use_ix));
                match &import.binds {
                    UseBinding::Name(name) => {
                        table.names.entry(name.clone()).or_default().push(Entry::Use(part_ix, use_ix));
                    }
                    UseBinding::Glob => table.globs.push((part_ix, use_ix)),
                    UseBinding::Underscore => table.underscores.push((part_ix, use_ix)),
                }
            }
        }
        let table = Rc::new(table);
        self.tables.insert(id, Rc::clone(&table));
        table
    }

    /// The module(s) that a `mod` item declares: several where attributes name several files.
    pub fn children_of(&mut self, decl: ItemId) -> Rc<[ModuleId]> {
        if let Some(known) = self.children.get(&decl) {
            return Rc::clone(known);
        }
        let (parent, facts_id) = (self.module_of(decl), self.facts_id(decl));
        let krate = self.module(parent).krate;
        let facts = self.facts_of(decl);
        let item = &facts[self.item_ix(decl)];
        let ItemKind::Module(module) = &item.kind else { return Rc::from([]) };
        let place = self.place_of(decl);
        let mut made = Vec::new();
        let is_macro_use = match module {
            ModDecl::Inline { scope, path, macro_use } => {
                let place = place.inline(&item.name, path.as_deref());
                let source = ModuleSource::Scope { facts: facts_id, scope: *scope, place };
                made.push(Module::new(krate, Some(parent), item.name.clone(), source));
                *macro_use
            }
            ModDecl::File { paths, usual, macro_use } => {
                let mut candidates: Vec<(Utf8PathBuf, Place)> = Vec::new();
                for path in paths {
                    let path = place.paths.join(path);
                    candidates.push((path.clone(), Place::owner(&path)));
                }
                let mut tried: Vec<String> = candidates.iter().map(|(path, _)| self.files.shown(path)).collect();
                candidates.retain(|(path, _)| path.is_file() || self.files.known(path).is_some());
                if *usual {
                    let usual = place.usual(&item.name);
                    tried.extend(usual.iter().map(|(path, _)| self.files.shown(path)));
                    candidates.extend(usual.into_iter().find(|(path, _)| path.is_file()));
                }
                if candidates.is_empty() {
                    let path = place.children.join(format!("{}.rs", item.name));
                    let source = ModuleSource::File { place: Place::beside(&path), path };
                    let mut missing = Module::new(krate, Some(parent), item.name.clone(), source);
                    missing.loaded = true;
                    if self.is_written_by_build(krate, &item.name) {
                        missing.opaque.push(item.name_span);
                    }
                    missing.broken = Some(Broken::Missing { name: item.name.to_string(), tried });
                    made.push(missing);
                }
                for (path, place) in candidates {
                    let source = ModuleSource::File { path, place };
                    made.push(Module::new(krate, Some(parent), item.name.clone(), source));
                }
                *macro_use
            }
        };
        let mut ids = Vec::with_capacity(made.len());
        for mut module in made {
            module.declared = Some(decl);
            module.macro_use = is_macro_use;
            // A file that mounts itself again would grow the tree without end.
            if self.depth(parent) > 128 {
                module.loaded = true;
            }
            ids.push(self.add_module(module));
        }
        let ids: Rc<[ModuleId]> = ids.into();
        self.children.insert(decl, Rc::clone(&ids));
        ids
    }

    /// Whether a module without a file may be one that the package's build script writes: the script has its
    /// name.
    fn is_written_by_build(&self, krate: KrateId, name: &Name) -> bool {
        let script = self.workspace.package(self.krate(krate).package).build_script.as_ref();
        let file = script.and_then(|script| self.files.load(script).ok()).map(|file| self.files.get(file));
        file.is_some_and(|file| each_word(file.text.as_bytes()).any(|word| *word == **name))
    }

    /// The module of a block that has items or imports of its own.
    pub fn block(&mut self, parent: ModuleId, facts: FactsId, scope: ScopeIx) -> ModuleId {
        if let Some(&known) = self.blocks.get(&(parent, facts, scope.0)) {
            return known;
        }
        let place = self.module(parent).parts.first().map(|part| part.place.clone());
        let place = place.unwrap_or_else(|| Place::owner("".into()));
        let krate = self.module(parent).krate;
        let source = ModuleSource::Scope { facts, scope, place };
        let mut module = Module::new(krate, Some(parent), Name::from(""), source);
        module.block = true;
        let id = self.add_module(module);
        self.blocks.insert((parent, facts, scope.0), id);
        id
    }

    /// The file that an inclusion in a module's file means; none for one that a build writes.
    pub fn included_path(&self, module: ModuleId, from: FileId, include: &Include) -> Option<Utf8PathBuf> {
        match include {
            Include::Relative(path) => Some(self.files.get(from).absolute.parent()?.join(path)),
            Include::Manifest(path) => {
                let folder = self.workspace.package(self.package_of(module)).manifest.parent()?;
                Some(folder.join(path.trim_start_matches('/')))
            }
            Include::Opaque(_) => None,
        }
    }

    /// The file of an `include!` in an expression, as a module of its own within `parent`.
    pub fn included(&mut self, parent: ModuleId, path: &camino::Utf8Path) -> Option<ModuleId> {
        if let Some(&known) = self.included.get(&(parent, path.to_owned())) {
            return Some(known);
        }
        if self.depth(parent) > 128 {
            return None;
        }
        let krate = self.module(parent).krate;
        let source = ModuleSource::File { path: path.to_owned(), place: Place::owner(path) };
        let mut module = Module::new(krate, Some(parent), Name::from(""), source);
        module.block = true;
        let id = self.add_module(module);
        self.included.insert((parent, path.to_owned()), id);
        self.load(id);
        if self.module(id).broken.is_some() {
            self.solving.note(Note::Broken(id));
        }
        Some(id)
    }

    /// The module in a file of its own that an invocation declares under this name, if there is the file.
    pub(super) fn macro_module(&mut self, parent: ModuleId, call: ItemId, name: &Name) -> Option<ModuleId> {
        let key = (parent, name.clone());
        if let Some(known) = self.macro_modules.get(&key) {
            return *known;
        }
        let found = self.place_of(call).usual(name).into_iter().find(|(path, _)| path.is_file());
        let made = found.filter(|_| self.depth(parent) <= 128).map(|(path, place)| {
            let krate = self.module(parent).krate;
            let mut module = Module::new(krate, Some(parent), name.clone(), ModuleSource::File { path, place });
            module.declared = Some(call);
            self.add_module(module)
        });
        self.macro_modules.insert(key, made);
        made
    }

    fn place_of(&self, decl: ItemId) -> Place {
        let (module, facts) = (self.module(self.module_of(decl)), self.facts_id(decl));
        let part = module.parts.iter().find(|part| part.facts == facts).or(module.parts.first());
        part.map_or_else(|| Place::owner("".into()), |part| part.place.clone())
    }

    fn depth(&self, mut id: ModuleId) -> usize {
        let mut depth = 0;
        while let Some(parent) = self.module(id).parent {
            depth += 1;
            id = parent;
        }
        depth
    }

    /// The enclosing module that is no block.
    pub fn real_module(&self, mut id: ModuleId) -> ModuleId {
        while let (true, Some(parent)) = (self.module(id).block, self.module(id).parent) {
            id = parent;
        }
        id
    }

    /// Whether `inner` is `outer` or stands in it.
    pub fn is_within(&self, inner: ModuleId, outer: ModuleId) -> bool {
        let mut at = Some(inner);
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            at = self.module(id).parent;
        }
        false
    }
}
