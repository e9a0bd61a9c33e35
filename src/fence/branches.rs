//! From a condition to what is known where it holds.
//!
//! A comparison says something of a lease's row only if its other side is a value that the writer
//! brought along. Compared with anything that was read from the lease's table in the same statement it
//! says nothing: a stale writer reads the fresh epoch just as well.

use sqlparser::ast::{Expr, Query, SelectItem, SetExpr, Value};

use super::{
    analysis::{Analysis, first_placeholder},
    clock::{Time, arguments, function_name, is_negative},
    condition::{Compare, Condition, bare},
    facts::{Branch, Branches, Facts, Miss, Own, RelationId},
    scope::{Kind, LeaseColumn, Origin, Resolved, Rows, Shift},
};

const ASKS_A_CLIENT: &str =
    "the expiry is compared with a time that the program brings along, not with the database's clock";

impl<'a> Analysis<'a, '_> {
    /// What is known where an optional condition holds.
    pub(super) fn holds(&mut self, expr: Option<&'a Expr>) -> Branches {
        expr.map_or_else(Branches::unknown, |expr| self.branches(&Condition::read(expr, false)))
    }

    /// What is known where a condition holds.
    pub(super) fn branches(&mut self, condition: &Condition<'a>) -> Branches {
        match condition {
            Condition::And(parts) => {
                parts.iter().fold(Branches::unknown(), |known, part| known.and(&self.branches(part)))
            }
            Condition::Or(parts) => {
                parts.iter().fold(Branches(Vec::new()), |known, part| known.or(self.branches(part)))
            }
            Condition::Never => Branches(Vec::new()),
            Condition::Compare(left, compare, right) => Branches::of(self.compared(left, *compare, right)),
            Condition::IsNull(expr) => Branches::of(self.is_null(expr)),
            Condition::Exists(query) => {
                let rows = self.used(query);
                if rows.always_a_row {
                    self.misses.insert(Miss::AlwaysARow);
                }
                Branches::of(Branch { is_held: rows.is_held && !rows.always_a_row, ..Branch::default() })
            }
            Condition::Among(value, query) => Branches::of(self.among(value, query)),
            Condition::OneOf(value) => {
                if let Some(Resolved { relation, origin: Origin::Lease(LeaseColumn::Key(_)), .. }) = self.column(value)
                    && !self.targets.contains(&relation)
                {
                    self.misses.insert(Miss::SeveralNames);
                }
                Branches::unknown()
            }
            Condition::Other(expr) => {
                if let Expr::Function(function) = bare(expr)
                    && function_name(function).contains("advisory")
                {
                    self.misses.insert(Miss::AdvisoryLock);
                }
                Branches::unknown()
            }
        }
    }

    /// The rows of a query, with what was missed in it.
    pub(super) fn used(&mut self, query: &'a Query) -> Rows {
        let rows = self.query(query);
        self.misses.extend(&rows.misses);
        if rows.facts != Facts::NONE {
            self.note(rows.facts);
        }
        rows
    }

    fn compared(&mut self, left: &'a Expr, compare: Compare, right: &'a Expr) -> Branch {
        let mut known = Branch::default();
        if let Some(branch) = self.counted(left, compare, right) {
            return branch;
        }
        self.times(&mut known, left, compare, right);
        self.sides(&mut known, left, compare, right);
        self.sides(&mut known, right, compare.turned(), left);
        known
    }

    /// `(SELECT count(*) FROM ...) > 0`, which is as good as `EXISTS`.
    fn counted(&mut self, left: &'a Expr, compare: Compare, right: &'a Expr) -> Option<Branch> {
        let (query, compare, number) = match (bare(left), bare(right)) {
            (Expr::Subquery(query), number) => (query, compare, number),
            (number, Expr::Subquery(query)) => (query, compare.turned(), number),
            _ => return None,
        };
        let is = |wanted: &str| is_number(number, wanted);
        let is_some = match compare {
            Compare::More | Compare::NotEqual => is("0"),
            Compare::MoreOrEqual | Compare::Equal => is("1"),
            _ => false,
        };
        let rows = self.used(query);
        Some(Branch { is_held: is_some && is_count(query) && rows.is_held, ..Branch::default() })
    }

    fn is_null(&mut self, expr: &'a Expr) -> Branch {
        let mut known = Branch::default();
        match self.column(expr) {
            Some(Resolved { relation, origin: Origin::Lease(LeaseColumn::Holder), .. }) => {
                known.add(relation, Facts::FREE)
            }
            Some(Resolved { relation, origin: Origin::Lease(LeaseColumn::Expires), .. }) => {
                known.add(relation, Facts::EXPIRED)
            }
            Some(Resolved { origin: Origin::Own(column), .. }) if self.rules.is_fence_column(&column) => {
                known.own.insert(column, Own::Unset);
            }
            _ => {}
        }
        known
    }

    /// A comparison of times.
    fn times(&mut self, known: &mut Branch, left: &'a Expr, compare: Compare, right: &'a Expr) {
        match (self.time(left), self.time(right)) {
            (Time::Expires(id, own), Time::Clock(shift)) => self.expiry(known, id, own, compare, shift),
            (Time::Clock(shift), Time::Expires(id, own)) => self.expiry(known, id, own, compare.turned(), shift),
            (Time::Expires(id, own), Time::Writer)
                if first_placeholder(right).is_some() || self.column(right).is_some() =>
            {
                self.report_client_clock(right, ASKS_A_CLIENT);
                self.expiry(known, id, own, compare, Shift::None);
            }
            (Time::Writer, Time::Expires(id, own))
                if first_placeholder(left).is_some() || self.column(left).is_some() =>
            {
                self.report_client_clock(left, ASKS_A_CLIENT);
                self.expiry(known, id, own, compare.turned(), Shift::None);
            }
            // What is left of the time to live, against a length of time.
            (Time::Left(id), Time::Writer) => self.left(known, id, compare, right),
            (Time::Writer, Time::Left(id)) => self.left(known, id, compare.turned(), left),
            (Time::Over(id), Time::Writer) => self.left(known, id, compare.turned(), right),
            (Time::Writer, Time::Over(id)) => self.left(known, id, compare, left),
            _ => {}
        }
    }

    /// The expiry, shifted by `own`, against the clock, shifted by `clock`.
    fn expiry(&mut self, known: &mut Branch, id: RelationId, own: Shift, compare: Compare, clock: Shift) {
        // Shifting one side one way is shifting the other side the other way.
        let (is_looser, is_tighter) = match (own, clock) {
            (Shift::None, Shift::None) => (false, false),
            (Shift::Later | Shift::None, Shift::Earlier | Shift::None) => (true, false),
            (Shift::Earlier | Shift::None, Shift::Later | Shift::None) => (false, true),
            _ => (true, true),
        };
        // Of a time since when, the time to live has to be taken off, and there is no telling whether it is enough.
        let (may_live, may_be_over) = if self.rules.is_deadline() {
            (!is_looser, !is_tighter)
        } else {
            (is_looser && !is_tighter, is_looser && !is_tighter)
        };
        match compare {
            Compare::More | Compare::MoreOrEqual if may_live => known.add(id, Facts::UNEXPIRED),
            Compare::Less | Compare::LessOrEqual if may_be_over => known.add(id, Facts::EXPIRED),
            Compare::More | Compare::MoreOrEqual => {
                self.misses.insert(Miss::LooseExpiry);
            }
            Compare::Less | Compare::LessOrEqual => {
                self.misses.insert(Miss::EarlyExpiry);
            }
            _ => {}
        }
    }

    fn left(&mut self, known: &mut Branch, id: RelationId, compare: Compare, length: &'a Expr) {
        let clock = if is_zero(length) {
            Shift::None
        } else if is_negative(length) {
            Shift::Earlier
        } else {
            Shift::Later
        };
        self.expiry(known, id, Shift::None, compare, clock);
    }

    /// What a comparison says of the column on its left.
    fn sides(&mut self, known: &mut Branch, left: &'a Expr, compare: Compare, right: &'a Expr) {
        let Some(found) = self.column(unset_as_lowest(left)) else { return };
        match &found.origin {
            Origin::Lease(column) => self.of_lease(known, &found, column, compare, right),
            Origin::Own(column) if self.rules.is_fence_column(column) => self.of_own(known, column, compare, right),
            _ => {}
        }
    }

    /// A column of the lease's row against a value.
    fn of_lease(
        &mut self,
        known: &mut Branch,
        found: &Resolved,
        column: &LeaseColumn,
        compare: Compare,
        value: &'a Expr,
    ) {
        let id = found.relation;
        let value_origin = self.origin(value);
        match (column, compare, &value_origin) {
            (LeaseColumn::Holder, Compare::Equal, Origin::Writer(_)) => known.add(id, Facts::HOLDER),
            (LeaseColumn::Epoch, Compare::Equal | Compare::LessOrEqual, Origin::Writer(_)) => {
                known.add(id, Facts::EPOCH)
            }
            (LeaseColumn::Epoch, Compare::Less, Origin::Writer(spelling)) => {
                known.above_epoch.insert(spelling.clone().unwrap_or_default());
            }
            (LeaseColumn::Epoch, Compare::More | Compare::MoreOrEqual, Origin::Writer(_)) => {
                self.misses.insert(Miss::EpochWrongWay);
            }
            (LeaseColumn::Epoch, _, Origin::Own(_)) => {
                self.misses.insert(Miss::EpochOfRow);
            }
            (LeaseColumn::Epoch, _, Origin::Lease(LeaseColumn::Epoch)) => {
                self.misses.insert(Miss::EpochOfItself);
            }
            (LeaseColumn::Key(name), Compare::Equal, Origin::Lease(LeaseColumn::Key(other))) if name == other => {
                self.same_row(known, id, value);
            }
            (LeaseColumn::Key(name), Compare::Equal, _)
                if !is_flag(name, value) && !matches!(value_origin, Origin::Lease(_)) =>
            {
                if found.is_guess {
                    self.misses.insert(Miss::Unqualified);
                } else {
                    known.add(id, Facts::NAME);
                }
            }
            _ => {}
        }
    }

    /// The lease's row is the one behind another relation's row: what that one locked is known of this one.
    fn same_row(&mut self, known: &mut Branch, id: RelationId, other: &'a Expr) {
        let Some(Resolved { relation: (depth, at), .. }) = self.column(other) else { return };
        let Some(Kind::Derived(rows)) =
            self.scopes.get(depth).and_then(|scope| scope.get(at)).map(|relation| &relation.kind)
        else {
            return;
        };
        let rows = rows.clone();
        self.import(known, id, &rows);
    }

    fn import(&mut self, known: &mut Branch, id: RelationId, rows: &Rows) {
        if rows.is_locked {
            known.add(id, rows.facts);
        } else if rows.facts != Facts::NONE {
            self.misses.insert(Miss::Unlocked);
        }
    }

    /// The fence column of the written table against a value.
    fn of_own(&mut self, known: &mut Branch, column: &str, compare: Compare, value: &'a Expr) {
        // A number in the text is nobody's epoch.
        if matches!(bare(value), Expr::Value(literal) if !matches!(literal.value, Value::Placeholder(_))) {
            return;
        }
        match (compare, self.origin(value)) {
            (Compare::Less | Compare::LessOrEqual, Origin::Writer(spelling)) => {
                known.own.insert(column.to_owned(), Own::AtMost(spelling));
            }
            (Compare::Equal, Origin::Writer(spelling)) => {
                known.own.insert(column.to_owned(), Own::Same(spelling));
            }
            (Compare::More | Compare::MoreOrEqual, Origin::Writer(_)) => {
                self.misses.insert(Miss::OwnWrongWay);
            }
            (_, Origin::Lease(_)) => {
                self.misses.insert(Miss::OwnCurrent);
            }
            _ => {}
        }
    }

    /// A value, or a row of values, is among the rows of a query.
    fn among(&mut self, value: &'a Expr, query: &'a Query) -> Branch {
        let mut known = Branch::default();
        if let Some(branch) = self.counted_equal(value, query) {
            return branch;
        }
        let rows = self.used(query);
        let values = match bare(value) {
            Expr::Tuple(values) => values.iter().collect(),
            _ => vec![value],
        };
        let mut facts = rows.facts;
        let mut is_real = !rows.always_a_row;
        for (value, column) in values.iter().copied().zip(&rows.columns) {
            let Origin::Lease(column) = &column.origin else { continue };
            is_real = true;
            let origin = self.origin(value);
            if let Some(Resolved { relation, origin: Origin::Lease(LeaseColumn::Key(ours)), .. }) = self.column(value)
                && *column == LeaseColumn::Key(ours)
            {
                self.import(&mut known, relation, &rows);
            }
            if let Some(Resolved { origin: Origin::Own(own), .. }) = self.column(value)
                && *column == LeaseColumn::Epoch
                && self.rules.is_fence_column(&own)
            {
                self.misses.insert(Miss::OwnCurrent);
            }
            facts = facts.and(match (column, &origin) {
                (LeaseColumn::Holder, Origin::Writer(_)) => Facts::HOLDER,
                (LeaseColumn::Epoch, Origin::Writer(_)) => Facts::EPOCH,
                (LeaseColumn::Key(name), origin) if !is_flag(name, value) && !matches!(origin, Origin::Lease(_)) => {
                    Facts::NAME
                }
                _ => Facts::NONE,
            });
        }
        if !is_real {
            self.misses.insert(Miss::AlwaysARow);
        } else {
            self.note(facts);
        }
        known.is_held = is_real && (rows.is_held || facts.has(Facts::HELD));
        known
    }

    fn counted_equal(&mut self, value: &'a Expr, query: &'a Query) -> Option<Branch> {
        (is_number(bare(value), "1") && is_count(query))
            .then(|| Branch { is_held: self.used(query).is_held, ..Branch::default() })
    }
}

