//! The nearest known name, for "did you mean".

/// The most bytes of a name that is compared; crates.io allows package names of 64.
const LONGEST: usize = 160;

/// The known name closest to what was written, if it is close enough to be a slip: at most a third
/// of the letters differ (Damerau-Levenshtein; `-` and `_` count as the same). What is longer than
/// any name has none near it: the distance costs time and memory by the product of the
/// lengths, and both texts may come from a stranger.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |s: &str| s.replace('_', "-").to_lowercase();
    if written.len() > LONGEST {
        return None;
    }
    let wanted = plain(written);
    let most = (wanted.chars().count().max(3) / 3).min(6);
    known
        .into_iter()
        .filter(|name| name.len() <= LONGEST)
        .map(|name| (strsim::damerau_levenshtein(&wanted, &plain(name)), name))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        assert_eq!(nearest("tokio-postgress", ["tokio", "tokio-postgres"]), Some("tokio-postgres"));
        assert_eq!(nearest("coordinator", ["modules", "coordinators"]), Some("coordinators"));
        assert_eq!(nearest("xyz", ["modules", "coordinators"]), None);
    }

    #[test]
    fn what_is_longer_than_any_name_has_none_near_it() {
        let long = "a".repeat(1_000_000);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
