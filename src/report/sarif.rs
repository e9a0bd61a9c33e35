//! `sarif`: SARIF 2.1.0, for code scanning. A route is a code flow, whose steps name hop and file;
//! what an exception forgives is there, suppressed, with its reason; what could not be checked is a
//! notification of a run that did not succeed. The types of the standard are in `log`.

mod log;

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use self::log::{
    ArtifactLocation, CodeFlow, Configuration, Driver, FlowStep, Help, Invocation, Location, Log, Notification,
    PhysicalLocation, Properties, Region, Rule, Run, SarifResult, Suppression, Text, ThreadFlow, Tool, UriBase,
    UriBases,
};
use super::{
    chain, details, fingerprint,
    formats::{Format, LintDoc, Options},
    place::Place,
    summary, wire,
};
use crate::{
    base::{Files, Span, visible},
    finding::{Finding, Level, Problem, Report, Verdict},
};

pub(super) const FORMAT: Format = Format { name: "sarif", about: "SARIF 2.1.0, for code scanning", render };

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const BASE: &str = "SRCROOT";

/// What a path keeps in a URI: the unreserved characters of RFC 3986, section 2.3, and `/`.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

fn render(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    let writer = Writer { files, options };
    wire::write_pretty(&writer.log(report), out)
}

struct Writer<'a> {
    files: &'a Files,
    options: &'a Options<'a>,
}

impl Writer<'_> {
    fn log(&self, report: &Report) -> Log {
        let forgiven = report.forgiven.iter().map(|(finding, exception)| (finding, Some(*exception)));
        let all: Vec<_> = report.findings.iter().map(|finding| (finding, None)).chain(forgiven).collect();
        let (rules, index) = self.rules(all.iter().map(|(finding, _)| finding.lint));
        let results = all.iter().map(|&(finding, exception)| {
            let reason = exception.and_then(|at| report.exceptions.get(at)).map(|exception| exception.reason.as_str());
            let at = index.get(finding.lint).copied().unwrap_or_default();
            self.result(finding, at, exception.map(|_| reason.unwrap_or_default()))
        });
        let driver = Driver { name: "lease-guard", semantic_version: env!("CARGO_PKG_VERSION"), rules };
        let root = UriBase { description: text("the root of the repository") };
        let run = Run {
            tool: Tool { driver },
            invocations: [self.invocation(report)],
            original_uri_base_ids: UriBases { root },
            column_kind: "unicodeCodePoints",
            results: results.collect(),
        };
        Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }

    /// The known lints, and behind them those that findings name and nobody documented.
    fn rules<'f>(&self, named: impl Iterator<Item = &'f str>) -> (Vec<Rule>, BTreeMap<String, usize>) {
        let mut rules: Vec<Rule> = self.options.lints.iter().map(documented).collect();
        let mut index: BTreeMap<String, usize> =
            self.options.lints.iter().enumerate().map(|(at, lint)| (lint.name.to_owned(), at)).collect();
        for lint in named {
            index.entry(lint.to_owned()).or_insert_with(|| {
                rules.push(rule(lint, lint));
                rules.len() - 1
            });
        }
        (rules, index)
    }

    fn invocation(&self, report: &Report) -> Invocation {
        let problems = report.errors.iter().map(|problem| self.problem(problem));
        let seen = format!("seen: {}", summary::seen_sentence(report));
        let remarks = summary::remarks(report, usize::MAX).into_iter().chain([seen]);
        let remarks =
            remarks.map(|remark| Notification { level: "note", message: text(&remark), locations: Vec::new() });
        Invocation {
            execution_successful: report.verdict() != Verdict::CannotCheck,
            exit_code: report.verdict().exit_code(),
            tool_execution_notifications: problems.chain(remarks).collect(),
        }
    }

    fn problem(&self, problem: &Problem) -> Notification {
        let help = if problem.help.is_empty() { String::new() } else { format!("\nhelp: {}", problem.help) };
        Notification {
            level: "error",
            message: text(&format!("{}{help}", problem.message)),
            locations: problem.place.into_iter().map(|span| self.location(span, None, None)).collect(),
        }
    }

    fn result(&self, finding: &Finding, rule_index: usize, forgiven: Option<&str>) -> SarifResult {
        let suppression = forgiven.map(|reason| Suppression {
            kind: "external",
            status: "accepted",
            justification: visible(reason).into_owned(),
        });
        let label = Some(finding.label.as_str()).filter(|label| !label.is_empty());
        SarifResult {
            rule_id: finding.lint,
            rule_index,
            level: level(finding.level),
            message: message(finding),
            locations: [self.location(finding.primary, None, label)],
            related_locations: self.related(finding),
            code_flows: self.code_flow(finding).into_iter().collect(),
            partial_fingerprints: BTreeMap::from([(fingerprint::NAME, fingerprint::of(finding, self.files))]),
            suppressions: suppression.into_iter().collect(),
            properties: Properties {
                lease: visible(&finding.lease).into_owned(),
                subject: visible(&finding.subject).into_owned(),
                dependency_chain: finding
                    .chain
                    .iter()
                    .map(|link| visible(&chain::package(link)).into_owned())
                    .collect(),
            },
        }
    }

    /// The further places, and the manifest's line for each link of the chain that has one.
    fn related(&self, finding: &Finding) -> Vec<Location> {
        let also = finding.also.iter().map(|also| (also.span, details::also_label(&also.label).to_owned()));
        let links = finding.chain.iter().filter_map(|link| {
            let words = format!("asks for `{}`", chain::package(link));
            link.place.map(|span| (span, words))
        });
        let numbered = (1..).zip(also.chain(links));
        numbered.map(|(id, (span, label))| self.location(span, Some(id), Some(&label))).collect()
    }

    fn code_flow(&self, finding: &Finding) -> Option<CodeFlow> {
        if finding.route.is_empty() {
            return None;
        }
        let arrival = format!("arrives at `{}`", finding.subject);
        let hops = finding.route.iter().map(|hop| (hop.place, details::hop(hop)));
        let steps = (1..).zip(hops.chain([(finding.primary, arrival)])).map(|(execution_order, (span, words))| {
            let words = format!("{words} ({})", self.files.get(span.file).path);
            FlowStep { execution_order, importance: "essential", location: self.location(span, None, Some(&words)) }
        });
        Some(CodeFlow {
            message: text(&details::route_title(finding)),
            thread_flows: [ThreadFlow { locations: steps.collect() }],
        })
    }

    fn location(&self, span: Span, id: Option<usize>, words: Option<&str>) -> Location {
        let place = Place::of(span, self.files).within(self.options.prefix);
        Location {
            id,
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation {
                    uri: utf8_percent_encode(&place.file, IN_PATH).to_string(),
                    uri_base_id: BASE,
                },
                region: Region {
                    start_line: place.line,
                    start_column: place.column,
                    end_line: place.end_line,
                    end_column: place.end_column,
                },
            },
            message: words.map(text),
        }
    }
}

