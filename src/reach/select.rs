//! What a lease selects: by Rust path, by file, by package.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;

use super::{Anchor, Anchored, Target};
use crate::{
    base::{FileId, Span, Spanned},
    config::{Lease, Refusal, path_globs},
    finding::Problem,
    project::same_name,
    resolve::{FactsId, ImplFor, ItemId, ModuleId, Res},
    source::{Fields, ItemKind},
    types::{Context, Reader, Ty},
};

/// A local coordinator.
#[derive(Clone, Debug)]
pub struct LocalCoordinator {
    /// As the rules file writes it.
    pub written: Spanned<String>,
    /// What it names.
    pub at: BTreeSet<Anchor>,
}

/// A workload.
#[derive(Clone, Debug)]
pub struct Workload {
    /// As the rules file writes it.
    pub written: Spanned<String>,
    /// What it names.
    pub at: BTreeSet<Anchor>,
}

/// What a lease selects, and where its routes end.
#[derive(Debug, Default)]
pub struct Selection {
    /// What is selected, in source order.
    pub targets: Vec<Target>,
    /// Selected modules.
    pub modules: BTreeSet<ModuleId>,
    /// Those of them that are selected with all that stands in them and below.
    pub whole: BTreeSet<ModuleId>,
    /// Selected items.
    pub items: BTreeSet<ItemId>,
    /// Files that hold something selected.
    pub files: BTreeSet<FileId>,
    /// Files in the lease's folders that no `mod` reaches, as shown.
    pub orphans: BTreeSet<String>,
    /// Generated code in selected modules.
    pub opaque: Vec<Span>,
    /// Local coordinators.
    pub coordinators: Vec<LocalCoordinator>,
    /// Local coordinators that were carved out of the selection, by their number.
    pub carved: BTreeSet<usize>,
    /// Workloads.
    pub workloads: Vec<Workload>,
}

/// Finds what a lease selects.
///
/// `local` are those of the lease's coordinators that are local paths.
///
/// # Errors
/// Every path, glob and package that selects nothing, and every module on the lease path that cannot
/// be read.
pub fn select(reader: &mut Reader<'_>, lease: &Lease, local: &[&Spanned<String>]) -> Result<Selection, Vec<Problem>> {
    let mut selector = Selector { reader, selection: Selection::default(), problems: Vec::new(), only: None };
    selector.anchors(lease, local);
    for module in &lease.modules {
        selector.by_path(module);
    }
    for package in &lease.packages {
        selector.by_package(package);
    }
    for glob in &lease.files {
        selector.by_glob(glob);
    }
    selector.finish(lease)
}

struct Selector<'r, 'a> {
    reader: &'r mut Reader<'a>,
    selection: Selection,
    problems: Vec<Problem>,
    /// For a selection by file: only what stands in these facts.
    only: Option<BTreeSet<FactsId>>,
}

impl Selector<'_, '_> {
    fn anchors(&mut self, lease: &Lease, local: &[&Spanned<String>]) {
        for &written in local {
            if let Some(at) = self.anchored(written) {
                self.selection.coordinators.push(LocalCoordinator { written: written.clone(), at });
            }
        }
        for written in &lease.workloads {
            if let Some(at) = self.anchored(written) {
                self.selection.workloads.push(Workload { written: written.clone(), at });
            }
        }
    }

    fn anchored(&mut self, written: &Spanned<String>) -> Option<BTreeSet<Anchor>> {
        match self.reader.anchor(&written.value) {
            Anchored::At(at) => Some(at),
            Anchored::Nowhere(known) => {
                let known = known.iter().map(String::as_str).collect();
                self.problems.push(Refusal::UnknownPath { written: &written.value, known }.at(written));
                None
            }
            Anchored::Outside(krate) => {
                self.problems.push(Refusal::OutsidePath { written: &written.value, krate: &krate }.at(written));
                None
            }
            Anchored::Broken(module) => {
                self.problems.push(self.reader.broken_problem(module, written.span));
                None
            }
        }
    }

