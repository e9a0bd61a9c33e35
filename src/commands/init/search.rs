//! Where a lease may stand: modules, each by its file, and items of a crate's root.

use std::collections::BTreeMap;

use super::signs::{Seen, Signs, Strength, Sure, is_aside, name_strength};
use crate::{
    project::{PackageId, TargetKind},
    resolve::{ItemId, ModuleId},
    source::{ItemKind, Module},
    types::Reader,
};

/// Something that may hold a lease.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Its path from the crate's name.
    pub(super) path: String,
    /// Its module; for an item, the module that it stands in.
    pub(super) module: ModuleId,
    /// Whether it is an item and not the whole module.
    pub(super) item: bool,
    /// Its file, as shown.
    pub(super) file: String,
    /// Its package.
    pub(super) package: PackageId,
    /// How much its name says, and by which word.
    pub(super) name: (Strength, Option<&'static str>),
    /// What its code says.
    pub(super) seen: Seen,
    /// How sure that makes it.
    pub(super) sure: Sure,
    /// What candidates are ordered by.
    pub(super) score: u32,
}

impl Candidate {
    /// Why it was found, in a few words.
    pub(super) fn why(&self) -> String {
        let named = self.name.1.map(|word| format!("its name says `{word}`"));
        let said = Some(self.seen.words()).filter(|said| !said.is_empty());
        named.into_iter().chain(said).collect::<Vec<_>>().join("; ")
    }

    fn judged(mut self) -> Self {
        (self.sure, self.score) = self.seen.judge(self.name.0);
        self
    }
}

/// All candidates of the local packages, by path; and how many files were looked at.
pub(super) fn candidates(reader: &mut Reader<'_>, signs: &Signs) -> (Vec<Candidate>, usize) {
    reader.expand_all();
    let placed: Vec<_> = reader.placed_files().map(|(path, modules)| (path.clone(), modules.to_vec())).collect();
    let mut found: BTreeMap<String, Candidate> = BTreeMap::new();
    for (path, modules) in &placed {
        let Ok(file) = reader.files.load(path) else { continue };
        let file = reader.files.get(file);
        let seen = signs.of(&file.text);
        for module in one_for_each_path(reader, modules) {
            let candidate = candidate(reader, module, &file.path, seen.clone());
            match found.get_mut(&candidate.path) {
                Some(known) => {
                    known.seen.join(&candidate.seen);
                    *known = known.clone().judged();
                }
                None => drop(found.insert(candidate.path.clone(), candidate)),
            }
        }
    }
    let mut all = Vec::new();
    for candidate in found.into_values().filter(|candidate| candidate.sure != Sure::No) {
        let mut inner = inline(reader, signs, &candidate);
        if reader.module(candidate.module).parent.is_none() {
            inner.extend(root(reader, signs, candidate));
        } else if inner.iter().all(|inner| inner.sure != Sure::Yes) {
            inner.push(candidate);
        }
        all.extend(inner);
    }
    (all, placed.len())
}

/// A file that is mounted in a library and a binary stands for the library's module.
fn one_for_each_path(reader: &Reader<'_>, modules: &[ModuleId]) -> Vec<ModuleId> {
    let of_library = |module: &&ModuleId| {
        let module = reader.module(**module);
        reader.krate(module.krate).kind == TargetKind::Library
    };
    let named = |module: &ModuleId| {
        let module = reader.real_module(*module);
        (!is_aside(&behind_crate(&reader.module_path(module)))).then_some(module)
    };
    let library: Vec<ModuleId> = modules.iter().filter(of_library).copied().filter_map(|m| named(&m)).collect();
    if library.is_empty() { modules.iter().filter_map(named).collect() } else { library }
}

/// A path without the crate's name.
fn behind_crate(path: &str) -> String {
    path.split_once("::").map_or_else(String::new, |(_, rest)| rest.to_owned())
}

fn candidate(reader: &Reader<'_>, module: ModuleId, file: &str, seen: Seen) -> Candidate {
    let path = reader.module_path(module);
    let package = reader.package_of(module);
    let mut name = name_strength(&behind_crate(&path));
    // In a crate that is called after its lease, a module need not say so again.
    if name.0 < Strength::Medium && name_strength(&path).0 == Strength::Strong {
        name.0 = Strength::Medium;
    }
    Candidate {
        name,
        path,
        module,
        item: false,
        file: file.to_owned(),
        package,
        seen: seen.within(reader.workspace.package(package)),
        sure: Sure::No,
        score: 0,
    }
    .judged()
}

/// Modules within the file that are leases by themselves.
fn inline(reader: &mut Reader<'_>, signs: &Signs, outer: &Candidate) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut open = vec![outer.module];
    while let Some(module) = open.pop() {
        for &item in &reader.table(module).items {
            let ItemKind::Module(Module::Inline { .. }) = &reader.item(item).kind else { continue };
            let text = reader.files.text(reader.item(item).span);
            for &child in reader.children_of(item).iter() {
                let inner = candidate(reader, child, &outer.file, signs.of(&text));
                if is_aside(&behind_crate(&inner.path)) {
                    continue;
                }
                open.push(child);
                if inner.name.0 > outer.name.0 && inner.sure == Sure::Yes {
                    found.push(inner);
                }
            }
        }
    }
    found
}

/// What a crate's root says of a lease by itself: the whole crate if its name says so and nothing
/// else is in it, else the types and functions that have the words in their names.
fn root(reader: &mut Reader<'_>, signs: &Signs, mut root: Candidate) -> Vec<Candidate> {
    let items = reader.table(root.module).items.clone();
    let has_modules = items.iter().any(|&item| matches!(reader.item(item).kind, ItemKind::Module(_)));
    if !has_modules {
        root.name = name_strength(&root.path);
        root = root.judged();
        if root.name.0 >= Strength::Medium && root.sure == Sure::Yes {
            return vec![root];
        }
    }
    let named: Vec<Candidate> = items.iter().filter_map(|&item| item_candidate(reader, signs, &root, item)).collect();
    if named.is_empty() && root.sure == Sure::Yes {
        // Something in it is a lease, and no name tells what.
        root.sure = Sure::Perhaps;
        return vec![root];
    }
    named
}

fn item_candidate(reader: &Reader<'_>, signs: &Signs, root: &Candidate, item: ItemId) -> Option<Candidate> {
    let fact = reader.item(item);
    if !matches!(fact.kind, ItemKind::Fn(_) | ItemKind::Struct(_) | ItemKind::Enum(_) | ItemKind::Trait { .. }) {
        return None;
    }
    let name = name_strength(&fact.name);
    let own = signs.of(&reader.files.text(fact.span));
    let path = reader.item_path(item);
    // A type's impls stand elsewhere in the file: for it, the file speaks.
    let own = own.within(reader.workspace.package(root.package));
    let seen = if matches!(fact.kind, ItemKind::Fn(_)) { own } else { root.seen.clone() };
    let candidate = Candidate { path, item: true, name, seen, ..root.clone() }.judged();
    (candidate.name.0 >= Strength::Medium && candidate.sure == Sure::Yes).then_some(candidate)
}
