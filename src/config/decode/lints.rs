//! `[lints]`: levels that differ from the default.

use toml::de::DeValue;

use super::{
    error::{RulesError, listed},
    tree::{Decoder, Table},
};
use crate::{
    base::{Span, Spanned},
    config::LintLevel,
    finding::Level,
};

const LEVELS: [Level; 3] = [Level::Deny, Level::Warn, Level::Allow];

/// What other linters call a level.
const FOREIGN: [(&str, Level); 9] = [
    ("forbid", Level::Deny),
    ("error", Level::Deny),
    ("fatal", Level::Deny),
    ("warning", Level::Warn),
    ("info", Level::Warn),
    ("note", Level::Warn),
    ("off", Level::Allow),
    ("ignore", Level::Allow),
    ("none", Level::Allow),
];

pub(super) fn decode(d: &mut Decoder<'_>, root: &Table<'_>) -> Vec<LintLevel> {
    let Some(node) = root.entries.get("lints") else { return Vec::new() };
    let DeValue::Table(entries) = node.get_ref() else {
        d.wrong_type(root, "lints", node, "a table");
        return Vec::new();
    };
    let mut levels = Vec::new();
    for (key, value) in entries.iter() {
        let lint = Spanned { value: key.get_ref().clone().into_owned(), span: d.span(key.span()) };
        let known = check_lint(d, "lints", &lint);
        match value.get_ref().as_str() {
            Some(word) => {
                let level = level(d, word, d.span(value.span()));
                levels.extend(level.filter(|_| known).map(|level| LintLevel { lint, level }));
            }
            None => d.wrong_value(&lint.value, value, "a level", r#"client-clock = "deny""#),
        }
    }
    levels
}

/// Whether a lint is known; reports one that is not.
pub(super) fn check_lint(d: &mut Decoder<'_>, key: &'static str, lint: &Spanned<String>) -> bool {
    if d.lints.contains(&lint.value.as_str()) {
        return true;
    }
    let nearest = d.nearest(&lint.value, d.lints.iter().copied());
    let known = listed(d.lints.iter().copied());
    d.report(lint.span, RulesError::UnknownWord { what: "lint", key, written: lint.value.clone(), nearest, known });
    false
}

fn level(d: &mut Decoder<'_>, word: &str, span: Span) -> Option<Level> {
    let level = LEVELS.into_iter().find(|level| level.word() == word);
    if level.is_none() {
        let lower = word.to_lowercase();
        let foreign = FOREIGN.iter().find(|(foreign, _)| *foreign == lower).map(|(_, level)| level.word().to_owned());
        let nearest = foreign.or_else(|| d.nearest(word, LEVELS.map(Level::word)));
        let known = listed(LEVELS.map(Level::word));
        d.report(
            span,
            RulesError::UnknownWord { what: "level", key: "lints", written: word.to_owned(), nearest, known },
        );
    }
    level
}
