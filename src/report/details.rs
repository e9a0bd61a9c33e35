//! A finding's evidence in plain lines, for formats that have no look of their own.

use super::{chain, place::Place};
use crate::{
    base::{Files, counted, visible},
    finding::{Certainty, Finding, Hop},
};

/// What a hop does, in words; raw.
pub(super) fn hop(hop: &Hop) -> String {
    let sure = match hop.certainty {
        Certainty::Resolved => "",
        Certainty::ByName => " (by name)",
    };
    format!("{} `{}`{sure}", hop.kind.verb(), hop.item)
}

/// What stands above a route; raw.
pub(super) fn route_title(finding: &Finding) -> String {
    format!("the route from lease `{}` in {}", finding.lease, counted(finding.route.len(), "hop"))
}

/// A further place in words; raw.
pub(super) fn also_label(label: &str) -> &str {
    if label.is_empty() { "also here" } else { label }
}

/// The lease, the route, the further places, the chain, the facts and the advice, a line each; no
/// line holds a character that could drive a terminal. Places are written from the repository's root,
/// in which the workspace stands at `prefix`.
pub(super) fn lines(finding: &Finding, files: &Files, prefix: &str) -> Vec<String> {
    let point = |span| Place::of(span, files).within(prefix).point();
    let mut out = Vec::new();
    if !finding.route.is_empty() {
        out.push(format!("{}:", route_title(finding)));
        let steps = (1..).zip(&finding.route);
        out.extend(steps.map(|(number, step)| format!("  {number}. {}: {}", point(step.place), hop(step))));
        let label = if finding.label.is_empty() { String::new() } else { format!(": {}", finding.label) };
        out.push(format!("  arrives at {}{label}", point(finding.primary)));
    } else if !finding.lease.is_empty() {
        out.push(format!("on the path of lease `{}`", finding.lease));
    }
    out.extend(finding.also.iter().map(|also| format!("{}: {}", point(also.span), also_label(&also.label))));
    if !finding.chain.is_empty() {
        out.push("the dependency chain:".to_owned());
        out.extend(chain::tree(&finding.chain, files, prefix).into_iter().map(|line| format!("  {line}")));
    }
    out.extend(finding.notes.iter().map(|note| format!("note: {note}")));
    if !finding.help.is_empty() {
        out.push(format!("help: {}", finding.help));
    }
    out.iter().map(|line| visible(line).into_owned()).collect()
}
