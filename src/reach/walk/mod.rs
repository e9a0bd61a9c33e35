//! What one piece of code names, calls and touches.
//!
//! `items` begins: it knows what counts of an item. `exprs` goes through bodies, `calls` tells what a
//! call leads to, `implicit` what the language calls by itself, `names` turns paths into events.

mod bindings;
mod calls;
mod chains;
mod exprs;
mod implicit;
mod items;
mod macros;
mod methods;
mod names;
mod narrow;
mod values;
mod walker;

pub use items::walk;
