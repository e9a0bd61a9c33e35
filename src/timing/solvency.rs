//! Whether a renewal comes in time.
//!
//! A renewal is sent `renew-every` after the last one. Until it is answered pass its own round trip
//! and whatever else the loop waits for, and the holder stands down `guard` before the expiry: all of
//! that must be less than the TTL. A wait that alone takes more than half the TTL leaves no room for
//! a second try. All sums are of whole nanoseconds; halves are compared by doubling the other side.

use std::{fmt, time::Duration};

use super::LeaseTimes;
use crate::{
    base::{show_duration, visible},
    finding::Level,
};

/// Something that does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// A single wait takes more than half the TTL: `p95 > ttl/2`.
    SlowWait {
        /// What is waited for.
        what: Waited,
        /// How long, 95th percentile.
        p95: Duration,
        /// The TTL.
        ttl: Duration,
    },
    /// A renewal that nothing went wrong with comes too late:
    /// `renew-every + renew-p95 + sum of steps + guard >= ttl`.
    TooLate {
        /// The left side.
        spent: Duration,
        /// The TTL.
        ttl: Duration,
    },
    /// One lost renewal loses the lease: `2*renew-every + renew-p95 + guard >= ttl`.
    OneLoss {
        /// The left side.
        spent: Duration,
        /// The TTL.
        ttl: Duration,
    },
}

/// What is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waited {
    /// The round trip of the renewal.
    Renewal,
    /// A step, by its place in [`LeaseTimes::steps`] and its name.
    Step(usize, String),
}

impl Shortfall {
    /// How it counts where the rules do not set the lint's level.
    pub const fn level(&self) -> Level {
        match self {
            Self::SlowWait { .. } | Self::TooLate { .. } => Level::Deny,
            Self::OneLoss { .. } => Level::Warn,
        }
    }

    /// The key of `[lease.timing]` that it is about.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::SlowWait { what: Waited::Renewal, .. } => "renew-p95",
            Self::SlowWait { what: Waited::Step(..), .. } => "steps",
            Self::TooLate { .. } | Self::OneLoss { .. } => "renew-every",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::SlowWait { ttl, .. } => format!(
                "bring the wait below {}, take it out of the renewal loop, or grant a longer ttl",
                show_duration(*ttl / 2)
            ),
            Self::TooLate { spent, ttl } => format!(
                "renew more often by more than {}, wait for less, or grant a longer ttl",
                show_duration(spent.saturating_sub(*ttl))
            ),
            Self::OneLoss { .. } => "renew at least three times within the ttl, so that one may be lost".to_owned(),
        }
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SlowWait { what, p95, ttl } => {
                let (p95, half) = (show_duration(*p95), show_duration(*ttl / 2));
                match what {
                    Waited::Renewal => write!(f, "a renewal takes {p95}, more than half the ttl ({half})"),
                    Waited::Step(_, name) => {
                        write!(f, "the step `{}` takes {p95}, more than half the ttl ({half})", visible(name))
                    }
                }
            }
            Self::TooLate { spent, ttl } => write!(
                f,
                "a renewal comes too late: renew-every, renew-p95, the steps and the guard take {}, the ttl is {}",
                show_duration(*spent),
                show_duration(*ttl)
            ),
            Self::OneLoss { spent, ttl } => write!(
                f,
                "one lost renewal loses the lease: twice renew-every, renew-p95 and the guard take {}, the ttl is {}",
                show_duration(*spent),
                show_duration(*ttl)
            ),
        }
    }
}

/// The sums behind the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// `renew-every + renew-p95 + sum of steps + guard`.
    pub spent: Duration,
    /// What of the TTL is left then; `None` where nothing is.
    pub spare: Option<Duration>,
    /// How many renewals in a row may be lost with the lease still held: the largest n for which
    /// `(n+1)*renew-every + renew-p95 + guard < ttl`. `None` where not even an answered one is in time.
    pub may_be_lost: Option<u64>,
}

/// What does not add up, the gravest first. Where the lease is lost without any loss, nothing is said of
/// one lost renewal.
pub fn shortfalls(times: &LeaseTimes) -> Vec<Shortfall> {
    let ttl = times.ttl;
    let waits = std::iter::once((Waited::Renewal, times.renew_p95))
        .chain(times.steps.iter().enumerate().map(|(at, step)| (Waited::Step(at, step.name.clone()), step.p95)));
    let mut found: Vec<_> = waits
        .filter(|(_, p95)| p95.saturating_mul(2) > ttl)
        .map(|(what, p95)| Shortfall::SlowWait { what, p95, ttl })
        .collect();
    let spent = round(times);
    let with_one_lost = times.renew_every.saturating_mul(2).saturating_add(rest(times));
    if spent >= ttl {
        found.push(Shortfall::TooLate { spent, ttl });
    } else if with_one_lost >= ttl {
        found.push(Shortfall::OneLoss { spent: with_one_lost, ttl });
    }
    found
}

/// The sums of a lease.
pub fn budget(times: &LeaseTimes) -> Budget {
    let spent = round(times);
    let spare = times.ttl.checked_sub(spent).filter(|spare| !spare.is_zero());
    Budget { spent, spare, may_be_lost: spare.and_then(|_| may_be_lost(times)) }
}

/// From one renewal to the answer of the next, and the guard.
fn round(times: &LeaseTimes) -> Duration {
    let steps = times.steps.iter().fold(Duration::ZERO, |sum, step| sum.saturating_add(step.p95));
    times.renew_every.saturating_add(rest(times)).saturating_add(steps)
}

fn rest(times: &LeaseTimes) -> Duration {
    times.renew_p95.saturating_add(times.guard)
}

fn may_be_lost(times: &LeaseTimes) -> Option<u64> {
    // What is left for the waits between renewals must be strictly less than the TTL.
    let left = times.ttl.checked_sub(rest(times))?.as_nanos().checked_sub(1)?;
    let rounds = left / times.renew_every.as_nanos().max(1);
    u64::try_from(rounds).unwrap_or(u64::MAX).checked_sub(1)
}

#[cfg(test)]
#[path = "solvency_tests.rs"]
mod tests;
