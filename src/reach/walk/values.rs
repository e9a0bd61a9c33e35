//! Names as values: variables, functions, constants, constructors.

use std::{rc::Rc, sync::Arc};

use super::walker::Walker;
use crate::{
    base::Span,
    finding::{Certainty, HopKind},
    reach::{EventKind, Role, Target},
    resolve::{Found, ItemId, Res, Space},
    source::{ExprIx, FieldValue, ItemKind, Name, Path},
    types::{Callee, Code, Ty},
};

impl Walker<'_, '_> {
    /// A path as a value.
    pub(super) fn value(&mut self, path: &Path) -> Ty {
        self.path_args(path);
        if let Some(qself) = path.qself {
            self.type_(qself.of);
            let of = self.cx.lower(self.reader, qself.of);
            let at = qself.trait_segments;
            if at + 1 == path.segments.len()
                && let Some(ty) = self.through_trait(&of, path, at)
            {
                return ty;
            }
            return self.associated(&of, path, at, HopKind::Call);
        }
        if let [only] = path.segments.as_slice()
            && !path.global
            && let Some(local) = self.local(&only.name)
        {
            return self.locals[local].ty.clone();
        }
        if let Some(ty) = self.known_head(path) {
            return match path.segments.len() {
                1 => self.constructor(&ty, None, path.span),
                _ => self.associated(&ty, path, 1, HopKind::Call),
            };
        }
        let mut answer = Ty::Unknown;
        for (found, consumed) in self.resolve(path, Space::Value) {
            let ty = self.found_value(path, &found, consumed);
            if answer == Ty::Unknown {
                answer = ty;
            }
        }
        answer
    }

    /// `Self` and generic parameters at the head of a path.
    pub(super) fn known_head(&self, path: &Path) -> Option<Ty> {
        let first = path.segments.first()?;
        if path.global {
            return None;
        }
        match &*first.name {
            "Self" => self.cx.self_ty.clone(),
            name => self.cx.generic(name).cloned(),
        }
    }

    fn found_value(&mut self, path: &Path, found: &Found, consumed: usize) -> Ty {
        self.name(path, found, Role::Code);
        match &found.res {
            Res::Item(item) if consumed == path.segments.len() => self.item_value(*item, path.span),
            Res::Item(item) => {
                let of = self.cx.lower_item(self.reader, *item);
                let of = if of == Ty::Unknown && matches!(self.reader.item(*item).kind, ItemKind::Trait { .. }) {
                    Ty::Bound(Rc::new(crate::types::Bounds { local: vec![(*item, Vec::new())], ..Default::default() }))
                } else {
                    of
                };
                let before = self.events.len();
                let ty = self.associated(&of, path, consumed, HopKind::Call);
                // A function of a type comes through the type's imports.
                let through: Rc<[_]> = found.uses.clone().into();
                for event in &mut self.events[before..] {
                    if let EventKind::To { hop: HopKind::Call, uses, .. } = &mut event.kind {
                        *uses = Rc::clone(&through);
                    }
                }
                ty
            }
            Res::Variant(item, variant) => self.constructor(&Ty::Local(*item, Vec::new()), Some(*variant), path.span),
            Res::Outside(outside) if outside.last() == "None" => {
                let asked = path.segments.iter().flat_map(|segment| &segment.args).next();
                let asked = asked.map_or(Ty::Unknown, |&of| self.cx.lower(self.reader, of));
                Ty::std("std::option::Option", vec![asked])
            }
            Res::Outside(_) => Ty::EXTERNAL,
            Res::Primitive(_) => Ty::EXTERNAL,
            Res::Module(_) | Res::Scanned(_) => Ty::Unknown,
        }
    }

    fn item_value(&mut self, item: ItemId, span: Span) -> Ty {
        match &self.reader.item(item).kind {
            ItemKind::Fn(_) => {
                let ret = self.reader.signature(item).ret.clone();
                Ty::Code(Code::Function(item), Box::new(ret))
            }
            ItemKind::Const { of, .. } | ItemKind::Static { of, .. } => {
                let of = *of;
                let cx = crate::types::Context::new(self.reader, item, None);
                cx.lower(self.reader, of)
            }
            ItemKind::Struct(_) => self.constructor(&Ty::Local(item, Vec::new()), None, span),
            _ => Ty::Unknown,
        }
    }

