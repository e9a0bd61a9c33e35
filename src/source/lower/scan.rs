//! What tokens show that do not parse: paths, calls, method calls, invocations, literals, imports.
//!
//! Nothing here parses more than the arguments of a call, and that only where it is safe. The walk goes
//! into groups, of which no more lie within each other than the file was allowed to have.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{
    buffer::{Cursor, TokenBuffer},
    parse::Parser as _,
};

use super::{
    Lower, cfg, literals,
    macros::Position,
    scan_paths::colons,
    shapes::{self, Shape, Try, Value},
};
use crate::{
    base::Span,
    source::facts::{ExprIx, ExprKind, MacroBody, MacroCall, Path, ScopeIx},
};

/// How many links a chain of fields and calls may have before it is cut.
const CHAIN: u32 = 64;

/// Words that begin no path.
pub(super) const KEYWORDS: [&str; 35] = [
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn", "for", "if",
    "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait",
    "true", "type", "unsafe", "use", "where", "while", "_",
];

/// Words that a name follows which is only being declared.
const DECLARING: [&str; 6] = ["enum", "fn", "mod", "struct", "trait", "type"];

/// What stands directly before the cursor.
#[derive(Clone, Copy, Default)]
enum Last {
    #[default]
    Nothing,
    /// An expression, which is the last that was found, and how many links it has.
    Found(ExprIx, u32),
    /// A group of which nothing more is known.
    Group(Span),
}

