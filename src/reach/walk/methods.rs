//! Method calls: whose method it is, what it stands for, and what comes out.

use std::sync::Arc;

use super::{
    calls::{is_text, reads, runs},
    walker::Walker,
};
use crate::{
    base::Span,
    finding::HopKind,
    reach::{EventKind, Target},
    resolve::ItemId,
    source::{ExprIx, ExprKind, ItemKind, Name, TypeIx},
    types::{Callee, Code, Ty, adapt, called, element, open_result, put_in},
};

impl Walker<'_, '_> {
    /// `receiver.name(args)`.
    pub(super) fn method_call(
        &mut self,
        expr: ExprIx,
        receiver: ExprIx,
        (name, span): (&Name, Span),
        generics: &[TypeIx],
        args: &[ExprIx],
        want: Option<&Ty>,
    ) -> Ty {
        let facts = Arc::clone(&self.cx.facts);
        self.in_chain = true;
        let asked = generics.first().map(|&generic| self.cx.lower(self.reader, generic));
        let before = self.events.len();
        let of = self.expr(receiver, receiver_want(name, asked.as_ref().or(want)).as_ref());
        self.in_chain = false;
        let receiver_end = self.events.len();
        generics.iter().for_each(|&ty| self.type_(ty));
        let found = self.reader.method(self.cx.module, &of, name);
        let local = match &found.on {
            Ty::Local(..) => true,
            Ty::Bound(bounds) => !bounds.local.is_empty(),
            _ => false,
        };
        self.local_receivers.insert(expr, local);
        for &deref in &found.derefs {
            self.to(span, Target::Item(deref), HopKind::Implicit);
        }
        if !found.derefs.is_empty() && self.changes_receiver(&found.callees) {
            self.mutably(&found.derefs, span);
        }
        for callee in &found.callees {
            self.callee(callee, span, HopKind::Method);
        }
        let known =
            found.callees.iter().any(|callee| !matches!(callee, Callee::Provided { .. } | Callee::OutsideTrait(_)));
        if known {
            let given = self.arguments(&found.callees, Some(&found.on), args);
            self.handing(&found.callees, args, &given);
            self.end_receiver(receiver, &of, &found.callees, span);
            self.kept_by_method(receiver, &of, &found.callees, &given);
            return self.result(&found.callees, Some(&found.on), &given);
        }
        if let Some(ty) = self.special_method(&of, name, span, args, want) {
            return ty;
        }
        if found.unknown {
            for &arg in args {
                self.argument(arg, None);
            }
            self.say(span, EventKind::ByName { name: name.clone(), field: false });
            return Ty::Unknown;
        }
        let on = found.on.clone();
        for called in called(&on, name) {
            self.implicit(&called.on, called.of, called.method, span);
        }
        if let (true, Ty::Outside(Some(_), held)) = (empties(name), &on) {
            held.iter().for_each(|held| self.drop_value(held, span));
        }
        let adapted = self.provided(&on, name).or_else(|| match &on {
            Ty::Bound(_) => adapt(&Ty::std("std::iter::Iterator", vec![element(&on)]), name),
            _ => adapt(&on, name),
        });
        if matches!(
            &**name,
            "next" | "find" | "any" | "all" | "for_each" | "collect" | "fold" | "nth" | "count" | "last"
        ) {
            self.iterate_bound(&on, span);
        }
        let params = adapted.as_ref().map(|adapted| adapted.params.clone()).unwrap_or_default();
        if let (true, [code]) = (runs(name) && matches!(on, Ty::Outside(..)), args) {
            let code = self.argument(*code, None);
            return self.run_by(name, &code, span);
        }
        let mut closure = None;
        let plain_outside = matches!(&on, Ty::Outside(path, args) if args.is_empty() && !is_text(path.as_deref()));
        let mut hint = params.clone();
        let mut given = Vec::new();
        for &arg in args {
            let called = Ty::Fn(hint.clone(), Box::new(closure_want(name, want)));
            let is_code = matches!(facts[arg].kind, ExprKind::Closure { .. } | ExprKind::Path(_));
            let ty = self.argument(arg, is_code.then_some(&called));
            // `fold(first, |so_far, item| ...)`: what was given first is what the closure begins with.
            let goes_on = matches!(name.trim_start_matches("try_"), "fold" | "rfold" | "scan");
            if let (true, Some(open @ Ty::Unknown), false) = (goes_on, hint.first_mut(), matches!(ty, Ty::Code(..))) {
                *open = ty.clone();
            }
            given.push(ty.clone());
            if plain_outside {
                self.given_away(&ty, facts[arg].span);
            }
            if let Ty::Code(code, ret) = ty {
                closure = Some(match code {
                    // A function by its name gets the elements as arguments.
                    Code::Function(item) => {
                        self.handing(&[Callee::Item(item)], args, &params);
                        self.reader.call(item, None, &params)
                    }
                    _ => *ret,
                });
            } else if let Ty::Fn(_, ret) = ty {
                closure = Some(*ret);
            }
        }
        self.put_in(receiver, &on, name, &given);
        if given.iter().any(Ty::has_code)
            && let Some(holder) = self.static_since(before, receiver_end)
        {
            self.put_into_static(holder, &given, span);
        }
        if let (true, Some(key)) = (name.ends_with("_by_key") || name.ends_with("_by_cached_key"), &closure) {
            self.implicit(key, "Ord", "cmp", span);
        }
        if reads(name) {
            let named = generics.iter().map(|&generic| self.cx.lower(self.reader, generic)).collect::<Vec<_>>();
            self.read_from_data(named.iter().chain(want), span);
        }
        match adapted {
            Some(adapted) if matches!(&**name, "collect" | "sum" | "product" | "try_collect") => {
                let shown = adapted.result(closure.as_ref());
                let made = match asked.filter(|asked| *asked != Ty::Unknown).as_ref().or(want) {
                    Some(asked) => asked.filled(&shown),
                    None => shown,
                };
                self.collected(&made, name, span);
                made
            }
            Some(adapted) => match adapted.result(closure.as_ref()) {
                Ty::Outside(None, _) | Ty::Unknown if gives_asked(name, asked.as_ref()) => {
                    Ty::std("std::result::Result", vec![asked.unwrap_or(Ty::Unknown), Ty::Unknown])
                }
                Ty::Outside(None, held) if held.is_empty() => self.outside_result(&[], want, span),
                ty => ty,
            },
            None if on.may_hold_local() => Ty::Unknown,
            None => Ty::EXTERNAL,
        }
    }

