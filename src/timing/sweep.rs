//! Many handovers: over skews and guards, the smallest guard for a skew, the verdict within a bound.

use std::{fmt, ops::Range, time::Duration};

use super::{Handover, LeaseTimes, Tally, nanos, points};
use crate::base::{show_duration, show_signed_nanos};

/// One handover of a sweep and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// How far the holder's clock runs behind the grantor's.
    pub skew: i64,
    /// The guard.
    pub guard: i64,
    /// For how long there was which number of leaders.
    pub tally: Tally,
}

/// Every skew with every guard, guard by guard. `window` is what is counted in; `None` counts each
/// handover in the narrowest window that holds all of it. All times in one unit.
pub fn sweep(expiry: i64, skews: &[i64], guards: &[i64], window: Option<Range<i64>>) -> Vec<Point> {
    let at = |guard: i64, skew: i64| {
        let handover = Handover { expiry, guard, skew };
        let tally = handover.run(window.clone().unwrap_or_else(|| handover.window()));
        Point { skew, guard, tally }
    };
    guards.iter().flat_map(|&guard| skews.iter().map(move |&skew| (guard, skew))).map(|(g, s)| at(g, s)).collect()
}

/// The smallest guard with which no time has two leaders at this skew, found by trying: first doubling,
/// then halving the distance.
pub fn smallest_guard(expiry: i64, skew: i64) -> i64 {
    let is_enough = |guard| {
        let handover = Handover { expiry, guard, skew };
        handover.run(handover.window()).overlap == 0
    };
    if is_enough(0) {
        return 0;
    }
    let (mut too_small, mut enough) = (0, 1_i64);
    while !is_enough(enough) && enough < i64::MAX / 4 {
        too_small = enough;
        enough *= 2;
    }
    while enough - too_small > 1 {
        let middle = too_small + (enough - too_small) / 2;
        if is_enough(middle) {
            enough = middle;
        } else {
            too_small = middle;
        }
    }
    enough
}

/// What the guard is worth within the bound on the clocks; times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The bound on the skew, either way.
    pub bound: i64,
    /// The guard.
    pub guard: i64,
    /// The handover with the longest time with two leaders, if any has one.
    pub two: Option<Point>,
    /// The handover with the longest time with none.
    pub none: Point,
    /// The longest time with none that is accepted.
    pub max_gap: Option<i64>,
    /// The smallest guard with which no skew within the bound gives two leaders.
    pub smallest_guard: i64,
}

/// How many skews are tried between the two ends of the bound, which are tried too.
const TRIED: usize = 64;

/// Simulates handovers at skews all over the bound, both ends and zero among them. `None` where the rules
/// give no bound.
pub fn band(times: &LeaseTimes) -> Option<Band> {
    let (bound, guard, expiry) = (nanos(times.skew?), nanos(times.guard), nanos(times.ttl));
    let skews = points(-bound..=bound, TRIED);
    let tried = sweep(expiry, &skews, &[guard], None);
    // Of several that are as long, the one with the smallest skew is the plainest.
    let longest = |time: fn(&Point) -> i64| {
        tried.iter().copied().max_by_key(|point| (time(point), std::cmp::Reverse(point.skew.abs())))
    };
    let smallest_guard = skews.iter().map(|&skew| smallest_guard(expiry, skew)).max().unwrap_or(0);
    Some(Band {
        bound,
        guard,
        two: longest(|point| point.tally.overlap).filter(|point| point.tally.overlap > 0),
        none: longest(|point| point.tally.gap)?,
        max_gap: times.max_gap.map(nanos),
        smallest_guard,
    })
}

impl Band {
    /// Whether a time without a leader is longer than what is accepted.
    pub fn is_gap_too_long(&self) -> bool {
        self.max_gap.is_some_and(|most| self.none.tally.gap > most)
    }
}

/// One sentence that tells of both, since a guard that takes from one gives to the other.
impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |nanos: i64| show_duration(Duration::from_nanos(nanos.unsigned_abs()));
        match self.two {
            Some(point) => write!(
                f,
                "two leaders for {} where the holder's clock is {} behind",
                time(point.tally.overlap),
                time(point.skew)
            )?,
            None => write!(f, "never two leaders while the clocks are within {}", time(self.bound))?,
        }
        match self.none.tally.gap {
            0 => write!(f, "; never a time without one"),
            gap => {
                write!(f, "; up to {} without one, at a skew of {}", time(gap), show_signed_nanos(self.none.skew, true))
            }
        }?;
        match self.max_gap {
            Some(most) if self.is_gap_too_long() => write!(f, ", of which {} is accepted", time(most)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "sweep_tests.rs"]
mod tests;
