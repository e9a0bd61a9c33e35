//! Expressions: what they name, and the type that they show.

use std::{mem, rc::Rc, sync::Arc};

use super::walker::Walker;
use crate::{
    base::Span,
    finding::HopKind,
    reach::{EventKind, Target},
    source::{Arm, ExprIx, ExprKind, Name, PatIx, ScopeIx, Stmt, TypeIx},
    types::{Code, Ty, element, pointee},
};

/// A closure's parameters with their types, its result's type, and its body.
pub(super) type ClosureParts<'c> = (&'c [(PatIx, Option<TypeIx>)], Option<TypeIx>, ExprIx);

impl Walker<'_, '_> {
    /// An expression whose value is only looked at.
    pub(super) fn expr(&mut self, expr: ExprIx, want: Option<&Ty>) -> Ty {
        self.eval(expr, want, false)
    }

    /// An expression whose value is moved on.
    pub(super) fn take(&mut self, expr: ExprIx, want: Option<&Ty>) -> Ty {
        self.eval(expr, want, true)
    }

    /// The value that a function returns at its end.
    pub(super) fn tail(&mut self, expr: ExprIx, want: Option<&Ty>) -> Ty {
        self.eval(expr, want, true)
    }

    fn eval(&mut self, expr: ExprIx, want: Option<&Ty>, taking: bool) -> Ty {
        let facts = Arc::clone(&self.cx.facts);
        let span = facts[expr].span;
        let in_chain = mem::take(&mut self.in_chain);
        let awaited = mem::take(&mut self.awaited);
        match &facts[expr].kind {
            ExprKind::Path(path) => {
                if taking {
                    self.mark_moved(expr);
                }
                self.value(path)
            }
            ExprKind::Str(text) => {
                self.say(span, EventKind::Text(text.clone()));
                Ty::std("str", Vec::new())
            }
            ExprKind::Other => Ty::EXTERNAL,
            ExprKind::Call { callee, args } => {
                let ty = self.call(expr, *callee, args, want);
                self.finish_chain(expr, in_chain, awaited);
                ty
            }
            ExprKind::Method { receiver, name, name_span, generics, args } => {
                let ty = self.method_call(expr, *receiver, (name, *name_span), generics, args, want);
                self.finish_chain(expr, in_chain, awaited);
                ty
            }
            ExprKind::Field { base, name, name_span } => {
                self.in_chain = true;
                let of = self.expr(*base, None);
                self.in_chain = false;
                let ty = self.field(&of, name, *name_span);
                // A field that ends without a drop is copied out, not moved.
                if taking && self.has_drop(&ty) {
                    self.mark_moved(expr);
                }
                ty
            }
            ExprKind::Struct { path, fields, rest } => self.struct_literal(path, fields, *rest),
            ExprKind::Closure { params, ret, body } => self.closure(expr, (params, *ret, *body), &[], &Ty::Unknown),
            ExprKind::Block { scope, stmts, is_async: true } => {
                let wanted = match want {
                    Some(Ty::Future(inner, _)) => (**inner).clone(),
                    _ => Ty::Unknown,
                };
                let outer = mem::replace(&mut self.returns, wanted.clone());
                let frame = mem::replace(&mut self.frame, self.locals.len());
                let open = mem::take(&mut self.questions);
                let inner = self.branch(|walker| walker.block(*scope, stmts, Some(&wanted), true));
                self.answer_questions(open, &inner);
                self.returns = outer;
                self.frame = frame;
                let code = self.cx.item.map(|within| Code::Piece { within, span });
                Ty::Future(Box::new(inner), code)
            }
            ExprKind::Block { scope, stmts, .. } => self.block(*scope, stmts, want, taking),
            ExprKind::If { cond, then, other } => self.scoped(|walker| {
                walker.expr(*cond, None);
                let first = walker.branch(|walker| walker.eval(*then, want, taking));
                let second = other.map(|other| walker.branch(|walker| walker.eval(other, want, taking)));
                second.map_or_else(|| first.clone(), |second| either(&first, second))
            }),
            ExprKind::Let { pat, value } => {
                let ty = self.scrutinee(*value);
                self.pattern(*pat, &ty);
                Ty::EXTERNAL
            }
            ExprKind::Match { scrutinee, arms } => self.match_(*scrutinee, arms, want, taking),
            ExprKind::For { pat, iter, body } => self.for_(*pat, *iter, *body),
            ExprKind::Loop { cond, body } => self.scoped(|walker| {
                if let Some(cond) = cond {
                    walker.expr(*cond, None);
                }
                walker.branch(|walker| walker.expr(*body, None));
                if cond.is_some() { Ty::unit() } else { Ty::Unknown }
            }),
            ExprKind::Try(inner, at) => {
                self.in_chain = in_chain;
                self.awaited = awaited;
                let want = want.filter(|want| **want != Ty::Unknown);
                let want = want.map(|want| Ty::std("std::result::Result", vec![want.clone(), Ty::Unknown]));
                let ty = self.take(*inner, want.as_ref());
                self.leave();
                self.question(&ty, *at)
            }
            ExprKind::Await(inner, at) => {
                self.in_chain = in_chain;
                self.awaited = true;
                let want = want.filter(|want| want.may_hold_local() && **want != Ty::Unknown);
                let want = want.map(|want| Ty::Future(Box::new(want.clone()), None));
                let ty = self.take(*inner, want.as_ref());
                self.awaits(&ty, *at)
            }
            ExprKind::Ref(inner) => {
                self.in_chain = in_chain;
                let ty = self.expr(*inner, want.map(Ty::peel));
                if is_made(&facts[*inner].kind) {
                    self.drop_value(&ty, facts[*inner].span);
                }
                Ty::Ref(Box::new(ty))
            }
            ExprKind::Deref(inner) => {
                self.in_chain = in_chain;
                let ty = self.expr(*inner, None);
                self.deref(&ty, span)
            }
            ExprKind::Unary { op, of } => {
                let ty = self.expr(*of, None);
                self.operator(op, &ty, None, span)
            }
            ExprKind::Binary { op, op_span, left, right } => {
                let before = self.events.len();
                let of = self.expr(*left, None);
                if op.ends_with("Assign") {
                    self.mutably_since(before, *op_span);
                }
                let right = self.branch(|walker| walker.expr(*right, Some(&of)));
                self.operator(op, &of, Some(&right), *op_span)
            }
            ExprKind::Assign { left, right } => {
                let before = self.events.len();
                let old = self.expr(*left, None);
                self.mutably_since(before, span);
                let named = self.events.len();
                let new = self.take(*right, Some(&old));
                if new.has_code()
                    && let Some(holder) = self.static_since(before, named)
                {
                    self.put_into_static(holder, std::slice::from_ref(&new), span);
                }
                self.assign(*left, &old, &new, span);
                Ty::unit()
            }
            ExprKind::Cast { value, to } => {
                let given = self.expr(*value, None);
                self.type_(*to);
                if given.has_code() { given } else { self.cx.lower(self.reader, *to) }
            }
            ExprKind::Index { base, index } => {
                self.in_chain = in_chain;
                let of = self.expr(*base, None);
                self.in_chain = false;
                let is_range = matches!(facts[*index].kind, ExprKind::Holds(_));
                self.expr(*index, None);
                self.index(&of, is_range, span)
            }
            ExprKind::Tuple(elems) => {
                let wants: &[Ty] = if let Some(Ty::Tuple(wants)) = want { wants } else { &[] };
                Ty::Tuple(elems.iter().enumerate().map(|(at, &elem)| self.take(elem, wants.get(at))).collect())
            }
            ExprKind::Array(elems) => {
                let want = want.map(element);
                let types: Vec<Ty> = elems.iter().map(|&elem| self.take(elem, want.as_ref())).collect();
                Ty::Slice(Box::new(many(types)))
            }
            ExprKind::Return(value) => {
                if let Some(value) = value {
                    let want = self.returns.clone();
                    let ty = self.take(*value, Some(&want));
                    ty.codes(&mut self.returned);
                }
                self.leave();
                Ty::Unknown
            }
            ExprKind::Holds(parts) => {
                let types: Vec<Ty> = parts.iter().map(|&part| self.take(part, None)).collect();
                if types.iter().any(Ty::may_hold_local) { Ty::Unknown } else { Ty::EXTERNAL }
            }
            ExprKind::Macro(call) => self.macro_call(call, want),
        }
    }

