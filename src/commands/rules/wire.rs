//! The lists as JSON, version 1. Fields may be added; none may be changed or taken away.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    config::{Inert, Listed, PackName},
    report::write_json,
};

use super::{
    Lists,
    answer::{Answer, Verdict},
};

#[derive(Serialize)]
struct All<'a> {
    version: u32,
    rules_file: Option<&'a str>,
    packs: Vec<&'static str>,
    entries: Vec<Entry<'a>>,
    coordinators: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    version: u32,
    name: &'a str,
    verdict: &'static str,
    why: Option<&'a str>,
    /// For an inert name what to use, for a forbidden one what to do.
    instead: Option<&'a str>,
    nearest: Option<&'a str>,
    /// The lint that reports it, where it is forbidden.
    lint: Option<&'static str>,
    remarks: &'a [String],
    rules_file: Option<&'a str>,
    entries: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    kind: &'static str,
    name: &'a str,
    pack: Option<&'static str>,
    why: &'a str,
    libraries: &'a [String],
    features: &'a [String],
    in_chains: bool,
    inert: Vec<Harmless<'a>>,
    beside: &'a [String],
    awaited: bool,
    companions: &'a [String],
}

#[derive(Serialize)]
struct Harmless<'a> {
    pattern: &'a str,
    instead: &'a str,
}

impl<'a> From<&'a Listed<'_>> for Entry<'a> {
    fn from(listed: &'a Listed<'_>) -> Self {
        let inert = listed.inert.iter().map(|&Inert { pattern, instead }| Harmless { pattern, instead });
        Self {
            kind: listed.kind.word(),
            name: &listed.name,
            pack: listed.pack.map(PackName::word),
            why: listed.why,
            libraries: listed.libraries,
            features: listed.features,
            in_chains: listed.in_chains,
            inert: inert.collect(),
            beside: listed.beside,
            awaited: listed.awaited,
            companions: listed.companions,
        }
    }
}

pub(super) fn all(lists: Lists<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (entries, coordinators) = (lists.in_force.entries(), lists.packs.listed_coordinators());
    let all = All {
        version: 1,
        rules_file: lists.rules.map(|rules| rules.shown),
        packs: PackName::ALL.into_iter().filter(|pack| lists.in_force.has_pack(*pack)).map(PackName::word).collect(),
        entries: entries.iter().map(Entry::from).collect(),
        coordinators: coordinators.iter().map(Entry::from).collect(),
    };
    write_json(&all, out)
}

pub(super) fn one(lists: Lists<'_>, answer: &Answer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (mut why, mut instead, mut nearest) = (None, answer.instead.map(|(_, words)| words), None);
    match &answer.verdict {
        Verdict::Inert(words) => instead = Some(words),
        Verdict::LeftOut(words) => why = Some(*words),
        Verdict::Unknown(near) => nearest = near.as_deref(),
        _ => {}
    }
    let one = One {
        version: 1,
        name: &answer.name,
        verdict: answer.verdict.word(),
        why,
        instead,
        nearest,
        lint: answer.instead.map(|(lint, _)| lint),
        remarks: &answer.remarks,
        rules_file: lists.rules.map(|rules| rules.shown),
        entries: answer.entries.iter().map(Entry::from).collect(),
    };
    write_json(&one, out)
}
