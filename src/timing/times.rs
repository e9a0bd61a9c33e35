//! The times of one lease, all known: written out, or read from the constants of the source.

use std::time::Duration;

use crate::{
    base::{Span, Spanned},
    config::{Length, Timing},
};

/// The times of one lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseTimes {
    /// From a grant or renewal to the expiry.
    pub ttl: Duration,
    /// From one renewal to the next.
    pub renew_every: Duration,
    /// The round trip of a renewal, 95th percentile.
    pub renew_p95: Duration,
    /// What else is waited for between two renewals.
    pub steps: Vec<Wait>,
    /// How much early the holder stands down, and how much late the grantor grants anew; zero where the
    /// rules name none.
    pub guard: Duration,
    /// How far the clocks that judge the lease may be apart, either way, where the rules say so.
    pub skew: Option<Duration>,
    /// The longest time without a leader that is accepted, where the rules say so.
    pub max_gap: Option<Duration>,
}

/// Something that is waited for between two renewals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What the rules call it: text from the checked workspace.
    pub name: String,
    /// How long it takes, 95th percentile.
    pub p95: Duration,
}

impl LeaseTimes {
    /// The times of `[lease.timing]`. `constant` is asked for each `{ const = "path" }`, with the path and its
    /// place in the rules file.
    ///
    /// # Errors
    /// The first of `constant`.
    pub fn of<E>(timing: &Timing, mut constant: impl FnMut(&str, Span) -> Result<Duration, E>) -> Result<Self, E> {
        let mut known = |length: &Spanned<Length>| match &length.value {
            Length::Written(duration) => Ok(*duration),
            Length::Const(path) => constant(path, length.span),
        };
        let steps = timing.steps.iter().map(|step| Ok(Wait { name: step.name.value.clone(), p95: known(&step.p95)? }));
        Ok(Self {
            steps: steps.collect::<Result<_, E>>()?,
            ttl: known(&timing.ttl)?,
            renew_every: known(&timing.renew_every)?,
            renew_p95: known(&timing.renew_p95)?,
            guard: timing.guard.as_ref().map(&mut known).transpose()?.unwrap_or_default(),
            skew: timing.clock_skew.as_ref().map(|skew| known(&skew.bound)).transpose()?,
            max_gap: timing.max_gap.as_ref().map(&mut known).transpose()?,
        })
    }
}

/// The nanoseconds of a duration, at most a sixteenth of what 64 bits hold (18 years), so that sums of
/// a few cannot overflow. The rules file accepts no more than a year.
pub fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX).min(i64::MAX / 16)
}

#[cfg(test)]
impl LeaseTimes {
    /// The lease of the documentation.
    pub(super) fn sample() -> Self {
        let ms = Duration::from_millis;
        Self {
            ttl: ms(15_000),
            renew_every: ms(5_000),
            renew_p95: ms(40),
            steps: vec![Wait { name: "fsync".to_owned(), p95: ms(12) }],
            guard: ms(100),
            skew: Some(ms(200)),
            max_gap: Some(ms(1_000)),
        }
    }
}
