//! From places to findings: one for each subject and file, told from its first place.

use std::collections::BTreeMap;

use super::{Case, Lint};
use crate::{
    base::{FileId, Span},
    finding::{ChainLink, Finding, Hop, HopKind, Labelled, Level},
    reach::NodeId,
    resolve::UseRef,
};

/// One place of what may become a finding.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What it is about.
    pub subject: String,
    /// Where.
    pub span: Span,
    /// The node that does it; none for a place in a manifest or the rules file.
    pub node: Option<NodeId>,
    /// The imports that its name came through.
    pub uses: Vec<UseRef>,
    /// At most a warning, whatever the lint's level.
    pub soft: bool,
    /// One sentence.
    pub message: String,
    /// A few words on the place.
    pub label: String,
    /// Further steps behind the node's route.
    pub hops: Vec<Hop>,
    /// The dependency chain.
    pub chain: Vec<ChainLink>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to do, before where to cut is added.
    pub help: String,
    /// Further places.
    pub also: Vec<Labelled>,
}

impl Draft {
    /// A place with a subject, a message and a word on it.
    pub fn new(subject: impl Into<String>, span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
            span,
            node: None,
            uses: Vec::new(),
            soft: false,
            message: message.into(),
            label: label.into(),
            hops: Vec::new(),
            chain: Vec::new(),
            notes: Vec::new(),
            help: String::new(),
            also: Vec::new(),
        }
    }

    /// On the path, at a node.
    pub fn at(mut self, node: NodeId, uses: &[UseRef]) -> Self {
        self.node = Some(node);
        self.uses = uses.to_vec();
        self
    }

    /// At most a warning.
    pub fn soft(mut self, soft: bool) -> Self {
        self.soft = soft;
        self
    }

    /// What to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// Joins the places of a lint for a lease to findings.
pub(super) fn gather(case: &Case<'_>, lint: &Lint, level: Level, drafts: Vec<Draft>) -> Vec<Finding> {
    let mut groups: BTreeMap<(String, FileId), Vec<Draft>> = BTreeMap::new();
    for draft in drafts {
        groups.entry((draft.subject.replace('-', "_"), draft.span.file)).or_default().push(draft);
    }
    let mut findings = Vec::new();
    for (_, mut drafts) in groups {
        if drafts.iter().any(|draft| !draft.soft) {
            drafts.retain(|draft| !draft.soft);
        }
        // Of one place, the shortest route tells.
        drafts.sort_by_key(|draft| (draft.span.start, draft.span.end, draft.node));
        findings.extend(finding(case, lint, level, &drafts));
    }
    findings
}

fn finding(case: &Case<'_>, lint: &Lint, level: Level, drafts: &[Draft]) -> Option<Finding> {
    let first = drafts.first()?;
    let mut route = first.node.map(|node| case.trail.route(node)).unwrap_or_default();
    route.extend(first.hops.iter().cloned());
    route.extend(case.trail.reexports(&first.uses, &first.subject));
    let mut also: Vec<Labelled> = first.also.clone();
    for span in case.trail.imports(&first.uses, first.span) {
        also.push(Labelled { span, label: "imported here".to_owned() });
    }
    also.extend(drafts[1..].iter().map(|draft| Labelled { span: draft.span, label: draft.label.clone() }));
    also.retain(|place| place.span != first.span);
    also.sort_by_key(|place| case.files.order(place.span));
    also.dedup_by_key(|place| place.span);
    Some(Finding {
        lint: lint.name,
        level: if first.soft { level.min(Level::Warn) } else { level },
        lease: case.lease.name.value.clone(),
        subject: first.subject.clone(),
        message: first.message.clone(),
        primary: first.span,
        label: first.label.clone(),
        also,
        help: help(case, first, &route),
        route,
        chain: first.chain.clone(),
        notes: first.notes.clone(),
    })
}

/// What to do, and where: at the first hop that leaves the lease path.
fn help(case: &Case<'_>, draft: &Draft, route: &[Hop]) -> String {
    let mut help = draft.help.clone();
    let Some(first) = route.first() else { return help };
    let place = case.place(first.place);
    let cut = match first.kind {
        HopKind::Callback => format!("the code is handed in at {place}: hand in something that needs no network"),
        // What only comes by another name leaves the path nowhere.
        HopKind::ReExport => format!("it comes by the re-export of `{}` at {place}", first.item),
        kind => format!(
            "the route leaves the lease path at {place}, where it {} `{}`: cut it there",
            kind.verb(),
            first.item
        ),
    };
    if !help.is_empty() {
        help.push_str("; ");
    }
    help.push_str(&cut);
    let handed = draft.node.and_then(|node| first_step(case, node));
    if let Some(workload) = handed {
        help.push_str(&format!(
            "; if it runs under the lease and is not the lease itself, declare it: workloads = [\"{workload}\"]"
        ));
    }
    help
}

fn first_step(case: &Case<'_>, node: NodeId) -> Option<String> {
    let mut at = node;
    let mut found = None;
    while let Some(step) = &case.trail.reached.nodes[at].step {
        found = step.workload.as_deref().map(str::to_owned);
        at = step.from;
    }
    found
}
