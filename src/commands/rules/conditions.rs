//! What an entry of a pack depends on, in words.

use crate::config::{Listed, ListedAs};

/// A few words for each condition. Where `all` is not wanted, long lists are cut short.
pub(super) fn conditions(entry: &Listed<'_>, all: bool) -> Vec<String> {
    let list = |words: &[String]| listed(words, if all { usize::MAX } else { 3 });
    let mut said = Vec::new();
    if !entry.libraries.is_empty() {
        said.push(format!("in source: {}", list(entry.libraries)));
    }
    match entry.kind {
        ListedAs::Crate if !entry.in_chains => said.push("not in dependency chains".to_owned()),
        ListedAs::Crate if !entry.features.is_empty() => {
            said.push(format!("in dependency chains only with {}", features(entry.features, all)));
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
fn features(names: &[String], all: bool) -> String {
    match names {
        [one] => format!("the feature {one}"),
        names if all || names.len() < 4 => format!("one of the features {}", names.join(", ")),
        names => format!("one of {} features ({}, ...)", names.len(), names[..2].join(", ")),
    }
}

fn listed(words: &[String], most: usize) -> String {
    let shown = words.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
    match words.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} or {more} more"),
    }
}
