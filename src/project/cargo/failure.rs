//! Cargo's own words when it fails, and the way out.
//!
//! The phrases are those that cargo 1.95 prints. Where none is known the words alone are shown; a new
//! one is an entry of `WAYS_OUT`.

use crate::project::ProjectError;

/// How many lines of cargo's words are quoted at most; the causes stand at the end.
const MOST_LINES: usize = 60;

/// What cargo says, and what to do about it.
struct WayOut {
    /// One of these stands in its words,
    any: &'static [&'static str],
    /// and this too; empty where that is not needed.
    and: &'static str,
    /// What to do.
    help: &'static str,
}

/// The first that fits counts.
const WAYS_OUT: &[WayOut] = &[
    WayOut {
        any: &["because --locked was passed", "because --frozen was passed", "lock file needs to be updated"],
        and: "",
        help: "Cargo.lock is stale or missing (this tool passes --locked wherever there is one): bring it up to date (`cargo update --workspace`, or \
               `cargo generate-lockfile` where there is none), look at the difference and commit it",
    },
    WayOut {
        any: &["toolchain"],
        and: "is not installed",
        help: "install the toolchain (`rustup toolchain install NAME`), or choose one that is there with RUSTUP_TOOLCHAIN",
    },
    WayOut {
        any: &[
            "Read-only file system",
            "read-only file system",
            "ermission denied",
            "failed to write",
            "failed to open",
        ],
        and: "Cargo.lock",
        help: "there is no Cargo.lock and none can be written here: commit one, or make one before the checkout becomes \
               read-only (`cargo generate-lockfile`)",
    },
    WayOut {
        any: &["credential-provider", "credential provider"],
        and: "",
        help: "a registry asks for credentials: name the helper in your own configuration, in CARGO_HOME (one that the \
               workspace's configuration names is a program of the workspace's and is not run; cargo's own `cargo:token` \
               may stand there)",
    },
    WayOut {
        any: &["not contain this feature", "not contain these features", "not have feature", "not have these features"],
        and: "",
        help: "check the names given to `--features`",
    },
    WayOut {
        any: &[
            "failed to clone into",
            "failed to fetch into",
            "can't checkout from",
            "failed to load source for dependency",
        ],
        and: "",
        help: "a git dependency cannot be had: fetch it where there is a network (`cargo fetch`), or check the sources \
               and the manifests alone with `--no-deps`",
    },
    WayOut {
        any: &["offline", "failed to download", "unable to update registry", "failed to query", "failed to fetch"],
        and: "",
        help: "all features and targets are looked at, so every optional crate must be there: run `cargo fetch` once with \
               a network, narrow the graph with `--features`, or check the sources and the manifests alone with `--no-deps`",
    },
];

/// Cargo's words, shortened from the front, with the way out.
pub(super) fn failure(words: &str, no_deps: bool) -> ProjectError {
    let lines: Vec<&str> = words.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    let from = lines.iter().position(|line| line.starts_with("error")).unwrap_or(0);
    let from = from.max(lines.len().saturating_sub(MOST_LINES));
    let quoted = lines[from..].join("\n");
    let fits = |way: &&WayOut| quoted.contains(way.and) && way.any.iter().any(|phrase| quoted.contains(phrase));
    let known = WAYS_OUT.iter().find(fits);
    let help = match known {
        Some(way) => way.help.to_owned(),
        None if no_deps => "mend what cargo names; `cargo metadata --no-deps --format-version 1` says the same".into(),
        None => "mend what cargo names; `cargo metadata --all-features --format-version 1` says the same".into(),
    };
    let words = if quoted.is_empty() { "(nothing)".to_owned() } else { quoted };
    ProjectError::CargoFailed { words, help }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_has_its_way_out() {
        let help = |words: &str| failure(words, false).help();
        assert!(help("error: cannot update the lock file x because --locked was passed").contains("cargo update"));
        assert!(help("error: no matching package named `x` found\nperhaps offline").contains("cargo fetch"));
        assert!(help("error: failed to load source for dependency `x`\nCaused by: offline").contains("--no-deps"));
        assert!(help("error: something else").contains("cargo metadata"));
    }

    #[test]
    fn only_the_last_lines_are_quoted() {
        let words = format!("warning: w\nerror: e\n{}", "cause\n".repeat(200));
        assert_eq!(failure(&words, false).to_string().lines().count(), MOST_LINES + 1);
    }
}
