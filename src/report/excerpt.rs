//! The lines of a file that a finding quotes, made harmless without moving a column.
//!
//! A character that could drive a terminal is replaced by exactly one visible character, so that
//! lines and columns stay those of the file; byte ranges are moved along. The same is done to a
//! byte-order mark by leaving it out, for columns do not count it.

use std::ops::Range;

use crate::base::{FileId, Files, Span, in_place};

/// Whole lines of a file, with the places that are to be marked in them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// The line on which the text begins, from 1.
    pub(super) first_line: usize,
    /// The lines.
    pub(super) text: String,
    /// The places, as byte ranges of `text`, in the order in which they were given.
    pub(super) ranges: Vec<Range<usize>>,
}

/// Quotes the lines of `file` from the first to the last that `spans` touch. A span that does not
/// fit the file is cut to what does.
pub(super) fn excerpt(files: &Files, file: FileId, spans: &[Span]) -> Excerpt {
    let source = files.get(file);
    let text = source.text.as_str();
    let fitted: Vec<Range<usize>> = spans.iter().map(|span| fit(text, span)).collect();
    let lowest = fitted.iter().map(|range| range.start).min().unwrap_or(0);
    let highest = fitted.iter().map(|range| range.end).max().unwrap_or(0);
    let from = text[..lowest].rfind('\n').map_or(0, |at| at + 1);
    let to = text[highest..].find('\n').map_or(text.len(), |at| highest + at + 1);

    let mut shown = String::with_capacity(to - from);
    let mut moved = Vec::new();
    let mut at = from;
    for line in text[from..to].split_inclusive('\n') {
        // Nearly every line is shown as it is.
        if line.bytes().all(|b| matches!(b, b'\t' | b'\n' | b' '..=b'~')) {
            shown.push_str(line);
            at += line.len();
            continue;
        }
        for c in line.chars() {
            let behind = at + c.len_utf8();
            if (at, c) == (0, '\u{feff}') {
                moved.push((behind, shown.len()));
            } else {
                let instead = stand_in(c, text[behind..].chars().next());
                shown.push(instead);
                if instead.len_utf8() != c.len_utf8() {
                    moved.push((behind, shown.len()));
                }
            }
            at = behind;
        }
    }
    let ranges = fitted.iter().map(|range| shift(range.start, from, &moved)..shift(range.end, from, &moved));
    Excerpt {
        first_line: source.line_column(u32::try_from(from).unwrap_or(u32::MAX)).line as usize,
        ranges: ranges.collect(),
        text: shown,
    }
}

/// Cuts a span to the text, and to whole characters.
fn fit(text: &str, span: &Span) -> Range<usize> {
    let boundary = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(span.start);
    start..boundary(span.end).max(start)
}

/// The one character that stands for another. Line ends and tabs are left to the renderer.
fn stand_in(c: char, next: Option<char>) -> char {
    match c {
        '\n' => c,
        '\r' if next == Some('\n') => c,
        c => in_place(c),
    }
}

/// Where a byte of the file stands in the excerpt. `moved` holds, for every place at which the two
/// texts drift apart, the byte behind it in the file and in the excerpt.
fn shift(at: usize, from: usize, moved: &[(usize, usize)]) -> usize {
    let known = moved.partition_point(|&(file, _)| file <= at);
    match known.checked_sub(1).and_then(|last| moved.get(last)) {
        Some(&(file, excerpt)) => excerpt + (at - file),
        None if at < from => 0,
        None => match moved.first() {
            // Inside a byte-order mark.
            Some(&(file, 0)) if at < file => 0,
            _ => at - from,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str, start: usize, end: usize) -> (Excerpt, String) {
        let files = Files::new("/w");
        let file = files.add("/w/a.rs".into(), text.into());
        let span = Span { file, start: start as u32, end: end as u32 };
        let excerpt = excerpt(&files, file, &[span]);
        let marked = excerpt.text[excerpt.ranges[0].clone()].to_owned();
        (excerpt, marked)
    }

    #[test]
    fn only_the_lines_that_matter_are_quoted() {
        let (excerpt, marked) = quoted("one\r\ntwo three\r\nfour\r\n", 9, 14);
        assert_eq!((excerpt.first_line, excerpt.text.as_str()), (2, "two three\r\n"));
        assert_eq!(marked, "three");
    }

    #[test]
    fn a_mark_stays_on_its_text_behind_what_was_replaced() {
        let text = "\u{feff}a\u{1b}\u{9b}\u{202e}\rb = ü;";
        let at = text.find("ü").expect("there");
        let (excerpt, marked) = quoted(text, at, at + 2);
        assert_eq!(excerpt.text, "a\u{241b}\u{fffd}\u{fffd}\u{240d}b = ü;");
        assert_eq!(marked, "ü");
    }

    #[test]
    fn a_span_that_does_not_fit_is_cut() {
        assert_eq!(quoted("ü\n", 1, 99).1, "ü\n");
        assert_eq!(quoted("", 4, 9).1, "");
        assert_eq!(quoted("\u{feff}ab", 1, 4).1, "a");
    }
}
