use proptest::prelude::*;

use super::*;
use crate::timing::Wait;

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn times(ttl: u64, every: u64, p95: u64, steps: &[u64], guard: u64) -> LeaseTimes {
    LeaseTimes {
        ttl: ms(ttl),
        renew_every: ms(every),
        renew_p95: ms(p95),
        steps: steps.iter().map(|&n| Wait { name: format!("step {n}"), p95: ms(n) }).collect(),
        guard: ms(guard),
        skew: None,
        max_gap: None,
    }
}

#[test]
fn the_lease_of_the_documentation_adds_up() {
    let times = LeaseTimes::sample();
    assert_eq!(shortfalls(&times), []);
    let budget = budget(&times);
    assert_eq!(budget.spent, ms(5_152));
    assert_eq!(budget.spare, Some(ms(9_848)));
    assert_eq!(budget.may_be_lost, Some(1));
}

#[test]
fn a_wait_of_half_the_ttl_is_the_most() {
    assert_eq!(shortfalls(&times(100, 10, 50, &[], 0)), []);
    let found = shortfalls(&times(100, 10, 51, &[52], 0));
    let slow = |found: &Shortfall| matches!(found, Shortfall::SlowWait { .. });
    assert_eq!(found.iter().filter(|f| slow(f)).count(), 2, "{found:?}");
    assert_eq!(found[0].to_string(), "a renewal takes 51ms, more than half the ttl (50ms)");
    assert_eq!(found[1].to_string(), "the step `step 52` takes 52ms, more than half the ttl (50ms)");
    assert_eq!([found[0].key(), found[1].key()], ["renew-p95", "steps"]);
    assert_eq!(found[0].level(), Level::Deny);
    // An odd TTL is not rounded: 50 is less than half of 101, 51 is more.
    assert!(!shortfalls(&times(101, 10, 50, &[], 0)).iter().any(slow));
    assert!(shortfalls(&times(101, 10, 51, &[], 0)).iter().any(slow));
}

#[test]
fn a_round_must_be_less_than_the_ttl() {
    assert!(matches!(shortfalls(&times(100, 60, 10, &[10, 10], 10))[..], [Shortfall::TooLate { .. }]));
    assert!(matches!(shortfalls(&times(101, 60, 10, &[10, 10], 10))[..], [Shortfall::OneLoss { .. }]));
    let late = times(60, 5_000, 40, &[], 0);
    assert_eq!(shortfalls(&late).len(), 2);
    assert_eq!(budget(&late), Budget { spent: ms(5_040), spare: None, may_be_lost: None });
}

#[test]
fn one_lost_renewal_is_told_only_where_none_lost_is_in_time() {
    assert_eq!(shortfalls(&times(101, 45, 5, &[], 5)), []);
    let found = shortfalls(&times(100, 45, 5, &[], 5));
    assert_eq!(found, [Shortfall::OneLoss { spent: ms(100), ttl: ms(100) }]);
    assert_eq!(found[0].level(), Level::Warn);
    // The steps of a round count where nothing is lost; the sum with one lost leaves them out.
    assert!(matches!(shortfalls(&times(100, 20, 5, &[74], 5))[..], [_, Shortfall::TooLate { .. }]));
    assert_eq!(budget(&times(100, 45, 5, &[], 5)).may_be_lost, Some(0));
}

#[test]
fn a_name_from_the_rules_is_made_visible() {
    let what = Waited::Step(0, "\u{1b}[31m".to_owned());
    let text = Shortfall::SlowWait { what, p95: ms(2), ttl: ms(1) }.to_string();
    assert!(!text.contains('\u{1b}'), "{text}");
}

proptest! {
    /// The count against losing renewals one by one, and against the lint.
    #[test]
    fn the_count_of_lost_renewals_is_what_losing_them_shows(
        ttl in 1..2_000u64, every in 1..500u64, p95 in 0..100u64, guard in 0..100u64, step in 0..100u64,
    ) {
        let times = times(ttl, every, p95, &[step], guard);
        let in_time = |tries: u64| tries * every + p95 + guard < ttl;
        let solvent = every + p95 + step + guard < ttl;
        let lost = (0..).take_while(|n| in_time(n + 1)).count() as u64;
        let expected = solvent.then(|| lost - 1);
        prop_assert_eq!(budget(&times).may_be_lost, expected);
        let warned = shortfalls(&times).iter().any(|s| matches!(s, Shortfall::OneLoss { .. }));
        prop_assert_eq!(warned, expected == Some(0));
    }

    #[test]
    fn no_times_overflow(ttl: u64, every: u64, p95: u64, guard: u64) {
        let seconds = Duration::from_secs;
        let mut times = times(0, 0, 0, &[1], 0);
        (times.ttl, times.renew_every, times.renew_p95) = (seconds(ttl), seconds(every), seconds(p95));
        times.guard = seconds(guard);
        let _ = (budget(&times), shortfalls(&times));
    }
}