    /// A struct or variant named as a value: a unit one is a value, a tuple one makes values.
    fn constructor(&mut self, of: &Ty, variant: Option<u32>, span: Span) -> Ty {
        let Ty::Local(item, _) = of.peel() else { return Ty::Unknown };
        let count = match (&self.reader.item(*item).kind, variant) {
            (ItemKind::Struct(fields), _) => fields.fields.len(),
            (ItemKind::Enum(variants), Some(variant)) => {
                variants.get(variant as usize).map_or(0, |v| v.fields.fields.len())
            }
            _ => 0,
        };
        if count == 0 {
            return of.peel().clone();
        }
        for field in 0..count {
            self.touch(of, *item, variant, &field.to_string(), span, true);
        }
        Ty::Fn(Vec::new(), Box::new(of.peel().clone()))
    }

    /// `Type::name`, where `name` is the segment at `at`.
    pub(super) fn associated(&mut self, of: &Ty, path: &Path, at: usize, hop: HopKind) -> Ty {
        let Some(segment) = path.segments.get(at) else { return Ty::Unknown };
        if at + 1 < path.segments.len() {
            // An associated type on the way: `T::Out::make`.
            let of = self.cx.projection(self.reader, of, &segment.name);
            return self.associated(&of, path, at + 1, hop);
        }
        if let Ty::Local(item, _) = of.peel()
            && let Some(found) = self.reader.variant(*item, &segment.name)
            && let Res::Variant(item, variant) = found.res
        {
            return self.constructor(&Ty::Local(item, Vec::new()), Some(variant), path.span);
        }
        let mut callees = self.associated_callees(of, &segment.name);
        if let Some(of_trait) = self.qualified_trait(path) {
            let meant: Vec<_> =
                callees.iter().filter(|callee| self.reader.trait_of(callee) == Some(of_trait)).cloned().collect();
            if !meant.is_empty() {
                callees = meant;
            }
        }
        let mut ty = Ty::Unknown;
        for callee in &callees {
            self.callee(callee, segment.span, hop);
            if ty == Ty::Unknown
                && let Callee::Item(item) | Callee::Default { method: item, .. } | Callee::Dispatch(item) = callee
            {
                ty = self.item_value(*item, path.span);
            }
        }
        if &*segment.name == "default"
            && let [Callee::OutsideTrait(_), ..] = callees.as_slice()
        {
            return Ty::Fn(Vec::new(), Box::new(of.peel().clone()));
        }
        if callees.is_empty() {
            if &*segment.name == "default" {
                self.implicit(of, "Default", "default", segment.span);
                return Ty::Fn(Vec::new(), Box::new(of.peel().clone()));
            }
            if let Ty::Outside(known, _) = of.peel() {
                if let Some(known) = known {
                    let path = known.join(&segment.name);
                    self.say(segment.span, EventKind::OfAlias { path });
                }
                return Ty::EXTERNAL;
            }
        }
        ty
    }

    /// `<Type as Trait>::name` of a local trait that the type has by an impl for others, such as `impl<T>
    /// Trait for T`.
    fn through_trait(&mut self, of: &Ty, path: &Path, segments: usize) -> Option<Ty> {
        let (named, [.., last]) = (path.segments.get(..segments)?, path.segments.as_slice()) else { return None };
        let names: Vec<Name> = named.iter().map(|segment| segment.name.clone()).collect();
        let found = self.reader.resolve_names(self.cx.module, &names, path.global, Space::Type, false);
        let of_trait = found.into_iter().find_map(|(found, consumed)| match found.res {
            Res::Item(item) if consumed == names.len() => Some(item),
            _ => None,
        })?;
        let own = match of.peel() {
            Ty::Local(item, _) => !self.reader.of_local(*item, &last.name, false).is_empty(),
            Ty::Bound(_) => true,
            _ => false,
        };
        let callees = if own { Vec::new() } else { self.reader.trait_on(of_trait, of.peel(), &last.name) };
        let first = callees.first()?.clone();
        self.to(path.span, Target::Item(of_trait), HopKind::Type);
        callees.iter().for_each(|callee| self.callee(callee, last.span, HopKind::Call));
        match first {
            Callee::Item(item) => Some(self.item_value(item, path.span)),
            _ => Some(Ty::Unknown),
        }
    }

