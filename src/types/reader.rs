//! The world with what was worked out about its types.

use std::{
    collections::{BTreeSet, HashMap},
    ops::{Deref, DerefMut},
    rc::Rc,
};

use super::{Code, Context, Ty, lower::projected};
use crate::{
    resolve::{Found, ItemId, Kept, ModuleId, Res, Space, UseRef, World, each_word},
    source::{ItemKind, Name, UseBinding},
};

/// A function's signature.
#[derive(Debug)]
pub struct Signature {
    /// `Self`, where there is one.
    pub self_ty: Option<Ty>,
    /// Parameters without `self`.
    pub params: Vec<Ty>,
    /// What calling it gives; a future, of an `async fn`.
    pub ret: Ty,
    /// Whether there is a `self`, and whether it is taken by reference.
    pub receiver: Option<bool>,
}

/// The world, and what was read of its types.
#[derive(Debug)]
pub struct Reader<'a> {
    pub(super) world: World<'a>,
    signatures: HashMap<ItemId, Kept<Rc<Signature>>>,
    fields: HashMap<ItemId, Kept<Rc<[Ty]>>>,
    /// Whether a type's fields may hold code, seen through so many types.
    pub(super) keepers: HashMap<(ItemId, usize), Kept<bool>>,
    traits_in_scope: HashMap<ModuleId, Kept<Rc<[ItemId]>>>,
}

impl<'a> Deref for Reader<'a> {
    type Target = World<'a>;
    fn deref(&self) -> &World<'a> {
        &self.world
    }
}

impl DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        // The lifetime only shrinks: a reader hands its world out for as long as it is borrowed.
        &mut self.world
    }
}

impl<'a> Reader<'a> {
    /// A reader of this world.
    pub fn new(world: World<'a>) -> Self {
        Self {
            world,
            signatures: HashMap::new(),
            fields: HashMap::new(),
            keepers: HashMap::new(),
            traits_in_scope: HashMap::new(),
        }
    }

    /// Works something out, and keeps with it what was come across, so that [`Reader::recall`] tells it again.
    pub fn remember<T: Clone>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Kept<T> {
        let before = self.world.begin();
        let value = work(self);
        self.world.keep(before, value)
    }

    /// What was kept, if it still holds.
    pub fn recall<T: Clone>(&mut self, kept: &Kept<T>) -> Option<T> {
        self.world.recall(kept)
    }