    fn by_path(&mut self, written: &Spanned<String>) {
        let Some(at) = self.anchored(written) else { return };
        for anchor in at {
            if let Some(holder) = self.coordinator_of(&anchor) {
                let holder = &self.selection.coordinators[holder].written;
                self.problems.push(Refusal::CoordinatorHoldsLease { written: &holder.value }.at(holder));
                continue;
            }
            match anchor {
                Anchor::Module(module) => self.module(module),
                Anchor::Item(item) => {
                    self.item(item);
                    // An alias that the rules name is another name of the type.
                    if let ItemKind::Alias { of: Some(_), .. } = &self.reader.item(item).kind {
                        let cx = Context::new(self.reader, item, None);
                        if let Ty::Local(of, _) = cx.lower_item(self.reader, item) {
                            self.item(of);
                        }
                    }
                }
                Anchor::Parameter(..) | Anchor::Field(..) => {
                    self.problems.push(Problem {
                        message: format!("`{}` is a parameter or field, which a lease cannot be", written.value),
                        place: Some(written.span),
                        help: "name the module, type or function that it belongs to".to_owned(),
                    });
                }
            }
        }
    }

    fn by_package(&mut self, written: &Spanned<String>) {
        let workspace = self.reader.workspace;
        let found = workspace.local().find(|(_, package)| same_name(&package.name, &written.value)).map(|(id, _)| id);
        let Some(id) = found else {
            let name = written.value.as_str();
            let refusal = if workspace.packages.iter().any(|package| same_name(&package.name, name)) {
                Refusal::NotLocal { written: name }
            } else {
                let known = workspace.local().map(|(_, package)| package.name.as_str()).collect();
                Refusal::UnknownPackage { written: name, known }
            };
            self.problems.push(refusal.at(written));
            return;
        };
        let roots: Vec<ModuleId> =
            self.reader.krates().filter(|(_, krate)| krate.package == id).map(|(_, krate)| krate.root).collect();
        for root in roots {
            if let Some(holder) = self.coordinator_of(&Anchor::Module(root)) {
                let holder = &self.selection.coordinators[holder].written;
                self.problems.push(Refusal::CoordinatorHoldsLease { written: &holder.value }.at(holder));
                continue;
            }
            self.module(root);
        }
    }

    fn by_glob(&mut self, written: &Spanned<String>) {
        let Ok(globs) = path_globs([written.value.as_str()]) else { return };
        self.reader.expand_all();
        let placed: Vec<Utf8PathBuf> = self.reader.placed_files().map(|(path, _)| path.clone()).collect();
        let mut hit = false;
        for path in &placed {
            if !globs.is_match(self.reader.files.shown(path)) {
                continue;
            }
            hit = true;
            for module in self.reader.modules_of_file(path) {
                if self.coordinator_of(&Anchor::Module(module)).is_some() {
                    continue;
                }
                self.reader.load(module);
                let of_file =
                    |reader: &Reader<'_>, id: FactsId| reader.files.get(reader.facts(id).file).absolute == *path;
                let facts = self.reader.module(module).parts().iter().map(|part| part.facts);
                self.only = Some(facts.filter(|&id| of_file(self.reader, id)).collect());
                self.module(module);
                self.only = None;
            }
        }
        let literal = written.value.split(['*', '?', '[', '{']).next().unwrap_or_default();
        let folder = literal.rsplit_once('/').map_or("", |(folder, _)| folder);
        let folder = self.reader.files.root().join(folder);
        let mut first = None;
        for orphan in self.reader.unplaced_below([&folder], &placed) {
            let shown = self.reader.files.shown(&orphan);
            if globs.is_match(&shown) {
                first.get_or_insert_with(|| shown.clone());
                self.selection.orphans.insert(shown);
            }
        }
        if !hit {
            let orphan = first.as_deref();
            self.problems.push(Refusal::NoFile { written: &written.value, orphan }.at(written));
        }
    }

    fn push(&mut self, target: Target, span: Span) {
        self.selection.files.insert(span.file);
        self.selection.targets.push(target);
    }