    /// A method that changes its receiver may keep the code that it is given.
    fn kept_by_method(&mut self, receiver: ExprIx, of: &Ty, callees: &[Callee], given: &[Ty]) {
        let mut codes = Vec::new();
        given.iter().for_each(|given| given.codes(&mut codes));
        if !codes.is_empty() && self.changes_receiver(callees) {
            let of = self.reader.keeping(of.peel().clone(), &codes, None);
            self.grow(receiver, &of);
        }
    }

    /// A list or map that was made empty and has a name holds what is put in.
    fn put_in(&mut self, receiver: ExprIx, on: &Ty, method: &str, given: &[Ty]) {
        if !on.has_hole() && !given.iter().any(Ty::has_code) {
            return;
        }
        let facts = Arc::clone(&self.cx.facts);
        let mut at = receiver;
        while let ExprKind::Ref(inner) = &facts[at].kind {
            at = *inner;
        }
        if let ExprKind::Path(path) = &facts[at].kind
            && let [only] = path.segments.as_slice()
            && let Some(local) = self.local(&only.name)
        {
            self.locals[local].ty = put_in(&self.locals[local].ty, method, given);
        }
    }

    /// The static that these events name last.
    pub(super) fn static_since(&self, from: usize, to: usize) -> Option<ItemId> {
        self.events.get(from..to)?.iter().rev().find_map(|event| match &event.kind {
            EventKind::To { target: Target::Item(item), .. } => {
                matches!(self.reader.item(*item).kind, ItemKind::Static { .. }).then_some(*item)
            }
            _ => None,
        })
    }

