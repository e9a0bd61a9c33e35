//! What the names `Self`, `T` and `self` mean inside an item.

use std::{rc::Rc, sync::Arc};

use super::{Bounds, Ty};
use crate::{
    resolve::{FactsId, ItemId, ModuleId, World},
    source::{Facts, Generics, ItemKind, Name, TypeIx, TypeKind},
};

/// Through how many parameters one is followed: `I: Iterator<Item = J>, J: Iterator<Item = T>, T: Probe`.
const MOST_LINKED: usize = 2;

/// The surroundings that types and expressions of one item are read in.
#[derive(Clone, Debug)]
pub struct Context {
    /// The item; none for a file that does not parse.
    pub item: Option<ItemId>,
    /// Its facts.
    pub facts: Arc<Facts>,
    /// Their number.
    pub facts_id: FactsId,
    /// The module that names are looked up in; blocks push their own.
    pub module: ModuleId,
    /// A second module to look names up in: where a macro stands, for its body, which is read where it
    /// is invoked. `$crate` means the second one's.
    pub fallback: Option<ModuleId>,
    /// What `Self` means.
    pub self_ty: Option<Ty>,
    /// What generic parameters mean.
    pub generics: Vec<(Name, Ty)>,
    /// The impl or trait around it.
    pub owner: Option<ItemId>,
}

impl Context {
    /// The surroundings of an item; `self_ty` stands for `Self` in the default body of a trait's method.
    pub fn new(world: &mut World<'_>, item: ItemId, self_ty: Option<Ty>) -> Self {
        let facts = world.facts_of(item);
        let mut context = Self {
            item: Some(item),
            facts_id: world.facts_id(item),
            facts: Arc::clone(&facts),
            module: world.module_of(item),
            fallback: None,
            self_ty: None,
            generics: Vec::new(),
            owner: world.owner(item),
        };
        let this = &facts[world.item_ix(item)];
        for owner in [context.owner, Some(item)].into_iter().flatten() {
            let owner_facts = &facts[world.item_ix(owner)];
            context.enter_generics(world, &owner_facts.generics);
            match &owner_facts.kind {
                ItemKind::Impl { self_type, .. } => {
                    let ty = context.lower(world, *self_type);
                    context.self_ty = Some(ty);
                }
                ItemKind::Trait { .. } => {
                    let args = own_params(&owner_facts.generics);
                    let args =
                        args.map(|name| Ty::Bound(Rc::new(Bounds { name: Some(name.clone()), ..Bounds::default() })));
                    let bound = Bounds {
                        name: Some("Self".into()),
                        local: vec![(owner, args.collect())],
                        module: Some(context.module),
                        ..Bounds::default()
                    };
                    context.self_ty = Some(self_ty.clone().unwrap_or_else(|| Ty::Bound(Rc::new(bound))));
                }
                ItemKind::Struct(_) | ItemKind::Enum(_) => {
                    let args =
                        own_params(&this.generics).map(|name| context.generic(name).cloned().unwrap_or(Ty::Unknown));
                    context.self_ty = Some(Ty::Local(item, args.collect()));
                }
                _ => {}
            }
        }
        context
    }

    fn enter_generics(&mut self, world: &mut World<'_>, generics: &Generics) {
        for param in &generics.params {
            let bounds = Bounds { name: Some(param.name.clone()), module: Some(self.module), ..Bounds::default() };
            self.generics.push((param.name.clone(), Ty::Bound(Rc::new(bounds))));
        }
        let facts = Arc::clone(&self.facts);
        for param in &generics.params {
            self.add_bounds(world, &param.name, &param.bounds);
        }
        for (of, bounds) in &generics.wheres {
            let TypeKind::Path(path) = &facts[*of].kind else { continue };
            match (path.qself.map(|qself| &facts[qself.of].kind), path.segments.as_slice()) {
                (None, [only]) => self.add_bounds(world, &only.name, bounds),
                (None, [param, assoc]) => self.add_projected(world, &param.name, &assoc.name, bounds),
                (Some(TypeKind::Path(param)), [.., assoc]) => {
                    if let [only] = param.segments.as_slice() {
                        self.add_projected(world, &only.name, &assoc.name, bounds);
                    }
                }
                _ => {}
            }
        }
        // What one parameter says of another is written before or behind that one's own bounds.
        for _ in 0..MOST_LINKED {
            let known = self.generics.clone();
            for (_, ty) in &mut self.generics {
                if let Ty::Bound(bounds) = ty {
                    *bounds = Rc::new(bounds.replace(&known));
                }
            }
        }
    }

    /// `where T::Item: Probe`.
    fn add_projected(&mut self, world: &mut World<'_>, param: &Name, assoc: &Name, bounds: &[TypeIx]) {
        let more = Rc::new(self.bounds(world, bounds));
        if let Some((_, Ty::Bound(known))) = self.generics.iter_mut().find(|(known, _)| known == param) {
            let known = Rc::make_mut(known);
            for (.., bindings) in &mut known.outside {
                if !bindings.iter().any(|(name, _)| name == assoc) {
                    bindings.push((assoc.clone(), Ty::Bound(Rc::clone(&more))));
                }
            }
            known.assoc.push((assoc.clone(), more));
        }
    }

    fn add_bounds(&mut self, world: &mut World<'_>, name: &Name, bounds: &[TypeIx]) {
        let more = self.bounds(world, bounds);
        if let Some((_, Ty::Bound(known))) = self.generics.iter_mut().find(|(known, _)| known == name) {
            let known = Rc::make_mut(known);
            known.local.extend(more.local);
            known.outside.extend(more.outside);
        }
    }

    /// The modules that a path is looked up in, in this order.
    pub fn scopes(&self, path: &[Name]) -> impl Iterator<Item = ModuleId> + use<> {
        let of_its_crate = path.first().is_some_and(|name| &**name == "$crate");
        let (first, second) = match self.fallback {
            Some(own) if of_its_crate => (own, None),
            other => (self.module, other),
        };
        std::iter::once(first).chain(second)
    }

    /// What a generic parameter means.
    pub fn generic(&self, name: &str) -> Option<&Ty> {
        self.generics.iter().rev().find(|(known, _)| &**known == name).map(|(_, ty)| ty)
    }
}

/// The names of an item's own type parameters.
pub(super) fn own_params(generics: &Generics) -> impl Iterator<Item = &Name> {
    generics.params.iter().map(|param| &param.name)
}
