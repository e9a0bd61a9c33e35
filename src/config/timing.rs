//! The times that a lease is made of, as the rules file gives them.

use std::time::Duration;

use jiff::civil::Date;

use crate::base::{Span, Spanned};

/// The longest duration that is accepted, so that sums of a few never overflow.
pub const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// A duration, or where the source has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// Written out: `"15s"`; at most [`LONGEST`].
    Written(Duration),
    /// The path of a constant: `{ const = "orders::lease::TTL" }`.
    Const(String),
}

/// `[lease.timing]`.
#[derive(Clone, Debug)]
pub struct Timing {
    /// From a grant or renewal to the expiry.
    pub ttl: Spanned<Length>,
    /// From one renewal to the next.
    pub renew_every: Spanned<Length>,
    /// The round trip of a renewal, 95th percentile.
    pub renew_p95: Spanned<Length>,
    /// How far the clocks that judge the lease may be apart.
    pub clock_skew: Option<ClockSkew>,
    /// How much early the holder stands down, and how much late the grantor grants anew.
    pub guard: Option<Spanned<Length>>,
    /// The longest time without a leader that is accepted.
    pub max_gap: Option<Spanned<Length>>,
    /// What else is waited for between two renewals.
    pub steps: Vec<Step>,
    /// The header's place.
    pub span: Span,
}

/// How far clocks may be apart, and how that is known.
#[derive(Clone, Debug)]
pub struct ClockSkew {
    /// The bound, either sign.
    pub bound: Spanned<Length>,
    /// Where the figure comes from.
    pub source: Option<Spanned<String>>,
    /// When it was measured.
    pub measured: Option<Spanned<Date>>,
}

/// Something that is waited for between two renewals.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it is called.
    pub name: Spanned<String>,
    /// How long it takes, 95th percentile.
    pub p95: Spanned<Length>,
}
