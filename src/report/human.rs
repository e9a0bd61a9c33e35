//! `human`: what rustc's users know.
//!
//! A finding begins with its primary place. The route follows as a story of its own, from the lease
//! path to the offender, in one snippet for each stretch in a file; then the dependency chain, the
//! facts and what to do. `annotate_snippets` draws the snippets and is named in this file only. It
//! lets control characters through in paths, labels and messages, so everything that goes in is
//! made visible first.

mod links;

use std::io::{self, Write};

use annotate_snippets::{
    AnnotationKind, Element, Group, Level as Tone, Padding, Renderer, Snippet, renderer::DecorStyle,
};

use super::{
    chain, details,
    excerpt::excerpt,
    formats::{Format, Options},
    place::Place,
    summary,
};
use crate::{
    base::{FileId, Files, Span, counted, visible},
    finding::{Finding, Hop, Level, Problem, Report, Verdict},
};

pub(super) const FORMAT: Format =
    Format { name: "human", about: "rustc's look, for people: every place quoted, the route told", render };

/// Hops shown of a longer route: so many from its beginning ...
const FIRST_HOPS: usize = 3;
/// ... and so many up to its end.
const LAST_HOPS: usize = 2;
/// Further places shown, and names in a list.
const FEW: usize = 4;

fn render(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    let screen = Screen::new(options, files);
    for finding in &report.findings {
        writeln!(out, "{}\n", finding_text(finding, report, files, options))?;
    }
    if options.quiet {
        return Ok(());
    }
    for remark in summary::remarks(report, if options.verbose { usize::MAX } else { FEW }) {
        screen.show(&[Group::with_title(Tone::NOTE.secondary_title(safe(&remark)))], out)?;
    }
    if options.verbose {
        for lease in &report.leases {
            let counts = format!(
                "lease `{}`: {} in {} selected, {} reached",
                lease.name,
                counted(lease.items, "item"),
                counted(lease.files, "file"),
                lease.reached_items
            );
            screen.show(&[Group::with_title(Tone::NOTE.secondary_title(safe(&counts)))], out)?;
        }
    }
    let verdict = report.verdict();
    let tone = match verdict {
        Verdict::Clean => Tone::NOTE,
        Verdict::Offends | Verdict::CannotCheck => Tone::ERROR,
    };
    let tone = tone.with_name(summary::verdict_words(verdict));
    screen.show(&[Group::with_title(tone.primary_title(safe(&summary::verdict_sentence(report))))], out)?;
    let seen = Tone::INFO.with_name("seen").secondary_title(safe(&summary::seen_sentence(report)));
    screen.show(&[Group::with_title(seen)], out)?;
    match report.findings.first() {
        Some(finding) => writeln!(out, "For more on a lint: `cargo lease-guard explain {}`.", finding.lint),
        None => Ok(()),
    }
}

/// Prints what could not be checked, each problem with the text that it points at and what to do.
/// It belongs on stderr, whatever the format of the report is.
///
/// # Errors
/// Those of the writer.
pub fn render_problems(
    problems: &[Problem],
    files: &Files,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for problem in problems {
        writeln!(out, "{}\n", problem_text(problem, files, options))?;
    }
    Ok(())
}

/// One finding as the screen shows it, without a newline at its end.
pub(super) fn finding_text(finding: &Finding, report: &Report, files: &Files, options: &Options<'_>) -> String {
    Screen::new(options, files).text(&finding_groups(finding, report, files, options))
}

/// One problem as the screen shows it, without a newline at its end.
pub(super) fn problem_text(problem: &Problem, files: &Files, options: &Options<'_>) -> String {
    let (first, rest) = problem.message.split_once('\n').unwrap_or((&problem.message, ""));
    let mut group = Group::with_title(Tone::ERROR.primary_title(safe(first)));
    if let Some(span) = problem.place {
        group = group.element(snippet(files, span.file, &[Mark { span, label: String::new(), primary: true }]));
    }
    if !rest.trim().is_empty() {
        group = group.element(Tone::NOTE.message(safe_lines(rest)));
    }
    if !problem.help.is_empty() {
        group = group.element(Tone::HELP.message(safe_lines(&problem.help)));
    }
    Screen::new(options, files).text(&[group])
}

/// A configured renderer, and the files to link to where places are links.
struct Screen<'f>(Renderer, Option<&'f Files>);

impl<'f> Screen<'f> {
    fn new(options: &Options<'_>, files: &'f Files) -> Self {
        let renderer = if options.colour { Renderer::styled() } else { Renderer::plain() };
        let width = options.width.clamp(80, 200);
        let renderer = renderer.hyperlink(false).decor_style(DecorStyle::Ascii).term_width(width);
        Self(renderer, options.links.then_some(files))
    }

