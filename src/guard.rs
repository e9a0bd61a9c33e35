//! The check as a library: for a `#[test]` of the guarded workspace.

use std::{env, fmt};

use camino::{Utf8Path, Utf8PathBuf};

use crate::{
    base::Files,
    finding::{Finding, Level, Problem, Report, Verdict},
    report::{Options, format_named, render_problems},
    run::{Request, Told, check, prepare},
};

/// A check that is about to run.
///
/// ```no_run
/// // In tests/lease_guard.rs of the guarded package:
/// #[test]
/// fn the_lease_path_talks_to_its_coordinator_only() {
///     let report = lease_guard::Guard::for_manifest_dir(env!("CARGO_MANIFEST_DIR")).check();
///     assert!(report.is_clean(), "{report}");
/// }
/// ```
///
/// The report of a failed assertion is what `cargo lease-guard` prints.
#[derive(Clone, Debug)]
pub struct Guard {
    request: Request,
}

impl Guard {
    /// Checks the workspace that the package in this folder belongs to. Pass
    /// `env!("CARGO_MANIFEST_DIR")`. A relative path starts at the current folder.
    pub fn for_manifest_dir(folder: impl Into<Utf8PathBuf>) -> Self {
        let cwd = env::current_dir().ok().and_then(|cwd| Utf8PathBuf::try_from(cwd).ok()).unwrap_or_else(|| "/".into());
        let mut request = Request { source_date_epoch: env::var("SOURCE_DATE_EPOCH").ok(), ..Request::default() };
        request.cargo.manifest_path = Some(cwd.join(folder.into()).join("Cargo.toml"));
        request.cwd = cwd;
        Self { request }
    }

    /// Takes the rules from this file instead of the workspace's own.
    #[must_use]
    pub fn rules(mut self, file: impl AsRef<Utf8Path>) -> Self {
        self.request.rules = Some(file.as_ref().to_owned());
        self
    }

    /// Looks at this lease only; call it again for a further one.
    #[must_use]
    pub fn lease(mut self, name: impl Into<String>) -> Self {
        self.request.leases.push(name.into());
        self
    }

    /// Sets a lint's level, over the rules file's.
    #[must_use]
    pub fn level(mut self, lint: impl Into<String>, level: Level) -> Self {
        self.request.levels.push((lint.into(), level));
        self
    }

    /// Keeps cargo off the network.
    #[must_use]
    pub fn offline(mut self) -> Self {
        self.request.cargo.offline = true;
        self
    }

    /// Judges the sources and the manifests alone, without the dependency graph.
    #[must_use]
    pub fn no_deps(mut self) -> Self {
        self.request.cargo.no_deps = true;
        self
    }

    /// Checks. What could not be looked at is in the report, whose verdict then is
    /// [`Verdict::CannotCheck`]: it never comes out clean by not looking.
    pub fn check(&self) -> GuardReport {
        let (report, files, workspace) = match prepare(&self.request) {
            Ok(prepared) => (check(&prepared), prepared.files, Some(prepared.workspace)),
            Err(failed) => (Report::cannot_check(failed.problems), failed.files, None),
        };
        let told = Told::new(files.root(), workspace.as_ref(), &self.request.cwd, None);
        GuardReport { report, files, told }
    }
}

/// What a check found. Its `Display` is the human output.
#[derive(Debug)]
pub struct GuardReport {
    report: Report,
    files: Files,
    told: Told,
}

impl GuardReport {
    /// The answer.
    pub fn verdict(&self) -> Verdict {
        self.report.verdict()
    }

    /// Whether everything was looked at and nothing is denied; warnings may be there.
    pub fn is_clean(&self) -> bool {
        self.verdict() == Verdict::Clean
    }

    /// The findings at warn and deny, sorted.
    pub fn findings(&self) -> &[Finding] {
        &self.report.findings
    }

    /// What could not be looked at.
    pub fn problems(&self) -> &[Problem] {
        &self.report.errors
    }

    /// The report in one of the formats of `--format`; none where there is no such format.
    pub fn render(&self, format: &str) -> Option<String> {
        let format = format_named(format)?;
        let mut out = Vec::new();
        // Writing to memory does not fail.
        (format.render)(&self.report, &self.files, &self.told.options(), &mut out).ok()?;
        String::from_utf8(out).ok()
    }
}

impl fmt::Display for GuardReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut problems = Vec::new();
        render_problems(&self.report.errors, &self.files, &Options::default(), &mut problems)
            .map_err(|_| fmt::Error)?;
        f.write_str(&String::from_utf8_lossy(&problems))?;
        f.write_str(&self.render("human").unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_package_cannot_be_checked_and_says_so() {
        let report = Guard::for_manifest_dir("/nowhere/at/all").check();
        assert_eq!(report.verdict(), Verdict::CannotCheck);
        assert!(!report.is_clean());
        assert!(report.to_string().contains("/nowhere/at/all"), "{report}");
    }
}
