//! Macros that are known by name, because their tokens have a shape of their own.
//!
//! To teach another one: add its last segment to the row of [`order`] that fits, or a row.

use super::{macros::Position, shapes::Try};

/// What is special about a macro's tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// Parsed by the first shape that fits.
    Shapes(&'static [Try]),
    /// The literals are one string.
    Concat,
    /// Another file.
    Include,
    /// A generated file.
    IncludeProto,
    /// Another file's text, as a string: relative to this file.
    Text,
    /// The same, relative to the package's folder, among arguments.
    QueryFile,
    /// Nothing in it is code.
    Inert,
    /// Code for another place: scanned.
    Quoted,
}

const IN_ITEMS: &[Try] = &[Try::Items, Try::Statics, Try::Args, Try::Stmts];
const IN_CODE: &[Try] = &[Try::Arms, Try::Args, Try::Stmts, Try::Statics, Try::Matches];
const IN_TYPES: &[Try] = &[Try::Types, Try::Args];
const IN_PATTERNS: &[Try] = &[Try::Pats, Try::Args];

/// How the tokens of a macro are read, by its last segment and where it stands.
pub(super) fn known(name: &str, position: Position) -> Known {
    Known::Shapes(match name {
        "concat" => return Known::Concat,
        "include" => return Known::Include,
        "include_proto" => return Known::IncludeProto,
        "include_str" => return Known::Text,
        "query_file"
        | "query_file_as"
        | "query_file_scalar"
        | "query_file_unchecked"
        | "query_file_as_unchecked"
        | "query_file_scalar_unchecked" => return Known::QueryFile,
        "include_bytes"
        | "include_file_descriptor_set"
        | "stringify"
        | "cfg"
        | "line"
        | "column"
        | "file"
        | "module_path" => return Known::Inert,
        "quote" | "quote_spanned" | "parse_quote" | "parse_quote_spanned" => return Known::Quoted,
        "matches" | "assert_matches" | "debug_assert_matches" | "assert_let" => &[Try::Matches, Try::Args, Try::Stmts],
        "select" | "select_biased" => &[Try::Arms, Try::Args, Try::Stmts],
        "cfg_if" | "cfg_select" => &[Try::Branches, Try::Items, Try::Stmts],
        "lazy_static" | "thread_local" | "task_local" | "scoped_thread_local" => &[Try::Statics, Try::Items],
        "bitflags" => &[Try::Flags, Try::Items],
        _ => match position {
            Position::Item | Position::Member => IN_ITEMS,
            Position::Expr | Position::Stmt => IN_CODE,
            Position::Type => IN_TYPES,
            Position::Pattern => IN_PATTERNS,
        },
    })
}
