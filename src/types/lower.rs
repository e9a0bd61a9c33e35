//! Types as written, read in the surroundings of an item.

use std::rc::Rc;

use super::{Bounds, Context, Ty, context::own_params};
use crate::{
    resolve::{ItemId, Outside, Res, Space, World},
    source::{ItemKind, Name, Path, Segment, TypeIx, TypeKind},
};

/// How many aliases are followed before one is taken to be endless.
const MOST_ALIASES: usize = 24;

impl Context {
    /// A type as written.
    pub fn lower(&self, world: &mut World<'_>, of: TypeIx) -> Ty {
        self.lower_within(world, of, MOST_ALIASES)
    }

    fn lower_within(&self, world: &mut World<'_>, of: TypeIx, left: usize) -> Ty {
        let facts = std::sync::Arc::clone(&self.facts);
        let one = |world: &mut World<'_>, at: TypeIx| self.lower_within(world, at, left);
        match &facts[of].kind {
            TypeKind::Path(path) => self.lower_path(world, path, left),
            TypeKind::Ref(inner) => Ty::Ref(Box::new(one(world, *inner))),
            TypeKind::Slice(inner, _) => Ty::Slice(Box::new(one(world, *inner))),
            TypeKind::Tuple(elems) => Ty::Tuple(elems.iter().map(|&elem| one(world, elem)).collect()),
            TypeKind::Fn { params, ret } => {
                let params = params.iter().map(|&param| one(world, param)).collect();
                let ret = ret.map_or_else(Ty::unit, |ret| one(world, ret));
                Ty::Fn(params, Box::new(ret))
            }
            TypeKind::Impl(bounds) | TypeKind::Dyn(bounds) => Ty::Bound(Rc::new(self.bounds(world, bounds))),
            TypeKind::Macro(_) | TypeKind::Other => Ty::Unknown,
        }
    }

    /// Bounds as written.
    pub(super) fn bounds(&self, world: &mut World<'_>, bounds: &[TypeIx]) -> Bounds {
        let facts = std::sync::Arc::clone(&self.facts);
        let mut read = Bounds { module: Some(self.module), ..Bounds::default() };
        for &bound in bounds {
            let TypeKind::Path(path) = &facts[bound].kind else { continue };
            let args = self.args(world, path.segments.last(), MOST_ALIASES);
            match self.resolve(world, path) {
                Some(Res::Item(item)) => read.local.push((item, args)),
                Some(Res::Outside(outside)) => {
                    let last = path.segments.last();
                    let bindings = last.map(|segment| &segment.bindings).into_iter().flatten();
                    let bindings = bindings.map(|(name, ty)| (name.clone(), self.lower(world, *ty))).collect();
                    read.outside.push((Rc::new(outside), args, bindings));
                }
                _ => {}
            }
        }
        read
    }

    fn args(&self, world: &mut World<'_>, segment: Option<&Segment>, left: usize) -> Vec<Ty> {
        let args = segment.map(|segment| segment.args.as_slice()).unwrap_or_default();
        args.iter().map(|&arg| self.lower_within(world, arg, left)).collect()
    }

    fn resolve(&self, world: &mut World<'_>, path: &Path) -> Option<Res> {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name.clone()).collect();
        for module in self.scopes(&names) {
            let found = world.resolve_names(module, &names, path.global, Space::Type, false);
            if let Some((found, _)) = found.into_iter().find(|(_, consumed)| *consumed == names.len()) {
                return Some(found.res);
            }
        }
        None
    }

    fn lower_path(&self, world: &mut World<'_>, path: &Path, left: usize) -> Ty {
        if let Some(qself) = path.qself {
            let of = self.lower_within(world, qself.of, left);
            let name = path.segments.last().map(|segment| segment.name.clone());
            return name.map_or(Ty::Unknown, |name| self.projection(world, &of, &name));
        }
        if let [first, rest @ ..] = path.segments.as_slice() {
            let known = match &*first.name {
                "Self" => self.self_ty.clone(),
                name => self.generic(name).filter(|_| !path.global).cloned(),
            };
            if let Some(known) = known {
                return match rest {
                    [] => known,
                    [name] => self.projection(world, &known, &name.name),
                    _ => Ty::Unknown,
                };
            }
        }
        match self.resolve(world, path) {
            Some(Res::Item(item)) => {
                let args = self.args(world, path.segments.last(), left);
                named(world, item, args, left)
            }
            Some(Res::Outside(outside)) => {
                let args = self.args(world, path.segments.last(), left);
                Ty::Outside(Some(Rc::new(outside)), args)
            }
            Some(Res::Primitive(name)) => Ty::Outside(Some(Rc::new(Outside::std(&name))), Vec::new()),
            _ => Ty::Unknown,
        }
    }

