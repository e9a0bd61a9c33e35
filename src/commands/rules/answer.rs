//! What is known of a name: a package, a library, a path into one, a call or a literal.

use crate::{
    base::nearest,
    config::{About, Listed, ListedAs},
};

use super::{Lists, one::instead};

/// What there is to say of one name.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    /// As asked.
    pub(super) name: String,
    /// The verdict.
    pub(super) verdict: Verdict<'a>,
    /// The entries that it rests on.
    pub(super) entries: Vec<Listed<'a>>,
    /// What the rules file says of it besides, in sentences.
    pub(super) remarks: Vec<String>,
    /// Where it is forbidden: the lint that reports it, and what to do instead.
    pub(super) instead: Option<(&'static str, &'static str)>,
}

/// The kinds of answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict<'a> {
    /// It is forbidden.
    Forbidden,
    /// A path of a forbidden crate that opens no connection: what to use instead.
    Inert(&'a str),
    /// A path of a crate that is a transport, though this path of it is none.
    Harmless,
    /// It is not forbidden as such, but some of its paths are; a lease may declare it besides.
    SomePaths { coordinator: bool },
    /// It stands in packs that the rules do not ask for.
    NotInForce,
    /// A lease may declare it as its coordinator.
    Coordinator,
    /// It was looked at and left out, for this reason.
    LeftOut(&'a str),
    /// Nothing is known of it, but of the near name perhaps.
    Unknown(Option<String>),
}

impl Verdict<'_> {
    /// The word of the wire format.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Forbidden => "forbidden",
            Self::Inert(_) => "inert",
            Self::Harmless => "harmless",
            Self::SomePaths { .. } => "some-paths",
            Self::NotInForce => "not-in-force",
            Self::Coordinator => "coordinator",
            Self::LeftOut(_) => "left-out",
            Self::Unknown(_) => "unknown",
        }
    }
}

impl<'a> Answer<'a> {
    pub(super) fn about(lists: Lists<'a>, name: &str) -> Self {
        let name = name.trim();
        let all = lists.in_force.entries();
        let (verdict, entries) = find(lists, &all, name);
        let package = entries.first().filter(|entry| is_of_package(entry)).map_or(name, |entry| &entry.name);
        let remarks = lists.rules.map_or_else(Vec::new, |rules| rules.remarks(lists.packs, package));
        let instead = if verdict == Verdict::Forbidden { instead(&entries) } else { None };
        Self { name: name.to_owned(), verdict, entries, remarks, instead }
    }
}

fn is_of_package(entry: &Listed<'_>) -> bool {
    matches!(entry.kind, ListedAs::Crate | ListedAs::TransportCrate | ListedAs::Coordinator)
}

fn find<'a>(lists: Lists<'a>, all: &[Listed<'a>], name: &str) -> (Verdict<'a>, Vec<Listed<'a>>) {
    let (verdict, entries) = as_path(lists, name);
    let mut found = as_written(lists, all, name);
    if found.is_empty() {
        return match verdict {
            Verdict::Unknown(None) => (Verdict::Unknown(near(all, name)), entries),
            verdict => (verdict, entries),
        };
    }
    if verdict == Verdict::Forbidden {
        found.extend(entries);
    }
    (Verdict::Forbidden, found)
}

/// Calls and literals that a text holds.
fn as_written<'a>(lists: Lists<'a>, all: &[Listed<'a>], name: &str) -> Vec<Listed<'a>> {
    let spelt = name.replace("()", "");
    let segments: Vec<&str> = spelt.split(['.', ':']).filter(|segment| !segment.is_empty()).collect();
    let calls = lists.in_force.calls();
    let in_calls =
        |fragment: &str| calls.iter().any(|call| call.fragment == fragment && call.position_in(&segments).is_some());
    let literal = lists.in_force.literal(name).map(|found| found.literal);
    let written = |entry: &&Listed<'_>| match entry.kind {
        ListedAs::Call => in_calls(&entry.name),
        ListedAs::String => literal == Some(entry.name.as_str()),
        _ => false,
    };
    all.iter().filter(written).cloned().collect()
}

/// A package, or a path from a library's name.
fn as_path<'a>(lists: Lists<'a>, name: &str) -> (Verdict<'a>, Vec<Listed<'a>>) {
    let mut segments = name.trim_start_matches("::").split("::");
    let package = segments.next().unwrap_or_default();
    let path: Vec<&str> = segments.collect();
    let transports = lists.in_force.transport_entries(package, &path);
    if !path.is_empty() && !transports.is_empty() {
        return (Verdict::Forbidden, transports);
    }
    match lists.in_force.about(lists.packs, package) {
        About::Forbidden(entries) => forbidden(lists, &path, entries),
        About::SomePaths(entries, coordinator) => {
            let verdict = Verdict::SomePaths { coordinator: coordinator.is_some() };
            let mut entries = beside(entries, &path);
            entries.extend(coordinator);
            (verdict, entries)
        }
        About::NotInForce(entries) => (Verdict::NotInForce, entries),
        About::Coordinator(entry) => (Verdict::Coordinator, vec![entry]),
        About::LeftOut(why) => (Verdict::LeftOut(why), Vec::new()),
        About::Unknown(near) => {
            let behind: String = path.iter().map(|segment| format!("::{segment}")).collect();
            (Verdict::Unknown(near.map(|near| near.to_owned() + &behind)), Vec::new())
        }
    }
}

/// A path into a crate that is forbidden as a whole: it may open no connection.
fn forbidden<'a>(lists: Lists<'a>, path: &[&str], entries: Vec<Listed<'a>>) -> (Verdict<'a>, Vec<Listed<'a>>) {
    if path.is_empty() {
        return (Verdict::Forbidden, entries);
    }
    if entries.iter().all(|entry| entry.kind == ListedAs::TransportCrate) {
        return (Verdict::Harmless, Vec::new());
    }
    match entries.iter().find_map(|entry| lists.in_force.inert(&entry.name, path)) {
        Some(instead) => (Verdict::Inert(instead), Vec::new()),
        None => (Verdict::Forbidden, entries),
    }
}

/// The paths that share the most with the one that was asked about.
fn beside<'a>(entries: Vec<Listed<'a>>, path: &[&str]) -> Vec<Listed<'a>> {
    let shared = |entry: &Listed<'_>| {
        entry.name.split("::").skip(1).zip(path).take_while(|(theirs, ours)| theirs == *ours).count()
    };
    let most = entries.iter().map(shared).max().unwrap_or(0);
    entries.into_iter().filter(|entry| shared(entry) == most).collect()
}

/// The nearest call, literal or path.
fn near(all: &[Listed<'_>], name: &str) -> Option<String> {
    let names = all.iter().filter(|entry| !is_of_package(entry)).map(|entry| entry.name.as_str());
    nearest(name, names).map(str::to_owned)
}
