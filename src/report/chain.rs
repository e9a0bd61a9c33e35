//! A dependency chain in words.

use super::place::Place;
use crate::{
    base::{Files, visible},
    finding::ChainLink,
};

/// `name version`, or the name alone where the package is not in the graph; raw.
pub(super) fn package(link: &ChainLink) -> String {
    if link.version.is_empty() { link.package.clone() } else { format!("{} {}", link.package, link.version) }
}

/// The whole chain on one line, raw; empty where there is none.
pub(super) fn line(chain: &[ChainLink]) -> String {
    chain.iter().map(package).collect::<Vec<_>>().join(" -> ")
}

/// The chain as a tree, a line for each package, made harmless for a terminal. Places are written
/// from the repository's root, in which the workspace stands at `prefix`.
pub(super) fn tree(chain: &[ChainLink], files: &Files, prefix: &str) -> Vec<String> {
    let lines = chain.iter().enumerate().map(|(depth, link)| {
        let branch = match depth {
            0 => String::new(),
            depth => format!("{}└── ", "    ".repeat(depth - 1)),
        };
        let facts = facts(link, files, prefix);
        let facts = if facts.is_empty() { facts } else { format!(" ({facts})") };
        visible(&format!("{branch}{}{facts}", package(link))).into_owned()
    });
    lines.collect()
}

/// How the package before it comes to this one: the feature, the target, the manifest's line; raw.
fn facts(link: &ChainLink, files: &Files, prefix: &str) -> String {
    let feature = link.feature.as_ref().map(|feature| format!("by feature `{feature}`"));
    let target = link.target.as_ref().map(|target| format!("on target `{target}`"));
    let place = link.place.map(|span| format!("at {}", Place::of(span, files).within(prefix).line_ref()));
    feature.into_iter().chain(target).chain(place).collect::<Vec<_>>().join(", ")
}
