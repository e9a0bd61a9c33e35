//! Statements that write: their scopes, and what is known where they do.

use sqlparser::ast::{
    Assignment, AssignmentTarget, Delete, Expr, FromTable, Insert, ObjectName, OnConflictAction, OnInsert, Query,
    SetExpr, TableFactor, TableObject, TableWithJoins, Update, UpdateTableFromKind,
};

use super::{
    analysis::Analysis,
    clock::Time,
    facts::{Branch, Branches, Facts, RelationId},
    scope::{Column, Kind, Origin, Relation, Rows, Shift, folded, parts},
};

/// The relation that is written is the first of the innermost scope.
const TARGET: usize = 0;

impl<'a> Analysis<'a, '_> {
    /// The relation that is written by the statement whose scope was opened last.
    pub(super) fn target(&self) -> RelationId {
        self.targets.last().copied().unwrap_or_default()
    }

    /// What is known before any condition: where the lease's own row is written, it is the one that is asked for.
    pub(super) fn known_of_target(&self) -> Branches {
        let name = if self.is_lease_written() { Facts::NAME } else { Facts::NONE };
        Branches::of(Branch { facts: [(self.target(), name)].into(), ..Branch::default() })
    }

    /// Opens a scope with the table that is written.
    pub(super) fn open(&mut self, table: &ObjectName, alias: Option<String>) {
        let name = parts(table);
        let kind = if self.rules.table.is(&name) { Kind::Lease } else { Kind::Target };
        self.targets.push((self.scopes.len(), TARGET));
        self.scopes.push(vec![Relation { name: alias.map_or(name, |alias| vec![alias]), kind }]);
    }

    /// Opens the scope of an `UPDATE`, and tells what is known where it writes. The caller closes it.
    pub(super) fn open_update(&mut self, update: &'a Update) -> Option<Branches> {
        let (table, alias) = named(&update.table)?;
        self.open(table, alias);
        let from = match &update.from {
            Some(UpdateTableFromKind::BeforeSet(from) | UpdateTableFromKind::AfterSet(from)) => self.from(from),
            None => Branches::unknown(),
        };
        Some(self.known_of_target().and(&from).and(&self.holds(update.selection.as_ref())))
    }

    /// The same for a `DELETE`.
    pub(super) fn open_delete(&mut self, delete: &'a Delete) -> Option<Branches> {
        let (table, alias) = named(deleted_from(delete)?)?;
        self.open(table, alias);
        let using = self.from(delete.using.as_deref().unwrap_or_default());
        Some(self.known_of_target().and(&using).and(&self.holds(delete.selection.as_ref())))
    }

    /// The same for the update that an `INSERT` turns into `ON CONFLICT`.
    pub(super) fn open_conflict(
        &mut self,
        insert: &'a Insert,
        rows: &Rows,
        selection: Option<&'a Expr>,
    ) -> Option<Branches> {
        let TableObject::TableName(table) = &insert.table else { return None };
        self.open(table, insert.table_alias.as_ref().map(|alias| folded(&alias.alias)));
        let names = insert.columns.iter().map(|name| parts(name).pop());
        let exprs = insert.source.as_deref().map(proposed).unwrap_or_default();
        let exprs = exprs.into_iter().map(Some).chain(std::iter::repeat(None));
        let origins = rows.columns.iter().map(|column| column.origin.clone());
        let columns =
            names.zip(origins).zip(exprs).map(|((name, origin), expr)| (Column { name, origin }, expr)).collect();
        let excluded = Relation { name: vec!["excluded".to_owned()], kind: Kind::Excluded(columns) };
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(excluded);
        }
        Some(self.holds(selection))
    }

    pub(super) fn close(&mut self) {
        self.targets.pop();
        self.scopes.pop();
    }

    /// The rows that an `UPDATE` returns.
    pub(super) fn updated(&mut self, update: &'a Update) -> Rows {
        let Some(known) = self.open_update(update) else { return Rows::default() };
        let mut rows = self.rows(&known, update.returning.as_deref().unwrap_or_default());
        rows.is_held |= self.is_grant(&known, &update.assignments);
        rows.is_locked = true;
        self.close();
        rows
    }

    /// The rows that a `DELETE` returns.
    pub(super) fn deleted(&mut self, delete: &'a Delete) -> Rows {
        let Some(known) = self.open_delete(delete) else { return Rows::default() };
        let rows = self.rows(&known, delete.returning.as_deref().unwrap_or_default());
        self.close();
        Rows { is_locked: true, ..rows }
    }

    /// The rows that an `INSERT` returns.
    pub(super) fn inserted(&mut self, insert: &'a Insert) -> Rows {
        let source = insert.source.as_deref().map(|query| self.query(query)).unwrap_or_default();
        let mut is_held = source.is_held && !source.always_a_row;
        let update = match &insert.on {
            Some(OnInsert::OnConflict(conflict)) => match &conflict.action {
                OnConflictAction::DoUpdate(update) => Some(update),
                OnConflictAction::DoNothing => None,
            },
            _ => None,
        };
        let selection = update.and_then(|update| update.selection.as_ref());
        let Some(known) = self.open_conflict(insert, &source, selection) else { return Rows::default() };
        if self.is_lease_written() {
            // A row of the lease's table that was not there, or was updated as a grant.
            is_held |= update.is_none_or(|update| self.is_grant(&known, &update.assignments));
        }
        let mut rows = self.rows(
            &Branches::of(Branch { is_held, ..Branch::default() }),
            insert.returning.as_deref().unwrap_or_default(),
        );
        rows.facts = Facts::NONE;
        self.close();
        rows
    }

    /// Whether an update of the lease's row has just granted it to the writer: rows that it returns are there only
    /// if the grant was made.
    fn is_grant(&mut self, known: &Branches, assignments: &'a [Assignment]) -> bool {
        let target = self.target();
        if !self.is_lease_written() {
            return false;
        }
        let holder = assigned(assignments, &self.rules.holder);
        let is_to_writer = holder.is_some_and(|value| self.writers(value).is_some());
        let until = assigned(assignments, &self.rules.expires).map(|value| self.time(value));
        let may_take = |branch: &Branch| {
            let facts = branch.of(target);
            facts.has(Facts::EXPIRED) || facts.has(Facts::FREE) || facts.has(Facts::HOLDER)
        };
        is_to_writer && matches!(until, Some(Time::Clock(Shift::Later) | Time::Writer)) && known.all(may_take)
    }

    /// Whether the statement whose scope is open writes to the lease's table.
    pub(super) fn is_lease_written(&self) -> bool {
        let target = self.scopes.last().and_then(|scope| scope.get(TARGET));
        matches!(target, Some(Relation { kind: Kind::Lease, .. }))
    }

    /// The origin of a column that an `INSERT` proposed.
    pub(super) fn proposed_origin(&self, column: &str) -> Option<Origin> {
        self.scopes.last()?.iter().find_map(|relation| match &relation.kind {
            Kind::Excluded(columns) => {
                let found = columns.iter().find(|(known, _)| known.name.as_deref() == Some(column));
                found.map(|(known, _)| known.origin.clone())
            }
            _ => None,
        })
    }
}

