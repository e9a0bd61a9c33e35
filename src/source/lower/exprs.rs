//! Expressions and statements.

use syn::{BinOp, Expr, Lit, Member, UnOp, spanned::Spanned as _};

use super::{Lower, macros::Position};
use crate::{
    base::Span,
    source::facts::{Arm, ExprIx, ExprKind, FieldValue, Name, PatKind, Stmt},
};

/// An expression, and where it stands with the parentheses that it lost.
type Placed = (ExprIx, Span);

impl Lower<'_> {
    /// An expression. Parentheses and groups go.
    pub(super) fn expr(&mut self, expr: Expr) -> ExprIx {
        self.placed(expr).0
    }

    /// The expressions of a list that are not switched off.
    pub(super) fn exprs<P>(&mut self, list: syn::punctuated::Punctuated<Expr, P>) -> Vec<ExprIx> {
        let mut out = Vec::with_capacity(list.len());
        for expr in list {
            if !self.is_off_expr(&expr) {
                out.push(self.expr(expr));
            }
        }
        out
    }

    fn placed(&mut self, expr: Expr) -> Placed {
        match expr {
            Expr::Array(array) => {
                let elems = self.exprs(array.elems);
                self.enter(ExprKind::Array(elems), array.bracket_token.span.join())
            }
            Expr::Assign(assign) => self.assign(assign),
            Expr::Async(block) => self.token_block(block.async_token.span, block.block, true),
            Expr::Await(of) => {
                let word = self.places.span(of.await_token.span);
                self.postfix(*of.base, word.end, |base, _| ExprKind::Await(base, word))
            }
            Expr::Binary(binary) => self.binary(binary),
            Expr::Block(block) => {
                let start = block.label.map(|label| self.places.start(label.name.apostrophe));
                let at = self.block(block.block, false);
                let span = self.facts[at].span;
                (at, Span { start: start.unwrap_or(span.start), ..span })
            }
            Expr::Break(of) => {
                self.prefix(of.break_token.span, of.expr, |held| ExprKind::Holds(held.into_iter().collect()))
            }
            Expr::Call(call) => self.call(call),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Closure(closure) => self.closure(closure),
            Expr::Const(block) => self.token_block(block.const_token.span, block.block, false),
            Expr::Continue(of) => self.enter(ExprKind::Other, of.continue_token.span),
            Expr::Field(field) => {
                let (name, name_span) = self.member(&field.member);
                self.postfix(*field.base, name_span.end, |base, _| ExprKind::Field { base, name, name_span })
            }
            Expr::ForLoop(of) => self.for_loop(of),
            Expr::Group(group) => self.placed(*group.expr),
            Expr::If(of) => self.if_else(of),
            Expr::Index(of) => {
                let end = self.places.end(of.bracket_token.span.close());
                let index = *of.index;
                self.postfix(*of.expr, end, |base, this| ExprKind::Index { base, index: this.expr(index) })
            }
            Expr::Infer(of) => self.enter(ExprKind::Other, of.underscore_token.spans[0]),
            Expr::Let(of) => {
                let pat = self.pat(*of.pat);
                self.prefix(of.let_token.span, Some(of.expr), |value| match value {
                    Some(value) => ExprKind::Let { pat, value },
                    None => ExprKind::Other,
                })
            }
            Expr::Lit(lit) => {
                let at = self.literal(lit.lit);
                (at, self.facts[at].span)
            }
            Expr::Loop(of) => {
                let start = self.labelled(of.label, of.loop_token.span);
                let body = self.block(of.body, false);
                self.enclose(ExprKind::Loop { cond: None, body }, start, body)
            }
            Expr::Macro(mac) => {
                let call = self.macro_call(mac.mac, Position::Expr);
                let span = call.span;
                (self.add_expr(ExprKind::Macro(call), span), span)
            }
            Expr::Match(of) => self.match_arms(of),
            Expr::MethodCall(call) => self.method(call),
            Expr::Paren(paren) => {
                let span = self.places.span(paren.paren_token.span.join());
                (self.expr(*paren.expr), span)
            }
            Expr::Path(path) => {
                let (path, span) = self.qualified(path.qself, path.path);
                (self.add_expr(ExprKind::Path(path), span), span)
            }
            Expr::Range(range) => self.range(range),
            Expr::RawAddr(of) => self.prefix(of.and_token.span, Some(of.expr), reference),
            Expr::Reference(of) => self.prefix(of.and_token.span, Some(of.expr), reference),
            Expr::Repeat(of) => {
                let elems = vec![self.expr(*of.expr), self.expr(*of.len)];
                self.enter(ExprKind::Array(elems), of.bracket_token.span.join())
            }
            Expr::Return(of) => self.prefix(of.return_token.span, of.expr, ExprKind::Return),
            Expr::Struct(of) => self.struct_literal(of),
            Expr::Try(of) => {
                let mark = self.places.span(of.question_token.span);
                self.postfix(*of.expr, mark.end, |base, _| ExprKind::Try(base, mark))
            }
            Expr::TryBlock(block) => self.token_block(block.try_token.span, block.block, false),
            Expr::Tuple(tuple) => {
                let elems = self.exprs(tuple.elems);
                self.enter(ExprKind::Tuple(elems), tuple.paren_token.span.join())
            }
            Expr::Unary(unary) => self.unary(unary),
            Expr::Unsafe(block) => self.token_block(block.unsafe_token.span, block.block, false),
            Expr::Verbatim(tokens) => {
                let span = self.places.span(tokens.span());
                let held = self.scan(tokens, &mut None);
                (self.add_expr(ExprKind::Holds(held), span), span)
            }
            Expr::While(of) => self.while_loop(of),
            Expr::Yield(of) => {
                self.prefix(of.yield_token.span, of.expr, |held| ExprKind::Holds(held.into_iter().collect()))
            }
            other => {
                let span = self.places.span(other.span());
                (self.add_expr(ExprKind::Other, span), span)
            }
        }
    }

    fn enter(&mut self, kind: ExprKind, span: proc_macro2::Span) -> Placed {
        let span = self.places.span(span);
        (self.add_expr(kind, span), span)
    }

    /// From a token to the end of the last part.
    fn enclose(&mut self, kind: ExprKind, start: u32, last: ExprIx) -> Placed {
        let span = self.places.range(start, self.facts[last].span.end);
        (self.add_expr(kind, span), span)
    }

    fn prefix(
        &mut self,
        token: proc_macro2::Span,
        of: Option<Box<Expr>>,
        kind: impl FnOnce(Option<ExprIx>) -> ExprKind,
    ) -> Placed {
        let token = self.places.span(token);
        let of = of.map(|of| self.placed(*of));
        let span = Span { end: of.map_or(token.end, |(_, span)| span.end), ..token };
        (self.add_expr(kind(of.map(|(at, _)| at)), span), span)
    }

    fn postfix(&mut self, base: Expr, end: u32, kind: impl FnOnce(ExprIx, &mut Self) -> ExprKind) -> Placed {
        let (base, span) = self.placed(base);
        let kind = kind(base, self);
        let span = Span { end, ..span };
        (self.add_expr(kind, span), span)
    }

    /// Two operands, whatever stands between them.
    fn infix(&mut self, left: Expr, right: Expr, kind: impl FnOnce(ExprIx, ExprIx) -> ExprKind) -> Placed {
        let (left, start) = self.placed(left);
        let (right, end) = self.placed(right);
        let span = Span { end: end.end, ..start };
        (self.add_expr(kind(left, right), span), span)
    }

    fn assign(&mut self, assign: syn::ExprAssign) -> Placed {
        self.infix(*assign.left, *assign.right, |left, right| ExprKind::Assign { left, right })
    }

    fn binary(&mut self, binary: syn::ExprBinary) -> Placed {
        let (op, place) = operator(&binary.op);
        let op_span = self.places.span(place);
        self.infix(*binary.left, *binary.right, |left, right| ExprKind::Binary { op, op_span, left, right })
    }

    fn unary(&mut self, unary: syn::ExprUnary) -> Placed {
        let (op, token) = match unary.op {
            UnOp::Deref(token) => ("", token.span),
            UnOp::Not(token) => ("Not", token.span),
            UnOp::Neg(token) => ("Neg", token.span),
            _ => ("", proc_macro2::Span::call_site()),
        };
        self.prefix(token, Some(unary.expr), |of| match of {
            Some(of) if op.is_empty() => ExprKind::Deref(of),
            Some(of) => ExprKind::Unary { op, of },
            None => ExprKind::Other,
        })
    }

    fn call(&mut self, call: syn::ExprCall) -> Placed {
        let end = self.places.end(call.paren_token.span.close());
        let args = call.args;
        self.postfix(*call.func, end, |callee, this| ExprKind::Call { callee, args: this.exprs(args) })
    }

    fn method(&mut self, call: syn::ExprMethodCall) -> Placed {
        let end = self.places.end(call.paren_token.span.close());
        let (name, name_span) = self.name(&call.method);
        let (turbofish, args) = (call.turbofish, call.args);
        self.postfix(*call.receiver, end, |receiver, this| {
            let generics = turbofish.map(|args| this.turbofish(args)).unwrap_or_default();
            ExprKind::Method { receiver, name, name_span, generics, args: this.exprs(args) }
        })
    }

    fn cast(&mut self, cast: syn::ExprCast) -> Placed {
        let (value, span) = self.placed(*cast.expr);
        let to = self.ty(*cast.ty);
        let span = Span { end: self.facts[to].span.end, ..span };
        (self.add_expr(ExprKind::Cast { value, to }, span), span)
    }

    fn range(&mut self, range: syn::ExprRange) -> Placed {
        let dots = match &range.limits {
            syn::RangeLimits::HalfOpen(dots) => self.dots(*dots),
            syn::RangeLimits::Closed(dots) => {
                self.places.range(self.places.start(dots.spans[0]), self.places.end(dots.spans[2]))
            }
        };
        let start = range.start.map(|start| self.placed(*start));
        let end = range.end.map(|end| self.placed(*end));
        let first = start.map_or(dots.start, |(_, span)| span.start);
        let last = end.map_or(dots.end, |(_, span)| span.end);
        let held = start.into_iter().chain(end).map(|(at, _)| at).collect();
        let span = self.places.range(first, last);
        (self.add_expr(ExprKind::Holds(held), span), span)
    }

    fn closure(&mut self, closure: syn::ExprClosure) -> Placed {
        let first = closure.lifetimes.as_ref().map(|lifetimes| lifetimes.for_token.span);
        let first = first.or(closure.constness.map(|token| token.span));
        let first = first.or(closure.asyncness.map(|token| token.span));
        let first = first.or(closure.capture.map(|token| token.span));
        let start = self.places.start(first.unwrap_or(closure.inputs_begin.span));
        let mut params = Vec::with_capacity(closure.inputs.len());
        for input in closure.inputs {
            let pat = self.pat(input);
            params.push(match &self.facts[pat].kind {
                PatKind::Typed(pat, of) => (*pat, Some(*of)),
                _ => (pat, None),
            });
        }
        let ret = self.output(closure.output);
        let is_async = closure.asyncness.is_some();
        let (mut body, end) = self.placed(*closure.body);
        if is_async {
            let stmts = vec![Stmt::Expr(body, false)];
            body = self.add_expr(ExprKind::Block { scope: None, stmts, is_async }, end);
        }
        let span = self.places.range(start, end.end);
        (self.add_expr(ExprKind::Closure { params, ret, body }, span), span)
    }

    fn struct_literal(&mut self, of: syn::ExprStruct) -> Placed {
        let end = self.places.end(of.brace_token.span.close());
        let (path, span) = self.qualified(of.qself, of.path);
        let mut fields = Vec::with_capacity(of.fields.len());
        for field in of.fields {
            if self.is_off(&field.attrs) {
                continue;
            }
            let (name, place) = self.member(&field.member);
            fields.push(FieldValue { name, span: place, value: self.expr(field.expr) });
        }
        let rest = of.rest.map(|rest| self.expr(*rest));
        let span = Span { end, ..span };
        (self.add_expr(ExprKind::Struct { path, fields, rest }, span), span)
    }

    fn labelled(&self, label: Option<syn::Label>, token: proc_macro2::Span) -> u32 {
        self.places.start(label.map_or(token, |label| label.name.apostrophe))
    }

    fn for_loop(&mut self, of: syn::ExprForLoop) -> Placed {
        let start = self.labelled(of.label, of.for_token.span);
        let pat = self.pat(*of.pat);
        let iter = self.expr(*of.expr);
        let body = self.block(of.body, false);
        self.enclose(ExprKind::For { pat, iter, body }, start, body)
    }

    fn while_loop(&mut self, of: syn::ExprWhile) -> Placed {
        let start = self.labelled(of.label, of.while_token.span);
        let cond = Some(self.expr(*of.cond));
        let body = self.block(of.body, false);
        self.enclose(ExprKind::Loop { cond, body }, start, body)
    }

    fn if_else(&mut self, of: syn::ExprIf) -> Placed {
        let start = self.places.start(of.if_token.span);
        let cond = self.expr(*of.cond);
        let then = self.block(of.then_branch, false);
        let other = of.else_branch.map(|(_, other)| self.expr(*other));
        self.enclose(ExprKind::If { cond, then, other }, start, other.unwrap_or(then))
    }

    fn match_arms(&mut self, of: syn::ExprMatch) -> Placed {
        let start = self.places.start(of.match_token.span);
        let end = self.places.end(of.brace_token.span.close());
        let scrutinee = self.expr(*of.expr);
        let mut arms = Vec::with_capacity(of.arms.len());
        for arm in of.arms {
            if self.is_off(&arm.attrs) {
                continue;
            }
            let (pat, guard) = match arm.pat {
                syn::Pat::Guard(guarded) => (*guarded.pat, Some(guarded.guard)),
                pat => (pat, None),
            };
            let pat = self.pat(pat);
            let guard = guard.map(|guard| self.expr(*guard));
            arms.push(Arm { pat, guard, body: self.expr(*arm.body) });
        }
        let span = self.places.range(start, end);
        (self.add_expr(ExprKind::Match { scrutinee, arms }, span), span)
    }

    fn token_block(&mut self, token: proc_macro2::Span, block: syn::Block, is_async: bool) -> Placed {
        let start = self.places.start(token);
        let at = self.block(block, is_async);
        let span = Span { start, ..self.facts[at].span };
        self.facts.exprs[at.0 as usize].span = span;
        (at, span)
    }

    /// A field's name or number, and its place.
    pub(super) fn member(&mut self, member: &Member) -> (Name, Span) {
        match member {
            Member::Named(ident) => self.name(ident),
            Member::Unnamed(index) => {
                let name = self.number(index.index as usize);
                (name, self.places.span(index.span))
            }
        }
    }

    /// The name of a field that has only a number.
    pub(super) fn number(&mut self, number: usize) -> Name {
        self.made_name(&number.to_string())
    }

    /// A literal: a string, or nothing of interest.
    pub(super) fn literal(&mut self, lit: Lit) -> ExprIx {
        let span = self.places.span(lit.span());
        let kind = match super::literals::string(&lit) {
            Some(value) => ExprKind::Str(value),
            None => ExprKind::Other,
        };
        self.add_expr(kind, span)
    }
}