    /// Code that is put into a static is handed to whoever reads it.
    pub(super) fn put_into_static(&mut self, holder: ItemId, given: &[Ty], span: Span) {
        let (mut codes, mut types) = (Vec::new(), Vec::new());
        for ty in given {
            ty.codes(&mut codes);
            ty.locals(&mut types);
        }
        self.say(span, EventKind::Handing { callee: Callee::Item(holder), parameter: 0, codes, types });
    }

    /// Adaptors that drive an iterator which came in by a bound.
    fn iterate_bound(&mut self, on: &Ty, span: Span) {
        if matches!(on, Ty::Bound(_)) {
            self.iterate(on, span);
        }
    }

    /// What a method does to a receiver that is a value of its own: it is moved, or ends behind it.
    fn end_receiver(&mut self, receiver: ExprIx, of: &Ty, callees: &[Callee], span: Span) {
        let facts = Arc::clone(&self.cx.facts);
        let Some(Callee::Item(item) | Callee::Default { method: item, .. } | Callee::Dispatch(item)) = callees.first()
        else {
            return;
        };
        match self.reader.signature(*item).receiver {
            Some(false) => self.mark_moved(receiver),
            Some(true)
                if matches!(
                    facts[receiver].kind,
                    ExprKind::Call { .. } | ExprKind::Method { .. } | ExprKind::Struct { .. }
                ) =>
            {
                self.drop_value(of, span);
            }
            _ => {}
        }
    }

    /// Methods that stand for something the language does.
    fn special_method(&mut self, of: &Ty, name: &str, span: Span, args: &[ExprIx], want: Option<&Ty>) -> Option<Ty> {
        match (name, args) {
            ("into" | "try_into", []) => {
                let into = want.map(|want| if name == "into" { want.clone() } else { open_result(want, false) });
                match into.as_ref().map(Ty::peel) {
                    Some(into @ Ty::Local(..)) => self.convert(of, into, span),
                    _ => self.say_conversions(of, span),
                }
                Some(
                    want.cloned()
                        .filter(|want| *want != Ty::Unknown)
                        .unwrap_or_else(|| if of.may_hold_local() { Ty::Unknown } else { Ty::EXTERNAL }),
                )
            }
            ("to_string", []) => {
                self.print(of, false, span);
                Some(Ty::std("std::string::String", Vec::new()))
            }
            ("clone" | "to_owned" | "cloned", [])
                if matches!(of.peel(), Ty::Local(..) | Ty::Bound(_) | Ty::Code(..) | Ty::Tuple(_)) =>
            {
                self.implicit(of, "Clone", "clone", span);
                Some(of.peel().clone())
            }
            ("by_ref" | "as_ref" | "as_mut" | "borrow" | "borrow_mut", []) if matches!(of.peel(), Ty::Local(..)) => {
                Some(of.clone())
            }
            ("ok_or", [error]) => {
                let error = self.argument(*error, None);
                Some(Ty::std("std::result::Result", vec![open_result(of, false), error]))
            }
            ("ok_or_else", [error]) => {
                let error = match self.argument(*error, None) {
                    Ty::Code(_, ret) | Ty::Fn(_, ret) => *ret,
                    _ => Ty::Unknown,
                };
                Some(Ty::std("std::result::Result", vec![open_result(of, false), error]))
            }
            ("map_err", [convert]) => {
                let error = open_result(of, true);
                let into = want.map_or(Ty::Unknown, |want| open_result(want, true));
                let given = self.argument(*convert, Some(&Ty::Fn(vec![error], Box::new(into))));
                let error = match given {
                    Ty::Code(_, ret) | Ty::Fn(_, ret) => *ret,
                    _ => Ty::Unknown,
                };
                let ok = open_result(of, false);
                Some(Ty::std("std::result::Result", vec![ok, error]))
            }
            ("unwrap_or_default" | "or_default", []) => {
                let inner = open_result(of, false);
                self.implicit(&inner, "Default", "default", span);
                Some(inner)
            }
            _ => None,
        }
    }

