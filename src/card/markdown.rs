//! The card as Markdown, for a pull request or a step summary.

use std::fmt::Write as _;

use super::{Card, Evidence};
use crate::report::prose;

/// Writes the card: a table a lease.
pub fn markdown(card: &Card) -> String {
    let mut out = String::new();
    for lease in &card.leases {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "### {}: {}\n", prose(&lease.name), lease.answer().word());
        let _ = writeln!(out, "| | question | evidence |\n| --- | --- | --- |");
        for row in &lease.rows {
            let evidence: Vec<String> = row.evidence.iter().map(line).collect();
            let (word, question) = (row.answer.word(), prose(row.question));
            let _ = writeln!(out, "| **{word}** | {question} | {} |", evidence.join("<br>"));
        }
        out.push('\n');
    }
    let commit = card.commit.as_deref().map_or_else(|| "no commit".to_owned(), |commit| format!("commit {commit}"));
    let _ = writeln!(out, "cargo lease-guard card, {}, {}", prose(&commit), card.today);
    out
}

/// A line of evidence, its place behind it. No text can become markup; the form is good for HTML as well.
pub(super) fn line(evidence: &Evidence) -> String {
    let place = evidence.place.as_ref().map(|place| format!(" ({})", prose(&format!("`{place}`")))).unwrap_or_default();
    prose(&evidence.text) + &place
}
