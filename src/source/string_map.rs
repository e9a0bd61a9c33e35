//! The map of a string expression: one literal, or the parts of a `concat!`.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

use super::{LiteralMap, deep, lower::of_token, read::Spans};

/// From the value of a string expression back to its source. `source` is the text of the expression, which begins at
/// byte `at` of its file, and `value` what [`super::read`] made of it. Where the parts of a `concat!` do not add up to the
/// value (one of them is known to a build only), all of the value stands for all of the source.
pub fn string_map(at: usize, source: &str, value: &str) -> LiteralMap {
    let mut map = LiteralMap::default();
    if map.push_literal(at, source) {
        return map;
    }
    let mut map = deep(|| joined(at, source));
    if map.value() != value {
        map = LiteralMap::default();
        map.push_value(at..at + source.len(), value);
    }
    map
}

fn joined(at: usize, source: &str) -> LiteralMap {
    let _spans = Spans;
    let mut map = LiteralMap::default();
    if let Ok(tokens) = TokenStream::from_str(source) {
        add(tokens, at, source, &mut map);
    }
    map
}

fn add(tokens: TokenStream, at: usize, source: &str, map: &mut LiteralMap) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add(group.stream(), at, source, map),
            TokenTree::Literal(literal) => {
                let range = literal.span().byte_range();
                let place = at + range.start..at + range.end;
                if !source.get(range).is_some_and(|text| map.push_literal(place.start, text)) {
                    map.push_value(place, &of_token(literal).unwrap_or_default());
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_concat_are_found_again() {
        let source = r##"concat!("UPDATE ", concat!(r"or", "\x64ers"), " SET a = ", 1, ' ')"##;
        let map = string_map(100, source, "UPDATE orders SET a = 1 ");
        let at = map.value().find("orders").unwrap();
        let found = map.source(at..at + 6).unwrap();
        assert_eq!(&source[found.start - 100..found.end - 100], r#"or", "\x64ers"#);
        let one = map.source(22..23).unwrap();
        assert_eq!(&source[one.start - 100..one.end - 100], "1");
    }

    #[test]
    fn what_only_a_build_knows_stands_for_all_of_it() {
        let source = r#"concat!("UPDATE ", env!("TABLE"), " SET a = 1")"#;
        let map = string_map(7, source, "UPDATE \u{fffd} SET a = 1");
        assert_eq!(map.source(0..6), Some(7..7 + source.len()));
    }

    #[test]
    fn a_literal_is_mapped_byte_by_byte() {
        assert_eq!(string_map(5, "\"a\\nb\"", "a\nb").source(2..3), Some(9..10));
    }
}