    fn module(&mut self, id: ModuleId) {
        if let Some(carved) = self.coordinator_of(&Anchor::Module(id)) {
            self.selection.carved.insert(carved);
            return;
        }
        self.reader.load(id);
        if self.reader.module(id).broken.is_some() || self.reader.is_scanned(id) {
            let span = self.reader.module(id).declared.map(|decl| self.reader.item(decl).name_span);
            let problem = self.reader.broken_problem_at(id, span);
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
            return;
        }
        if self.only.is_none() && !self.selection.modules.insert(id) {
            return;
        }
        self.selection.modules.insert(id);
        if self.only.is_none() {
            self.selection.whole.insert(id);
        }
        self.selection.opaque.extend(self.reader.module(id).opaque.clone());
        let table = self.reader.table(id);
        for by in self.reader.uses(id) {
            let span = self.reader.use_of(by).span;
            if !self.in_file(span) {
                continue;
            }
            self.push(Target::Import(by), span);
            if self.reader.use_of(by).public {
                for found in self.reader.resolve_use(by).iter() {
                    match found.res {
                        Res::Item(item) | Res::Variant(item, _) => self.item(item),
                        Res::Module(module) if !self.reader.is_within(id, module) => self.module(module),
                        _ => {}
                    }
                }
            }
        }
        for &item in &table.items {
            if !self.in_file(self.reader.item(item).span) {
                continue;
            }
            match &self.reader.item(item).kind {
                ItemKind::Module(decl) => {
                    // A file selects what stands in it; a module, all that stands below it.
                    let inline = matches!(decl, crate::source::Module::Inline { .. });
                    if self.only.is_none() || inline {
                        for child in self.reader.children_of(item).to_vec() {
                            self.module(child);
                        }
                    }
                }
                ItemKind::Impl { .. } => self.impl_(item),
                ItemKind::MacroCall(_) => {
                    self.item_here(item);
                    if self.only.is_none() {
                        for child in self.reader.macro_modules(item) {
                            self.module(child);
                        }
                    }
                }
                ItemKind::MacroRules { .. } => {
                    let span = self.reader.item(item).span;
                    self.selection.items.insert(item);
                    self.push(Target::Macro(item, id), span);
                }
                _ => self.item_here(item),
            }
        }
    }

    fn in_file(&self, span: Span) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|&facts| self.reader.facts(facts).file == span.file))
    }

    /// An item that the rules name, or that a selected module hands on: a type comes with its impls.
    fn item(&mut self, item: ItemId) {
        let only = self.only.take();
        match &self.reader.item(item).kind {
            ItemKind::Struct(_) | ItemKind::Enum(_) => {
                self.item_here(item);
                for one in self.reader.impls_naming(item).to_vec() {
                    if self.reader.is_impl_for(one, item) {
                        self.impl_(one);
                    }
                }
            }
            ItemKind::Impl { .. } => self.impl_(item),
            ItemKind::MacroRules { .. } => {
                let module = self.reader.module_of(item);
                let span = self.reader.item(item).span;
                self.selection.items.insert(item);
                self.push(Target::Macro(item, module), span);
            }
            _ => self.item_here(item),
        }
        self.only = only;
    }

    fn item_here(&mut self, item: ItemId) {
        if let Some(carved) = self.coordinator_of(&Anchor::Item(item)) {
            self.selection.carved.insert(carved);
            return;
        }
        if !self.selection.items.insert(item) {
            return;
        }
        let span = self.reader.item(item).span;
        self.push(Target::Item(item), span);
        match &self.reader.item(item).kind {
            ItemKind::Struct(fields) => {
                let count = count(fields);
                self.fields(item, None, count, span);
                self.push(Target::Derived(item), span);
            }
            ItemKind::Enum(variants) => {
                let counts: Vec<u32> = variants.iter().map(|variant| count(&variant.fields)).collect();
                for (variant, count) in (0..).zip(counts) {
                    self.fields(item, Some(variant), count, span);
                }
                self.push(Target::Derived(item), span);
            }
            ItemKind::Trait { .. } => {
                for member in self.reader.members(item) {
                    self.item_here(member);
                }
            }
            _ => {}
        }
    }

    fn fields(&mut self, item: ItemId, variant: Option<u32>, count: u32, span: Span) {
        for field in 0..count {
            self.push(Target::Field(item, variant, field), span);
        }
    }

    fn impl_(&mut self, item: ItemId) {
        if self.coordinator_of(&Anchor::Item(item)).is_some() || !self.selection.items.insert(item) {
            return;
        }
        let span = self.reader.item(item).span;
        self.push(Target::Item(item), span);
        for member in self.reader.members(item) {
            self.item_here(member);
        }
    }

    fn coordinator_of(&mut self, anchor: &Anchor) -> Option<usize> {
        for (index, coordinator) in self.selection.coordinators.iter().enumerate() {
            for place in &coordinator.at {
                if self.reader.holds(place, anchor) {
                    return Some(index);
                }
            }
        }
        None
    }

    fn finish(mut self, lease: &Lease) -> Result<Selection, Vec<Problem>> {
        if self.problems.is_empty() && self.selection.targets.is_empty() {
            self.problems.push(Problem {
                message: format!("the lease `{}` selects nothing", lease.name.value),
                place: Some(lease.name.span),
                help: "the modules, files or packages that it names are empty; name the code that renews the lease"
                    .to_owned(),
            });
        }
        self.lease_folder_orphans();
        if self.problems.is_empty() { Ok(self.selection) } else { Err(self.problems) }
    }

    /// Rust files beside and below the selected files that belong to no module.
    fn lease_folder_orphans(&mut self) {
        let mut folders: BTreeMap<Utf8PathBuf, ()> = BTreeMap::new();
        for &module in &self.selection.modules {
            if let Some(path) = self.reader.module(module).file()
                && path.file_name() == Some("mod.rs")
                && let Some(folder) = path.parent()
            {
                folders.insert(folder.to_owned(), ());
            }
            if let Some(path) = self.reader.module(module).file() {
                let beside = path.with_extension("");
                if self.reader.module(module).parent.is_some() {
                    folders.insert(beside, ());
                }
            }
        }
        if folders.is_empty() {
            return;
        }
        let krates: BTreeSet<_> =
            self.selection.modules.iter().map(|&module| self.reader.module(module).krate).collect();
        self.reader.expand(&krates.into_iter().collect::<Vec<_>>());
        let placed: Vec<Utf8PathBuf> = self.reader.placed_files().map(|(path, _)| path.clone()).collect();
        for orphan in self.reader.unplaced_below(folders.keys(), &placed) {
            self.selection.orphans.insert(self.reader.files.shown(&orphan));
        }
    }
}

