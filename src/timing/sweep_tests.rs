use proptest::prelude::*;

use super::*;

/// The figures that the sweep must give; how they are counted is said in the file's own head.
const FIGURES: &str = include_str!("../../tests/data/guard-sweep.csv");

#[test]
fn the_sweep_gives_the_reference_figures() {
    let mut rows = FIGURES.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(rows.next(), Some("skew,guard,overlap,gap,clean"));
    let mut seen = 0;
    for row in rows {
        let [skew, guard, overlap, gap, clean] =
            row.split(',').map(|n| n.parse::<i64>().unwrap()).collect::<Vec<_>>()[..].try_into().unwrap();
        let found = sweep(100, &[skew], &[guard], Some(86..115));
        assert_eq!(found, [Point { skew, guard, tally: Tally { overlap, gap, clean } }], "{row}");
        seen += 1;
    }
    assert!(seen >= 19, "only {seen} figures");
}

#[test]
fn a_sweep_goes_guard_by_guard() {
    let order: Vec<_> = sweep(100, &[0, 5], &[1, 2], None).iter().map(|p| (p.guard, p.skew)).collect();
    assert_eq!(order, [(1, 0), (1, 5), (2, 0), (2, 5)]);
}

#[test]
fn the_documented_lease_has_no_two_leaders_and_a_gap_that_is_told() {
    let band = band(&LeaseTimes::sample()).unwrap();
    assert_eq!(band.two, None);
    assert_eq!(band.none.tally.gap, 400_000_000);
    assert_eq!(band.none.skew, -200_000_000);
    assert_eq!(band.smallest_guard, 100_000_000);
    assert!(!band.is_gap_too_long());
    assert_eq!(
        band.to_string(),
        "never two leaders while the clocks are within 200ms; up to 400ms without one, at a skew of -200ms"
    );
}

#[test]
fn a_guard_of_zero_under_skew_has_two_leaders() {
    let times = LeaseTimes { guard: Duration::ZERO, ..LeaseTimes::sample() };
    let band = band(&times).unwrap();
    assert_eq!(band.two.map(|p| (p.skew, p.tally.overlap)), Some((200_000_000, 200_000_000)));
    assert_eq!(
        band.to_string(),
        "two leaders for 200ms where the holder's clock is 200ms behind; up to 200ms without one, at a skew of -200ms"
    );
    // A nanosecond short of enough is not enough, however the skews between the ends are spread.
    let short = LeaseTimes { guard: Duration::from_nanos(99_999_999), ..LeaseTimes::sample() };
    assert_eq!(super::band(&short).unwrap().two.map(|p| p.tally.overlap), Some(2));
}

#[test]
fn a_gap_beyond_what_is_accepted_is_told() {
    let times = LeaseTimes { max_gap: Some(Duration::from_millis(399)), ..LeaseTimes::sample() };
    let band = band(&times).unwrap();
    assert!(band.is_gap_too_long());
    assert!(band.to_string().ends_with("without one, at a skew of -200ms, of which 399ms is accepted"), "{band}");
    let times = LeaseTimes { max_gap: Some(Duration::from_millis(400)), ..LeaseTimes::sample() };
    assert!(!super::band(&times).unwrap().is_gap_too_long());
}

#[test]
fn no_bound_no_verdict() {
    assert_eq!(band(&LeaseTimes { skew: None, ..LeaseTimes::sample() }), None);
    let times = LeaseTimes { skew: Some(Duration::ZERO), guard: Duration::ZERO, ..LeaseTimes::sample() };
    assert!(band(&times).unwrap().to_string().ends_with("; never a time without one"));
}

proptest! {
    #[test]
    fn the_smallest_guard_is_enough_and_one_less_is_not(
        expiry in 0..1_000_000_000_000_i64,
        skew in prop_oneof![-50..50_i64, -1_000_000_000_000..1_000_000_000_000_i64],
    ) {
        let guard = smallest_guard(expiry, skew);
        let overlap = |guard| sweep(expiry, &[skew], &[guard], None)[0].tally.overlap;
        prop_assert_eq!(overlap(guard), 0);
        prop_assert!(guard == 0 || overlap(guard - 1) > 0);
        prop_assert_eq!(guard, ((skew + 1) / 2).max(0));
    }

    /// The verdict within a bound is that of the worst skew in it, wherever that lies.
    #[test]
    fn no_skew_within_the_bound_is_worse_than_the_verdict(
        bound in 0..2_000_000_u64, guard in 0..2_000_000_u64, at in 0.0..=1.0_f64,
    ) {
        let times = LeaseTimes {
            skew: Some(Duration::from_nanos(bound)), guard: Duration::from_nanos(guard), ..LeaseTimes::sample()
        };
        let band = band(&times).unwrap();
        let skew = -(bound as i64) + (2.0 * bound as f64 * at) as i64;
        let tally = sweep(nanos(times.ttl), &[skew], &[guard as i64], None)[0].tally;
        prop_assert!(tally.overlap <= band.two.map_or(0, |p| p.tally.overlap));
        prop_assert!(tally.gap <= band.none.tally.gap);
    }

    #[test]
    fn no_times_overflow(ttl: u64, guard: u64, skew: u64) {
        let seconds = Duration::from_secs;
        let times = LeaseTimes {
            ttl: seconds(ttl), guard: seconds(guard), skew: Some(seconds(skew)), ..LeaseTimes::sample()
        };
        let _ = band(&times).map(|band| band.to_string());
    }
}
