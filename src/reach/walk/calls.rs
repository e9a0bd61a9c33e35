//! Calls: what they lead to, what is handed in, and what comes out.

use std::{ops::Range, sync::Arc};

use super::{exprs::many, walker::Walker};
use crate::{
    base::Span,
    finding::HopKind,
    reach::{EventKind, Target},
    resolve::{ImplFor, Outside, Res, Space},
    source::{ExprIx, ExprKind, ItemKind, Path},
    types::{Callee, Code, Ty, made_by, open_result},
};

impl Walker<'_, '_> {
    /// `callee(args)`.
    pub(super) fn call(&mut self, _expr: ExprIx, callee: ExprIx, args: &[ExprIx], want: Option<&Ty>) -> Ty {
        let facts = Arc::clone(&self.cx.facts);
        let ExprKind::Path(path) = &facts[callee].kind else {
            self.in_chain = true;
            let of = self.expr(callee, None);
            self.in_chain = false;
            return self.call_value(&of, args);
        };
        if let Some(outside) = self.outside_callee(path) {
            self.value(path);
            return self.call_outside(&outside, path, args, want);
        }
        let before = self.events.len();
        let of = self.value(path);
        let named = before..self.events.len();
        let callees = self.callees_in(named.clone());
        if callees.is_empty() {
            if let (Ty::Fn(_, made), Some((item, variant))) = (&of, self.constructed(before)) {
                let made = (**made).clone();
                return self.construct(&made, item, variant, args);
            }
            return self.call_value(&of, args);
        }
        let on = self.call_self(path);
        let given = self.arguments(&callees, on.as_ref(), args);
        let callees = self.narrow(named, callees, &given);
        self.handing(&callees, args, &given);
        self.result(&callees, on.as_ref(), &given)
    }

    /// The outside path that a call's path plainly means, for functions that are known.
    fn outside_callee(&mut self, path: &Path) -> Option<Outside> {
        if path.qself.is_some() || self.known_head(path).is_some() {
            return None;
        }
        if let [only] = path.segments.as_slice()
            && self.local(&only.name).is_some()
        {
            return None;
        }
        let found = self.resolve(path, Space::Value);
        found.into_iter().find_map(|(found, consumed)| match found.res {
            Res::Outside(outside) => Some(outside),
            Res::Primitive(name) => {
                let of = Outside::std(&format!("std::{name}"));
                Some(path.segments[consumed..].iter().fold(of, |of, segment| of.join(&segment.name)))
            }
            _ => None,
        })
    }

    /// The functions that these events lead to.
    pub(super) fn callees_in(&self, events: Range<usize>) -> Vec<Callee> {
        let events = self.events[events].iter();
        let mut callees: Vec<Callee> = events
            .filter_map(|event| match &event.kind {
                EventKind::To { target: Target::Item(item), .. } => {
                    matches!(self.reader.item(*item).kind, ItemKind::Fn(_)).then_some(Callee::Item(*item))
                }
                EventKind::To { target: Target::Default(method, this), .. } => {
                    Some(Callee::Default { method: *method, this: *this })
                }
                EventKind::Dispatch { method } => Some(Callee::Dispatch(*method)),
                _ => None,
            })
            .collect();
        callees.dedup();
        callees
    }

    /// The fields that a constructor's name has touched tell what it makes.
    fn constructed(&self, before: usize) -> Option<(crate::resolve::ItemId, Option<u32>)> {
        self.events[before..].iter().rev().find_map(|event| match &event.kind {
            EventKind::To { target: Target::Field(item, variant, _), .. } => Some((*item, *variant)),
            _ => None,
        })
    }

    fn construct(&mut self, made: &Ty, item: crate::resolve::ItemId, variant: Option<u32>, args: &[ExprIx]) -> Ty {
        let facts = Arc::clone(&self.cx.facts);
        let mut made = made.clone();
        let mut with = Vec::new();
        for (at, &arg) in args.iter().enumerate() {
            let field = self.reader.field(&made, variant, &at.to_string());
            let given = self.argument(arg, field.as_ref().map(|(.., ty)| ty));
            if let Some((_, index, declared)) = field {
                declared.bind(&given, &mut with);
                made = self.keeping(made, item, (variant, index), &given, facts[arg].span);
            }
        }
        self.reader.holding(made, &with)
    }

