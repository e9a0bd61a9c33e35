//! `gitlab`: the code quality report that GitLab shows in a merge request, a list of issues.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use serde::Serialize;

use super::{
    chain, fingerprint,
    formats::{Format, Options},
    place::Place,
    wire,
};
use crate::{
    base::{Files, visible},
    finding::{Finding, Level, Problem, Report},
};

pub(super) const FORMAT: Format = Format { name: "gitlab", about: "a code quality report for GitLab", render };

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

fn render(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let problems = report.errors.iter().map(|problem| problem_issue(problem, files, options));
    let mut issues: Vec<Issue> = problems.collect();
    issues.extend(report.findings.iter().map(|finding| finding_issue(finding, files, options)));
    for issue in &mut issues {
        // A second issue with the same fingerprint would be taken for the first.
        let before = seen.entry(issue.fingerprint.clone()).or_default();
        if *before > 0 {
            issue.fingerprint = format!("{}-{before}", issue.fingerprint);
        }
        *before += 1;
    }
    wire::write_pretty(&issues, out)
}

fn finding_issue(finding: &Finding, files: &Files, options: &Options<'_>) -> Issue {
    Issue {
        description: description(finding),
        check_name: finding.lint.to_owned(),
        fingerprint: fingerprint::of(finding, files),
        severity: if finding.level == Level::Deny { "critical" } else { "minor" },
        location: Location::of(Place::of(finding.primary, files).within(options.prefix)),
    }
}

/// The host shows this line and nothing else, so the way and the advice are in it.
fn description(finding: &Finding) -> String {
    let mut out = finding.message.clone();
    if !finding.route.is_empty() {
        let items: Vec<&str> = finding.route.iter().map(|hop| hop.item.as_str()).collect();
        out += &format!(" (via {})", items.join(" -> "));
    }
    if !finding.chain.is_empty() {
        out += &format!(" (by {})", chain::line(&finding.chain));
    }
    if !finding.help.is_empty() {
        out += &format!("; help: {}", finding.help);
    }
    visible(&out).into_owned()
}

/// A problem without a place stands at the head of the manifest: an issue must stand somewhere.
fn problem_issue(problem: &Problem, files: &Files, options: &Options<'_>) -> Issue {
    let place = problem.place.map_or_else(|| Place::start_of("Cargo.toml"), |span| Place::of(span, files));
    let lines = problem.message.lines().chain(problem.help.lines()).map(visible);
    Issue {
        description: format!("cannot check: {}", lines.collect::<Vec<_>>().join("; ")),
        check_name: "cannot-check".to_owned(),
        fingerprint: fingerprint::of_text(&problem.message),
        severity: "blocker",
        location: Location::of(place.within(options.prefix)),
    }
}

impl Location {
    fn of(place: Place) -> Self {
        Self { lines: Lines { begin: place.line, end: place.end_line }, path: place.file }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::FORMAT;

    #[test]
    fn the_issues() {
        insta::assert_snapshot!("gitlab", sample::printed(&FORMAT, &sample::offending()));
        insta::assert_snapshot!("gitlab_clean", sample::printed(&FORMAT, &sample::clean()));
        insta::assert_snapshot!("gitlab_cannot_check", sample::printed(&FORMAT, &sample::broken()));
    }

    #[test]
    fn hostile_text_stays_text() {
        let text = sample::printed(&FORMAT, &sample::hostile());
        sample::assert_no_controls(&text);
        let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for issue in read.as_array().expect("a list") {
            sample::assert_no_controls(issue["description"].as_str().expect("text"));
        }
    }

    #[test]
    fn lines_and_fingerprints_are_right() {
        let mut sample = sample::offending();
        let again = sample.report.findings[0].clone();
        sample.report.findings.push(again);
        let read: serde_json::Value = serde_json::from_str(&sample::printed(&FORMAT, &sample)).expect("JSON");
        let issues = read.as_array().expect("a list");
        let prints: std::collections::BTreeSet<&str> =
            issues.iter().map(|issue| issue["fingerprint"].as_str().expect("text")).collect();
        assert_eq!(prints.len(), issues.len());
        for (finding, issue) in sample.report.findings.iter().zip(issues) {
            let file = sample.files.get(finding.primary.file);
            assert_eq!(issue["location"]["path"], file.path);
            let line = issue["location"]["lines"]["begin"].as_u64().expect("a number") as usize;
            let text = file.text.lines().nth(line - 1).expect("the line is there");
            assert!(text.contains(&sample.files.text(finding.primary)));
        }
    }
}
