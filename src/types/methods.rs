//! Whose method is called.

use std::rc::Rc;

use super::{Context, Reader, Ty, outside::pointee};
use crate::{
    resolve::{ImplFor, ItemId, ModuleId, Outside, OutsideCrate, Res},
    source::{ItemKind, TypeKind},
};

/// The traits by which a value is made of another.
const CONVERSIONS: [&str; 2] = ["From", "TryFrom"];

/// What a call leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function or method with a body of its own.
    Item(ItemId),
    /// The default body of a trait's method, for a known type.
    Default {
        /// The method in the trait.
        method: ItemId,
        /// The type that `Self` is.
        this: ItemId,
    },
    /// A method of a local trait, whoever implements it.
    Dispatch(ItemId),
    /// A method that a trait of another crate has, on a local type: whatever the impl gives it to run.
    Provided {
        /// The impl.
        of: ItemId,
    },
    /// A method of a trait of another crate, on a value that came in by a bound.
    OutsideTrait(Rc<Outside>),
}

/// What was found out about a method call.
#[derive(Clone, Debug)]
pub struct MethodCall {
    /// What it leads to; several where the source does not tell which.
    pub callees: Vec<Callee>,
    /// `Deref` impls passed on the way: their `deref` methods.
    pub derefs: Vec<ItemId>,
    /// The type on which it was found, or where the search ended.
    pub on: Ty,
    /// Whether the source does not show the receiver's type.
    pub unknown: bool,
}

/// Traits that the language or formatting calls; their methods are followed where it calls them.
const LANGUAGE: [&str; 22] = [
    "Drop",
    "Clone",
    "Copy",
    "Debug",
    "Display",
    "From",
    "Into",
    "Default",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Error",
    "Deref",
    "DerefMut",
    "AsRef",
    "Borrow",
    "Send",
    "Sync",
    "TryFrom",
    "FromStr",
];

/// Whether a trait is called by the language or by formatting rather than by whoever is given a value.
pub fn is_language_trait(path: &Outside) -> bool {
    LANGUAGE.contains(&path.last())
}

/// Whether a trait of another crate may have a method of this name of its own: neither what every type
/// can have by a std trait, nor a trait of an operator, of which only its methods are called.
fn may_provide(path: &Outside, name: &str) -> bool {
    let of_std = matches!(
        name,
        "clone"
            | "clone_from"
            | "to_owned"
            | "to_string"
            | "into"
            | "try_into"
            | "eq"
            | "ne"
            | "cmp"
            | "partial_cmp"
            | "hash"
            | "fmt"
            | "default"
            | "borrow"
            | "borrow_mut"
            | "as_ref"
            | "as_mut"
            | "type_id"
    );
    let of_operator = path.krate == OutsideCrate::Std && path.segments.first().is_some_and(|name| &**name == "ops");
    !of_std && !of_operator && !is_language_trait(path)
}

