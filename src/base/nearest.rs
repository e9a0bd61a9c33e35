//! The nearest known name, for "did you mean".

/// The known name closest to what was written, if it is close enough to be a slip: at most a third
/// of the letters differ (Damerau-Levenshtein; `-` and `_` count as the same).
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |s: &str| s.replace('_', "-").to_lowercase();
    let wanted = plain(written);
    let most = (wanted.chars().count().max(3) / 3).min(6);
    known
        .into_iter()
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
}
