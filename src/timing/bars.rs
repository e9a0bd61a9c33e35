//! The chart for the terminal: one bar a handover, in Unicode blocks.
//!
//! Two leaders and none are told apart by the filling, not by colour, so that a log file and a reader
//! who sees no colour get the same.

use super::Point;

/// The bars of a sweep, in its order, all to one scale: the longest is `width` cells. A time that is
/// too short for an eighth of a cell still gets one; where there is always one leader the bar is empty.
pub fn bars(points: &[Point], width: usize) -> Vec<String> {
    let longest = points.iter().map(|point| point.tally.overlap.max(point.tally.gap)).max().unwrap_or(0);
    points
        .iter()
        .map(|point| {
            let (overlap, gap) = (point.tally.overlap, point.tally.gap);
            if overlap > 0 { filled(eighths(overlap, longest, width)) } else { hatched(eighths(gap, longest, width)) }
        })
        .collect()
}

/// How many eighths of a cell a time is long.
fn eighths(time: i64, longest: i64, width: usize) -> usize {
    if time <= 0 || longest <= 0 {
        return 0;
    }
    let cells = i128::from(time) * 8 * i128::try_from(width).unwrap_or(0) / i128::from(longest);
    usize::try_from(cells).unwrap_or(0).max(1)
}

fn filled(eighths: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}

/// There are no parts of a hatched cell: a begun one is drawn whole.
fn hatched(eighths: usize) -> String {
    "░".repeat(eighths.div_ceil(8))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::timing::{Tally, sweep};

    fn point(overlap: i64, gap: i64) -> Point {
        Point { skew: 0, guard: 0, tally: Tally { overlap, gap, clean: 0 } }
    }

    #[test]
    fn bars_share_one_scale_and_differ_in_filling() {
        let bars = bars(&[point(80, 0), point(45, 0), point(0, 40), point(0, 0), point(1, 0)], 10);
        assert_eq!(bars, ["██████████", "█████▋", "░░░░░", "", "▏"]);
    }

    #[test]
    fn nothing_to_draw_is_drawn_as_nothing() {
        assert_eq!(bars(&[point(0, 0)], 10), [""]);
        assert_eq!(bars(&[], 10), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_bar_is_wider_than_asked(
            skews in prop::collection::vec(any::<i64>(), 1..20), guard: i64, width in 1..200_usize,
        ) {
            for bar in bars(&sweep(0, &skews, &[guard], None), width) {
                prop_assert!(bar.chars().count() <= width);
            }
        }
    }
}
