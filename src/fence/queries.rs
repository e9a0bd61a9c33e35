//! What the rows of a query say: whether they are there only while the lease is held.

use sqlparser::ast::{
    Cte, Expr, GroupByExpr, LockClause, LockType, Query, Select, SelectItem, SetExpr, SetOperator, Statement,
    TableAlias, TableFactor, Values, With,
};

use super::{
    analysis::{Analysis, is_aggregate},
    clock::{arguments, function_name},
    condition::{Condition, bare},
    facts::{Branch, Branches},
    scope::{Column, Kind, LeaseColumn, Origin, Relation, Rows, folded, parts},
};

impl<'a> Analysis<'a, '_> {
    /// The rows of a query. Each is looked at once.
    pub(super) fn query(&mut self, query: &'a Query) -> Rows {
        if let Some(rows) = self.seen.get(&std::ptr::from_ref(query)) {
            return rows.clone();
        }
        let (misses, best) = (std::mem::take(&mut self.misses), self.best.take());
        let outer = self.ctes.len();
        self.with(query.with.as_ref());
        let mut rows = self.body(&query.body);
        self.ctes.truncate(outer);
        rows.is_locked |= query.locks.iter().any(|lock| self.locks_the_lease(query, lock));
        rows.misses.extend(std::mem::replace(&mut self.misses, misses));
        self.best = best;
        self.seen.insert(std::ptr::from_ref(query), rows.clone());
        rows
    }

    /// Whether a clause locks the lease's rows behind those of a query: it reaches into what stands in `FROM`, but not
    /// into common table expressions, and not beyond the table that it names.
    fn locks_the_lease(&self, query: &Query, lock: &LockClause) -> bool {
        let SetExpr::Select(select) = &*query.body else { return false };
        let wanted = lock.of.as_ref().and_then(|name| parts(name).pop());
        let factors = select
            .from
            .iter()
            .flat_map(|tables| std::iter::once(&tables.relation).chain(tables.joins.iter().map(|join| &join.relation)));
        lock.lock_type == LockType::Update
            && factors.into_iter().any(|factor| match factor {
                TableFactor::Table { name, alias, .. } => {
                    let table = parts(name);
                    let called = alias.as_ref().map(|alias| folded(&alias.name)).or_else(|| table.last().cloned());
                    let is_cte = table.len() == 1 && self.ctes.iter().any(|(cte, _)| Some(cte) == table.first());
                    self.rules.table.is(&table) && !is_cte && (wanted.is_none() || wanted == called)
                }
                TableFactor::Derived { subquery, alias, .. } => {
                    let called = alias.as_ref().map(|alias| folded(&alias.name));
                    let whole = LockClause { of: None, ..lock.clone() };
                    (wanted.is_none() || wanted == called) && self.locks_the_lease(subquery, &whole)
                }
                _ => false,
            })
    }

    /// Brings common table expressions into scope.
    pub(super) fn with(&mut self, with: Option<&'a With>) {
        for cte in with.into_iter().flat_map(|with| &with.cte_tables) {
            self.with_one(cte);
        }
    }

    /// Brings one common table expression into scope.
    pub(super) fn with_one(&mut self, cte: &'a Cte) {
        let rows = self.query(&cte.query);
        self.ctes.push((folded(&cte.alias.name), renamed(rows, Some(&cte.alias))));
    }

    fn body(&mut self, body: &'a SetExpr) -> Rows {
        match body {
            SetExpr::Select(select) => self.select(select),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation { left, op, right, .. } => {
                let (left, right) = (self.body(left), self.body(right));
                match op {
                    SetOperator::Union => either(left, &right),
                    SetOperator::Intersect if right.is_held && !right.always_a_row => Rows { is_held: true, ..left },
                    _ => left,
                }
            }
            SetExpr::Values(values) => self.values(values),
            SetExpr::Insert(statement)
            | SetExpr::Update(statement)
            | SetExpr::Delete(statement)
            | SetExpr::Merge(statement) => self.returned(statement),
            SetExpr::Table(_) => Rows::default(),
        }
    }

    fn values(&mut self, values: &'a Values) -> Rows {
        let mut columns: Vec<Column> = Vec::new();
        for (row, at) in values.rows.iter().zip(0..) {
            for (expr, column) in row.content.iter().zip(0..) {
                let origin = self.origin(expr);
                match columns.get_mut(column) {
                    Some(known) if known.origin == origin => {}
                    Some(known) if at > 0 => {
                        // Of several rows each brings its own value.
                        let are_writers = matches!((&known.origin, &origin), (Origin::Writer(_), Origin::Writer(_)));
                        known.origin = if are_writers { Origin::Writer(None) } else { Origin::Unknown };
                    }
                    _ => columns.push(Column { name: Some(format!("column{}", column + 1)), origin }),
                }
            }
        }
        Rows { columns, ..Rows::default() }
    }

    fn select(&mut self, select: &'a Select) -> Rows {
        self.scopes.push(Vec::new());
        let known = self.from(&select.from);
        let known = known.and(&self.holds(select.selection.as_ref()));
        let is_grouped = match &select.group_by {
            GroupByExpr::Expressions(exprs, modifiers) => {
                !exprs.is_empty() && modifiers.is_empty() && !exprs.iter().any(may_group_all)
            }
            GroupByExpr::All(_) => true,
        };
        let exprs = || select.projection.iter().filter_map(item).map(|(expr, _)| expr);
        let counts = select.having.as_ref().is_some_and(is_count_of_some);
        let always_a_row = !is_grouped && !counts && exprs().chain(&select.having).any(has_aggregate);
        self.holds(select.having.as_ref());
        for expr in exprs() {
            // What is compared in what is selected may be a time, too.
            self.branches(&Condition::read(expr, false));
        }
        let rows = self.rows(&known, &select.projection);
        self.scopes.pop();
        Rows { always_a_row, ..rows }
    }

    /// The rows of the innermost scope where a condition holds.
    pub(super) fn rows(&mut self, known: &Branches, projection: &'a [SelectItem]) -> Rows {
        let common = known.common();
        let depth = self.scopes.len().saturating_sub(1);
        let leases = self.scopes.last().into_iter().flatten().zip(0..).filter_map(|(relation, at)| {
            let is_lease = match &relation.kind {
                Kind::Lease => true,
                Kind::Derived(rows) => rows.columns.iter().any(is_lease_column) || rows.is_whole_lease,
                _ => false,
            };
            is_lease.then(|| ((depth, at), common.of((depth, at))))
        });
        let best = leases.max_by_key(|(_, facts)| facts.of_held());
        let mut rows = Rows { is_held: known.all(Branch::holds), ..Rows::default() };
        if let Some(((_, at), facts)) = best {
            rows.facts = facts;
            rows.is_locked =
                match self.scopes.last().and_then(|scope| scope.get::<usize>(at)).map(|relation| &relation.kind) {
                    Some(Kind::Derived(inner)) => inner.is_locked,
                    _ => false,
                };
            self.note(facts);
        }
        for item_of in projection {
            let Some((expr, alias)) = item(item_of) else {
                rows.is_whole_lease = best.is_some();
                if let [Relation { kind: Kind::Derived(inner), .. }] = self.scopes.last().map_or(&[][..], Vec::as_slice)
                {
                    rows.columns.extend(inner.columns.clone());
                    rows.is_whole_lease = inner.is_whole_lease;
                }
                continue;
            };
            let mut origin = self.origin(expr);
            if matches!(origin, Origin::Lease(_)) && self.lease_of(expr) != best.map(|(id, _)| id) {
                origin = Origin::Unknown;
            }
            if matches!(origin, Origin::Own(_)) {
                origin = Origin::Unknown;
            }
            rows.columns.push(Column { name: alias.or_else(|| name_of(expr)), origin });
        }
        rows
    }

    /// The relation of the lease's column that an expression is, or takes the least or most of.
    fn lease_of(&self, expr: &Expr) -> Option<(usize, usize)> {
        let inner = match bare(expr) {
            Expr::Function(function) => arguments(function).first().copied(),
            other => Some(other),
        };
        self.column(inner?).map(|found| found.relation)
    }

    /// The rows that a statement within a query returns.
    fn returned(&mut self, statement: &'a Statement) -> Rows {
        match statement {
            Statement::Update(update) => self.updated(update),
            Statement::Delete(delete) => self.deleted(delete),
            Statement::Insert(insert) => self.inserted(insert),
            _ => Rows::default(),
        }
    }
}