/// `COALESCE(epoch, 0)` compares as `epoch` does, with rows that have none below all others.
fn unset_as_lowest(expr: &Expr) -> &Expr {
    if let Expr::Function(function) = bare(expr)
        && function_name(function) == "coalesce"
        && let [column, Expr::Value(_)] = arguments(function).as_slice()
    {
        return column;
    }
    expr
}

fn is_number(expr: &Expr, wanted: &str) -> bool {
    matches!(expr, Expr::Value(value) if matches!(&value.value, Value::Number(digits, _) if digits == wanted))
}

/// A query of nothing but a count.
fn is_count(query: &Query) -> bool {
    let SetExpr::Select(select) = &*query.body else { return false };
    let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] = select.projection.as_slice() else {
        return false;
    };
    matches!(bare(expr), Expr::Function(function) if function_name(function) == "count")
}

/// A state and its like is no name: `active = true`, `status = 'held'`.
fn is_flag(name: &str, value: &Expr) -> bool {
    matches!(bare(value), Expr::Value(value) if matches!(value.value, Value::Boolean(_) | Value::Null))
        || matches!(name, "status" | "state" | "active" | "enabled" | "is_active" | "released")
}

fn is_zero(length: &Expr) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).all(|c| c == '0') && text.contains('0');
    match bare(length) {
        Expr::Value(value) => match &value.value {
            Value::Number(text, _) | Value::SingleQuotedString(text) => digits(text),
            _ => false,
        },
        Expr::Interval(interval) => is_zero(&interval.value),
        _ => false,
    }
}
