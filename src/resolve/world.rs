//! Everything that was read, and the numbers that later floors name it by.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    rc::Rc,
    sync::Arc,
};

use camino::{Utf8Path, Utf8PathBuf};

use super::{
    Broken, Found, ImplFor, Module, ModuleId, Res, Space,
    declared::{Declarations, OpenNames},
    impls::{BySecondWord, HeaderWords},
    modules::{ModuleSource, Table},
    solving::{Gathered, Kept, Note, Solving},
    words::WordIndex,
};
use crate::{
    base::{FileId, Files, normalise},
    project::{PackageId, TargetKind, Workspace},
    source::{self, Facts, Item, ItemIx, ItemKind, Name},
};

macro_rules! number {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(super) u32);

        impl $name {
            /// The number after the last of a table of this length.
            pub(super) fn next(len: usize) -> Self {
                Self(u32::try_from(len).unwrap_or(u32::MAX))
            }
            /// As an index.
            pub(super) fn at(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

number! {
    /// A crate: one target of a local package.
    KrateId;
    /// A file's facts.
    FactsId;
    /// An item at one place of the module tree (a file mounted twice has its items twice).
    ItemId;
}

/// A crate.
#[derive(Debug)]
pub struct Krate {
    /// The package.
    pub package: PackageId,
    /// As source names it.
    pub name: Name,
    /// Library, or binary.
    pub kind: TargetKind,
    /// 2015 to 2024.
    pub edition: u16,
    /// Its root module.
    pub root: ModuleId,
}

/// A name in a module, in which namespace, and whether it is asked for from within.
type NameKey = (ModuleId, Name, Space, bool);
/// An import by its module, part and number, in which namespace.
type ImportKey = (ModuleId, usize, usize, Space);
/// The trait of an impl, and what it is for.
type ImplHead = Rc<(Option<Res>, ImplFor)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ItemKey {
    pub module: ModuleId,
    pub facts: FactsId,
    pub item: ItemIx,
}

/// The crates of all local packages, as far as they were read.
#[derive(Debug)]
pub struct World<'a> {
    /// The files.
    pub files: &'a Files,
    /// The packages.
    pub workspace: &'a Workspace,
    pub(super) krates: Vec<Krate>,
    pub(super) modules: Vec<Module>,
    pub(super) tables: HashMap<ModuleId, Rc<Table>>,
    pub(super) children: HashMap<ItemId, Rc<[ModuleId]>>,
    pub(super) blocks: HashMap<(ModuleId, FactsId, u32), ModuleId>,
    pub(super) included: HashMap<(ModuleId, Utf8PathBuf), ModuleId>,
    pub(super) items: Vec<ItemKey>,
    item_ids: HashMap<ItemKey, ItemId>,
    pub(super) facts: Vec<Arc<Facts>>,
    facts_by_file: HashMap<FileId, Result<FactsId, source::ParseError>>,
    pub(super) solving: Solving,
    pub(super) found: HashMap<NameKey, Kept<Rc<[Found]>>>,
    pub(super) imports: HashMap<ImportKey, Kept<Rc<[Found]>>>,
    pub(super) globs: HashMap<ModuleId, Kept<Rc<[Found]>>>,
    /// Of modules whose globs are being resolved: what is known so far.
    pub(super) open_globs: HashMap<ModuleId, Rc<[Found]>>,
    pub(super) expanded: BTreeSet<KrateId>,
    pub(super) by_file: BTreeMap<Utf8PathBuf, Vec<ModuleId>>,
    pub(super) macro_files: HashMap<KrateId, Rc<BTreeMap<Name, Vec<Utf8PathBuf>>>>,
    pub(super) dependents: HashMap<PackageId, Rc<[PackageId]>>,
    pub(super) words: HashMap<PackageId, Rc<WordIndex>>,
    pub(super) impls_in: HashMap<Utf8PathBuf, Rc<[HeaderWords]>>,
    pub(super) impls_by_word: HashMap<ItemId, BySecondWord<Rc<[ItemId]>>>,
    pub(super) impls_of: HashMap<ItemId, BySecondWord<Kept<Rc<[ItemId]>>>>,
    pub(super) impl_heads: HashMap<ItemId, Kept<ImplHead>>,
    pub(super) impls_by_macro: HashMap<ItemId, Rc<[ItemId]>>,
    pub(super) declarations: HashMap<ItemId, Kept<Rc<Declarations>>>,
    pub(super) open_names: HashMap<ItemId, Rc<OpenNames>>,
    pub(super) macro_modules: HashMap<(ModuleId, Name), Option<ModuleId>>,
    roots: Vec<Utf8PathBuf>,
    /// Files that may be read, and folders with their links followed.
    passed: RefCell<HashSet<Utf8PathBuf>>,
    real_folders: RefCell<HashMap<Utf8PathBuf, Utf8PathBuf>>,
}

impl<'a> World<'a> {
    /// The local packages' crates, nothing read yet. `source_roots` are further folders (absolute)
    /// that modules may lead to.
    pub fn new(files: &'a Files, workspace: &'a Workspace, source_roots: &[Utf8PathBuf]) -> Self {
        let packages = workspace.local().filter_map(|(_, package)| package.manifest.parent().map(Utf8Path::to_owned));
        let roots = std::iter::once(workspace.root.clone()).chain(packages).chain(source_roots.iter().cloned());
        let roots = roots.map(|root| root.canonicalize_utf8().unwrap_or(root)).collect();
        let mut world = Self {
            files,
            workspace,
            krates: Vec::new(),
            modules: Vec::new(),
            tables: HashMap::new(),
            children: HashMap::new(),
            blocks: HashMap::new(),
            included: HashMap::new(),
            items: Vec::new(),
            item_ids: HashMap::new(),
            facts: Vec::new(),
            facts_by_file: HashMap::new(),
            solving: Solving::default(),
            found: HashMap::new(),
            imports: HashMap::new(),
            globs: HashMap::new(),
            open_globs: HashMap::new(),
            expanded: BTreeSet::new(),
            by_file: BTreeMap::new(),
            macro_files: HashMap::new(),
            dependents: HashMap::new(),
            words: HashMap::new(),
            impls_in: HashMap::new(),
            impls_by_word: HashMap::new(),
            impls_of: HashMap::new(),
            impl_heads: HashMap::new(),
            impls_by_macro: HashMap::new(),
            declarations: HashMap::new(),
            open_names: HashMap::new(),
            macro_modules: HashMap::new(),
            roots,
            passed: RefCell::default(),
            real_folders: RefCell::default(),
        };
        for (id, package) in workspace.local() {
            for target in package.targets.iter().filter(|target| target.kind != TargetKind::ProcMacro) {
                let krate = KrateId::next(world.krates.len());
                let name: Name = target.name.as_str().into();
                let root = world.add_module(Module::root(krate, name.clone(), target.root.clone()));
                world.krates.push(Krate { package: id, name, kind: target.kind, edition: target.edition, root });
            }
        }
        world
    }

    /// A crate.
    pub fn krate(&self, id: KrateId) -> &Krate {
        &self.krates[id.at()]
    }

    /// All crates, in the order of packages and targets.
    pub fn krates(&self) -> impl Iterator<Item = (KrateId, &Krate)> {
        (0u32..).map(KrateId).zip(&self.krates)
    }

    /// The library crate of a local package.
    pub fn library(&self, package: PackageId) -> Option<KrateId> {
        self.krates().find(|(_, krate)| krate.package == package && krate.kind == TargetKind::Library).map(|(id, _)| id)
    }

    /// A module.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.at()]
    }

    /// The package that a module belongs to.
    pub fn package_of(&self, module: ModuleId) -> PackageId {
        self.krate(self.module(module).krate).package
    }

    /// A file's facts.
    pub fn facts(&self, id: FactsId) -> &Arc<Facts> {
        &self.facts[id.at()]
    }

    /// The facts that an item stands in.
    pub fn facts_of(&self, item: ItemId) -> Arc<Facts> {
        Arc::clone(self.facts(self.items[item.at()].facts))
    }

    /// The number of the facts that an item stands in.
    pub fn facts_id(&self, item: ItemId) -> FactsId {
        self.items[item.at()].facts
    }

    /// The item's number within its facts.
    pub fn item_ix(&self, item: ItemId) -> ItemIx {
        self.items[item.at()].item
    }

    /// An item.
    pub fn item(&self, id: ItemId) -> &Item {
        let key = self.items[id.at()];
        &self.facts[key.facts.at()][key.item]
    }

    /// The module that an item stands in (a block's own, for an item in a block).
    pub fn module_of(&self, item: ItemId) -> ModuleId {
        self.items[item.at()].module
    }

    /// The number of an item.
    pub fn item_id(&mut self, module: ModuleId, facts: FactsId, item: ItemIx) -> ItemId {
        let key = ItemKey { module, facts, item };
        let next = ItemId::next(self.items.len());
        let id = *self.item_ids.entry(key).or_insert(next);
        if id == next {
            self.items.push(key);
        }
        id
    }

    /// An item of the same file and module, such as a member.
    pub fn sibling(&mut self, of: ItemId, item: ItemIx) -> ItemId {
        let key = self.items[of.at()];
        self.item_id(key.module, key.facts, item)
    }

    /// The trait or impl that an item is a member of.
    pub fn owner(&mut self, item: ItemId) -> Option<ItemId> {
        let owner = self.item(item).owner?;
        Some(self.sibling(item, owner))
    }

    /// The members of a trait or impl.
    pub fn members(&mut self, of: ItemId) -> Vec<ItemId> {
        let members = match &self.item(of).kind {
            ItemKind::Trait { members, .. } | ItemKind::Impl { members, .. } => members.clone(),
            _ => Vec::new(),
        };
        members.into_iter().map(|member| self.sibling(of, member)).collect()
    }

    /// How many files were parsed, and how many of their macros were scanned.
    pub fn counted(&self) -> (usize, usize) {
        let scanned = self.facts.iter().map(|facts| facts.macros_scanned as usize).sum();
        (self.facts.iter().filter(|facts| facts.error.is_none()).count(), scanned)
    }

    pub(super) fn add_module(&mut self, module: Module) -> ModuleId {
        let id = ModuleId::next(self.modules.len());
        if let ModuleSource::File { path, .. } = &module.source {
            self.by_file.entry(path.clone()).or_default().push(id);
        }
        self.modules.push(module);
        id
    }

    /// Parses a file once; says what is wrong with it where it cannot be read at all.
    pub(super) fn parse(&mut self, path: &Utf8Path) -> Result<FactsId, Broken> {
        self.allowed(path)?;
        let file = self.files.load(path).map_err(|error| Broken::unreadable(self.files.shown(path), &error))?;
        if let Some(known) = self.facts_by_file.get(&file) {
            return known.clone().map_err(Broken::Unparsable);
        }
        let read = source::read(self.files, file);
        self.enter(file, read).map_err(Broken::Unparsable)
    }

    /// Parses many files side by side, so that later look-ups find them done. What is wrong with
    /// one shows when it is looked up.
    pub fn parse_ahead(&mut self, paths: impl IntoIterator<Item = Utf8PathBuf>) {
        let mut wanted: Vec<FileId> = Vec::new();
        for path in paths {
            if self.allowed(&path).is_ok()
                && let Ok(file) = self.files.load(&path)
                && !self.facts_by_file.contains_key(&file)
            {
                wanted.push(file);
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        for (file, read) in wanted.iter().zip(source::read_all(self.files, &wanted)) {
            let _ = self.enter(*file, read);
        }
    }

    fn enter(&mut self, file: FileId, read: Result<Facts, source::ParseError>) -> Result<FactsId, source::ParseError> {
        let kept = read.map(|facts| {
            let id = FactsId::next(self.facts.len());
            self.facts.push(Arc::new(facts));
            id
        });
        self.facts_by_file.insert(file, kept.clone());
        kept
    }

    /// Whether a file may be read: it lies in the workspace, a local package or a source root, links
    /// followed.
    pub(super) fn allowed(&self, path: &Utf8Path) -> Result<(), Broken> {
        if self.passed.borrow().contains(path) {
            return Ok(());
        }
        let real = self.real_path(path);
        if self.roots.iter().any(|root| real.starts_with(root)) {
            self.passed.borrow_mut().insert(path.to_owned());
            return Ok(());
        }
        Err(Broken::Outside { path: self.files.shown(&real) })
    }

    /// A path with its links followed; of what does not exist, as far as it does. The links of a folder are
    /// followed once for all files in it.
    fn real_path(&self, path: &Utf8Path) -> Utf8PathBuf {
        let path = normalise(path);
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return real_path(&path) };
        if path.symlink_metadata().is_ok_and(|data| data.is_symlink()) {
            return real_path(&path);
        }
        let mut folders = self.real_folders.borrow_mut();
        let real = folders.entry(folder.to_owned()).or_insert_with(|| real_path(folder));
        real.join(name)
    }
}

impl World<'_> {
    /// Modules that a name led into although they could not be read, and modules with generated code
    /// in which a name was not found; since the last call.
    pub fn take_touched(&mut self) -> (BTreeSet<ModuleId>, BTreeSet<ModuleId>) {
        let (mut broken, mut opaque) = (BTreeSet::new(), BTreeSet::new());
        for note in self.solving.take_notes() {
            match note {
                Note::Broken(module) => drop(broken.insert(module)),
                Note::Opaque(module) => drop(opaque.insert(module)),
            }
        }
        (broken, opaque)
    }

    /// Begins an answer; what comes back goes to [`World::keep`] or [`World::forget`].
    pub fn begin(&mut self) -> Gathered {
        self.solving.start()
    }

    /// Whether something that cannot be seen was come across since the answer at hand was begun.
    pub fn is_blind(&self) -> bool {
        self.solving.has_notes()
    }

    /// An answer that was begun, with what was come across since.
    pub fn keep<T>(&mut self, before: Gathered, value: T) -> Kept<T> {
        self.solving.keep(before, value)
    }

    /// Ends what was begun, as if nothing had been come across.
    pub fn forget(&mut self, before: Gathered) {
        self.solving.forget(before);
    }

    /// An answer that was kept, if it still holds; what it came across is told again.
    pub fn recall<T: Clone>(&mut self, kept: &Kept<T>) -> Option<T> {
        self.solving.recall(kept)
    }
}

/// A path with its links followed; of what does not exist, as far as it does.
fn real_path(path: &Utf8Path) -> Utf8PathBuf {
    for folder in path.ancestors() {
        if let Ok(real) = folder.canonicalize_utf8() {
            return path.strip_prefix(folder).map_or_else(|_| path.to_owned(), |rest| real.join(rest));
        }
    }
    path.to_owned()
}
