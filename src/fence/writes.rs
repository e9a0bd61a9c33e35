//! Writes to protected tables: whether a stale holder's is refused.
//!
//! Two kinds of fence are known. The one asks, in the statement that writes, for the lease's row by
//! name, holder, epoch and unexpired: after a takeover it is another row, and nothing is written. The
//! other stands in the protected table itself: a column that holds the epoch of the last write, that
//! each write compares with its own and sets, and that only rises.

use sqlparser::ast::{
    Assignment, Delete, Expr, Insert, Merge, MergeAction, MergeClauseKind, MergeInsertKind, MergeUpdateKind,
    ObjectName, OnConflictAction, OnInsert, Spanned, TableFactor, TableObject, Update,
};

use super::{
    analysis::Analysis,
    clock::{arguments, function_name, is_negative},
    condition::{Condition, bare},
    facts::{Branch, Branches, Facts, Miss, Own},
    finding::{RenewalFault, SqlKind},
    scope::{Origin, Resolved, folded, parts},
    statements::{assigned, deleted_from, named},
};

impl<'a> Analysis<'a, '_> {
    /// Forgets what looked like a guard in the write before.
    fn start(&mut self) {
        self.misses.clear();
        self.best = None;
    }

    fn report_unfenced(&mut self, verb: &str, table: &ObjectName) {
        let Some(protected) = self.rules.protected(&parts(table)).map(|table| table.written.clone()) else { return };
        let mut why = match self.best {
            Some(facts) if facts.has(Facts::HELD) => {
                format!("this {verb} asks for the lease's row, but writes also where it is not there")
            }
            Some(facts) if facts.of_held() > 0 => {
                format!("this {verb} asks for the lease's row, but not for {}", facts.missing())
            }
            _ => {
                format!("this {verb} carries no fence: it neither asks for the lease's row nor compares a fence column")
            }
        };
        for miss in &self.misses {
            why.push_str("; ");
            why.push_str(miss.words());
        }
        self.report(SqlKind::UnfencedWrite, table.span(), &protected, why);
    }

    /// Whether every way in which a statement writes carries the fence. `assignments` is `None` where rows go.
    fn is_fenced(&mut self, known: &Branches, assignments: Option<&'a [Assignment]>) -> bool {
        known.0.iter().all(|branch| branch.holds() || self.is_own_fence(branch, assignments))
    }

    fn is_own_fence(&mut self, branch: &Branch, assignments: Option<&'a [Assignment]>) -> bool {
        branch.own.iter().any(|(column, own)| {
            // Rows that no fence was ever set on are not kept by one.
            let Some(assignments) = assignments else { return !matches!(own, Own::Unset) };
            let Some(value) = assigned(assignments, column) else {
                let stays = matches!(own, Own::Same(_));
                self.misses.extend((!stays).then_some(Miss::OwnNotStored));
                return stays;
            };
            let rises = self.rises_to(column, own, value);
            self.misses.extend((!rises).then_some(Miss::OwnLowered));
            rises
        })
    }

    /// Whether a fence column is set to the value that it was compared with, or to more than it was.
    fn rises_to(&mut self, column: &str, own: &Own, value: &'a Expr) -> bool {
        let is_column = |found: Option<Resolved>| {
            found.is_some_and(|found| matches!(found.origin, Origin::Own(name) if name == column))
        };
        match bare(value) {
            Expr::Function(function) if function_name(function) == "greatest" => {
                arguments(function).into_iter().any(|argument| is_column(self.column(argument)))
            }
            Expr::BinaryOp { left, op: sqlparser::ast::BinaryOperator::Plus, right } => {
                is_column(self.column(left)) && matches!(bare(right), Expr::Value(_)) && !is_negative(right)
            }
            _ => match (self.origin(value), own) {
                (Origin::Own(name), Own::Same(_)) => name == column,
                (Origin::Writer(ours), Own::AtMost(theirs) | Own::Same(theirs)) => {
                    // Two parameters of a driver that counts them may be the same value.
                    ours == *theirs || ours.is_none() || theirs.is_none()
                }
                (Origin::Writer(_), Own::Unset) => true,
                _ => false,
            },
        }
    }

    /// Whether the lease's table is written, and is none of the protected ones as well.
    fn is_lease_alone(&self, table: &ObjectName) -> bool {
        self.is_lease_written() && self.rules.protected(&parts(table)).is_none()
    }

    pub(super) fn judge_update(&mut self, update: &'a Update) {
        self.start();
        let Some((table, _)) = named(&update.table) else { return };
        let Some(known) = self.open_update(update) else { return };
        if self.is_lease_alone(table) {
            self.judge_lease_update(&known, &update.assignments, table);
        } else if self.is_lease_written() && self.is_renewal(&update.assignments) {
            self.judge_renewal(&known, &update.assignments, table);
        } else if !self.is_fenced(&known, Some(&update.assignments)) {
            self.report_unfenced("UPDATE", table);
        }
        self.close();
    }

    pub(super) fn judge_delete(&mut self, delete: &'a Delete) {
        self.start();
        let Some((table, _)) = deleted_from(delete).and_then(named) else { return };
        let Some(known) = self.open_delete(delete) else { return };
        if self.is_lease_alone(table) {
            self.judge_end(&known, table);
        } else if !self.is_fenced(&known, None) {
            self.report_unfenced("DELETE", table);
        }
        self.close();
    }

    pub(super) fn judge_insert(&mut self, insert: &'a Insert) {
        self.start();
        let TableObject::TableName(table) = &insert.table else { return };
        let rows = insert.source.as_deref().map(|query| self.used(query)).unwrap_or_default();
        let is_held = rows.is_held && !rows.always_a_row;
        if rows.is_held && rows.always_a_row {
            self.misses.insert(Miss::AlwaysARow);
        }
        let update = match &insert.on {
            Some(OnInsert::OnConflict(conflict)) => match &conflict.action {
                OnConflictAction::DoUpdate(update) => Some(update),
                OnConflictAction::DoNothing => None,
            },
            _ => None,
        };
        let selection = update.and_then(|update| update.selection.as_ref());
        let Some(known) = self.open_conflict(insert, &rows, selection) else { return };
        if self.is_lease_written() {
            self.judge_proposed(insert);
            if let Some(update) = update.filter(|update| self.is_renewal(&update.assignments)) {
                self.judge_renewal(&known, &update.assignments, table);
            }
            self.close();
            return;
        }
        let is_upsert = update.is_some_and(|update| {
            let stores = |branch: &Branch| {
                let mut columns = branch.own.keys();
                columns.any(|column| matches!(self.proposed_origin(column), Some(Origin::Writer(_))))
            };
            known.all(stores) && known.0.iter().all(|branch| self.is_own_fence(branch, Some(&update.assignments)))
        });
        if !is_held && !is_upsert {
            if update.is_some() && known.all(Branch::holds) {
                self.misses.insert(Miss::OnlyOnConflict);
            }
            self.report_unfenced("INSERT", table);
        }
        self.close();
    }

    pub(super) fn judge_merge(&mut self, merge: &'a Merge) {
        self.start();
        let TableFactor::Table { name: table, alias, .. } = &merge.table else { return };
        self.open(table, alias.as_ref().map(|alias| folded(&alias.name)));
        let source = self.relation(&merge.source);
        let on = self.holds(Some(&merge.on));
        let (mut before_matched, mut before_missing) = (Branches::unknown(), Branches::unknown());
        let (mut is_fenced, mut is_own) = (true, false);
        for clause in &merge.clauses {
            let is_matched = clause.clause_kind == MergeClauseKind::Matched;
            let before = if is_matched { &before_matched } else { &before_missing };
            let mut known = self.holds(clause.predicate.as_ref()).and(before);
            match clause.clause_kind {
                MergeClauseKind::Matched => known = known.and(&source).and(&on),
                MergeClauseKind::NotMatched | MergeClauseKind::NotMatchedByTarget => known = known.and(&source),
                // Rows of the table that no row of the source fits: an empty source fits none.
                MergeClauseKind::NotMatchedBySource => {}
            }
            match &clause.action {
                MergeAction::Update(update) => {
                    let MergeUpdateKind::Set(assignments) = &update.kind else { continue };
                    if self.is_lease_alone(table) {
                        self.judge_lease_update(&known, assignments, table);
                    } else if self.is_lease_written() && self.is_renewal(assignments) {
                        self.judge_renewal(&known, assignments, table);
                    } else {
                        is_own |= known.0.iter().all(|branch| self.is_own_fence(branch, Some(assignments)));
                        is_fenced &= self.is_fenced(&known, Some(assignments));
                    }
                }
                MergeAction::Delete { .. } => is_fenced &= self.is_fenced(&known, None),
                MergeAction::Insert(insert) => {
                    let stores = insert.columns.iter().zip(0..).any(|(column, at)| {
                        let is_fence = parts(column).last().is_some_and(|column| self.rules.is_fence_column(column));
                        let MergeInsertKind::Values(values) = &insert.kind else { return false };
                        let value = values.rows.first().and_then(|row| row.content.get::<usize>(at));
                        is_fence && value.is_some_and(|value| self.writers(value).is_some())
                    });
                    // As in an upsert: a row that is not there yet has seen no epoch.
                    is_fenced &= known.all(Branch::holds) || is_own && stores;
                }
                MergeAction::DoNothing { .. } => {}
            }
            if let Some(predicate) = &clause.predicate {
                let not_before = self.branches(&Condition::read(predicate, true));
                let before = if is_matched { &mut before_matched } else { &mut before_missing };
                *before = before.clone().and(&not_before);
            }
        }
        if !is_fenced {
            self.report_unfenced("MERGE", table);
        }
        self.close();
    }

    /// A write that can have no condition.
    pub(super) fn judge_bare(&mut self, verb: &str, table: &ObjectName) {
        self.start();
        if verb == "TRUNCATE" && self.rules.table.is(&parts(table)) {
            self.report_renewal(RenewalFault::EndsAnyones, Facts::default(), table);
        }
        self.report_unfenced(verb, table);
    }
}
