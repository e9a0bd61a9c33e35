//! Calls: what they lead to, what is handed in, and what comes out.

use std::{ops::Range, sync::Arc};

use super::walker::Walker;
use crate::{
    base::Span,
    finding::HopKind,
    reach::{EventKind, Target},
    resolve::{Outside, Res, Space},
    source::{ExprIx, ExprKind, ItemKind, Name, Path, TypeIx},
    types::{Callee, Code, Ty, adapt, wrap},
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
        found.into_iter().find_map(|(found, _)| match found.res {
            Res::Outside(outside) => Some(outside),
            Res::Primitive(name) => Some(Outside::std(&name)),
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
        for (at, &arg) in args.iter().enumerate() {
            let field = self.reader.field(made, variant, &at.to_string());
            let given = self.argument(arg, field.as_ref().map(|(.., ty)| ty));
            if let Some((_, index, _)) = field {
                self.keeping(item, variant, index, &given, facts[arg].span);
            }
        }
        made.clone()
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
        self.take(arg, param)
    }

    /// Arguments of a local function, each in the light of what `self` and those before it have shown of
    /// the generic parameters.
    fn arguments(&mut self, callees: &[Callee], on: Option<&Ty>, args: &[ExprIx]) -> Vec<Ty> {
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
    fn handing(&mut self, callees: &[Callee], args: &[ExprIx], given: &[Ty]) {
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
                if !codes.is_empty() || !types.is_empty() {
                    let callee = callee.clone();
                    let span = args.get(at).map_or_else(|| facts[args[0]].span, |&arg| facts[arg].span);
                    self.say(span, EventKind::Handing { callee, parameter: at - of_self, codes, types });
                }
            }
        }
    }

    fn result(&mut self, callees: &[Callee], on: Option<&Ty>, given: &[Ty]) -> Ty {
        for callee in callees {
            let (Callee::Item(item) | Callee::Default { method: item, .. } | Callee::Dispatch(item)) = callee else {
                continue;
            };
            let signature = self.reader.signature(*item);
            let of_self = usize::from(signature.receiver.is_some() && given.len() > signature.params.len());
            let on = on.or(given.first().filter(|_| of_self == 1));
            let ty = self.reader.call(*item, on, &given[of_self.min(given.len())..]);
            if ty != Ty::Unknown {
                return ty;
            }
        }
        Ty::Unknown
    }

    /// A call into a crate that is not read.
    fn call_outside(&mut self, outside: &Outside, path: &Path, args: &[ExprIx], want: Option<&Ty>) -> Ty {
        let last = outside.last();
        let facts = Arc::clone(&self.cx.facts);
        let inner_want = match (last, want) {
            ("Some" | "Ok", Some(want)) => Some(crate::types::open_result(want, false)),
            ("Err", Some(want)) => Some(crate::types::open_result(want, true)),
            ("new" | "pin" | "from", Some(want)) => crate::types::pointee(want.peel()).cloned(),
            _ => None,
        };
        let given: Vec<Ty> = args.iter().map(|&arg| self.argument(arg, inner_want.as_ref())).collect();
        let first = given.first().cloned();
        let owner = outside.segments.len().checked_sub(2).and_then(|at| outside.segments.get(at)).map(|name| &**name);
        let container = |name: &str| Outside::std(&format!("std::{name}"));
        match (owner, last, first) {
            (_, "Some", Some(inner)) => return Ty::std("std::option::Option", vec![inner]),
            (_, "Ok" | "Ready", Some(inner)) => return Ty::std("std::result::Result", vec![inner, Ty::Unknown]),
            (_, "Err", Some(error)) => return Ty::std("std::result::Result", vec![Ty::Unknown, error]),
            (
                Some(
                    name @ ("Box" | "Arc" | "Rc" | "Pin" | "Mutex" | "RwLock" | "RefCell" | "Cell" | "Cow"
                    | "ManuallyDrop" | "ArcSwap" | "Reverse" | "AssertUnwindSafe"),
                ),
                "new" | "pin" | "from" | "from_pointee",
                Some(inner),
            ) => return wrap(&container(name), vec![inner]),
            (Some(name @ ("LazyLock" | "LazyCell" | "Lazy")), "new", Some(Ty::Code(_, made))) => {
                return wrap(&container(name), vec![*made]);
            }
            (_, "drop", Some(ty)) => {
                if let Some(&arg) = args.first() {
                    self.drop_value(&ty, facts[arg].span);
                }
                return Ty::unit();
            }
            (Some("mem"), "take" | "replace", Some(ty)) => return ty.peel().clone(),
            (_, "spawn" | "spawn_blocking" | "spawn_local" | "block_in_place" | "block_on" | "scope", Some(code)) => {
                let given = match &code {
                    Ty::Code(_, ret) => (**ret).clone(),
                    other => other.clone(),
                };
                let given = self.awaits(&given, path.span);
                let handle = wrap(&container("JoinHandle"), vec![given.clone()]);
                return if last.starts_with("block") { given } else { handle };
            }
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
            _ => {}
        }
        for (ty, &arg) in given.iter().zip(args) {
            self.given_away(ty, facts[arg].span);
        }
        let mut named = self.turbofish(path);
        if let Some(want) = want {
            want.locals(&mut named);
        }
        if reads(last) {
            for item in &named {
                self.to(path.span, Target::Derived(*item), HopKind::Implicit);
            }
        }
        self.outside_result(&given, want)
    }

    /// What an outside call gives, seen from what it was given.
    fn outside_result(&self, given: &[Ty], want: Option<&Ty>) -> Ty {
        match want {
            Some(want) if *want != Ty::Unknown && want.may_hold_local() => want.clone(),
            _ if given.iter().any(Ty::may_hold_local) => Ty::Unknown,
            _ => Ty::EXTERNAL,
        }
    }

    fn turbofish(&mut self, path: &Path) -> Vec<crate::resolve::ItemId> {
        let mut named = Vec::new();
        for arg in path.segments.iter().flat_map(|segment| segment.args.clone()) {
            self.cx.lower(self.reader, arg).locals(&mut named);
        }
        named
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
        let of = self.expr(receiver, None);
        self.in_chain = false;
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
        for callee in &found.callees {
            self.callee(callee, span, HopKind::Method);
        }
        let known =
            found.callees.iter().any(|callee| !matches!(callee, Callee::Provided { .. } | Callee::OutsideTrait(_)));
        if known {
            let given = self.arguments(&found.callees, Some(&found.on), args);
            self.handing(&found.callees, args, &given);
            self.end_receiver(receiver, &of, &found.callees, span);
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
        let adapted = self.provided(&on, name).or_else(|| match &on {
            Ty::Bound(_) => adapt(&Ty::std("std::iter::Iterator", vec![crate::types::element(&on)]), name),
            _ => adapt(&on, name),
        });
        if matches!(
            &**name,
            "next" | "find" | "any" | "all" | "for_each" | "collect" | "fold" | "nth" | "count" | "last"
        ) {
            self.iterate_bound(&on, span);
        }
        let params = adapted.as_ref().map(|adapted| adapted.params.clone()).unwrap_or_default();
        let mut closure = Ty::Unknown;
        let plain_outside = matches!(&on, Ty::Outside(path, args) if args.is_empty() && !is_text(path.as_deref()));
        for &arg in args {
            let hint = Ty::Fn(params.clone(), Box::new(Ty::Unknown));
            let ty = self.argument(arg, Some(&hint));
            if plain_outside {
                self.given_away(&ty, facts[arg].span);
            }
            if let Ty::Code(code, ret) = ty {
                closure = match code {
                    // A function by its name gets the elements as arguments.
                    Code::Function(item) => self.reader.call(item, None, &params),
                    _ => *ret,
                };
            } else if let Ty::Fn(_, ret) = ty {
                closure = *ret;
            }
        }
        let mut named = Vec::new();
        for &generic in generics {
            self.cx.lower(self.reader, generic).locals(&mut named);
        }
        if reads(name) {
            if let Some(want) = want {
                want.locals(&mut named);
            }
            for item in named {
                self.to(span, Target::Derived(item), HopKind::Implicit);
                for method in self.reader.language_impl(item, "FromStr", Some("from_str")) {
                    self.to(span, Target::Item(method), HopKind::Implicit);
                }
            }
        }
        match adapted {
            Some(adapted) if &**name == "collect" || &**name == "sum" => match (generics.first(), want) {
                (Some(&generic), _) if self.cx.lower(self.reader, generic) != Ty::Unknown => {
                    let asked = self.cx.lower(self.reader, generic);
                    if has_hole(&asked) { adapted.result(&closure) } else { asked }
                }
                (_, Some(want)) if *want != Ty::Unknown && !has_hole(want) => want.clone(),
                _ => adapted.result(&closure),
            },
            Some(adapted) => match adapted.result(&closure) {
                Ty::Outside(None, _) => self.outside_result(&[], want),
                ty => ty,
            },
            None if on.may_hold_local() => Ty::Unknown,
            None => Ty::EXTERNAL,
        }
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
                match want.map(Ty::peel) {
                    Some(into @ Ty::Local(..)) => {
                        let into = into.clone();
                        self.convert(of, &into, span);
                    }
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
            ("map_err", [convert]) => {
                let error = crate::types::open_result(of, true);
                let given = self.argument(*convert, Some(&Ty::Fn(vec![error], Box::new(Ty::Unknown))));
                let error = match given {
                    Ty::Code(_, ret) | Ty::Fn(_, ret) => *ret,
                    _ => Ty::Unknown,
                };
                let ok = crate::types::open_result(of, false);
                Some(Ty::std("std::result::Result", vec![ok, error]))
            }
            ("unwrap_or_default", []) => {
                let inner = crate::types::open_result(of, false);
                self.implicit(&inner, "Default", "default", span);
                Some(inner)
            }
            _ => None,
        }
    }

    /// `.into()` whose target does not show: every `From` of the value's type.
    fn say_conversions(&mut self, of: &Ty, span: Span) {
        if let Ty::Local(item, _) = of.peel() {
            for method in self.reader.conversions_from(*item) {
                self.to_via(
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

/// Whether a function of this name reads a value of the wanted type from data.
fn reads(name: &str) -> bool {
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

fn has_hole(ty: &Ty) -> bool {
    match ty {
        Ty::Unknown => true,
        Ty::Outside(_, args) | Ty::Tuple(args) => args.iter().any(has_hole),
        Ty::Ref(inner) | Ty::Slice(inner) => has_hole(inner),
        _ => false,
    }
}

/// Whether an outside receiver is a string, whose methods call nothing of what they are given.
fn is_text(path: Option<&Outside>) -> bool {
    path.is_some_and(|path| path.is_std("String") || path.is_std("str"))
}