    /// `Self` of an associated function: the type before the last segment.
    fn call_self(&mut self, path: &Path) -> Option<Ty> {
        if let Some(known) = self.known_head(path) {
            return Some(known);
        }
        let mut of = path.clone();
        of.segments.pop();
        if of.segments.is_empty() {
            return None;
        }
        let found = self.resolve(&of, Space::Type);
        found.into_iter().find_map(|(found, consumed)| match found.res {
            Res::Item(item) if consumed == of.segments.len() => {
                let ty = self.cx.lower_item(self.reader, item);
                matches!(ty, Ty::Local(..)).then_some(ty)
            }
            _ => None,
        })
    }

    /// A value that is called: a closure, a function pointer, a bound on `Fn`.
    fn call_value(&mut self, of: &Ty, args: &[ExprIx]) -> Ty {
        let mut at = of.peel();
        while let Some(inner) = crate::types::pointee(at) {
            at = inner.peel();
        }
        // Several pieces of code that may be called here give the same.
        if let Ty::Tuple(codes) = at
            && let Some(first @ Ty::Code(..)) = codes.first()
        {
            at = first;
        }
        let (params, ret) = match at {
            Ty::Code(_, ret) => (Vec::new(), (**ret).clone()),
            Ty::Fn(params, ret) => (params.clone(), (**ret).clone()),
            Ty::Bound(bounds) => match bounds.callable() {
                Some((params, ret)) => (params.to_vec(), ret),
                None => (Vec::new(), Ty::Unknown),
            },
            Ty::Outside(..) => (Vec::new(), Ty::EXTERNAL),
            _ => (Vec::new(), Ty::Unknown),
        };
        for (at, &arg) in args.iter().enumerate() {
            self.argument(arg, params.get(at));
        }
        // A function returned from a function: `make()(x)`.
        if let Ty::Code(_, inner) = &ret
            && matches!(at, Ty::Code(..))
        {
            return (**inner).clone();
        }
        ret
    }

    /// An argument or a value for a field; `param` is the type that it is wanted as.
    pub(super) fn argument(&mut self, arg: ExprIx, param: Option<&Ty>) -> Ty {
        let facts = Arc::clone(&self.cx.facts);
        if let ExprKind::Closure { params, ret, body } = &facts[arg].kind {
            let mut at = param.map(Ty::peel);
            while let Some(inner) = at.and_then(crate::types::pointee) {
                at = Some(inner.peel());
            }
            let (hints, wanted) = match at {
                Some(Ty::Bound(bounds)) => {
                    bounds.callable().map_or((Vec::new(), Ty::Unknown), |(p, r)| (p.to_vec(), r))
                }
                Some(Ty::Fn(params, ret)) => (params.clone(), (**ret).clone()),
                _ => (Vec::new(), Ty::Unknown),
            };
            return self.closure(arg, (params, *ret, *body), &hints, &wanted);
        }
        if let (ExprKind::Path(path), Some(Ty::Fn(params, ret))) = (&facts[arg].kind, param)
            && let Some(given) = params.first()
            && let Some(outside) = self.outside_callee(path)
            && let [.., of, name] = outside.segments.as_slice()
        {
            self.value(path);
            let made = made_by(Some(of), name, Some(given));
            let made = made.or_else(|| self.trait_function(of, name, given, Some(ret), path.span));
            return Ty::Fn(params.clone(), Box::new(made.unwrap_or(Ty::EXTERNAL)));
        }
        let before = self.events.len();
        let ty = self.take(arg, param);
        self.out_of_table(ty, before)
    }

    /// A function that comes out of a constant or static, which was named since `before`: its code stands
    /// there.
    fn out_of_table(&mut self, ty: Ty, before: usize) -> Ty {
        let table = self.events[before..].iter().rev().find_map(|event| match &event.kind {
            EventKind::To { target: Target::Item(item), .. } => {
                let kind = &self.reader.item(*item).kind;
                matches!(kind, ItemKind::Const { .. } | ItemKind::Static { .. }).then_some(*item)
            }
            _ => None,
        });
        match table {
            Some(table) => self.reader.from_table(ty, table),
            None => ty,
        }
    }

