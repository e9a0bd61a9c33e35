//! `cargo-json`: the lines of `cargo check --message-format json`, for editors.
//!
//! A finding is a `compiler-message` of the package that its file belongs to; each hop is a child
//! note with one span, which editors list as related places. A diagnostic without a span is dropped
//! by editors, so a problem that has no place stands at the head of a manifest.

use std::io::{self, Write};

use camino::Utf8Path;
use serde::Serialize;

use super::{
    chain, details,
    formats::{EditorPackage, Format, Options},
    human,
    place::Place,
    wire,
};
use crate::{
    base::{Files, Span, visible},
    finding::{Finding, Level, Problem, Report, Verdict},
};

pub(super) const FORMAT: Format =
    Format { name: "cargo-json", about: "cargo's compiler-message lines, for editors", render };

#[derive(Serialize)]
struct CompilerMessage<'a> {
    reason: &'static str,
    package_id: &'a str,
    manifest_path: &'a str,
    target: Target<'a>,
    message: Diagnostic,
}

#[derive(Serialize)]
struct BuildFinished {
    reason: &'static str,
    success: bool,
}

#[derive(Serialize)]
struct Target<'a> {
    kind: [&'a str; 1],
    crate_types: [&'a str; 1],
    name: &'a str,
    src_path: &'a str,
    edition: String,
    doc: bool,
    doctest: bool,
    test: bool,
}

#[derive(Serialize)]
struct Diagnostic {
    #[serde(rename = "$message_type")]
    message_type: &'static str,
    rendered: Option<String>,
    level: &'static str,
    message: String,
    code: Option<Code>,
    spans: Vec<SpanSeen>,
    children: Vec<Diagnostic>,
}

#[derive(Serialize)]
struct Code {
    code: &'static str,
    explanation: Option<String>,
}

#[derive(Serialize)]
struct SpanSeen {
    file_name: String,
    byte_start: u32,
    byte_end: u32,
    line_start: u32,
    line_end: u32,
    column_start: u32,
    column_end: u32,
    is_primary: bool,
    label: Option<String>,
    text: Vec<Line>,
    suggested_replacement: Option<String>,
    suggestion_applicability: Option<String>,
    expansion: Option<String>,
}

#[derive(Serialize)]
struct Line {
    text: String,
    highlight_start: usize,
    highlight_end: usize,
}

fn render(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    for problem in &report.errors {
        let path = problem.place.map(|span| files.get(span.file).absolute.clone());
        write_message(path.as_deref(), problem_diagnostic(problem, files, options), files, options, out)?;
    }
    for finding in &report.findings {
        let path = files.get(finding.primary.file).absolute.clone();
        write_message(Some(&path), finding_diagnostic(finding, report, files, options), files, options, out)?;
    }
    wire::write_line(&BuildFinished { reason: "build-finished", success: report.verdict() == Verdict::Clean }, out)
}

fn write_message(
    path: Option<&Utf8Path>,
    message: Diagnostic,
    files: &Files,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let owner = path.and_then(|path| owner(path, options.packages)).or(options.packages.first());
    let manifest = files.root().join("Cargo.toml");
    let target = owner.and_then(|package| {
        package.targets.iter().find(|target| path == Some(&target.root)).or(package.targets.first())
    });
    let message = CompilerMessage {
        reason: "compiler-message",
        package_id: owner.map_or("lease-guard", |package| &package.id),
        manifest_path: owner.map_or(manifest.as_str(), |package| package.manifest.as_str()),
        target: Target {
            kind: [target.map_or("lib", |target| target.kind)],
            crate_types: [target.map_or("lib", |target| target.kind)],
            name: target.map_or("lease-guard", |target| &target.name),
            src_path: target.map_or(manifest.as_str(), |target| target.root.as_str()),
            edition: target.map_or(2021, |target| target.edition).to_string(),
            doc: true,
            doctest: false,
            test: true,
        },
        message,
    };
    wire::write_line(&message, out)
}

/// The package whose folder holds the file most closely.
fn owner<'a>(path: &Utf8Path, packages: &'a [EditorPackage]) -> Option<&'a EditorPackage> {
    let folder = |package: &'a EditorPackage| package.manifest.parent().filter(|folder| path.starts_with(folder));
    let holders = packages.iter().filter_map(|package| Some((folder(package)?.components().count(), package)));
    holders.max_by_key(|(depth, _)| *depth).map(|(_, package)| package)
}

