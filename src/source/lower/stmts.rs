//! Blocks and statements, and which of them are switched off.

use syn::{Expr, Stmt as Statement};

use super::{Lower, macros::Position};
use crate::source::facts::{ExprIx, ExprKind, ScopeIx, Stmt};

impl Lower<'_> {
    /// A block. It has a scope of its own where it declares or imports something.
    pub(super) fn block(&mut self, block: syn::Block, is_async: bool) -> ExprIx {
        let span = self.places.span(block.brace_token.span.join());
        let declares = block.stmts.iter().any(|stmt| matches!(stmt, Statement::Item(_)));
        let scope = declares.then(|| self.open(true));
        let inner = scope.unwrap_or(self.scope);
        let stmts = self.within(inner, |this| this.stmts(block.stmts, inner));
        self.add_expr(ExprKind::Block { scope, stmts, is_async }, span)
    }

    /// Statements; what they declare goes into `scope`.
    pub(super) fn stmts(&mut self, stmts: Vec<Statement>, scope: ScopeIx) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            match stmt {
                Statement::Local(local) => out.extend(self.local(local)),
                Statement::Item(item) => self.within(scope, |this| this.item(item)),
                // A lone `;`.
                Statement::Expr(Expr::Verbatim(tokens), Some(_)) if tokens.is_empty() => {}
                Statement::Expr(expr, semi) => {
                    if !self.is_off_expr(&expr) {
                        let at = self.expr(expr);
                        out.push(Stmt::Expr(at, semi.is_some()));
                    }
                }
                Statement::Macro(mac) => {
                    if !self.is_off(&mac.attrs) {
                        let call = self.macro_call(mac.mac, Position::Stmt);
                        let span = call.span;
                        let at = self.add_expr(ExprKind::Macro(call), span);
                        out.push(Stmt::Expr(at, mac.semi_token.is_some()));
                    }
                }
            }
        }
        out
    }

    fn local(&mut self, local: syn::Local) -> Option<Stmt> {
        if self.is_off(&local.attrs) {
            return None;
        }
        // The value first: it does not see the pattern's names, and neither does its number.
        let (init, other) = match local.init {
            Some(init) => {
                let value = self.expr(*init.expr);
                (Some(value), init.diverge.map(|(_, other)| self.expr(*other)))
            }
            None => (None, None),
        };
        let (pat, of) = match local.pat {
            syn::Pat::Type(typed) => {
                let of = self.ty(*typed.ty);
                (self.pat(*typed.pat), Some(of))
            }
            pat => (self.pat(pat), None),
        };
        Some(Stmt::Let { pat, of, init, other })
    }

    /// Whether an attribute switches an expression off. In a statement or a list the parser hangs it on
    /// the first operand.
    pub(super) fn is_off_expr(&self, mut expr: &Expr) -> bool {
        loop {
            if self.is_off(attributes(expr)) {
                return true;
            }
            expr = match expr {
                Expr::Assign(of) => &of.left,
                Expr::Binary(of) => &of.left,
                Expr::Cast(of) => &of.expr,
                _ => return false,
            };
        }
    }
}

/// The attributes of an expression.
fn attributes(expr: &Expr) -> &[syn::Attribute] {
    match expr {
        Expr::Array(of) => &of.attrs,
        Expr::Assign(of) => &of.attrs,
        Expr::Async(of) => &of.attrs,
        Expr::Await(of) => &of.attrs,
        Expr::Binary(of) => &of.attrs,
        Expr::Block(of) => &of.attrs,
        Expr::Break(of) => &of.attrs,
        Expr::Call(of) => &of.attrs,
        Expr::Cast(of) => &of.attrs,
        Expr::Closure(of) => &of.attrs,
        Expr::Const(of) => &of.attrs,
        Expr::Continue(of) => &of.attrs,
        Expr::Field(of) => &of.attrs,
        Expr::ForLoop(of) => &of.attrs,
        Expr::If(of) => &of.attrs,
        Expr::Index(of) => &of.attrs,
        Expr::Infer(of) => &of.attrs,
        Expr::Let(of) => &of.attrs,
        Expr::Lit(of) => &of.attrs,
        Expr::Loop(of) => &of.attrs,
        Expr::Macro(of) => &of.attrs,
        Expr::Match(of) => &of.attrs,
        Expr::MethodCall(of) => &of.attrs,
        Expr::Paren(of) => &of.attrs,
        Expr::Path(of) => &of.attrs,
        Expr::Range(of) => &of.attrs,
        Expr::RawAddr(of) => &of.attrs,
        Expr::Reference(of) => &of.attrs,
        Expr::Repeat(of) => &of.attrs,
        Expr::Return(of) => &of.attrs,
        Expr::Struct(of) => &of.attrs,
        Expr::Try(of) => &of.attrs,
        Expr::TryBlock(of) => &of.attrs,
        Expr::Tuple(of) => &of.attrs,
        Expr::Unary(of) => &of.attrs,
        Expr::Unsafe(of) => &of.attrs,
        Expr::While(of) => &of.attrs,
        Expr::Yield(of) => &of.attrs,
        _ => &[],
    }
}
