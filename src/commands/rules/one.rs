//! What is known of one name, as a person reads it.
//!
//! The order is that of the questions: is it forbidden, does this rules file say more, why, what else.

use std::io;

use crate::{
    base::visible,
    cli::{Style, style},
    commands::page::{Name, Page, column},
    config::{Inert, Listed, ListedAs, PackName},
};

use super::{
    answer::{Answer, Verdict},
    conditions::conditions,
};

const WIDEST: usize = 30;

pub(super) fn one(answer: &Answer<'_>, page: &mut Page<'_>) -> io::Result<()> {
    let (tone, said) = verdict(answer);
    let name = visible(&answer.name);
    page.raw(format_args!("{tone}{name}{tone:#} {}", said.first))?;
    for line in &said.rest {
        page.text(0, line)?;
    }
    for remark in &answer.remarks {
        page.text(0, remark)?;
    }
    listed(&answer.entries, page)?;
    if let Some((lint, instead)) = &answer.instead {
        page.blank()?;
        page.heading("Instead")?;
        page.text(2, instead)?;
        page.text(2, &format!("`cargo lease-guard explain {lint}` says more."))?;
    }
    Ok(())
}

struct Said {
    first: &'static str,
    rest: Vec<String>,
}

fn verdict(answer: &Answer<'_>) -> (Style, Said) {
    let said = |first, rest: &[String]| Said { first, rest: rest.to_vec() };
    match &answer.verdict {
        Verdict::Forbidden => (style::ERROR, said("is forbidden on the lease path.", &[])),
        Verdict::Inert(instead) => {
            let rest = format!("It is reported at warn where a lease item writes it. Use {instead} instead.");
            (style::WARN, said("opens no connection.", &[rest]))
        }
        Verdict::Harmless => (style::GOOD, said("is not forbidden: it speaks to nobody, though its crate does.", &[])),
        Verdict::SomePaths { coordinator } => {
            let besides = "A lease may declare its crate under `coordinators`.".to_owned();
            let rest = if *coordinator { vec![besides] } else { Vec::new() };
            (style::GOOD, said("is not forbidden as such; these paths are.", &rest))
        }
        Verdict::NotInForce => {
            let rest = "The rules leave its pack out of `[forbid] packs`.".to_owned();
            (style::GOOD, said("is not forbidden here.", &[rest]))
        }
        Verdict::Coordinator => {
            let rest = "A lease may declare its crate under `coordinators`.".to_owned();
            (style::GOOD, said("is not forbidden.", &[rest]))
        }
        Verdict::LeftOut(why) => {
            let rest = format!("It was looked at and left out: {why}.");
            (style::GOOD, said("is not forbidden.", &[rest]))
        }
        Verdict::Unknown(near) => {
            let mut rest = vec!["No pack and no line of the rules names it.".to_owned()];
            rest.extend(near.as_ref().map(|near| format!("Did you mean `{near}`?")));
            (style::GOOD, said("is not forbidden.", &rest))
        }
    }
}

fn listed(entries: &[Listed<'_>], page: &mut Page<'_>) -> io::Result<()> {
    for group in entries.chunk_by(|a, b| (a.kind, a.pack) == (b.kind, b.pack)) {
        let wide = column(group.iter().map(|entry| entry.name.as_str()), WIDEST);
        page.blank()?;
        page.heading(&origin(&group[0]))?;
        for entry in group {
            page.entry(Name { word: &entry.name, indent: 2, column: wide }, entry.why)?;
            details(entry, page)?;
        }
    }
    Ok(())
}

fn origin(entry: &Listed<'_>) -> String {
    let kind = match entry.kind {
        ListedAs::Crate | ListedAs::TransportCrate => "a crate",
        ListedAs::TransportPath => "a path",
        ListedAs::Call => "a call",
        ListedAs::String => "a literal",
        ListedAs::Coordinator => return "What a lease may declare as a coordinator".to_owned(),
    };
    let from = entry.pack.map_or_else(|| "`[forbid]`".to_owned(), |pack| format!("the pack {}", pack.word()));
    format!("Listed as {kind} in {from}")
}

fn details(entry: &Listed<'_>, page: &mut Page<'_>) -> io::Result<()> {
    for condition in conditions(entry, true) {
        page.text(4, &condition)?;
    }
    if !entry.companions.is_empty() {
        page.text(4, &format!("brings along {}", entry.companions.join(", ")))?;
    }
    if entry.inert.is_empty() {
        return Ok(());
    }
    page.text(4, "opens no connection, and is reported at warn only:")?;
    for (instead, patterns) in by_substitute(&entry.inert) {
        page.text(6, &format!("use {instead} for"))?;
        page.text(8, &patterns.join(", "))?;
    }
    page.text(4, "`*` stands for any part of a name, `::*` for all below a module, `**::` for any modules before")
}

/// The inert names, by what to use instead. A pattern that a wider one of the same list covers
/// (`StatusCode` where `**::StatusCode` stands too) is told once.
fn by_substitute<'a>(inert: &[Inert<'a>]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in inert {
        let wider =
            |other: &Inert<'_>| other.instead == one.instead && other.pattern.strip_prefix("**::") == Some(one.pattern);
        if inert.iter().any(wider) {
            continue;
        }
        match groups.iter_mut().find(|(instead, _)| *instead == one.instead) {
            Some((_, patterns)) => patterns.push(one.pattern),
            None => groups.push((one.instead, vec![one.pattern])),
        }
    }
    groups
}

/// For what is forbidden: the lint that reports it, and what to do instead.
pub(super) fn instead(entries: &[Listed<'_>]) -> Option<(&'static str, &'static str)> {
    let entry = entries.first()?;
    Some(match (entry.kind, entry.pack) {
        (ListedAs::Coordinator, _) => return None,
        (ListedAs::Call, _) => (
            "forbidden-call",
            "Let the lease decide by what its coordinator says. Ask a model elsewhere, and hand its answer in as data.",
        ),
        (ListedAs::String, _) => {
            ("forbidden-string", "Keep a model's address and the name of its key with the code that calls the model.")
        }
        (ListedAs::TransportPath | ListedAs::TransportCrate, _) => (
            "raw-transport",
            "A lease talks to its coordinator through the coordinator's own client. Where a socket is how that is \
             done, declare the local module that holds it under `coordinators`.",
        ),
        (ListedAs::Crate, Some(PackName::ModelClients | PackName::InferenceRuntimes)) => (
            "forbidden-crate",
            "Let the lease decide by what its coordinator says. Ask a model elsewhere, and hand its answer in as data.",
        ),
        (ListedAs::Crate, _) => (
            "forbidden-crate",
            "Let a task off the lease path make the request, and leave the answer where the lease can read it without \
             waiting. Where the coordinator itself is spoken to so (Consul over HTTP, say), declare the local module \
             that does it under `coordinators`, as in \"orders::consul\".",
        ),
    })
}