    pub(super) fn block(&mut self, scope: Option<ScopeIx>, stmts: &[Stmt], want: Option<&Ty>, taking: bool) -> Ty {
        let outer = self.cx.module;
        if let Some(scope) = scope {
            self.cx.module = self.reader.block(outer, self.cx.facts_id, scope);
        }
        let ty = self.scoped(|walker| {
            let mut value = Ty::unit();
            for (at, stmt) in stmts.iter().enumerate() {
                value = walker.statement(stmt, at + 1 == stmts.len(), want, taking);
            }
            value
        });
        self.cx.module = outer;
        ty
    }

    fn statement(&mut self, stmt: &Stmt, last: bool, want: Option<&Ty>, taking: bool) -> Ty {
        let facts = Arc::clone(&self.cx.facts);
        match stmt {
            Stmt::Expr(expr, false) if last => self.eval(*expr, want, taking),
            Stmt::Expr(expr, _) => {
                let ty = self.expr(*expr, None);
                if !is_place(&facts[*expr].kind) {
                    self.drop_value(&ty, facts[*expr].span);
                }
                Ty::unit()
            }
            Stmt::Let { pat, of, init, other } => {
                let declared = of.map(|of| {
                    self.type_(of);
                    self.cx.lower(self.reader, of)
                });
                let mut ty = declared.clone().unwrap_or(Ty::Unknown);
                if let Some(init) = init {
                    let is_wild = matches!(facts[*pat].kind, crate::source::PatKind::Wild);
                    let place = is_place(&facts[*init].kind);
                    let given =
                        if is_wild { self.expr(*init, declared.as_ref()) } else { self.take(*init, declared.as_ref()) };
                    if is_wild && !place {
                        self.drop_value(&given, facts[*init].span);
                    }
                    if let Some(declared) = &declared {
                        self.made_outside(declared, &given, facts[*init].span);
                    }
                    ty = match declared {
                        // What was built says more than `Box<dyn Fn>` or `_` in the annotation.
                        Some(Ty::Unknown | Ty::Bound(_)) | None => given,
                        Some(declared) if matches!(given, Ty::Code(..)) || given.has_code() => {
                            let _ = declared;
                            given
                        }
                        Some(declared) => declared.filled(&given).joined(&given),
                    };
                }
                if let Some(other) = other {
                    self.branch(|walker| walker.expr(*other, None));
                    self.leave();
                }
                self.pattern(*pat, &ty);
                Ty::unit()
            }
        }
    }

