//! The file as a whole: TOML, the table that the rules stand in, and its top level.

use std::collections::{BTreeMap, BTreeSet};

use toml::de::DeTable;

use super::{
    error::RulesError,
    exception, forbid,
    keys::{Key, Section, Shape},
    lease, lints,
    tree::{Decoder, Node, Table},
    words,
};
use crate::{
    base::{Files, Span},
    config::{Lease, Rules, RulesAt, rules_at::as_value},
    finding::Problem,
};

/// The top level.
pub(super) const ROOT: Section = Section {
    path: "",
    shape: Shape::Root,
    keys: &[
        Key { name: "source-roots", example: r#"source-roots = ["../shared"]"# },
        Key { name: "lease", example: "[[lease]]" },
        Key { name: "forbid", example: "[forbid]" },
        Key { name: "lints", example: "[lints]" },
        Key { name: "exception", example: "[[exception]]" },
    ],
};

/// Reads rules. `lints` are the names of all lints.
///
/// # Errors
/// Every problem of the file, in its order. Where the file is not valid TOML, only what is wrong
/// with that: the rest cannot be told.
pub fn decode(files: &Files, at: RulesAt, lints: &[&str]) -> Result<Rules, Vec<Problem>> {
    let source = files.get(at.file);
    let mut d = Decoder::new(files, at.file, at.table.path(), lints);
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    if !errors.is_empty() {
        for error in errors {
            report_syntax(&mut d, &source.text, &error);
        }
        return Err(d.into_problems());
    }
    let document = as_value(document);
    let rules = match at.table.find(&document) {
        Some(node) => rules(&mut d, node),
        None => {
            let title = lease::LEASE.title(d.prefix);
            d.report(d.span(0..0), RulesError::NoLease { title });
            None
        }
    };
    let problems = d.into_problems();
    match rules {
        Some(rules) if problems.is_empty() => Ok(rules),
        _ => Err(problems),
    }
}

fn report_syntax(d: &mut Decoder<'_>, text: &str, error: &toml::de::Error) {
    let range = error.span().unwrap_or(0..0);
    let word = text.get(range.clone()).unwrap_or_default().trim_matches(['"', '\'']).to_owned();
    let error = if error.message() == "duplicate key" && !word.is_empty() {
        RulesError::DuplicateKey { key: word }
    } else {
        RulesError::Syntax { message: error.message().to_owned() }
    };
    d.report(d.span(range), error);
}

fn rules(d: &mut Decoder<'_>, node: &Node<'_>) -> Option<Rules> {
    let Some(root) = d.open(node, &ROOT) else {
        d.wrong_value(d.prefix, node, "a table", "[workspace.metadata.lease-guard]");
        return None;
    };
    let source_roots = d.strings(&root, "source-roots");
    d.check("source-roots", &source_roots, words::folder);
    let tables = d.tables(&root, "lease", &lease::LEASE);
    let leases: Vec<Lease> = tables.iter().filter_map(|table| lease::decode(d, table)).collect();
    if root.is_vacant("lease") {
        let title = lease::LEASE.title(d.prefix);
        d.report(root.span, RulesError::NoLease { title });
    }
    let names = lease_names(d, &tables);
    let forbid = forbid::decode(d, &root);
    let lints = lints::decode(d, &root);
    let exceptions = exception::decode_all(d, &root, &names);
    Some(Rules { file: d.file, source_roots, leases, forbid: forbid?, lints, exceptions })
}

/// The names that exceptions can use, those of leases with problems included. Reports names that are
/// used twice.
fn lease_names(d: &mut Decoder<'_>, tables: &[Table<'_>]) -> BTreeSet<String> {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for table in tables {
        let Some(node) = table.entries.get("name") else { continue };
        let Some(name) = node.get_ref().as_str() else { continue };
        let span = d.span(node.span());
        if let Some(&earlier) = first.get(name) {
            let at = d.files.get(d.file);
            let place = at.line_column(earlier.start);
            let first = format!("{}:{}:{}", at.path, place.line, place.column);
            d.report(span, RulesError::DuplicateLease { name: name.to_owned(), first });
        } else {
            first.insert(name, span);
        }
    }
    first.into_keys().map(str::to_owned).collect()
}
