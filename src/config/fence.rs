//! Where a lease lives in SQL, and what its fence protects.

use crate::base::{Span, Spanned};

/// When the fencing token goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpochRises {
    /// When the lease is granted to a holder: the default.
    Grant,
    /// At each renewal as well.
    Renewal,
}

impl EpochRises {
    /// Both, in the order in which they are explained.
    pub const ALL: [Self; 2] = [Self::Grant, Self::Renewal];

    /// The word of the rules file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Renewal => "renewal",
        }
    }
}

/// `[lease.fence]`.
#[derive(Clone, Debug)]
pub struct Fence {
    /// The table that holds the leases, as SQL names it (`schema.table` too).
    pub table: Spanned<String>,
    /// Its column of who holds the lease.
    pub holder: Spanned<String>,
    /// Its column of the fencing token.
    pub epoch: Spanned<String>,
    /// Its column of when the lease expires.
    pub expires: Spanned<String>,
    /// When the fencing token goes up.
    pub epoch_rises: EpochRises,
    /// The tables to which every write carries the fence; may be empty.
    pub protects: Vec<Spanned<String>>,
    /// The header's place.
    pub span: Span,
}
