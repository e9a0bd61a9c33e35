//! The lists as a person reads them.

use std::io::{self, Write};

use crate::{
    base::visible,
    config::{Listed, ListedAs, PackName},
};

use super::{
    Lists,
    answer::{Answer, Verdict},
};

/// The widest column of names; a longer name pushes its line to the right.
const WIDEST: usize = 34;

pub(super) fn all(lists: Lists<'_>, out: &mut dyn Write) -> io::Result<()> {
    match lists.rules_file {
        Some(file) => writeln!(out, "In force by {}:", visible(file))?,
        None => writeln!(out, "There is no rules file here. In force by default:")?,
    }
    let mut entries = lists.in_force.entries();
    // By kind and pack; within these the entries come sorted by name.
    entries.sort_by_key(|entry| (entry.kind, entry.pack));
    for group in entries.chunk_by(|a, b| (a.kind, a.pack) == (b.kind, b.pack)) {
        let from = group[0].pack.map_or("[forbid]", PackName::word);
        section(&format!("{} of {from}", title(group[0].kind)), group, out)?;
    }
    section(title(ListedAs::Coordinator), &lists.packs.listed_coordinators(), out)?;
    writeln!(out, "\n`cargo lease-guard rules NAME` tells more of one of them.")
}

pub(super) fn one(answer: &Answer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let name = visible(&answer.name);
    match answer.verdict {
        Verdict::Forbidden => writeln!(out, "{name} is forbidden on the lease path.")?,
        Verdict::Inert(instead) => {
            writeln!(out, "{name} opens no connection: it is reported at warn where a lease item writes it.")?;
            return writeln!(out, "Use {instead} instead.");
        }
        Verdict::SomePaths { coordinator } => {
            let besides = if coordinator { " A lease may declare it under `coordinators`." } else { "" };
            writeln!(out, "{name} is not forbidden as such; these paths are.{besides}")?;
        }
        Verdict::NotInForce => {
            writeln!(out, "{name} is not forbidden here: the rules leave its pack out of `[forbid] packs`.")?;
        }
        Verdict::Coordinator => {
            writeln!(out, "{name} is not forbidden. A lease may declare it under `coordinators`.")?;
        }
        Verdict::LeftOut(why) => writeln!(out, "{name} is not forbidden: {}.", visible(why))?,
        Verdict::Unknown(near) => {
            writeln!(out, "{name} is not forbidden: no pack and no line of the rules names it.")?;
            if let Some(near) = near {
                writeln!(out, "Did you mean `{}`?", visible(near))?;
            }
        }
    }
    answer.entries.iter().try_for_each(|entry| details(entry, out))
}

fn section(title: &str, entries: &[Listed<'_>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{title} ({})", entries.len())?;
    let width = entries.iter().map(|entry| visible(&entry.name).chars().count()).max().unwrap_or(0).min(WIDEST);
    for entry in entries {
        let mut words = vec![visible(entry.why).into_owned()];
        words.extend(conditions(entry));
        writeln!(out, "  {:width$}  {}", visible(&entry.name), words.join("; "))?;
    }
    Ok(())
}

fn details(entry: &Listed<'_>, out: &mut dyn Write) -> io::Result<()> {
    let from = entry.pack.map_or("`[forbid]`", PackName::word);
    let from = if entry.kind == ListedAs::Coordinator { "the packs' coordinators" } else { from };
    writeln!(out, "\n{} ({from}): {}", visible(&entry.name), visible(entry.why))?;
    for condition in conditions(entry) {
        writeln!(out, "  {condition}")?;
    }
    if !entry.companions.is_empty() {
        writeln!(out, "  brings along {}", visible(&entry.companions.join(", ")))?;
    }
    if !entry.inert.is_empty() {
        writeln!(out, "  opens no connection:")?;
    }
    let width = entry.inert.iter().map(|inert| inert.pattern.chars().count()).max().unwrap_or(0).min(WIDEST);
    for inert in &entry.inert {
        writeln!(out, "    {:width$}  use {}", inert.pattern, inert.instead)?;
    }
    Ok(())
}

/// What an entry depends on, a few words each.
fn conditions(entry: &Listed<'_>) -> Vec<String> {
    let list = |words: &[String]| visible(&words.join(", ")).into_owned();
    let mut said = Vec::new();
    if !entry.libraries.is_empty() {
        said.push(format!("in source: {}", list(entry.libraries)));
    }
    match entry.kind {
        ListedAs::Crate if !entry.in_chains => said.push("not in dependency chains".to_owned()),
        ListedAs::Crate if !entry.features.is_empty() => {
            said.push(format!("in dependency chains only with {}", features(entry.features)));
        }
        _ => {}
    }
    if !entry.beside.is_empty() {
        said.push(format!("only in packages that depend on {}", list(entry.beside)));
    }
    if entry.awaited {
        said.push("only where it is awaited".to_owned());
    }
    said
}

/// The features, or how many where they would fill the screen.
fn features(names: &[String]) -> String {
    match names {
        [one] => format!("the feature {one}"),
        names if names.len() < 4 => format!("one of the features {}", names.join(", ")),
        names => format!("one of {} features ({}, ...)", names.len(), names[..2].join(", ")),
    }
}

const fn title(kind: ListedAs) -> &'static str {
    match kind {
        ListedAs::Crate => "Crates",
        ListedAs::TransportCrate => "Raw transports that are crates,",
        ListedAs::TransportPath => "Raw transports that are paths,",
        ListedAs::Call => "Calls",
        ListedAs::String => "Literals",
        ListedAs::Coordinator => "Packages that a lease may declare as its coordinator",
    }
}
