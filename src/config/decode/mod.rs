//! From text to [`Rules`](super::Rules): every problem of the file at once, each with its place.
//!
//! `document` reads toml's spanned tree from the top; each table has a file of its own, in which its
//! section (the keys, each with a line that shows it) and its reader stand together. `tree` holds
//! what all readers share: types, unknown keys, empty values. `words` checks the form of what is
//! written (paths, globs, package names, fragments); `error` holds the wording. What needs the packs
//! or the workspace (does the package exist, is a client declared a coordinator) is not judged here.
//!
//! To add a key, add it to its section's `KEYS` and read it there. To add a table, add one file, its
//! section to `keys::ALL`, and its key to the section that holds it. Tests walk all sections, so a
//! key that is listed and not read, or read and not listed, fails.

mod dates;
mod document;
mod drill;
mod error;
mod exception;
mod fence;
mod forbid;
mod keys;
mod lease;
mod lints;
mod timing;
mod tree;
mod words;

#[cfg(test)]
mod tests;

pub use document::decode;