impl Lower<'_> {
    /// What tokens show, in order. Imports go into `scope`; if it is none and there are some, it is made,
    /// and stays the scope at hand.
    pub(super) fn scan(&mut self, tokens: TokenStream, scope: &mut Option<ScopeIx>) -> Vec<ExprIx> {
        let buffer = TokenBuffer::new2(tokens);
        let mut found = Vec::new();
        self.walk(buffer.begin(), scope, &mut found);
        found
    }

    fn walk(&mut self, mut cursor: Cursor<'_>, scope: &mut Option<ScopeIx>, found: &mut Vec<ExprIx>) {
        let mut last = Last::Nothing;
        let mut public = false;
        while !cursor.eof() {
            if let Some((ident, rest)) = cursor.ident() {
                if ident == "use" {
                    cursor = self.scan_use(cursor, rest, public, scope);
                    (last, public) = (Last::Nothing, false);
                } else if KEYWORDS.iter().any(|word| ident == word) {
                    public = ident == "pub";
                    cursor = rest;
                    last = Last::Nothing;
                    if DECLARING.iter().any(|word| ident == word)
                        && let Some((_, behind)) = rest.ident()
                    {
                        cursor = behind;
                    }
                } else {
                    (cursor, last) = self.scan_path(cursor, false, scope, found);
                    public = false;
                }
            } else if let Some((_, rest)) = cursor.lifetime() {
                (cursor, last) = (rest, Last::Nothing);
            } else if let Some((literal, rest)) = cursor.literal() {
                let span = self.places.span(literal.span());
                last = match literals::string(&syn::Lit::new(literal)) {
                    Some(text) => {
                        let at = self.add_expr(ExprKind::Str(text), span);
                        found.push(at);
                        Last::Found(at, 0)
                    }
                    None => Last::Group(span),
                };
                cursor = rest;
            } else if let Some((inside, delimiter, span, rest)) = cursor.any_group() {
                if !(public && delimiter == Delimiter::Parenthesis) {
                    public = false;
                    self.walk(inside, scope, found);
                }
                last = Last::Group(self.places.span(span.join()));
                cursor = rest;
            } else if let Some((punct, rest)) = cursor.punct() {
                public = false;
                match punct.as_char() {
                    '.' => (cursor, last) = self.scan_member(punct.span(), rest, last, scope, found),
                    '?' => {
                        if let Last::Found(base, links) = last {
                            let mark = self.places.span(punct.span());
                            last = self.link(base, links, mark.end, found, |base| ExprKind::Try(base, mark));
                        }
                        cursor = rest;
                    }
                    '#' => {
                        let Some(behind) = skip_attribute(rest) else { return };
                        (cursor, last) = (behind, Last::Nothing);
                    }
                    ':' if colons(cursor).is_some_and(|behind| behind.ident().is_some()) => {
                        let behind = colons(cursor).unwrap_or(rest);
                        (cursor, last) = self.scan_path(behind, true, scope, found);
                    }
                    '$' => {
                        // What a metavariable stands for is not known here; `$crate` begins a path.
                        let variable = rest.ident().filter(|(ident, _)| ident != "crate");
                        (cursor, last) = (variable.map_or(rest, |(_, behind)| behind), Last::Nothing);
                    }
                    _ => (cursor, last) = (rest, Last::Nothing),
                }
            } else {
                let Some((_, rest)) = cursor.token_tree() else { return };
                (cursor, last) = (rest, Last::Nothing);
            }
        }
    }

    /// A path at the cursor, with what follows: a call, an invocation.
    fn scan_path<'c>(
        &mut self,
        cursor: Cursor<'c>,
        global: bool,
        scope: &mut Option<ScopeIx>,
        found: &mut Vec<ExprIx>,
    ) -> (Cursor<'c>, Last) {
        let Some((path, end, rest)) = self.bare_path(cursor, global) else {
            return (cursor.token_tree().map_or(Cursor::empty(), |(_, rest)| rest), Last::Nothing);
        };
        let span = Span { end, ..path.span };
        if let Some((bang, behind)) = rest.punct()
            && bang.as_char() == '!'
            && let Some((inside, _, group, after)) = behind.any_group()
        {
            let span = Span { end: self.places.end(group.close()), ..span };
            let call = self.scan_invocation(path, span, behind, inside);
            let at = self.add_expr(ExprKind::Macro(call), span);
            found.push(at);
            return (after, Last::Found(at, 0));
        }
        if let Some((inside, group, after)) = rest.group(Delimiter::Parenthesis) {
            let callee = self.add_expr(ExprKind::Path(path), span);
            let args = self.scan_args(rest, inside, scope);
            let span = Span { end: self.places.end(group.close()), ..span };
            let at = self.add_expr(ExprKind::Call { callee, args }, span);
            found.push(at);
            return (after, Last::Found(at, 0));
        }
        // A single name may be anything, most likely a local value: it counts where something is done
        // with it, or where it is written like a constant or a type.
        let dotted = rest.punct().is_some_and(|(punct, _)| punct.as_char() == '.');
        let single = path.segments.len() == 1 && !global;
        let written = path.segments[0].name.starts_with(char::is_uppercase);
        if single && !dotted && !written {
            return (rest, Last::Nothing);
        }
        let at = self.add_expr(ExprKind::Path(path), span);
        found.push(at);
        (rest, Last::Found(at, 0))
    }

    /// `.name`, `.name(...)`, `.await`.
    fn scan_member<'c>(
        &mut self,
        dot: proc_macro2::Span,
        cursor: Cursor<'c>,
        last: Last,
        scope: &mut Option<ScopeIx>,
        found: &mut Vec<ExprIx>,
    ) -> (Cursor<'c>, Last) {
        let Some((ident, mut rest)) = cursor.ident() else { return (cursor, Last::Nothing) };
        let (name, name_span) = self.name(&ident);
        if ident == "await" {
            let Last::Found(base, links) = last else { return (rest, last) };
            return (rest, self.link(base, links, name_span.end, found, |base| ExprKind::Await(base, name_span)));
        }
        let mut generics = Vec::new();
        if let Some(behind) = colons(rest)
            && let Some((after, args, _)) = self.scan_angles(behind)
        {
            (rest, generics) = (after, args);
        }
        let (base, links) = match last {
            Last::Found(base, links) => (Some(base), links),
            _ => (None, 0),
        };
        let Some((inside, group, after)) = rest.group(Delimiter::Parenthesis) else {
            // A field of something unknown says nothing.
            let Some(base) = base else { return (rest, Last::Nothing) };
            let kind = |base| ExprKind::Field { base, name, name_span };
            return (rest, self.link(base, links, name_span.end, found, kind));
        };
        let args = self.scan_args(rest, inside, scope);
        let (base, links) = match base {
            Some(base) => (base, links),
            None => {
                let span = match last {
                    Last::Group(span) => span,
                    _ => self.places.span(dot),
                };
                let base = self.add_expr(ExprKind::Other, span);
                found.push(base);
                (base, 0)
            }
        };
        let end = self.places.end(group.close());
        let kind = |receiver| ExprKind::Method { receiver, name, name_span, generics, args };
        (after, self.link(base, links, end, found, kind))
    }

    /// Something that is made of the last expression, which it replaces among those found. A chain that
    /// is too long is cut.
    fn link(
        &mut self,
        base: ExprIx,
        links: u32,
        end: u32,
        found: &mut Vec<ExprIx>,
        kind: impl FnOnce(ExprIx) -> ExprKind,
    ) -> Last {
        let span = Span { end, ..self.facts[base].span };
        let (base, links) = if links < CHAIN {
            found.pop();
            (base, links + 1)
        } else {
            (self.add_expr(ExprKind::Other, self.facts[base].span), 0)
        };
        let at = self.add_expr(kind(base), span);
        found.push(at);
        Last::Found(at, links)
    }

    /// The arguments of a call, parsed if they parse.
    fn scan_args(&mut self, group: Cursor<'_>, inside: Cursor<'_>, scope: &mut Option<ScopeIx>) -> Vec<ExprIx> {
        if inside.eof() {
            return Vec::new();
        }
        if self.has_fuel()
            && let Some((TokenTree::Group(group), _)) = group.token_tree()
        {
            let place = self.places.span(group.span());
            let parsed = self.afford(group.stream(), Some(place), |this, tokens| {
                let args = |input: syn::parse::ParseStream<'_>| shapes::parse(input, &[Try::Args]);
                let Ok(Shape::Args(args)) = args.parse2(tokens) else { return None };
                let mut out = Vec::with_capacity(args.len());
                for arg in args {
                    match arg.value {
                        Value::Expr(expr) => out.push(this.expr(expr)),
                        Value::Pair(key, value) => out.extend([this.expr(key), this.expr(value)]),
                        Value::Nested(values) => out.extend(values.into_iter().map(|value| this.expr(value))),
                        Value::Type(_) => {}
                    }
                }
                Some(out)
            });
            if let Some(Some(args)) = parsed {
                return args;
            }
        }
        let mut found = Vec::new();
        self.walk(inside, scope, &mut found);
        found
    }

    /// An invocation: its tokens are read like those of any other, while that can be afforded.
    fn scan_invocation(&mut self, path: Path, span: Span, group: Cursor<'_>, inside: Cursor<'_>) -> MacroCall {
        if self.has_fuel()
            && let Some((TokenTree::Group(group), _)) = group.token_tree()
        {
            return self.invocation(path, span, group.stream(), Position::Expr);
        }
        let mut body = MacroBody { scanned: true, ..MacroBody::default() };
        let outer = self.scope;
        self.walk(inside, &mut body.scope, &mut body.exprs);
        self.scope = outer;
        self.facts.macros_scanned += 1;
        MacroCall { path, span, body, include: None }
    }

    /// `use ...;`, and where to go on.
    fn scan_use<'c>(
        &mut self,
        start: Cursor<'c>,
        rest: Cursor<'c>,
        public: bool,
        scope: &mut Option<ScopeIx>,
    ) -> Cursor<'c> {
        let mut tokens: Vec<TokenTree> = Vec::new();
        let mut cursor = start;
        while let Some((tree, behind)) = cursor.token_tree() {
            let ends = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ';');
            // What is no import (`impl Trait + use<'a>`) shows that before long.
            let other = match &tree {
                TokenTree::Punct(punct) => matches!(punct.as_char(), '<' | '=' | '#'),
                TokenTree::Ident(ident) => !tokens.is_empty() && ident == "use",
                _ => false,
            };
            if other {
                return rest;
            }
            tokens.push(tree);
            cursor = behind;
            if ends {
                let parsed = self.afford(tokens.into_iter().collect(), None, |_, tokens| syn::parse2(tokens).ok());
                let Some(Some(mut item)) = parsed else { return rest };
                if public {
                    let item: &mut syn::ItemUse = &mut item;
                    item.vis = syn::Visibility::Public(syn::token::Pub::default());
                }
                let into = *scope.get_or_insert_with(|| self.open(true));
                self.scope = into;
                self.import(item, into);
                return behind;
            }
        }
        rest
    }
}

/// What is behind an attribute, and behind what it switches off. None if that is everything.
fn skip_attribute(cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    let (cursor, inner) = match cursor.punct() {
        Some((punct, rest)) if punct.as_char() == '!' => (rest, true),
        _ => (cursor, false),
    };
    let Some((inside, _, rest)) = cursor.group(Delimiter::Bracket) else { return Some(cursor) };
    if !cfg::is_off_tokens(inside) {
        return Some(rest);
    }
    if inner {
        return None;
    }
    let mut at = rest;
    while let Some((tree, behind)) = at.token_tree() {
        at = behind;
        match tree {
            TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',') => break,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
            _ => {}
        }
    }
    Some(at)
}
