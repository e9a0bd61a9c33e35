//! Reading toml's spanned tree: types, unknown keys, empty values, and the list of problems.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::{
    error::{RulesError, listed},
    keys::{Section, home},
};
use crate::{
    base::{FileId, Files, Span, Spanned, nearest},
    config::rules_at::place,
    finding::Problem,
};

/// A value of the tree, with its byte range.
pub(super) type Node<'t> = toml::Spanned<DeValue<'t>>;

/// The most problems that are listed. A person mends a few at a time; a hostile file must not cost
/// more than its length.
const MOST_PROBLEMS: usize = 200;

/// What all readers are handed: the file, what is known, and where problems go.
pub(super) struct Decoder<'a> {
    pub(super) files: &'a Files,
    pub(super) file: FileId,
    /// The path of the table that the rules stand in; empty for a file of their own.
    pub(super) prefix: &'static str,
    /// The names of all lints.
    pub(super) lints: &'a [&'a str],
    problems: Vec<(Span, RulesError)>,
    overflown: bool,
}

/// A table that is being read.
pub(super) struct Table<'t> {
    pub(super) entries: &'t DeTable<'t>,
    /// Its header, or the whole of an inline table.
    pub(super) span: Span,
    section: &'static Section,
    /// Known keys that an unknown one seems to stand for: they are not reported as missing.
    misspelt: Vec<&'static str>,
}

impl Table<'_> {
    /// Whether a list has nothing in it, for all that one can tell (a slip or a wrong type is a
    /// problem of its own).
    pub(super) fn is_vacant(&self, key: &str) -> bool {
        let vacant = match self.entries.get(key).map(toml::Spanned::get_ref) {
            None => true,
            Some(DeValue::Array(list)) => list.is_empty(),
            Some(_) => false,
        };
        vacant && !self.misspelt.contains(&key)
    }

    pub(super) fn example(&self, key: &str) -> &'static str {
        self.section.example(key)
    }
}

