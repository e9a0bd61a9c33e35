//! JSON whose text cannot drive a terminal.
//!
//! JSON already escapes the controls below U+0020. The others, the bidirectional overrides and the
//! invisible characters are legal in a JSON string, but a log that shows the document would obey
//! them, so they are written as `\uXXXX` too. A parser reads back the same text.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::base::is_hidden;

/// Writes a value over several lines, with a newline at its end.
///
/// # Errors
/// Those of the writer.
pub fn write_pretty(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write_with(value, PrettyFormatter::new(), out)
}

/// Writes a value on one line, with a newline at its end.
pub(super) fn write_line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write_with(value, CompactFormatter, out)
}

fn write_with(value: &impl Serialize, layout: impl Formatter, out: &mut dyn Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Visible(layout)))?;
    out.write_all(b"\n")
}

/// Another layout, with hidden characters escaped.
struct Visible<F>(F);

impl<F: Formatter> Formatter for Visible<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_hidden(c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_read_back() {
        let text = "a\u{1b}[31m\u{9b}31m \u{202e}x\u{e0041} é";
        let mut out = Vec::new();
        write_line(&text, &mut out).expect("a vector takes all");
        let written = String::from_utf8(out).expect("UTF-8");
        assert_eq!(written, "\"a\\u001b[31m\\u009b31m \\u202ex\\udb40\\udc41 é\"\n");
        assert_eq!(serde_json::from_str::<String>(&written).expect("JSON"), text);
    }
}