    /// The value that a `match` or `if let` looks into: owned where it is made there or moved in,
    /// borrowed where it is a place.
    fn scrutinee(&mut self, value: ExprIx) -> Ty {
        let facts = Arc::clone(&self.cx.facts);
        match &facts[value].kind {
            ExprKind::Field { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) => {
                Ty::Ref(Box::new(self.expr(value, None)))
            }
            ExprKind::Path(_) => self.take(value, None),
            _ => {
                let ty = self.expr(value, None);
                // Nothing can be moved out of a value with a `Drop` of its own: it ends behind the match.
                if let Ty::Local(item, _) = &ty
                    && !self.reader.language_impl(*item, "Drop", None).is_empty()
                {
                    self.drop_value(&ty, facts[value].span);
                }
                ty
            }
        }
    }

    fn match_(&mut self, scrutinee: ExprIx, arms: &[Arm], want: Option<&Ty>, taking: bool) -> Ty {
        let ty = self.scrutinee(scrutinee);
        let mut result = Ty::Unknown;
        for arm in arms {
            let given = self.branch(|walker| {
                walker.scoped(|walker| {
                    walker.pattern(arm.pat, &ty);
                    if let Some(guard) = arm.guard {
                        walker.expr(guard, None);
                    }
                    walker.eval(arm.body, want, taking)
                })
            });
            result = either(&result, given);
        }
        result
    }

    fn for_(&mut self, pat: PatIx, iter: ExprIx, body: ExprIx) -> Ty {
        let facts = Arc::clone(&self.cx.facts);
        let of = self.take(iter, None);
        let item = self.iterate(&of, facts[iter].span);
        self.branch(|walker| {
            walker.scoped(|walker| {
                walker.pattern(pat, &item);
                walker.expr(body, None)
            })
        });
        Ty::unit()
    }

