//! Macro invocations: their tokens parsed as the first shape that fits, or scanned.

use proc_macro2::TokenStream;
use syn::{Stmt as Statement, Visibility, parse::Parser as _, spanned::Spanned as _};

use super::{
    Lower,
    formats::Printed,
    items::Head,
    known::{Known, known},
    shapes::{self, Arg, FlagsDecl, Matched, SelectArm, Shape, StaticDecl, Try, Value},
};
use crate::{
    base::Span,
    source::facts::{
        ExprIx, ExprKind, Fields, Generics, ItemKind, MacroBody, MacroCall, Path, ScopeIx, Stmt, TypeKind,
    },
};

/// Where a macro is invoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    Item,
    /// In a trait or impl.
    Member,
    Stmt,
    Expr,
    Type,
    Pattern,
}

impl Lower<'_> {
    /// An invocation, with what its tokens hold.
    pub(super) fn macro_call(&mut self, mac: syn::Macro, position: Position) -> MacroCall {
        let end = self.places.end(mac.delimiter.span().close());
        let (path, span) = self.qualified(None, mac.path);
        self.invocation(path, Span { end, ..span }, mac.tokens, position)
    }

    /// The same, from its parts.
    pub(super) fn invocation(&mut self, path: Path, span: Span, tokens: TokenStream, position: Position) -> MacroCall {
        let name = path.segments.last().map_or_else(|| self.nameless(), |last| last.name.clone());
        let mut call = MacroCall { path, span, body: MacroBody::default(), include: None };
        match known(&name, position) {
            Known::Shapes(order) => self.shape_into(tokens, span, order, &name, &mut call.body),
            Known::Concat => self.concat_into(tokens, span, &mut call.body),
            Known::Include => call.include = Some(self.included(tokens)),
            Known::IncludeProto => call.include = Some(self.generated(span)),
            Known::Text => {
                let file = self.included(tokens);
                self.facts.texts.push((file, span));
            }
            Known::QueryFile => {
                let file = self.query_file(tokens.clone());
                self.facts.texts.extend(file.map(|file| (file, span)));
                self.shape_into(tokens, span, &[Try::Args], &name, &mut call.body);
            }
            Known::Inert => {}
            Known::Quoted => self.scan_into(tokens, &mut call.body),
        }
        if call.body.scanned {
            self.facts.macros_scanned += 1;
        }
        call
    }

    /// Tokens where an item stands, as the invocation of a macro that is called by their first word.
    pub(super) fn scanned_call(&mut self, tokens: TokenStream) -> MacroCall {
        let span = self.places.span(tokens.span());
        let text = self.places.slice(span);
        let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let name = self.text_name(word);
        let place = self.places.range(span.start, span.start + u32::try_from(word.len()).unwrap_or_default());
        let path = self.single(name, place);
        let mut body = MacroBody::default();
        self.scan_into(tokens, &mut body);
        self.facts.macros_scanned += 1;
        MacroCall { path, span, body, include: None }
    }

    /// Parses tokens that stand somewhere within `place` as the first shape that fits, and lowers that.
    /// `name` is the macro's.
    pub(super) fn shape_into(
        &mut self,
        tokens: TokenStream,
        place: Span,
        order: &[Try],
        name: &str,
        body: &mut MacroBody,
    ) {
        if tokens.is_empty() {
            return;
        }
        let whole = tokens.clone();
        let shape = |this: &mut Self, tokens| match (|input: syn::parse::ParseStream<'_>| shapes::parse(input, order))
            .parse2(tokens)
        {
            Ok(shape) => {
                this.lower_shape(shape, place, order, name, body);
                true
            }
            Err(_) => false,
        };
        if self.afford(tokens, Some(place), shape) != Some(true) {
            self.scan_into(whole, body);
        }
    }

    /// Scans tokens into a body.
    pub(super) fn scan_into(&mut self, tokens: TokenStream, body: &mut MacroBody) {
        body.scanned = true;
        let outer = self.scope;
        let found = self.scan(tokens, &mut body.scope);
        self.scope = outer;
        body.exprs.extend(found);
    }

    fn lower_shape(&mut self, shape: Shape, place: Span, order: &[Try], name: &str, body: &mut MacroBody) {
        match shape {
            Shape::Args(args) => self.args(args, name, body),
            Shape::Arms(arms) => self.arms(arms, body),
            Shape::Matches(parts) => {
                let Matched { value, pat, guard, rest } = *parts;
                body.exprs.push(self.expr(value));
                body.pats.push(self.pat(pat));
                body.exprs.extend(guard.map(|guard| self.expr(guard)));
                self.args(rest, name, body);
            }
            Shape::Stmts(stmts) => self.statements(stmts, body),
            Shape::Items(items) => {
                let scope = self.body_scope(body);
                self.within(scope, |this| this.items(items));
            }
            Shape::Statics(statics) => {
                let scope = self.body_scope(body);
                self.within(scope, |this| statics.into_iter().for_each(|decl| this.static_decl(decl)));
            }
            Shape::Flags(flags) => {
                let scope = self.body_scope(body);
                self.within(scope, |this| flags.into_iter().for_each(|decl| this.flags_decl(decl)));
            }
            Shape::Branches(branches) => {
                // What stands in a branch has one of the shapes that may stand in its place.
                let order: Vec<Try> = order.iter().copied().filter(|&shape| shape != Try::Branches).collect();
                for (attrs, tokens) in branches {
                    if !self.is_off(&attrs) {
                        self.shape_into(tokens, place, &order, name, body);
                    }
                }
            }
            Shape::Types(types) => body.types.extend(types.into_iter().map(|ty| self.ty(ty)).collect::<Vec<_>>()),
            Shape::Pats(pats) => body.pats.extend(pats.into_iter().map(|pat| self.pat(pat)).collect::<Vec<_>>()),
        }
    }

    /// The scope of what a macro's tokens declare. Names are looked up around it as in a block.
    fn body_scope(&mut self, body: &mut MacroBody) -> ScopeIx {
        match body.scope {
            Some(scope) => scope,
            None => {
                let scope = self.open(true);
                body.scope = Some(scope);
                scope
            }
        }
    }

    fn args(&mut self, args: Vec<Arg>, name: &str, body: &mut MacroBody) {
        let mut printed = Vec::with_capacity(args.len());
        for arg in args {
            match arg.value {
                Value::Expr(expr) => {
                    if self.is_off_expr(&expr) {
                        continue;
                    }
                    let at = self.expr(expr);
                    body.exprs.push(at);
                    let key = arg.key.map(|key| self.name(&key).0);
                    printed.push(Printed { key, sigil: arg.sigil, at });
                }
                Value::Pair(key, value) => body.exprs.extend([self.expr(key), self.expr(value)]),
                Value::Nested(values) => {
                    for value in values {
                        body.exprs.push(self.expr(value));
                    }
                }
                Value::Type(ty) => body.types.push(self.ty(ty)),
            }
        }
        self.formats(name, &printed, body);
    }

    fn arms(&mut self, arms: Vec<SelectArm>, body: &mut MacroBody) {
        for arm in arms {
            if let Some(pat) = arm.pat {
                body.pats.push(self.pat(pat));
            }
            for expr in arm.exprs {
                body.exprs.push(self.expr(expr));
            }
        }
    }

    /// Statements: expressions one by one where there is nothing else, a block where names are bound.
    pub(super) fn statements(&mut self, stmts: Vec<Statement>, body: &mut MacroBody) {
        let declares = stmts.iter().any(|stmt| matches!(stmt, Statement::Item(_)));
        let scope = if declares { self.body_scope(body) } else { self.scope };
        let stmts = self.within(scope, |this| this.stmts(stmts, scope));
        let bare: Option<Vec<ExprIx>> = stmts
            .iter()
            .map(|stmt| match stmt {
                Stmt::Expr(at, _) => Some(*at),
                Stmt::Let { .. } => None,
            })
            .collect();
        match bare {
            Some(exprs) => body.exprs.extend(exprs),
            None => {
                let span = self.around_stmts(&stmts);
                let kind = ExprKind::Block { scope: None, stmts, is_async: false };
                body.exprs.push(self.add_expr(kind, span));
            }
        }
    }

    fn around_stmts(&self, stmts: &[Stmt]) -> Span {
        let part = |stmt: &Stmt| match stmt {
            Stmt::Expr(at, _) => self.facts[*at].span,
            Stmt::Let { pat, init, .. } => {
                let pat = self.facts[*pat].span;
                Span { end: init.map_or(pat.end, |init| self.facts[init].span.end), ..pat }
            }
        };
        match (stmts.first(), stmts.last()) {
            (Some(first), Some(last)) => self.places.range(part(first).start, part(last).end),
            _ => self.places.range(0, 0),
        }
    }

    fn static_decl(&mut self, decl: StaticDecl) {
        if self.is_off(&decl.attrs) {
            return;
        }
        let start = self.start(&decl.vis, decl.word.span);
        let mut head = self.head(&decl.name, &decl.vis, start, start, decl.attrs);
        let of = self.ty(decl.ty);
        let value = decl.value.map(|value| self.expr(value));
        head.span.end = value.map_or(self.facts[of].span.end, |value| self.facts[value].span.end);
        self.enter_item(head, Generics::default(), ItemKind::Static { of, value, foreign: false });
    }

    /// A struct, and an impl with its constants.
    fn flags_decl(&mut self, decl: FlagsDecl) {
        if self.is_off(&decl.attrs) {
            return;
        }
        let start = self.start(&decl.vis, decl.word.span);
        let end = self.places.end(decl.brace.span.close());
        let head = self.head(&decl.name, &decl.vis, start, end, decl.attrs);
        let (name, place, span) = (head.name.clone(), head.name_span, head.span);
        self.enter_item(head, Generics::default(), ItemKind::Struct(Fields::default()));
        let path = self.single(name, place);
        let self_type = self.add_type(TypeKind::Path(path), place);
        let kind = ItemKind::Impl { of: None, self_type, members: Vec::new() };
        let head = Head { name: self.nameless(), name_span: place, span, public: false, attrs: Vec::new() };
        let owner = self.enter_item(head, Generics::default(), kind);
        let mut members = Vec::with_capacity(decl.flags.len());
        for (attrs, flag, value) in decl.flags {
            if self.is_off(&attrs) {
                continue;
            }
            let start = self.places.start(flag.span());
            let mut head = self.head(&flag, &Visibility::Inherited, start, start, attrs);
            head.public = true;
            let value = self.expr(value);
            head.span.end = self.facts[value].span.end;
            let kind = ItemKind::Const { of: self_type, value: Some(value) };
            members.push(self.add_item(super::items::item(head, Generics::default(), kind, self.scope, Some(owner))));
        }
        if let ItemKind::Impl { members: list, .. } = &mut self.facts.items[owner.0 as usize].kind {
            *list = members;
        }
    }
}
