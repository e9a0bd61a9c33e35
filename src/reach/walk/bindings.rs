//! Local variables: what patterns bind, what is moved, and where values end.

use std::collections::BTreeSet;

use super::walker::{Local, Walker};
use crate::{
    base::Span,
    finding::HopKind,
    reach::{EventKind, Role, Target},
    resolve::{ItemId, Res, Space},
    source::{ExprIx, ExprKind, ItemKind, Name, PatIx, PatKind, Path},
    types::{Ty, element, open_result},
};

/// How deep the values inside a value are looked at for a `Drop`.
const DROP_DEPTH: usize = 5;

/// What runs where a value ends.
#[derive(Default)]
struct Ends {
    seen: BTreeSet<ItemId>,
    drops: BTreeSet<ItemId>,
    /// Local traits of which only that is known.
    traits: BTreeSet<ItemId>,
}

impl Walker<'_, '_> {
    pub(super) fn bind_name(&mut self, name: Name, ty: Ty, span: Span) {
        let depth = self.branch.len();
        self.locals.push(Local { name, ty, span, depth, moves: Vec::new(), left: false });
    }

    /// The variable of this name, by its place in the list.
    pub(super) fn local(&self, name: &str) -> Option<usize> {
        self.locals.iter().rposition(|local| &*local.name == name)
    }

    /// Ends the variables from `before` on: what was not moved on is dropped here.
    pub(super) fn end_locals(&mut self, before: usize) {
        for local in self.locals.split_off(before).into_iter().rev() {
            let sure = local.moves.iter().any(|at| at.len() <= local.depth);
            let moved = sure || local.moves.len() > 1;
            if !moved || local.left {
                self.drop_value(&local.ty, local.span);
            }
        }
    }

    /// Code leaves the function here: variables that were not moved yet end.
    pub(super) fn leave(&mut self) {
        let frame = self.frame;
        for local in &mut self.locals[frame..] {
            local.left |= local.moves.is_empty();
        }
    }