    /// Arguments of a local function, each in the light of what `self` and those before it have shown of
    /// the generic parameters.
    pub(super) fn arguments(&mut self, callees: &[Callee], on: Option<&Ty>, args: &[ExprIx]) -> Vec<Ty> {
        let mut with = Vec::new();
        let params: Vec<Ty> = match callees.first() {
            Some(Callee::Item(item) | Callee::Default { method: item, .. } | Callee::Dispatch(item)) => {
                let signature = self.reader.signature(*item);
                if let (Some(declared), Some(on)) = (&signature.self_ty, on) {
                    declared.bind(on.peel(), &mut with);
                }
                // `Type::method(value, ...)` gives `self` as the first argument.
                let of_self = signature.receiver.is_some() && args.len() > signature.params.len();
                let of_self = of_self.then(|| signature.self_ty.clone().unwrap_or(Ty::Unknown));
                of_self.into_iter().chain(signature.params.iter().cloned()).collect()
            }
            _ => Vec::new(),
        };
        let mut given = Vec::with_capacity(args.len());
        for (at, &arg) in args.iter().enumerate() {
            let param = params.get(at).map(|param| param.replace(&with));
            let ty = self.argument(arg, param.as_ref());
            if let Some(param) = &param {
                param.bind(&ty, &mut with);
            }
            given.push(ty);
        }
        given
    }

    /// Says what code and which local types are handed to a local function.
    pub(super) fn handing(&mut self, callees: &[Callee], args: &[ExprIx], given: &[Ty]) {
        let facts = Arc::clone(&self.cx.facts);
        for callee in callees {
            let (Callee::Item(item) | Callee::Default { method: item, .. } | Callee::Dispatch(item)) = callee else {
                continue;
            };
            let signature = self.reader.signature(*item);
            let of_self = usize::from(signature.receiver.is_some() && given.len() > signature.params.len());
            for (at, ty) in given.iter().enumerate().skip(of_self) {
                let (mut codes, mut types) = (Vec::new(), Vec::new());
                ty.codes(&mut codes);
                ty.locals(&mut types);
                // A parameter that is handed on shows no code here, but its callers do.
                let plain = matches!(ty.peel(), Ty::Outside(_, args) | Ty::Tuple(args) if args.is_empty());
                if !codes.is_empty() || !types.is_empty() || !plain {
                    let callee = callee.clone();
                    let span = args.get(at).map_or_else(|| facts[args[0]].span, |&arg| facts[arg].span);
                    self.say(span, EventKind::Handing { callee, parameter: at - of_self, codes, types });
                }
            }
        }
    }

    pub(super) fn result(&mut self, callees: &[Callee], on: Option<&Ty>, given: &[Ty]) -> Ty {
        for callee in callees {
            let (Callee::Item(item) | Callee::Default { method: item, .. } | Callee::Dispatch(item)) = callee else {
                continue;
            };
            let signature = self.reader.signature(*item);
            let of_self = usize::from(signature.receiver.is_some() && given.len() > signature.params.len());
            let on = on.or(given.first().filter(|_| of_self == 1));
            let ty = self.reader.call(*item, on, &given[of_self.min(given.len())..]);
            if ty != Ty::Unknown {
                let code = given.iter().filter(|given| given.has_code());
                return match &ty {
                    // What is made may run what it was given.
                    Ty::Code(..) => many(std::iter::once(ty.clone()).chain(code.cloned()).collect()),
                    _ => self.kept_by(*item, ty, on, given),
                };
            }
        }
        Ty::Unknown
    }

    /// A value that a local function made keeps the code that it was made with; without any, that of the
    /// function's own.
    fn kept_by(&mut self, by: crate::resolve::ItemId, ty: Ty, on: Option<&Ty>, given: &[Ty]) -> Ty {
        let mut codes = Vec::new();
        on.into_iter().chain(given).for_each(|given| given.codes(&mut codes));
        if codes.is_empty() {
            codes.push(Code::MadeBy(by));
        }
        self.reader.keeping(ty, &codes, None)
    }

