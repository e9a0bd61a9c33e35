//! What a clock command prints: seconds since the epoch, with a fraction.

use crate::base::visible;

/// A time that a command printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteTime {
    /// Nanoseconds since the epoch.
    pub nanos: i64,
    /// The last digit's worth in nanoseconds: a second where there is no fraction, at least 1.
    pub digit: i64,
}

/// Why a text is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpochTextError {
    /// Nothing was printed.
    #[error("it printed nothing; it must print the seconds since the epoch, such as `date +%s.%N` does")]
    Nothing,
    /// Something else was printed.
    #[error("it printed `{}`, which is no number of seconds as `date +%s.%N` prints it", visible(.0))]
    NoNumber(String),
    /// The number is too large for seconds of our days.
    #[error("it printed `{}`, too much for seconds since the epoch; divide milliseconds", visible(.0))]
    TooLarge(String),
}

const SECOND: i64 = 1_000_000_000;

/// The latest time that is believed: the year 2200, in seconds. Milliseconds since the epoch exceed it.
const LATEST: i64 = 7_258_118_400;

/// Reads a line such as `1793480534.123456`. Digits beyond the ninth behind the point are dropped.
///
/// # Errors
/// The line is empty, no plain decimal number, or later than the year 2200.
pub fn parse_epoch(line: &str) -> Result<RemoteTime, EpochTextError> {
    let text = line.trim();
    if text.is_empty() {
        return Err(EpochTextError::Nothing);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return Err(EpochTextError::NoNumber(text.chars().take(60).collect()));
    }
    let too_large = || EpochTextError::TooLarge(text.chars().take(60).collect());
    let seconds = whole.parse::<i64>().ok().filter(|s| *s <= LATEST).ok_or_else(too_large)?;
    let (mut nanos, mut digit) = (seconds * SECOND, SECOND);
    for b in fraction.bytes().take(9) {
        digit /= 10;
        nanos += digit * i64::from(b - b'0');
    }
    Ok(RemoteTime { nanos, digit })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_keep_their_last_digit() {
        let time = |nanos, digit| Ok(RemoteTime { nanos, digit });
        assert_eq!(parse_epoch("1793480534.123456\n"), time(1_793_480_534_123_456_000, 1_000));
        assert_eq!(parse_epoch(" 1793480534 "), time(1_793_480_534_000_000_000, SECOND));
        assert_eq!(parse_epoch("0.5"), time(500_000_000, 100_000_000));
        assert_eq!(parse_epoch("1.12345678999"), time(1_123_456_789, 1));
    }

    #[test]
    fn what_is_no_time_is_told_apart() {
        assert_eq!(parse_epoch(" \n"), Err(EpochTextError::Nothing));
        for text in ["Mon Nov 30", "-1.0", "1e9", "1.2.3", ".5", "0x10", "1,5", "1 2"] {
            assert!(matches!(parse_epoch(text), Err(EpochTextError::NoNumber(_))), "{text}");
        }
        assert!(matches!(parse_epoch("1793480534123"), Err(EpochTextError::TooLarge(_))));
        assert!(matches!(parse_epoch(&"9".repeat(80)), Err(EpochTextError::TooLarge(_))));
        assert!(!parse_epoch("\u{1b}[2J").unwrap_err().to_string().contains('\u{1b}'));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,40}") {
            let _ = parse_epoch(&text);
        }
    }
}
