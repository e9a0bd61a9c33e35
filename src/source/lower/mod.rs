//! The parser's tree to facts, taking the tree apart on the way down, so that nothing of it is left to
//! drop.
//!
//! One file for each sort of node, all of them `impl Lower`: a new kind of expression goes into `exprs`,
//! a macro whose tokens have a shape of their own into `known`. `context` holds the arenas that all of
//! them write to. Children are entered before their parents, so an expression's number is higher than
//! those of the expressions that it is made of.

mod attrs;
mod captures;
mod cfg;
mod context;
mod exprs;
mod formats;
mod includes;
mod items;
mod known;
mod literals;
mod macro_rules;
mod macros;
mod members;
mod paths;
mod pats;
mod scan;
mod scan_paths;
mod shapes;
mod signatures;
mod stmts;
mod types;
mod uses;

#[cfg(test)]
mod tests;

pub(super) use context::Lower;
pub(super) use literals::of_token;
