//! One handover of a lease, simulated.
//!
//! Two processes, each with a clock of its own, and no message between them: that is the case that
//! the guard band is for, since a holder that can be reached needs none. The holder was granted the
//! lease until `expiry` and cannot renew; it stands down when its own clock says `expiry - guard`.
//! The grantor gives the lease to the next one when its own clock says `expiry + guard`. True time is
//! the grantor's. A process knows only what its clock reads: it wakes, looks, and either acts or sets
//! an alarm for the time that is missing.
//!
//! The simulation goes from event to event, so that it costs the same for ticks and for nanoseconds.
//! Times are whole numbers of any one unit; a process that acts at a time has acted for all of it, so
//! that a tick belongs to the state that it begins with. Sums are made in 128 bits.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

/// What there is to simulate; all times in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handover {
    /// When the lease expires.
    pub expiry: i64,
    /// How much early the holder stands down, and how much late the grantor grants anew.
    pub guard: i64,
    /// How far the holder's clock runs behind the grantor's; negative where it runs ahead.
    pub skew: i64,
}

/// For how long there was which number of leaders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Two.
    pub overlap: i64,
    /// None.
    pub gap: i64,
    /// Exactly one.
    pub clean: i64,
}

impl Handover {
    /// Lets the handover happen, and counts within a window of true time.
    pub fn run(self, window: Range<i64>) -> Tally {
        let window = i128::from(window.start)..i128::from(window.end);
        let mut leaders = [true, false];
        let mut tally = Tally::default();
        let mut now = window.start.min(i128::from(self.earliest()));
        let mut alarms = BinaryHeap::from(Process::BOTH.map(|process| Reverse((now, process))));
        while let Some(Reverse((at, process))) = alarms.pop() {
            tally.add(leaders, now.max(window.start)..at.min(window.end));
            now = at;
            match process.wake(self, now) {
                Wake::Missing(time) => alarms.push(Reverse((now + time, process))),
                Wake::StandDown => leaders[0] = false,
                Wake::Lead => leaders[1] = true,
            }
        }
        tally.add(leaders, now.max(window.start)..window.end);
        tally
    }

    /// The narrowest window that holds all of the handover.
    pub fn window(self) -> Range<i64> {
        self.earliest()..self.expiry.saturating_add(self.guard).saturating_add(self.skew.max(0)).saturating_add(1)
    }

    /// A time before anything happens.
    fn earliest(self) -> i64 {
        self.expiry.saturating_sub(self.guard).saturating_add(self.skew.min(0)).saturating_sub(1)
    }
}

impl Tally {
    fn add(&mut self, leaders: [bool; 2], time: Range<i128>) {
        let length = i64::try_from((time.end - time.start).max(0)).unwrap_or(i64::MAX);
        let counted = match leaders {
            [true, true] => &mut self.overlap,
            [false, false] => &mut self.gap,
            _ => &mut self.clean,
        };
        *counted = counted.saturating_add(length);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Process {
    Holder,
    Grantor,
}

enum Wake {
    /// Not yet: by the process's own clock, this much is missing.
    Missing(i128),
    StandDown,
    Lead,
}

impl Process {
    const BOTH: [Self; 2] = [Self::Holder, Self::Grantor];

    /// What the process does when it wakes at a true time, which it cannot see.
    fn wake(self, handover: Handover, now: i128) -> Wake {
        let [expiry, guard, skew] = [handover.expiry, handover.guard, handover.skew].map(i128::from);
        let (reads, wanted, act) = match self {
            Self::Holder => (now - skew, expiry - guard, Wake::StandDown),
            Self::Grantor => (now, expiry + guard, Wake::Lead),
        };
        if reads >= wanted { act } else { Wake::Missing(wanted - reads) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by looking at every tick.
    fn tick_by_tick(handover: Handover, window: Range<i64>) -> Tally {
        let mut tally = Tally::default();
        for now in window {
            let leads = now - handover.skew < handover.expiry - handover.guard;
            let next_leads = now >= handover.expiry + handover.guard;
            tally.add([leads, next_leads], now.into()..(now + 1).into());
        }
        tally
    }

    #[test]
    fn a_guard_of_half_the_skew_leaves_neither_two_leaders_nor_none() {
        let exact = Handover { expiry: 100, guard: 5, skew: 10 };
        assert_eq!(exact.run(86..115), Tally { overlap: 0, gap: 0, clean: 29 });
        assert_eq!(Handover { guard: 4, ..exact }.run(86..115).overlap, 2);
        assert_eq!(Handover { guard: 6, ..exact }.run(86..115).gap, 2);
        assert_eq!(Handover { skew: -10, ..exact }.run(80..115).gap, 20);
    }

    proptest! {
        #[test]
        fn events_and_ticks_agree(
            expiry in -50..200_i64, guard in 0..60_i64, skew in -90..90_i64,
            start in -200..200_i64, length in 0..300_i64,
        ) {
            let handover = Handover { expiry, guard, skew };
            let window = start..start + length;
            prop_assert_eq!(handover.run(window.clone()), tick_by_tick(handover, window));
        }

        /// The formula holds for every sign and size; it is nowhere used but here.
        #[test]
        fn the_simulation_bears_out_the_formula(
            expiry in 0..40_000_000_000_000_000_i64,
            guard in prop_oneof![0..1_000_i64, 0..40_000_000_000_000_000_i64],
            skew in prop_oneof![-2_000..2_000_i64, -40_000_000_000_000_000_i64..40_000_000_000_000_000_i64],
        ) {
            let handover = Handover { expiry, guard, skew };
            let window = handover.window();
            let tally = handover.run(window.clone());
            prop_assert_eq!(tally.overlap, (skew - 2 * guard).max(0));
            prop_assert_eq!(tally.gap, (2 * guard - skew).max(0));
            prop_assert_eq!(tally.overlap + tally.gap + tally.clean, window.end - window.start);
        }

        #[test]
        fn no_times_overflow(expiry: i64, guard: i64, skew: i64) {
            let handover = Handover { expiry, guard, skew };
            let _ = handover.run(handover.window());
        }
    }
}
