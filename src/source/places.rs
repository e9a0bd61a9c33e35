//! From the parser's places to byte ranges of the file.
//!
//! `proc_macro2` counts characters, from behind what was stripped. Its own way to byte offsets keeps a
//! tree of every offset ever asked for; a table of line starts (and, for text that is not ASCII, one of
//! every 64th character) answers the same question for less.

use proc_macro2::LineColumn;

use crate::base::{FileId, Span};

/// How many characters lie between two entries of [`Places::marks`].
const STRIDE: usize = 64;

/// The places of one file.
pub(super) struct Places<'t> {
    file: FileId,
    /// The whole text.
    text: &'t str,
    /// Where the text that was tokenised begins.
    skipped: usize,
    /// The number of the first character of each line, from 0, counted from `skipped`.
    lines: Vec<usize>,
    /// The byte of each `STRIDE`th character, counted from `skipped`; empty for ASCII.
    marks: Vec<usize>,
}

impl<'t> Places<'t> {
    /// For a file of which only `text[skipped..]` was given to the tokeniser.
    pub(super) fn new(file: FileId, text: &'t str, skipped: usize) -> Self {
        let rest = text.get(skipped..).unwrap_or_default();
        let mut lines = vec![0];
        let mut marks = Vec::new();
        if rest.is_ascii() {
            lines.extend(memchr::memchr_iter(b'\n', rest.as_bytes()).map(|at| at + 1));
        } else {
            for (number, (byte, c)) in rest.char_indices().enumerate() {
                if number % STRIDE == 0 {
                    marks.push(byte);
                }
                if c == '\n' {
                    lines.push(number + 1);
                }
            }
        }
        Self { file, text, skipped, lines, marks }
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The text of a place.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// From one byte to another.
    pub(super) fn range(&self, start: u32, end: u32) -> Span {
        Span { file: self.file, start, end: end.max(start) }
    }

    /// All of a token or group.
    pub(super) fn span(&self, span: proc_macro2::Span) -> Span {
        self.range(self.start(span), self.end(span))
    }

    /// Its first byte.
    pub(super) fn start(&self, span: proc_macro2::Span) -> u32 {
        self.byte(span.start())
    }

    /// The byte behind it.
    pub(super) fn end(&self, span: proc_macro2::Span) -> u32 {
        self.byte(span.end())
    }

    /// The end of the text.
    pub(super) fn bottom(&self) -> Span {
        let end = clamp(self.text.len());
        self.range(end, end)
    }

    fn byte(&self, at: LineColumn) -> u32 {
        let line = self.lines.get(at.line.saturating_sub(1)).copied().unwrap_or_default();
        let character = line + at.column;
        let byte = match self.marks.get(character / STRIDE) {
            None if self.marks.is_empty() => self.skipped + character,
            None => self.text.len(),
            Some(mark) => {
                let from = self.skipped + mark;
                let rest = self.text.get(from..).unwrap_or_default();
                rest.char_indices().nth(character % STRIDE).map_or(self.text.len(), |(byte, _)| from + byte)
            }
        };
        clamp(byte.min(self.text.len()))
    }
}

fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;
    use crate::base::Files;

    fn idents(text: &str, skipped: usize) -> Vec<String> {
        let id = Files::new("/w").add("/w/a.rs".into(), String::new());
        let places = Places::new(id, text, skipped);
        let tokens = proc_macro2::TokenStream::from_str(&text[skipped..]).expect("tokens");
        tokens.into_iter().map(|token| places.slice(places.span(token.span())).to_owned()).collect()
    }

    #[test]
    fn every_token_is_found_in_ascii_and_beyond() {
        assert_eq!(idents("a\r\n  bc \"x\ny\" d", 0), ["a", "bc", "\"x\ny\"", "d"]);
        let long = format!("\u{feff}é {} \"日本\"\n// ü\n r#ö (ß)", "ä ".repeat(200));
        let found = idents(&long, 3);
        assert_eq!(found.len(), 204);
        assert_eq!(found[0], "é");
        assert_eq!(found[200], "ä");
        assert_eq!(found[201..], ["\"日本\"", "r#ö", "(ß)"]);
    }
}
