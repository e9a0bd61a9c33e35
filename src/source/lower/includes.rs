//! `include!` and `concat!`.

use proc_macro2::TokenStream;
use syn::{Expr, Token, UnOp, parse::Parser as _, punctuated::Punctuated};

use super::{Lower, literals};
use crate::{
    base::Span,
    source::facts::{ExprKind, Include, MacroBody},
};

/// What stands for a part of a `concat!` that is not known.
const UNKNOWN: char = '\u{fffd}';

type Parts = Punctuated<Expr, Token![,]>;

impl Lower<'_> {
    /// What an `include!` includes.
    pub(super) fn included(&mut self, tokens: TokenStream) -> Include {
        let span = match tokens.is_empty() {
            true => self.places.range(0, 0),
            false => self.places.span(syn::spanned::Spanned::span(&tokens)),
        };
        let opaque = Include::Opaque(self.places.slice(span).to_owned());
        let parsed = self.afford(tokens, Some(span), |_, tokens| Parts::parse_terminated.parse2(tokens).ok());
        let Some(Some(parts)) = parsed else { return opaque };
        let mut parts = parts.into_iter();
        let (Some(part), None) = (parts.next(), parts.next()) else { return opaque };
        let mut path = Spelt::default();
        spell(part, &mut path);
        match path {
            Spelt { manifest: false, unknown: false, text } => Include::Relative(text),
            Spelt { manifest: true, unknown: false, text } => {
                Include::Manifest(text.trim_start_matches(['/', '\\']).to_owned())
            }
            _ => opaque,
        }
    }

    /// The file of sqlx's `query_file!("path", arguments)` and `query_file_as!(Type, "path", arguments)`,
    /// whose path starts at the package's folder: <https://docs.rs/sqlx/0.8.6/sqlx/macro.query_file.html>.
    pub(super) fn query_file(&mut self, tokens: TokenStream) -> Option<Include> {
        let parts = self.afford(tokens, None, |_, tokens| Parts::parse_terminated.parse2(tokens).ok())??;
        let path = parts.into_iter().take(2).find_map(|part| match part {
            Expr::Lit(lit) => literals::string(&lit.lit),
            _ => None,
        });
        path.map(Include::Manifest)
    }

    /// A macro that stands for generated code.
    pub(super) fn generated(&mut self, span: Span) -> Include {
        Include::Opaque(self.places.slice(span).to_owned())
    }

    /// The literals of a `concat!` as one string, and what else is in it.
    pub(super) fn concat_into(&mut self, tokens: TokenStream, span: Span, body: &mut MacroBody) {
        let whole = tokens.clone();
        let parsed = self.afford(tokens, Some(span), |this, tokens| {
            let parts = Parts::parse_terminated.parse2(tokens).ok()?;
            let mut text = String::new();
            let mut others = Vec::new();
            for part in parts {
                this.join(part, &mut text, &mut others);
            }
            body.exprs.push(this.add_expr(ExprKind::Str(text), span));
            body.exprs.append(&mut others);
            Some(())
        });
        if !matches!(parsed, Some(Some(()))) {
            self.scan_into(whole, body);
        }
    }

    fn join(&mut self, part: Expr, text: &mut String, others: &mut Vec<crate::source::facts::ExprIx>) {
        match part {
            Expr::Lit(lit) => match literals::joined(&lit.lit) {
                Some(value) => text.push_str(&value),
                None => text.push(UNKNOWN),
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                text.push('-');
                self.join(*unary.expr, text, others);
            }
            part => {
                let spelt = match &part {
                    Expr::Macro(call) if call.mac.path.is_ident("stringify") => Some(call.mac.tokens.to_string()),
                    _ => None,
                };
                let at = self.expr(part);
                if let Some(spelt) = spelt {
                    text.extend(spelt.split_whitespace());
                    others.push(at);
                    return;
                }
                // A `concat!` within: its string is part of this one.
                if let ExprKind::Macro(call) = &mut self.facts.exprs[at.0 as usize].kind
                    && call.path.segments.last().is_some_and(|last| &*last.name == "concat")
                    && !call.body.exprs.is_empty()
                {
                    let inner = std::mem::take(&mut call.body.exprs);
                    if let ExprKind::Str(value) = &self.facts[inner[0]].kind {
                        text.push_str(value);
                    }
                    others.extend(&inner[1..]);
                    return;
                }
                text.push(UNKNOWN);
                others.push(at);
            }
        }
    }
}

/// A path as the tokens spell it.
#[derive(Default)]
struct Spelt {
    /// It begins with the package's folder.
    manifest: bool,
    /// Something in it is known only to a build.
    unknown: bool,
    text: String,
}

fn spell(part: Expr, into: &mut Spelt) {
    match part {
        Expr::Lit(lit) => match literals::joined(&lit.lit) {
            Some(value) => into.text.push_str(&value),
            None => into.unknown = true,
        },
        Expr::Macro(mac) => {
            let name = mac.mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            let parts = Parts::parse_terminated.parse2(mac.mac.tokens).unwrap_or_default();
            match name.as_str() {
                "concat" => parts.into_iter().for_each(|part| spell(part, into)),
                "env" => {
                    let first = parts.into_iter().next();
                    let manifest = matches!(first, Some(Expr::Lit(lit))
                        if literals::string(&lit.lit).as_deref() == Some("CARGO_MANIFEST_DIR"));
                    if manifest && into.text.is_empty() && !into.manifest {
                        into.manifest = true;
                    } else {
                        into.unknown = true;
                    }
                }
                _ => into.unknown = true,
            }
        }
        Expr::Group(group) => spell(*group.expr, into),
        Expr::Paren(paren) => spell(*paren.expr, into),
        _ => into.unknown = true,
    }
}
