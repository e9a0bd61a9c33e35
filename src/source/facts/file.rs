//! A file, its scopes and its imports; the arena that everything of a file lies in.
//!
//! Everything of a file lies in one arena, [`Facts`]: scopes, items, expressions, patterns and types
//! point at each other by number. So the data is `Send`, dropping it never recurses, and a place is
//! always a byte range of the file as it stands on disk.
//!
//! Lowering drops what can never be linked: items, statements, fields, arms and arguments whose `cfg`
//! is false whatever else holds when `test` is off. Every other `cfg` is taken as on, so one name may
//! have several items.

use std::sync::Arc;

use super::{Expr, Include, Item, Pat, Type};
use crate::base::{FileId, Span};

/// An identifier without `r#`. In the body of a `macro_rules!`, `$crate` is the name `$crate`, and a
/// metavariable `$x` is the name `$x`, which resolves to nothing.
pub type Name = Arc<str>;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident => $field:ident: $of:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl std::ops::Index<$name> for Facts {
            type Output = $of;
            fn index(&self, at: $name) -> &$of {
                &self.$field[at.0 as usize]
            }
        }
    )*};
}

index! {
    /// A scope of [`Facts::scopes`].
    ScopeIx => scopes: Scope;
    /// An item of [`Facts::items`].
    ItemIx => items: Item;
    /// An expression of [`Facts::exprs`].
    ExprIx => exprs: Expr;
    /// A pattern of [`Facts::pats`].
    PatIx => pats: Pat;
    /// A type of [`Facts::types`].
    TypeIx => types: Type;
}

/// One file.
#[derive(Debug)]
pub struct Facts {
    /// The file.
    pub file: FileId,
    /// Scopes; the first is the top of the file.
    pub scopes: Vec<Scope>,
    /// Items of all scopes, members of traits and impls included.
    pub items: Vec<Item>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Patterns.
    pub pats: Vec<Pat>,
    /// Types.
    pub types: Vec<Type>,
    /// Where and why the file does not parse as Rust; then `scan` holds what its tokens show, and the
    /// top scope the `use` declarations found among them.
    pub error: Option<ParseError>,
    /// For a file that does not parse: names, calls and literals among its tokens, in order.
    pub scan: Vec<ExprIx>,
    /// Files whose text is taken in as it stands (`include_str!`, sqlx's `query_file!`), and where.
    pub texts: Vec<(Include, Span)>,
    /// Macro invocations in this file whose tokens did not parse and were scanned.
    pub macros_scanned: u32,
}

/// Why a file is no Rust.
#[derive(Clone, Debug)]
pub struct ParseError {
    /// The parser's words.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// A module's body, a file's top, or a block with items or imports of its own.
#[derive(Debug, Default)]
pub struct Scope {
    /// The scope around it in the same file; none for the top of the file.
    pub parent: Option<ScopeIx>,
    /// Whether it is a block: then names are looked up in the parent next, and `self::`, `super::`
    /// mean those of the enclosing module.
    pub block: bool,
    /// Its items, in source order.
    pub items: Vec<ItemIx>,
    /// Its imports, one for each leaf of each tree, in source order.
    pub uses: Vec<Use>,
}

/// One leaf of a `use` tree.
#[derive(Debug)]
pub struct Use {
    /// Whether it has any `pub`: a re-export.
    pub public: bool,
    /// Whether the whole tree starts with `::`.
    pub global: bool,
    /// The path's segments; `use a::{self as b}` has only `a`. In a glob, the path before `*`.
    pub segments: Vec<(Name, Span)>,
    /// What it binds.
    pub binds: UseBinding,
    /// The leaf: from its first own token to its alias (`Client as Db` in `use x::{Client as Db}`).
    pub span: Span,
}

/// What a `use` leaf brings in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UseBinding {
    /// One name: the last segment or the alias. `as _` binds nothing but makes traits usable.
    Name(Name),
    /// `as _`.
    Underscore,
    /// Everything public (and what is visible) of the path.
    Glob,
}
