//! The small type reader: what the source shows of a value's type, and no more.
//!
//! It exists to tell whose method is called. It infers nothing backwards, checks nothing, and says
//! [`Ty::Unknown`] where the source does not show a type; whoever asks then goes by name. Its rules
//! stand in three places: `lower` (types as written), `outside` (what well-known containers, locks,
//! iterators and adaptors hand out) and `called` (what those call unseen).

mod called;
mod context;
mod fill;
mod kept;
mod lower;
mod makers;
mod methods;
mod outside;
mod reader;
mod ty;

pub use called::{Called, called};
pub use context::Context;
pub use makers::{made_by, put_in};
pub use methods::{Callee, MethodCall, is_language_trait};
pub use outside::{Adapted, adapt, element, open_result};
pub(crate) use outside::{pointee, wrap};
pub use reader::{Reader, Signature};
pub use ty::{Bounds, Code, OutsideBound, Ty};