fn count(fields: &Fields) -> u32 {
    u32::try_from(fields.fields.len()).unwrap_or(u32::MAX)
}

impl Reader<'_> {
    /// Whether a place is another, or holds it.
    pub fn holds(&mut self, outer: &Anchor, inner: &Anchor) -> bool {
        let inner_item = match inner {
            Anchor::Module(_) => None,
            Anchor::Item(item) | Anchor::Parameter(item, _) | Anchor::Field(item, ..) => Some(*item),
        };
        match (outer, inner) {
            (Anchor::Module(outer), Anchor::Module(inner)) => self.is_within(*inner, *outer),
            (Anchor::Module(outer), _) => inner_item.is_some_and(|item| self.is_within(self.module_of(item), *outer)),
            (Anchor::Item(outer), _) => {
                let Some(item) = inner_item else { return false };
                if item == *outer {
                    return true;
                }
                let owner = self.owner(item).unwrap_or(item);
                owner == *outer
                    || (matches!(self.item(owner).kind, ItemKind::Impl { .. })
                        && self.impl_for(owner) == ImplFor::Local(*outer))
            }
            (outer, inner) => outer == inner,
        }
    }

    /// What is wrong with a module on the lease path, said at the `mod` that declares it.
    pub fn broken_problem(&mut self, module: ModuleId, otherwise: Span) -> Problem {
        let declared = self.module(module).declared.map(|decl| self.item(decl).name_span);
        self.broken_problem_at(module, Some(declared.unwrap_or(otherwise)))
    }

    /// What is wrong with a module, said at a place.
    pub fn broken_problem_at(&mut self, module: ModuleId, place: Option<Span>) -> Problem {
        let module = self.module(module);
        if let Some(broken) = &module.broken {
            let own = match broken {
                crate::resolve::Broken::Unparsable(error) => Some(error.span),
                _ => None,
            };
            let message = match (own, module.file()) {
                (Some(_), Some(path)) => {
                    format!(
                        "`{}`, which is on the lease path, is no Rust: {}",
                        self.files.shown(path),
                        broken.message()
                    )
                }
                _ => broken.message(),
            };
            return Problem { message, place: own.or(module.broken_at).or(place), help: broken.help() };
        }
        let error = module.parts().iter().find_map(|part| self.facts(part.facts).error.clone());
        let shown = module.file().map(|path| self.files.shown(path)).unwrap_or_default();
        match error {
            Some(error) => Problem {
                message: format!("`{shown}`, which is on the lease path, does not parse: {}", error.message),
                place: Some(error.span),
                help: "make it compile, then run the check again".to_owned(),
            },
            None => Problem { message: format!("`{shown}` cannot be looked at"), place, help: String::new() },
        }
    }
}
