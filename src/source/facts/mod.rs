//! What one source file says, as plain data: the contract between reading sources and resolving names.

mod code;
mod file;
mod items;
mod macros;
mod types;

pub use code::{Arm, Expr, ExprKind, FieldValue, Pat, PatKind, Stmt};
pub use file::{ExprIx, Facts, ItemIx, Name, ParseError, PatIx, Scope, ScopeIx, TypeIx, Use, UseBinding};
pub use items::{
    Attr, Field, Fields, Function, GenericParam, Generics, Item, ItemKind, Module, Param, Receiver, Variant,
};
pub use macros::{Include, MacroBody, MacroCall};
pub use types::{Path, QSelf, Segment, Type, TypeKind};
