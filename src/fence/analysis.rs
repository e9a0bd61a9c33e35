//! The state of judging one statement, and what its values are.

use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
};

use sqlparser::{
    ast::{Expr, Query, Spanned, Value, Visit, Visitor},
    tokenizer::Span,
};

use super::{
    clock::{Time, function_name},
    condition::bare,
    facts::{Facts, Miss, RelationId},
    finding::{SqlFinding, SqlKind},
    rules::FenceRules,
    scope::{Origin, Relation, Resolved, Rows, folded, resolve},
    text::{ANONYMOUS, Text},
};

/// The state of judging one statement.
pub(super) struct Analysis<'a, 'r> {
    pub(super) rules: &'r FenceRules,
    pub(super) text: &'r Text<'r>,
    /// The relations in scope, the outermost scope first.
    pub(super) scopes: Vec<Vec<Relation<'a>>>,
    /// The relations that the statements whose scopes are open write to, the outermost first.
    pub(super) targets: Vec<RelationId>,
    /// The common table expressions in scope, by folded name; a later one hides an earlier.
    pub(super) ctes: Vec<(String, Rows)>,
    /// What is known of each query that was looked at, by its place in memory: the tree stays where it is.
    pub(super) seen: HashMap<*const Query, Rows>,
    pub(super) findings: BTreeSet<SqlFinding>,
    /// What looked like a guard in the write that is being judged.
    pub(super) misses: BTreeSet<Miss>,
    /// The most that the write that is being judged asks of a lease's row.
    pub(super) best: Option<Facts>,
}

impl<'a, 'r> Analysis<'a, 'r> {
    pub(super) fn new(rules: &'r FenceRules, text: &'r Text<'r>) -> Self {
        Self {
            rules,
            text,
            scopes: Vec::new(),
            targets: Vec::new(),
            ctes: Vec::new(),
            seen: HashMap::new(),
            findings: BTreeSet::new(),
            misses: BTreeSet::new(),
            best: None,
        }
    }

    pub(super) fn report(&mut self, kind: SqlKind, span: Span, table: &str, why: impl Into<String>) {
        let range = self.text.range(span).unwrap_or_default().into();
        self.findings.insert(SqlFinding { kind, range, table: table.to_owned(), why: why.into() });
    }

    /// Reports that a time of the program's stands where the database's should, at the first parameter.
    pub(super) fn report_client_clock(&mut self, expr: &'a Expr, why: &str) {
        let span = first_placeholder(expr).unwrap_or_else(|| expr.span());
        let table = self.rules.table.written.clone();
        self.report(SqlKind::ClientClock, span, &table, why);
    }

    /// Notes how much is asked of a lease's row.
    pub(super) fn note(&mut self, facts: Facts) {
        if self.best.is_none_or(|best| best.of_held() < facts.of_held()) {
            self.best = Some(facts);
        }
    }

    /// The column that an expression is, casts aside; or the one of which it takes the least or the most.
    pub(super) fn column(&self, expr: &Expr) -> Option<Resolved> {
        match bare(expr) {
            Expr::Identifier(ident) => resolve(&self.scopes, &[folded(ident)], self.rules),
            Expr::CompoundIdentifier(idents) => {
                let name: Vec<_> = idents.iter().map(folded).collect();
                resolve(&self.scopes, &name, self.rules)
            }
            _ => None,
        }
    }

    /// What the values of an expression are.
    pub(super) fn origin(&mut self, expr: &'a Expr) -> Origin {
        if let Some(found) = self.column(expr) {
            return found.origin;
        }
        if let Expr::Function(function) = bare(expr)
            && matches!(&*function_name(function), "min" | "max")
            && let [only] = super::clock::arguments(function).as_slice()
            && let Some(found) = self.column(only)
        {
            return found.origin;
        }
        if let Expr::Subquery(query) = bare(expr) {
            let rows = self.query(query);
            return match rows.columns.first() {
                Some(column) if matches!(column.origin, Origin::Writer(_)) => column.origin.clone(),
                _ => Origin::Unknown,
            };
        }
        if self.is_writers(expr) {
            return Origin::Writer(spelling(expr));
        }
        match self.time(expr) {
            Time::Clock(shift) => Origin::Clock(shift),
            _ => Origin::Unknown,
        }
    }

    /// The writer's value that an expression is: `Some(None)` where it has no spelling of its own.
    pub(super) fn writers(&mut self, expr: &'a Expr) -> Option<Option<String>> {
        match self.origin(expr) {
            Origin::Writer(spelling) => Some(spelling),
            _ => None,
        }
    }

    /// Whether an expression is made of parameters, literals and functions of them alone.
    pub(super) fn is_writers(&self, expr: &Expr) -> bool {
        struct Foreign<'x, 'a, 'r>(&'x Analysis<'a, 'r>);
        impl Visitor for Foreign<'_, '_, '_> {
            type Break = ();

            fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
                ControlFlow::Break(())
            }

            fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
                let is_writers = match expr {
                    Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                        matches!(self.0.column(expr), Some(Resolved { origin: Origin::Writer(_), .. }))
                    }
                    Expr::Function(function) => !is_of_the_database(&function_name(function)),
                    Expr::Wildcard(_) | Expr::QualifiedWildcard(..) => false,
                    _ => true,
                };
                if is_writers { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            }
        }
        expr.visit(&mut Foreign(self)).is_continue()
    }
}

/// Functions whose value the program does not choose, and those that run over rows.
fn is_of_the_database(name: &str) -> bool {
    let clock =
        ["now", "current_timestamp", "localtimestamp", "timeofday", "current_date", "current_time", "localtime"];
    clock.contains(&name)
        || name.ends_with("_timestamp")
        || matches!(name, "nextval" | "currval" | "lastval" | "random" | "gen_random_uuid" | "row_number" | "rank")
        || is_aggregate(name)
}

/// Whether a function makes one row of many.
pub(super) fn is_aggregate(name: &str) -> bool {
    name.starts_with("json_agg")
        || name.starts_with("jsonb_agg")
        || name.starts_with("bool_")
        || matches!(
            name,
            "count"
                | "sum"
                | "avg"
                | "min"
                | "max"
                | "every"
                | "array_agg"
                | "string_agg"
                | "any_value"
                | "bit_and"
                | "bit_or"
        )
}

/// The spelling of a value, where another of the same spelling is the same value: a numbered or named parameter,
/// or a literal.
fn spelling(expr: &Expr) -> Option<String> {
    match bare(expr) {
        Expr::Value(value) => match &value.value {
            Value::Placeholder(name) if name == ANONYMOUS || name == "{}" => None,
            other => Some(other.to_string()),
        },
        _ => None,
    }
}

/// Where the first parameter stands in an expression.
pub(super) fn first_placeholder(expr: &Expr) -> Option<Span> {
    struct First;
    impl Visitor for First {
        type Break = Span;

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<Span> {
            match expr {
                Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => ControlFlow::Break(value.span),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    match expr.visit(&mut First) {
        ControlFlow::Break(span) => Some(span),
        ControlFlow::Continue(()) => None,
    }
}
