//! The report, printed: one file for each format.
//!
//! A renderer knows findings and files, and nothing of how they were found. What it prints came in
//! part from the checked workspace, so each file neutralises that text for its own format, and its
//! tests feed it the hostile sample of `sample`.
//!
//! To add a format: write a file with a `pub(super) const FORMAT: Format`, declare it here, and add
//! its line to the table in `formats` (a test fails until that is done).

mod cargo_json;
mod chain;
mod details;
mod excerpt;
mod fingerprint;
mod formats;
mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod markdown;
mod place;
mod sarif;
mod short;
mod summary;
mod wire;

#[cfg(test)]
mod sample;

pub use formats::{EditorPackage, EditorTarget, FORMATS, Format, LintDoc, Options, Render, format_named};
pub use human::render_problems;
#[cfg(feature = "cli")]
pub(crate) use markdown::prose;
pub use wire::write_pretty as write_json;
