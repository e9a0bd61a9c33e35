//! Patterns.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Pat, parse::Parser as _, spanned::Spanned as _};

use super::{Lower, macros::Position};
use crate::{
    base::Span,
    source::facts::{ExprIx, ExprKind, PatIx, PatKind},
};

impl Lower<'_> {
    /// A pattern. Parentheses go.
    pub(super) fn pat(&mut self, pat: Pat) -> PatIx {
        match pat {
            Pat::Const(block) => {
                let value = self.expr(syn::Expr::Const(block));
                self.expr_pat(value)
            }
            // Only an arm has a guard, and takes it off itself.
            Pat::Guard(guard) => self.pat(*guard.pat),
            Pat::Ident(ident) => self.ident_pat(ident),
            Pat::Lit(lit) => {
                let value = self.literal(lit.lit);
                self.expr_pat(value)
            }
            Pat::Macro(mac) => {
                let call = self.macro_call(mac.mac, Position::Pattern);
                let span = call.span;
                self.add_pat(PatKind::Macro(call), span)
            }
            Pat::Or(or) => {
                let cases = or.cases.into_iter().map(|case| self.pat(case)).collect::<Vec<_>>();
                let span = self.around(&cases);
                self.add_pat(PatKind::Or(cases), span)
            }
            Pat::Paren(paren) => self.pat(*paren.pat),
            Pat::Path(path) => {
                let (path, span) = self.qualified(path.qself, path.path);
                self.add_pat(PatKind::Path(path), span)
            }
            Pat::Range(range) => {
                let value = self.expr(syn::Expr::Range(range));
                self.expr_pat(value)
            }
            Pat::Reference(reference) => {
                let start = self.places.span(reference.and_token.span);
                let of = self.pat(*reference.pat);
                let end = self.facts[of].span.end;
                self.add_pat(PatKind::Ref(of), Span { end, ..start })
            }
            Pat::Rest(rest) => {
                let span = self.dots(rest.dot2_token);
                self.add_pat(PatKind::Wild, span)
            }
            Pat::Slice(slice) => {
                let span = self.places.span(slice.bracket_token.span.join());
                let elems = slice.elems.into_iter().map(|elem| self.pat(elem)).collect();
                self.add_pat(PatKind::Slice(elems), span)
            }
            Pat::Struct(of) => self.struct_pat(of),
            Pat::Tuple(tuple) => {
                let span = self.places.span(tuple.paren_token.span.join());
                let (elems, rest) = self.elements(tuple.elems);
                self.add_pat(PatKind::Tuple { elems, rest }, span)
            }
            Pat::TupleStruct(of) => {
                let end = self.places.end(of.paren_token.span.close());
                let (path, span) = self.qualified(of.qself, of.path);
                let (elems, rest) = self.elements(of.elems);
                self.add_pat(PatKind::TupleStruct { path, elems, rest }, Span { end, ..span })
            }
            Pat::Type(typed) => {
                let of = self.pat(*typed.pat);
                let ty = self.ty(*typed.ty);
                let span = Span { end: self.facts[ty].span.end, ..self.facts[of].span };
                self.add_pat(PatKind::Typed(of, ty), span)
            }
            Pat::Verbatim(tokens) => self.verbatim_pat(tokens),
            Pat::Wild(wild) => {
                let span = self.places.span(wild.underscore_token.spans[0]);
                self.add_pat(PatKind::Wild, span)
            }
            _ => self.add_pat(PatKind::Wild, self.places.range(0, 0)),
        }
    }

    fn around(&self, pats: &[PatIx]) -> Span {
        match (pats.first(), pats.last()) {
            (Some(&first), Some(&last)) => Span { end: self.facts[last].span.end, ..self.facts[first].span },
            _ => self.places.range(0, 0),
        }
    }

    pub(super) fn dots(&self, dots: syn::Token![..]) -> Span {
        self.places.range(self.places.start(dots.spans[0]), self.places.end(dots.spans[1]))
    }

    /// A pattern that is a value; nothing of it is kept where it names nothing and is no string.
    fn expr_pat(&mut self, value: ExprIx) -> PatIx {
        let span = self.facts[value].span;
        let kind = match &self.facts[value].kind {
            ExprKind::Other => PatKind::Wild,
            ExprKind::Holds(held) if held.iter().all(|&at| matches!(self.facts[at].kind, ExprKind::Other)) => {
                PatKind::Wild
            }
            _ => PatKind::Expr(value),
        };
        self.add_pat(kind, span)
    }

    fn ident_pat(&mut self, ident: syn::PatIdent) -> PatIx {
        let (name, span) = self.name(&ident.ident);
        let word = ident.by_ref.map(|token| token.span).or(ident.mutability.map(|token| token.span));
        let start = word.map_or(span.start, |word| self.places.start(word));
        let sub = ident.subpat.map(|(_, sub)| self.pat(*sub));
        let end = sub.map_or(span.end, |sub| self.facts[sub].span.end);
        self.add_pat(PatKind::Name(name, sub), self.places.range(start, end))
    }

    fn struct_pat(&mut self, of: syn::PatStruct) -> PatIx {
        let end = self.places.end(of.brace_token.span.close());
        let (path, span) = self.qualified(of.qself, of.path);
        let mut fields = Vec::with_capacity(of.fields.len());
        for field in of.fields {
            if self.is_off(&field.attrs) {
                continue;
            }
            let (name, place) = self.member(&field.member);
            fields.push((name, place, self.pat(*field.pat)));
        }
        self.add_pat(PatKind::Struct { path, fields }, Span { end, ..span })
    }

    /// Elements without `..`, and where it stood.
    fn elements<P>(&mut self, elems: syn::punctuated::Punctuated<Pat, P>) -> (Vec<PatIx>, Option<usize>) {
        let mut rest = None;
        let mut out = Vec::with_capacity(elems.len());
        for elem in elems {
            if matches!(elem, Pat::Rest(_)) {
                rest = rest.or(Some(out.len()));
            } else {
                out.push(self.pat(elem));
            }
        }
        (out, rest)
    }

    /// `box p`, `const { ... }` and whatever is not settled yet.
    fn verbatim_pat(&mut self, tokens: TokenStream) -> PatIx {
        let span = self.places.span(tokens.span());
        let mut trees = tokens.clone().into_iter();
        let boxed = matches!(trees.next(), Some(TokenTree::Ident(word)) if word == "box");
        // A box within the box would be parsed again at every level.
        let again = trees.clone().any(|tree| matches!(tree, TokenTree::Ident(word) if word == "box"));
        let tokens = if boxed && !again {
            let parsed = self.afford(trees.collect(), Some(span), |this, tokens| {
                let pat = Pat::parse_single.parse2(tokens).ok()?;
                Some(this.pat(pat))
            });
            if let Some(Some(of)) = parsed {
                return self.add_pat(PatKind::Ref(of), span);
            }
            tokens
        } else {
            tokens
        };
        let held = self.scan(tokens, &mut None);
        let value = self.add_expr(ExprKind::Holds(held), span);
        self.expr_pat(value)
    }
}
