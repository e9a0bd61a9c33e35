//! Which `cfg` conditions are false whatever else holds when `test` is off.

use proc_macro2::{Delimiter, TokenStream, TokenTree, token_stream::IntoIter};
use syn::{Attribute, Meta, buffer::Cursor, parse::Parser as _, punctuated::Punctuated};

use super::Lower;

/// What is known of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// False in every build that is not a test.
    Off,
    /// True in every such build.
    On,
    /// Either.
    Open,
}

/// Attribute macros that make a function a test or a benchmark, by the last segment of their path.
const TESTS: [&str; 5] = ["test", "bench", "test_case", "rstest", "wasm_bindgen_test"];

impl Lower<'_> {
    /// Whether an attribute switches off what it stands on.
    pub(super) fn is_off(&self, attrs: &[Attribute]) -> bool {
        are_off(attrs)
    }

    /// Whether a function is switched off, or is a test.
    pub(super) fn is_off_fn(&self, attrs: &[Attribute]) -> bool {
        self.is_off(attrs)
            || attrs
                .iter()
                .any(|attr| attr.path().segments.last().is_some_and(|last| TESTS.iter().any(|name| last.ident == name)))
    }
}

/// Whether one of some attributes switches off what they stand on.
pub(super) fn are_off(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| switches_off(&attr.meta))
}

fn switches_off(meta: &Meta) -> bool {
    match meta {
        Meta::List(list) if list.path.is_ident("cfg") => condition(list.tokens.clone()) == Condition::Off,
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            opened(list.tokens.clone()).is_some_and(|(on, metas)| on == Condition::On && metas.iter().any(switches_off))
        }
        _ => false,
    }
}

/// Whether the tokens between an attribute's brackets switch off what follows, or make it a test.
pub(super) fn is_off_tokens(mut cursor: Cursor<'_>) -> bool {
    let mut last = None;
    while let Some((ident, rest)) = cursor.ident() {
        last = Some(ident);
        cursor = rest;
        while let Some((_, rest)) = cursor.punct() {
            cursor = rest;
        }
    }
    let Some(last) = last else { return false };
    match cursor.group(Delimiter::Parenthesis) {
        Some((inside, _, _)) if last == "cfg" => condition(inside.token_stream()) == Condition::Off,
        _ => TESTS.iter().any(|name| last == name),
    }
}

/// The condition and the attributes of a `cfg_attr`.
pub(super) fn opened(tokens: TokenStream) -> Option<(Condition, Punctuated<Meta, syn::Token![,]>)> {
    let mut trees = tokens.into_iter();
    let on = predicate(&mut trees);
    let metas = Punctuated::parse_terminated.parse2(trees.collect()).ok()?;
    Some((on, metas))
}

/// What is known of the condition that some tokens spell.
pub(super) fn condition(tokens: TokenStream) -> Condition {
    predicate(&mut tokens.into_iter())
}

/// One condition, and the comma behind it.
fn predicate(tokens: &mut IntoIter) -> Condition {
    let mut word = None;
    let mut out = Condition::Open;
    let mut first = true;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => break,
            TokenTree::Ident(ident) if first => {
                out = match ident.to_string().as_str() {
                    "test" | "false" => Condition::Off,
                    "true" => Condition::On,
                    _ => Condition::Open,
                };
                word = Some(ident);
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                out = match word.take().map(|word| word.to_string()).as_deref() {
                    Some("not") => match condition(group.stream()) {
                        Condition::Off => Condition::On,
                        Condition::On => Condition::Off,
                        Condition::Open => Condition::Open,
                    },
                    Some("all") => all(group.stream(), Condition::Off, Condition::On),
                    Some("any") => all(group.stream(), Condition::On, Condition::Off),
                    _ => Condition::Open,
                };
            }
            // `feature = "x"`, `test::x`: whatever it is, it is not `test`.
            _ => out = Condition::Open,
        }
        first = false;
    }
    out
}

/// `decides` if one part is that, `otherwise` if all parts are that.
fn all(tokens: TokenStream, decides: Condition, otherwise: Condition) -> Condition {
    let mut trees = tokens.into_iter();
    let mut out = otherwise;
    while trees.size_hint().0 > 0 {
        match predicate(&mut trees) {
            part if part == decides => return decides,
            part if part == otherwise => {}
            _ => out = Condition::Open,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Condition, condition};

    fn of(text: &str) -> Condition {
        condition(text.parse().expect("tokens"))
    }

    #[test]
    fn a_condition_is_off_only_if_nothing_else_matters() {
        for off in [
            "test",
            "all(test, unix)",
            "all(unix, any(test), )",
            "not(not(test))",
            "any()",
            "false",
            "not(any(true, x))",
        ] {
            assert_eq!(of(off), Condition::Off, "{off}");
        }
        for on in ["not(test)", "any(unix, not(test))", "all()", "true", "not(all(test, unix))"] {
            assert_eq!(of(on), Condition::On, "{on}");
        }
        for open in
            ["unix", "any(test, unix)", "all(not(test), unix)", "feature = \"test\"", "not(unix)", "test = \"x\"", ""]
        {
            assert_eq!(of(open), Condition::Open, "{open}");
        }
    }
}
