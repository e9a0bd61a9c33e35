//! Members of traits, impls and `extern` blocks, and items that the parser leaves as tokens.

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, ForeignItem, ImplItem, TraitItem, Visibility,
    parse::{ParseStream, Parser as _},
};

use super::{
    Lower,
    items::{Head, is_public, item},
    macros::Position,
    signatures::fn_token,
};
use crate::{
    base::Span,
    source::facts::{Fields, Generics, ItemIx, ItemKind, MacroCall},
};

impl Lower<'_> {
    fn enter_member(&mut self, head: Head, generics: Generics, kind: ItemKind, owner: ItemIx) -> Option<ItemIx> {
        let scope = self.scope;
        Some(self.add_item(item(head, generics, kind, scope, Some(owner))))
    }

    fn macro_member(
        &mut self,
        call: MacroCall,
        end: Option<u32>,
        attrs: Vec<Attribute>,
        owner: ItemIx,
    ) -> Option<ItemIx> {
        let span = Span { end: end.unwrap_or(call.span.end), ..call.span };
        let attrs = self.attrs(attrs);
        let head = Head { name: self.nameless(), name_span: call.path.span, span, public: true, attrs };
        self.enter_member(head, Generics::default(), ItemKind::MacroCall(call), owner)
    }

    pub(super) fn trait_member(&mut self, member: TraitItem, owner: ItemIx) -> Option<ItemIx> {
        let public = Visibility::Public(syn::token::Pub::default());
        match member {
            TraitItem::Const(of) if !self.is_off(&of.attrs) => {
                let start = self.places.start(of.const_token.span);
                let end = self.places.end(of.semi_token.span);
                let head = self.head(&of.ident, &public, start, end, of.attrs);
                let generics = self.generics(of.generics);
                let ty = self.ty(of.ty);
                let value = of.default.map(|(_, value)| self.expr(value));
                self.enter_member(head, generics, ItemKind::Const { of: ty, value }, owner)
            }
            TraitItem::Fn(of) if !self.is_off_fn(&of.attrs) => {
                let start = self.places.start(fn_token(&of.sig));
                let end = match (&of.default, &of.semi_token) {
                    (Some(body), _) => self.places.end(body.brace_token.span.close()),
                    (None, Some(semi)) => self.places.end(semi.span),
                    (None, None) => start,
                };
                let head = self.head(&of.sig.ident, &public, start, end, of.attrs);
                let (function, generics) = self.function(of.sig, of.default, false);
                self.enter_member(head, generics, ItemKind::Fn(function), owner)
            }
            TraitItem::Type(of) if !self.is_off(&of.attrs) => {
                let start = self.places.start(of.type_token.span);
                let end = self.places.end(of.semi_token.span);
                let head = self.head(&of.ident, &public, start, end, of.attrs);
                let generics = self.generics(of.generics);
                let (bounds, _) = self.bounds(of.bounds);
                let default = of.default.map(|(_, ty)| self.ty(ty));
                self.enter_member(head, generics, ItemKind::Alias { of: default, bounds }, owner)
            }
            TraitItem::Macro(of) if !self.is_off(&of.attrs) => {
                let end = of.semi_token.map(|semi| self.places.end(semi.span));
                let call = self.macro_call(of.mac, Position::Member);
                self.macro_member(call, end, of.attrs, owner)
            }
            TraitItem::Verbatim(tokens) => self.verbatim_member(tokens, owner, false),
            _ => None,
        }
    }

    pub(super) fn impl_member(&mut self, member: ImplItem, owner: ItemIx, of_trait: bool) -> Option<ItemIx> {
        let (mut head, generics, kind) = match member {
            ImplItem::Const(of) if !self.is_off(&of.attrs) => {
                let word = of.modifiers.defaultness.map_or(of.const_token.span, |token| token.span);
                let start = self.start(&of.vis, word);
                let end = self.places.end(of.semi_token.span);
                let head = self.head(&of.ident, &of.vis, start, end, of.attrs);
                let generics = self.generics(of.generics);
                let ty = self.ty(of.ty);
                let value = Some(self.expr(of.expr));
                (head, generics, ItemKind::Const { of: ty, value })
            }
            ImplItem::Fn(of) if !self.is_off_fn(&of.attrs) => {
                let word = of.modifiers.defaultness.map_or(fn_token(&of.sig), |token| token.span);
                let start = self.start(&of.vis, word);
                let end = self.places.end(of.block.brace_token.span.close());
                let head = self.head(&of.sig.ident, &of.vis, start, end, of.attrs);
                let (function, generics) = self.function(of.sig, Some(of.block), false);
                (head, generics, ItemKind::Fn(function))
            }
            ImplItem::Type(of) if !self.is_off(&of.attrs) => {
                let word = of.modifiers.defaultness.map_or(of.type_token.span, |token| token.span);
                let start = self.start(&of.vis, word);
                let end = self.places.end(of.semi_token.span);
                let head = self.head(&of.ident, &of.vis, start, end, of.attrs);
                let generics = self.generics(of.generics);
                let ty = self.ty(of.ty);
                (head, generics, ItemKind::Alias { of: Some(ty), bounds: Vec::new() })
            }
            ImplItem::Macro(of) if !self.is_off(&of.attrs) => {
                let end = of.semi_token.map(|semi| self.places.end(semi.span));
                let call = self.macro_call(of.mac, Position::Member);
                return self.macro_member(call, end, of.attrs, owner);
            }
            ImplItem::Verbatim(tokens) => return self.verbatim_member(tokens, owner, of_trait),
            _ => return None,
        };
        head.public |= of_trait;
        self.enter_member(head, generics, kind, owner)
    }

    /// A member of a syntax that is not settled, or not valid where it stands.
    fn verbatim_member(&mut self, tokens: TokenStream, owner: ItemIx, of_trait: bool) -> Option<ItemIx> {
        let ((attrs, vis), rest) = split(tokens)?;
        if self.is_off_fn(&attrs) {
            return None;
        }
        // A member of an impl without a body is written as in a trait, and the other way about.
        let parsed = self.afford_unsettled(rest.clone(), |this, tokens| {
            let item = syn::parse2::<TraitItem>(tokens).ok().filter(|item| !matches!(item, TraitItem::Verbatim(_)))?;
            this.trait_member(item, owner)
        });
        let Some(at) = parsed else {
            let call = self.scanned_call(rest);
            return self.macro_member(call, None, attrs, owner);
        };
        let attrs = self.attrs(attrs);
        let member = &mut self.facts.items[at.0 as usize];
        member.attrs = attrs;
        member.public = of_trait || is_public(&vis);
        Some(at)
    }

    /// An item of an `extern` block, or one that is written like one.
    pub(super) fn foreign_item(&mut self, item: ForeignItem, foreign: bool) {
        match item {
            ForeignItem::Fn(of) if !self.is_off_fn(&of.attrs) => {
                let start = self.start(&of.vis, fn_token(&of.sig));
                let end = self.places.end(of.semi_token.span);
                let head = self.head(&of.sig.ident, &of.vis, start, end, of.attrs);
                let (function, generics) = self.function(of.sig, None, foreign);
                self.enter_item(head, generics, ItemKind::Fn(function));
            }
            ForeignItem::Static(of) if !self.is_off(&of.attrs) => {
                let word = match &of.safety {
                    syn::Safety::Safe(token) => token.span,
                    syn::Safety::Unsafe(token) => token.span,
                    syn::Safety::Default => of.static_token.span,
                };
                let start = self.start(&of.vis, word);
                let end = self.places.end(of.semi_token.span);
                let head = self.head(&of.ident, &of.vis, start, end, of.attrs);
                let ty = self.ty(*of.ty);
                let kind = ItemKind::Static { of: ty, value: None, foreign };
                self.enter_item(head, Generics::default(), kind);
            }
            // A type that only the other language knows: a struct without fields.
            ForeignItem::Type(of) if !self.is_off(&of.attrs) => {
                let start = self.start(&of.vis, of.type_token.span);
                let end = self.places.end(of.semi_token.span);
                let head = self.head(&of.ident, &of.vis, start, end, of.attrs);
                let generics = self.generics(of.generics);
                self.enter_item(head, generics, ItemKind::Struct(Fields::default()));
            }
            ForeignItem::Macro(of) if !self.is_off(&of.attrs) => {
                let end = of.semi_token.map(|semi| self.places.end(semi.span));
                let attrs = self.attrs(of.attrs);
                let call = self.macro_call(of.mac, Position::Item);
                self.enter_macro(call, end, attrs);
            }
            ForeignItem::Verbatim(tokens) => {
                self.scanned_item(Vec::new(), tokens);
            }
            _ => {}
        }
    }
}

/// The attributes and the visibility in front of the tokens of an item, and the rest.
pub(super) fn split(tokens: TokenStream) -> Option<((Vec<Attribute>, Visibility), TokenStream)> {
    let parser = |input: ParseStream<'_>| {
        Ok(((Attribute::parse_outer(input)?, input.parse::<Visibility>()?), input.parse::<TokenStream>()?))
    };
    parser.parse2(tokens).ok()
}

/// Whether some tokens begin with a word.
pub(super) fn starts_with(tokens: &TokenStream, word: &str) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == word)
}

/// `const trait` and `const impl` without the word that is not settled yet.
pub(super) fn settled(tokens: &TokenStream) -> Option<TokenStream> {
    let mut left_out = false;
    let mut out: Vec<TokenTree> = Vec::new();
    let mut trees = tokens.clone().into_iter().peekable();
    while let Some(tree) = trees.next() {
        let follows = matches!(trees.peek(), Some(TokenTree::Ident(next))
            if ["trait", "unsafe", "auto", "impl"].iter().any(|word| next == word));
        if !left_out && follows && matches!(&tree, TokenTree::Ident(word) if word == "const") {
            left_out = true;
        } else {
            out.push(tree);
        }
    }
    left_out.then(|| out.into_iter().collect())
}
