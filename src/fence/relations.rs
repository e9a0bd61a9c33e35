//! What stands in `FROM`: the relations, and what their joins say.

use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, JoinConstraint, JoinOperator, ObjectName, TableAlias, TableFactor,
    TableWithJoins,
};

use super::{
    analysis::Analysis,
    facts::{Branch, Branches, Facts, Miss},
    queries::renamed,
    scope::{Column, Kind, LeaseColumn, Origin, Relation, Rows, folded, parts},
};

impl<'a> Analysis<'a, '_> {
    /// Brings the relations of a `FROM` into the innermost scope, and tells what their joins say.
    pub(super) fn from(&mut self, from: &'a [TableWithJoins]) -> Branches {
        from.iter().fold(Branches::unknown(), |known, tables| {
            let joined = self.joined(tables);
            known.and(&joined)
        })
    }

    fn joined(&mut self, tables: &'a TableWithJoins) -> Branches {
        let start = self.scopes.last().map_or(0, Vec::len);
        let mut known = self.relation(&tables.relation);
        for join in &tables.joins {
            let middle = self.scopes.last().map_or(0, Vec::len);
            let (is_left_kept, is_right_kept, constraint) = match &join.join_operator {
                JoinOperator::Join(c)
                | JoinOperator::Inner(c)
                | JoinOperator::CrossJoin(c)
                | JoinOperator::StraightJoin(c) => (false, false, Some(c)),
                JoinOperator::Left(c) | JoinOperator::LeftOuter(c) => (true, false, Some(c)),
                JoinOperator::Right(c) | JoinOperator::RightOuter(c) => (false, true, Some(c)),
                _ => (true, true, None),
            };
            let of_right = self.relation(&join.relation);
            let on = match constraint {
                Some(JoinConstraint::On(expr)) => self.holds(Some(expr)),
                Some(JoinConstraint::Using(columns)) => Branches::of(self.shared(start..middle, middle, columns)),
                _ => Branches::unknown(),
            };
            if !is_left_kept && !is_right_kept {
                known = known.and(&of_right).and(&on);
                continue;
            }
            if is_right_kept {
                self.may_be_missing(start..middle);
                known = if is_left_kept { Branches::unknown() } else { of_right };
            }
            if is_left_kept {
                self.may_be_missing(middle..usize::MAX);
            }
        }
        known
    }

    /// What `USING` says: the columns of the relation at `right` are those of one before it.
    fn shared(&self, left: std::ops::Range<usize>, right: usize, columns: &[ObjectName]) -> Branch {
        let mut known = Branch::default();
        let Some(scope) = self.scopes.last() else { return known };
        let depth = self.scopes.len() - 1;
        for name in columns.iter().filter_map(|column| parts(column).pop()) {
            let of = |at: usize| scope.get(at).and_then(|relation| relation.column(&name, self.rules));
            for at in left.clone() {
                let ((lease, column), other) = match (of(at), of(right)) {
                    (Some(Origin::Lease(column)), Some(other)) => ((at, column), other),
                    (Some(other), Some(Origin::Lease(column))) => ((right, column), other),
                    _ => continue,
                };
                known.add(
                    (depth, lease),
                    match (column, other) {
                        (LeaseColumn::Holder, Origin::Writer(_)) => Facts::HOLDER,
                        (LeaseColumn::Epoch, Origin::Writer(_)) => Facts::EPOCH,
                        (LeaseColumn::Key(_), Origin::Writer(_)) => Facts::NAME,
                        _ => Facts::NONE,
                    },
                );
            }
        }
        known
    }

    /// Notes a lease on the side of an outer join whose rows may be missing: that it is joined says nothing.
    fn may_be_missing(&mut self, range: std::ops::Range<usize>) {
        let is_lease = |relation: &Relation<'_>| match &relation.kind {
            Kind::Lease => true,
            Kind::Derived(rows) => rows.is_held || rows.facts != Facts::NONE,
            _ => false,
        };
        let mut relations = self.scopes.last().into_iter().flatten().zip(0..).filter(|(_, at)| range.contains(at));
        if relations.any(|(relation, _)| is_lease(relation)) {
            self.misses.insert(Miss::OuterJoin);
        }
    }

    /// Brings one relation into the innermost scope, and tells what its mere being there says.
    pub(super) fn relation(&mut self, factor: &'a TableFactor) -> Branches {
        let (kind, name) = match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let table = parts(name);
                let cte = self.ctes.iter().rev().find(|(cte, _)| [cte] == table.iter().collect::<Vec<_>>()[..]);
                let kind = match cte {
                    Some((_, rows)) => Kind::Derived(renamed(rows.clone(), alias.as_ref())),
                    None if self.rules.table.is(&table) => Kind::Lease,
                    None => Kind::Other,
                };
                (kind, alias.as_ref().map_or(table, |alias| vec![folded(&alias.name)]))
            }
            TableFactor::Derived { subquery, alias, .. } => {
                let rows = self.used(subquery);
                (Kind::Derived(renamed(rows, alias.as_ref())), aliased(alias.as_ref()))
            }
            TableFactor::NestedJoin { table_with_joins, .. } => return self.joined(table_with_joins),
            TableFactor::UNNEST { alias, array_exprs, .. } => {
                (self.function(&array_exprs.iter().collect::<Vec<_>>(), alias.as_ref()), aliased(alias.as_ref()))
            }
            TableFactor::Table { args: Some(args), alias, .. } => {
                let exprs: Vec<_> = args.args.iter().filter_map(argument).collect();
                (self.function(&exprs, alias.as_ref()), aliased(alias.as_ref()))
            }
            TableFactor::Function { args, alias, .. } => {
                let exprs: Vec<_> = args.iter().filter_map(argument).collect();
                (self.function(&exprs, alias.as_ref()), aliased(alias.as_ref()))
            }
            _ => (Kind::Other, Vec::new()),
        };
        let mut branch = Branch::default();
        if let Kind::Derived(rows) = &kind {
            let id = (self.scopes.len().saturating_sub(1), self.scopes.last().map_or(0, Vec::len));
            if rows.always_a_row {
                self.misses.extend(rows.is_held.then_some(Miss::AlwaysARow));
            } else {
                branch.is_held = rows.is_held;
                branch.add(id, rows.facts);
            }
            self.misses.extend(&rows.misses);
            if rows.facts != Facts::NONE {
                self.note(rows.facts);
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Relation { name, kind });
        }
        Branches::of(branch)
    }

    /// The rows of a function in `FROM`, such as `unnest($1::bigint[])`.
    fn function(&mut self, exprs: &[&'a Expr], alias: Option<&TableAlias>) -> Kind<'a> {
        let columns = exprs
            .iter()
            .map(|expr| {
                let origin = if self.is_writers(expr) { Origin::Writer(None) } else { Origin::Unknown };
                Column { name: alias.map(|alias| folded(&alias.name)), origin }
            })
            .collect();
        Kind::Derived(renamed(Rows { columns, ..Rows::default() }, alias))
    }
}

fn aliased(alias: Option<&TableAlias>) -> Vec<String> {
    alias.map(|alias| folded(&alias.name)).into_iter().collect()
}

fn argument(argument: &FunctionArg) -> Option<&Expr> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}
