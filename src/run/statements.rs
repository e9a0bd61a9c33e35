//! The SQL of all local packages, judged against the fence of a lease.

use crate::{
    base::Spanned,
    config::Fence,
    fence::{FenceRules, TableName, judge, names_word},
    finding::Problem,
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
    /// Tables of the fence that no string names, as the rules write them.
    pub unnamed_tables: Vec<String>,
    /// Columns of the lease's table that no string with the table names, as the rules write them.
    pub unnamed_columns: Vec<String>,
}

/// Judges every string that names a table of the fence.
///
/// # Errors
/// None does, so that there is nothing to judge.
pub(super) fn statements(reader: &mut Reader<'_>, fence: &Fence) -> Result<Statements, Problem> {
    use rayon::prelude::*;
    let rules = FenceRules::from(fence);
    let Strings { found, unread } = reader.strings_with(&rules.words());
    let naming = |table: &TableName| -> Vec<&str> {
        found.iter().map(|string| string.map.value()).filter(|sql| table.is_named_in(sql)).collect()
    };
    let tables = std::iter::once(&rules.table).chain(&rules.protects);
    let unnamed_tables: Vec<String> =
        tables.filter(|table| naming(table).is_empty()).map(|table| table.written.clone()).collect();
    if unnamed_tables.len() == 1 + rules.protects.len() && unread.is_empty() {
        return Err(nothing_to_judge(fence));
    }
    let of_lease = naming(&rules.table);
    let is_unnamed =
        |column: &&Spanned<String>| !of_lease.is_empty() && !of_lease.iter().any(|sql| names_word(sql, &column.value));
    let columns = [&fence.holder, &fence.epoch, &fence.expires].into_iter().filter(is_unnamed);
    let unnamed_columns = columns.map(|column| column.value.clone()).collect();
    let judged = deep(|| {
        let of_one = |string: &SourceString| {
            let findings = judge(string.map.value(), &rules).into_iter();
            findings.map(|finding| (string.place(finding.range.into()), finding)).collect::<Vec<_>>()
        };
        found.par_iter().map(of_one).collect::<Vec<_>>()
    });
    let sql = Sql { found: judged.into_iter().flatten().collect(), unread };
    Ok(Statements { sql, judged: found.len(), unnamed_tables, unnamed_columns })
}

fn nothing_to_judge(fence: &Fence) -> Problem {
    let protected: Vec<String> = fence.protects.iter().map(|table| format!(" or `{}`", table.value)).collect();
    Problem {
        message: format!(
            "no SQL in the local packages names `{}`{}, so there is nothing to judge the fence by",
            fence.table.value,
            protected.concat()
        ),
        place: Some(fence.table.span),
        help: "write the tables as the SQL names them; where a query builder puts the SQL together it cannot be seen, \
               and `[lease.fence]` does not apply"
            .to_owned(),
    }
}

/// What is to be told of names in the fence that no SQL has.
pub(super) fn unnamed_notes(lease: &str, statements: &Statements) -> Vec<String> {
    let listed = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
    let mut notes = Vec::new();
    if !statements.unnamed_tables.is_empty() {
        notes.push(format!(
            "lease `{lease}`: no SQL in the local packages names {}, so nothing was judged of how it is written (SQL \
             that a query builder puts together cannot be seen)",
            listed(&statements.unnamed_tables)
        ));
    }
    if !statements.unnamed_columns.is_empty() {
        notes.push(format!(
            "lease `{lease}`: no SQL on the lease's table names its column {}; look at its spelling in `[lease.fence]`",
            listed(&statements.unnamed_columns)
        ));
    }
    notes
}
