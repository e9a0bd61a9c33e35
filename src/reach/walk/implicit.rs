//! What the language calls by itself, where it calls it.

use std::{collections::BTreeSet, rc::Rc};

use super::walker::Walker;
use crate::{
    base::Span,
    finding::{Certainty, HopKind},
    reach::{EventKind, Target},
    resolve::{ImplFor, ItemId, Outside},
    source::MacroBody,
    types::{Ty, adapt, element, open_result},
};

/// How deep derives are followed into fields.
const DERIVE_DEPTH: usize = 6;

impl Walker<'_, '_> {
    /// The language calls `method` of a std trait on a value: the impl of a local type, or, where it
    /// is derived, those of its fields.
    pub(super) fn implicit(&mut self, ty: &Ty, of: &str, method: &str, span: Span) {
        self.implicit_within(ty, of, method, span, DERIVE_DEPTH, &mut BTreeSet::new());
    }

    fn implicit_within(
        &mut self,
        ty: &Ty,
        of: &str,
        method: &str,
        span: Span,
        left: usize,
        seen: &mut BTreeSet<ItemId>,
    ) {
        match ty {
            Ty::Local(item, args) => {
                if !seen.insert(*item) {
                    return;
                }
                let methods = self.reader.language_impl(*item, of, Some(method));
                if methods.is_empty() && left > 0 && self.reader.derives(*item, of) {
                    for field in self.reader.field_types(*item).iter() {
                        self.implicit_within(field, of, method, span, left - 1, seen);
                    }
                }
                for method in methods {
                    self.to(span, Target::Item(method), HopKind::Implicit);
                }
                args.iter().for_each(|arg| self.implicit_within(arg, of, method, span, left, seen));
            }
            Ty::Bound(bounds) => {
                // Through `dyn Trait` with the std trait as a supertrait, or a bound on it.
                let outside = bounds.outside.iter().any(|(path, ..)| path.last() == of);
                let locals: Vec<ItemId> = bounds.local.iter().map(|(item, _)| *item).collect();
                let through = locals
                    .into_iter()
                    .any(|item| self.reader.outside_supertraits(item).iter().any(|path| path.last() == of));
                if outside || through {
                    let of = Rc::new(Outside::std(&format!("std::{of}")));
                    self.say(span, EventKind::OutsideTrait { of, method: Some(method.into()) });
                }
            }
            Ty::Outside(_, args) | Ty::Tuple(args) => {
                args.iter().for_each(|arg| self.implicit_within(arg, of, method, span, left, seen));
            }
            Ty::Ref(inner) | Ty::Slice(inner) => self.implicit_within(inner, of, method, span, left, seen),
            _ => {}
        }
    }

    /// An operator: the impl of the left operand's type, or one that another type has for the right
    /// operand's; gives the result's type.
    pub(super) fn operator(&mut self, op: &'static str, left: &Ty, right: Option<&Ty>, span: Span) -> Ty {
        let method = operator_method(op);
        if let (Some(Ty::Local(item, _)), false) = (right.map(Ty::peel), matches!(left.peel(), Ty::Local(..))) {
            let methods = self.reader.impls_taking(*item, op);
            let owner = methods.first().and_then(|&method| self.reader.owner(method));
            for &method in &methods {
                self.to(span, Target::Item(method), HopKind::Implicit);
            }
            if let Some(one) = owner {
                return self.reader.assoc_type(one, "Output").unwrap_or(Ty::EXTERNAL);
            }
        }
        match left.peel() {
            local @ Ty::Local(item, _) => {
                self.implicit(local, op, method, span);
                match op {
                    "PartialEq" | "PartialOrd" => Ty::EXTERNAL,
                    "" => Ty::EXTERNAL,
                    _ => {
                        let impls = self.reader.language_impl(*item, op, Some(method));
                        let owner = impls.first().and_then(|&method| self.reader.owner(method));
                        owner.and_then(|one| self.reader.assoc_type(one, "Output")).unwrap_or_else(|| local.clone())
                    }
                }
            }
            other if matches!(op, "PartialEq" | "PartialOrd") => {
                self.implicit(other, op, method, span);
                Ty::EXTERNAL
            }
            Ty::Bound(_) | Ty::Unknown => Ty::Unknown,
            _ => Ty::EXTERNAL,
        }
    }

    /// `DerefMut` in place of `Deref`, where the value behind it is changed.
    pub(super) fn mutably(&mut self, derefs: &[ItemId], span: Span) {
        for &deref in derefs {
            if let Some(one) = self.reader.owner(deref)
                && let ImplFor::Local(of) = self.reader.impl_for(one)
            {
                for method in self.reader.language_impl(of, "DerefMut", Some("deref_mut")) {
                    self.to(span, Target::Item(method), HopKind::Implicit);
                }
            }
        }
    }

