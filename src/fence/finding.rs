//! What the judge finds.

use std::ops::Range;

/// One thing that is wrong with a text of SQL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SqlFinding {
    /// What it is.
    pub kind: SqlKind,
    /// Bytes of the SQL text: the table that is written, or the value that stands in for a clock.
    pub range: RangeOf,
    /// The table, as the rules write it.
    pub table: String,
    /// One sentence, without a full stop. It holds no text of the SQL.
    pub why: String,
}

/// A range of bytes that can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RangeOf {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

impl From<Range<usize>> for RangeOf {
    fn from(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

impl From<RangeOf> for Range<usize> {
    fn from(range: RangeOf) -> Self {
        range.start..range.end
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SqlKind {
    /// A write to a protected table that a stale holder can make (lint `unfenced-write`).
    UnfencedWrite,
    /// A write to the lease's table that can give it to two (lint `unguarded-renewal`).
    UnguardedRenewal(RenewalFault),
    /// The lease's expiry is judged by, or set from, the time of a client (lint `client-clock`).
    ClientClock,
    /// It does not parse, names one of the tables, and writes (lint `opaque-code`).
    Unparsed,
}

/// What a renewal or takeover lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RenewalFault {
    /// It extends a lease without asking who holds it.
    ExtendsAnyones,
    /// It extends a lease that may have expired.
    ExtendsExpired,
    /// It takes a lease over that may not have expired.
    TakesUnexpired,
    /// It takes over what another statement saw expired, without a lock: two at once take the same lease.
    Unlocked,
    /// It does not raise the epoch, or lowers it.
    KeepsEpoch,
    /// It ends a lease, or takes its row away, without asking who holds it or whether it has expired.
    EndsAnyones,
}

impl RenewalFault {
    /// One word of it, for tests and wire formats.
    pub const fn word(self) -> &'static str {
        match self {
            Self::ExtendsAnyones => "extends-anyones",
            Self::ExtendsExpired => "extends-expired",
            Self::TakesUnexpired => "takes-unexpired",
            Self::Unlocked => "unlocked",
            Self::KeepsEpoch => "keeps-epoch",
            Self::EndsAnyones => "ends-anyones",
        }
    }
}