fn finding_diagnostic(finding: &Finding, report: &Report, files: &Files, options: &Options<'_>) -> Diagnostic {
    let reader = Reader { files, absolute: options.absolute };
    let mut spans = vec![reader.span(finding.primary, true, &finding.label)];
    spans.extend(finding.also.iter().map(|also| reader.span(also.span, false, details::also_label(&also.label))));
    let hops = (1..).zip(&finding.route).map(|(number, hop)| {
        let words = format!("{number}. {}", details::hop(hop));
        Diagnostic::child("note", &words, vec![reader.span(hop.place, true, "")])
    });
    let mut children: Vec<Diagnostic> = hops.collect();
    if !finding.chain.is_empty() {
        let words = format!("the dependency chain is {}", chain::line(&finding.chain));
        children.push(Diagnostic::child("note", &words, Vec::new()));
    }
    for link in &finding.chain {
        let words = format!("asks for `{}`", chain::package(link));
        let span = link.place.map(|span| reader.span(span, true, ""));
        children.extend(span.map(|span| Diagnostic::child("note", &words, vec![span])));
    }
    children.extend(finding.notes.iter().map(|note| Diagnostic::child("note", note, Vec::new())));
    if !finding.help.is_empty() {
        children.push(Diagnostic::child("help", &finding.help, Vec::new()));
    }
    Diagnostic {
        rendered: Some(human::finding_text(finding, report, files, &plain(options)) + "\n"),
        code: Some(Code { code: finding.lint, explanation: None }),
        spans,
        children,
        ..Diagnostic::child(
            if finding.level == Level::Deny { "error" } else { "warning" },
            &finding.message,
            Vec::new(),
        )
    }
}

fn problem_diagnostic(problem: &Problem, files: &Files, options: &Options<'_>) -> Diagnostic {
    let (first, rest) = problem.message.split_once('\n').unwrap_or((&problem.message, ""));
    let reader = Reader { files, absolute: options.absolute };
    let span = match problem.place {
        Some(span) => reader.span(span, true, ""),
        None => {
            let manifest = options.packages.first().map(|package| package.manifest.clone());
            reader.start_of(&manifest.unwrap_or_else(|| files.root().join("Cargo.toml")))
        }
    };
    let more = [("note", rest), ("help", problem.help.as_str())];
    let more = more.into_iter().filter(|(_, text)| !text.trim().is_empty());
    Diagnostic {
        rendered: Some(human::problem_text(problem, files, &plain(options)) + "\n"),
        spans: vec![span],
        children: more.map(|(level, text)| Diagnostic::child(level, text, Vec::new())).collect(),
        ..Diagnostic::child("error", &format!("lease-guard cannot check: {first}"), Vec::new())
    }
}

/// Editors show the text as it is.
fn plain<'a>(options: &Options<'a>) -> Options<'a> {
    Options { colour: false, ..*options }
}

impl Diagnostic {
    fn child(level: &'static str, message: &str, spans: Vec<SpanSeen>) -> Self {
        let message = message.lines().map(visible).collect::<Vec<_>>().join("\n");
        Self { message_type: "diagnostic", rendered: None, level, message, code: None, spans, children: Vec::new() }
    }
}

/// Who reads the lines, and finds the files by the paths in them.
struct Reader<'a> {
    files: &'a Files,
    absolute: bool,
}

impl Reader<'_> {
    fn span(&self, span: Span, is_primary: bool, label: &str) -> SpanSeen {
        let file = self.files.get(span.file);
        let place = Place { file: self.path(&file.path, &file.absolute), ..Place::of(span, self.files) };
        let text = &file.text;
        let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines();
        let shown = (1u32..).zip(lines).skip(place.line as usize - 1).take_while(|(line, _)| *line <= place.end_line);
        let shown = shown.map(|(line, text)| Line {
            highlight_start: if line == place.line { place.column as usize } else { 1 },
            highlight_end: if line == place.end_line { place.end_column as usize } else { text.chars().count() + 1 },
            text: text.to_owned(),
        });
        SpanSeen {
            text: shown.collect(),
            byte_start: span.start,
            byte_end: span.end,
            is_primary,
            label: (!label.is_empty()).then(|| visible(label).into_owned()),
            ..SpanSeen::at(place)
        }
    }

    fn start_of(&self, path: &Utf8Path) -> SpanSeen {
        SpanSeen::at(Place::start_of(&self.path(&self.files.shown(path), path)))
    }

    /// As cargo does: from the workspace root where a file lies below it, else absolute.
    fn path(&self, shown: &str, absolute: &Utf8Path) -> String {
        if self.absolute || shown.starts_with("../") { absolute.to_string() } else { shown.to_owned() }
    }
}

impl SpanSeen {
    fn at(place: Place) -> Self {
        Self {
            file_name: place.file,
            byte_start: 0,
            byte_end: 0,
            line_start: place.line,
            line_end: place.end_line,
            column_start: place.column,
            column_end: place.end_column,
            is_primary: true,
            label: None,
            text: Vec::new(),
            suggested_replacement: None,
            suggestion_applicability: None,
            expansion: None,
        }
    }
}

#[cfg(test)]
mod tests;