/// The table and its alias.
pub(super) fn named(tables: &TableWithJoins) -> Option<(&ObjectName, Option<String>)> {
    match &tables.relation {
        TableFactor::Table { name, alias, .. } => Some((name, alias.as_ref().map(|alias| folded(&alias.name)))),
        _ => None,
    }
}

/// The table that a `DELETE` deletes from.
pub(super) fn deleted_from(delete: &Delete) -> Option<&TableWithJoins> {
    match &delete.from {
        FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables) => tables.first(),
    }
}

/// What is assigned to a column, the last time that it is.
pub(super) fn assigned<'a>(assignments: &'a [Assignment], column: &str) -> Option<&'a Expr> {
    let is = |name: &ObjectName| parts(name).last().is_some_and(|last| last == column);
    assignments.iter().rev().find_map(|assignment| match &assignment.target {
        AssignmentTarget::ColumnName(name) => is(name).then_some(&assignment.value),
        AssignmentTarget::Tuple(names) => {
            let at = names.iter().position(is)?;
            match super::condition::bare(&assignment.value) {
                Expr::Tuple(values) => values.get(at),
                // A row of a query: it is not known which value.
                other => Some(other),
            }
        }
    })
}

/// The expressions of a row that an `INSERT` proposes, where it is one of one kind.
pub(super) fn proposed(query: &Query) -> Vec<&Expr> {
    match &*query.body {
        SetExpr::Values(values) => match values.rows.as_slice() {
            [row] => row.content.iter().collect(),
            _ => Vec::new(),
        },
        SetExpr::Select(select) => {
            let exprs = select.projection.iter().map(|item| match item {
                sqlparser::ast::SelectItem::UnnamedExpr(expr)
                | sqlparser::ast::SelectItem::ExprWithAlias { expr, .. } => Some(expr),
                _ => None,
            });
            exprs.collect::<Option<_>>().unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// All expressions that an `INSERT` proposes for the column at a place.
pub(super) fn proposed_at(query: &Query, at: usize) -> Vec<&Expr> {
    match &*query.body {
        SetExpr::Values(values) => values.rows.iter().filter_map(|row| row.content.get(at)).collect(),
        _ => proposed(query).into_iter().nth(at).into_iter().collect(),
    }
}