impl Reader<'_> {
    /// What `receiver.name()` leads to, in code of a module.
    pub fn method(&mut self, module: ModuleId, receiver: &Ty, name: &str) -> MethodCall {
        let mut derefs = Vec::new();
        let mut on = receiver.peel().clone();
        for _ in 0..16 {
            let callees = match &on {
                Ty::Local(item, _) => {
                    let callees = self.of_local(*item, name, true);
                    self.in_scope(module, callees)
                }
                Ty::Bound(bounds) => {
                    let mut callees = Vec::new();
                    for (of, _) in bounds.local.clone() {
                        match self.trait_member(of, name) {
                            Some(member) => callees.push(Callee::Dispatch(member)),
                            None => callees.extend(self.outside_supertraits(of).into_iter().map(Callee::OutsideTrait)),
                        }
                    }
                    if callees.iter().any(|callee| matches!(callee, Callee::Dispatch(_))) {
                        callees.retain(|callee| matches!(callee, Callee::Dispatch(_)));
                    } else {
                        callees.extend(bounds.outside.iter().map(|(path, ..)| Callee::OutsideTrait(Rc::clone(path))));
                    }
                    callees
                }
                _ => Vec::new(),
            };
            let found = |callees, derefs, on| MethodCall { callees, derefs, on, unknown: false };
            let sure = callees.iter().any(|c| !matches!(c, Callee::Provided { .. } | Callee::OutsideTrait(_)));
            if sure {
                return found(callees, derefs, on);
            }
            let extension = self.extension(module, &on, name);
            if !extension.is_empty() {
                return found(extension, derefs, on);
            }
            let next = match &on {
                Ty::Local(item, _) => self.deref_of(*item).map(|(target, method)| {
                    derefs.extend(method);
                    target
                }),
                other if super::adapt(other, name).is_none() => pointee(other).cloned(),
                _ => None,
            };
            match next {
                Some(next) => on = next.peel().clone(),
                None => {
                    let unknown = on == Ty::Unknown;
                    return MethodCall { callees, derefs, on, unknown };
                }
            }
        }
        MethodCall { callees: Vec::new(), derefs, on: Ty::Unknown, unknown: true }
    }

    /// What `Type::name` or a method of a local type leads to. With `provided`, a method that only a
    /// trait of another crate can have leads to that trait's impls.
    pub fn of_local(&mut self, item: ItemId, name: &str, provided: bool) -> Vec<Callee> {
        let mut inherent = Vec::new();
        let mut by_trait = Vec::new();
        let mut others = Vec::new();
        for &one in self.impls_naming(item).iter() {
            if !self.is_impl_for(one, item) {
                continue;
            }
            let of = self.impl_trait(one);
            let has_trait = matches!(&self.item(one).kind, ItemKind::Impl { of: Some(_), .. });
            let member = self.members(one).into_iter().find(|&member| *self.item(member).name == *name);
            match (has_trait, member, of) {
                (false, Some(member), _) => inherent.push(Callee::Item(member)),
                (true, Some(member), _) => by_trait.push(Callee::Item(member)),
                (true, None, Some(Res::Item(of))) => {
                    if let Some(method) = self.trait_member(of, name)
                        && self.has_body(method)
                    {
                        by_trait.push(Callee::Default { method, this: item });
                    }
                }
                (true, None, Some(Res::Outside(path))) if may_provide(&path, name) => {
                    others.push(Callee::Provided { of: one })
                }
                _ => {}
            }
        }
        if !inherent.is_empty() {
            return inherent;
        }
        if !by_trait.is_empty() {
            return by_trait;
        }
        if provided { others } else { Vec::new() }
    }

    /// The local trait that a callee is a method of.
    pub fn trait_of(&mut self, callee: &Callee) -> Option<ItemId> {
        let (Callee::Item(method) | Callee::Default { method, .. } | Callee::Dispatch(method)) = callee else {
            return None;
        };
        let owner = self.owner(*method)?;
        match &self.item(owner).kind {
            ItemKind::Trait { .. } => Some(owner),
            _ => match self.impl_trait(owner) {
                Some(Res::Item(of)) => Some(of),
                _ => None,
            },
        }
    }

    /// Where several traits give a type a method of one name, those that are in scope; all where the
    /// scope does not tell.
    fn in_scope(&mut self, module: ModuleId, callees: Vec<Callee>) -> Vec<Callee> {
        let mut traits: Vec<_> = callees.iter().map(|callee| self.trait_of(callee)).collect();
        traits.dedup();
        if traits.len() < 2 {
            return callees;
        }
        let scope = self.traits_in_scope(module);
        let fit: Vec<_> = callees
            .iter()
            .filter(|callee| self.trait_of(callee).is_some_and(|of| scope.contains(&of)))
            .cloned()
            .collect();
        if fit.is_empty() { callees } else { fit }
    }

    /// Whether a function has a body, or a const a value.
    pub fn has_body(&self, item: ItemId) -> bool {
        match &self.item(item).kind {
            ItemKind::Fn(function) => function.body.is_some(),
            ItemKind::Const { value, .. } => value.is_some(),
            _ => false,
        }
    }

    /// `Target` of a local type's `Deref`, and the method that the language calls.
    pub fn deref_of(&mut self, item: ItemId) -> Option<(Ty, Option<ItemId>)> {
        for &one in self.impls_naming(item).iter() {
            if let Some(Res::Outside(path)) = self.impl_trait(one)
                && path.last() == "Deref"
                && self.is_impl_for(one, item)
            {
                let method = self.members(one).into_iter().find(|&member| &*self.item(member).name == "deref");
                let target = self.assoc_type(one, "Target").unwrap_or(Ty::Unknown);
                return Some((target, method));
            }
        }
        None
    }

    /// Methods that local traits in scope add to types that are not theirs, or to any type.
    pub fn extension(&mut self, module: ModuleId, on: &Ty, name: &str) -> Vec<Callee> {
        let mut found = Vec::new();
        for &of in self.traits_in_scope(module).iter() {
            let Some(method) = self.trait_member(of, name) else { continue };
            if matches!(&self.item(method).kind, ItemKind::Fn(function) if function.receiver.is_some()) {
                found.extend(self.trait_on(of, on, name));
            }
        }
        found
    }

    /// What a local trait's member is for types that are not local, or that have it by an impl for any type.
    pub fn trait_on(&mut self, of: ItemId, on: &Ty, name: &str) -> Vec<Callee> {
        let mut found = Vec::new();
        if let Some(method) = self.trait_member(of, name) {
            for &one in self.impls_naming(of).iter() {
                if self.impl_trait(one) != Some(Res::Item(of)) {
                    continue;
                }
                let fits = match (self.impl_for(one), on) {
                    (ImplFor::Any, _) => true,
                    (ImplFor::Outside(path), Ty::Outside(Some(actual), _)) => path.last() == actual.last(),
                    (ImplFor::Outside(_), Ty::Outside(None, _)) => true,
                    (ImplFor::Other, Ty::Tuple(_) | Ty::Slice(_) | Ty::Fn(..) | Ty::Code(..)) => true,
                    _ => false,
                };
                if fits {
                    let member = self.members(one).into_iter().find(|&member| *self.item(member).name == *name);
                    found.push(Callee::Item(member.unwrap_or(method)));
                }
            }
        }
        found
    }

    /// The methods of a local type's impl of a std trait, and whether the type has such an impl or
    /// only derives it.
    pub fn language_impl(&mut self, item: ItemId, of: &str, method: Option<&str>) -> Vec<ItemId> {
        let mut found = Vec::new();
        for &one in self.impls_of_called(item, of).iter() {
            if let Some(Res::Outside(path)) = self.impl_trait(one)
                && path.last() == of
                && self.is_impl_for(one, item)
            {
                let members = self.members(one).into_iter();
                found.extend(members.filter(|&member| {
                    let is_fn = matches!(self.item(member).kind, ItemKind::Fn(_));
                    is_fn && method.is_none_or(|name| *self.item(member).name == *name)
                }));
            }
        }
        found
    }

    /// Whether a local type derives a trait of this name.
    pub fn derives(&self, item: ItemId, of: &str) -> bool {
        self.item(item)
            .attrs
            .iter()
            .any(|attr| attr.derive && attr.path.segments.last().is_some_and(|s| &*s.name == of))
    }

    /// `impl From<X> for Y` of a local `Y`: the `from` methods, each with `X`.
    pub fn conversions_into(&mut self, item: ItemId) -> Vec<(ItemId, Ty)> {
        let mut found = Vec::new();
        for of in CONVERSIONS {
            for &one in self.impls_of_called(item, of).iter() {
                if self.is_impl_for(one, item)
                    && let Some(arg) = self.trait_arg(one, of)
                {
                    found.extend(self.functions_of(one).into_iter().map(|method| (method, arg.clone())));
                }
            }
        }
        found
    }

    /// The `from` methods of every impl of `From<X>` and the `into` methods of `X`, for a local `X`.
    pub fn conversions_from(&mut self, item: ItemId) -> Vec<ItemId> {
        let mut found = self.language_impl(item, "Into", Some("into"));
        found.extend(CONVERSIONS.iter().flat_map(|of| self.impls_taking(item, of)));
        found
    }

    /// The methods of the impls of a trait that take a local type as its first argument.
    pub fn impls_taking(&mut self, item: ItemId, of: &str) -> Vec<ItemId> {
        let mut found = Vec::new();
        for &one in self.impls_with_words(item, of).iter() {
            let arg = self.trait_arg(one, of);
            if matches!(arg.as_ref().map(Ty::peel), Some(Ty::Local(of, _)) if *of == item) {
                found.extend(self.functions_of(one));
            }
        }
        found
    }

    fn functions_of(&mut self, one: ItemId) -> Vec<ItemId> {
        let mut members = self.members(one);
        members.retain(|&member| matches!(self.item(member).kind, ItemKind::Fn(_)));
        members
    }

    /// The first argument of an impl's trait, where it is called so.
    fn trait_arg(&mut self, one: ItemId, name: &str) -> Option<Ty> {
        let ItemKind::Impl { of: Some(of), .. } = &self.item(one).kind else { return None };
        let of = *of;
        match self.impl_trait(one)? {
            Res::Outside(path) if path.last() == name => {}
            _ => return None,
        }
        let facts = self.facts_of(one);
        let TypeKind::Path(path) = &facts[of].kind else { return None };
        let arg = *path.segments.last()?.args.first()?;
        let context = Context::new(self, one, None);
        Some(context.lower(self, arg))
    }
}
