//! The canary: an offence planted on purpose, in memory, to see that the rules guard what they say.
//!
//! `plant` chooses the places: every selected module, every selected item that can hold a use, and
//! the functions that selected items call. `sing` checks the planted copy and tells which plants were
//! found. Nothing on disk changes. The offence is a client of a hosted model, since that is reported
//! wherever the path leads, behind a local coordinator too.

mod plant;
mod sing;

pub use plant::{EXTERN_NAME, PACKAGE, Plant, Spot, plants};
pub use sing::{Missed, Song, sing};
