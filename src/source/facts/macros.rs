//! Macro invocations and their tokens.

use super::{ExprIx, PatIx, Path, ScopeIx, TypeIx};
use crate::base::Span;

/// A macro invocation.
#[derive(Debug)]
pub struct MacroCall {
    /// The macro.
    pub path: Path,
    /// All of it.
    pub span: Span,
    /// What its tokens hold.
    pub body: MacroBody,
    /// If it is `include!` or the like: what it includes.
    pub include: Option<Include>,
}

/// Tokens of a macro, parsed where they parse and scanned where they do not.
#[derive(Debug, Default)]
pub struct MacroBody {
    /// Expressions in source order: arguments (without the key of `key = value`), the parts of `select!`
    /// arms, the literals, and what a scan of the rest found (paths, which may be types; calls; method
    /// calls with an unknown receiver; literals; single names only where they are called, dotted, or
    /// begin with a capital). The literals of a `concat!` are one joined string with the span of the
    /// whole invocation; U+FFFD stands for a part that only a build knows.
    pub exprs: Vec<ExprIx>,
    /// Patterns bound before the expressions (`x = fut => ...`), for those that follow.
    pub pats: Vec<PatIx>,
    /// Types found where types are expected (`matches!` aside; `ref NAME: T` of `lazy_static!`).
    pub types: Vec<TypeIx>,
    /// Items that the tokens declare, and statements' items. The expressions, patterns and types of the
    /// body stand in it where there is one.
    pub scope: Option<ScopeIx>,
    /// Arguments that a format string prints: the expression, and whether by `Debug`. Names captured
    /// in the string (`"{HOST}"`) are path expressions here and in `exprs`, with the place of the
    /// name in the literal, or the literal's own where escapes forbid. What `assert_eq!`, `dbg!` and
    /// the `%` and `?` of an event print is here too.
    pub formatted: Vec<(ExprIx, bool)>,
    /// Whether some tokens did not parse and were scanned.
    pub scanned: bool,
}

/// What an `include!` includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Include {
    /// A file relative to the one that includes it.
    Relative(String),
    /// A file relative to the package's folder: `concat!(env!("CARGO_MANIFEST_DIR"), "/x.rs")`.
    Manifest(String),
    /// A file that a build writes, as the source spells it.
    Opaque(String),
}
