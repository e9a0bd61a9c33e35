//! Random tokens and spoilt files: nothing panics, and every place stays within the file.

use proptest::prelude::*;

use super::check::check;
use crate::{
    base::Files,
    source::{Facts, ParseError, read},
};

fn read_text(text: &str) -> Result<Facts, ParseError> {
    let files = Files::new("/w");
    let id = files.add("/w/a.rs".into(), text.to_owned());
    let facts = read(&files, id);
    match &facts {
        Ok(facts) => check(facts, &files.get(id)),
        Err(error) => assert!(files.get(id).text.get(error.span.start as usize..error.span.end as usize).is_some()),
    }
    facts
}

const WORDS: &[&str] = &[
    "fn",
    "f",
    "use",
    "a",
    "B",
    "::",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    ".",
    "..",
    "=",
    "=>",
    "->",
    "|",
    "||",
    "&",
    "&&",
    "*",
    "!",
    "?",
    "#",
    "#!",
    "$",
    "$x",
    "$crate",
    "'a",
    "'c'",
    "\"s {a:?}\"",
    "r#\"é\"#",
    "b\"\\xff\"",
    "1",
    "1.0",
    "0.0.1",
    "let",
    "mut",
    "if",
    "else",
    "match",
    "for",
    "in",
    "loop",
    "while",
    "impl",
    "dyn",
    "trait",
    "struct",
    "enum",
    "mod",
    "pub",
    "self",
    "Self",
    "super",
    "crate",
    "r#fn",
    "const",
    "static",
    "unsafe",
    "extern",
    "async",
    "await",
    "move",
    "return",
    "box",
    "macro_rules",
    "macro",
    "m",
    "cfg_if",
    "select",
    "lazy_static",
    "ref",
    "where",
    "as",
    "_",
    "concat",
    "include",
    "env",
    "#[cfg(test)]",
    "#[test]",
    "#[derive(A)]",
    "#[a = \"b\"]",
    ":",
    "+",
    "-",
    "%",
    "@",
    "\n",
    "// c\n",
    "/// d é\n",
    "/* */",
    "日本",
    "bitflags",
    "matches",
    "format",
    "thread_local",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tokens(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let _ = read_text(&words.join(" "));
    }

    #[test]
    fn random_tokens_in_a_body(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        let words = words.join(" ");
        for text in [format!("fn f() {{ {words} }}"), format!("fn f() {{ m!({words}) }}"), format!("m!{{{words}}}"),
            format!("macro_rules! m {{ ($x:expr) => {{ {words} }} }}")] {
            let _ = read_text(&text);
        }
    }

    #[test]
    fn random_characters(text in "(?s).{0,80}") {
        let _ = read_text(&text);
    }

    #[test]
    fn spoilt_files(file in 0..FILES.len(), cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..60_usize, prop::sample::select(WORDS)), 1..5)) {
        let mut text = FILES[file].to_owned();
        for (at, length, word) in cuts {
            let (mut start, mut end) = (at.index(text.len()), 0);
            while !text.is_char_boundary(start) { start -= 1; }
            end = end.max((start + length).min(text.len()));
            while !text.is_char_boundary(end) { end += 1; }
            text.replace_range(start..end, word);
        }
        let _ = read_text(&text);
    }
}

const FILES: &[&str] = &[
    include_str!("../facts/code.rs"),
    include_str!("../lower/tests/invocations.rs"),
    include_str!("../lower/scan.rs"),
    include_str!("../../base/files.rs"),
];
