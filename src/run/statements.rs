//! The SQL of all local packages, judged against the fence of a lease.

use crate::{
    config::Fence,
    fence::{FenceRules, TableName, judge},
    lints::Sql,
    resolve::{SourceString, Strings},
    source::deep,
    types::Reader,
};

/// What the SQL of the local packages says of one lease's tables.
#[derive(Debug, Default)]
pub struct Statements {
    /// What is wrong, and what could not be read.
    pub sql: Sql,
    /// How many strings name one of the tables.
    pub judged: usize,
    /// Protected tables that no string names, as the rules write them.
    pub unnamed: Vec<String>,
}

/// Judges every string that names a table of the fence.
pub(super) fn statements(reader: &mut Reader<'_>, fence: &Fence) -> Statements {
    use rayon::prelude::*;
    let rules = FenceRules::from(fence);
    let words = rules.words();
    let Strings { found, unread } = reader.strings_with(&words);
    let named = |table: &TableName| found.iter().any(|string| table.is_named_in(string.map.value()));
    let unnamed = rules.protects.iter().filter(|table| !named(table)).map(|table| table.written.clone()).collect();
    let judged = deep(|| {
        let of_one = |string: &SourceString| {
            let findings = judge(string.map.value(), &rules).into_iter();
            findings.map(|finding| (string.place(finding.range.into()), finding)).collect::<Vec<_>>()
        };
        found.par_iter().map(of_one).collect::<Vec<_>>()
    });
    let sql = Sql { found: judged.into_iter().flatten().collect(), unread };
    Statements { sql, judged: found.len(), unnamed }
}

/// What is to be told of a lease whose protected tables no SQL names.
pub(super) fn unnamed_note(lease: &str, tables: &[String]) -> Option<String> {
    let named: Vec<String> = tables.iter().map(|table| format!("`{table}`")).collect();
    (!named.is_empty()).then(|| {
        format!(
            "lease `{lease}`: no SQL in the local packages names {}, so nothing was judged of how it is written \
             (SQL that a query builder puts together cannot be seen)",
            named.join(" or ")
        )
    })
}
