//! The paths of the rules file, as places in the code.

use std::collections::BTreeSet;

use crate::{
    resolve::{ItemId, KrateId, ModuleId, Res, Space},
    source::{ItemKind, Name},
    types::Reader,
};

/// What a path of the rules file names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anchor {
    /// A module.
    Module(ModuleId),
    /// A function, type, trait, const, static, or member of one.
    Item(ItemId),
    /// A parameter of a function, by its number without `self`.
    Parameter(ItemId, usize),
    /// A field of a struct, or of a variant.
    Field(ItemId, Option<u32>, u32),
}

/// What a path was found to name, or what it could have meant.
#[derive(Debug)]
pub enum Anchored {
    /// At least one place.
    At(BTreeSet<Anchor>),
    /// None; these paths exist where the path stops to.
    Nowhere(Vec<String>),
    /// None: it begins with the name of a crate that is not local.
    Outside(String),
    /// The path leads into a module that could not be read.
    Broken(ModuleId),
}

impl Reader<'_> {
    /// What a path from a crate's name names. A package's library and binaries may share a crate
    /// name: all are searched.
    pub fn anchor(&mut self, written: &str) -> Anchored {
        let names: Vec<Name> =
            written.split("::").map(|name| Name::from(name.strip_prefix("r#").unwrap_or(name))).collect();
        let krates: Vec<KrateId> =
            self.krates().filter(|(_, krate)| names.first() == Some(&krate.name)).map(|(id, _)| id).collect();
        if krates.is_empty() {
            let head = names.first().map(|name| name.to_string()).unwrap_or_default();
            if self.workspace.packages.iter().any(|package| package.library_name() == Some(&*head)) {
                return Anchored::Outside(head);
            }
            let mut known: Vec<String> = self.krates().map(|(_, krate)| krate.name.to_string()).collect();
            known.dedup();
            let rest = names[1..].iter().map(|name| format!("::{name}")).collect::<String>();
            let whole = names.iter().map(|name| format!("::{name}")).collect::<String>();
            // The path in another crate, or with the crate's name left out; where neither leads on, the crates.
            let mut there: Vec<String> = Vec::new();
            for krate in &known {
                for path in [format!("{krate}{rest}"), format!("{krate}{whole}")] {
                    if path.contains("::") && matches!(self.anchor(&path), Anchored::At(_)) {
                        there.push(path);
                    }
                }
            }
            return Anchored::Nowhere(if there.is_empty() { known } else { there });
        }
        let mut at = BTreeSet::new();
        let mut known = Vec::new();
        for krate in krates {
            match self.anchor_in(krate, &names[1..], &mut at) {
                Ok(()) => {}
                Err(Stop::At(nearby)) => known.extend(nearby),
                Err(Stop::Broken(module)) => return Anchored::Broken(module),
            }
        }
        if at.is_empty() { Anchored::Nowhere(known) } else { Anchored::At(at) }
    }

    fn anchor_in(&mut self, krate: KrateId, names: &[Name], at: &mut BTreeSet<Anchor>) -> Result<(), Stop> {
        let root = self.krate(krate).root;
        self.load(root);
        if self.module(root).broken.is_some() {
            return Err(Stop::Broken(root));
        }
        if names.is_empty() {
            at.insert(Anchor::Module(root));
            return Ok(());
        }
        let path: Vec<Name> = std::iter::once(Name::from("crate")).chain(names.iter().cloned()).collect();
        let mut hit = false;
        // A parameter stands behind a function, which is no type: so the last name is also left to it.
        let whole = self.resolve_names(root, &path, false, Space::Any, false);
        let short = self.resolve_names(root, &path[..path.len() - 1], false, Space::Any, false);
        let short = short.into_iter().filter(|(found, consumed)| {
            let is_fn = matches!(found.res, Res::Item(item) if matches!(self.item(item).kind, ItemKind::Fn(_)));
            is_fn && *consumed + 1 == path.len()
        });
        for (found, consumed) in short.collect::<Vec<_>>().into_iter().chain(whole) {
            let rest = &path[consumed..];
            match (&found.res, rest) {
                (Res::Module(module), []) => {
                    let module = *module;
                    self.load(module);
                    if self.module(module).broken.is_some() {
                        return Err(Stop::Broken(module));
                    }
                    at.insert(Anchor::Module(module));
                    hit = true;
                }
                (Res::Item(item) | Res::Variant(item, _), []) => {
                    at.insert(Anchor::Item(*item));
                    hit = true;
                }
                (Res::Item(item), rest) => hit |= self.anchor_member(*item, rest, at),
                (Res::Variant(item, variant), [field]) => {
                    let ty = crate::types::Ty::Local(*item, Vec::new());
                    if let Some((item, field, _)) = self.field(&ty, Some(*variant), field) {
                        at.insert(Anchor::Field(item, Some(*variant), field));
                        hit = true;
                    }
                }
                (Res::Scanned(module), _) => return Err(Stop::Broken(*module)),
                _ => {}
            }
        }
        if hit { Ok(()) } else { Err(self.nearby(root, &path)) }
    }

    pub(super) fn anchor_member(&mut self, item: ItemId, rest: &[Name], at: &mut BTreeSet<Anchor>) -> bool {
        let before = at.len();
        match (&self.item(item).kind, rest) {
            (ItemKind::Fn(_), [parameter]) => at.extend(self.parameter(item, parameter)),
            (ItemKind::Trait { .. }, [name, rest @ ..]) => {
                if let Some(member) = self.trait_member(item, name) {
                    match rest {
                        [] => at.extend([Anchor::Item(member)]),
                        [parameter] => at.extend(self.parameter(member, parameter)),
                        _ => {}
                    }
                }
            }
            (ItemKind::Struct(_) | ItemKind::Enum(_), [name, rest @ ..]) => {
                for one in self.impls_naming(item).to_vec() {
                    if !self.is_impl_for(one, item) {
                        continue;
                    }
                    for member in self.members(one) {
                        if self.item(member).name != *name {
                            continue;
                        }
                        match rest {
                            [] => at.extend([Anchor::Item(member)]),
                            [parameter] => at.extend(self.parameter(member, parameter)),
                            _ => {}
                        }
                    }
                }
                let ty = crate::types::Ty::Local(item, Vec::new());
                if let ([], Some((item, field, _))) = (rest, self.field(&ty, None, name)) {
                    at.insert(Anchor::Field(item, None, field));
                }
            }
            (ItemKind::Alias { .. }, rest) => {
                let cx = crate::types::Context::new(self, item, None);
                if let crate::types::Ty::Local(of, _) = cx.lower_item(self, item)
                    && of != item
                {
                    return self.anchor_member(of, rest, at);
                }
            }
            _ => {}
        }
        at.len() > before
    }

    fn parameter(&self, item: ItemId, name: &str) -> Option<Anchor> {
        let facts = self.facts_of(item);
        let ItemKind::Fn(function) = &facts[self.item_ix(item)].kind else { return None };
        let at = function.params.iter().position(|param| match &facts[param.pat].kind {
            crate::source::PatKind::Name(known, _) => **known == *name,
            _ => false,
        })?;
        Some(Anchor::Parameter(item, at))
    }

    /// The paths that exist where a path stops to lead anywhere.
    fn nearby(&mut self, root: ModuleId, path: &[Name]) -> Stop {
        let mut module = root;
        let mut passed = 1;
        for name in &path[1..] {
            let inner = self.lookup(module, name, Space::Type).iter().find_map(|found| match found.res {
                Res::Module(inner) => Some(inner),
                _ => None,
            });
            let Some(inner) = inner else { break };
            self.load(inner);
            if self.module(inner).broken.is_some() {
                return Stop::Broken(inner);
            }
            module = inner;
            passed += 1;
        }
        let base = self.module_path(module);
        let mut names = BTreeSet::new();
        for &item in &self.table(module).items {
            let name = self.item(item).name.clone();
            if name.is_empty() {
                continue;
            }
            let shown = format!("{base}::{name}");
            let at = path.iter().position(|segment| *segment == name);
            if let Some(rest) = at.map(|at| &path[at + 1..]).filter(|rest| !rest.is_empty()) {
                self.members_near(item, &shown, rest, &mut names);
            }
            // A slip in the middle: the rest of the path may stand behind this name.
            if let Some(rest) = path.get(passed + 1..).filter(|rest| !rest.is_empty()) {
                let other: Vec<Name> = path[..passed].iter().chain([&name]).chain(rest).cloned().collect();
                let found = self.resolve_names(root, &other, false, Space::Any, false);
                if found.iter().any(|(_, consumed)| *consumed == other.len()) {
                    names.insert(rest.iter().fold(shown.clone(), |path, name| format!("{path}::{name}")));
                }
            }
            names.insert(shown);
        }
        Stop::At(names.into_iter().collect())
    }

    /// What stands behind an item that a path names: members, fields, parameters.
    fn members_near(&mut self, item: ItemId, shown: &str, rest: &[Name], names: &mut BTreeSet<String>) {
        let facts = self.facts_of(item);
        let mut members = Vec::new();
        match &facts[self.item_ix(item)].kind {
            ItemKind::Fn(function) => {
                for param in &function.params {
                    if let crate::source::PatKind::Name(name, _) = &facts[param.pat].kind {
                        names.insert(format!("{shown}::{name}"));
                    }
                }
            }
            ItemKind::Trait { .. } => members = self.members(item),
            ItemKind::Struct(fields) => {
                names.extend(fields.fields.iter().map(|field| format!("{shown}::{}", field.name)));
            }
            ItemKind::Enum(variants) => {
                names.extend(variants.iter().map(|variant| format!("{shown}::{}", variant.name)));
            }
            _ => {}
        }
        if matches!(facts[self.item_ix(item)].kind, ItemKind::Struct(_) | ItemKind::Enum(_)) {
            for one in self.impls_naming(item).to_vec() {
                if self.is_impl_for(one, item) {
                    members.extend(self.members(one));
                }
            }
        }
        for member in members {
            let name = self.item(member).name.clone();
            let inner = format!("{shown}::{name}");
            if let [first, rest @ ..] = rest
                && *first == name
                && !rest.is_empty()
            {
                self.members_near(member, &inner, rest, names);
            }
            names.insert(inner);
        }
    }
}

enum Stop {
    At(Vec<String>),
    Broken(ModuleId),
}
