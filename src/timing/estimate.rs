//! How far another clock is off, from round trips to it: Cristian's method.
//!
//! A command is started at `sent` and answers at `received`, both by our clock; somewhere between the
//! two it looked at the other clock. Whatever the way there and back took, the other clock's lead over
//! ours lies between `read - received` and `read - sent`: the shorter the round trip, the more that
//! says. (F. Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989.)
//!
//! A printed time is cut off or rounded in its last digit, so that the true one lies between half a
//! digit before it and a digit behind it.
//!
//! The estimate is of now. A bound for the rules file is to hold on bad days too, when a clock daemon
//! has died or a machine was paused: measure again and again, and take the worst.

use std::{cmp::Ordering, fmt, time::Duration};

use super::RemoteTime;
use crate::base::{show_duration, show_signed_nanos};

/// One round trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When the command was started, by our clock, in nanoseconds since the epoch.
    pub sent: i64,
    /// What it printed.
    pub read: RemoteTime,
    /// When its answer was there, by our clock.
    pub received: i64,
}

/// What the samples say; nanoseconds, positive where the other clock is ahead of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// How many samples there were.
    pub samples: usize,
    /// The middle of what the shortest round trip allows.
    pub offset: i64,
    /// The offset is right to within this, by that round trip alone.
    pub error: i64,
    /// The shortest round trip.
    pub shortest: i64,
    /// The round trip in the middle of all.
    pub median: i64,
    /// The least and the most that the quarter of the samples with the shortest round trips allows.
    pub range: (i64, i64),
    /// Whether no single offset is allowed by all samples: one of the clocks moved meanwhile.
    pub is_moving: bool,
}

impl Sample {
    fn round_trip(self) -> i64 {
        self.received.saturating_sub(self.sent)
    }

    /// The least and the most that the other clock may be ahead, given the worth of the last digit.
    fn allows(self, digit: i64) -> (i64, i64) {
        let least = self.read.nanos.saturating_sub(digit / 2).saturating_sub(self.received);
        (least, self.read.nanos.saturating_add(digit).saturating_sub(self.sent))
    }
}

/// Works out the offset. `None` if there is no sample whose answer came after its question.
pub fn estimate(samples: &[Sample]) -> Option<Estimate> {
    let mut samples: Vec<_> = samples.iter().copied().filter(|sample| sample.round_trip() >= 0).collect();
    samples.sort_by_key(|sample| sample.round_trip());
    // One command prints with one precision; some print no zeros at the end.
    let digit = samples.iter().map(|sample| sample.read.digit).min()?;
    let (best, middle) = (samples.first()?, samples.get(samples.len() / 2)?);
    let (least, most) = best.allows(digit);
    let offset = midpoint(least, most);
    let allowed = samples.iter().map(|sample| sample.allows(digit));
    let (lowest, highest) =
        allowed.clone().fold((i64::MIN, i64::MAX), |(low, high), (least, most)| (low.max(least), high.min(most)));
    let range = allowed
        .take(samples.len().div_ceil(4))
        .fold((i64::MAX, i64::MIN), |(low, high), (least, most)| (low.min(least), high.max(most)));
    Some(Estimate {
        samples: samples.len(),
        offset,
        error: most.saturating_sub(offset).max(offset.saturating_sub(least)),
        shortest: best.round_trip(),
        median: middle.round_trip(),
        range,
        is_moving: lowest > highest,
    })
}

fn midpoint(a: i64, b: i64) -> i64 {
    i64::try_from(i128::midpoint(i128::from(a), i128::from(b))).unwrap_or(a)
}

impl Estimate {
    /// The bound for the rules file: what the short round trips allow at most, either way, rounded up to a
    /// whole millisecond.
    pub fn bound(&self) -> Duration {
        let most = self.range.0.unsigned_abs().max(self.range.1.unsigned_abs());
        Duration::from_millis(most.div_ceil(1_000_000))
    }

    /// The line for `[lease.timing]`. `program` is the command's first word; its arguments may hold a
    /// password and are left out.
    pub fn rules_line(&self, program: &str, today: jiff::civil::Date) -> String {
        let plain: String = program.chars().filter(|c| c.is_ascii_alphanumeric() || "-_./".contains(*c)).collect();
        let name = plain.rsplit('/').next().unwrap_or_default();
        let source = format!("cargo lease-guard timing --measure, {} runs of {name}", self.samples);
        let bound = show_duration(self.bound());
        format!(r#"clock-skew = {{ bound = "{bound}", source = "{source}", measured = {today} }}"#)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |nanos: i64| show_signed_nanos(rounded(nanos), false);
        let side = match self.offset.cmp(&0) {
            Ordering::Less => "behind ours",
            Ordering::Equal => "with ours",
            Ordering::Greater => "ahead of ours",
        };
        let offset = i64::try_from(self.offset.unsigned_abs()).unwrap_or(i64::MAX);
        writeln!(f, "the other clock is {} {side}, give or take {}", time(offset), time(self.error))?;
        write!(
            f,
            "{} round trips, the shortest {}, half of them within {}",
            self.samples,
            time(self.shortest),
            time(self.median)
        )?;
        if self.is_moving {
            write!(f, "\nno single offset agrees with all of them: one of the clocks moved, or it jitters")?;
        }
        Ok(())
    }
}

/// To the microsecond: what is below is noise.
const fn rounded(nanos: i64) -> i64 {
    if nanos.unsigned_abs() < 1_000 { nanos } else { nanos.saturating_add(nanos.signum() * 500) / 1_000 * 1_000 }
}

#[cfg(test)]
#[path = "estimate_tests.rs"]
mod tests;
