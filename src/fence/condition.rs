//! A condition of SQL, read into the few shapes that matter, with negations pushed inwards.

use sqlparser::ast::{BinaryOperator, Expr, FunctionArguments, InTarget, Query, UnaryOperator, Value};

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    MoreOrEqual,
    More,
}

impl Compare {
    /// With the sides exchanged.
    pub(super) const fn turned(self) -> Self {
        match self {
            Self::Less => Self::More,
            Self::LessOrEqual => Self::MoreOrEqual,
            Self::MoreOrEqual => Self::LessOrEqual,
            Self::More => Self::Less,
            same => same,
        }
    }

    /// Where the comparison is denied.
    const fn negated(self) -> Self {
        match self {
            Self::Less => Self::MoreOrEqual,
            Self::LessOrEqual => Self::More,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::MoreOrEqual => Self::Less,
            Self::More => Self::LessOrEqual,
        }
    }

    const fn of(operator: &BinaryOperator) -> Option<Self> {
        Some(match operator {
            BinaryOperator::Lt => Self::Less,
            BinaryOperator::LtEq => Self::LessOrEqual,
            BinaryOperator::Eq => Self::Equal,
            BinaryOperator::NotEq => Self::NotEqual,
            BinaryOperator::GtEq => Self::MoreOrEqual,
            BinaryOperator::Gt => Self::More,
            _ => return None,
        })
    }
}

/// A condition.
#[derive(Debug)]
pub(super) enum Condition<'a> {
    And(Vec<Self>),
    Or(Vec<Self>),
    Compare(&'a Expr, Compare, &'a Expr),
    IsNull(&'a Expr),
    Exists(&'a Query),
    /// A value, or several, is among the rows of a query.
    Among(&'a Expr, &'a Query),
    /// A value is one of several.
    OneOf(&'a Expr),
    /// It never holds.
    Never,
    /// Anything else.
    Other(&'a Expr),
}

impl<'a> Condition<'a> {
    /// Reads a condition, or what is left of it where it is denied.
    pub(super) fn read(expr: &'a Expr, is_denied: bool) -> Self {
        match expr {
            Expr::Nested(inner) => Self::read(inner, is_denied),
            Expr::IsTrue(inner) if !is_denied => Self::read(inner, false),
            Expr::IsFalse(inner) if !is_denied => Self::read(inner, true),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => Self::read(expr, !is_denied),
            Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                let parts = operands(expr, op).into_iter().map(|part| Self::read(part, is_denied)).collect();
                if (*op == BinaryOperator::And) == is_denied { Self::Or(parts) } else { Self::And(parts) }
            }
            Expr::BinaryOp { left, op, right } => match Compare::of(op) {
                Some(compare) => Self::compare(left, if is_denied { compare.negated() } else { compare }, right),
                None => Self::Other(expr),
            },
            Expr::Between { expr, negated, low, high } if *negated == is_denied => Self::And(vec![
                Self::Compare(expr, Compare::MoreOrEqual, low),
                Self::Compare(expr, Compare::LessOrEqual, high),
            ]),
            Expr::IsNotDistinctFrom(left, right) if !is_denied => Self::compare(left, Compare::Equal, right),
            Expr::IsDistinctFrom(left, right) if is_denied => Self::compare(left, Compare::Equal, right),
            Expr::IsDistinctFrom(left, right) => Self::compare(left, Compare::NotEqual, right),
            Expr::IsNull(inner) if !is_denied => Self::IsNull(inner),
            Expr::IsNotNull(inner) if is_denied => Self::IsNull(inner),
            Expr::Exists { subquery, negated } if *negated == is_denied => Self::Exists(subquery),
            Expr::In { expr: value, target, negated, .. } if *negated == is_denied => match target {
                InTarget::Subquery(query) => Self::Among(value, query),
                // A hole of `format!` may hold any number of values.
                InTarget::List(list) => match list.as_slice() {
                    [only] if !is_hole(only) => Self::compare(value, Compare::Equal, only),
                    _ => Self::OneOf(value),
                },
                _ => Self::OneOf(value),
            },
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } if !is_denied => match query_of(right) {
                Some(query) => Self::Among(left, query),
                None => Self::OneOf(left),
            },
            Expr::Value(value) if matches!(value.value, Value::Boolean(held) if held == is_denied) => Self::Never,
            _ => Self::Other(expr),
        }
    }

    /// A comparison; one of rows is one of each of their columns.
    fn compare(left: &'a Expr, compare: Compare, right: &'a Expr) -> Self {
        match (bare(left), bare(right)) {
            (Expr::Tuple(ours), Expr::Tuple(theirs)) if compare == Compare::Equal && ours.len() == theirs.len() => {
                Self::And(ours.iter().zip(theirs).map(|(one, two)| Self::compare(one, compare, two)).collect())
            }
            (Expr::Subquery(query), _) if compare == Compare::Equal => Self::Among(right, query),
            (_, Expr::Subquery(query)) if compare == Compare::Equal => Self::Among(left, query),
            _ => Self::Compare(left, compare, right),
        }
    }
}

/// What is within parentheses and casts.
pub(super) fn bare(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let Expr::Nested(inner) | Expr::Cast { expr: inner, .. } | Expr::Collate { expr: inner, .. } = expr {
        expr = inner;
    }
    expr
}

/// The operands of a chain of one operator. Chains are deep on the left, and can be long.
fn operands<'a>(expr: &'a Expr, wanted: &BinaryOperator) -> Vec<&'a Expr> {
    let mut found = Vec::new();
    let mut next = expr;
    while let Expr::BinaryOp { left, op, right } = next {
        if op != wanted {
            break;
        }
        found.push(&**right);
        next = left;
    }
    found.push(next);
    found.reverse();
    found
}

fn is_hole(expr: &Expr) -> bool {
    let Expr::Value(value) = bare(expr) else { return false };
    matches!(&value.value, Value::Placeholder(name) if name.starts_with('{'))
}

/// The query in `= ANY (SELECT ...)` and `= ANY (ARRAY(SELECT ...))`.
fn query_of(expr: &Expr) -> Option<&Query> {
    match bare(expr) {
        Expr::Subquery(query) => Some(query),
        Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("array") => match &function.args {
            FunctionArguments::Subquery(query) => Some(query),
            _ => None,
        },
        _ => None,
    }
}
