//! Names to items, as rustc would: modules and what they declare, paths, types, impls.
//!
//! [`World`] holds the crates of all local packages. Everything in it is lazy: a file is parsed when
//! a name leads into it, or when the byte search of `impls` finds that it may matter.

mod broken;
mod declared;
mod dependents;
mod expand;
mod impls;
mod lookup;
mod modules;
mod named;
mod outside;
mod paths;
mod show;
mod solving;
mod std_globs;
mod strings;
mod words;
mod world;

pub use broken::Broken;
pub use impls::{ImplFor, is_pointer};
pub use lookup::Space;
pub use modules::{Module, ModuleId};
pub use outside::{Outside, OutsideCrate};
pub use paths::{Found, Res, UseRef};
pub use solving::{Gathered, Kept};
pub use strings::{SourceString, Strings};
pub use words::each_word;
pub use world::{FactsId, ItemId, Krate, KrateId, World};
