//! The wording of what can be wrong with a rules file.
//!
//! The message says what is wrong, [`RulesError::help`] what to do. Values are quoted as written,
//! cut where they are long.

use std::borrow::Cow;

use super::keys::TOP;

/// One thing that is wrong.
#[derive(Debug, thiserror::Error)]
pub(super) enum RulesError {
    #[error("not valid TOML: {message}")]
    Syntax { message: String },
    #[error("`{}` is given twice in one table", quoted(key))]
    DuplicateKey { key: String },
    #[error("unknown key `{}` in {table}", quoted(key))]
    UnknownKey { key: String, table: String, nearest: Option<&'static str>, home: Option<String>, known: String },
    #[error("`{}` is {found}, but {wanted} is wanted", quoted(key))]
    WrongType { key: String, found: &'static str, wanted: &'static str, example: &'static str },
    #[error("`{key}` holds {found}, but {wanted} is wanted")]
    WrongElement { key: &'static str, found: &'static str, wanted: &'static str, example: &'static str },
    #[error("{table} has no `{key}`")]
    Missing { key: &'static str, table: String, example: &'static str },
    #[error("`{key}` is empty")]
    Empty { key: &'static str, example: &'static str, needed: bool },
    #[error("`{key}` holds an empty string")]
    EmptyElement { key: &'static str },
    #[error("the rules name no lease, so there is nothing to guard")]
    NoLease { title: String },
    #[error("the lease {}selects nothing: it has no `modules`, `files` or `packages`", named(name))]
    SelectsNothing { name: Option<String>, example: &'static str },
    #[error("two leases are called `{}`; the first stands at {first}", quoted(name))]
    DuplicateLease { name: String, first: String },
    #[error("nothing is forbidden: `packs` is empty, and there are no `crates`, `calls` or `strings`")]
    NothingForbidden,
    #[error("unknown {what} `{}` in `{key}`", quoted(written))]
    UnknownWord { what: &'static str, key: &'static str, written: String, nearest: Option<String>, known: String },
    #[error("`{}` in `{key}` {fault}", quoted(written))]
    Malformed { key: &'static str, written: String, fault: Cow<'static, str>, instead: String },
    #[error("`{key}` is a date in quotes")]
    QuotedDate { key: &'static str, date: String },
    #[error("`{key}` has a time of day, but a day is wanted")]
    DateWithTime { key: &'static str, example: String },
    #[error("there are more problems; the first {shown} are listed")]
    More { shown: usize },
}

impl RulesError {
    /// What to do.
    pub(super) fn help(&self) -> String {
        match self {
            Self::Syntax { .. } => "mend the TOML first; what the rules say was not looked at yet".to_owned(),
            Self::DuplicateKey { .. } => "join the two into one".to_owned(),
            Self::UnknownKey { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownKey { key, home: Some(home), .. } if home == TOP => {
                format!("`{key}` belongs to {TOP}: write it above the first `[table]`")
            }
            Self::UnknownKey { key, home: Some(home), known, .. } => {
                format!("`{key}` belongs to {home}; known here are {known}")
            }
            Self::UnknownKey { known, .. } => format!("known are {known}"),
            Self::WrongType { example, .. } | Self::WrongElement { example, .. } => format!("write `{example}`"),
            Self::Missing { example, .. } => format!("add `{example}`"),
            Self::Empty { example, needed: true, .. } => format!("write `{example}`"),
            Self::Empty { example, .. } => format!("write `{example}`, or take the line out"),
            Self::EmptyElement { .. } => "fill it in, or take it out".to_owned(),
            Self::NoLease { title } => {
                format!("add a {title} with `name` and `modules`; `cargo lease-guard init` proposes one")
            }
            Self::SelectsNothing { example, .. } => format!("say where its code is, as in `{example}`"),
            Self::DuplicateLease { .. } => {
                "rename one: reports, exceptions and `--lease` tell leases apart by their names".to_owned()
            }
            Self::NothingForbidden => "take `packs` out for the default, which is all of them".to_owned(),
            Self::UnknownWord { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownWord { known, .. } => format!("known are {known}"),
            Self::Malformed { instead, .. } => instead.clone(),
            Self::QuotedDate { key, date } => format!("take the quotes away: `{key} = {date}`"),
            Self::DateWithTime { example, .. } => {
                format!("write the day alone: `{example}`; it is counted in UTC and included")
            }
            Self::More { .. } => "mend these and run again".to_owned(),
        }
    }
}

/// The most characters of a value that a message quotes.
const LONGEST_QUOTE: usize = 80;

/// A value as messages show it: its first line, cut where it is long.
pub(super) fn quoted(text: &str) -> Cow<'_, str> {
    match text.char_indices().enumerate().find(|(n, (_, c))| *n == LONGEST_QUOTE || *c == '\n') {
        Some((_, (end, _))) => Cow::Owned(format!("{}...", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// A list of names for a sentence: "`a`, `b` and `c`".
pub(super) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{}`", quoted(name))).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => "none".to_owned(),
    }
}

fn named(name: &Option<String>) -> String {
    name.as_deref().map_or_else(String::new, |name| format!("`{}` ", quoted(name)))
}