    /// Works something out as if nothing that cannot be seen had been come across.
    pub fn aside<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.world.begin();
        let value = work(self);
        self.world.forget(before);
        value
    }

    /// The signature of a function.
    pub fn signature(&mut self, item: ItemId) -> Rc<Signature> {
        if let Some(known) = self.signatures.get(&item).and_then(|kept| self.world.recall(kept)) {
            return known;
        }
        let before = self.world.begin();
        let facts = self.facts_of(item);
        let signature = match &facts[self.item_ix(item)].kind {
            ItemKind::Fn(function) => {
                let context = Context::new(&mut self.world, item, None);
                let params = function.params.iter().map(|param| context.lower(&mut self.world, param.of)).collect();
                let ret = function.ret.map_or_else(Ty::unit, |ret| context.lower(&mut self.world, ret));
                let ret = if function.is_async { Ty::Future(Box::new(ret), Some(Code::Function(item))) } else { ret };
                let receiver = function.receiver.as_ref().map(|receiver| receiver.by_ref);
                Signature { self_ty: context.self_ty, params, ret, receiver }
            }
            _ => Signature { self_ty: None, params: Vec::new(), ret: Ty::Unknown, receiver: None },
        };
        let signature = Rc::new(signature);
        let kept = self.world.keep(before, Rc::clone(&signature));
        self.signatures.insert(item, kept);
        signature
    }

    /// What calling a function with these arguments on this `self` gives.
    pub fn call(&mut self, item: ItemId, on: Option<&Ty>, args: &[Ty]) -> Ty {
        let signature = self.signature(item);
        let mut with = Vec::new();
        if let (Some(declared), Some(on)) = (&signature.self_ty, on) {
            declared.bind(on.peel(), &mut with);
        }
        signature.params.iter().zip(args).for_each(|(param, arg)| param.bind(arg, &mut with));
        self.leave_open(item, &mut with);
        if let (Ty::Bound(declared), Some(Ty::Bound(on))) =
            (signature.self_ty.as_ref().unwrap_or(&Ty::Unknown), on.map(Ty::peel))
            && let Some(this) = &declared.name
        {
            with.extend(on.assoc.iter().map(|(name, stated)| (projected(this, name), Ty::Bound(Rc::clone(stated)))));
        }
        let mut ret = signature.ret.replace(&with);
        // A default body, or a method declared in a trait, returns `Self` as what it is called on.
        if let (Ty::Bound(bounds), Some(on @ Ty::Local(..))) = (&signature.ret, on.map(Ty::peel))
            && signature
                .self_ty
                .as_ref()
                .is_some_and(|declared| matches!(declared, Ty::Bound(own) if Rc::ptr_eq(own, bounds) || own == bounds))
        {
            ret = on.clone();
        }
        match &ret {
            Ty::Bound(bounds) if bounds.callable().is_some() || bounds.binding("Future", "Output").is_some() => {
                Ty::Code(Code::MadeBy(item), Box::new(ret))
            }
            Ty::Outside(Some(path), inner) if path.is_std("Box") || path.is_std("Pin") || path.is_std("Arc") => {
                let made = inner.iter().any(|ty| matches!(ty.peel(), Ty::Bound(b) if b.callable().is_some()));
                if made { Ty::Code(Code::MadeBy(item), Box::new(ret)) } else { ret }
            }
            _ => ret,
        }
    }

    /// A generic parameter that nothing binds is a type that does not show, unless its bounds say
    /// whose methods it has.
    fn leave_open(&mut self, item: ItemId, with: &mut Vec<(Name, Ty)>) {
        let context = Context::new(&mut self.world, item, None);
        for (name, ty) in context.generics {
            let Ty::Bound(bounds) = &ty else { continue };
            let says = !bounds.local.is_empty() || !bounds.outside.is_empty();
            if !says && !with.iter().any(|(known, _)| *known == name) {
                with.push((name, Ty::Unknown));
            }
        }
    }

    /// All fields of a local type, as types: of a struct, or of every variant.
    pub fn field_types(&mut self, item: ItemId) -> Rc<[Ty]> {
        if let Some(known) = self.fields.get(&item).and_then(|kept| self.world.recall(kept)) {
            return known;
        }
        let before = self.world.begin();
        let facts = self.facts_of(item);
        let fields: Vec<_> = match &facts[self.item_ix(item)].kind {
            ItemKind::Struct(fields) => fields.fields.iter().map(|field| field.of).collect(),
            ItemKind::Enum(variants) => {
                variants.iter().flat_map(|v| v.fields.fields.iter().map(|field| field.of)).collect()
            }
            _ => Vec::new(),
        };
        let context = Context::new(&mut self.world, item, None);
        let types: Rc<[Ty]> = fields.into_iter().map(|of| context.lower(&mut self.world, of)).collect();
        let kept = self.world.keep(before, Rc::clone(&types));
        self.fields.insert(item, kept);
        types
    }

    /// The type of a field, for a value of this type.
    pub fn field(&mut self, of: &Ty, variant: Option<u32>, name: &str) -> Option<(ItemId, u32, Ty)> {
        let Ty::Local(item, args) = of.peel() else { return None };
        let facts = self.facts_of(*item);
        let this = &facts[self.item_ix(*item)];
        let fields = match (&this.kind, variant) {
            (ItemKind::Struct(fields), _) => fields,
            (ItemKind::Enum(variants), Some(variant)) => &variants.get(variant as usize)?.fields,
            _ => return None,
        };
        let at = fields.fields.iter().position(|field| *field.name == *name)?;
        let context = Context::new(&mut self.world, *item, None);
        let ty = context.lower(&mut self.world, fields.fields[at].of);
        let with: Vec<(Name, Ty)> =
            this.generics.params.iter().map(|param| param.name.clone()).zip(args.iter().cloned()).collect();
        Some((*item, u32::try_from(at).unwrap_or(u32::MAX), ty.replace(&with)))
    }

    /// The local traits whose methods can be called in a module: its own, the imported, those of globs.
    pub fn traits_in_scope(&mut self, module: ModuleId) -> Rc<[ItemId]> {
        if let Some(known) = self.traits_in_scope.get(&module).and_then(|kept| self.world.recall(kept)) {
            return known;
        }
        let before = self.world.begin();
        let mut found = BTreeSet::new();
        let mut at = Some(module);
        while let Some(id) = at {
            self.traits_of(id, true, &mut BTreeSet::new(), &mut found);
            at = self.module(id).parent.filter(|_| self.module(id).block);
        }
        let found: Rc<[ItemId]> = found.into_iter().collect::<Vec<_>>().into();
        let kept = self.world.keep(before, Rc::clone(&found));
        self.traits_in_scope.insert(module, kept);
        found
    }

    /// What an import means, for the sake of traits. What it cannot see is told only where the name stands
    /// nowhere else in the file: then it is there for its methods, and no path of the code leads to it.
    fn import_of_traits(&mut self, by: UseRef) -> Rc<[Found]> {
        let before = self.world.begin();
        let targets = self.resolve_use(by);
        if self.world.is_blind() && self.is_named_again(by) {
            self.world.forget(before);
        } else {
            let _ = self.world.keep(before, ());
        }
        targets
    }

    fn is_named_again(&self, by: UseRef) -> bool {
        let import = self.use_of(by);
        let UseBinding::Name(name) = &import.binds else { return false };
        let file = self.files.get(import.span.file);
        each_word(file.text.as_bytes()).filter(|word| *word == &**name).nth(1).is_some()
    }

    fn traits_of(
        &mut self,
        module: ModuleId,
        own: bool,
        visited: &mut BTreeSet<ModuleId>,
        found: &mut BTreeSet<ItemId>,
    ) {
        if !visited.insert(module) {
            return;
        }
        for &item in &self.table(module).items {
            if matches!(self.item(item).kind, ItemKind::Trait { .. }) && (own || self.item(item).public) {
                found.insert(item);
            }
        }
        for by in self.uses(module) {
            if !own && !self.use_of(by).public {
                continue;
            }
            let is_glob = self.use_of(by).binds == UseBinding::Glob;
            for target in self.import_of_traits(by).iter() {
                match target.res {
                    Res::Item(item) if matches!(self.item(item).kind, ItemKind::Trait { .. }) => {
                        found.insert(item);
                    }
                    Res::Module(inner) if is_glob => {
                        let within = self.is_within(module, inner);
                        self.traits_of(inner, within, visited, found);
                    }
                    _ => {}
                }
            }
        }
    }

    /// A trait's member of this name, its supertraits' included.
    pub fn trait_member(&mut self, of: ItemId, name: &str) -> Option<ItemId> {
        self.trait_member_within(of, name, 16)
    }

    fn trait_member_within(&mut self, of: ItemId, name: &str, left: usize) -> Option<ItemId> {
        for member in self.members(of) {
            if *self.item(member).name == *name {
                return Some(member);
            }
        }
        let supertraits = match &self.item(of).kind {
            ItemKind::Trait { supertraits, .. } if left > 0 => supertraits.clone(),
            _ => return None,
        };
        for of_super in supertraits {
            if let Some(Res::Item(item)) = self.type_head(of, of_super)
                && let Some(member) = self.trait_member_within(item, name, left - 1)
            {
                return Some(member);
            }
        }
        None
    }

    /// A local trait and its local supertraits, theirs included.
    pub fn with_supertraits(&mut self, of: ItemId) -> BTreeSet<ItemId> {
        let mut seen = BTreeSet::new();
        let mut open = vec![of];
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let ItemKind::Trait { supertraits, .. } = &self.item(at).kind else { continue };
            for one in supertraits.clone() {
                if let Some(Res::Item(item)) = self.type_head(at, one) {
                    open.push(item);
                }
            }
        }
        seen
    }

    /// Supertraits of other crates, the supertraits' own included.
    pub fn outside_supertraits(&mut self, of: ItemId) -> Vec<Rc<crate::resolve::Outside>> {
        let mut found = Vec::new();
        let mut open = vec![of];
        let mut seen = BTreeSet::new();
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let supertraits = match &self.item(at).kind {
                ItemKind::Trait { supertraits, .. } => supertraits.clone(),
                _ => continue,
            };
            for one in supertraits {
                match self.type_head(at, one) {
                    Some(Res::Item(item)) => open.push(item),
                    Some(Res::Outside(path)) => found.push(Rc::new(path)),
                    _ => {}
                }
            }
        }
        found
    }

    /// A name in type position, seen from a module.
    pub fn type_named(&mut self, module: ModuleId, name: &Name) -> Option<Res> {
        let found = self.resolve_names(module, std::slice::from_ref(name), false, Space::Type, false);
        found.into_iter().map(|(found, _)| found.res).next()
    }
}
