//! From times to the places of a drawing, in whole tenths of a pixel, and the marks of an axis.

use std::{fmt, ops::RangeInclusive};

use super::span_of::round_step;

/// A length of the drawing, in tenths of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tenths(pub(super) i64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (pixels, tenth) = (self.0.unsigned_abs() / 10, self.0.unsigned_abs() % 10);
        if tenth == 0 { write!(f, "{sign}{pixels}") } else { write!(f, "{sign}{pixels}.{tenth}") }
    }
}

/// An axis: which times lie between which places.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    pub(super) times: RangeInclusive<i64>,
    /// Where the first time lies and where the last; the second may be the smaller, as it is for heights.
    pub(super) places: (i64, i64),
}

impl Scale {
    /// Where a time lies; what is outside lies at the end.
    pub(super) fn at(&self, time: i64) -> Tenths {
        let (from, to) = (i128::from(*self.times.start()), i128::from(*self.times.end()));
        let (first, last) = (i128::from(self.places.0), i128::from(self.places.1));
        let time = i128::from(time).clamp(from, to);
        let place = first + (last - first) * (time - from) / (to - from).max(1);
        Tenths(i64::try_from(place).unwrap_or(self.places.0))
    }

    /// Round times along the axis, about `most`.
    pub(super) fn marks(&self, most: usize) -> Vec<i64> {
        let (from, to) = (*self.times.start(), *self.times.end());
        let step = round_step(to.abs_diff(from), most);
        let first = from.div_euclid(step).saturating_mul(step);
        std::iter::successors(Some(first), |mark| mark.checked_add(step))
            .take_while(|mark| *mark <= to)
            .filter(|mark| *mark >= from)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_proportion_and_stay_within() {
        let scale = Scale { times: -100..=300, places: (500, 4_500) };
        assert_eq!([-100, 0, 300, 999].map(|t| scale.at(t).0), [500, 1_500, 4_500, 4_500]);
        let height = Scale { times: 0..=3, places: (1_000, 0) };
        assert_eq!([0, 1, 3].map(|t| height.at(t).to_string()), ["100", "66.7", "0"]);
        assert_eq!(Scale { times: 5..=5, places: (0, 10) }.at(5), Tenths(0));
        assert_eq!(Scale { times: i64::MIN..=i64::MAX, places: (0, 10) }.at(i64::MAX), Tenths(10));
    }

    #[test]
    fn marks_are_round() {
        let scale = |times| Scale { times, places: (0, 100) };
        assert_eq!(scale(-200..=200).marks(5), [-200, -100, 0, 100, 200]);
        assert_eq!(scale(-13..=104).marks(6), [0, 20, 40, 60, 80, 100]);
        assert_eq!(scale(0..=0).marks(6), [0]);
        assert_eq!(Tenths(-5).to_string(), "-0.5");
    }
}