impl<'a> Decoder<'a> {
    pub(super) fn new(files: &'a Files, file: FileId, prefix: &'static str, lints: &'a [&'a str]) -> Self {
        Self { files, file, prefix, lints, problems: Vec::new(), overflown: false }
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        place(self.file, range)
    }

    pub(super) fn report(&mut self, span: Span, error: RulesError) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push((span, error));
        } else {
            self.overflown = true;
        }
    }

    /// The nearest known name, unless nobody would read it.
    pub(super) fn nearest<'n>(&self, written: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
        if self.problems.len() < MOST_PROBLEMS { nearest(written, known).map(str::to_owned) } else { None }
    }

    /// All problems, in the order of the file.
    pub(super) fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|(span, _)| (span.start, span.end));
        let more = self.overflown.then_some(RulesError::More { shown: MOST_PROBLEMS });
        let found = self.problems.into_iter().map(|(span, error)| (Some(span), error));
        found
            .chain(more.map(|error| (None, error)))
            .map(|(place, error)| Problem { message: error.to_string(), place, help: error.help() })
            .collect()
    }

    /// A table whose keys are checked; none if the value is no table.
    pub(super) fn open<'t>(&mut self, node: &'t Node<'t>, section: &'static Section) -> Option<Table<'t>> {
        let entries = node.get_ref().as_table()?;
        let mut table = Table { entries, span: self.span(node.span()), section, misspelt: Vec::new() };
        for key in entries.keys() {
            let (name, span) = (key.get_ref().as_ref(), self.span(key.span()));
            if section.names().any(|known| known == name) {
                continue;
            }
            let near = self.nearest(name, section.names());
            let near = section.names().find(|known| near.as_deref() == Some(known));
            table.misspelt.extend(near);
            self.report(
                span,
                RulesError::UnknownKey {
                    key: name.to_owned(),
                    table: section.title(self.prefix),
                    nearest: near,
                    home: home(name, section).map(|section| section.title(self.prefix)),
                    known: listed(section.names()),
                },
            );
        }
        Some(table)
    }

    /// The table under a key.
    pub(super) fn table<'t>(
        &mut self,
        parent: &Table<'t>,
        key: &'static str,
        section: &'static Section,
    ) -> Option<Table<'t>> {
        let node = parent.entries.get(key)?;
        let table = self.open(node, section);
        if table.is_none() {
            self.wrong_type(parent, key, node, "a table");
        }
        table
    }

    /// The tables of an array. A lone `[table]` is a problem, and read on as if it were the only one.
    pub(super) fn tables<'t>(
        &mut self,
        parent: &Table<'t>,
        key: &'static str,
        section: &'static Section,
    ) -> Vec<Table<'t>> {
        const WANTED: &str = "an array of tables";
        let Some(node) = parent.entries.get(key) else { return Vec::new() };
        let DeValue::Array(list) = node.get_ref() else {
            self.wrong_type(parent, key, node, WANTED);
            return self.open(node, section).into_iter().collect();
        };
        let mut tables = Vec::new();
        for element in list.iter() {
            match self.open(element, section) {
                Some(table) => tables.push(table),
                None => self.wrong_element(parent, key, element, WANTED),
            }
        }
        tables
    }

    /// The string under a key, if it is there. An empty one is a problem.
    pub(super) fn string(&mut self, table: &Table<'_>, key: &'static str) -> Option<Spanned<String>> {
        self.filled(table, key, false)
    }

    fn filled(&mut self, table: &Table<'_>, key: &'static str, needed: bool) -> Option<Spanned<String>> {
        let node = table.entries.get(key)?;
        let Some(text) = node.get_ref().as_str() else {
            self.wrong_type(table, key, node, "a string");
            return None;
        };
        let span = self.span(node.span());
        if text.trim().is_empty() {
            self.report(span, RulesError::Empty { key, example: table.example(key), needed });
            return None;
        }
        Some(Spanned { value: text.to_owned(), span })
    }

    /// The string under a key that must be there.
    pub(super) fn required(&mut self, table: &Table<'_>, key: &'static str) -> Option<Spanned<String>> {
        self.expect_key(table, key);
        self.filled(table, key, true)
    }

    /// Reports a key that must be there and is not.
    pub(super) fn expect_key(&mut self, table: &Table<'_>, key: &'static str) {
        if !table.entries.contains_key(key) && !table.misspelt.contains(&key) {
            let title = table.section.title(self.prefix);
            self.report(table.span, RulesError::Missing { key, table: title, example: table.example(key) });
        }
    }

    /// The values of an array; none where the key is left out.
    pub(super) fn list<'t>(&mut self, table: &Table<'t>, key: &'static str, wanted: &'static str) -> Vec<&'t Node<'t>> {
        let Some(node) = table.entries.get(key) else { return Vec::new() };
        match node.get_ref() {
            DeValue::Array(list) => list.iter().collect(),
            _ => {
                self.wrong_type(table, key, node, wanted);
                Vec::new()
            }
        }
    }

    /// The strings of an array; none where the key is left out. An empty one is a problem.
    pub(super) fn strings(&mut self, table: &Table<'_>, key: &'static str) -> Vec<Spanned<String>> {
        let nodes = self.list(table, key, "an array of strings");
        nodes.into_iter().filter_map(|node| self.element(table, key, node)).collect()
    }

    /// A string of an array.
    pub(super) fn element(&mut self, table: &Table<'_>, key: &'static str, node: &Node<'_>) -> Option<Spanned<String>> {
        let Some(text) = node.get_ref().as_str() else {
            self.wrong_element(table, key, node, "an array of strings");
            return None;
        };
        let span = self.span(node.span());
        if text.trim().is_empty() {
            self.report(span, RulesError::EmptyElement { key });
            return None;
        }
        Some(Spanned { value: text.to_owned(), span })
    }

    /// Reports a value of the wrong type.
    pub(super) fn wrong_type(&mut self, table: &Table<'_>, key: &'static str, node: &Node<'_>, wanted: &'static str) {
        self.wrong_value(key, node, wanted, table.example(key));
    }

    /// Reports a value of the wrong type, under a key that is in no section.
    pub(super) fn wrong_value(&mut self, key: &str, node: &Node<'_>, wanted: &'static str, example: &'static str) {
        let (key, found) = (key.to_owned(), described(node));
        self.report(self.span(node.span()), RulesError::WrongType { key, found, wanted, example });
    }

    /// Reports an element of the wrong type.
    pub(super) fn wrong_element(
        &mut self,
        table: &Table<'_>,
        key: &'static str,
        node: &Node<'_>,
        wanted: &'static str,
    ) {
        let (found, example) = (described(node), table.example(key));
        self.report(self.span(node.span()), RulesError::WrongElement { key, found, wanted, example });
    }
}

/// What a value is, for a sentence.
fn described(node: &Node<'_>) -> &'static str {
    match node.get_ref() {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
