//! The bodies of `macro_rules!` and `macro` definitions.
//!
//! A body is made into code that parses: a metavariable becomes an identifier that covers its `$`
//! (so that its text, and with it its name, is `$x`), a repetition is written once, and what a fragment
//! specifier says that no identifier can stand for becomes nothing or a block.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use syn::{Attribute, Visibility};

use super::{Lower, attrs::marks, shapes::Try};
use crate::source::facts::{Generics, ItemKind, MacroBody};

/// The name that a metavariable has while it is parsed; its place alone says what it is.
const STAND_IN: &str = "__metavariable";

/// What an arm's body may be, in the order in which it is tried.
const BODY: &[Try] = &[Try::Args, Try::Items, Try::Stmts, Try::Arms];

impl Lower<'_> {
    /// The bodies of all arms.
    pub(super) fn macro_rules(&mut self, tokens: TokenStream) -> MacroBody {
        let mut body = MacroBody::default();
        let mut matcher = TokenStream::new();
        let mut arrow = false;
        for tree in tokens {
            match tree {
                TokenTree::Group(group) if arrow => {
                    self.arm(&matcher, &group, &mut body);
                    arrow = false;
                }
                TokenTree::Group(group) => matcher = group.stream(),
                TokenTree::Punct(punct) => arrow = punct.as_char() == '>',
                _ => {}
            }
        }
        body
    }

    /// `macro name($x:expr) { body }` or `macro name { arms }`.
    pub(super) fn macro_definition(&mut self, attrs: Vec<Attribute>, vis: &Visibility, tokens: TokenStream) {
        let mut trees = tokens.into_iter();
        let (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(name))) = (trees.next(), trees.next()) else { return };
        let start = self.start(vis, word.span());
        let exported = marks(&attrs).macro_export;
        let mut head = self.head(&name, vis, start, start, attrs);
        let mut body = MacroBody::default();
        match (trees.next(), trees.next()) {
            (Some(TokenTree::Group(matcher)), Some(TokenTree::Group(code))) => {
                head.span.end = self.places.end(code.span());
                self.arm(&matcher.stream(), &code, &mut body);
            }
            (Some(TokenTree::Group(arms)), _) => {
                head.span.end = self.places.end(arms.span());
                body = self.macro_rules(arms.stream());
            }
            _ => {}
        }
        self.enter_item(head, Generics::default(), ItemKind::MacroRules { exported, body });
    }

    fn arm(&mut self, matcher: &TokenStream, code: &Group, body: &mut MacroBody) {
        let mut fragments = HashMap::new();
        collect(matcher.clone(), &mut fragments);
        let place = self.places.span(code.span());
        let code = transcribe(code.stream(), &fragments);
        self.shape_into(code, place, BODY, "", body);
    }
}

/// The fragment specifiers of a matcher's metavariables.
fn collect(matcher: TokenStream, into: &mut HashMap<String, String>) {
    let mut trees = matcher.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Group(group) => collect(group.stream(), into),
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                if let Some(TokenTree::Ident(name)) = trees.peek().cloned() {
                    trees.next();
                    let colon = matches!(trees.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
                    if colon {
                        trees.next();
                        if let Some(TokenTree::Ident(fragment)) = trees.next() {
                            into.insert(name.to_string(), fragment.to_string());
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// A body as code.
fn transcribe(code: TokenStream, fragments: &HashMap<String, String>) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut trees = code.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Group(group) => out.push(regroup(&group, transcribe(group.stream(), fragments))),
            TokenTree::Punct(punct) if punct.as_char() == '$' => match trees.peek() {
                Some(TokenTree::Ident(name)) => {
                    let stand_in = stand_in(&punct, name);
                    let fragment = fragments.get(&name.to_string()).map(String::as_str);
                    trees.next();
                    substitute(stand_in, fragment, &mut out);
                }
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                    let inside = group.stream();
                    trees.next();
                    out.extend(transcribe(inside, fragments));
                    repetition(&mut trees);
                }
                _ => {}
            },
            tree => out.push(tree),
        }
    }
    out.into_iter().collect()
}

fn regroup(group: &Group, inside: TokenStream) -> TokenTree {
    let mut out = Group::new(group.delimiter(), inside);
    out.set_span(group.span());
    TokenTree::Group(out)
}

/// An identifier that covers `$` and the name.
fn stand_in(dollar: &proc_macro2::Punct, name: &Ident) -> Ident {
    let span = dollar.span();
    Ident::new(STAND_IN, span.join(name.span()).unwrap_or(span))
}

fn substitute(stand_in: Ident, fragment: Option<&str>, out: &mut Vec<TokenTree>) {
    let span: Span = stand_in.span();
    match fragment {
        // Nothing stands where these may be nothing.
        Some("vis" | "item") => {}
        Some("block") => {
            let mut block = Group::new(Delimiter::Brace, TokenTree::Ident(stand_in).into());
            block.set_span(span);
            out.push(TokenTree::Group(block));
        }
        Some("lifetime") => {
            let mut quote = proc_macro2::Punct::new('\'', Spacing::Joint);
            quote.set_span(span);
            out.extend([TokenTree::Punct(quote), TokenTree::Ident(stand_in)]);
        }
        _ => out.push(TokenTree::Ident(stand_in)),
    }
}

/// Takes the separator and the operator of a repetition off. Whatever may be an operator is one.
fn repetition(trees: &mut std::iter::Peekable<proc_macro2::token_stream::IntoIter>) {
    // The longest separator is an operator of three characters.
    for _ in 0..4 {
        match trees.next() {
            Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), '*' | '+' | '?') => return,
            Some(_) => {}
            None => return,
        }
    }
}
