//! Globs of files, compiled in one way everywhere.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The most bytes of a glob. A pattern becomes an automaton some hundred times its size.
pub const LONGEST_GLOB: usize = 512;

/// Why globs were refused.
#[derive(Debug, thiserror::Error)]
pub enum GlobError {
    /// Longer than [`LONGEST_GLOB`].
    #[error("it is longer than {LONGEST_GLOB} bytes")]
    TooLong,
    /// Not a glob, or too large together.
    #[error("{}", .0.kind())]
    Form(#[from] globset::Error),
}

/// Globs over paths as they are shown (from the workspace root, with `/`): `*` and `?` stay within
/// a folder, `**` crosses folders. The numbers that the set answers with are those of the patterns.
///
/// # Errors
/// The first pattern that is no glob or is longer than [`LONGEST_GLOB`] bytes.
pub fn path_globs<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<GlobSet, GlobError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        if pattern.len() > LONGEST_GLOB {
            return Err(GlobError::TooLong);
        }
        set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
    }
    Ok(set.build()?)
}

#[cfg(test)]
mod tests {
    use super::path_globs;

    #[test]
    fn a_star_stays_within_a_folder() {
        let globs = path_globs(["src/*.rs", "crates/**/lease/*.rs"]).expect("globs");
        assert_eq!(globs.matches("src/lease.rs"), [0]);
        assert_eq!(globs.matches("src/lease/hold.rs"), [] as [usize; 0]);
        assert_eq!(globs.matches("crates/a/src/lease/hold.rs"), [1]);
    }

    #[test]
    fn what_is_no_glob_says_why() {
        let why = |pattern: &str| path_globs([pattern]).expect_err("no glob").to_string();
        assert!(why("src/[").contains("unclosed character class"));
        assert!(why("src/{a").contains("unclosed alternate group"));
        assert_eq!(why(&"{a,b}".repeat(1000)), "it is longer than 512 bytes");
    }
}
