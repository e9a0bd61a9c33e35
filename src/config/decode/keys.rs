//! What the rules file can hold: its tables and their keys.

use super::{document, drill, exception, fence, forbid, lease, timing};

/// A table of the rules file.
#[derive(Debug)]
pub(super) struct Section {
    /// Where it stands, from the top level of the rules: `lease.fence`; empty for the top level.
    pub(super) path: &'static str,
    /// How it is written.
    pub(super) shape: Shape,
    /// Its keys.
    pub(super) keys: &'static [Key],
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The whole file, or the metadata table.
    Root,
    /// `[forbid]`.
    Table,
    /// `[[lease]]`.
    Tables,
    /// `{ name = "acme-http" }`.
    Inline,
}

/// A key of a table.
#[derive(Debug)]
pub(super) struct Key {
    /// As it is written.
    pub(super) name: &'static str,
    /// A line that shows it, for the help of a problem; the tables among them show a header.
    pub(super) example: &'static str,
}

/// All tables.
pub(super) const ALL: [&Section; 11] = [
    &document::ROOT,
    &lease::LEASE,
    &fence::FENCE,
    &timing::TIMING,
    &timing::CLOCK_SKEW,
    &timing::STEP,
    &timing::CONST,
    &drill::DRILL,
    &forbid::FORBID,
    &forbid::CRATE,
    &exception::EXCEPTION,
];

/// What the top level of a file is called.
pub(super) const TOP: &str = "the top level of the rules";

impl Section {
    /// The names of its keys.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    /// The line that shows a key.
    pub(super) fn example(&self, name: &str) -> &'static str {
        self.keys.iter().find(|key| key.name == name).map_or("", |key| key.example)
    }

    /// What a reader calls the table. `prefix` is the path of the table that the rules stand in,
    /// empty in a file of their own.
    pub(super) fn title(&self, prefix: &str) -> String {
        let path = match (prefix, self.path) {
            ("", path) => path.to_owned(),
            (prefix, "") => prefix.to_owned(),
            (prefix, path) => format!("{prefix}.{path}"),
        };
        match self.shape {
            Shape::Root if prefix.is_empty() => TOP.to_owned(),
            Shape::Root | Shape::Table => format!("`[{path}]`"),
            Shape::Tables => format!("`[[{path}]]`"),
            Shape::Inline => format!("an entry of `{}`", self.path),
        }
    }
}

/// The table, other than `here`, that has a key of this name.
pub(super) fn home(key: &str, here: &Section) -> Option<&'static Section> {
    let elsewhere = |section: &&&Section| section.path != here.path && section.shape != Shape::Inline;
    ALL.iter().filter(elsewhere).find(|section| section.names().any(|name| name == key)).copied()
}
