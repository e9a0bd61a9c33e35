//! The times of leases, constants of the source among them.

use std::{convert::Infallible, time::Duration};

use super::Prepared;
use crate::{finding::Problem, lints::TimedLease, timing::LeaseTimes, types::Reader};

/// The times of the leases that were asked for and have some.
///
/// # Errors
/// Each constant that cannot be worked out.
pub fn timed<'p>(prepared: &'p Prepared, reader: &mut Reader<'_>) -> Result<Vec<TimedLease<'p>>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut found = Vec::new();
    for &number in &prepared.leases {
        let lease = &prepared.rules.leases[number];
        let Some(timing) = &lease.timing else { continue };
        let Ok(times) = LeaseTimes::of(timing, |path, span| {
            Ok::<_, Infallible>(reader.duration_of(path, span).unwrap_or_else(|problem| {
                problems.push(problem);
                Duration::ZERO
            }))
        });
        found.push(TimedLease { lease, timing, times });
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}
