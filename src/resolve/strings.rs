//! The strings of all local packages that have some word in them, wherever they stand.
//!
//! As with impls, a search of the text tells which files may matter, and only those are parsed. What is
//! for tests only was left out when the files were lowered.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;

use super::{FactsId, World};
use crate::{
    base::{FileId, Span},
    source::{ExprIx, ExprKind, Facts, LiteralMap, string_map},
};

/// A string, with its value and where each byte of it stands.
#[derive(Debug)]
pub struct SourceString {
    /// The literal, the `concat!`, the sum of literals, or the whole of an included text.
    pub span: Span,
    /// Its value.
    pub map: LiteralMap,
}

impl SourceString {
    /// The place of some bytes of the value; the whole string where they cannot be told.
    pub fn place(&self, range: std::ops::Range<usize>) -> Span {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        match self.map.source(range) {
            Some(found) => Span { file: self.span.file, start: clamp(found.start), end: clamp(found.end) },
            None => self.span,
        }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct Strings {
    /// The strings, in the order of paths and places.
    pub found: Vec<SourceString>,
    /// Texts that the source takes in and that cannot be read: as written, where, and why.
    pub unread: Vec<(String, Span, String)>,
}

impl World<'_> {
    /// Every string of the local packages whose value holds one of these words, which are in lower case;
    /// also those that come from a file (`include_str!`, sqlx's `query_file!`).
    pub fn strings_with(&mut self, words: &[&str]) -> Strings {
        let holds = |text: &str| holds_any(text, words);
        let wanted = self.files_where(&|text| holds(text) || takes_text_in(text));
        let mut strings = Strings::default();
        let mut found = BTreeMap::new();
        for path in wanted {
            if let Ok(facts) = self.parse(&path) {
                self.strings_of(&path, facts, &holds, &mut found, &mut strings.unread);
            }
        }
        let mut found: Vec<SourceString> = found.into_values().collect();
        found.sort_by_cached_key(|string| self.files.order(string.span));
        strings.found = found;
        strings
    }

    fn strings_of(
        &self,
        path: &Utf8Path,
        id: FactsId,
        holds: &dyn Fn(&str) -> bool,
        found: &mut BTreeMap<Span, SourceString>,
        unread: &mut Vec<(String, Span, String)>,
    ) {
        let facts = self.facts(id);
        let text = &self.files.get(facts.file).text;
        // What is only said is no SQL; parts of a sum are not looked at for themselves.
        let mut parts = messages(facts);
        for expr in &facts.exprs {
            let ExprKind::Binary { op: "Add", left, right, .. } = expr.kind else { continue };
            let mut map = LiteralMap::default();
            let mut spans = vec![expr.span];
            if !sum(facts, text, left, &mut map, &mut spans) || !sum(facts, text, right, &mut map, &mut spans) {
                continue;
            }
            // Of sums within each other only the whole counts.
            let is_part = parts.contains(&expr.span);
            parts.extend(spans.into_iter().skip(1));
            if !is_part && holds(map.value()) {
                found.insert(expr.span, SourceString { span: expr.span, map });
            }
        }
        found.retain(|span, _| !parts.contains(span));
        for expr in &facts.exprs {
            if let ExprKind::Str(value) = &expr.kind
                && !parts.contains(&expr.span)
                && holds(value)
            {
                let map = mapped(text, expr.span, value);
                found.entry(expr.span).or_insert(SourceString { span: expr.span, map });
            }
        }
        let Some(&module) = self.by_file.get(path).and_then(|modules| modules.first()) else { return };
        for (include, span) in &facts.texts {
            let Some(path) = self.included_path(module, facts.file, include) else { continue };
            match self.text_file(&path) {
                Ok(file) => {
                    let text = &self.files.get(file).text;
                    if holds(text) {
                        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
                        let span = Span { file, start: 0, end };
                        let mut map = LiteralMap::default();
                        map.push_text(0, text);
                        found.entry(span).or_insert(SourceString { span, map });
                    }
                }
                Err(why) if path.extension() == Some("sql") => unread.push((self.files.shown(&path), *span, why)),
                Err(_) => {}
            }
        }
    }

    fn text_file(&self, path: &Utf8Path) -> Result<FileId, String> {
        if self.allowed(path).is_err() {
            return Err("it lies outside the workspace and the local packages".to_owned());
        }
        self.files.load(path).map_err(|error| error.to_string())
    }
}

/// Macros whose literals are words for people, or names of events and metrics.
const TOLD: [&str; 33] = [
    "anyhow",
    "assert",
    "assert_eq",
    "assert_ne",
    "bail",
    "counter",
    "debug",
    "debug_assert",
    "debug_span",
    "dbg",
    "ensure",
    "eprint",
    "eprintln",
    "error",
    "error_span",
    "event",
    "gauge",
    "histogram",
    "info",
    "info_span",
    "log",
    "panic",
    "print",
    "println",
    "span",
    "todo",
    "trace",
    "trace_span",
    "unimplemented",
    "unreachable",
    "warn",
    "warn_span",
    "instrument",
];

/// Methods whose literals are words for people.
const TELLING: [&str; 5] = ["context", "expect", "expect_err", "wrap_err", "with_message"];

/// The places of literals that are only told.
fn messages(facts: &Facts) -> BTreeSet<Span> {
    let mut told = BTreeSet::new();
    let literal = |at: ExprIx| matches!(facts[at].kind, ExprKind::Str(_)).then_some(facts[at].span);
    for expr in &facts.exprs {
        match &expr.kind {
            ExprKind::Macro(call) if call.path.segments.last().is_some_and(|name| TOLD.contains(&&*name.name)) => {
                told.extend(call.body.exprs.iter().filter_map(|&at| literal(at)));
            }
            ExprKind::Method { name, args, .. } if TELLING.contains(&&**name) => {
                told.extend(args.iter().filter_map(|&at| literal(at)));
            }
            _ => {}
        }
    }
    told
}

/// Adds the literals of a sum, left to right. `false` where something else is in it.
fn sum(facts: &Facts, text: &str, of: ExprIx, map: &mut LiteralMap, spans: &mut Vec<Span>) -> bool {
    spans.push(facts[of].span);
    match &facts[of].kind {
        ExprKind::Str(value) => {
            map.append(mapped(text, facts[of].span, value));
            true
        }
        ExprKind::Binary { op: "Add", left, right, .. } => {
            sum(facts, text, *left, map, spans) && sum(facts, text, *right, map, spans)
        }
        _ => false,
    }
}

fn mapped(text: &str, span: Span, value: &str) -> LiteralMap {
    let (start, end) = (span.start as usize, span.end as usize);
    string_map(start, text.get(start..end).unwrap_or_default(), value)
}

fn holds_any(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

fn takes_text_in(text: &str) -> bool {
    ["include_str!", "query_file"].iter().any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}
