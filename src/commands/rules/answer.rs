//! What is known of a name: a package, a library, a path into one, a call or a literal.

use crate::config::{About, Listed, ListedAs};

use super::Lists;

/// What there is to say of one name.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    /// As asked.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict<'a>,
    /// The entries that it rests on.
    pub entries: Vec<Listed<'a>>,
}

/// The kinds of answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict<'a> {
    /// It is forbidden.
    Forbidden,
    /// A path of a forbidden crate that opens no connection: what to use instead.
    Inert(&'a str),
    /// It is not forbidden as such, but some of its paths are; a lease may declare it besides.
    SomePaths { coordinator: bool },
    /// It stands in packs that the rules do not ask for.
    NotInForce,
    /// A lease may declare it as its coordinator.
    Coordinator,
    /// It was looked at and left out, for this reason.
    LeftOut(&'a str),
    /// Nothing is known of it, but of the near name perhaps.
    Unknown(Option<&'a str>),
}

impl Verdict<'_> {
    /// The word of the wire format.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Forbidden => "forbidden",
            Self::Inert(_) => "inert",
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
        let (verdict, entries) = find(lists, name.trim());
        Self { name: name.to_owned(), verdict, entries }
    }
}

fn find<'a>(lists: Lists<'a>, name: &str) -> (Verdict<'a>, Vec<Listed<'a>>) {
    // Calls, literals and the paths of transports are known by what is written, or by a longer path.
    let written = |entry: &Listed<'_>| match entry.kind {
        ListedAs::TransportPath => entry.name == name || is_below(&entry.name, name),
        ListedAs::Call => entry.name == name || entry.name == name.replace("::", "."),
        ListedAs::String => entry.name == name,
        _ => false,
    };
    let found: Vec<_> = lists.in_force.entries().into_iter().filter(written).collect();
    if !found.is_empty() {
        return (Verdict::Forbidden, found);
    }
    let mut segments = name.split("::");
    let package = segments.next().unwrap_or_default();
    let path: Vec<&str> = segments.collect();
    match lists.in_force.about(lists.packs, package) {
        About::Forbidden(entries) => forbidden(lists, &path, entries),
        About::SomePaths(mut entries, coordinator) => {
            let verdict = Verdict::SomePaths { coordinator: coordinator.is_some() };
            entries.extend(coordinator);
            (verdict, entries)
        }
        About::NotInForce(entries) => (Verdict::NotInForce, entries),
        About::Coordinator(entry) => (Verdict::Coordinator, vec![entry]),
        About::LeftOut(why) => (Verdict::LeftOut(why), Vec::new()),
        About::Unknown(near) => (Verdict::Unknown(near), Vec::new()),
    }
}

/// A path into a crate that is forbidden as a whole: it may open no connection.
fn forbidden<'a>(lists: Lists<'a>, path: &[&str], entries: Vec<Listed<'a>>) -> (Verdict<'a>, Vec<Listed<'a>>) {
    if path.is_empty() {
        return (Verdict::Forbidden, entries);
    }
    let instead = entries.iter().find_map(|entry| lists.in_force.inert(&entry.name, path));
    match instead {
        Some(instead) => (Verdict::Inert(instead), entries),
        None => (Verdict::Forbidden, entries),
    }
}

/// Whether a path leads below another: `std::net::TcpStream::connect` below `std::net::TcpStream`.
fn is_below(entry: &str, path: &str) -> bool {
    path.strip_prefix(entry.trim_end_matches("::*")).is_some_and(|rest| rest.starts_with("::"))
}
