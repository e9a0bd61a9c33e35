//! `[[exception]]`: findings that are forgiven.

use std::collections::BTreeSet;

use super::{
    dates,
    error::{RulesError, listed},
    keys::{Key, Section, Shape},
    lints,
    tree::{Decoder, Table},
    words,
};
use crate::config::Exception;

/// `[[exception]]`.
pub(super) const EXCEPTION: Section = Section {
    path: "exception",
    shape: Shape::Tables,
    keys: &[
        Key { name: "lint", example: r#"lint = "forbidden-dependency""# },
        Key { name: "subject", example: r#"subject = "hyper""# },
        Key { name: "lease", example: r#"lease = "order-writer""# },
        Key { name: "file", example: r#"file = "crates/orders/src/health.rs""# },
        Key { name: "reason", example: r#"reason = "the metrics shim is being moved out""# },
        Key { name: "until", example: "until = 2027-01-31" },
    ],
};

pub(super) fn decode_all(d: &mut Decoder<'_>, root: &Table<'_>, leases: &BTreeSet<String>) -> Vec<Exception> {
    let tables = d.tables(root, "exception", &EXCEPTION);
    tables.iter().filter_map(|table| decode(d, table, leases)).collect()
}

fn decode(d: &mut Decoder<'_>, table: &Table<'_>, leases: &BTreeSet<String>) -> Option<Exception> {
    let lint = d.required(table, "lint");
    if let Some(lint) = &lint {
        lints::check_lint(d, "lint", lint);
    }
    let subject = d.required(table, "subject");
    let lease = d.string(table, "lease");
    if let Some(lease) = lease.as_ref().filter(|lease| !leases.contains(&lease.value)) {
        let (what, key, written) = ("lease", "lease", lease.value.clone());
        let nearest = d.nearest(&written, leases.iter().map(String::as_str));
        let known = listed(leases.iter().map(String::as_str).take(8));
        d.report(lease.span, RulesError::UnknownWord { what, key, written, nearest, known });
    }
    let file = d.string(table, "file");
    d.check("file", &file, words::file_glob);
    let reason = d.required(table, "reason");
    let until = dates::day(d, table, "until");
    Some(Exception { lint: lint?, subject: subject?, lease, file, reason: reason?.value, until, span: table.span })
}