    /// A call into a crate that is not read.
    fn call_outside(&mut self, outside: &Outside, path: &Path, args: &[ExprIx], want: Option<&Ty>) -> Ty {
        let last = outside.last();
        let facts = Arc::clone(&self.cx.facts);
        let inner_want = match (last, want) {
            ("Some" | "Ok", Some(want)) => Some(open_result(want, false)),
            ("Err", Some(want)) => Some(open_result(want, true)),
            ("new" | "pin" | "from", Some(want)) => crate::types::pointee(want.peel()).cloned(),
            _ => None,
        };
        let given: Vec<Ty> = args.iter().map(|&arg| self.argument(arg, inner_want.as_ref())).collect();
        let first = given.first().cloned();
        let owner = outside.segments.len().checked_sub(2).and_then(|at| outside.segments.get(at)).map(|name| &**name);
        if let Some(made) = made_by(owner, last, first.as_ref()) {
            return match last {
                "Ok" | "Err" => self.completed(&made, path, want),
                _ if first.is_none() || last == "with_capacity" => self.open_container(&made, path, want),
                _ => made,
            };
        }
        match (owner, last, first) {
            (_, "drop", Some(ty)) => {
                if let Some(&arg) = args.first() {
                    self.drop_value(&ty, facts[arg].span);
                }
                return Ty::unit();
            }
            // Only what is shared is copied, not what it points to.
            (Some("Arc" | "Rc"), "clone", Some(ty)) if ty.has_kept() => return ty.peel().clone(),
            (Some("mem"), "take" | "replace", Some(ty)) => {
                if last == "take" {
                    self.implicit(&ty, "Default", "default", path.span);
                }
                return ty.peel().clone();
            }
            (Some("cmp"), "max" | "min", Some(ty)) => {
                self.implicit(&ty, "Ord", "cmp", path.span);
                return ty;
            }
            (_, _, Some(code)) if runs(last) => return self.run_by(last, &code, path.span),
            (_, "timeout" | "timeout_at", _) => {
                if let Some(future) = given.get(1) {
                    let future = future.clone();
                    let inner = self.awaits(&future, path.span);
                    return Ty::Future(Box::new(Ty::std("std::result::Result", vec![inner, Ty::EXTERNAL])), None);
                }
            }
            (_, "default", None) => {
                if let Some(want) = want {
                    self.implicit(want, "Default", "default", path.span);
                    return want.clone();
                }
            }
            (_, "from_fn" | "poll_fn", Some(Ty::Code(_, ret))) => {
                return Ty::std("std::iter::Iterator", vec![crate::types::element(&ret)]);
            }
            (Some(of), _, Some(ty)) => {
                if let Some(ty) = self.trait_function(of, last, &ty, want, path.span) {
                    return ty;
                }
            }
            _ => {}
        }
        for (ty, &arg) in given.iter().zip(args) {
            self.given_away(ty, facts[arg].span);
        }
        if reads(last) {
            let named = self.turbofish(path);
            self.read_from_data(named.iter().chain(want), path.span);
            if let ([asked], None | Some(Ty::Unknown)) = (named.as_slice(), want)
                && asked.may_hold_local()
            {
                return Ty::std("std::result::Result", vec![asked.clone(), Ty::Unknown]);
            }
        }
        self.outside_result(&given, want, path.span)
    }

    /// Code that a runtime or thread runs, and what comes back: the result, or a handle to wait on.
    pub(super) fn run_by(&mut self, name: &str, code: &Ty, span: Span) -> Ty {
        let given = match code {
            Ty::Code(_, ret) => (**ret).clone(),
            other => other.clone(),
        };
        let given = self.awaits(&given, span);
        if name.starts_with("block") { given } else { Ty::std("std::JoinHandle", vec![given]) }
    }

    /// `Ok(x)` or `Err(x)`, with what a turbofish or the place that it is for says of the other side.
    fn completed(&mut self, made: &Ty, path: &Path, want: Option<&Ty>) -> Ty {
        let (Ty::Outside(of, made), asked) = (made, self.turbofish(path)) else { return Ty::Unknown };
        let [ok, error] = made.as_slice() else { return Ty::Unknown };
        let side = |known: &Ty, at: usize| match (known, asked.get(at), want) {
            (Ty::Unknown, Some(asked), _) => asked.clone(),
            (Ty::Unknown, None, Some(want)) => open_result(want, at == 1),
            (known, ..) => known.clone(),
        };
        Ty::Outside(of.clone(), vec![side(ok, 0), side(error, 1)])
    }

    /// A function of a trait or type of another crate, given a value of a local type: `String::from(x)`,
    /// `From::from(x)`, `Clone::clone(&x)`.
    pub(super) fn trait_function(
        &mut self,
        of: &str,
        name: &str,
        given: &Ty,
        want: Option<&Ty>,
        span: Span,
    ) -> Option<Ty> {
        match (of, name) {
            ("From" | "Into" | "TryFrom" | "TryInto", _) => {
                let want = want.map(|want| if of.starts_with("Try") { open_result(want, false) } else { want.clone() });
                let want = want.filter(|want| matches!(want.peel(), Ty::Local(..)))?;
                self.convert(given, &want, span);
                Some(want)
            }
            (_, "from" | "try_from") => {
                if let Ty::Local(item, _) = given.peel() {
                    for method in self.reader.conversions_from(*item) {
                        let owner = self.reader.owner(method);
                        if let Some(ImplFor::Outside(into)) = owner.map(|one| self.reader.impl_for(one))
                            && into.last() == of
                        {
                            self.to(span, Target::Item(method), HopKind::Implicit);
                        }
                    }
                }
                None
            }
            ("ToString", _) => {
                self.print(given, false, span);
                None
            }
            _ => {
                if matches!(given.peel(), Ty::Local(..) | Ty::Bound(_)) {
                    self.implicit(given.peel(), of, name, span);
                }
                None
            }
        }
    }

