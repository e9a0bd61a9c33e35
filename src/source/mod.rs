//! Text to facts: what stands in a source file, as plain data that any thread may hold.
//!
//! `syn` and `proc_macro2` are named in this folder only. A file is parsed and lowered to [`Facts`]
//! on one thread; then the tree and the thread's span table are let go, for both belong to it.

mod facts;
mod place;

pub use facts::*;
pub use place::Place;

/// stub
pub fn read(_: &crate::base::Files, _: crate::base::FileId) -> Result<Facts, ParseError> {
    todo!()
}
/// stub
pub fn read_all(_: &crate::base::Files, _: &[crate::base::FileId]) -> Vec<Result<Facts, ParseError>> {
    todo!()
}
