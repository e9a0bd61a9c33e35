//! Whether anybody measured the bound on the clocks: the one number that the guard band depends on.

use std::fmt;

use jiff::civil::Date;

use crate::config::ClockSkew;

/// After how many days a measurement no longer counts.
pub const OLDEST_DAYS: i32 = 180;

/// What the rules say of the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkewEvidence {
    /// Whether they name where it comes from, in more than blanks.
    pub has_source: bool,
    /// When it was measured.
    pub measured: Option<Date>,
}

impl From<&ClockSkew> for SkewEvidence {
    fn from(skew: &ClockSkew) -> Self {
        Self {
            has_source: skew.source.as_ref().is_some_and(|source| !source.value.trim().is_empty()),
            measured: skew.measured.as_ref().map(|measured| measured.value),
        }
    }
}

/// Why a bound counts as unmeasured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmeasured {
    /// There is no bound at all.
    NoBound,
    /// Neither source nor date.
    Neither,
    /// No source.
    NoSource,
    /// No date.
    NoDate,
    /// Measured too long ago.
    Old {
        /// When.
        measured: Date,
        /// How many days ago.
        days: i32,
    },
}

/// Words for what a lease has.
impl fmt::Display for Unmeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBound => write!(f, "no bound on its clock skew, so that its guard cannot be judged"),
            Self::Neither => write!(f, "a bound on its clock skew without source and date"),
            Self::NoSource => write!(f, "a bound on its clock skew with a date and no source"),
            Self::NoDate => write!(f, "a bound on its clock skew with a source and no date"),
            Self::Old { measured, days } => write!(
                f,
                "a bound on its clock skew that was measured on {measured}, {days} days ago; {OLDEST_DAYS} are the most"
            ),
        }
    }
}

/// Judges the evidence on a day. `None` for the evidence: the rules give no bound.
pub fn unmeasured(evidence: Option<SkewEvidence>, today: Date) -> Option<Unmeasured> {
    let Some(SkewEvidence { has_source, measured }) = evidence else { return Some(Unmeasured::NoBound) };
    let Some(measured) = measured else {
        return Some(if has_source { Unmeasured::NoDate } else { Unmeasured::Neither });
    };
    if !has_source {
        return Some(Unmeasured::NoSource);
    }
    let days = today.duration_since(measured).as_hours() / 24;
    let days = i32::try_from(days).unwrap_or(i32::MAX);
    (days > OLDEST_DAYS).then_some(Unmeasured::Old { measured, days })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn judged(has_source: bool, measured: Option<Date>) -> Option<Unmeasured> {
        unmeasured(Some(SkewEvidence { has_source, measured }), date(2026, 11, 30))
    }

    #[test]
    fn a_bound_needs_a_source_and_a_date_of_these_days() {
        assert_eq!(judged(true, Some(date(2026, 11, 1))), None);
        assert_eq!(unmeasured(None, date(2026, 11, 30)), Some(Unmeasured::NoBound));
        assert_eq!(judged(false, None), Some(Unmeasured::Neither));
        assert_eq!(judged(true, None), Some(Unmeasured::NoDate));
        assert_eq!(judged(false, Some(date(2026, 11, 1))), Some(Unmeasured::NoSource));
    }

    #[test]
    fn a_hundred_and_eighty_days_still_count() {
        assert_eq!(judged(true, Some(date(2026, 6, 3))), None);
        let old = judged(true, Some(date(2026, 6, 2)));
        assert_eq!(old, Some(Unmeasured::Old { measured: date(2026, 6, 2), days: 181 }));
        assert!(old.unwrap().to_string().contains("measured on 2026-06-02, 181 days ago"));
        // The calendar's ends do not overflow, and a day to come is not old.
        assert_eq!(judged(true, Some(Date::MAX)), None);
        assert!(judged(true, Some(Date::MIN)).is_some());
    }
}
