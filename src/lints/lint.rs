//! What a lint is, and how its documentation reads.

use std::fmt::Write as _;

use super::Judge;
use crate::finding::Level;

/// One lint.
#[derive(Debug)]
pub struct Lint {
    /// As rules files, flags and reports write it. It should read well after "allow".
    pub name: &'static str,
    /// The level where neither the rules file nor a flag says otherwise.
    pub level: Level,
    /// What it looks at, and what it says.
    pub judge: Judge,
    /// What `explain` prints and `docs/lints.md` holds.
    pub docs: Docs,
}

/// The documentation, as Markdown in lines of at most 80 columns.
#[derive(Debug)]
pub struct Docs {
    /// One sentence, without a heading.
    pub summary: &'static str,
    /// What is looked at, what is reported, what is left alone.
    pub what_it_does: &'static str,
    /// What goes wrong in a running system.
    pub why_it_matters: &'static str,
    /// Rules and code that it reports, fenced.
    pub example: &'static str,
    /// What to write in its place.
    pub instead: &'static str,
}

impl Lint {
    /// The whole text, its title a Markdown heading of the given depth (1 for a page of its own).
    pub fn text(&self, depth: usize) -> String {
        let hashes = "#".repeat(depth);
        let mut text = format!("{hashes} {}\n\nDefault level: {}\n", self.name, self.level.word());
        let sections = [
            ("", self.docs.summary),
            ("What it does", self.docs.what_it_does),
            ("Why it matters", self.docs.why_it_matters),
            ("Example", self.docs.example),
            ("What to do instead", self.docs.instead),
        ];
        for (heading, body) in sections {
            if !heading.is_empty() {
                // Writing to a String cannot fail.
                let _ = write!(text, "\n{hashes}# {heading}\n");
            }
            let _ = write!(text, "\n{}\n", body.trim());
        }
        text
    }
}