    /// A value is taken over: the variable that it stands in has ended without a drop.
    pub(super) fn mark_moved(&mut self, expr: ExprIx) {
        let facts = std::sync::Arc::clone(&self.cx.facts);
        let mut at = expr;
        let mut part = false;
        loop {
            match &facts[at].kind {
                ExprKind::Field { base, .. } => {
                    at = *base;
                    part = true;
                }
                ExprKind::Path(path) => {
                    if let [only] = path.segments.as_slice()
                        && let Some(local) = self.local(&only.name)
                    {
                        // Nothing can be moved out of a value that has a `Drop` of its own.
                        if part
                            && let Ty::Local(item, _) = self.locals[local].ty
                            && !self.reader.language_impl(item, "Drop", None).is_empty()
                        {
                            return;
                        }
                        let branch = self.branch.clone();
                        self.locals[local].moves.push(branch);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// Whether anything runs when a value of this type ends.
    pub(super) fn has_drop(&mut self, ty: &Ty) -> bool {
        let mut ends = Ends::default();
        self.drop_glue(ty, DROP_DEPTH, &mut ends);
        !ends.drops.is_empty() || !ends.traits.is_empty() || matches!(ty, Ty::Unknown | Ty::Bound(_))
    }

    /// A value of this type ends here.
    pub(super) fn drop_value(&mut self, ty: &Ty, span: Span) {
        let mut ends = Ends::default();
        self.drop_glue(ty, DROP_DEPTH, &mut ends);
        for item in ends.drops {
            self.to(span, Target::Item(item), HopKind::Implicit);
        }
        for of in ends.traits {
            self.say(span, EventKind::EndsBound { of });
        }
    }

    fn drop_glue(&mut self, ty: &Ty, left: usize, ends: &mut Ends) {
        match ty {
            Ty::Local(item, args) if ends.seen.insert(*item) => {
                ends.drops.extend(self.reader.language_impl(*item, "Drop", Some("drop")));
                if left > 0 {
                    let params = &self.reader.item(*item).generics.params;
                    let with: Vec<(Name, Ty)> =
                        params.iter().map(|param| param.name.clone()).zip(args.iter().cloned()).collect();
                    for field in self.reader.field_types(*item).iter() {
                        self.drop_glue(&field.replace(&with), left - 1, ends);
                    }
                }
                args.iter().for_each(|arg| self.drop_glue(arg, left, ends));
            }
            Ty::Bound(bounds) => ends.traits.extend(bounds.local.iter().map(|(of, _)| *of)),
            // A shared pointer may not be the last one; it is taken to be.
            Ty::Outside(_, args) | Ty::Tuple(args) => args.iter().for_each(|arg| self.drop_glue(arg, left, ends)),
            Ty::Slice(inner) => self.drop_glue(inner, left, ends),
            _ => {}
        }
    }

    /// What a pattern names, touches and binds, for a value of this type.
    pub(super) fn pattern(&mut self, pat: PatIx, ty: &Ty) {
        let facts = std::sync::Arc::clone(&self.cx.facts);
        let span = facts[pat].span;
        let by_ref = matches!(ty, Ty::Ref(_));
        let inner = |ty: Ty| if by_ref && !matches!(ty, Ty::Ref(_)) { Ty::Ref(Box::new(ty)) } else { ty };
        match &facts[pat].kind {
            PatKind::Name(name, sub) => {
                if sub.is_none() && name.starts_with(char::is_uppercase) && self.constant(name, span) {
                    return;
                }
                self.bind_name(name.clone(), ty.clone(), span);
                if let Some(sub) = sub {
                    self.pattern(*sub, ty);
                }
            }
            PatKind::Wild => {}
            PatKind::Path(path) => {
                self.pattern_path(path, ty);
            }
            PatKind::TupleStruct { path, elems, rest } => {
                let of = self.pattern_path(path, ty);
                let len = of.as_ref().map_or(elems.len(), |(item, variant)| self.field_count(*item, *variant));
                for (index, &elem) in elems.iter().enumerate() {
                    let at = match rest {
                        Some(rest) if index >= *rest => index + len.saturating_sub(elems.len()),
                        _ => index,
                    };
                    let ty = match &of {
                        Some((item, variant)) => {
                            let touched = !matches!(facts[elem].kind, PatKind::Wild);
                            self.touch(ty, *item, *variant, &at.to_string(), facts[elem].span, touched)
                        }
                        None => match path.segments.last().map(|s| &*s.name) {
                            Some("Some" | "Ok" | "Ready" | "Continue" | "Break") => open_result(ty, false),
                            Some("Err") => open_result(ty, true),
                            _ if ty.may_hold_local() => Ty::Unknown,
                            _ => Ty::EXTERNAL,
                        },
                    };
                    self.pattern(elem, &inner(ty));
                }
            }
            PatKind::Struct { path, fields } => {
                let of = self.pattern_path(path, ty);
                for (name, span, elem) in fields {
                    let ty = match &of {
                        Some((item, variant)) => {
                            let touched = !matches!(facts[*elem].kind, PatKind::Wild);
                            self.touch(ty, *item, *variant, name, *span, touched)
                        }
                        None => Ty::Unknown,
                    };
                    self.pattern(*elem, &inner(ty));
                }
            }
            PatKind::Tuple { elems, rest } => {
                let known: &[Ty] = if let Ty::Tuple(known) = ty.peel() { known } else { &[] };
                let other = if ty.may_hold_local() { Ty::Unknown } else { Ty::EXTERNAL };
                for (index, &elem) in elems.iter().enumerate() {
                    let at = match rest {
                        Some(rest) if index >= *rest => index + known.len().saturating_sub(elems.len()),
                        _ => index,
                    };
                    self.pattern(elem, &inner(known.get(at).unwrap_or(&other).clone()));
                }
            }
            PatKind::Slice(elems) => {
                let elem_ty = inner(element(ty));
                elems.iter().for_each(|&elem| self.pattern(elem, &elem_ty));
            }
            PatKind::Ref(sub) => self.pattern(*sub, ty.peel()),
            PatKind::Or(alternatives) => alternatives.iter().for_each(|&one| self.pattern(one, ty)),
            PatKind::Expr(expr) => {
                self.expr(*expr, None);
            }
            PatKind::Typed(sub, of) => {
                self.type_(*of);
                let ty = self.cx.lower(self.reader, *of);
                self.pattern(*sub, &ty);
            }
            PatKind::Macro(call) => {
                self.macro_call(call, None);
            }
        }
    }

    /// Whether a capitalised name in a pattern is a constant, unit struct or variant; then it is named.
    fn constant(&mut self, name: &Name, span: Span) -> bool {
        let Some(path) = self.text_path(name, span) else { return false };
        let found = self.resolve(&path, Space::Value);
        let mut named = false;
        for (found, _) in &found {
            let is_constant = match &found.res {
                Res::Variant(..) => true,
                Res::Outside(path) => !path.guessed,
                Res::Item(item) => !matches!(self.reader.item(*item).kind, ItemKind::Fn(_)),
                _ => false,
            };
            if is_constant {
                self.name(&path, found, Role::Code);
                named = true;
            }
        }
        named
    }

    /// The struct or variant that a pattern's path names.
    fn pattern_path(&mut self, path: &Path, ty: &Ty) -> Option<(ItemId, Option<u32>)> {
        self.path_args(path);
        if let [first, rest @ ..] = path.segments.as_slice()
            && &*first.name == "Self"
        {
            let Some(Ty::Local(item, _)) = self.cx.self_ty.as_ref().map(Ty::peel) else { return None };
            let item = *item;
            return match rest {
                [] => Some((item, None)),
                [name, ..] => match self.reader.variant(item, &name.name)?.res {
                    Res::Variant(item, variant) => Some((item, Some(variant))),
                    _ => None,
                },
            };
        }
        let mut found = self.resolve(path, Space::Value);
        if found.is_empty() {
            found = self.resolve(path, Space::Type);
        }
        let mut answer = None;
        for (found, consumed) in &found {
            self.name(path, found, Role::Code);
            if *consumed < path.segments.len() {
                if let Res::Item(item) = found.res {
                    let name = &path.segments[*consumed].name;
                    let callees = self.reader.of_local(item, name, false);
                    callees.iter().for_each(|callee| self.callee(callee, path.span, HopKind::Type));
                }
                continue;
            }
            answer = answer.or(match &found.res {
                Res::Variant(item, variant) => Some((*item, Some(*variant))),
                Res::Item(item) => match self.cx.lower_item(self.reader, *item) {
                    Ty::Local(item, _) => Some((item, None)),
                    _ => None,
                },
                _ => None,
            });
        }
        let _ = ty;
        answer
    }

    fn field_count(&self, item: ItemId, variant: Option<u32>) -> usize {
        match (&self.reader.item(item).kind, variant) {
            (ItemKind::Struct(fields), _) => fields.fields.len(),
            (ItemKind::Enum(variants), Some(variant)) => {
                variants.get(variant as usize).map_or(0, |variant| variant.fields.fields.len())
            }
            _ => 0,
        }
    }

    /// The type of a field that code touches; says so where it is really touched.
    pub(super) fn touch(
        &mut self,
        of: &Ty,
        item: ItemId,
        variant: Option<u32>,
        name: &str,
        span: Span,
        touched: bool,
    ) -> Ty {
        let of = match of.peel() {
            known @ Ty::Local(actual, _) if *actual == item => known.clone(),
            _ => Ty::Local(item, Vec::new()),
        };
        let Some((item, index, ty)) = self.reader.field(&of, variant, name) else { return Ty::Unknown };
        if touched {
            self.to(span, Target::Field(item, variant, index), HopKind::Field);
        }
        ty
    }
}
