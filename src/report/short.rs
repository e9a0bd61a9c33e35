//! `short`: a line for each finding, and one for what was seen.

use std::io::{self, Write};

use super::{
    formats::{Format, Options},
    place::Place,
    summary,
};
use crate::{
    base::{Files, visible},
    finding::{Finding, Report},
};

pub(super) const FORMAT: Format =
    Format { name: "short", about: "a line for each finding, for grep and for problem matchers", render };

fn render(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in &report.findings {
        writeln!(out, "{}", visible(&line(finding, files)))?;
    }
    if options.quiet {
        return Ok(());
    }
    let verdict = summary::verdict_words(report.verdict());
    let sentence = summary::verdict_sentence(report);
    writeln!(out, "{}", visible(&format!("{verdict}: {sentence}; seen: {}", summary::seen_sentence(report))))
}

fn line(finding: &Finding, files: &Files) -> String {
    let Finding { lint, level, subject, message, lease, route, .. } = finding;
    let lease = if lease.is_empty() { String::new() } else { format!(" [{lease}]") };
    let via = match route.as_slice() {
        [] => String::new(),
        hops => format!(" (via {})", hops.iter().map(|hop| hop.item.as_str()).collect::<Vec<_>>().join(" -> ")),
    };
    let point = Place::of(finding.primary, files).point();
    format!("{point}: {} {lint} {subject}: {message}{lease}{via}", level.word())
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::FORMAT;

    #[test]
    fn a_line_for_each_finding() {
        insta::assert_snapshot!("short", sample::printed(&FORMAT, &sample::offending()));
        insta::assert_snapshot!("short_clean", sample::printed(&FORMAT, &sample::clean()));
        insta::assert_snapshot!("short_cannot_check", sample::printed(&FORMAT, &sample::broken()));
    }

    #[test]
    fn hostile_text_adds_no_line() {
        let sample = sample::hostile();
        let text = sample::printed(&FORMAT, &sample);
        sample::assert_no_controls(&text);
        assert_eq!(text.lines().count(), sample.report.findings.len() + 1);
    }
}
