//! Items.

use proc_macro2::TokenStream;
use syn::{Attribute, Visibility};

use super::{Lower, attrs::marks, macros::Position, members, signatures::fn_token};
use crate::{
    base::Span,
    source::facts::{Attr, Generics, Item, ItemIx, ItemKind, MacroCall, Module, Name, ScopeIx, Variant},
};

/// What every item has, before it is known what it is.
pub(super) struct Head {
    pub(super) name: Name,
    pub(super) name_span: Span,
    pub(super) span: Span,
    pub(super) public: bool,
    pub(super) attrs: Vec<Attr>,
}

impl Lower<'_> {
    /// Items of the scope at hand.
    pub(super) fn items(&mut self, items: Vec<syn::Item>) {
        for item in items {
            self.item(item);
        }
    }

    /// An item of the scope at hand, unless it is switched off.
    pub(super) fn item(&mut self, item: syn::Item) {
        use syn::Item;
        match item {
            Item::Const(item) => self.const_item(item),
            Item::Enum(item) => self.enum_item(item),
            Item::ExternCrate(item) => self.extern_crate(item),
            Item::Fn(item) => self.fn_item(item),
            Item::ForeignMod(item) => self.foreign_mod(item),
            Item::Impl(item) => self.impl_item(item),
            Item::Macro(item) => self.macro_item(item),
            Item::Mod(item) => self.module(item),
            Item::Static(item) => self.static_item(item),
            Item::Struct(item) => self.struct_item(item),
            Item::Trait(item) => self.trait_item(item),
            Item::TraitAlias(item) => self.trait_alias(item),
            Item::Type(item) => self.type_item(item),
            Item::Union(item) => self.union_item(item),
            Item::Use(item) if !self.is_off(&item.attrs) => self.import(item, self.scope),
            Item::Verbatim(tokens) => self.verbatim_item(tokens),
            _ => {}
        }
    }

    pub(super) fn head(
        &mut self,
        ident: &proc_macro2::Ident,
        vis: &Visibility,
        start: u32,
        end: u32,
        attrs: Vec<Attribute>,
    ) -> Head {
        let (name, name_span) = self.name(ident);
        Head { name, name_span, span: self.places.range(start, end), public: is_public(vis), attrs: self.attrs(attrs) }
    }

    fn nameless_head(&mut self, name_span: Span, span: Span, attrs: Vec<Attribute>) -> Head {
        Head { name: self.nameless(), name_span, span, public: false, attrs: self.attrs(attrs) }
    }

    /// Where an item begins: its visibility, or its first word.
    pub(super) fn start(&self, vis: &Visibility, word: proc_macro2::Span) -> u32 {
        self.places.start(match vis {
            Visibility::Public(token) => token.span,
            Visibility::Restricted(vis) => vis.pub_token.span,
            Visibility::Inherited => word,
        })
    }

    pub(super) fn enter_item(&mut self, head: Head, generics: Generics, kind: ItemKind) -> ItemIx {
        let scope = self.scope;
        self.declare(item(head, generics, kind, scope, None))
    }

    fn fn_item(&mut self, item: syn::ItemFn) {
        if self.is_off_fn(&item.attrs) {
            return;
        }
        let start = self.start(&item.vis, fn_token(&item.sig));
        let end = self.places.end(item.block.brace_token.span.close());
        let head = self.head(&item.sig.ident, &item.vis, start, end, item.attrs);
        let (function, generics) = self.function(item.sig, Some(*item.block), false);
        self.enter_item(head, generics, ItemKind::Fn(function));
    }

    fn struct_item(&mut self, item: syn::ItemStruct) {
        if self.is_off(&item.attrs) {
            return;
        }
        let start = self.start(&item.vis, item.struct_token.span);
        let end = match (&item.semi_token, &item.fields) {
            (Some(semi), _) => self.places.end(semi.span),
            (None, syn::Fields::Named(fields)) => self.places.end(fields.brace_token.span.close()),
            (None, _) => start,
        };
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let generics = self.generics(item.generics);
        let fields = self.fields(item.fields);
        self.enter_item(head, generics, ItemKind::Struct(fields));
    }

    fn union_item(&mut self, item: syn::ItemUnion) {
        if self.is_off(&item.attrs) {
            return;
        }
        let start = self.start(&item.vis, item.union_token.span);
        let end = self.places.end(item.fields.brace_token.span.close());
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let generics = self.generics(item.generics);
        let fields = self.fields(syn::Fields::Named(item.fields));
        self.enter_item(head, generics, ItemKind::Struct(fields));
    }

    fn const_item(&mut self, item: syn::ItemConst) {
        if self.is_off(&item.attrs) {
            return;
        }
        let word = item.modifiers.defaultness.map_or(item.const_token.span, |token| token.span);
        let start = self.start(&item.vis, word);
        let end = self.places.end(item.semi_token.span);
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let generics = self.generics(item.generics);
        let of = self.ty(*item.ty);
        let value = Some(self.expr(*item.expr));
        self.enter_item(head, generics, ItemKind::Const { of, value });
    }

    fn static_item(&mut self, item: syn::ItemStatic) {
        if self.is_off(&item.attrs) {
            return;
        }
        let start = self.start(&item.vis, item.static_token.span);
        let end = self.places.end(item.semi_token.span);
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let of = self.ty(*item.ty);
        let value = Some(self.expr(*item.expr));
        self.enter_item(head, Generics::default(), ItemKind::Static { of, value, foreign: false });
    }

    fn type_item(&mut self, item: syn::ItemType) {
        if self.is_off(&item.attrs) {
            return;
        }
        let start = self.start(&item.vis, item.type_token.span);
        let end = self.places.end(item.semi_token.span);
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let generics = self.generics(item.generics);
        let of = Some(self.ty(*item.ty));
        self.enter_item(head, generics, ItemKind::Alias { of, bounds: Vec::new() });
    }

    fn trait_alias(&mut self, item: syn::ItemTraitAlias) {
        if self.is_off(&item.attrs) {
            return;
        }
        let start = self.start(&item.vis, item.trait_token.span);
        let end = self.places.end(item.semi_token.span);
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let generics = self.generics(item.generics);
        let (types, _) = self.bounds(item.bounds);
        self.enter_item(head, generics, ItemKind::Names { types });
    }

    fn extern_crate(&mut self, item: syn::ItemExternCrate) {
        if self.is_off(&item.attrs) {
            return;
        }
        let macro_use = marks(&item.attrs).macro_use;
        let start = self.start(&item.vis, item.extern_token.span);
        let end = self.places.end(item.semi_token.span);
        let (krate, _) = self.name(&item.ident);
        let alias = item.rename.as_ref().map_or(&item.ident, |(_, alias)| alias);
        let head = self.head(alias, &item.vis, start, end, item.attrs);
        self.enter_item(head, Generics::default(), ItemKind::ExternCrate { krate, macro_use });
    }

    fn enum_item(&mut self, item: syn::ItemEnum) {
        if self.is_off(&item.attrs) {
            return;
        }
        let start = self.start(&item.vis, item.enum_token.span);
        let end = self.places.end(item.brace_token.span.close());
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let generics = self.generics(item.generics);
        let mut variants = Vec::with_capacity(item.variants.len());
        for variant in item.variants {
            if self.is_off(&variant.attrs) {
                continue;
            }
            let (name, span) = self.name(&variant.ident);
            let attrs = self.attrs(variant.attrs);
            let fields = self.fields(variant.fields);
            let discriminant = variant.discriminant.map(|(_, value)| self.expr(value));
            variants.push(Variant { name, span, fields, discriminant, attrs });
        }
        self.enter_item(head, generics, ItemKind::Enum(variants));
    }

    fn module(&mut self, item: syn::ItemMod) {
        if self.is_off(&item.attrs) {
            return;
        }
        let marks = marks(&item.attrs);
        let start = self.start(&item.vis, item.unsafety.map_or(item.mod_token.span, |token| token.span));
        let end = match (&item.semi, &item.content) {
            (Some(semi), _) => self.places.end(semi.span),
            (None, Some((brace, _))) => self.places.end(brace.span.close()),
            (None, None) => start,
        };
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let module = match item.content {
            Some((_, items)) => {
                let scope = self.open(false);
                self.within(scope, |this| this.items(items));
                let path = marks.paths.into_iter().next().map(|(path, _)| path);
                Module::Inline { scope, path, macro_use: marks.macro_use }
            }
            None => Module::File {
                usual: marks.paths.iter().all(|&(_, always)| !always),
                paths: marks.paths.into_iter().map(|(path, _)| path).collect(),
                macro_use: marks.macro_use,
            },
        };
        self.enter_item(head, Generics::default(), ItemKind::Module(module));
    }

    fn macro_item(&mut self, item: syn::ItemMacro) {
        if self.is_off(&item.attrs) {
            return;
        }
        let exported = marks(&item.attrs).macro_export;
        let end = item.semi_token.map(|semi| self.places.end(semi.span));
        if let Some(ident) = &item.ident
            && item.mac.path.is_ident("macro_rules")
        {
            let first = item.mac.path.segments.first().map_or(ident.span(), |segment| segment.ident.span());
            let start = self.places.start(first);
            let end = end.unwrap_or_else(|| self.places.end(item.mac.delimiter.span().close()));
            let mut head = self.head(ident, &Visibility::Inherited, start, end, item.attrs);
            head.public = exported;
            let body = self.macro_rules(item.mac.tokens);
            self.enter_item(head, Generics::default(), ItemKind::MacroRules { exported, body });
            return;
        }
        let attrs = self.attrs(item.attrs);
        let call = self.macro_call(item.mac, Position::Item);
        self.enter_macro(call, end, attrs);
    }

    /// A macro invocation as an item.
    pub(super) fn enter_macro(&mut self, call: MacroCall, end: Option<u32>, attrs: Vec<Attr>) -> ItemIx {
        let span = Span { end: end.unwrap_or(call.span.end), ..call.span };
        let head = Head { name: self.nameless(), name_span: call.path.span, span, public: false, attrs };
        self.enter_item(head, Generics::default(), ItemKind::MacroCall(call))
    }

    /// Items of an `extern` block stand in the scope around it. The block itself is an item only for
    /// the sake of what its attributes name.
    fn foreign_mod(&mut self, item: syn::ItemForeignMod) {
        if self.is_off(&item.attrs) {
            return;
        }
        let word = self.places.span(item.abi.extern_token.span);
        let start = item.unsafety.map_or(word.start, |token| self.places.start(token.span));
        let end = self.places.end(item.brace_token.span.close());
        let span = self.places.range(start, end);
        let head = self.nameless_head(word, span, item.attrs);
        if !head.attrs.is_empty() {
            self.enter_item(head, Generics::default(), ItemKind::Names { types: Vec::new() });
        }
        for item in item.items {
            self.foreign_item(item, true);
        }
    }

    fn impl_item(&mut self, item: syn::ItemImpl) {
        if self.is_off(&item.attrs) {
            return;
        }
        let word = item.modifiers.defaultness.map(|token| token.span).or(item.unsafety.map(|token| token.span));
        let start = self.places.start(word.unwrap_or(item.impl_token.span));
        let end = self.places.end(item.brace_token.span.close());
        let generics = self.generics(item.generics);
        let of = item.trait_.map(|(path, _)| {
            let (path, span) = self.qualified(None, path);
            self.add_type(crate::source::facts::TypeKind::Path(path), span)
        });
        let self_type = self.ty(*item.self_ty);
        let name_span = self.facts[self_type].span;
        let span = self.places.range(start, end);
        let head = self.nameless_head(name_span, span, item.attrs);
        let kind = ItemKind::Impl { of, self_type, members: Vec::new() };
        let owner = self.enter_item(head, generics, kind);
        let members: Vec<_> =
            item.items.into_iter().filter_map(|member| self.impl_member(member, owner, of.is_some())).collect();
        if let ItemKind::Impl { members: list, .. } = &mut self.facts.items[owner.0 as usize].kind {
            *list = members;
        }
    }

    fn trait_item(&mut self, item: syn::ItemTrait) {
        if self.is_off(&item.attrs) {
            return;
        }
        let word = item.unsafety.map(|token| token.span).or(item.modifiers.auto_token.map(|token| token.span));
        let start = self.start(&item.vis, word.unwrap_or(item.trait_token.span));
        let end = self.places.end(item.brace_token.span.close());
        let head = self.head(&item.ident, &item.vis, start, end, item.attrs);
        let generics = self.generics(item.generics);
        let (supertraits, _) = self.bounds(item.supertraits);
        let owner = self.enter_item(head, generics, ItemKind::Trait { supertraits, members: Vec::new() });
        let members: Vec<_> = item.items.into_iter().filter_map(|member| self.trait_member(member, owner)).collect();
        if let ItemKind::Trait { members: list, .. } = &mut self.facts.items[owner.0 as usize].kind {
            *list = members;
        }
    }

    /// Items of a syntax that is not settled, or not valid where it stands: what the parser knows
    /// without the new word is read as that, the rest is scanned.
    fn verbatim_item(&mut self, tokens: TokenStream) {
        if let Some(settled) = members::settled(&tokens) {
            let parsed = self.afford_unsettled(settled, |this, tokens| {
                let item = syn::parse2(tokens).ok().filter(|item| !matches!(item, syn::Item::Verbatim(_)))?;
                this.item(item);
                Some(())
            });
            if parsed.is_some() {
                return;
            }
        }
        let Some(((attrs, vis), rest)) = members::split(tokens) else { return };
        if self.is_off_fn(&attrs) {
            return;
        }
        if members::starts_with(&rest, "macro") {
            return self.macro_definition(attrs, &vis, rest);
        }
        let parsed = self.afford_unsettled(rest.clone(), |this, tokens| {
            let item = syn::parse2(tokens).ok()?;
            let written = !matches!(item, syn::ForeignItem::Verbatim(_) | syn::ForeignItem::Macro(_));
            written.then(|| this.foreign_item(item, false))
        });
        if parsed.is_some() {
            let attrs = self.attrs(attrs);
            if let Some(item) = self.facts.items.last_mut() {
                item.attrs = attrs;
                item.public = is_public(&vis);
            }
            return;
        }
        self.scanned_item(attrs, rest);
    }

    /// Tokens where an item stands, scanned. They count as the invocation of a macro that is called by
    /// their first word, which as a keyword names nothing.
    pub(super) fn scanned_item(&mut self, attrs: Vec<Attribute>, tokens: TokenStream) -> ItemIx {
        let attrs = self.attrs(attrs);
        let call = self.scanned_call(tokens);
        self.enter_macro(call, None, attrs)
    }
}

/// Puts an item together.
pub(super) fn item(head: Head, generics: Generics, kind: ItemKind, scope: ScopeIx, owner: Option<ItemIx>) -> Item {
    Item {
        name: head.name,
        name_span: head.name_span,
        span: head.span,
        public: head.public,
        scope,
        owner,
        generics,
        attrs: head.attrs,
        kind,
    }
}

/// Whether there is any `pub`.
pub(super) fn is_public(vis: &Visibility) -> bool {
    !matches!(vis, Visibility::Inherited)
}
