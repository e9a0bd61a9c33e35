//! Text for people: as wide as the terminal, in the colours of cargo's own output.
//!
//! What is printed may come from the checked workspace, so everything goes through [`visible`] here
//! and nowhere else. Words are never cut; only a name that is wider than its column is allowed to
//! push what follows to the next line.

use std::io::{self, Write};

use textwrap::{Options, WordSplitter, core::display_width, wrap};

use super::check::columns;
use crate::{base::visible, cli::style};

/// Columns where nothing says how many there are.
const USUAL: usize = 80;

/// What is written on.
pub(super) struct Page<'o> {
    out: &'o mut dyn Write,
    width: usize,
}

/// A word in front of a text, and how much room it gets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    /// The word.
    pub(super) word: &'a str,
    /// Columns from the left edge.
    pub(super) indent: usize,
    /// Columns of the word; the text begins two behind them.
    pub(super) column: usize,
}

impl<'o> Page<'o> {
    /// A page as wide as the terminal, within reason.
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        Self { out, width: columns().unwrap_or(USUAL).clamp(60, 120) }
    }

    /// An empty line.
    pub(super) fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// A title.
    pub(super) fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}{}{:#}", style::HEADER, visible(text), style::HEADER)
    }

    /// A title with something behind it.
    pub(super) fn heading_and(&mut self, title: &str, text: &str) -> io::Result<()> {
        let start = format!("{}{}{:#}", style::HEADER, visible(title), style::HEADER);
        let used = display_width(&visible(title));
        self.hang(&start, used, used + 2, text)
    }

    /// A text of its own.
    pub(super) fn text(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let lead = " ".repeat(indent);
        for line in self.lines(indent, text) {
            writeln!(self.out, "{}", format!("{lead}{line}").trim_end())?;
        }
        Ok(())
    }

    /// A name in its column, with what there is to say of it.
    pub(super) fn entry(&mut self, name: Name<'_>, text: &str) -> io::Result<()> {
        let word = visible(name.word);
        let lead = " ".repeat(name.indent);
        let start = format!("{lead}{}{word}{:#}", style::LITERAL, style::LITERAL);
        self.hang(&start, name.indent + display_width(&word), name.indent + name.column + 2, text)
    }

    /// An answer in front of its question.
    pub(super) fn answer(&mut self, word: &str, question: &str) -> io::Result<()> {
        let style = match word {
            "STOP" => style::ERROR,
            "LOOK" => style::WARN,
            _ => style::GOOD,
        };
        self.hang(&format!("  {style}{word}{style:#}"), 2 + word.len(), 8, question)
    }

    /// A name on a line of its own, with what there is to say of it below.
    pub(super) fn item(&mut self, word: &str, text: &str) -> io::Result<()> {
        writeln!(self.out, "  {}{}{:#}", style::LITERAL, visible(word), style::LITERAL)?;
        self.text(6, text)
    }

    /// Exactly this, which is harmless already.
    pub(super) fn raw(&mut self, line: std::fmt::Arguments<'_>) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// A start of so many columns, and a text that hangs at `indent`.
    fn hang(&mut self, start: &str, used: usize, indent: usize, text: &str) -> io::Result<()> {
        let lead = " ".repeat(indent);
        let mut lines = self.lines(indent, text).into_iter();
        if used + 2 > indent {
            writeln!(self.out, "{start}")?;
        } else {
            let first = lines.next().unwrap_or_default();
            let line = format!("{start}{}{first}", " ".repeat(indent - used));
            writeln!(self.out, "{}", line.trim_end())?;
        }
        for line in lines {
            writeln!(self.out, "{lead}{line}")?;
        }
        Ok(())
    }

    fn lines(&self, indent: usize, text: &str) -> Vec<String> {
        let room = self.width.saturating_sub(indent).max(20);
        let options = Options::new(room).break_words(false).word_splitter(WordSplitter::NoHyphenation);
        wrap(&visible(text), options).into_iter().map(std::borrow::Cow::into_owned).collect()
    }
}

/// The widest of some words, but at most `most`.
pub(super) fn column<'a>(words: impl IntoIterator<Item = &'a str>, most: usize) -> usize {
    words.into_iter().map(|word| display_width(&visible(word))).max().unwrap_or(0).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(write: impl Fn(&mut Page<'_>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut Page { out: &mut out, width: 60 }).expect("a vector takes all");
        anstream::adapter::strip_str(std::str::from_utf8(&out).expect("UTF-8")).to_string()
    }

    #[test]
    fn a_text_hangs_beside_its_name_and_a_wide_name_stands_alone() {
        let name = |word| Name { word, indent: 2, column: 8 };
        let text = "a connection pool of PostgreSQL connections, for those who have many";
        assert_eq!(
            printed(|page| {
                page.entry(name("bb8"), text)?;
                page.entry(name("deadpool-postgres"), "a pool")
            }),
            "  bb8       a connection pool of PostgreSQL connections, for\n            those who have many\n  \
             deadpool-postgres\n            a pool\n"
        );
    }

    #[test]
    fn nothing_that_came_from_elsewhere_drives_the_terminal() {
        let text = printed(|page| {
            page.heading("\u{1b}[2Ja")?;
            page.text(2, "b\nc\u{202e}")?;
            page.heading_and("title", "\u{9b}x")?;
            page.entry(Name { word: "\r", indent: 0, column: 4 }, "\u{7}")
        });
        assert!(!text.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{text:?}");
        assert_eq!(text.lines().count(), 5, "{text:?}");
    }
}
