use proptest::prelude::*;

use super::*;

fn map(literal: &str) -> LiteralMap {
    let mut map = LiteralMap::default();
    assert!(map.push_literal(0, literal), "{literal}");
    map
}

/// What of the source gives the word, which stands once in the value.
fn of<'a>(literal: &'a str, word: &str) -> &'a str {
    let map = map(literal);
    let start = map.value().find(word).unwrap_or_else(|| panic!("{word:?} is not in {:?}", map.value()));
    &literal[map.source(start..start + word.len()).unwrap()]
}

#[test]
fn words_are_found_behind_escapes() {
    assert_eq!(of(r#""UPDATE orders""#, "orders"), "orders");
    assert_eq!(of(r#""UPDATE\t\"orders\" \x41\u{1F_600}b""#, "\"orders\""), r#"\"orders\""#);
    assert_eq!(of(r#""\x41\u{1F600}b""#, "\u{1f600}"), r"\u{1F600}");
    assert_eq!(of(r##"r#"a "orders""#"##, "orders"), "orders");
    assert_eq!(of(r#"b"\xffUPDATE \x6frders""#, "orders"), r"\x6frders");
    assert_eq!(of(r#"c"UPDATE \u{6f}rders""#, "orders"), r"\u{6f}rders");
    assert_eq!(of(r##"br#"é orders"#"##, "orders"), "orders");
}

#[test]
fn continued_lines_are_skipped_and_spanned() {
    let literal = "\"UPDATE \\\n      orders \\\r\n\t SET\"";
    assert_eq!(map(literal).value(), "UPDATE orders SET");
    assert_eq!(of(literal, "orders"), "orders");
    assert_eq!(of(literal, "orders SET"), "orders \\\r\n\t SET");
    assert_eq!(of("\"a\r\norders\"", "orders"), "orders");
}

#[test]
fn the_parts_of_a_concat_are_joined() {
    let file = r##"concat!("UPDATE or", r#"ders"#, " SET a = ", 17)"##;
    let mut map = LiteralMap::default();
    for part in [r#""UPDATE or""#, r##"r#"ders"#"##, r#"" SET a = ""#] {
        assert!(map.push_literal(file.find(part).unwrap(), part));
    }
    let number = file.find("17").unwrap();
    map.push_value(number..number + 2, "17");
    assert_eq!(map.value(), "UPDATE orders SET a = 17");
    let source = |word: &str| {
        let start = map.value().find(word).unwrap();
        &file[map.source(start..start + word.len()).unwrap()]
    };
    assert_eq!(source("orders"), r##"or", r#"ders"##);
    assert_eq!(source("ders"), "ders");
    assert_eq!(source("17"), "17");
}

#[test]
fn what_is_no_literal_of_a_string_is_refused() {
    for text in ["17", "'a'", "\"open", "r#\"open\"", r#""\q""#, r#""\u{110000}""#, "", "b'a'", "\"\r\"", "name"] {
        assert!(!LiteralMap::default().push_literal(0, text), "{text}");
    }
    assert_eq!(LiteralMap::default().source(0..1), None);
    assert_eq!(map("\"\"").source(0..0), None);
}

/// A part of a literal: as it is written, and what it stands for.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z éß日 ]{1,4}",
        Just("\n".to_owned()),
        prop::sample::select(vec![
            r"\n",
            r"\t",
            r"\\",
            r#"\""#,
            r"\'",
            r"\x41",
            r"\u{1F600}",
            r"\u{e9}",
            "\\\n  ",
            "\r\n"
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    /// The value is syn's, and each character of it leads to source that stands for it alone.
    #[test]
    fn every_character_leads_back(parts in prop::collection::vec(part(), 0..12), at in 0..100_usize) {
        let literal = format!("\"{}\"", parts.concat());
        let value = syn::parse_str::<syn::LitStr>(&literal).unwrap().value();
        let mut map = LiteralMap::default();
        prop_assert!(map.push_literal(at, &literal));
        prop_assert_eq!(map.value(), &value);
        let mut end = at + 1;
        for (start, c) in value.char_indices() {
            let source = map.source(start..start + c.len_utf8()).unwrap();
            prop_assert!(source.start >= end && source.end > source.start);
            end = source.end;
            let piece = format!("\"{}\"", &literal[source.start - at..source.end - at]);
            prop_assert_eq!(syn::parse_str::<syn::LitStr>(&piece).unwrap().value(), c.to_string());
        }
    }

    #[test]
    fn bytes_are_replaced_as_the_value_has_them(bytes in prop::collection::vec(any::<u8>(), 0..24)) {
        let literal = format!("b\"{}\"", bytes.iter().map(|b| format!("\\x{b:02x}")).collect::<String>());
        let value = syn::parse_str::<syn::LitByteStr>(&literal).unwrap().value();
        let map = map(&literal);
        let lossy = String::from_utf8_lossy(&value);
        prop_assert_eq!(map.value(), &*lossy);
        for (start, c) in map.value().char_indices() {
            let source = map.source(start..start + c.len_utf8()).unwrap();
            prop_assert!(literal.get(source).is_some_and(|text| text.starts_with("\\x")));
        }
    }

    #[test]
    fn no_text_panics(text in "[brc]{0,2}#{0,2}\"?(\\\\|\"|#|n|u|x|\\{|\\}|4|\r|\n|é| ){0,12}", range in 0..30_usize, length in 0..30_usize) {
        let mut map = LiteralMap::default();
        if map.push_literal(0, &text) {
            let source = map.source(range..range + length);
            prop_assert!(source.is_none_or(|source| source.start <= source.end && source.end <= text.len()));
        }
    }
}
