//! `github`: workflow commands, which a run's page shows beside the lines of a pull request.
//!
//! The runner reads every line of a step's output. A line that begins with `::` is a command, and so
//! is whatever follows `##[` anywhere in a line. The data of our own commands is escaped as the
//! runner undoes it (`%`, CR and LF; in properties `:` and `,` too); the other lines never begin
//! with `::`, and `##[` is broken up in all of them.

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
    base::{Files, visible},
    finding::{Finding, Level, Problem, Report},
};

pub(super) const FORMAT: Format =
    Format { name: "github", about: "workflow commands, for annotations in a pull request", render };

fn render(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    for problem in &report.errors {
        writeln!(out, "{}", problem_command(problem, files, options))?;
    }
    for finding in &report.findings {
        writeln!(out, "{}", finding_command(finding, files, options))?;
    }
    if options.quiet {
        return Ok(());
    }
    for remark in summary::remarks(report, usize::MAX) {
        writeln!(out, "note: {}", text(&remark))?;
    }
    writeln!(out, "{}: {}", summary::verdict_words(report.verdict()), text(&summary::verdict_sentence(report)))?;
    writeln!(out, "seen: {}", text(&summary::seen_sentence(report)))
}

fn finding_command(finding: &Finding, files: &Files, options: &Options<'_>) -> String {
    let command = if finding.level == Level::Deny { "error" } else { "warning" };
    let place = Place::of(finding.primary, files).within(options.prefix);
    let title = format!("{}: {}", finding.lint, finding.subject);
    let mut message = vec![visible(&finding.message).into_owned()];
    message.extend(details::lines(finding, files, options.prefix));
    format!("::{command} {}::{}", properties(Some(&place), &title), data(&message.join("\n")))
}

fn problem_command(problem: &Problem, files: &Files, options: &Options<'_>) -> String {
    let place = problem.place.map(|span| Place::of(span, files).within(options.prefix));
    let mut message: Vec<_> = problem.message.lines().map(visible).collect();
    message.extend((!problem.help.is_empty()).then_some("help:".into()));
    message.extend(problem.help.lines().map(visible));
    format!("::error {}::{}", properties(place.as_ref(), "cannot check"), data(&message.join("\n")))
}

/// The columns are left out where a place runs over several lines: the host takes them on one only.
fn properties(place: Option<&Place>, title: &str) -> String {
    let mut out = String::new();
    if let Some(place) = place {
        let _ = write!(out, "file={},line={},endLine={},", property(&place.file), place.line, place.end_line);
        if place.line == place.end_line {
            let _ = write!(out, "col={},endColumn={},", place.column, place.end_column);
        }
    }
    out + "title=" + &property(title)
}

/// A line of plain text.
fn text(line: &str) -> String {
    visible(line).replace("##[", "## [")
}

/// What stands behind the second `::`.
fn data(message: &str) -> String {
    message.replace("##[", "## [").replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What stands behind a `=`.
fn property(value: &str) -> String {
    data(&visible(value)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::sample::{self, Sample};
    use super::FORMAT;

    /// A command's name and its properties.
    type Command = (String, Vec<(String, String)>);

    /// Reads a command as the runner does.
    fn parsed(line: &str) -> Option<Command> {
        let (head, _) = line.trim_start().strip_prefix("::")?.split_once("::")?;
        let (command, properties) = head.split_once(' ').unwrap_or((head, ""));
        let undo = |text: &str| {
            text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
        };
        let properties = properties.split(',').filter_map(|property| property.split_once('='));
        let properties = properties.map(|(name, value)| (name.to_owned(), undo(value)));
        Some((command.to_owned(), properties.collect()))
    }

    fn commands(sample: &Sample) -> Vec<Command> {
        sample::printed(&FORMAT, sample).lines().filter_map(parsed).collect()
    }

    #[test]
    fn the_commands() {
        insta::assert_snapshot!("github", sample::printed(&FORMAT, &sample::offending()));
        insta::assert_snapshot!("github_clean", sample::printed(&FORMAT, &sample::clean()));
        insta::assert_snapshot!("github_cannot_check", sample::printed(&FORMAT, &sample::broken()));
    }

    #[test]
    fn hostile_text_makes_no_command_of_its_own() {
        let sample = sample::hostile();
        let text = sample::printed(&FORMAT, &sample);
        sample::assert_no_controls(&text);
        assert!(!text.contains("##["), "{text}");
        let commands = commands(&sample);
        assert_eq!(commands.len(), 2);
        for (command, properties) in commands {
            assert_eq!(command, "error");
            let known = ["file", "line", "endLine", "col", "endColumn", "title"];
            assert!(properties.iter().all(|(name, _)| known.contains(&name.as_str())), "{properties:?}");
            assert!(properties[0].1.starts_with("src/a"), "{properties:?}");
        }
    }

    #[test]
    fn every_place_maps_back_to_its_text() {
        let sample = sample::offending();
        let commands = commands(&sample);
        assert_eq!(commands.len(), sample.report.findings.len());
        for (finding, (_, properties)) in sample.report.findings.iter().zip(commands) {
            let get = |name: &str| properties.iter().find(|(n, _)| n == name).expect("a property").1.clone();
            let range = ["line", "col", "endLine", "endColumn"].map(|name| get(name).parse().expect("a number"));
            sample.assert_region(finding.primary, &get("file"), range);
        }
    }
}
