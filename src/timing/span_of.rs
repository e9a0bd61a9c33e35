//! A range of times as the command line writes it (`0ms..400ms`), and the points in it.

use std::ops::RangeInclusive;

use jiff::SignedDuration;

use crate::base::{DurationError, parse_signed_duration, visible};

/// Why a text is no range of times.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// One of its ends is no duration.
    #[error("{0}; a range is written as `0ms..400ms`")]
    End(#[from] DurationError),
    /// It goes backwards.
    #[error("`{}` ends before it begins; write the smaller end first, as in `-200ms..200ms`", visible(.0))]
    Backwards(String),
}

/// Reads `A..B`, or `A` alone for a range of one, in nanoseconds. Both ends belong to it; `A..=B` is the same.
///
/// # Errors
/// An end is no duration, or the range goes backwards.
pub fn parse_range(text: &str) -> Result<RangeInclusive<i64>, RangeError> {
    let end = |text: &str| parse_signed_duration(text).map(as_nanos);
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let (from, to) = (end(from)?, end(to.strip_prefix('=').unwrap_or(to))?);
    if from > to {
        return Err(RangeError::Backwards(text.to_owned()));
    }
    Ok(from..=to)
}

/// What is read is at most a year.
fn as_nanos(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

/// About `most` points in a range: the multiples of a round step (1, 2 or 5 times a power of ten), so that
/// zero is one of them where it lies within, and both ends.
pub fn points(range: RangeInclusive<i64>, most: usize) -> Vec<i64> {
    let (from, to) = range.into_inner();
    let step = round_step(to.abs_diff(from), most);
    let mut found = vec![from];
    let mut next = from.div_euclid(step).saturating_add(1).saturating_mul(step);
    while next < to {
        found.push(next);
        next = next.saturating_add(step);
    }
    if from < to {
        found.push(to);
    }
    found
}

/// The smallest round step with which a length has at most `most` of them.
pub(super) fn round_step(length: u64, most: usize) -> i64 {
    let most = u64::try_from(most.max(1)).unwrap_or(u64::MAX);
    let mut power = 1_i64;
    loop {
        for digit in [1, 2, 5] {
            let step = power.saturating_mul(digit);
            if length / step.unsigned_abs() < most || step == i64::MAX {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: i64 = 1_000_000;

    #[test]
    fn ranges_read_as_the_command_line_writes_them() {
        assert_eq!(parse_range("0ms..400ms"), Ok(0..=400 * MS));
        assert_eq!(parse_range("-200ms..=1s"), Ok(-200 * MS..=1_000 * MS));
        assert_eq!(parse_range("100ms"), Ok(100 * MS..=100 * MS));
        assert!(matches!(parse_range("400ms..0ms"), Err(RangeError::Backwards(_))));
        assert!(matches!(parse_range("0ms..soon"), Err(RangeError::End(_))));
        assert!(matches!(parse_range(".."), Err(RangeError::End(_))));
    }

    #[test]
    fn points_are_round_and_hold_both_ends_and_zero() {
        assert_eq!(points(0..=400, 5), [0, 100, 200, 300, 400]);
        assert_eq!(points(-200..=200, 4), [-200, 0, 200]);
        assert_eq!(points(-3..=4, 100), [-3, -2, -1, 0, 1, 2, 3, 4]);
        assert_eq!(points(-13..=104, 4), [-13, 0, 50, 100, 104]);
        assert_eq!(points(7..=7, 9), [7]);
    }

    proptest! {
        #[test]
        fn points_are_few_sorted_and_complete(a: i64, b: i64, most in 1..200_usize) {
            let (from, to) = (a.min(b), a.max(b));
            let found = points(from..=to, most);
            prop_assert!(found.len() <= most + 2, "{}", found.len());
            prop_assert!(found.is_sorted_by(|a, b| a < b));
            prop_assert_eq!((found[0], found[found.len() - 1]), (from, to));
            prop_assert!(found.contains(&0) || from > 0 || to < 0);
        }
    }
}