    /// Whether a method takes `&mut self`.
    fn changes_receiver(&self, callees: &[Callee]) -> bool {
        callees.iter().any(|callee| {
            let (Callee::Item(item) | Callee::Default { method: item, .. } | Callee::Dispatch(item)) = callee else {
                return false;
            };
            let ItemKind::Fn(function) = &self.reader.item(*item).kind else { return false };
            let receiver = function.receiver.as_ref().filter(|receiver| receiver.by_ref);
            receiver.is_some_and(|receiver| self.reader.files.text(receiver.span).contains("mut"))
        })
    }

    /// What `collect` and `sum` make of the elements.
    fn collected(&mut self, made: &Ty, method: &str, span: Span) {
        let whole = match made.peel() {
            local @ Ty::Local(..) => local.clone(),
            other => open_result(other, false),
        };
        if matches!(whole.peel(), Ty::Local(..)) {
            match method {
                "sum" => self.implicit(&whole, "Sum", "sum", span),
                "product" => self.implicit(&whole, "Product", "product", span),
                _ => self.implicit(&whole, "FromIterator", "from_iter", span),
            }
        }
    }

    /// `.into()` whose target does not show: every `From` of the value's type.
    fn say_conversions(&mut self, of: &Ty, span: Span) {
        if let Ty::Local(item, _) = of.peel() {
            for method in self.reader.conversions_from(*item) {
                self.lead(
                    span,
                    Target::Item(method),
                    HopKind::Implicit,
                    crate::finding::Certainty::ByName,
                    std::rc::Rc::from([]),
                );
            }
        }
    }
}

/// Whether elements of a container end in a method of this name.
fn empties(method: &str) -> bool {
    matches!(method, "clear" | "truncate" | "retain" | "retain_mut" | "dedup" | "dedup_by" | "dedup_by_key" | "fill")
}

/// Whether what comes out is what the turbofish asks for: `parse::<T>`, `downcast_ref::<T>`.
fn gives_asked(method: &str, asked: Option<&Ty>) -> bool {
    (reads(method) || method.starts_with("downcast")) && asked.is_some_and(Ty::may_hold_local)
}

/// What the receiver of an adaptor is wanted as, so that its result is what is wanted.
fn receiver_want(method: &str, want: Option<&Ty>) -> Option<Ty> {
    let want = want.filter(|want| want.may_hold_local() && **want != Ty::Unknown)?;
    let result = |ok: Ty| Ty::std("std::result::Result", vec![ok, Ty::Unknown]);
    match method {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" => Some(result(want.clone())),
        "ok" | "ok_or" | "ok_or_else" => Some(result(open_result(want, false))),
        "map_err" | "or_else" | "context" | "with_context" | "wrap_err" | "inspect" | "inspect_err" | "or" | "rev"
        | "filter" | "take" | "skip" | "take_while" | "skip_while" | "chain" => Some(want.clone()),
        "collect" | "try_collect" | "collect_vec" => {
            let element = match open_result(want, false) {
                inner @ (Ty::Outside(..) | Ty::Slice(_)) if !inner.has_hole() => result(element(&inner)),
                _ => element(want),
            };
            Some(Ty::std("std::iter::Iterator", vec![element]))
        }
        _ => None,
    }
}

/// What a closure given to an adaptor is wanted to return.
fn closure_want(method: &str, want: Option<&Ty>) -> Ty {
    match (method, want) {
        ("map" | "map_while" | "then", Some(want)) => match open_result(want, false) {
            Ty::Unknown => element(want),
            inner => inner,
        },
        ("map_or" | "map_or_else" | "unwrap_or_else" | "and_then" | "fold", Some(want)) => want.clone(),
        _ => Ty::Unknown,
    }
}
