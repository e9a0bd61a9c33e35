//! Times in SQL: whose clock they are of, and which way they are shifted.
//!
//! `now()`, `CURRENT_TIMESTAMP` and `transaction_timestamp()` are the time at which the transaction
//! began; `clock_timestamp()` is the time at which it is asked. Both are the database's, and that is
//! what is judged here. In a transaction that stays open while its program is paused, `now()` stands
//! still: the epoch in the same condition is what refuses such a write after a takeover.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator, Value,
};

use super::{
    analysis::Analysis,
    condition::bare,
    facts::{Miss, RelationId},
    scope::{LeaseColumn, Origin, Shift},
};

/// What a time is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    /// The database's clock.
    Clock(Shift),
    /// When the lease expires.
    Expires(RelationId, Shift),
    /// How long the lease still lasts: its expiry less the clock.
    Left(RelationId),
    /// How long the lease has been expired: the clock less its expiry.
    Over(RelationId),
    /// A value of the program's.
    Writer,
    /// No time at all: it is NULL, or one that lies in the infinite past.
    Never,
    /// Anything else.
    Unknown,
}

impl<'a> Analysis<'a, '_> {
    /// What a time is made of. Casts, time zones, units and factors that are literals leave it what it is.
    pub(super) fn time(&mut self, expr: &'a Expr) -> Time {
        match bare(expr) {
            Expr::AtTimeZone { timestamp: inner, .. }
            | Expr::Extract { expr: inner, .. }
            | Expr::Floor { expr: inner, .. }
            | Expr::Ceil { expr: inner, .. } => self.time(inner),
            Expr::BinaryOp { left, op: BinaryOperator::Multiply | BinaryOperator::Divide, right } => {
                match (self.time(left), self.time(right)) {
                    (time, Time::Writer) | (Time::Writer, time) => time,
                    _ => Time::Unknown,
                }
            }
            Expr::BinaryOp { left, op: op @ (BinaryOperator::Plus | BinaryOperator::Minus), right } => {
                self.sum(left, *op == BinaryOperator::Minus, right)
            }
            Expr::Function(function) => self.of_function(function),
            Expr::Value(value) => match &value.value {
                Value::Null => Time::Never,
                Value::SingleQuotedString(text) => self.of_string(text),
                _ => Time::Writer,
            },
            Expr::TypedString(typed) => match &typed.value.value {
                Value::SingleQuotedString(text) => self.of_string(text),
                _ => Time::Unknown,
            },
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => match self.column(expr) {
                Some(found) => match found.origin {
                    Origin::Lease(LeaseColumn::Expires) => Time::Expires(found.relation, Shift::None),
                    Origin::Clock(shift) => Time::Clock(shift),
                    Origin::Writer(_) => Time::Writer,
                    _ => Time::Unknown,
                },
                None => Time::Unknown,
            },
            Expr::Interval(_) => Time::Writer,
            _ if self.is_writers(expr) => Time::Writer,
            _ => Time::Unknown,
        }
    }

    /// A sum or a difference.
    fn sum(&mut self, left: &'a Expr, is_minus: bool, right: &'a Expr) -> Time {
        let shift = if is_minus != is_negative(right) { Shift::Earlier } else { Shift::Later };
        match (self.time(left), self.time(right)) {
            (Time::Expires(id, Shift::None), Time::Clock(Shift::None)) if is_minus => Time::Left(id),
            (Time::Clock(Shift::None), Time::Expires(id, Shift::None)) if is_minus => Time::Over(id),
            (Time::Clock(Shift::None), Time::Writer | Time::Unknown) => Time::Clock(shift),
            (Time::Expires(id, Shift::None), Time::Writer | Time::Unknown) => Time::Expires(id, shift),
            (Time::Writer | Time::Unknown, Time::Clock(Shift::None)) if !is_minus => Time::Clock(Shift::Later),
            (Time::Writer | Time::Unknown, Time::Expires(id, Shift::None)) if !is_minus => {
                Time::Expires(id, Shift::Later)
            }
            (Time::Writer, Time::Writer) => Time::Writer,
            _ => Time::Unknown,
        }
    }

    fn of_function(&mut self, function: &'a Function) -> Time {
        let name = function_name(function);
        let arguments = arguments(function);
        match name.as_str() {
            "now"
            | "current_timestamp"
            | "transaction_timestamp"
            | "statement_timestamp"
            | "clock_timestamp"
            | "localtimestamp" => Time::Clock(Shift::None),
            "date_part" | "extract" | "round" | "floor" | "ceil" | "ceiling" | "timezone" => {
                let times: Vec<_> = arguments.into_iter().map(|argument| self.time(argument)).collect();
                times.into_iter().find(|time| !matches!(time, Time::Writer)).unwrap_or(Time::Writer)
            }
            "date_trunc" => match arguments.last().map(|argument| self.time(argument)) {
                // What is cut off makes it earlier.
                Some(Time::Clock(Shift::None)) => Time::Clock(Shift::Earlier),
                Some(Time::Writer) => Time::Writer,
                _ => Time::Unknown,
            },
            "greatest" => {
                let times: Vec<_> = arguments.into_iter().map(|argument| self.time(argument)).collect();
                let is_clock = |time: &Time| matches!(time, Time::Clock(_));
                if times.iter().any(is_clock) { Time::Clock(Shift::Later) } else { common(&times) }
            }
            "coalesce" | "to_timestamp" | "make_timestamptz" => {
                let times: Vec<_> = arguments.into_iter().map(|argument| self.time(argument)).collect();
                common(&times)
            }
            _ if arguments.into_iter().all(|argument| self.is_writers(argument)) => Time::Writer,
            _ => Time::Unknown,
        }
    }

    fn of_string(&mut self, text: &str) -> Time {
        match text.trim() {
            "now" => {
                self.misses.insert(Miss::FrozenNow);
                Time::Unknown
            }
            "-infinity" | "epoch" => Time::Never,
            _ => Time::Writer,
        }
    }
}

/// What several have in common, parameters aside.
fn common(times: &[Time]) -> Time {
    let mut others = times.iter().filter(|time| !matches!(time, Time::Never));
    match others.next() {
        Some(first) if others.all(|time| time == first) => *first,
        None => Time::Never,
        Some(_) => Time::Unknown,
    }
}

/// Whether a literal has a minus before it or within: `-5`, `INTERVAL '-5 s'`, `'-5 s'::interval`.
pub(super) fn is_negative(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::UnaryOp { op: UnaryOperator::Minus, .. } => true,
        Expr::Interval(interval) => is_negative(&interval.value),
        Expr::Value(value) => {
            matches!(&value.value, Value::SingleQuotedString(text) if text.trim_start().starts_with('-'))
        }
        Expr::TypedString(typed) => {
            matches!(&typed.value.value, Value::SingleQuotedString(text) if text.trim_start().starts_with('-'))
        }
        Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } => is_negative(left) != is_negative(right),
        _ => false,
    }
}

/// The folded name of a function, without its schema.
pub(super) fn function_name(function: &Function) -> String {
    function.name.0.last().and_then(|part| part.as_ident()).map(super::scope::folded).unwrap_or_default()
}

/// The arguments of a function that are values.
pub(super) fn arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let value = |argument| match argument {
        &FunctionArg::Named { arg: FunctionArgExpr::Expr(ref expr), .. }
        | &FunctionArg::ExprNamed { arg: FunctionArgExpr::Expr(ref expr), .. }
        | &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expr)) => Some(expr),
        _ => None,
    };
    list.args.iter().filter_map(value).collect()
}
