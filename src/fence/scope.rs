//! The relations that a name can mean, and what is known of their columns.

use std::collections::BTreeSet;

use sqlparser::ast::{Expr, Ident, ObjectName, ObjectNamePart};

use super::{
    facts::{Facts, Miss, RelationId},
    rules::{FenceRules, fold},
};

/// A column of the lease's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LeaseColumn {
    Holder,
    Epoch,
    Expires,
    /// Any other, by its folded name: one of them is the lease's name.
    Key(String),
}

/// Which way a time is off from a clock or an expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    None,
    Later,
    Earlier,
}

/// Where the values of a column come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// From the lease's row.
    Lease(LeaseColumn),
    /// From the program: a parameter, or something made of literals alone. Its spelling, where two of the
    /// same spelling are the same value.
    Writer(Option<String>),
    /// From the database's clock.
    Clock(Shift),
    /// A column of the table that is written, by its folded name.
    Own(String),
    /// Anything else.
    Unknown,
}

/// What is known of the rows of a query, a common table expression, or a statement that returns rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// A row is there only where the writer holds the lease.
    pub(super) is_held: bool,
    /// What is known of the lease's row behind each row.
    pub(super) facts: Facts,
    /// The lease's row behind each row is locked against other writers.
    pub(super) is_locked: bool,
    /// A row is there whatever the conditions say: `SELECT count(*) ...`.
    pub(super) always_a_row: bool,
    /// The columns, as far as they are known.
    pub(super) columns: Vec<Column>,
    /// Whether all columns of the lease's table are among them, under their own names (`SELECT *`).
    pub(super) is_whole_lease: bool,
    /// What looked like a guard on the way.
    pub(super) misses: BTreeSet<Miss>,
}

/// A column of a query.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its name, folded.
    pub(super) name: Option<String>,
    pub(super) origin: Origin,
}

/// A table, or what stands for one.
#[derive(Clone, Debug)]
pub(super) struct Relation<'a> {
    /// By which it is called: the alias, or the table's name with its schema; folded.
    pub(super) name: Vec<String>,
    pub(super) kind: Kind<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    /// The lease's table.
    Lease,
    /// The table that is written, if it is not the lease's.
    Target,
    /// What an `INSERT` proposed: each column with its origin and its expression.
    Excluded(Vec<(Column, Option<&'a Expr>)>),
    /// A query, or a function in `FROM`.
    Derived(Rows),
    /// Another table.
    Other,
}

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    pub(super) relation: RelationId,
    pub(super) origin: Origin,
    /// It has no table's name, and more than one table could have it.
    pub(super) is_guess: bool,
}

impl Relation<'_> {
    fn is_called(&self, qualifier: &[String]) -> bool {
        !qualifier.is_empty() && self.name.iter().rev().zip(qualifier.iter().rev()).all(|(a, b)| a == b)
    }

    /// What a column of this relation is; `None` if it has no such column.
    pub(super) fn column(&self, name: &str, rules: &FenceRules) -> Option<Origin> {
        match &self.kind {
            Kind::Lease => Some(Origin::Lease(lease_column(name, rules))),
            Kind::Target => Some(Origin::Own(name.to_owned())),
            Kind::Excluded(columns) => {
                let found = columns.iter().find(|(column, _)| column.name.as_deref() == Some(name));
                Some(found.map_or(Origin::Unknown, |(column, _)| column.origin.clone()))
            }
            Kind::Derived(rows) => {
                let found = rows.columns.iter().find(|column| column.name.as_deref() == Some(name));
                found
                    .map(|column| column.origin.clone())
                    .or_else(|| rows.is_whole_lease.then(|| Origin::Lease(lease_column(name, rules))))
            }
            Kind::Other => Some(Origin::Unknown),
        }
    }

    /// Whether it surely has the column, as far as names tell.
    fn surely_has(&self, name: &str, rules: &FenceRules) -> bool {
        match &self.kind {
            Kind::Lease => [&rules.holder, &rules.epoch, &rules.expires].into_iter().any(|column| column == name),
            Kind::Derived(rows) => {
                rows.columns.iter().any(|column| column.name.as_deref() == Some(name))
                    || rows.is_whole_lease && !matches!(lease_column(name, rules), LeaseColumn::Key(_))
            }
            Kind::Target | Kind::Excluded(_) | Kind::Other => false,
        }
    }
}

fn lease_column(name: &str, rules: &FenceRules) -> LeaseColumn {
    match name {
        name if name == rules.holder => LeaseColumn::Holder,
        name if name == rules.epoch => LeaseColumn::Epoch,
        name if name == rules.expires => LeaseColumn::Expires,
        name => LeaseColumn::Key(name.to_owned()),
    }
}

/// What a column's name means, from the innermost scope outwards, as SQL resolves it. The columns of tables are
/// not known, so a name alone is given to the relation that it suits best.
pub(super) fn resolve(scopes: &[Vec<Relation<'_>>], name: &[String], rules: &FenceRules) -> Option<Resolved> {
    let (column, qualifier) = name.split_last()?;
    for (depth, scope) in scopes.iter().enumerate().rev() {
        let found = |at: usize, is_guess| {
            let origin = scope.get(at)?.column(column, rules)?;
            Some(Resolved { relation: (depth, at), origin, is_guess })
        };
        if !qualifier.is_empty() {
            match scope.iter().position(|relation| relation.is_called(qualifier)) {
                Some(at) => return found(at, false),
                None => continue,
            }
        }
        if let Some(at) = scope.iter().position(|relation| relation.surely_has(column, rules)) {
            return found(at, false);
        }
        let may_have = |relation: &Relation<'_>| {
            !matches!(relation.kind, Kind::Excluded(_)) && relation.column(column, rules).is_some()
        };
        let candidates: Vec<_> = scope.iter().enumerate().filter(|(_, relation)| may_have(relation)).collect();
        match candidates.as_slice() {
            [] => {}
            [(at, _)] => return found(*at, false),
            several => {
                let suits = |(_, relation): &&(usize, &Relation<'_>)| match relation.kind {
                    Kind::Lease | Kind::Derived(_) => sounds_like_a_lease(column),
                    Kind::Target => !sounds_like_a_lease(column),
                    Kind::Excluded(_) | Kind::Other => false,
                };
                let (at, _) = several.iter().find(suits).or(several.first())?;
                return found(*at, !sounds_like_a_lease(column));
            }
        }
    }
    None
}

/// Whether a column with this name is more likely the lease's key than a column of what it protects.
fn sounds_like_a_lease(column: &str) -> bool {
    ["name", "lease", "lock", "resource", "key", "shard", "partition", "topic", "role"]
        .iter()
        .any(|w| column.contains(w))
}

/// The folded parts of a table's name.
pub(super) fn parts(name: &ObjectName) -> Vec<String> {
    name.0.iter().filter_map(ObjectNamePart::as_ident).map(folded).collect()
}

/// The folded name of an identifier.
pub(super) fn folded(ident: &Ident) -> String {
    fold(&ident.value)
}
