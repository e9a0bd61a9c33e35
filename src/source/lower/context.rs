//! What lowering works on: the arenas, the names, the scope at hand, and how deep it is already.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};

use crate::{
    base::{FileId, Span},
    source::{
        depth::{self, Depth, MAX_NEST, MAX_TOTAL, MAX_WEIGHT},
        facts::{
            Expr, ExprIx, ExprKind, Facts, Item, ItemIx, Name, ParseError, Pat, PatIx, PatKind, Scope, ScopeIx, Type,
            TypeIx, TypeKind,
        },
        places::Places,
    },
};

/// How often the tokens of a file may be looked at again, because macros lie within macros and what
/// does not parse one way is tried in another. Real files stay below 4.
const ROUNDS: u64 = 24;

/// What a byte of source can weigh at most (`box` weighs 16).
const BYTE_WEIGHT: u32 = 4;

/// Up to which weight tokens are not measured, but taken to weigh what they could.
const SHORT: u32 = 1_000;

/// How many items of an unsettled syntax may lie within each other and be parsed.
const UNSETTLED: u32 = 2;

/// What lowering works on.
pub(in crate::source) struct Lower<'t> {
    pub(super) facts: Facts,
    pub(super) places: Places<'t>,
    pub(super) scope: ScopeIx,
    names: HashMap<&'t str, Name>,
    empty: Name,
    /// The weight of what is above the tokens at hand, as `depth` counts it.
    above: u32,
    /// How many tokens may still be parsed once more.
    fuel: u64,
    /// How many items of an unsettled syntax are around the tokens at hand.
    unsettled: u32,
    /// How many segments the imports may still have.
    pub(super) segments: u64,
}

impl<'t> Lower<'t> {
    /// For a file whose tokens were measured.
    pub(in crate::source) fn new(file: FileId, places: Places<'t>, depth: Depth) -> Self {
        let tokens = u64::from(depth.tokens);
        let facts = Facts {
            file,
            scopes: vec![Scope::default()],
            items: Vec::new(),
            exprs: Vec::with_capacity(depth.tokens as usize / 4),
            pats: Vec::new(),
            types: Vec::new(),
            error: None,
            scan: Vec::new(),
            texts: Vec::new(),
            macros_scanned: 0,
        };
        Self {
            facts,
            places,
            scope: ScopeIx(0),
            names: HashMap::new(),
            empty: Name::from(""),
            above: depth.weight,
            fuel: tokens.saturating_mul(ROUNDS) + 10_000,
            unsettled: 0,
            segments: tokens.saturating_mul(8) + 10_000,
        }
    }

    /// Lowers a file that parsed.
    pub(in crate::source) fn file(&mut self, tree: syn::File) {
        if !self.is_off(&tree.attrs) {
            self.items(tree.items);
        }
    }

    /// Lowers a file that did not parse, for that reason.
    pub(in crate::source) fn scan_file(&mut self, error: ParseError, tokens: TokenStream) {
        self.facts.error = Some(error);
        let mut top = Some(self.scope);
        self.facts.scan = self.scan(tokens, &mut top);
    }

    /// What was lowered.
    pub(in crate::source) fn finish(self) -> Facts {
        self.facts
    }

    /// The name of nothing.
    pub(super) fn nameless(&self) -> Name {
        self.empty.clone()
    }

    /// A name that stands in the text.
    pub(super) fn text_name(&mut self, text: &'t str) -> Name {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let name = Name::from(text);
        self.names.insert(text, name.clone());
        name
    }

    /// A name that is made up (a field's number, `self`).
    pub(super) fn made_name(&mut self, text: &str) -> Name {
        self.names.get(text).cloned().unwrap_or_else(|| Name::from(text))
    }

    /// An identifier without `r#`, and its place. The text is asked, not the identifier: where a
    /// metavariable stands, [`super::macro_rules`] left an identifier that covers `$` as well.
    pub(super) fn name(&mut self, ident: &Ident) -> (Name, Span) {
        let span = self.places.span(ident.span());
        let text = self.places.slice(span);
        let name = match text.as_bytes().first() {
            Some(b'$') if text.contains(char::is_whitespace) => {
                let joined: String = text.split_whitespace().collect();
                self.made_name(&joined)
            }
            Some(_) => self.text_name(text.strip_prefix("r#").unwrap_or(text)),
            None => self.made_name(&ident.to_string()),
        };
        (name, span)
    }

