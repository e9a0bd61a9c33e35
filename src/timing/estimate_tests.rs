use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const MS: i64 = 1_000_000;

/// A question at `sent`, read by a clock that is `ahead` after `there`, answered after `back`.
fn sample(sent: i64, ahead: i64, there: i64, back: i64, digit: i64) -> Sample {
    let nanos = (sent + there + ahead).div_euclid(digit) * digit;
    Sample { sent, read: RemoteTime { nanos, digit }, received: sent + there + back }
}

#[test]
fn the_shortest_round_trip_decides() {
    let samples = [
        sample(0, 250 * MS, 40 * MS, 0, 1),
        sample(1_000 * MS, 250 * MS, 2 * MS, 2 * MS, 1),
        sample(2_000 * MS, 250 * MS, 0, 40 * MS, 1),
    ];
    let found = estimate(&samples).unwrap();
    assert_eq!((found.offset, found.shortest, found.median), (250 * MS, 4 * MS, 40 * MS));
    assert_eq!(found.error, 2 * MS + 1);
    assert!(!found.is_moving);
    assert_eq!(found.bound(), Duration::from_millis(253));
    assert_eq!(
        found.to_string(),
        "the other clock is 250ms ahead of ours, give or take 2ms\n3 round trips, the shortest 4ms, half of them within 40ms"
    );
}

#[test]
fn a_clock_that_is_behind_gives_the_same_bound() {
    let found = estimate(&[sample(0, -250 * MS, 2 * MS, 2 * MS, 1)]).unwrap();
    assert_eq!(found.bound(), Duration::from_millis(252));
    assert!(found.to_string().starts_with("the other clock is 250ms behind ours"));
}

#[test]
fn whole_seconds_widen_the_bound() {
    let found = estimate(&[sample(300 * MS, 0, MS, MS, 1_000 * MS)]).unwrap();
    assert!(found.error >= 750 * MS, "{found:?}");
    // Zeros that a command leaves out at the end do not: the others show what it can.
    let samples = [sample(500 * MS, 0, 0, 2 * MS, 100 * MS), sample(1_001 * MS, 0, 0, 2 * MS, MS)];
    assert!(estimate(&samples).unwrap().error < 5 * MS);
}

#[test]
fn a_clock_that_moves_is_told_and_its_bound_covers_both() {
    let samples: Vec<_> = (0..8).map(|n| sample(n * 1_000 * MS, n % 2 * 100 * MS, MS, MS, 1)).collect();
    let found = estimate(&samples).unwrap();
    assert!(found.is_moving);
    assert!(found.to_string().contains("one of the clocks moved"));
    assert!(found.bound() >= Duration::from_millis(100), "{found:?}");
}

#[test]
fn without_an_answer_there_is_no_estimate() {
    assert_eq!(estimate(&[]), None);
    let backwards = Sample { sent: 5, read: RemoteTime { nanos: 0, digit: 1 }, received: 4 };
    assert_eq!(estimate(&[backwards]), None);
}

#[test]
fn the_line_for_the_rules_holds_no_argument_and_no_quote() {
    let line = estimate(&[sample(0, 3 * MS, MS, MS, 1)]).unwrap().rules_line("/usr/bin/ps\"q\\l\n", date(2026, 11, 30));
    assert_eq!(
        line,
        r#"clock-skew = { bound = "5ms", source = "cargo lease-guard timing --measure, 1 runs of psql", measured = 2026-11-30 }"#
    );
    toml::from_str::<toml::Table>(&line).unwrap();
}

proptest! {
    /// Whatever the ways take, the true offset is within the error of the estimate, and below the bound.
    #[test]
    fn the_true_offset_is_within_the_bound(
        ahead in -10_000 * MS..10_000 * MS,
        ways in prop::collection::vec((0..500 * MS, 0..500 * MS), 1..40),
        digit in prop::sample::select(vec![1, 1_000, MS, 1_000 * MS]),
    ) {
        let start = 1_790_000_000_000 * MS;
        let samples: Vec<_> = ways
            .iter()
            .zip(0..)
            .map(|(&(there, back), n)| sample(start + n * 777 * MS, ahead, there, back, digit))
            .collect();
        let found = estimate(&samples).unwrap();
        prop_assert!((found.offset - ahead).abs() <= found.error, "{:?}", found);
        prop_assert!(Duration::from_nanos(ahead.unsigned_abs()) <= found.bound());
        prop_assert!(!found.is_moving);
    }

    /// A clock that jitters by some amount is found to within that amount more.
    #[test]
    fn jitter_adds_no_more_than_itself(
        ahead in -1_000 * MS..1_000 * MS,
        ways in prop::collection::vec((0..50 * MS, 0..50 * MS, -5 * MS..5 * MS), 1..40),
    ) {
        let samples: Vec<_> = ways
            .iter()
            .zip(0..)
            .map(|(&(there, back, jitter), n)| sample(n * 777 * MS + 5_000 * MS, ahead + jitter, there, back, 1))
            .collect();
        let found = estimate(&samples).unwrap();
        prop_assert!((found.offset - ahead).abs() <= found.error + 5 * MS, "{:?}", found);
    }

    #[test]
    fn no_samples_overflow(raw in prop::collection::vec((any::<i64>(), any::<i64>(), any::<i64>(), 1..i64::MAX), 0..6)) {
        let samples: Vec<_> = raw
            .into_iter()
            .map(|(sent, nanos, received, digit)| Sample { sent, read: RemoteTime { nanos, digit }, received })
            .collect();
        let _ = estimate(&samples).map(|found| (found.to_string(), found.bound()));
    }
}