fn documented(lint: &LintDoc) -> Rule {
    let mut rule = rule(lint.name, &lint.summary);
    rule.help.markdown = Some(lint.markdown.clone().into_owned());
    rule.default_configuration =
        Some(Configuration { enabled: lint.default_level != Level::Allow, level: level(lint.default_level) });
    rule
}

/// A rule as code scanning wants it: it refuses one without descriptions and help.
fn rule(name: &str, summary: &str) -> Rule {
    Rule {
        id: name.to_owned(),
        short_description: text(summary),
        full_description: text(summary),
        help: Help { text: summary.to_owned(), markdown: None },
        default_configuration: None,
    }
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::Allow => "none",
        Level::Warn => "warning",
        Level::Deny => "error",
    }
}

/// The sentence, the chain, the facts and the advice: many readers show nothing else.
fn message(finding: &Finding) -> Text {
    let mut sentences = vec![finding.message.clone()];
    if !finding.chain.is_empty() {
        sentences.push(format!("dependency chain: {}", chain::line(&finding.chain)));
    }
    sentences.extend(finding.notes.iter().cloned());
    if !finding.help.is_empty() {
        sentences.push(format!("help: {}", finding.help));
    }
    text(&sentences.join("\n"))
}

/// Text for people. Brackets are escaped where they would make a link (the standard's section
/// 3.11.6, messages with embedded links).
fn text(raw: &str) -> Text {
    let shown = raw.lines().map(visible).collect::<Vec<_>>().join("\n");
    let text =
        if shown.contains("](") { shown.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]") } else { shown };
    Text { text }
}

#[cfg(test)]
mod tests;
