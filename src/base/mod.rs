//! What every floor stands on: files with their places, and the text that comes from strangers.
//!
//! Nothing here knows what a lease is. A module belongs here only if at least two floors need it.

mod count;
mod duration;
mod features;
mod files;
mod nearest;
mod neutral;
mod xml;

pub use count::counted;
pub use duration::{DurationError, parse_duration, parse_signed_duration, show_duration, show_signed_nanos};
pub use features::Features;
pub use files::{FileId, Files, LineColumn, SourceFile, Span, Spanned, normalise};
pub use nearest::nearest;
pub use neutral::{in_place, is_hidden, visible};
pub use xml::xml_escaped;
