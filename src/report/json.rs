//! `json`: version 1 of the wire format. Fields may be added; none may be changed or taken away.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    chain,
    formats::{Format, Options},
    place::Place,
    wire,
};
use crate::{
    base::Files,
    finding::{Finding, GraphSeen, Hop, Problem, Report},
};

pub(super) const FORMAT: Format = Format { name: "json", about: "one JSON object, version 1, for programs", render };

fn render(report: &Report, files: &Files, _: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    wire::write_pretty(&Document::of(report, files), out)
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    verdict: &'static str,
    errors: Vec<Error<'a>>,
    leases: Vec<Lease<'a>>,
    graph: &'static str,
    seen: Seen<'a>,
    cuts: Vec<Cut<'a>>,
    findings: Vec<Found<'a>>,
    exceptions: Vec<Exception<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Error<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    help: &'a str,
}

#[derive(Serialize)]
struct Lease<'a> {
    name: &'a str,
    files: usize,
    items: usize,
    reached_items: usize,
}

#[derive(Serialize)]
struct Seen<'a> {
    files_parsed: usize,
    macros_scanned: usize,
    files_scanned: &'a [String],
    proc_macros: &'a [String],
    opaque_includes: usize,
    orphan_files: &'a [String],
}

#[derive(Serialize)]
struct Cut<'a> {
    kind: &'static str,
    name: &'a str,
    routes: usize,
}

#[derive(Serialize)]
struct Found<'a> {
    lint: &'static str,
    level: &'static str,
    lease: &'a str,
    subject: &'a str,
    message: &'a str,
    label: &'a str,
    primary: Place,
    also: Vec<Also<'a>>,
    route: Vec<Step<'a>>,
    dependency_chain: Vec<String>,
    notes: &'a [String],
    help: &'a str,
}

#[derive(Serialize)]
struct Also<'a> {
    label: &'a str,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct Step<'a> {
    certainty: &'static str,
    kind: &'static str,
    item: &'a str,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct Exception<'a> {
    lint: &'a str,
    subject: &'a str,
    reason: &'a str,
    until: Option<&'a str>,
    used: usize,
}

impl<'a> Document<'a> {
    fn of(report: &'a Report, files: &Files) -> Self {
        let leases = report.leases.iter().map(|lease| Lease {
            name: &lease.name,
            files: lease.files,
            items: lease.items,
            reached_items: lease.reached_items,
        });
        let cuts = report.cuts.iter().map(|cut| Cut { kind: cut.kind.word(), name: &cut.name, routes: cut.routes });
        let exceptions = report.exceptions.iter().map(|exception| Exception {
            lint: &exception.lint,
            subject: &exception.subject,
            reason: &exception.reason,
            until: exception.until.as_deref(),
            used: exception.used,
        });
        Self {
            version: 1,
            verdict: report.verdict().word(),
            errors: report.errors.iter().map(|problem| Error::of(problem, files)).collect(),
            leases: leases.collect(),
            graph: match report.graph {
                GraphSeen::Full => "full",
                GraphSeen::None => "none",
            },
            seen: Seen {
                files_parsed: report.seen.files_parsed,
                macros_scanned: report.seen.macros_scanned,
                files_scanned: &report.seen.files_scanned,
                proc_macros: &report.seen.proc_macros,
                opaque_includes: report.seen.opaque_includes,
                orphan_files: &report.seen.orphan_files,
            },
            cuts: cuts.collect(),
            findings: report.findings.iter().map(|finding| Found::of(finding, files)).collect(),
            exceptions: exceptions.collect(),
            notes: &report.notes,
        }
    }
}

impl<'a> Error<'a> {
    fn of(problem: &'a Problem, files: &Files) -> Self {
        let place = problem.place.map(|span| Place::of(span, files));
        Self {
            message: &problem.message,
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
            file: place.map(|place| place.file),
            help: &problem.help,
        }
    }
}

impl<'a> Found<'a> {
    fn of(finding: &'a Finding, files: &Files) -> Self {
        let also = finding.also.iter().map(|also| Also { label: &also.label, place: Place::of(also.span, files) });
        Self {
            lint: finding.lint,
            level: finding.level.word(),
            lease: &finding.lease,
            subject: &finding.subject,
            message: &finding.message,
            label: &finding.label,
            primary: Place::of(finding.primary, files),
            also: also.collect(),
            route: finding.route.iter().map(|hop| Step::of(hop, files)).collect(),
            dependency_chain: finding.chain.iter().map(chain::package).collect(),
            notes: &finding.notes,
            help: &finding.help,
        }
    }
}

impl<'a> Step<'a> {
    fn of(hop: &'a Hop, files: &Files) -> Self {
        Self {
            certainty: hop.certainty.word(),
            kind: hop.kind.word(),
            item: &hop.item,
            place: Place::of(hop.place, files),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::FORMAT;

    #[test]
    fn the_wire_format_is_frozen() {
        insta::assert_snapshot!("json", sample::printed(&FORMAT, &sample::offending()));
        insta::assert_snapshot!("json_clean", sample::printed(&FORMAT, &sample::clean()));
        insta::assert_snapshot!("json_cannot_check", sample::printed(&FORMAT, &sample::broken()));
    }

    #[test]
    fn hostile_text_is_escaped_and_kept() {
        let sample = sample::hostile();
        let text = sample::printed(&FORMAT, &sample);
        sample::assert_no_controls(&text);
        let read: serde_json::Value = serde_json::from_str(&text).expect("one object");
        assert_eq!(read["findings"][0]["subject"], sample.report.findings[0].subject);
    }

    #[test]
    fn every_place_maps_back_to_its_text() {
        let sample = sample::offending();
        let read: serde_json::Value = serde_json::from_str(&sample::printed(&FORMAT, &sample)).expect("one object");
        for (finding, read) in sample.report.findings.iter().zip(read["findings"].as_array().expect("a list")) {
            sample.assert_same_text(finding.primary, &read["primary"]);
            for (also, read) in finding.also.iter().zip(read["also"].as_array().expect("a list")) {
                sample.assert_same_text(also.span, read);
            }
            for (hop, read) in finding.route.iter().zip(read["route"].as_array().expect("a list")) {
                sample.assert_same_text(hop.place, read);
            }
        }
    }
}