    pub(super) fn add_expr(&mut self, kind: ExprKind, span: Span) -> ExprIx {
        let at = ExprIx(next(self.facts.exprs.len()));
        self.facts.exprs.push(Expr { kind, span });
        at
    }

    pub(super) fn add_pat(&mut self, kind: PatKind, span: Span) -> PatIx {
        let at = PatIx(next(self.facts.pats.len()));
        self.facts.pats.push(Pat { kind, span });
        at
    }

    pub(super) fn add_type(&mut self, kind: TypeKind, span: Span) -> TypeIx {
        let at = TypeIx(next(self.facts.types.len()));
        self.facts.types.push(Type { kind, span });
        at
    }

    /// Enters an item and lists it in its scope.
    pub(super) fn declare(&mut self, item: Item) -> ItemIx {
        let scope = item.scope;
        let at = self.add_item(item);
        self.facts.scopes[scope.0 as usize].items.push(at);
        at
    }

    /// Enters an item that its owner lists.
    pub(super) fn add_item(&mut self, item: Item) -> ItemIx {
        let at = ItemIx(next(self.facts.items.len()));
        self.facts.items.push(item);
        at
    }

    /// A scope within the one at hand.
    pub(super) fn open(&mut self, block: bool) -> ScopeIx {
        let at = ScopeIx(next(self.facts.scopes.len()));
        self.facts.scopes.push(Scope { parent: Some(self.scope), block, ..Scope::default() });
        at
    }

    /// Does something with another scope at hand.
    pub(super) fn within<R>(&mut self, scope: ScopeIx, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.scope, scope);
        let out = work(self);
        self.scope = outer;
        out
    }

    /// Whether anything may be parsed once more at all.
    pub(super) fn has_fuel(&self) -> bool {
        self.fuel > 0
    }

    /// Whether tokens may be parsed here: they are not too deep on top of what is above, and there is
    /// fuel left. If so, `work` is done with the tokens, and what it lowers counts as above them.
    /// `place` is all that the tokens stand in, if that is known.
    pub(super) fn afford<R>(
        &mut self,
        tokens: TokenStream,
        place: Option<Span>,
        work: impl FnOnce(&mut Self, TokenStream) -> R,
    ) -> Option<R> {
        // What is short cannot be deep, and need not be measured. Groups within groups were counted
        // when the file was.
        let bytes = place.map_or(u32::MAX, |place| place.end - place.start);
        let short = bytes.saturating_mul(BYTE_WEIGHT);
        if short <= SHORT && self.above.saturating_add(short) <= MAX_TOTAL {
            let depth = Depth { nest: 0, weight: short, tokens: bytes / 4 + 1 };
            return self.spend(tokens, depth, work);
        }
        let (tokens, depth) = depth::measure(tokens);
        self.spend(tokens, depth, work)
    }

    /// The same for an item of an unsettled syntax. The parser copies the tokens of such an item, and
    /// of all such items in it, so they are not parsed again at every level.
    pub(super) fn afford_unsettled<R>(
        &mut self,
        tokens: TokenStream,
        work: impl FnOnce(&mut Self, TokenStream) -> Option<R>,
    ) -> Option<R> {
        if self.unsettled >= UNSETTLED {
            return None;
        }
        self.unsettled += 1;
        let out = self.afford(tokens, None, work);
        self.unsettled -= 1;
        out.flatten()
    }

    fn spend<R>(
        &mut self,
        tokens: TokenStream,
        depth: Depth,
        work: impl FnOnce(&mut Self, TokenStream) -> R,
    ) -> Option<R> {
        let above = self.above;
        let sum = above.saturating_add(depth.weight);
        // Looking at them has cost something already.
        let enough = self.fuel >= u64::from(depth.tokens);
        self.fuel = self.fuel.saturating_sub(u64::from(depth.tokens));
        if !enough || depth.weight > MAX_WEIGHT || sum > MAX_TOTAL || depth.nest > MAX_NEST {
            return None;
        }
        self.above = sum;
        let out = work(self, tokens);
        self.above = above;
        Some(out)
    }
}

fn next(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
