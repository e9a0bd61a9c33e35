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

    /// `path:line`, raw.
    pub(super) fn line_ref(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// `path:line:column`, raw.
    pub(super) fn point(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}
