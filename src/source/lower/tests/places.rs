//! Exact places.

use super::facts_of;
use crate::source::{ExprKind, ItemKind};

/// The text of every expression, in order.
fn texts(text: &str) -> Vec<String> {
    let (files, facts) = facts_of(text);
    facts.exprs.iter().map(|expr| files.text(expr.span)).collect()
}

#[test]
fn every_expression_stands_where_it_is_written() {
    assert_eq!(
        texts("const A: B = (x + y).m::<T>(z)?.f[0];"),
        [
            "x",
            "y",
            "x + y",
            "z",
            "(x + y).m::<T>(z)",
            "(x + y).m::<T>(z)?",
            "(x + y).m::<T>(z)?.f",
            "0",
            "(x + y).m::<T>(z)?.f[0]"
        ]
    );
    assert_eq!(texts("const A: B = a::b::<C>;"), ["a::b::<C>"]);
    assert_eq!(texts("const A: B = <T>::f;"), ["<T>::f"]);
    assert_eq!(texts("const A: B = ::a::b { c: &mut d, ..(e) };"), ["d", "&mut d", "e", "::a::b { c: &mut d, ..(e) }"]);
    assert_eq!(
        texts("const A: B = 'l: loop { break 'l -1 };"),
        ["1", "-1", "break 'l -1", "{ break 'l -1 }", "'l: loop { break 'l -1 }"]
    );
    assert_eq!(texts("const A: B = move |x| async { y };"), ["y", "async { y }", "move |x| async { y }"]);
    assert_eq!(
        texts("const A: B = if a { b } else { c };"),
        ["a", "b", "{ b }", "c", "{ c }", "if a { b } else { c }"]
    );
    assert_eq!(texts("const A: B = m!(a, \"b\") as C;"), ["a", "\"b\"", "m!(a, \"b\")", "m!(a, \"b\") as C"]);
    assert_eq!(texts("const A: B = ..=b;"), ["b", "..=b"]);
}

#[test]
fn types_patterns_and_items_stand_where_they_are_written() {
    let (files, facts) =
        facts_of("pub(crate) type A = V<&'a [B; 2], dyn C + 'a, fn(D) -> E>;\nimpl<T> Tr for x::S<T> {}");
    let types: Vec<_> = facts.types.iter().map(|ty| files.text(ty.span)).collect();
    assert_eq!(
        types,
        [
            "B",
            "[B; 2]",
            "&'a [B; 2]",
            "C",
            "dyn C + 'a",
            "D",
            "E",
            "fn(D) -> E",
            "V<&'a [B; 2], dyn C + 'a, fn(D) -> E>",
            "Tr",
            "T",
            "x::S<T>"
        ]
    );
    assert_eq!(files.text(facts.items[0].span), "pub(crate) type A = V<&'a [B; 2], dyn C + 'a, fn(D) -> E>;");
    assert_eq!(files.text(facts.items[1].span), "impl<T> Tr for x::S<T> {}");
    assert_eq!(files.text(facts.items[1].name_span), "x::S<T>");
    let (files, facts) = facts_of("fn f(&mut self, S { a, b: &c }: S, ref mut d @ (..): D) {}");
    let pats: Vec<_> = facts.pats.iter().map(|pat| files.text(pat.span)).collect();
    assert_eq!(pats, ["a", "c", "&c", "S { a, b: &c }", "(..)", "ref mut d @ (..)"]);
    let ItemKind::Fn(function) = &facts.items[0].kind else { panic!("a function") };
    assert_eq!(files.text(function.receiver.as_ref().expect("self").span), "&mut self");
}

#[test]
fn marks_shebangs_line_ends_and_other_scripts_count() {
    for lead in ["", "\u{feff}", "#!/usr/bin/env x é\r\n", "\u{feff}#!/x\n", "// 日本\r\n/* é */ ", "---\né = 1\n---\n"]
    {
        let text = format!("{lead}fn f() {{\r\n  ü::日本(\"é\");\r\n}}");
        let (files, facts) = facts_of(&text);
        assert!(facts.error.is_none(), "{lead:?}");
        let found: Vec<_> = facts.exprs.iter().map(|expr| files.text(expr.span)).collect();
        assert_eq!(found[..3], ["ü::日本", "\"é\"", "ü::日本(\"é\")"], "{lead:?}");
        assert_eq!(files.text(facts.items[0].name_span), "f");
    }
}

#[test]
fn a_captured_name_stands_in_its_literal() {
    let (files, facts) = facts_of("fn f() { p!(\"é {a} {{b}} {c:?}\"); p!(r#\"{d:>e$}\"#); p!(\"\\n{g}\"); }");
    let names: Vec<_> = facts
        .exprs
        .iter()
        .filter_map(|expr| match &expr.kind {
            ExprKind::Path(path) => Some((path.segments[0].name.to_string(), files.text(expr.span))),
            _ => None,
        })
        .collect();
    let expected = [("a", "a"), ("c", "c"), ("e", "e"), ("d", "d"), ("g", "\"\\n{g}\"")];
    assert_eq!(names, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

#[test]
fn an_error_says_where_the_file_stops_to_be_rust() {
    let (files, facts) = facts_of("fn f() {}\nfn g() -> {}");
    let error = facts.error.expect("no Rust");
    assert_eq!(files.get(facts.file).line_column(error.span.start).line, 2);
    let (files, facts) = facts_of("fn f() {} fn");
    assert_eq!(facts.error.expect("no Rust").span.start as usize, files.get(facts.file).text.len());
}

#[test]
fn text_that_is_no_tokens_is_refused_with_a_place() {
    for (text, at, words) in [
        ("fn f() {\n  (", 11, "`(` is never closed"),
        ("fn }", 3, "`}` closes nothing"),
        ("a \"b", 2, "literal"),
        ("a /* b", 2, "comment"),
    ] {
        let files = crate::base::Files::new("/w");
        let id = files.add("/w/a.rs".into(), text.to_owned());
        let error = crate::source::read(&files, id).expect_err("no tokens");
        assert_eq!(error.span.start, at, "{text}");
        assert!(error.message.contains(words), "{text}: {}", error.message);
    }
}
