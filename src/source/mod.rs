//! Text to facts: what stands in a source file, as plain data that any thread may hold.
//!
//! `syn` and `proc_macro2` are named in this folder only. A file is parsed and lowered to [`Facts`]
//! on one thread; then the tree and the thread's span table are let go, for both belong to it.
//!
//! [`read`] is the way in. `prologue` strips what is no token, `depth` bounds what the parser's recursion
//! may meet, `lower` turns the tree to facts. A new construct of the language gets its kind in `facts`
//! and its function in the file of `lower` that deals with such nodes. `literal_map` leads from the value of a
//! string literal back to its source.

mod depth;
mod facts;
mod literal_map;
mod lower;
mod place;
mod places;
mod prologue;
mod read;
mod string_map;

#[cfg(test)]
mod tests;

pub use facts::*;
pub use literal_map::LiteralMap;
pub use place::Place;
pub use read::{deep, read, read_all};
pub use string_map::string_map;
