//! Writes to the lease's own table: whether they can give it to two.
//!
//! A statement that sets the holder or moves the expiry is a renewal, a takeover, or both in one. In
//! each way in which its condition can hold it must ask for one of two things. Either the lease is the
//! writer's and has not expired: then it is renewed. Or it has expired, or nobody holds it: then it is
//! taken over, and the epoch rises, so that whatever the last holder still sends is refused.
//!
//! `holder = $1 OR expires_at < now()` is both: where it is the writer's own lease that has expired, the
//! second half holds as well.

use sqlparser::ast::{
    Assignment, BinaryOperator, CaseWhen, Expr, Insert, ObjectName, SelectItem, SetExpr, Spanned, Value,
};

use super::{
    analysis::{Analysis, first_placeholder},
    clock::{Time, arguments, function_name, is_negative},
    condition::{Condition, bare},
    facts::{Branch, Branches, Facts, Miss},
    finding::{RenewalFault, SqlKind},
    scope::{Kind, LeaseColumn, Origin, Resolved, Shift, folded, parts},
    statements::{assigned, proposed_at},
};
use crate::config::EpochRises;

const SETS_A_CLIENTS: &str =
    "the expiry is set to a time that the program brings along, not reckoned from the database's clock";

impl<'a> Analysis<'a, '_> {
    /// Whether assignments to the lease's row renew it or take it over; what only ends it does not.
    pub(super) fn is_renewal(&mut self, assignments: &'a [Assignment]) -> bool {
        self.sets_holder(assignments) || self.extends(assignments)
    }

    fn sets_holder(&self, assignments: &[Assignment]) -> bool {
        assigned(assignments, &self.rules.holder).is_some_and(|value| {
            let is_itself =
                matches!(self.column(value), Some(Resolved { origin: Origin::Lease(LeaseColumn::Holder), .. }));
            !is_null(value) && !is_itself
        })
    }

    fn extends(&mut self, assignments: &'a [Assignment]) -> bool {
        let Some(value) = assigned(assignments, &self.rules.expires) else { return false };
        match self.time(value) {
            Time::Never | Time::Expires(_, Shift::None | Shift::Earlier) | Time::Clock(Shift::Earlier) => false,
            // A deadline that is set to now has passed; a heartbeat that is set to now has just been.
            Time::Clock(Shift::None) => !self.rules.is_deadline(),
            _ => true,
        }
    }

    /// An update of the lease's row: it renews, takes over, ends, or changes something else.
    pub(super) fn judge_lease_update(&mut self, known: &Branches, assignments: &'a [Assignment], table: &ObjectName) {
        if self.is_renewal(assignments) {
            self.judge_renewal(known, assignments, table);
        } else if [&self.rules.holder, &self.rules.expires].iter().any(|column| assigned(assignments, column).is_some())
        {
            self.judge_end(known, table);
        }
        if assigned(assignments, &self.rules.epoch).is_some_and(|value| self.lowers(value)) {
            self.report_renewal(RenewalFault::KeepsEpoch, Facts::default(), table);
        }
    }

    /// A lease that is ended, or whose row goes: only one's own, or one that is over.
    pub(super) fn judge_end(&mut self, known: &Branches, table: &ObjectName) {
        let target = self.target();
        let may_end = |branch: &Branch| {
            let facts = branch.of(target);
            facts.has(Facts::HOLDER) || facts.has(Facts::EXPIRED) || facts.has(Facts::FREE)
        };
        if !known.0.iter().all(may_end) {
            self.report_renewal(RenewalFault::EndsAnyones, Facts::default(), table);
        }
    }

    /// Whether the epoch is set to a number of the text's own, or to less than it was.
    fn lowers(&self, value: &Expr) -> bool {
        match bare(value) {
            Expr::Value(value) => !matches!(value.value, Value::Placeholder(_)),
            Expr::BinaryOp { left, op: BinaryOperator::Minus, .. } => self.is_at_least_epoch(left),
            _ => false,
        }
    }

    pub(super) fn judge_renewal(&mut self, known: &Branches, assignments: &'a [Assignment], table: &ObjectName) {
        if let Some(value) = assigned(assignments, &self.rules.expires) {
            self.judge_expiry(value);
        }
        let target = self.target();
        let sets_holder = self.sets_holder(assignments);
        let rises = |analysis: &mut Self, branch: &Branch| {
            assigned(assignments, &analysis.rules.epoch).is_some_and(|value| analysis.rises(value, branch))
        };
        let is_taken = |facts: Facts| facts.has(Facts::EXPIRED) || facts.has(Facts::FREE);
        let takes_any = known.0.iter().any(|branch| is_taken(branch.of(target)));
        for branch in &known.0 {
            let facts = branch.of(target);
            let fault = if is_taken(facts) {
                let is_ours = sets_holder || facts.has(Facts::HOLDER);
                if !is_ours {
                    Some(RenewalFault::ExtendsAnyones)
                } else {
                    (!rises(self, branch)).then_some(RenewalFault::KeepsEpoch)
                }
            } else if facts.has(Facts::HOLDER) {
                if !facts.has(Facts::UNEXPIRED) && !takes_any {
                    Some(RenewalFault::ExtendsExpired)
                } else {
                    let must_rise = self.rules.epoch_rises == EpochRises::Renewal;
                    (must_rise && !rises(self, branch)).then_some(RenewalFault::KeepsEpoch)
                }
            } else if self.misses.contains(&Miss::Unlocked) {
                Some(RenewalFault::Unlocked)
            } else if sets_holder {
                Some(RenewalFault::TakesUnexpired)
            } else {
                Some(RenewalFault::ExtendsAnyones)
            };
            if let Some(fault) = fault {
                self.report_renewal(fault, facts, table);
                return;
            }
        }
    }

    pub(super) fn report_renewal(&mut self, fault: RenewalFault, facts: Facts, table: &ObjectName) {
        let mut why = match fault {
            RenewalFault::ExtendsAnyones if facts.has(Facts::UNEXPIRED) || facts.has(Facts::EXPIRED) => {
                "the lease is extended whoever holds it: the condition does not ask for its holder"
            }
            RenewalFault::ExtendsAnyones => {
                "the lease is extended whoever holds it, expired or not: the condition asks for neither"
            }
            RenewalFault::ExtendsExpired => {
                "a lease that has expired is extended: the condition does not ask the database's clock whether it has"
            }
            RenewalFault::TakesUnexpired => {
                "a lease that another may still hold is taken over: the condition does not ask whether it has expired"
            }
            RenewalFault::EndsAnyones => {
                "the lease is ended whoever holds it: the condition asks neither for its holder nor whether it has expired"
            }
            RenewalFault::Unlocked => "the lease is taken over although its expiry was seen without a lock",
            RenewalFault::KeepsEpoch => {
                "the epoch does not rise: what the last holder still sends carries the same one and is let through"
            }
        }
        .to_owned();
        let is_said =
            |miss: &Miss| matches!(miss, Miss::LooseExpiry | Miss::EarlyExpiry | Miss::FrozenNow | Miss::Unlocked);
        for miss in self.misses.iter().filter(|miss| is_said(miss)) {
            why.push_str("; ");
            why.push_str(miss.words());
        }
        let written = self.rules.table.written.clone();
        self.report(SqlKind::UnguardedRenewal(fault), table.span(), &written, why);
    }

    /// An expiry that is set.
    fn judge_expiry(&mut self, value: &'a Expr) {
        let value = self.proposed_expr(value).unwrap_or(value);
        if self.time(value) == Time::Writer && first_placeholder(value).is_some() {
            self.report_client_clock(value, SETS_A_CLIENTS);
        }
    }

    /// The expiry that an `INSERT` proposes.
    pub(super) fn judge_proposed(&mut self, insert: &'a Insert) {
        let is_expiry = |column: &ObjectName| parts(column).last() == Some(&self.rules.expires);
        let (Some(at), Some(source)) = (insert.columns.iter().position(is_expiry), insert.source.as_deref()) else {
            return;
        };
        for value in proposed_at(source, at) {
            self.judge_expiry(value);
        }
    }

    /// What `excluded.column` was proposed as.
    fn proposed_expr(&self, value: &Expr) -> Option<&'a Expr> {
        let Expr::CompoundIdentifier(idents) = bare(value) else { return None };
        let [.., relation, column] = idents.as_slice() else { return None };
        if folded(relation) != "excluded" {
            return None;
        }
        self.scopes.last()?.iter().find_map(|relation| match &relation.kind {
            Kind::Excluded(columns) => columns
                .iter()
                .find(|(known, _)| known.name.as_ref() == Some(&folded(column)))
                .and_then(|(_, expr)| *expr),
            _ => None,
        })
    }

    /// Whether a value that the epoch is set to is more than it was.
    fn rises(&mut self, value: &'a Expr, branch: &Branch) -> bool {
        let value = self.proposed_expr(value).unwrap_or(value);
        match bare(value) {
            Expr::BinaryOp { left, op: BinaryOperator::Plus, right } => {
                let is_step =
                    |expr: &Expr| matches!(bare(expr), Expr::Value(v) if is_positive(&v.value)) && !is_negative(expr);
                is_step(right) && self.is_at_least_epoch(left) || is_step(left) && self.is_at_least_epoch(right)
            }
            Expr::Function(function) => match &*function_name(function) {
                "nextval" => true,
                "greatest" => arguments(function).into_iter().any(|argument| self.rises(argument, branch)),
                _ => false,
            },
            Expr::Subquery(query) => match &*query.body {
                SetExpr::Select(select) => match select.projection.as_slice() {
                    [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] => {
                        matches!(bare(expr), Expr::BinaryOp { .. } | Expr::Function(_)) && self.rises(expr, branch)
                    }
                    _ => false,
                },
                _ => false,
            },
            Expr::Case { operand: None, conditions, else_result, .. } => {
                self.rises_by_case(conditions, else_result.as_deref(), branch)
            }
            _ => match self.writers(value) {
                Some(spelling) => branch.above_epoch.contains(&spelling.unwrap_or_default()),
                None => false,
            },
        }
    }

    /// Whether a value is the epoch, or the most of several; `COALESCE(epoch, 0)` included. Names decide: the value
    /// may stand in a query of its own.
    fn is_at_least_epoch(&self, value: &Expr) -> bool {
        match bare(value) {
            Expr::Identifier(ident) => folded(ident) == self.rules.epoch,
            Expr::CompoundIdentifier(idents) => match idents.as_slice() {
                [.., relation, column] => folded(column) == self.rules.epoch && folded(relation) != "excluded",
                _ => false,
            },
            Expr::Function(function) => match &*function_name(function) {
                "coalesce" | "max" => arguments(function).first().is_some_and(|first| self.is_at_least_epoch(first)),
                "greatest" => arguments(function).into_iter().any(|argument| self.is_at_least_epoch(argument)),
                _ => false,
            },
            Expr::Subquery(query) => match &*query.body {
                SetExpr::Select(select) => match select.projection.as_slice() {
                    [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] => {
                        self.is_at_least_epoch(expr)
                    }
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    /// `CASE WHEN holder = $1 THEN epoch ELSE epoch + 1 END`: it may stay only where the lease is renewed.
    fn rises_by_case(&mut self, conditions: &'a [CaseWhen], otherwise: Option<&'a Expr>, branch: &Branch) -> bool {
        let target = self.target();
        let mut known = Branches::of(branch.clone());
        let mut is_raised = false;
        let kept = |facts: Facts| facts.has(Facts::HOLDER) || facts.has(Facts::UNEXPIRED);
        for case in conditions {
            let when = known.clone().and(&self.holds(Some(&case.condition)));
            if self.rises(&case.result, branch) {
                is_raised = true;
            } else if !self.is_at_least_epoch(&case.result) || !when.all(|branch| kept(branch.of(target))) {
                return false;
            }
            known = known.and(&self.branches(&Condition::read(&case.condition, true)));
        }
        match otherwise {
            Some(value) if self.rises(value, branch) => true,
            Some(value) => is_raised && self.is_at_least_epoch(value) && self.stays_with_its_holder(conditions),
            None => false,
        }
    }

    /// Whether what is left when no case fits is the lease of the writer, or one that has not expired: some case fits
    /// exactly the others.
    fn stays_with_its_holder(&mut self, conditions: &'a [CaseWhen]) -> bool {
        let target = self.target();
        let mut left = Branches::unknown();
        for case in conditions {
            left = left.and(&self.branches(&Condition::read(&case.condition, true)));
        }
        left.all(|branch| {
            let facts = branch.of(target);
            facts.has(Facts::HOLDER) || facts.has(Facts::UNEXPIRED)
        })
    }
}

fn is_null(value: &Expr) -> bool {
    matches!(bare(value), Expr::Value(value) if value.value == Value::Null)
}

fn is_positive(value: &Value) -> bool {
    matches!(value, Value::Number(digits, _) if digits.bytes().any(|b| (b'1'..=b'9').contains(&b)))
}