fn reference(of: Option<ExprIx>) -> ExprKind {
    of.map_or(ExprKind::Other, ExprKind::Ref)
}

/// The trait of an operator, and its place.
fn operator(op: &BinOp) -> (&'static str, proc_macro2::Span) {
    let name = match op {
        BinOp::Add(_) => "Add",
        BinOp::Sub(_) => "Sub",
        BinOp::Mul(_) => "Mul",
        BinOp::Div(_) => "Div",
        BinOp::Rem(_) => "Rem",
        BinOp::BitXor(_) => "BitXor",
        BinOp::BitAnd(_) => "BitAnd",
        BinOp::BitOr(_) => "BitOr",
        BinOp::Shl(_) => "Shl",
        BinOp::Shr(_) => "Shr",
        BinOp::Eq(_) | BinOp::Ne(_) => "PartialEq",
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ge(_) | BinOp::Gt(_) => "PartialOrd",
        BinOp::AddAssign(_) => "AddAssign",
        BinOp::SubAssign(_) => "SubAssign",
        BinOp::MulAssign(_) => "MulAssign",
        BinOp::DivAssign(_) => "DivAssign",
        BinOp::RemAssign(_) => "RemAssign",
        BinOp::BitXorAssign(_) => "BitXorAssign",
        BinOp::BitAndAssign(_) => "BitAndAssign",
        BinOp::BitOrAssign(_) => "BitOrAssign",
        BinOp::ShlAssign(_) => "ShlAssign",
        BinOp::ShrAssign(_) => "ShrAssign",
        _ => "",
    };
    (name, op.span())
}