    /// Values of these types are made from data: what their derives call has run, or their own impls.
    pub(super) fn read_from_data<'t>(&mut self, types: impl Iterator<Item = &'t Ty>, span: Span) {
        let mut items = Vec::new();
        types.for_each(|ty| ty.locals(&mut items));
        for item in items {
            self.to(span, Target::Derived(item), HopKind::Implicit);
            for (of, method) in [("FromStr", "from_str"), ("Deserialize", "deserialize")] {
                for method in self.reader.language_impl(item, of, Some(method)) {
                    self.to(span, Target::Item(method), HopKind::Implicit);
                }
            }
        }
    }

    /// What an outside call gives, seen from what it was given.
    pub(super) fn outside_result(&mut self, given: &[Ty], want: Option<&Ty>, span: Span) -> Ty {
        match want {
            Some(want) if *want != Ty::Unknown && want.may_hold_local() => {
                self.made_outside(want, &Ty::EXTERNAL, span);
                // What the place leaves open comes from outside, like the value.
                if given.iter().any(Ty::may_hold_local) { want.clone() } else { want.filled(&Ty::EXTERNAL) }
            }
            _ if given.iter().any(Ty::may_hold_local) => Ty::Unknown,
            _ => Ty::EXTERNAL,
        }
    }

    fn turbofish(&mut self, path: &Path) -> Vec<Ty> {
        let args = path.segments.iter().flat_map(|segment| segment.args.iter());
        args.map(|&arg| self.cx.lower(self.reader, arg)).collect()
    }

    /// An empty container, as far as its path or the place that it goes to tell what it holds.
    fn open_container(&mut self, made: &Ty, path: &Path, want: Option<&Ty>) -> Ty {
        let of = path.segments.len().checked_sub(2).and_then(|at| path.segments.get(at));
        let args: Vec<Ty> = of
            .map(|of| of.args.clone())
            .unwrap_or_default()
            .into_iter()
            .map(|arg| self.cx.lower(self.reader, arg))
            .collect();
        match (made, want) {
            (Ty::Outside(of, open), _) if open.len() == args.len() => Ty::Outside(of.clone(), args),
            (_, Some(want @ Ty::Outside(..))) => want.filled(made),
            _ => made.clone(),
        }
    }

    /// A value of a local type goes to code that is not read.
    pub(super) fn given_away(&mut self, ty: &Ty, span: Span) {
        let mut types = Vec::new();
        ty.locals(&mut types);
        for of in types {
            self.say(span, EventKind::GivenAway { of });
        }
    }

    /// A declared local type whose value came from outside: what its derives call has run.
    pub(super) fn made_outside(&mut self, declared: &Ty, given: &Ty, span: Span) {
        if matches!(given.peel(), Ty::Outside(None, _)) {
            let mut types = Vec::new();
            declared.locals(&mut types);
            for item in types {
                self.to(span, Target::Derived(item), HopKind::Implicit);
            }
        }
    }
}

/// Whether a function of this name runs the code that it is given.
pub(super) fn runs(name: &str) -> bool {
    matches!(name, "spawn" | "spawn_blocking" | "spawn_local" | "block_in_place" | "block_on" | "scope")
}

/// Whether a function of this name reads a value of the wanted type from data.
pub(super) fn reads(name: &str) -> bool {
    name.starts_with("from_")
        || name.contains("deserialize")
        || matches!(
            name,
            "extract"
                | "json"
                | "parse"
                | "try_into"
                | "into_typed"
                | "decode"
                | "load"
                | "read"
                | "to_json"
                | "try_parsing"
        )
}

/// Whether an outside receiver is a string, whose methods call nothing of what they are given.
pub(super) fn is_text(path: Option<&Outside>) -> bool {
    path.is_some_and(|path| path.is_std("String") || path.is_std("str"))
}