    /// `T::Name`: an associated type, from the impl around it, the bounds, or the impls of `T`.
    pub fn projection(&self, world: &mut World<'_>, of: &Ty, name: &Name) -> Ty {
        match of.peel() {
            Ty::Bound(bounds) => {
                let bound = bounds.outside.iter().flat_map(|(.., bindings)| bindings).find(|(known, _)| known == name);
                if let Some((_, ty)) = bound {
                    return ty.clone();
                }
                // An associated type of a local trait: what its bounds say, and a `where` clause.
                let stated = bounds.assoc.iter().find(|(known, _)| known == name).map(|(_, stated)| stated);
                for (item, _) in &bounds.local {
                    for member in world.members(*item) {
                        if world.item(member).name == *name
                            && let ItemKind::Alias { bounds: declared, .. } = &world.item(member).kind
                        {
                            let declared = declared.clone();
                            let context = Self::new(world, member, None);
                            let mut all = context.bounds(world, &declared);
                            if let Some(stated) = stated {
                                all = all.and(stated);
                            }
                            // What a caller's `where` clause says of it is looked up by this name.
                            all.name = bounds.name.as_ref().map(|of| projected(of, name));
                            return Ty::Bound(Rc::new(all));
                        }
                    }
                }
                stated.map_or(Ty::Unknown, |stated| Ty::Bound(Rc::clone(stated)))
            }
            Ty::Local(item, _) => {
                let item = *item;
                let around = self.owner.into_iter().chain(world.impls_naming(item).iter().copied()).collect::<Vec<_>>();
                for one in around {
                    if let Some(ty) = assoc_type(world, one, name) {
                        return ty;
                    }
                }
                Ty::Unknown
            }
            Ty::Outside(..) => Ty::EXTERNAL,
            _ => Ty::Unknown,
        }
    }
}

/// The name of an associated type of a parameter: `T::Item`.
pub(super) fn projected(of: &str, name: &str) -> Name {
    Name::from(format!("{of}::{name}"))
}

/// The associated type of this name in an impl.
pub(super) fn assoc_type(world: &mut World<'_>, one: ItemId, name: &str) -> Option<Ty> {
    for member in world.members(one) {
        if let ItemKind::Alias { of: Some(of), .. } = &world.item(member).kind
            && *world.item(member).name == *name
        {
            let of = *of;
            let context = Context::new(world, member, None);
            return Some(context.lower(world, of));
        }
    }
    None
}

/// A local item as a type, aliases followed.
pub(super) fn named(world: &mut World<'_>, item: ItemId, args: Vec<Ty>, left: usize) -> Ty {
    match &world.item(item).kind {
        ItemKind::Struct(_) | ItemKind::Enum(_) => Ty::Local(item, args),
        ItemKind::Trait { .. } => Ty::Bound(Rc::new(Bounds { local: vec![(item, args)], ..Bounds::default() })),
        ItemKind::Alias { of: Some(of), .. } if left > 0 => {
            let of = *of;
            let params: Vec<Name> = own_params(&world.item(item).generics).cloned().collect();
            let context = Context::new(world, item, None);
            let target = context.lower_within(world, of, left - 1);
            let with: Vec<(Name, Ty)> = params.into_iter().zip(args).collect();
            target.replace(&with)
        }
        _ => Ty::Unknown,
    }
}

impl World<'_> {
    /// The associated type of this name in an impl: `Target` of a `Deref`, `Output` of an operator.
    pub fn assoc_type(&mut self, one: ItemId, name: &str) -> Option<Ty> {
        assoc_type(self, one, name)
    }
}

impl Context {
    /// A local item as a type, aliases followed.
    pub fn lower_item(&self, world: &mut World<'_>, item: ItemId) -> Ty {
        named(world, item, Vec::new(), MOST_ALIASES)
    }
}