    /// The same for a place that was looked at since `before` and is assigned to.
    pub(super) fn mutably_since(&mut self, before: usize, span: Span) {
        let methods = self.events[before..].iter().filter_map(|event| match &event.kind {
            EventKind::To { target: Target::Item(item), hop: HopKind::Implicit, .. } => Some(*item),
            _ => None,
        });
        let derefs: Vec<ItemId> = methods.filter(|&item| &*self.reader.item(item).name == "deref").collect();
        self.mutably(&derefs, span);
    }

    /// `for x in value`: gives the type of `x`.
    pub(super) fn iterate(&mut self, ty: &Ty, span: Span) -> Ty {
        match ty.peel() {
            local @ Ty::Local(item, _) => {
                let item = *item;
                self.implicit(local, "Iterator", "next", span);
                let into = self.reader.language_impl(item, "IntoIterator", Some("into_iter"));
                for &method in &into {
                    self.to(span, Target::Item(method), HopKind::Implicit);
                    let made = self.reader.call(method, Some(local), &[]);
                    self.implicit(&made, "Iterator", "next", span);
                    if let Some(one) = self.reader.owner(method)
                        && let Some(item) = self.reader.assoc_type(one, "Item")
                    {
                        return item;
                    }
                }
                let next = self.reader.language_impl(item, "Iterator", Some("next"));
                let one = next.first().and_then(|&method| self.reader.owner(method));
                one.and_then(|one| self.reader.assoc_type(one, "Item")).unwrap_or(Ty::Unknown)
            }
            bound @ Ty::Bound(bounds) => {
                for (path, ..) in &bounds.outside {
                    if matches!(path.last(), "Iterator" | "IntoIterator" | "DoubleEndedIterator" | "ExactSizeIterator")
                    {
                        let method = if path.last() == "IntoIterator" { "into_iter" } else { "next" };
                        self.say(span, EventKind::OutsideTrait { of: Rc::clone(path), method: Some(method.into()) });
                    }
                }
                element(bound)
            }
            other => {
                if let Some(inner) = crate::types::pointee(other) {
                    let inner = inner.clone();
                    return self.iterate(&inner, span);
                }
                element(other)
            }
        }
    }

    /// `value.await`.
    pub(super) fn awaits(&mut self, ty: &Ty, span: Span) -> Ty {
        match ty.peel() {
            Ty::Future(inner, _) => (**inner).clone(),
            local @ Ty::Local(item, _) => {
                let item = *item;
                self.implicit(local, "Future", "poll", span);
                let mut methods = self.reader.language_impl(item, "Future", Some("poll"));
                for method in self.reader.language_impl(item, "IntoFuture", Some("into_future")) {
                    self.to(span, Target::Item(method), HopKind::Implicit);
                    let made = self.reader.call(method, Some(local), &[]);
                    if let Ty::Local(..) = made.peel() {
                        self.implicit(&made, "Future", "poll", span);
                    }
                    methods.push(method);
                }
                let one = methods.first().and_then(|&method| self.reader.owner(method));
                one.and_then(|one| self.reader.assoc_type(one, "Output")).unwrap_or(Ty::Unknown)
            }
            Ty::Bound(bounds) => {
                for (path, ..) in &bounds.outside {
                    if matches!(path.last(), "Future" | "IntoFuture") {
                        self.say(span, EventKind::OutsideTrait { of: Rc::clone(path), method: Some("poll".into()) });
                    }
                }
                bounds
                    .binding("Future", "Output")
                    .or(bounds.binding("IntoFuture", "Output"))
                    .cloned()
                    .unwrap_or(Ty::Unknown)
            }
            Ty::Code(_, ret) => {
                let ret = (**ret).clone();
                self.awaits(&ret, span)
            }
            // One of several futures, of which all are known.
            Ty::Tuple(several) if !several.is_empty() => {
                let several: Vec<Ty> = several.iter().map(|one| self.awaits(one, span)).collect();
                several.into_iter().next().unwrap_or(Ty::Unknown)
            }
            Ty::Outside(Some(path), args) => match (path.last(), args.as_slice()) {
                ("Locked", [inner]) => Ty::std("std::Guard", vec![inner.clone()]),
                ("Box" | "Pin" | "Arc", [inner]) => {
                    let inner = inner.clone();
                    self.awaits(&inner, span)
                }
                ("JoinHandle", [inner]) => Ty::std("std::result::Result", vec![inner.clone(), Ty::EXTERNAL]),
                // `Option` and the like come out of adaptors of streams, whose futures are not told apart.
                _ => ty.peel().clone(),
            },
            other => other.clone(),
        }
    }