    /// A closure; `params` and `ret` are what its user will give and take.
    pub(super) fn closure(
        &mut self,
        expr: ExprIx,
        (pats, ret, body): ClosureParts<'_>,
        params: &[Ty],
        wanted: &Ty,
    ) -> Ty {
        let span = self.cx.facts[expr].span;
        let declared = ret.map(|ret| {
            self.type_(ret);
            self.cx.lower(self.reader, ret)
        });
        let outer = mem::replace(&mut self.returns, declared.clone().unwrap_or_else(|| wanted.clone()));
        let frame = mem::replace(&mut self.frame, self.locals.len());
        let open = mem::take(&mut self.questions);
        let returned = mem::take(&mut self.returned);
        let given = self.branch(|walker| {
            walker.scoped(|walker| {
                for (at, (pat, of)) in pats.iter().enumerate() {
                    let ty = match of {
                        Some(of) => {
                            walker.type_(*of);
                            walker.cx.lower(walker.reader, *of)
                        }
                        None => params.get(at).cloned().unwrap_or(Ty::Unknown),
                    };
                    walker.pattern(*pat, &ty);
                }
                let want = walker.returns.clone();
                walker.take(body, Some(&want))
            })
        });
        self.answer_questions(open, &given);
        self.returned = returned;
        self.returns = outer;
        self.frame = frame;
        let ret = declared.filter(|ty| *ty != Ty::Unknown).unwrap_or(given);
        match self.cx.item {
            Some(within) => Ty::Code(Code::Piece { within, span }, Box::new(ret)),
            None => Ty::Fn(Vec::new(), Box::new(ret)),
        }
    }

    fn assign(&mut self, left: ExprIx, old: &Ty, new: &Ty, span: Span) {
        let facts = Arc::clone(&self.cx.facts);
        if let ExprKind::Path(path) = &facts[left].kind
            && let [only] = path.segments.as_slice()
            && let Some(local) = self.local(&only.name)
        {
            let known = self.locals[local].ty.clone();
            self.locals[local].ty = either(&known, new.clone());
        }
        if !matches!(old, Ty::Ref(_)) {
            self.drop_value(old, span);
        }
        if let ExprKind::Field { base, name, .. } = &facts[left].kind {
            let events = self.events.len();
            let of = self.expr(*base, None);
            self.events.truncate(events);
            if let Some((item, field, _)) = self.reader.field(&of, None, name) {
                let of = self.keeping(of, item, (None, field), new, span);
                self.grow(*base, &of);
            }
        }
    }

    /// The variable that stands there, if one does, keeps what this value of its type does.
    pub(super) fn grow(&mut self, place: ExprIx, with: &Ty) {
        let facts = Arc::clone(&self.cx.facts);
        if let ExprKind::Path(path) = &facts[place].kind
            && let [only] = path.segments.as_slice()
            && let Some(local) = self.local(&only.name)
        {
            let known = mem::replace(&mut self.locals[local].ty, Ty::Unknown);
            self.locals[local].ty = match known {
                Ty::Ref(inner) => Ty::Ref(Box::new(inner.joined(with.peel()))),
                known => known.joined(with.peel()),
            };
        }
    }

    /// Code put into a field; the value that it is a field of, with it.
    pub(super) fn keeping(
        &mut self,
        whole: Ty,
        of: crate::resolve::ItemId,
        (variant, field): (Option<u32>, u32),
        value: &Ty,
        span: Span,
    ) -> Ty {
        let (mut codes, mut types) = (Vec::new(), Vec::new());
        value.codes(&mut codes);
        value.locals(&mut types);
        let whole = self.reader.keeping(whole, &codes, Some((variant, field)));
        if !codes.is_empty() || !types.is_empty() {
            self.say(span, EventKind::Keeping { of, variant, field, codes, types });
        }
        whole
    }

