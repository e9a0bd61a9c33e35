//! A place as the wire formats write it.

use serde::Serialize;

use crate::base::{Files, Span};

/// A place: a path from the workspace root, lines and columns from 1, columns in characters, the end
/// column behind the last character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

impl Place {
    pub(super) fn of(span: Span, files: &Files) -> Self {
        let file = files.get(span.file);
        let start = file.line_column(span.start);
        let end = file.line_column(span.end.max(span.start));
        Self {
            file: file.path.clone(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    /// The start of a file, for what has no place of its own where a format demands one.
    pub(super) fn start_of(file: &str) -> Self {
        Self { file: file.to_owned(), line: 1, column: 1, end_line: 1, end_column: 1 }
    }

    /// The same place, its path from the repository's root, in which the workspace stands at `prefix`.
    pub(super) fn within(mut self, prefix: &str) -> Self {
        self.file = from_repository(prefix, &self.file);
        self
    }

    /// `path:line`, raw.
    pub(super) fn line_ref(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// `path:line:column`, raw.
    pub(super) fn point(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A path from the workspace root, as one from the repository's root.
pub(super) fn from_repository(prefix: &str, path: &str) -> String {
    if prefix.is_empty() {
        return path.to_owned();
    }
    let mut out: Vec<&str> = Vec::new();
    for part in prefix.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if out.last().is_some_and(|last| *last != "..") => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out.join("/")
}

#[cfg(test)]
mod tests {
    use super::from_repository;

    #[test]
    fn paths_start_at_the_repository() {
        assert_eq!(from_repository("", "src/a.rs"), "src/a.rs");
        assert_eq!(from_repository("rust/server/", "src/a.rs"), "rust/server/src/a.rs");
        assert_eq!(from_repository("rust/server", "../shared/a.rs"), "rust/shared/a.rs");
        assert_eq!(from_repository("rust", "../../a.rs"), "../a.rs");
    }
}