    pub(super) fn associated_callees(&mut self, of: &Ty, name: &str) -> Vec<Callee> {
        match of.peel() {
            Ty::Local(item, _) => self.reader.of_local(*item, name, true),
            Ty::Bound(bounds) => {
                let mut callees = Vec::new();
                for (of_trait, _) in bounds.local.clone() {
                    callees.extend(self.reader.trait_member(of_trait, name).map(Callee::Dispatch));
                }
                if callees.is_empty() {
                    callees.extend(bounds.outside.iter().map(|(path, ..)| Callee::OutsideTrait(Rc::clone(path))));
                }
                callees
            }
            other => self.reader.extension(self.cx.module, other, name),
        }
    }

    /// Writes down where a call leads.
    pub(super) fn callee(&mut self, callee: &Callee, span: Span, hop: HopKind) {
        match callee {
            Callee::Item(item) => self.to(span, Target::Item(*item), hop),
            Callee::Default { method, this } => self.to(span, Target::Default(*method, *this), hop),
            Callee::Dispatch(method) => self.say(span, EventKind::Dispatch { method: *method }),
            Callee::Provided { of } => {
                for member in self.reader.members(*of) {
                    if matches!(self.reader.item(member).kind, ItemKind::Fn(_)) {
                        self.lead(span, Target::Item(member), HopKind::Dispatch, Certainty::Resolved, Rc::from([]));
                    }
                }
            }
            Callee::OutsideTrait(of) => self.say(span, EventKind::OutsideTrait { of: Rc::clone(of), method: None }),
        }
    }

    /// `Path { field: value }`.
    pub(super) fn struct_literal(&mut self, path: &Path, fields: &[FieldValue], rest: Option<ExprIx>) -> Ty {
        self.path_args(path);
        let (mut of, variant) = self.struct_head(path);
        let item = if let Ty::Local(item, _) = &of { Some(*item) } else { None };
        let facts = Arc::clone(&self.cx.facts);
        let mut with = Vec::new();
        for field in fields {
            let known = item.and_then(|_| self.reader.field(&of, variant, &field.name));
            if let Some((item, index, ty)) = known {
                self.to(field.span, Target::Field(item, variant, index), HopKind::Field);
                let given = self.argument(field.value, Some(&ty));
                ty.bind(&given, &mut with);
                of = self.keeping(of, item, (variant, index), &given, facts[field.value].span);
            } else {
                self.argument(field.value, None);
            }
        }
        let of = self.reader.holding(of, &with);
        match rest {
            Some(rest) => {
                let rest = self.take(rest, Some(&of));
                of.joined(&rest)
            }
            None => of,
        }
    }

    fn struct_head(&mut self, path: &Path) -> (Ty, Option<u32>) {
        if let Some(known) = self.known_head(path) {
            if let (Ty::Local(item, _), Some(segment)) = (known.peel(), path.segments.get(1))
                && let Some(found) = self.reader.variant(*item, &segment.name)
                && let Res::Variant(_, variant) = found.res
            {
                return (known.peel().clone(), Some(variant));
            }
            return (known.peel().clone(), None);
        }
        let mut answer = (Ty::EXTERNAL, None);
        for (found, consumed) in self.resolve(path, Space::Type) {
            self.name(path, &found, Role::Code);
            match &found.res {
                Res::Item(item) if consumed == path.segments.len() => {
                    answer = (self.cx.lower_item(self.reader, *item), None)
                }
                Res::Item(item) => {
                    // An alias of an enum, with the variant behind it.
                    if let of @ Ty::Local(target, _) = self.cx.lower_item(self.reader, *item)
                        && let Some(found) = self.reader.variant(target, &path.segments[consumed].name)
                        && let Res::Variant(_, variant) = found.res
                    {
                        answer = (of, Some(variant));
                    }
                }
                Res::Variant(item, variant) => answer = (Ty::Local(*item, Vec::new()), Some(*variant)),
                _ => {}
            }
        }
        answer
    }
}
