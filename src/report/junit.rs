//! `junit`: the XML that test reporters read. A suite for each lease; a failed case for each finding
//! that is denied, a passed one with a word on it for each warning, a skipped one for what an exception
//! forgives, and a case for the lease itself, so that a clean run has one too.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use super::{
    details,
    formats::{Format, Options},
    place::Place,
    summary,
};
use crate::{
    base::{Files, counted, visible, xml_escaped},
    finding::{Finding, Level, Problem, Report, Verdict},
};

pub(super) const FORMAT: Format = Format { name: "junit", about: "JUnit's XML, for test reporters", render };

/// Findings about the rules file, and problems, belong to no lease.
const NO_LEASE: &str = "rules";

fn render(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut names: Vec<&str> = report.leases.iter().map(|lease| lease.name.as_str()).collect();
    let found = report.findings.iter().chain(report.forgiven.iter().map(|(finding, _)| finding));
    for lease in found.map(|finding| finding.lease.as_str()) {
        if !names.contains(&lease) && !lease.is_empty() {
            names.push(lease);
        }
    }
    names.push("");
    let suites: Vec<Suite> = names.iter().map(|name| Suite::of(name, report, files, options)).collect();
    let suites = suites.iter().filter(|suite| suite.cases > 0);
    let all = suites.clone().fold(Suite::default(), |all, suite| all.with(suite));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"lease-guard\"{}>", all.counts())?;
    for suite in suites {
        writeln!(out, "  <testsuite name=\"{}\"{}>", xml(&suite.name), suite.counts())?;
        write!(out, "{}", suite.text)?;
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

#[derive(Default)]
struct Suite {
    name: String,
    cases: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    text: String,
}

impl Suite {
    fn of(lease: &str, report: &Report, files: &Files, options: &Options<'_>) -> Self {
        let name = if lease.is_empty() { NO_LEASE } else { lease };
        let mut suite = Self { name: name.to_owned(), ..Self::default() };
        let ours = |finding: &&Finding| finding.lease == lease;
        if lease.is_empty() {
            report.errors.iter().for_each(|problem| suite.problem(problem, files, options));
        } else {
            suite.whole(lease, report);
        }
        for finding in report.findings.iter().filter(ours) {
            let tag = if finding.level == Level::Deny { "failure" } else { "system-out" };
            suite.finding(finding, tag, &finding.message, files, options);
        }
        for (finding, exception) in report.forgiven.iter().filter(|(finding, _)| ours(&finding)) {
            let reason = report.exceptions.get(*exception).map_or("", |exception| exception.reason.as_str());
            suite.finding(finding, "skipped", reason, files, options);
        }
        suite
    }

    /// The lease's own case: it passes if the lease path is known to be clean.
    fn whole(&mut self, lease: &str, report: &Report) {
        let denied = report.findings.iter().filter(|f| f.lease == lease && f.level == Level::Deny).count();
        let inner = match (report.verdict(), denied) {
            (Verdict::CannotCheck, _) => {
                self.errors += 1;
                format!("<error type=\"cannot-check\" message=\"{}\"/>", xml(&summary::verdict_sentence(report)))
            }
            (_, 0) => format!("<system-out>{}</system-out>", xml(&summary::seen_sentence(report))),
            (_, denied) => {
                self.failures += 1;
                format!("<failure type=\"offends\" message=\"{} denied\"/>", counted(denied, "finding"))
            }
        };
        self.case(&format!("classname=\"lease-guard\" name=\"{}\"", xml(&format!("lease {lease}"))), &inner);
    }

    fn finding(&mut self, finding: &Finding, tag: &str, message: &str, files: &Files, options: &Options<'_>) {
        let place = Place::of(finding.primary, files).within(options.prefix);
        let mut lines = vec![format!("{}: {}", visible(&place.point()), visible(&finding.message))];
        lines.extend(details::lines(finding, files, options.prefix));
        let body = xml_escaped(&lines.join("\n"));
        let inner = match tag {
            "failure" => {
                self.failures += 1;
                format!("<failure type=\"{}\" message=\"{}\">{body}</failure>", finding.lint, xml(message))
            }
            "skipped" => {
                self.skipped += 1;
                format!("<skipped message=\"{}\"/><system-out>{body}</system-out>", xml(message))
            }
            _ => format!("<system-out>{body}</system-out>"),
        };
        let name = xml(&format!("{} in {}", finding.subject, place.file));
        let (file, line) = (xml(&place.file), place.line);
        self.case(&format!("classname=\"{}\" name=\"{name}\" file=\"{file}\" line=\"{line}\"", finding.lint), &inner);
    }

    fn problem(&mut self, problem: &Problem, files: &Files, options: &Options<'_>) {
        let place = problem.place.map(|span| Place::of(span, files).within(options.prefix));
        let place = place.map(|at| format!(" file=\"{}\" line=\"{}\"", xml(&at.file), at.line)).unwrap_or_default();
        let first = problem.message.lines().next().unwrap_or_default();
        let body = problem.message.lines().chain(problem.help.lines()).map(visible).collect::<Vec<_>>().join("\n");
        self.errors += 1;
        let inner = format!("<error type=\"cannot-check\" message=\"{}\">{}</error>", xml(first), xml_escaped(&body));
        self.case(&format!("classname=\"lease-guard\" name=\"cannot check\"{place}"), &inner);
    }

    fn case(&mut self, attributes: &str, inner: &str) {
        self.cases += 1;
        let _ = writeln!(self.text, "    <testcase {attributes}>{inner}</testcase>");
    }

    fn counts(&self) -> String {
        format!(
            " tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            self.cases, self.failures, self.errors, self.skipped
        )
    }

    fn with(mut self, other: &Self) -> Self {
        self.cases += other.cases;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self
    }
}

/// Text on one line, as an attribute or an element may hold it.
fn xml(text: &str) -> String {
    xml_escaped(&visible(text))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::FORMAT;

    #[test]
    fn the_suites() {
        insta::assert_snapshot!("junit", sample::printed(&FORMAT, &sample::offending()));
        insta::assert_snapshot!("junit_clean", sample::printed(&FORMAT, &sample::clean()));
        insta::assert_snapshot!("junit_cannot_check", sample::printed(&FORMAT, &sample::broken()));
    }

    #[test]
    fn it_is_xml_whatever_the_text() {
        for sample in [sample::offending(), sample::clean(), sample::broken(), sample::hostile()] {
            let text = sample::printed(&FORMAT, &sample);
            sample::assert_no_controls(&text);
            let read = roxmltree::Document::parse(&text).expect("well-formed");
            let known = ["testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out"];
            assert!(read.descendants().filter(|n| n.is_element()).all(|n| known.contains(&n.tag_name().name())));
            let count = |name: &str| read.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
            let root = read.root_element();
            assert_eq!(root.attribute("tests"), Some(count("testcase").as_str()));
            assert_eq!(root.attribute("failures"), Some(count("failure").as_str()));
            assert_eq!(root.attribute("errors"), Some(count("error").as_str()));
            assert_eq!(root.attribute("skipped"), Some(count("skipped").as_str()));
        }
        assert_eq!(super::xml("\u{fffe}\u{1}"), "\u{fffd}\\u{1}");
    }

    #[test]
    fn every_place_maps_back_to_its_text() {
        let sample = sample::offending();
        let text = sample::printed(&FORMAT, &sample);
        let read = roxmltree::Document::parse(&text).expect("well-formed");
        let cases: Vec<_> = read.descendants().filter(|node| node.has_attribute("line")).collect();
        assert_eq!(cases.len(), sample.report.findings.len() + sample.report.forgiven.len());
        for finding in &sample.report.findings {
            let file = sample.files.get(finding.primary.file);
            let name = format!("{} in {}", finding.subject, file.path);
            let case = cases.iter().find(|case| case.attribute("name") == Some(&name)).expect("a case");
            let line: usize = case.attribute("line").expect("a line").parse().expect("a number");
            let text = file.text.lines().nth(line - 1).expect("the line is there");
            assert!(text.contains(&sample.files.text(finding.primary)));
        }
    }
}
