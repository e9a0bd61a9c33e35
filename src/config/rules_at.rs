//! Where rules stand: a file of their own, or a table of a manifest.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::base::{FileId, Span};

/// Where rules stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulesAt {
    /// The file.
    pub file: FileId,
    /// The table in it.
    pub table: RulesTable,
}

/// The table that rules stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesTable {
    /// The whole of a rules file.
    Whole,
    /// `[workspace.metadata.lease-guard]` of a manifest.
    Workspace,
    /// `[package.metadata.lease-guard]` of a manifest.
    Package,
}

impl RulesTable {
    /// The table's path; empty for a file of its own.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Whole => "",
            Self::Workspace => "workspace.metadata.lease-guard",
            Self::Package => "package.metadata.lease-guard",
        }
    }

    /// The table in a document, if the document has it.
    pub(super) fn find<'d, 't>(
        self,
        document: &'d toml::Spanned<DeValue<'t>>,
    ) -> Option<&'d toml::Spanned<DeValue<'t>>> {
        let keys = self.path().split('.').filter(|key| !key.is_empty());
        keys.into_iter().try_fold(document, |node, key| node.get_ref().get(key))
    }
}

/// A document as the value that it is, so that the whole and a table in it are read alike.
pub(super) fn as_value(document: toml::Spanned<DeTable<'_>>) -> toml::Spanned<DeValue<'_>> {
    let range = document.span();
    toml::Spanned::new(range, DeValue::Table(document.into_inner()))
}

/// A byte range of toml's, as a place.
pub(super) fn place(file: FileId, range: Range<usize>) -> Span {
    let at = |n| u32::try_from(n).unwrap_or(u32::MAX);
    Span { file, start: at(range.start), end: at(range.end) }
}
