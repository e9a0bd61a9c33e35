//! `[forbid]`: what may not be reached.

use super::{
    error::{RulesError, listed},
    keys::{Key, Section, Shape},
    tree::{Decoder, Node, Table},
    words,
};
use crate::config::{Forbid, ForbiddenCrate, PackName};

/// `[forbid]`.
pub(super) const FORBID: Section = Section {
    path: "forbid",
    shape: Shape::Table,
    keys: &[
        Key { name: "packs", example: r#"packs = ["http-clients", "model-clients"]"# },
        Key { name: "crates", example: r#"crates = ["acme-llm", { name = "acme-http", reason = "wraps reqwest" }]"# },
        Key { name: "calls", example: r#"calls = ["advisor.vote"]"# },
        Key { name: "strings", example: r#"strings = ["llm.internal.example"]"# },
    ],
};

/// A table in `crates`.
pub(super) const CRATE: Section = Section {
    path: "forbid.crates",
    shape: Shape::Inline,
    keys: &[
        Key { name: "name", example: r#"name = "acme-http""# },
        Key { name: "reason", example: r#"reason = "wraps reqwest""# },
    ],
};

/// The table, or the default. None only where the value is no table.
pub(super) fn decode(d: &mut Decoder<'_>, root: &Table<'_>) -> Option<Forbid> {
    if !root.entries.contains_key("forbid") {
        return Some(Forbid {
            packs: PackName::ALL.to_vec(),
            crates: Vec::new(),
            calls: Vec::new(),
            strings: Vec::new(),
        });
    }
    let table = d.table(root, "forbid", &FORBID)?;
    let packs = packs(d, &table);
    let nodes = d.list(&table, "crates", CRATES_WANTED);
    let crates: Vec<ForbiddenCrate> = nodes.into_iter().filter_map(|node| forbidden_crate(d, &table, node)).collect();
    d.check("crates", crates.iter().map(|c| &c.name), words::package_glob);
    let calls = d.strings(&table, "calls");
    d.check("calls", &calls, words::call_fragment);
    let strings = d.strings(&table, "strings");
    if table.entries.contains_key("packs") && ["packs", "crates", "calls", "strings"].iter().all(|k| table.is_vacant(k))
    {
        d.report(table.span, RulesError::NothingForbidden);
    }
    Some(Forbid { packs, crates, calls, strings })
}

const CRATES_WANTED: &str = "an array of names, or of tables with `name` and `reason`,";

fn packs(d: &mut Decoder<'_>, table: &Table<'_>) -> Vec<PackName> {
    if !table.entries.contains_key("packs") {
        return PackName::ALL.to_vec();
    }
    let words = PackName::ALL.map(PackName::word);
    let mut packs = Vec::new();
    for written in d.strings(table, "packs") {
        match PackName::parse(&written.value) {
            Some(pack) if packs.contains(&pack) => {}
            Some(pack) => packs.push(pack),
            None => {
                let nearest = d.nearest(&written.value, words);
                d.report(
                    written.span,
                    RulesError::UnknownWord {
                        what: "pack",
                        key: "packs",
                        written: written.value,
                        nearest,
                        known: listed(words),
                    },
                );
            }
        }
    }
    packs
}

fn forbidden_crate(d: &mut Decoder<'_>, table: &Table<'_>, node: &Node<'_>) -> Option<ForbiddenCrate> {
    if let Some(entry) = d.open(node, &CRATE) {
        let name = d.required(&entry, "name");
        let reason = d.string(&entry, "reason");
        return Some(ForbiddenCrate { name: name?, reason: reason.map(|reason| reason.value) });
    }
    if node.get_ref().is_str() {
        return Some(ForbiddenCrate { name: d.element(table, "crates", node)?, reason: None });
    }
    d.wrong_element(table, "crates", node, CRATES_WANTED);
    None
}
