//! Paths and types.

use super::{ExprIx, MacroCall, Name, TypeIx};
use crate::base::Span;

/// A path in code, types or patterns.
#[derive(Clone, Debug)]
pub struct Path {
    /// Starts with `::`.
    pub global: bool,
    /// `<T as Trait>::x` has `T` here, and the trait's segments lead `segments`; `<T>::x` has `T` and
    /// only `x`.
    pub qself: Option<QSelf>,
    /// The segments, at least one.
    pub segments: Vec<Segment>,
    /// From the first segment (or `<`) to the last.
    pub span: Span,
}

/// The type before `::` in angle brackets.
#[derive(Clone, Copy, Debug)]
pub struct QSelf {
    /// The type.
    pub of: TypeIx,
    /// How many leading segments of the path are the trait.
    pub trait_segments: usize,
}

/// A segment of a path.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Its name.
    pub name: Name,
    /// Where.
    pub span: Span,
    /// Type arguments; the inputs of `Fn(A, B)`; const arguments that are plain paths are types too, and
    /// another that names something is the length of an array of nothing, [`TypeKind::Slice`].
    pub args: Vec<TypeIx>,
    /// `Item = T`, the output of `Fn() -> T` as `Output`.
    pub bindings: Vec<(Name, TypeIx)>,
}

/// A type.
#[derive(Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// What a type is. Parentheses and groups are gone.
#[derive(Debug)]
pub enum TypeKind {
    /// A path, also as a bound.
    Path(Path),
    /// `&T`, `&mut T`, `*const T`.
    Ref(TypeIx),
    /// `[T]`, `[T; n]`.
    Slice(TypeIx, Option<ExprIx>),
    /// `(A, B)`.
    Tuple(Vec<TypeIx>),
    /// `fn(A) -> B`.
    Fn {
        /// Parameters.
        params: Vec<TypeIx>,
        /// Result.
        ret: Option<TypeIx>,
    },
    /// `impl A + B`: path types.
    Impl(Vec<TypeIx>),
    /// `dyn A + B`: path types.
    Dyn(Vec<TypeIx>),
    /// A macro in type position.
    Macro(MacroCall),
    /// `!`, `_`, and whatever has no name in it.
    Other,
}