    /// `?`: the `From` of the error type that the function returns.
    pub(super) fn question(&mut self, ty: &Ty, span: Span) -> Ty {
        let from = open_result(ty, true);
        let into = open_result(&self.returns.clone(), true);
        if into == Ty::Unknown {
            self.questions.push((from, span));
        } else {
            self.convert(&from, &into, span);
        }
        open_result(ty, false)
    }

    /// At the end of a closure or async block: what it returns tells what its `?`s convert into. `outer`
    /// are those of the code around it.
    pub(super) fn answer_questions(&mut self, outer: Vec<(Ty, Span)>, returned: &Ty) {
        let open = std::mem::replace(&mut self.questions, outer);
        let into = open_result(returned, true);
        for (from, span) in open {
            self.convert(&from, &into, span);
        }
    }

    /// A conversion by `From` into a local type. Where the source type does not show, every `From` of
    /// the target, by name.
    pub(super) fn convert(&mut self, from: &Ty, into: &Ty, span: Span) {
        let Ty::Local(target, _) = into.peel() else { return };
        if matches!(from.peel(), Ty::Local(source, _) if source == target) {
            return;
        }
        let all = self.reader.conversions_into(*target);
        let known: Vec<ItemId> = all.iter().filter(|(_, arg)| is_same(arg, from)).map(|(method, _)| *method).collect();
        match (known.is_empty(), from.peel()) {
            (false, _) => known.into_iter().for_each(|method| self.to(span, Target::Item(method), HopKind::Implicit)),
            // A known local error without a conversion of its own goes through a blanket one.
            (true, Ty::Local(..)) => {
                for (method, arg) in all {
                    if matches!(arg.peel(), Ty::Bound(_)) {
                        self.to(span, Target::Item(method), HopKind::Implicit);
                    }
                }
            }
            (true, _) => {
                for (method, arg) in all {
                    if !matches!(arg.peel(), Ty::Local(..)) || matches!(from.peel(), Ty::Unknown | Ty::Bound(_)) {
                        self.lead(span, Target::Item(method), HopKind::Implicit, Certainty::ByName, Rc::from([]));
                    }
                }
            }
        }
    }

    /// What a format string prints.
    pub(super) fn print(&mut self, ty: &Ty, debug: bool, span: Span) {
        let of = if debug { "Debug" } else { "Display" };
        self.implicit(ty, of, "fmt", span);
    }

    /// The arguments that a macro's format string prints. Their types come from the walk before.
    pub(super) fn formatted(&mut self, body: &MacroBody) {
        let facts = std::sync::Arc::clone(&self.cx.facts);
        for &(expr, debug) in &body.formatted {
            if let Some(ty) = self.types.get(&expr).cloned() {
                self.print(&ty, debug, facts[expr].span);
            }
        }
    }

    /// An adaptor of a std trait on a local iterator or stream.
    pub(super) fn provided(&mut self, on: &Ty, method: &str) -> Option<crate::types::Adapted> {
        let Ty::Local(item, _) = on.peel() else { return None };
        let next = self.reader.language_impl(*item, "Iterator", Some("next"));
        let poll = self.reader.language_impl(*item, "Stream", Some("poll_next"));
        let one = next.first().or(poll.first()).copied()?;
        let owner = self.reader.owner(one)?;
        let item = self.reader.assoc_type(owner, "Item").unwrap_or(Ty::Unknown);
        adapt(&Ty::std("std::iter::Iterator", vec![item]), method)
    }
}

/// Whether two types are plainly the same.
fn is_same(a: &Ty, b: &Ty) -> bool {
    match (a.peel(), b.peel()) {
        (Ty::Local(a, _), Ty::Local(b, _)) => a == b,
        (Ty::Outside(Some(a), _), Ty::Outside(Some(b), _)) => a.krate == b.krate && a.last() == b.last(),
        _ => false,
    }
}

/// The method that an operator's trait has; the names are those of `std::ops` and `std::cmp`.
fn operator_method(op: &str) -> &'static str {
    match op {
        "Add" => "add",
        "Sub" => "sub",
        "Mul" => "mul",
        "Div" => "div",
        "Rem" => "rem",
        "BitAnd" => "bitand",
        "BitOr" => "bitor",
        "BitXor" => "bitxor",
        "Shl" => "shl",
        "Shr" => "shr",
        "AddAssign" => "add_assign",
        "SubAssign" => "sub_assign",
        "MulAssign" => "mul_assign",
        "DivAssign" => "div_assign",
        "RemAssign" => "rem_assign",
        "BitAndAssign" => "bitand_assign",
        "BitOrAssign" => "bitor_assign",
        "BitXorAssign" => "bitxor_assign",
        "ShlAssign" => "shl_assign",
        "ShrAssign" => "shr_assign",
        "Neg" => "neg",
        "Not" => "not",
        "PartialEq" => "eq",
        "PartialOrd" => "partial_cmp",
        _ => "",
    }
}