    fn text(&self, groups: &[Group<'_>]) -> String {
        let text = self.0.render(groups);
        match self.1 {
            Some(files) => links::linked(&text, files),
            None => text,
        }
    }

    fn show(&self, groups: &[Group<'_>], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.text(groups))
    }
}

fn safe(text: &str) -> String {
    visible(text).into_owned()
}

fn safe_lines(text: &str) -> String {
    text.trim_end().lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// A place with what is written at it.
struct Mark {
    span: Span,
    label: String,
    primary: bool,
}

fn snippet(files: &Files, file: FileId, marks: &[Mark]) -> Element<'static> {
    let spans: Vec<Span> = marks.iter().map(|mark| mark.span).collect();
    let excerpt = excerpt(files, file, &spans);
    let annotations = marks.iter().zip(excerpt.ranges).map(|(mark, range)| {
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let label = (!mark.label.is_empty()).then(|| safe(&mark.label));
        kind.span(range).label(label)
    });
    Snippet::source(excerpt.text)
        .line_start(excerpt.first_line)
        .path(safe(&files.get(file).path))
        .annotations(annotations)
        .into()
}

fn finding_groups(finding: &Finding, report: &Report, files: &Files, options: &Options<'_>) -> Vec<Group<'static>> {
    let tone = if finding.level == Level::Deny { Tone::ERROR } else { Tone::WARNING };
    let title = tone.primary_title(safe(&finding.message)).id(finding.lint);
    let mut groups = vec![title.elements(evidence(finding, files, options))];
    groups.extend(story(finding, files, options));
    // Facts and advice belong to the whole, so they stand below the last group.
    if let Some(last) = groups.pop() {
        groups.push(last.elements(advice(finding, report, files)));
    }
    groups
}

/// The primary place, and the further ones behind it, file by file.
fn evidence(finding: &Finding, files: &Files, options: &Options<'_>) -> Vec<Element<'static>> {
    let most = if options.verbose { usize::MAX } else { FEW };
    let first = Mark { span: finding.primary, label: finding.label.clone(), primary: true };
    let mut by_file: Vec<(FileId, Vec<Mark>)> = vec![(finding.primary.file, vec![first])];
    for also in finding.also.iter().take(most) {
        let mark = Mark { span: also.span, label: details::also_label(&also.label).to_owned(), primary: false };
        match by_file.iter_mut().find(|(file, _)| *file == also.span.file) {
            Some((_, marks)) => marks.push(mark),
            None => by_file.push((also.span.file, vec![mark])),
        }
    }
    let mut out: Vec<_> = by_file.iter().map(|(file, marks)| snippet(files, *file, marks)).collect();
    if let more @ 1.. = finding.also.len().saturating_sub(most) {
        out.push(aside(&format!("... {}, --verbose shows all", counted(more, "more place"))));
    }
    out
}

/// The route, from the lease path on.
fn story(finding: &Finding, files: &Files, options: &Options<'_>) -> Option<Group<'static>> {
    let hops = finding.route.as_slice();
    if hops.is_empty() {
        return None;
    }
    let whole = options.verbose || hops.len() <= FIRST_HOPS + LAST_HOPS + 1;
    let left_out = if whole { 0..0 } else { FIRST_HOPS..hops.len() - LAST_HOPS };
    let mut elements = stretches(&hops[..if whole { hops.len() } else { left_out.start }], 0, hops.len(), files);
    if !whole {
        elements.push(Padding.into());
        elements.push(aside(&format!("... {} more hops, --verbose shows all", left_out.len())));
        elements.extend(stretches(&hops[left_out.end..], left_out.end, hops.len(), files));
    }
    elements.push(Padding.into());
    let label = if finding.label.is_empty() { String::new() } else { format!(": {}", finding.label) };
    elements.push(aside(&format!("arrives at {}{label}", Place::of(finding.primary, files).point())));
    Some(Tone::NOTE.secondary_title(safe(&details::route_title(finding))).elements(elements))
}

/// A snippet for each stretch of hops in one file. `before` hops come before these, `all` are there.
fn stretches(hops: &[Hop], before: usize, all: usize, files: &Files) -> Vec<Element<'static>> {
    let numbered: Vec<(usize, &Hop)> = (before + 1..).zip(hops).collect();
    let stretches = numbered.chunk_by(|(_, a), (_, b)| a.place.file == b.place.file);
    let snippets = stretches.map(|stretch| {
        let marks: Vec<Mark> = stretch.iter().map(|(number, hop)| mark_of(hop, *number, all)).collect();
        (stretch[0].1.place.file, marks)
    });
    snippets.map(|(file, marks)| snippet(files, file, &marks)).collect()
}

fn mark_of(hop: &Hop, number: usize, all: usize) -> Mark {
    let number = if all > 1 { format!("{number}. ") } else { String::new() };
    Mark { span: hop.place, label: format!("{number}{}", details::hop(hop)), primary: true }
}

/// The chain, the facts, and what to do.
fn advice(finding: &Finding, report: &Report, files: &Files) -> Vec<Element<'static>> {
    let mut out: Vec<Element<'static>> = Vec::new();
    if finding.route.is_empty() && !finding.lease.is_empty() && report.leases.len() > 1 {
        out.push(Tone::NOTE.message(safe(&format!("on the path of lease `{}`", finding.lease))).into());
    }
    if !finding.chain.is_empty() {
        let tree = chain::tree(&finding.chain, files, "").join("\n");
        out.push(Tone::NOTE.message(format!("the dependency chain\n{tree}")).into());
    }
    out.extend(finding.notes.iter().map(|note| Tone::NOTE.message(safe_lines(note)).into()));
    if !finding.help.is_empty() {
        out.push(Tone::HELP.message(safe_lines(&finding.help)).into());
    }
    out
}

fn aside(text: &str) -> Element<'static> {
    Tone::NOTE.no_name().message(safe(text)).into()
}

#[cfg(test)]
mod tests;
