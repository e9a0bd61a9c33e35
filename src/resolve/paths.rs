//! Following a path, segment by segment.

use std::rc::Rc;

use super::{ItemId, ModuleId, Outside, OutsideCrate, Space, World};
use crate::{
    project::PackageId,
    source::{ItemKind, Name, Use},
};

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Res {
    /// A local module.
    Module(ModuleId),
    /// A local item.
    Item(ItemId),
    /// A variant of a local enum.
    Variant(ItemId, u32),
    /// Something in a crate that is not read.
    Outside(Outside),
    /// A primitive type.
    Primitive(Name),
    /// Something in a local file that does not parse.
    Scanned(ModuleId),
}

/// A `use` leaf, by where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UseRef {
    /// The module that has it.
    pub module: ModuleId,
    pub(super) part: usize,
    pub(super) index: usize,
}

/// What a name means, and how that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it means.
    pub res: Res,
    /// The imports on the way, from the place of the name outwards.
    pub uses: Vec<UseRef>,
    /// Local packages whose crate was spelt on the way.
    pub crates: Vec<PackageId>,
}

impl Found {
    pub(super) fn of(res: Res) -> Self {
        Self { res, uses: Vec::new(), crates: Vec::new() }
    }

    pub(super) fn used_by(mut self, by: UseRef) -> Self {
        self.uses.insert(0, by);
        self
    }

    /// What was found inside something else that was found.
    pub(super) fn after(mut self, outer: &Self) -> Self {
        self.uses = outer.uses.iter().chain(&self.uses).copied().collect();
        self.crates = outer.crates.iter().chain(&self.crates).copied().collect();
        self
    }

    pub(super) fn through_extern_crate(self, _item: ItemId) -> Self {
        self
    }
}

impl World<'_> {
    /// The `use` leaf itself.
    pub fn use_of(&self, by: UseRef) -> &Use {
        let part = &self.module(by.module).parts[by.part];
        &self.facts[part.facts.at()][part.scope].uses[by.index]
    }

    /// All imports of a module, in source order.
    pub fn uses(&mut self, module: ModuleId) -> Vec<UseRef> {
        self.table(module).uses.iter().map(|&(part, index)| UseRef { module, part, index }).collect()
    }

    /// What an import means, in every namespace.
    pub fn resolve_use(&mut self, by: UseRef) -> Rc<[Found]> {
        self.import(by.module, by.part, by.index, Space::Any)
    }

    /// Follows names from a place in code as far as modules, crates and enums lead. Each answer comes
    /// with how many names it took; what is left is for the types to tell (`Type::method`).
    ///
    /// The callers know what `Self`, generic parameters and local variables are.
    pub fn resolve_names(
        &mut self,
        module: ModuleId,
        names: &[Name],
        global: bool,
        space: Space,
        is_use: bool,
    ) -> Vec<(Found, usize)> {
        let Some(first) = names.first() else { return Vec::new() };
        let last_is = |at: usize| if at + 1 == names.len() { space } else { Space::Type };
        let krate = self.module(module).krate;
        let (root, edition) = (self.krate(krate).root, self.krate(krate).edition);
        let mut consumed = 1;
        let start: Vec<Found> = match &**first {
            "crate" | "$crate" => vec![Found::of(Res::Module(root))],
            "self" if names.len() > 1 || is_use => vec![Found::of(Res::Module(self.real_module(module)))],
            "super" => {
                let mut at = self.real_module(module);
                at = self.parent(at);
                while names.get(consumed).is_some_and(|name| &**name == "super") {
                    at = self.parent(at);
                    consumed += 1;
                }
                vec![Found::of(Res::Module(at))]
            }
            _ if edition == 2015 && (is_use || global) => {
                let found = self.lookup(root, first, last_is(0)).to_vec();
                if found.is_empty() { self.external(module, first) } else { found }
            }
            _ if global => self.external(module, first),
            _ => self.lexical(module, first, last_is(0)),
        };
        let mut done = Vec::new();
        for found in start {
            self.follow(found, names, consumed, space, &mut done);
        }
        done
    }

    fn follow(&mut self, found: Found, names: &[Name], consumed: usize, space: Space, done: &mut Vec<(Found, usize)>) {
        let Some(name) = names.get(consumed) else {
            done.push((found, consumed));
            return;
        };
        let wanted = if consumed + 1 == names.len() { space } else { Space::Type };
        match &found.res {
            Res::Module(_) if &**name == "self" => self.follow(found, names, consumed + 1, space, done),
            Res::Module(module) if &**name == "super" => {
                let up = Found { res: Res::Module(self.parent(*module)), ..found.clone() };
                self.follow(up, names, consumed + 1, space, done);
            }
            Res::Module(module) => {
                let module = *module;
                let mut inner = self.lookup(module, name, wanted).to_vec();
                if inner.is_empty() && wanted == Space::Macro && self.krate(self.module(module).krate).root == module {
                    inner = self.macro_of_crate(self.module(module).krate, name);
                }
                if inner.is_empty() && wanted != Space::Macro {
                    inner = self.macro_declared(module, name);
                }
                if inner.is_empty() {
                    inner = self.outside_reexport(module, name);
                }
                for one in inner {
                    self.follow(one.after(&found), names, consumed + 1, space, done);
                }
            }
            Res::Outside(path) if path.krate == OutsideCrate::Unknown => done.push((found, names.len())),
            Res::Outside(path) => {
                let mut path: Outside = path.clone();
                path.segments.extend(names[consumed..].iter().cloned());
                done.push((Found { res: Res::Outside(path), ..found }, names.len()));
            }
            Res::Item(item) if matches!(self.item(*item).kind, ItemKind::Enum(_)) => match self.variant(*item, name) {
                Some(variant) => self.follow(variant.after(&found), names, consumed + 1, space, done),
                None => done.push((found, consumed)),
            },
            Res::Scanned(_) => done.push((found, names.len())),
            Res::Item(_) | Res::Variant(..) | Res::Primitive(_) => done.push((found, consumed)),
        }
    }

    /// A name behind a local module that only a glob re-export of an outside crate can have brought.
    fn outside_reexport(&mut self, module: ModuleId, name: &Name) -> Vec<Found> {
        let mut globs = Vec::new();
        for by in self.uses(module) {
            if self.use_of(by).binds == crate::source::UseBinding::Glob && self.use_of(by).public {
                globs.extend(self.resolve_use(by).iter().cloned());
            }
        }
        globs.retain(|found| match &found.res {
            Res::Outside(path) if path.krate == OutsideCrate::Std => super::std_globs::has(path, name),
            Res::Outside(_) => true,
            _ => false,
        });
        if globs.len() != 1 {
            return Vec::new();
        }
        globs
            .into_iter()
            .filter_map(|found| match &found.res {
                Res::Outside(path) => {
                    let mut path = path.join(name);
                    path.guessed = path.krate != OutsideCrate::Std;
                    Some(Found { res: Res::Outside(path), ..found })
                }
                _ => None,
            })
            .collect()
    }

    fn parent(&self, module: ModuleId) -> ModuleId {
        match self.module(module).parent {
            Some(parent) => self.real_module(parent),
            None => module,
        }
    }
}
