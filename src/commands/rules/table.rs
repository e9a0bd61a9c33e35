//! The lists as a person reads them: what the rules file says itself, then pack by pack.

use std::io;

use crate::{
    base::counted,
    commands::page::{Name, Page, column},
    config::{Listed, ListedAs, PackName},
};

use super::{Lists, conditions::conditions, rules_file::RulesFile};

/// The widest column of names; a longer name stands on a line of its own.
const WIDEST: usize = 30;

pub(super) fn all(lists: Lists<'_>, page: &mut Page<'_>) -> io::Result<()> {
    match lists.rules {
        Some(rules) => said_by(rules, page)?,
        None => page.text(0, "There is no rules file here. In force by default:")?,
    }
    let mut entries = lists.in_force.entries();
    // By pack, the rules' own first, and kind; within these the entries come sorted by name.
    entries.sort_by_key(|entry| (entry.pack, entry.kind));
    for pack in entries.chunk_by(|a, b| a.pack == b.pack) {
        page.blank()?;
        match pack[0].pack {
            None => page.heading_and("[forbid]", "what the rules file adds")?,
            Some(name) => page.heading_and(name.word(), name.about())?,
        }
        for group in pack.chunk_by(|a, b| a.kind == b.kind) {
            section(title(group[0].kind), group, page)?;
        }
    }
    let off: Vec<&str> =
        PackName::ALL.into_iter().filter(|pack| !lists.in_force.has_pack(*pack)).map(PackName::word).collect();
    if !off.is_empty() {
        page.blank()?;
        page.heading_and("Not in force", &format!("{}: `[forbid] packs` leaves them out", off.join(", ")))?;
    }
    page.blank()?;
    page.heading_and("coordinators", "what a lease may declare under `coordinators`, and what comes with it")?;
    section("packages", &lists.packs.listed_coordinators(), page)?;
    page.blank()?;
    page.text(0, "`cargo lease-guard rules NAME` tells more of one of them.")
}

/// What the rules file says beside the lists.
fn said_by(rules: RulesFile<'_>, page: &mut Page<'_>) -> io::Result<()> {
    page.heading_and("In force", &format!("by {}", rules.shown))?;
    let mut lines = Vec::new();
    for lease in rules.leases() {
        let names: Vec<&str> = lease.coordinators.iter().map(|written| written.value.as_str()).collect();
        let talks = match names.as_slice() {
            [] => "declares no coordinator".to_owned(),
            names => format!("may talk to {}", names.join(", ")),
        };
        lines.push((format!("lease {}", lease.name.value), talks));
    }
    for line in &rules.rules.lints {
        lines.push((format!("lint {}", line.lint.value), line.level.word().to_owned()));
    }
    for exception in rules.exceptions() {
        let until = exception.until.as_ref().map(|day| format!(" until {}", day.value)).unwrap_or_default();
        let name = format!("exception {}", exception.subject.value);
        lines.push((name, format!("for {}{until}: {}", exception.lint.value, exception.reason)));
    }
    let wide = column(lines.iter().map(|(name, _)| name.as_str()), WIDEST);
    for (name, text) in &lines {
        page.entry(Name { word: name, indent: 2, column: wide }, text)?;
    }
    Ok(())
}

fn section(title: &str, entries: &[Listed<'_>], page: &mut Page<'_>) -> io::Result<()> {
    page.text(2, &format!("{title} ({})", entries.len()))?;
    let wide = column(entries.iter().map(|entry| entry.name.as_str()), WIDEST);
    for entry in entries {
        let mut words = vec![entry.why.to_owned()];
        words.extend(conditions(entry, false));
        if !entry.companions.is_empty() {
            words.push(format!("with {}", counted(entry.companions.len(), "companion")));
        }
        page.entry(Name { word: &entry.name, indent: 4, column: wide }, &words.join("; "))?;
    }
    Ok(())
}

const fn title(kind: ListedAs) -> &'static str {
    match kind {
        ListedAs::Crate | ListedAs::TransportCrate => "crates",
        ListedAs::TransportPath => "paths",
        ListedAs::Call => "calls",
        ListedAs::String => "literals",
        ListedAs::Coordinator => "packages",
    }
}
