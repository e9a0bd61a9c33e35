//! Looking up one name: in a module, through its imports and globs, and from a place in code.

use std::{collections::BTreeSet, rc::Rc};

use super::{
    Found, ItemId, ModuleId, Outside, OutsideCrate, Res, UseRef, World,
    modules::Entry,
    outside::{is_primitive, prelude},
    solving::{Note, Task},
};
use crate::{
    project::{DependencyKind, TargetKind},
    source::{ItemKind, Name},
};

/// Which of the namespaces a name is wanted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Types, modules, traits.
    Type,
    /// Functions, constants, statics, constructors.
    Value,
    /// Macros.
    Macro,
    /// Any, for imports.
    Any,
}

impl World<'_> {
    /// What a name means inside a module, not looking further out.
    pub fn lookup(&mut self, module: ModuleId, name: &Name, space: Space) -> Rc<[Found]> {
        self.lookup_seen(module, name, space, true)
    }

    /// The same, for code within the module or for the globs of others, which see what is public.
    fn lookup_seen(&mut self, module: ModuleId, name: &Name, space: Space, within: bool) -> Rc<[Found]> {
        let key = (module, name.clone(), space, within);
        if let Some(known) = self.found.get(&key).and_then(|kept| self.solving.recall(kept)) {
            return known;
        }
        let before = self.solving.start();
        let found: Rc<[Found]> = self.look_up(module, name, space, within).into();
        let kept = self.solving.keep(before, Rc::clone(&found));
        self.found.insert(key, kept);
        found
    }

    fn look_up(&mut self, module: ModuleId, name: &Name, space: Space, within: bool) -> Vec<Found> {
        let table = self.table(module);
        if self.module(module).broken.is_some() {
            self.solving.note(Note::Broken(module));
        }
        let mut found = Vec::new();
        let mut shadowed = false;
        for &entry in table.names.get(name).into_iter().flatten() {
            match entry {
                _ if !within && !self.is_public(module, entry) => {
                    // What a private import means is not asked: that it has the name is enough.
                    shadowed |= match entry {
                        Entry::Item(item) => self.declared(item).iter().any(|found| self.fits(&found.res, space)),
                        Entry::Use(..) => true,
                    };
                }
                Entry::Item(item) => found.extend(self.declared(item)),
                Entry::Use(part, index) => found.extend(self.import(module, part, index, space).iter().cloned()),
            }
        }
        found.retain(|found| self.fits(&found.res, space));
        if shadowed || !found.is_empty() {
            return found;
        }
        found = self.through_globs(module, name, space, within);
        if found.is_empty() {
            if !self.module(module).opaque.is_empty() {
                self.solving.note(Note::Opaque(module));
            }
            if self.is_scanned(module) && space != Space::Macro {
                found.push(Found::of(Res::Scanned(module)));
            }
        }
        found
    }

    fn through_globs(&mut self, module: ModuleId, name: &Name, space: Space, within: bool) -> Vec<Found> {
        let targets = self.glob_targets(module);
        let mut found: Vec<Found> = Vec::new();
        if targets.is_empty() || !self.solving.open(Task::Through(module, name.clone(), space, within)) {
            return found;
        }
        for target in targets.iter() {
            if !within && target.uses.first().is_some_and(|by| !self.use_of(*by).public) {
                continue;
            }
            let inner: Rc<[Found]> = match target.res {
                Res::Module(inner) => self.lookup_seen(inner, name, space, self.is_within(module, inner)),
                Res::Item(item) => self.variant(item, name).into_iter().collect(),
                _ => continue,
            };
            for one in inner.iter() {
                if self.fits(&one.res, space) && !found.iter().any(|known| known.res == one.res) {
                    found.push(one.clone().after(target));
                }
            }
        }
        self.solving.close();
        found
    }

    /// Whether the file of a module does not parse, so that only its tokens are known.
    pub fn is_scanned(&self, module: ModuleId) -> bool {
        let module = self.module(module);
        module.file().is_some() && module.parts().iter().any(|part| self.facts(part.facts).error.is_some())
    }

    /// Whether the globs of other modules see what a module declares.
    fn is_public(&self, module: ModuleId, entry: Entry) -> bool {
        match entry {
            Entry::Item(item) => self.item(item).public || matches!(self.item(item).kind, ItemKind::MacroRules { .. }),
            Entry::Use(part, index) => self.use_of(UseRef { module, part, index }).public,
        }
    }

    fn declared(&mut self, item: ItemId) -> Vec<Found> {
        match &self.item(item).kind {
            ItemKind::Module(_) => self.children_of(item).iter().map(|&child| Found::of(Res::Module(child))).collect(),
            ItemKind::ExternCrate { krate, .. } => {
                let (krate, module) = (krate.clone(), self.module_of(item));
                if &*krate == "self" {
                    let root = self.krate(self.module(module).krate).root;
                    return vec![Found::of(Res::Module(root))];
                }
                self.external(module, &krate)
            }
            _ => vec![Found::of(Res::Item(item))],
        }
    }

    /// What a `use` leaf stands for (for a glob: the module it opens).
    pub(super) fn import(&mut self, module: ModuleId, part: usize, index: usize, space: Space) -> Rc<[Found]> {
        // `use log::log`: the first `log` is not what the import itself brings in.
        if !self.solving.open(Task::Import(module, part, index)) {
            return Rc::from([]);
        }
        let key = (module, part, index, space);
        if let Some(known) = self.imports.get(&key).and_then(|kept| self.solving.recall(kept)) {
            self.solving.close();
            return known;
        }
        let before = self.solving.start();
        let facts = self.facts(self.module(module).parts[part].facts).clone();
        let import = &facts[self.module(module).parts[part].scope].uses[index];
        let names: Vec<Name> = import.segments.iter().map(|(name, _)| name.clone()).collect();
        let by = UseRef { module, part, index };
        let mut found = Vec::new();
        // There are no names in `use ::*` and `use {..}` of nothing.
        if !names.is_empty() {
            for (one, consumed) in self.resolve_names(module, &names, import.global, space, true) {
                if consumed == names.len() {
                    found.push(one.used_by(by));
                }
            }
        }
        let found: Rc<[Found]> = found.into();
        self.solving.close();
        let kept = self.solving.keep(before, Rc::clone(&found));
        self.imports.insert(key, kept);
        found
    }

    /// What the globs of a module open. Their paths may lead through each other: what was found in one
    /// round helps in the next.
    pub(super) fn glob_targets(&mut self, module: ModuleId) -> Rc<[Found]> {
        let table = self.table(module);
        if table.globs.is_empty() {
            return Rc::from([]);
        }
        if let Some(known) = self.globs.get(&module).and_then(|kept| self.solving.recall(kept)) {
            return known;
        }
        if !self.solving.open(Task::Globs(module)) {
            return self.open_globs.get(&module).cloned().unwrap_or_else(|| Rc::from([]));
        }
        let before = self.solving.start();
        let mut targets: Vec<Rc<[Found]>> = vec![Rc::from([]); table.globs.len()];
        loop {
            let mut grew = false;
            for (target, &(part, index)) in targets.iter_mut().zip(&table.globs) {
                if target.is_empty() {
                    *target = self.import(module, part, index, Space::Type);
                    grew |= !target.is_empty();
                }
            }
            let known: Rc<[Found]> = targets.iter().flat_map(|found| found.iter().cloned()).collect();
            if !grew || !self.solving.was_asked() || targets.iter().all(|found| !found.is_empty()) {
                self.open_globs.remove(&module);
                self.solving.close();
                let kept = self.solving.keep(before, Rc::clone(&known));
                self.globs.insert(module, kept);
                return known;
            }
            self.open_globs.insert(module, known);
            self.solving.learnt();
        }
    }

    /// What a name means in code that stands in `module`: the blocks and the module around it, then
    /// the crates that the manifest names, the standard prelude, the primitive types, and last what
    /// a glob import from outside may have brought in.
    pub fn lexical(&mut self, module: ModuleId, name: &Name, space: Space) -> Vec<Found> {
        let mut at = module;
        loop {
            let mut found = self.lookup(at, name, space).to_vec();
            // What a file that does not parse declares is not known; its own names lead on outwards.
            found.retain(|found| found.res != Res::Scanned(at));
            if !found.is_empty() {
                return found;
            }
            match self.module(at).parent {
                Some(parent) if self.module(at).block => at = parent,
                _ => break,
            }
        }
        if space == Space::Macro {
            let found = self.textual_macro(module, name);
            if !found.is_empty() {
                return found;
            }
        } else {
            let found = self.external(module, name);
            if !found.is_empty() && space != Space::Value {
                return found;
            }
        }
        if let Some(path) = prelude(name) {
            return vec![Found::of(Res::Outside(path))];
        }
        if is_primitive(name) && space != Space::Macro {
            return vec![Found::of(Res::Primitive(name.clone()))];
        }
        if space != Space::Macro {
            let found = self.declared_around(module, name);
            if !found.is_empty() {
                return found;
            }
        }
        self.by_outside_globs(module, name)
    }

    /// What invocations declare, in the blocks and the module around, and in modules that a glob opens.
    fn declared_around(&mut self, module: ModuleId, name: &Name) -> Vec<Found> {
        let mut at = module;
        loop {
            let mut found = self.macro_declared(at, name);
            for target in self.glob_targets(at).iter() {
                if let Res::Module(inner) = target.res {
                    let inner = self.macro_declared(inner, name).into_iter();
                    found.extend(inner.map(|inner| inner.after(target)));
                }
            }
            if !found.is_empty() {
                return found;
            }
            match self.module(at).parent {
                Some(parent) if self.module(at).block => at = parent,
                _ => return Vec::new(),
            }
        }
    }

    fn by_outside_globs(&mut self, module: ModuleId, name: &Name) -> Vec<Found> {
        let mut globs = Vec::new();
        let mut at = module;
        loop {
            self.outside_globs(at, &mut BTreeSet::new(), &mut globs);
            match self.module(at).parent {
                Some(parent) if self.module(at).block => at = parent,
                _ => break,
            }
        }
        if let Some((one, uses)) = globs.iter().find(|(one, _)| super::std_globs::has(one, name)) {
            return vec![Found { res: Res::Outside(one.join(name)), uses: uses.clone(), crates: Vec::new() }];
        }
        globs.retain(|(one, _)| one.krate != OutsideCrate::Std);
        match globs.as_slice() {
            [] => Vec::new(),
            [(one, uses)] => {
                let mut path = one.join(name);
                path.guessed = true;
                vec![Found { res: Res::Outside(path), uses: uses.clone(), crates: Vec::new() }]
            }
            _ => {
                let unknown = Outside {
                    krate: OutsideCrate::Unknown,
                    library: Name::from(""),
                    segments: vec![name.clone()],
                    guessed: true,
                };
                vec![Found::of(Res::Outside(unknown))]
            }
        }
    }

    fn outside_globs(
        &mut self,
        module: ModuleId,
        visited: &mut BTreeSet<ModuleId>,
        globs: &mut Vec<(Outside, Vec<UseRef>)>,
    ) {
        if !visited.insert(module) {
            return;
        }
        for target in self.glob_targets(module).iter() {
            match &target.res {
                Res::Outside(path) => globs.push((path.clone(), target.uses.clone())),
                Res::Module(inner) if self.is_within(module, *inner) => self.outside_globs(*inner, visited, globs),
                Res::Module(inner) => {
                    let mut below = Vec::new();
                    self.outside_globs(*inner, visited, &mut below);
                    // Only a `pub use x::*` passes on what it opens.
                    below.retain(|(_, uses)| uses.first().is_none_or(|by| self.use_of(*by).public));
                    globs.extend(below);
                }
                _ => {}
            }
        }
    }

    /// A crate by the name that source of this module's package gives it.
    pub(super) fn external(&mut self, module: ModuleId, name: &Name) -> Vec<Found> {
        let krate_id = self.module(module).krate;
        let package_id = self.krate(krate_id).package;
        let workspace = self.workspace;
        let package = workspace.package(package_id);
        let mut found: Vec<Found> = Vec::new();
        for dependency in &package.dependencies {
            if dependency.kind != DependencyKind::Normal || dependency.extern_name != **name {
                continue;
            }
            let local = dependency.resolved.filter(|&id| workspace.package(id).local);
            let one = match local.and_then(|id| self.library(id).map(|krate| (id, self.krate(krate).root))) {
                Some((id, root)) => Found { res: Res::Module(root), uses: Vec::new(), crates: vec![id] },
                None => {
                    let library =
                        dependency.resolved.and_then(|id| workspace.package(id).library_name().map(Name::from));
                    let krate = OutsideCrate::Package(dependency.package.as_str().into(), dependency.resolved);
                    let library = library.unwrap_or_else(|| dependency.package.replace('-', "_").as_str().into());
                    Found::of(Res::Outside(Outside { krate, library, segments: Vec::new(), guessed: false }))
                }
            };
            if !found.iter().any(|known| known.res == one.res) {
                found.push(one);
            }
        }
        if found.is_empty()
            && self.krate(krate_id).kind == TargetKind::Binary
            && package.library_name() == Some(&**name)
        {
            found.extend(self.library(package_id).map(|krate| Found::of(Res::Module(self.krate(krate).root))));
        }
        if found.is_empty() && matches!(&**name, "std" | "core" | "alloc" | "proc_macro" | "test") {
            found.push(Found::of(Res::Outside(Outside::std(name))));
        }
        if found.is_empty() {
            found.extend(self.root_alias(krate_id, module, name));
        }
        found
    }

    /// `extern crate x as y` at the crate root makes `y` a crate's name everywhere.
    fn root_alias(&mut self, krate: super::KrateId, module: ModuleId, name: &Name) -> Vec<Found> {
        let root = self.krate(krate).root;
        if module == root {
            return Vec::new();
        }
        let table = self.table(root);
        let mut found = Vec::new();
        for entry in table.names.get(name).into_iter().flatten() {
            if let Entry::Item(item) = *entry
                && matches!(self.item(item).kind, ItemKind::ExternCrate { .. })
            {
                found.extend(self.declared(item).into_iter().map(|found| found.through_extern_crate(item)));
            }
        }
        found
    }

    /// A variant of an enum, as a name behind it.
    pub fn variant(&self, item: ItemId, name: &Name) -> Option<Found> {
        let ItemKind::Enum(variants) = &self.item(item).kind else { return None };
        let at = variants.iter().position(|variant| variant.name == *name)?;
        Some(Found::of(Res::Variant(item, u32::try_from(at).unwrap_or(u32::MAX))))
    }

    fn fits(&self, res: &Res, space: Space) -> bool {
        let (of_type, of_value, of_macro) = match res {
            Res::Module(_) => (true, false, false),
            Res::Primitive(_) => (true, false, false),
            Res::Variant(..) => (true, true, false),
            Res::Outside(_) | Res::Scanned(_) => (true, true, true),
            Res::Item(item) => match &self.item(*item).kind {
                ItemKind::Fn(_) | ItemKind::Const { .. } | ItemKind::Static { .. } => (false, true, false),
                ItemKind::Struct(fields) => (true, fields.tuple || fields.fields.is_empty(), false),
                ItemKind::MacroRules { .. } => (false, false, true),
                ItemKind::Enum(_) | ItemKind::Trait { .. } | ItemKind::Alias { .. } => (true, false, false),
                ItemKind::Names { .. } | ItemKind::ExternCrate { .. } | ItemKind::Module(_) => (true, false, false),
                ItemKind::Impl { .. } | ItemKind::MacroCall(_) => (false, false, false),
            },
        };
        match space {
            Space::Type => of_type,
            Space::Value => of_value,
            Space::Macro => of_macro,
            Space::Any => true,
        }
    }
}