fn is_lease_column(column: &Column) -> bool {
    matches!(
        column.origin,
        Origin::Lease(LeaseColumn::Holder | LeaseColumn::Epoch | LeaseColumn::Expires | LeaseColumn::Key(_))
    )
}

/// Rows of the one or of the other.
fn either(left: Rows, right: &Rows) -> Rows {
    let common = |(one, two): (&Column, &Column)| Column {
        name: one.name.clone(),
        origin: match (&one.origin, &two.origin) {
            (Origin::Writer(_), Origin::Writer(_)) => Origin::Writer(None),
            (one, two) if one == two => one.clone(),
            _ => Origin::Unknown,
        },
    };
    Rows {
        is_held: left.is_held && right.is_held,
        facts: left.facts.common(right.facts),
        is_locked: left.is_locked && right.is_locked,
        always_a_row: left.always_a_row || right.always_a_row,
        columns: left.columns.iter().zip(&right.columns).map(common).collect(),
        is_whole_lease: left.is_whole_lease && right.is_whole_lease,
        misses: left.misses.union(&right.misses).copied().collect(),
    }
}

/// With the names that an alias gives.
pub(super) fn renamed(mut rows: Rows, alias: Option<&TableAlias>) -> Rows {
    for (column, name) in rows.columns.iter_mut().zip(alias.into_iter().flat_map(|alias| &alias.columns)) {
        column.name = Some(folded(&name.name));
    }
    rows
}

