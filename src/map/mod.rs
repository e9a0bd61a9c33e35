//! The map: the lease path, what it reaches, where routes are cut, and the offenders, as a picture.
//!
//! | file | what it does |
//! | --- | --- |
//! | `model` | the plain graph that everything below reads |
//! | `gather`, `cuts`, `offenders` | from a check to that graph |
//! | `picture` | what a still picture shows: each item, or a box for a module where there are many |
//! | `layout` | where each box stands; the work is `dugong`'s |
//! | `svg`, `dot`, `mermaid`, `html` | one format each |
//! | `sources` | the lines that the page quotes |
//! | `page/` | the style and the script of the page, put into it as they are |
//!
//! To add a format: a file with a function from the [`Map`] to text, a variant in `cli`'s `MapFormat`,
//! and a line in the command. Names and source lines come from the checked workspace: a format must
//! show them as text, whatever they hold.

mod cuts;
mod dot;
mod gather;
mod html;
mod layout;
mod mermaid;
mod model;
mod offenders;
mod picture;
mod sources;
mod svg;

pub use dot::dot;
pub use gather::gather;
pub use html::html;
pub use mermaid::mermaid;
pub use model::{Edge, Hop, Item, Lease, Map, Offender, Place, Standing, Station, Stop, StopKind, Subject};
pub use picture::{Line, Picture, Shape, Shows};
pub use svg::svg;
