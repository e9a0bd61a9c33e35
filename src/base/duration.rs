//! Durations as people write them: `15s`, `40ms`, `1h 30m`, `1.5s`.
//!
//! Read and printed without a float on the way: what is printed reads back as the same number of
//! nanoseconds.

use std::{fmt::Write as _, time::Duration};

use jiff::SignedDuration;

use super::visible;

/// Why a text is no duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// It reads as nothing that is a time.
    #[error("`{}` is no duration; write a number with its unit, such as `15s` or `40ms`", visible(.0))]
    Malformed(String),
    /// It has a sign, where the sign has no meaning.
    #[error("`{}` is less than nothing; write it without the sign", visible(.0))]
    Negative(String),
    /// It is beyond what sums of a few can hold.
    #[error("`{}` is longer than a year; write it shorter", visible(.0))]
    TooLong(String),
}

/// The longest duration that is read, of either sign: sums of a few fit in 64 bits of nanoseconds.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Reads a duration, to the nanosecond. The forms are those of jiff's "friendly" format and ISO 8601.
///
/// # Errors
/// It is no duration, negative, or longer than 366 days.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    Duration::try_from(parse_signed_duration(text)?).map_err(|_| DurationError::Negative(text.to_owned()))
}

/// The same with a sign: `-200ms`.
///
/// # Errors
/// It is no duration, or longer than 366 days either way.
pub fn parse_signed_duration(text: &str) -> Result<SignedDuration, DurationError> {
    let duration: SignedDuration = text.trim().parse().map_err(|_| DurationError::Malformed(text.to_owned()))?;
    if duration.unsigned_abs() > LONGEST {
        return Err(DurationError::TooLong(text.to_owned()));
    }
    Ok(duration)
}

/// A duration in the largest unit that leaves it at least 1, with all its digits: `1.5s`, `40ms`, `2h`.
/// Minutes and hours are used only where they come out even.
pub fn show_duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let whole = |unit: u128| (nanos >= unit && nanos.is_multiple_of(unit)).then(|| nanos / unit);
    const SECOND: u128 = 1_000_000_000;
    for (unit, name) in [(3_600 * SECOND, "h"), (60 * SECOND, "m")] {
        if let Some(count) = whole(unit) {
            return format!("{count}{name}");
        }
    }
    let (unit, digits, name) = match nanos {
        0 => return "0s".to_owned(),
        SECOND.. => (SECOND, 9, "s"),
        1_000_000.. => (1_000_000, 6, "ms"),
        1_000.. => (1_000, 3, "us"),
        _ => (1, 0, "ns"),
    };
    let mut out = (nanos / unit).to_string();
    let rest = nanos % unit;
    if rest > 0 {
        // Writing to a String cannot fail.
        let _ = write!(out, ".{rest:0digits$}");
        out.truncate(out.trim_end_matches('0').len());
    }
    out + name
}

/// The same for nanoseconds of either sign: `-200ms`, and `+200ms` where `plus` asks for the sign.
pub fn show_signed_nanos(nanos: i64, plus: bool) -> String {
    let sign = match nanos {
        ..=-1 => "-",
        1.. if plus => "+",
        _ => "",
    };
    format!("{sign}{}", show_duration(Duration::from_nanos(nanos.unsigned_abs())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_read_as_people_write_them() {
        for (text, nanos) in [
            ("15s", 15_000_000_000),
            ("40ms", 40_000_000),
            (" 1.5s ", 1_500_000_000),
            ("250us", 250_000),
            ("7ns", 7),
            ("1h 30m", 5_400_000_000_000),
            ("0ms", 0),
        ] {
            assert_eq!(parse_duration(text).map(|d| d.as_nanos()), Ok(nanos), "{text}");
        }
        assert_eq!(parse_signed_duration("-200ms").unwrap().as_millis(), -200);
    }

    #[test]
    fn what_is_no_duration_is_told_apart() {
        assert!(matches!(parse_duration("fifteen"), Err(DurationError::Malformed(_))));
        assert!(matches!(parse_duration("15"), Err(DurationError::Malformed(_))));
        assert!(matches!(parse_duration(""), Err(DurationError::Malformed(_))));
        assert!(matches!(parse_duration("-15s"), Err(DurationError::Negative(_))));
        assert!(matches!(parse_duration("367d"), Err(DurationError::TooLong(_) | DurationError::Malformed(_))));
        assert!(matches!(parse_duration("8785h"), Err(DurationError::TooLong(_))));
        assert!(!parse_duration("\u{1b}[2J").unwrap_err().to_string().contains('\u{1b}'));
    }

    #[test]
    fn durations_print_in_the_unit_that_fits() {
        for text in ["15s", "40ms", "1.5s", "90.25s", "1m", "2h", "24h", "250us", "1.001ms", "7ns", "0s", "61s"] {
            assert_eq!(show_duration(parse_duration(text).unwrap()), text);
        }
        assert_eq!(show_signed_nanos(-200_000_000, true), "-200ms");
        assert_eq!(show_signed_nanos(200_000_000, true), "+200ms");
        assert_eq!(show_signed_nanos(0, true), "0s");
        assert_eq!(show_signed_nanos(1, false), "1ns");
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(nanos in prop_oneof![0..5_000_000_000_u64, 0..31_622_400_000_000_000_u64]) {
            let duration = Duration::from_nanos(nanos);
            let text = show_duration(duration);
            prop_assert_eq!(parse_duration(&text), Ok(duration), "{}", text);
        }

        #[test]
        fn no_text_panics(text in ".{0,40}") {
            let _ = parse_duration(&text);
        }
    }
}
