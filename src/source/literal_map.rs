//! From the value of a string literal back to its source.
//!
//! A finding within a string (a table's name in SQL, say) is known by its bytes in the value. What a person is shown are
//! bytes of the file, and between the two stand escapes, raw strings' quotes, continued lines and the parts of a
//! `concat!`. The values are those that syn gives, bytes that are no UTF-8 replaced as in
//! [`String::from_utf8_lossy`]; a test holds the two against each other.

use std::ops::Range;

/// The value of one or several literals, and where each part of it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiteralMap {
    value: String,
    /// Sorted by `start`; each goes on to the next one's.
    pieces: Vec<Piece>,
}

/// A part of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    /// Its first byte in the value.
    start: usize,
    source: Range<usize>,
    /// Whether value and source are the same there, byte by byte.
    is_verbatim: bool,
}

impl LiteralMap {
    /// Adds a string, byte string or C string, raw or not, as it stands in the source from byte `at` on. `false`, and
    /// nothing added, if it is no such literal.
    pub fn push_literal(&mut self, at: usize, literal: &str) -> bool {
        let Some(bytes) = Bytes::read(at, literal) else { return false };
        bytes.add_to(self);
        true
    }

    /// Adds text that stands in the source just so, from byte `at` on.
    pub fn push_text(&mut self, at: usize, text: &str) {
        if !text.is_empty() {
            let source = at..at + text.len();
            self.pieces.push(Piece { start: self.value.len(), source, is_verbatim: true });
            self.value.push_str(text);
        }
    }

    /// Adds a value that has no escapes of interest: the number or `bool` in a `concat!`.
    pub fn push_value(&mut self, source: Range<usize>, value: &str) {
        self.pieces.push(Piece { start: self.value.len(), source, is_verbatim: false });
        self.value.push_str(value);
    }

    /// Adds what another map has.
    pub fn append(&mut self, other: Self) {
        let base = self.value.len();
        self.pieces.extend(other.pieces.into_iter().map(|piece| Piece { start: base + piece.start, ..piece }));
        self.value.push_str(&other.value);
    }

    /// The whole value.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The source of some bytes of the value: from the start of what gives the first to the end of what gives the last.
    /// An empty range lies where its byte begins; `None` if there is nothing at all.
    pub fn source(&self, range: Range<usize>) -> Option<Range<usize>> {
        let start = self.place(range.start)?.start;
        let last = range.end.max(range.start + 1) - 1;
        let end = if range.is_empty() { start } else { self.place(last)?.end };
        Some(start..end.max(start))
    }

    /// The source of one byte of the value; of the last if there are not so many.
    fn place(&self, byte: usize) -> Option<Range<usize>> {
        let at = self.pieces.partition_point(|piece| piece.start <= byte).checked_sub(1)?;
        let piece = self.pieces.get(at)?;
        if !piece.is_verbatim {
            return Some(piece.source.clone());
        }
        let start = (piece.source.start + (byte - piece.start)).min(piece.source.end);
        Some(start..(start + 1).min(piece.source.end))
    }
}

/// The bytes that a literal stands for, before it is known whether they are UTF-8.
#[derive(Default)]
struct Bytes {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

impl Bytes {
    fn read(at: usize, literal: &str) -> Option<Self> {
        let body = literal.strip_prefix(['b', 'c']).unwrap_or(literal);
        if let Some(raw) = body.strip_prefix('r') {
            let hashes = raw.len() - raw.trim_start_matches('#').len();
            let open = literal.len() - raw.len() + hashes;
            let inside = literal.get(open..)?.strip_prefix('"')?;
            let close = format!("\"{}", "#".repeat(hashes));
            let end = inside.find(&close)?;
            let mut bytes = Self::default();
            bytes.verbatim(at + open + 1, inside.get(..end)?);
            return Some(bytes);
        }
        let open = literal.len() - body.len() + 1;
        body.strip_prefix('"')?;
        Self::cooked(at, literal, open)
    }

    /// A literal with escapes, of which the inside begins at `inside`.
    fn cooked(at: usize, literal: &str, inside: usize) -> Option<Self> {
        let mut bytes = Self::default();
        let mut next = inside;
        loop {
            let rest = literal.get(next..)?;
            let plain = rest.find(['"', '\\', '\r'])?;
            bytes.verbatim(at + next, rest.get(..plain)?);
            next += plain;
            let rest = literal.get(next..)?;
            if rest.starts_with('"') {
                return Some(bytes);
            }
            let (length, value) = if rest.starts_with('\r') { carriage_return(rest)? } else { escape(rest)? };
            bytes.escaped(at + next..at + next + length, &value);
            next += length;
        }
    }

    fn verbatim(&mut self, at: usize, text: &str) {
        if !text.is_empty() {
            let source = at..at + text.len();
            self.pieces.push(Piece { start: self.bytes.len(), source, is_verbatim: true });
            self.bytes.extend(text.as_bytes());
        }
    }

    fn escaped(&mut self, source: Range<usize>, value: &[u8]) {
        if !value.is_empty() {
            self.pieces.push(Piece { start: self.bytes.len(), source, is_verbatim: false });
            self.bytes.extend(value);
        }
    }

    /// Adds the bytes as text.
    fn add_to(self, map: &mut LiteralMap) {
        let base = map.value.len();
        match String::from_utf8(self.bytes) {
            Ok(text) => {
                map.pieces.extend(self.pieces.into_iter().map(|piece| Piece { start: base + piece.start, ..piece }));
                map.value.push_str(&text);
            }
            Err(error) => {
                // What is replaced is longer or shorter than what it stands for: each character is a piece of its own.
                let places = LiteralMap { value: String::new(), pieces: self.pieces };
                let mut at = 0;
                let mut add = |map: &mut LiteralMap, length: usize, text: &str| {
                    let source = places.source(at..at + length).unwrap_or_default();
                    map.push_value(source, text);
                    at += length;
                };
                for chunk in error.as_bytes().utf8_chunks() {
                    for c in chunk.valid().chars() {
                        add(map, c.len_utf8(), c.encode_utf8(&mut [0; 4]));
                    }
                    if !chunk.invalid().is_empty() {
                        add(map, chunk.invalid().len(), "\u{fffd}");
                    }
                }
            }
        }
    }
}

/// The end of a line as some editors write it counts as one byte.
fn carriage_return(rest: &str) -> Option<(usize, Vec<u8>)> {
    rest.starts_with("\r\n").then(|| (2, vec![b'\n']))
}

/// The length of an escape and what it stands for: nothing, where a line goes on.
fn escape(rest: &str) -> Option<(usize, Vec<u8>)> {
    let byte = |value: u8| Some((2, vec![value]));
    match rest.as_bytes().get(1)? {
        b'n' => byte(b'\n'),
        b'r' => byte(b'\r'),
        b't' => byte(b'\t'),
        b'0' => byte(0),
        quote @ (b'\\' | b'\'' | b'"') => byte(*quote),
        b'x' => {
            let digits = rest.get(2..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
            Some((4, vec![u8::from_str_radix(digits, 16).ok()?]))
        }
        b'u' => {
            let inside = rest.get(2..)?.strip_prefix('{')?;
            let end = inside.find('}')?;
            let digits = inside.get(..end)?.replace('_', "");
            let c = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
            Some((2 + 1 + end + 1, c.to_string().into_bytes()))
        }
        b'\n' | b'\r' => {
            let behind = rest.get(1..)?;
            let blanks = behind.len() - behind.trim_start_matches([' ', '\t', '\n', '\r']).len();
            Some((1 + blanks, Vec::new()))
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "literal_map_tests.rs"]
mod tests;