    /// `*value`.
    fn deref(&mut self, ty: &Ty, span: Span) -> Ty {
        match ty {
            Ty::Ref(inner) => (**inner).clone(),
            Ty::Local(item, _) => match self.reader.deref_of(*item) {
                Some((target, method)) => {
                    if let Some(method) = method {
                        self.to(span, Target::Item(method), HopKind::Implicit);
                    }
                    target
                }
                None => Ty::Unknown,
            },
            other => pointee(other).cloned().unwrap_or_else(|| other.clone()),
        }
    }

    /// `value[index]`.
    fn index(&mut self, ty: &Ty, is_range: bool, span: Span) -> Ty {
        match ty.peel() {
            local @ Ty::Local(item, _) => {
                let item = *item;
                self.implicit(local, "Index", "index", span);
                self.implicit(local, "IndexMut", "index_mut", span);
                let methods = self.reader.language_impl(item, "Index", Some("index"));
                let owner = methods.first().and_then(|&method| self.reader.owner(method));
                owner.and_then(|one| self.reader.assoc_type(one, "Output")).unwrap_or(Ty::Unknown)
            }
            other if is_range => other.clone(),
            other => match element(other) {
                Ty::Tuple(pair) if pair.len() == 2 && matches!(other, Ty::Outside(..)) => pair[1].clone(),
                item => item,
            },
        }
    }

    /// `value.name`.
    pub(super) fn field(&mut self, of: &Ty, name: &Name, span: Span) -> Ty {
        let mut at = of.peel().clone();
        for _ in 0..16 {
            if let Some((item, field, ty)) = self.reader.field(&at, None, name) {
                self.to(span, Target::Field(item, None, field), HopKind::Field);
                return ty;
            }
            let next = match &at {
                Ty::Local(item, _) => self.reader.deref_of(*item).map(|(target, method)| {
                    if let Some(method) = method {
                        self.to(span, Target::Item(method), HopKind::Implicit);
                    }
                    target
                }),
                Ty::Tuple(elems) => {
                    return name.parse().ok().and_then(|at: usize| elems.get(at).cloned()).unwrap_or(Ty::Unknown);
                }
                other => pointee(other).cloned(),
            };
            match next {
                Some(next) => at = next.peel().clone(),
                None => break,
            }
        }
        if at == Ty::Unknown {
            self.say(span, EventKind::ByName { name: name.clone(), field: true });
            return Ty::Unknown;
        }
        if at.may_hold_local() { Ty::Unknown } else { Ty::EXTERNAL }
    }
}

/// Whether an expression is a place, so that looking at it ends nothing.
fn is_place(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Path(_)
            | ExprKind::Field { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_)
            | ExprKind::Ref(_)
            | ExprKind::Assign { .. }
    )
}

/// Whether an expression makes a value that no variable holds.
fn is_made(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Call { .. }
            | ExprKind::Method { .. }
            | ExprKind::Struct { .. }
            | ExprKind::Try(..)
            | ExprKind::Await(..)
    )
}

/// The type that shows more of two branches; the code of both.
fn either(first: &Ty, second: Ty) -> Ty {
    if *first != second && first.has_code() && second.has_code() {
        return Ty::Tuple(vec![first.clone(), second]);
    }
    match first {
        Ty::Unknown => second,
        // `Ok(value)` in one branch and `Err(error)` in the other show a part each.
        Ty::Outside(Some(path), args) if args.len() > 1 => match &second {
            Ty::Outside(Some(other), more) if path.last() == other.last() && args.len() == more.len() => {
                let args = args.iter().zip(more).map(|(first, second)| either(first, second.clone()));
                Ty::Outside(Some(Rc::clone(path)), args.collect())
            }
            _ if args.contains(&Ty::Unknown) => second,
            _ => first.clone(),
        },
        Ty::Outside(_, args) if args.contains(&Ty::Unknown) => second,
        Ty::Tuple(elems) if elems.is_empty() => second,
        first => first.clone().joined(&second),
    }
}

/// What the elements of an array or `vec!` are: the first that shows, with the code of all.
pub(super) fn many(types: Vec<Ty>) -> Ty {
    let codes = types.iter().filter(|ty| ty.has_code()).count();
    if codes > 1 {
        return Ty::Tuple(types);
    }
    let shown = types.iter().find(|ty| **ty != Ty::Unknown).or(types.first()).cloned().unwrap_or(Ty::Unknown);
    types.iter().fold(shown, Ty::joined)
}