/// What is selected, with its alias; `None` for `*`.
fn item(item: &SelectItem) -> Option<(&Expr, Option<String>)> {
    match item {
        SelectItem::UnnamedExpr(expr) => Some((expr, None)),
        SelectItem::ExprWithAlias { expr, alias } => Some((expr, Some(folded(alias)))),
        _ => None,
    }
}

fn name_of(expr: &Expr) -> Option<String> {
    match bare(expr) {
        Expr::Identifier(ident) => Some(folded(ident)),
        Expr::CompoundIdentifier(idents) => idents.last().map(folded),
        Expr::Function(function) => Some(function_name(function)),
        _ => None,
    }
}

/// Whether an expression makes one row of many.
fn has_aggregate(expr: &Expr) -> bool {
    use std::ops::ControlFlow;

    use sqlparser::ast::{Visit as _, Visitor};

    #[derive(Default)]
    struct Found {
        depth: usize,
    }
    impl Visitor for Found {
        type Break = ();

        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.depth += 1;
            ControlFlow::Continue(())
        }

        fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.depth = self.depth.saturating_sub(1);
            ControlFlow::Continue(())
        }

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Function(function)
                    if self.depth == 0 && function.over.is_none() && is_aggregate(&function_name(function)) =>
                {
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    expr.visit(&mut Found::default()).is_break()
}

/// Grouping by nothing gives a row whatever the condition says.
fn may_group_all(expr: &Expr) -> bool {
    match expr {
        Expr::Tuple(exprs) => exprs.is_empty(),
        Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_) => true,
        _ => false,
    }
}

/// `HAVING count(*) > 0` and the like.
fn is_count_of_some(having: &Expr) -> bool {
    use super::condition::Compare;
    let Condition::Compare(left, compare, right) = Condition::read(having, false) else { return false };
    let is_count = |expr: &Expr| matches!(bare(expr), Expr::Function(function) if function_name(function) == "count");
    let number = |expr: &Expr| match bare(expr) {
        Expr::Value(value) => value.value.to_string().parse::<u64>().ok(),
        _ => None,
    };
    let (compare, number) = if is_count(left) {
        (compare, number(right))
    } else if is_count(right) {
        (compare.turned(), number(left))
    } else {
        return false;
    };
    matches!(
        (compare, number),
        (Compare::More, Some(_)) | (Compare::MoreOrEqual | Compare::Equal, Some(1..)) | (Compare::NotEqual, Some(0))
    )
}
