//! Expressions, statements and patterns.

use super::{ExprIx, MacroCall, Name, PatIx, Path, ScopeIx, TypeIx};
use crate::base::Span;

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is. Parentheses and groups are gone; attributes that are off took theirs along.
#[derive(Debug)]
pub enum ExprKind {
    /// A name or path.
    Path(Path),
    /// A string, byte string or C string, unescaped (bytes that are no UTF-8 replaced).
    Str(String),
    /// Any other literal, and whatever has no name in it (`continue`, `_`).
    Other,
    /// `f(a, b)`.
    Call {
        /// What is called.
        callee: ExprIx,
        /// With what.
        args: Vec<ExprIx>,
    },
    /// `r.m::<T>(a)`.
    Method {
        /// The receiver.
        receiver: ExprIx,
        /// The method.
        name: Name,
        /// Where its name stands.
        name_span: Span,
        /// `::<T>`.
        generics: Vec<TypeIx>,
        /// Arguments.
        args: Vec<ExprIx>,
    },
    /// `b.f`, `b.0`.
    Field {
        /// Of what.
        base: ExprIx,
        /// The field.
        name: Name,
        /// Where its name stands.
        name_span: Span,
    },
    /// `Path { a: x, ..rest }`.
    Struct {
        /// The type or variant.
        path: Path,
        /// The fields; for the shorthand `a`, the value is the path `a`.
        fields: Vec<FieldValue>,
        /// `..rest`.
        rest: Option<ExprIx>,
    },
    /// `|a, b: T| body`.
    Closure {
        /// Parameters, with types where written.
        params: Vec<(PatIx, Option<TypeIx>)>,
        /// `-> T`.
        ret: Option<TypeIx>,
        /// The body; of an `async` closure, an `async` block.
        body: ExprIx,
    },
    /// `{ ... }`.
    Block {
        /// The block's own scope, where it declares items or imports.
        scope: Option<ScopeIx>,
        /// Statements; the last one without a semicolon is the value.
        stmts: Vec<Stmt>,
        /// Whether it is `async`.
        is_async: bool,
    },
    /// `if c { t } else { e }`.
    If {
        /// The condition, perhaps with [`ExprKind::Let`] in it.
        cond: ExprIx,
        /// Then.
        then: ExprIx,
        /// Else.
        other: Option<ExprIx>,
    },
    /// `let p = e` in a condition.
    Let {
        /// The pattern.
        pat: PatIx,
        /// The value.
        value: ExprIx,
    },
    /// `match`.
    Match {
        /// On what.
        scrutinee: ExprIx,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// `for p in e { b }`.
    For {
        /// The pattern.
        pat: PatIx,
        /// The iterator.
        iter: ExprIx,
        /// The body.
        body: ExprIx,
    },
    /// `while c { b }` and `loop { b }` (then the condition is none).
    Loop {
        /// The condition.
        cond: Option<ExprIx>,
        /// The body.
        body: ExprIx,
    },
    /// `e?`; the span of the `?` itself.
    Try(ExprIx, Span),
    /// `e.await`; the span of `await`.
    Await(ExprIx, Span),
    /// `&e`, `&mut e`, `&raw e`.
    Ref(ExprIx),
    /// `*e`.
    Deref(ExprIx),
    /// `-e` (`Neg`), `!e` (`Not`).
    Unary {
        /// The trait of `std::ops`.
        op: &'static str,
        /// The operand.
        of: ExprIx,
    },
    /// `a + b`, `a += b`; `op` is the trait of `std::ops` or `std::cmp` (`Add`, `AddAssign`,
    /// `PartialEq`, `PartialOrd`); empty for `&&` and `||`.
    Binary {
        /// The trait.
        op: &'static str,
        /// Where the operator stands.
        op_span: Span,
        /// Left.
        left: ExprIx,
        /// Right.
        right: ExprIx,
    },
    /// `a = b`.
    Assign {
        /// The place.
        left: ExprIx,
        /// The value.
        right: ExprIx,
    },
    /// `e as T`.
    Cast {
        /// What.
        value: ExprIx,
        /// To what.
        to: TypeIx,
    },
    /// `a[i]`.
    Index {
        /// Of what.
        base: ExprIx,
        /// Which.
        index: ExprIx,
    },
    /// `(a, b)`.
    Tuple(Vec<ExprIx>),
    /// `[a, b]`, `[a; n]`.
    Array(Vec<ExprIx>),
    /// `return e`.
    Return(Option<ExprIx>),
    /// `break e`, `yield e`, ranges and whatever else merely holds expressions.
    Holds(Vec<ExprIx>),
    /// A macro invocation.
    Macro(MacroCall),
}

/// `name: value` in a struct expression.
#[derive(Debug)]
pub struct FieldValue {
    /// The field's name or number.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// The value.
    pub value: ExprIx,
}

/// A statement. Items and imports of a block are in its scope.
#[derive(Debug)]
pub enum Stmt {
    /// `let p: T = e else { d };`
    Let {
        /// The pattern.
        pat: PatIx,
        /// The type.
        of: Option<TypeIx>,
        /// The value.
        init: Option<ExprIx>,
        /// The `else` block.
        other: Option<ExprIx>,
    },
    /// An expression; whether a semicolon follows.
    Expr(ExprIx, bool),
}

/// An arm of a `match`.
#[derive(Debug)]
pub struct Arm {
    /// The pattern.
    pub pat: PatIx,
    /// `if guard`.
    pub guard: Option<ExprIx>,
    /// The body.
    pub body: ExprIx,
}

/// A pattern.
#[derive(Debug)]
pub struct Pat {
    /// What it is.
    pub kind: PatKind,
    /// Where.
    pub span: Span,
}

/// What a pattern is.
#[derive(Debug)]
pub enum PatKind {
    /// `x`, `ref mut x @ p`. A single name may as well be a constant or a unit variant.
    Name(Name, Option<PatIx>),
    /// `_`, `..`, literals without names.
    Wild,
    /// `A::B`.
    Path(Path),
    /// `A(p, .., q)`: `rest` is the place of `..` among the elements, if there is one.
    TupleStruct {
        /// The struct or variant.
        path: Path,
        /// The elements, `..` left out.
        elems: Vec<PatIx>,
        /// Where `..` stands among them.
        rest: Option<usize>,
    },
    /// `A { f: p, g, .. }`.
    Struct {
        /// The struct or variant.
        path: Path,
        /// Fields: name, its place, and its pattern.
        fields: Vec<(Name, Span, PatIx)>,
    },
    /// `(p, .., q)`.
    Tuple {
        /// The elements, `..` left out.
        elems: Vec<PatIx>,
        /// Where `..` stands among them.
        rest: Option<usize>,
    },
    /// `[p, q]`.
    Slice(Vec<PatIx>),
    /// `&p`, `box p`.
    Ref(PatIx),
    /// `p | q`.
    Or(Vec<PatIx>),
    /// A literal, range or const block with an expression in it.
    Expr(ExprIx),
    /// `p: T` (closure parameters).
    Typed(PatIx, TypeIx),
    /// A macro in pattern position.
    Macro(MacroCall),
}
