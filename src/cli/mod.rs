//! What was typed, and what it means.
//!
//! Two steps, kept apart: [`Typed`] is the command line word for word, with its help; [`Meaning`] is
//! the plain answer that every later floor sees, with defaults filled in, conflicts settled and the
//! surroundings (is this a GitHub job? is the output a file?) taken into account. Nothing above this
//! folder looks at an argument or an environment variable.
//!
//! To add a flag: a field in `typed`, its meaning in `meaning`, and a line in both files' tests.

mod dashes;
mod generated;
mod help;
mod levels;
mod meaning;
mod review;
mod surroundings;
mod typed;

pub use clap::builder::styling::Style;
/// The colours of cargo's own output, for what the commands print.
pub use clap_cargo::style;
/// The shells that a completion script can be had for.
pub use clap_complete::Shell;
pub use generated::{completions, manual};
pub use levels::LevelFlags;
pub use meaning::{
    Check, Command, Init, Map, Meaning, Project, Scope, Screen, Tree, UsageError, Verbosity, Why, command, read,
};
pub use review::{Card, Drill, Measure, Timing};
pub use surroundings::Surroundings;
pub use typed::{CardFormat, Isolation, MapFormat, TimingFormat, Typed};
