//! How names are compared: packages with `-` and `_` alike, paths by patterns with `*`.

use std::borrow::Cow;

use globset::{GlobBuilder, GlobMatcher};

/// The one spelling under which packages are compared: lower case, `-` for `_`. (A registry tells no
/// two packages apart by either.)
pub(super) fn normal(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|b| b == b'_' || b.is_ascii_uppercase()) {
        Cow::Owned(name.replace('_', "-").to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// Whether `text` is `pattern`, where `*` stands for any run of characters, an empty one too.
///
/// Time is bounded by the product of the lengths; nothing recurses.
pub fn matches_wildcard(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    if memchr::memchr(b'*', pattern).is_none() {
        return pattern == text;
    }
    let (mut p, mut t) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            last_star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((star, from)) = last_star {
            last_star = Some((star, from + 1));
            (p, t) = (star + 1, from + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&b| b == b'*')
}

/// A package name or a glob over package names, as `[forbid] crates` holds them.
#[derive(Clone, Debug)]
pub struct PackagePattern {
    name: String,
    glob: Option<GlobMatcher>,
}

impl PackagePattern {
    /// Reads a name or a glob (`*`, `?`, `[...]`, `{a,b}`).
    ///
    /// # Errors
    /// A glob that does not parse, such as one with an open bracket.
    pub fn new(text: &str) -> Result<Self, globset::Error> {
        let name = normal(text).into_owned();
        if !is_glob(text) {
            return Ok(Self { name, glob: None });
        }
        // The normal spelling of a class such as `[_-]` need not be a class any more.
        let glob = GlobBuilder::new(&name).build().or_else(|_| GlobBuilder::new(text).build())?;
        Ok(Self { name, glob: Some(glob.compile_matcher()) })
    }

    /// A name that is taken letter by letter.
    pub(super) fn literal(text: &str) -> Self {
        Self { name: normal(text).into_owned(), glob: None }
    }

    /// Whether it is a glob.
    pub fn is_glob(&self) -> bool {
        self.glob.is_some()
    }

    /// Whether it means this package. `-` and `_` are the same.
    pub fn matches(&self, package: &str) -> bool {
        let package = normal(package);
        match &self.glob {
            None => self.name == package,
            Some(glob) => glob.is_match(&*package) || glob.is_match(package.replace('-', "_")),
        }
    }
}

/// Whether a text holds a character that a glob gives a meaning to, none of which a package name has.
pub(super) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// A pattern over the path behind a library's name (see rules/http-clients.toml).
#[derive(Clone, Debug)]
pub(super) struct PathPattern {
    written: String,
    segments: Vec<String>,
    any_modules_before: bool,
    all_below: bool,
}

impl PathPattern {
    pub(super) fn new(written: &str) -> Self {
        let (before, rest) = written.strip_prefix("**::").map_or((false, written), |rest| (true, rest));
        let (below, rest) = rest.strip_suffix("::*").map_or((false, rest), |rest| (true, rest));
        Self {
            written: written.to_owned(),
            segments: rest.split("::").map(str::to_owned).collect(),
            any_modules_before: before,
            all_below: below,
        }
    }

    pub(super) fn written(&self) -> &str {
        &self.written
    }

    /// Whether it means a module with all that is below it.
    pub(super) fn is_module(&self) -> bool {
        self.all_below
    }

    /// How many segments of the path the pattern covers, if the path begins with what it means. The
    /// path may go on behind them (`StatusCode::CONFLICT`).
    pub(super) fn covers(&self, path: &[&str]) -> Option<usize> {
        let mut skipped = 0;
        loop {
            let rest = path.get(skipped..)?;
            if rest.len() >= self.segments.len()
                && self.segments.iter().zip(rest).all(|(pattern, segment)| matches_wildcard(pattern, plain(segment)))
            {
                return Some(skipped + self.segments.len());
            }
            if !self.any_modules_before || !rest.first().is_some_and(|segment| names_module(segment)) {
                return None;
            }
            skipped += 1;
        }
    }
}

/// Where the name of a type or function ends in a path, counted from `from`: behind the first segment
/// that is spelt as a type or constant, else at the end of the path.
pub(super) fn item_end(path: &[&str], from: usize) -> usize {
    path.iter().skip(from).position(|segment| !names_module(segment)).map_or(path.len(), |at| from + at + 1)
}

/// A raw identifier names what the plain one names.
fn plain(segment: &str) -> &str {
    segment.strip_prefix("r#").unwrap_or(segment)
}

/// Whether a segment is spelt as modules and functions are. rustc warns about any other spelling.
fn names_module(segment: &str) -> bool {
    !plain(segment).trim_start_matches('_').starts_with(|c: char| c.is_uppercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn packages_differ_by_letters_not_by_dashes() {
        assert_eq!(normal("deepseekClient_rs"), "deepseekclient-rs");
        assert!(matches!(normal("tokio-postgres"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_star_stands_for_any_run() {
        for (pattern, text, expected) in [
            ("vote*", "vote_release", true),
            ("vote*", "vote", true),
            ("vote*", "veto", false),
            ("*Error", "TlsError", true),
            ("*Error", "Errors", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches_wildcard(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn a_package_pattern_is_a_name_or_a_glob() {
        let glob = PackagePattern::new("acme_*").expect("glob");
        assert!(glob.is_glob() && glob.matches("acme-http") && glob.matches("acme_http") && !glob.matches("acme"));
        let name = PackagePattern::new("acme_http").expect("name");
        assert!(!name.is_glob() && name.matches("acme-http") && !name.matches("acme-http2"));
        let either = PackagePattern::new("aws-sdk-{sns,sqs}").expect("glob");
        assert!(either.matches("aws-sdk-sqs") && !either.matches("aws-sdk-s3"));
        let class = PackagePattern::new("acme[_-]http").expect("a class of both");
        assert!(class.matches("acme-http") && class.matches("acme_http") && !class.matches("acmexhttp"));
        assert!(PackagePattern::new("acme[").is_err());
    }

    #[test]
    fn a_path_pattern_covers_what_it_means_and_longer_paths() {
        let covers = |pattern: &str, path: &[&str]| PathPattern::new(pattern).covers(path);
        assert_eq!(covers("StatusCode", &["StatusCode", "CONFLICT"]), Some(1));
        assert_eq!(covers("StatusCode", &["http", "StatusCode"]), None);
        assert_eq!(covers("header::*", &["header"]), Some(1));
        assert_eq!(covers("header::*", &["header", "HOST"]), Some(1));
        assert_eq!(covers("header::*", &["headers"]), None);
        assert_eq!(covers("net::TcpStream", &["net"]), None);
        assert_eq!(covers("**::*Error", &["client", "legacy", "TlsError"]), Some(3));
        assert_eq!(covers("**::*Error", &["Client", "Error"]), None, "a type is no module");
        assert_eq!(covers("**::error::*", &["error", "Kind", "Io"]), Some(1));
        assert_eq!(covers("type", &["r#type"]), Some(1));
        assert_eq!(covers("**::Error", &[]), None);
    }

    #[test]
    fn an_item_ends_at_the_first_type() {
        assert_eq!(item_end(&["producer", "FutureProducer", "from_config"], 0), 2);
        assert_eq!(item_end(&["cmd"], 0), 1);
        assert_eq!(item_end(&[], 0), 0);
        assert_eq!(item_end(&["tcp", "ReadHalf", "X"], 1), 2);
    }

    proptest! {
        #[test]
        fn a_star_around_any_text_finds_it(before in ".{0,8}", text in "[^*]{0,8}", after in ".{0,8}") {
            let found = matches_wildcard(&format!("*{text}*"), &format!("{before}{text}{after}"));
            prop_assert!(found);
        }
    }
}
