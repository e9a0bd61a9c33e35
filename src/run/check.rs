//! The check: select, follow and judge, lease by lease.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    LeaseView, Prepared, Statements, exceptions, reader, seen,
    statements::{statements, unnamed_notes},
    timed, view,
};
use crate::{
    config::Lease,
    finding::{Cut, CutKind, Finding, GraphSeen, Problem, Report},
    lints::{Case, Ledger, TimedLease, judge_lease, judge_rules},
    project::{Manifests, PackageId, graph::Graph, same_name},
    reach::{EventKind, Walks},
    resolve::OutsideCrate,
    timing::band,
    types::Reader,
};

/// How much stack the work gets. Expressions nest as deep as their source does, and the reader of
/// sources refuses what would need more (see `source`). The memory is only reserved.
const STACK: usize = 1 << 29;

/// Runs work on a thread whose stack is deep enough for any source that is read.
///
/// # Errors
/// Where the system refuses the thread, or the work did not end as it should.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Problem> {
    let failed = |why: String| Problem {
        message: format!("the check could not be run: {why}"),
        place: None,
        help: "this is a fault of the tool: report it, with the source that it was given".to_owned(),
    };
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("lease-guard".to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| failed(error.to_string()))?;
        thread.join().map_err(|_| failed("it stopped in the middle".to_owned()))
    })
}

/// Judges the leases that were asked for.
pub fn check(prepared: &Prepared) -> Report {
    on_deep_stack(|| check_and(prepared, |looked| looked.report))
        .unwrap_or_else(|problem| Report::cannot_check(vec![problem]))
}

/// A check, with all that it looked at.
pub struct Looked<'l, 'a> {
    /// The code.
    pub reader: &'l mut Reader<'a>,
    /// What each lease selects and reaches, as far as it could be looked at.
    pub views: &'l [LeaseView],
    /// What the SQL of the local packages makes of the fence of each.
    pub sql: &'l [Statements],
    /// The times of those that have some and could be worked out.
    pub times: &'l [TimedLease<'l>],
    /// Where the manifests declare what.
    pub manifests: &'l Manifests<'l>,
    /// The dependency graph.
    pub graph: &'l Graph<'l>,
    /// What was found.
    pub report: Report,
}

/// Judges the leases that were asked for, and hands on what was seen. To be called on a deep stack.
pub fn check_and<T>(prepared: &Prepared, then: impl FnOnce(Looked<'_, '_>) -> T) -> T {
    let manifests = Manifests::new(&prepared.files, &prepared.workspace);
    let graph = Graph::new(&prepared.workspace, &manifests, &prepared.text, &prepared.cargo);
    let mut reader = reader(prepared);
    let mut walks = Walks::new();
    let (mut views, mut problems) = (Vec::new(), Vec::new());
    for &number in &prepared.leases {
        match view(prepared, &mut reader, &graph, &mut walks, number) {
            Ok(view) => views.push(view),
            Err(more) => problems.extend(more),
        }
    }
    let times = timed(prepared, &mut reader).unwrap_or_else(|more| {
        problems.extend(more);
        Vec::new()
    });
    let mut sql = Vec::new();
    for view in &views {
        let fence = prepared.rules.leases[view.lease].fence.as_ref();
        let judged = fence.map(|fence| statements(&mut reader, fence)).transpose();
        sql.push(judged.unwrap_or_else(|problem| {
            problems.push(problem);
            None
        }));
    }
    let sql: Vec<Statements> = sql.into_iter().map(Option::unwrap_or_default).collect();
    problems.dedup();
    let mut findings = Vec::new();
    let mut leases = Vec::new();
    let mut cuts = Cuts::default();
    for (view, sql) in views.iter().zip(&sql) {
        let lease = &prepared.rules.leases[view.lease];
        let seen_graph = prepared.text.has_graph.then_some(&graph);
        let case = view.case(prepared, &reader, &manifests, seen_graph, &sql.sql);
        match judge_lease(&case, &prepared.levels) {
            Ok(more) => findings.extend(more),
            Err(problem) => problems.push(problem),
        }
        cuts.add(&case, view, &graph);
        leases.push(seen::lease_seen(&lease.name.value, view));
    }
    let judged = exceptions::apply(prepared, findings);
    let mut findings = judged.standing;
    if problems.is_empty() {
        findings.extend(about_rules(prepared, &judged.seen, &cuts, &times));
    }
    sort(prepared, &mut findings);
    let mut notes = prepared.notes.clone();
    notes.extend(cuts.notes);
    for (view, sql) in views.iter().zip(&sql) {
        notes.extend(unnamed_notes(&prepared.rules.leases[view.lease].name.value, sql));
    }
    // What a guard costs is told also where it is enough.
    notes.extend(times.iter().filter_map(|timed| {
        let band = band(&timed.times).filter(|band| band.two.is_none() && !band.is_gap_too_long())?;
        Some(format!("lease `{}`, by the times of the rules file: {band}", timed.lease.name.value))
    }));
    let report = Report {
        errors: problems,
        leases,
        graph: if prepared.text.has_graph { GraphSeen::Full } else { GraphSeen::None },
        seen: seen::seen(&reader, &prepared.workspace, &views),
        cuts: cuts.list,
        findings,
        exceptions: judged.seen,
        forgiven: judged.forgiven,
        notes,
    };
    then(Looked {
        reader: &mut reader,
        views: &views,
        sql: &sql,
        times: &times,
        manifests: &manifests,
        graph: &graph,
        report,
    })
}

fn about_rules(
    prepared: &Prepared,
    seen: &[crate::finding::ExceptionSeen],
    cuts: &Cuts<'_>,
    times: &[TimedLease<'_>],
) -> Vec<Finding> {
    let asked = |name: &str| prepared.leases.iter().any(|&at| prepared.rules.leases[at].name.value == name);
    let all = prepared.leases.len() == prepared.rules.leases.len();
    let exceptions = prepared.rules.exceptions.iter().zip(seen);
    let looked_at =
        exceptions.filter(|(exception, _)| exception.lease.as_ref().map_or(all, |lease| asked(&lease.value)));
    let ledger = Ledger {
        rules: &prepared.rules,
        packs: &prepared.packs,
        workspace: &prepared.workspace,
        today: prepared.today,
        exceptions: looked_at.map(|(exception, seen)| (exception, seen.used)).collect(),
        idle_coordinators: cuts.idle_coordinators.clone(),
        idle_workloads: cuts.idle_workloads.clone(),
        times: times.to_vec(),
    };
    judge_rules(&ledger, &prepared.levels)
}

fn sort(prepared: &Prepared, findings: &mut [Finding]) {
    findings.sort_by_cached_key(|finding| {
        (prepared.files.order(finding.primary), finding.lint, finding.lease.clone(), finding.subject.clone())
    });
}

/// What cut routes, and the lines that cut none.
#[derive(Default)]
struct Cuts<'r> {
    list: Vec<Cut>,
    idle_coordinators: Vec<(&'r Lease, usize)>,
    idle_workloads: Vec<(&'r Lease, usize)>,
    notes: Vec<String>,
}

impl<'r> Cuts<'r> {
    fn add(&mut self, case: &Case<'r>, view: &LeaseView, graph: &Graph<'_>) {
        let lease = case.lease;
        for (index, &at) in view.coordinators.local.iter().enumerate() {
            let routes = view.reached.coordinator_cuts.get(&index).map_or(0, BTreeSet::len);
            let carved = view.selection.carved.contains(&index);
            if routes == 0 && !carved {
                self.idle_coordinators.push((lease, at));
            } else {
                self.push(CutKind::Coordinator, &lease.coordinators[at].value, routes);
            }
        }
        for &at in &view.coordinators.packages {
            let name = &lease.coordinators[at].value;
            let places = named_places(case, name);
            if places == 0 && !is_linked(case, view, graph, name) {
                self.idle_coordinators.push((lease, at));
            } else if places > 0 {
                self.push(CutKind::Coordinator, name, places);
            }
        }
        self.idle_coordinators.extend(view.coordinators.idle.iter().map(|&at| (lease, at)));
        for (index, workload) in view.selection.workloads.iter().enumerate() {
            let routes = view.reached.workload_cuts.get(&index).map_or(0, BTreeSet::len);
            if routes == 0 {
                let at = lease.workloads.iter().position(|written| written.span == workload.written.span);
                self.idle_workloads.extend(at.map(|at| (lease, at)));
            } else {
                self.push(CutKind::Workload, &workload.written.value, routes);
            }
        }
    }

    fn push(&mut self, kind: CutKind, name: &str, routes: usize) {
        match self.list.iter_mut().find(|cut| cut.kind == kind && cut.name == name) {
            Some(cut) => cut.routes += routes,
            None => self.list.push(Cut { kind, name: name.to_owned(), routes }),
        }
    }
}

/// At how many places the path names a coordinator's package, or what comes with it.
fn named_places(case: &Case<'_>, written: &str) -> usize {
    let names = |name: &str| same_name(name, written) || case.packs.is_companion(written, name);
    let mut places = BTreeMap::new();
    for (.., event, span) in case.events() {
        if let EventKind::Outside { path, .. } = event
            && let OutsideCrate::Package(name, _) = &path.krate
            && names(name)
        {
            places.insert(span, ());
        }
    }
    places.len()
}

/// Whether a build of the lease's packages links a package, or their manifests name it.
fn is_linked(case: &Case<'_>, view: &LeaseView, graph: &Graph<'_>, written: &str) -> bool {
    let on_path: BTreeSet<PackageId> =
        case.nodes().map(|(id, _)| case.package_of(id)).chain(view.packages.iter().copied()).collect();
    on_path.iter().any(|&id| {
        let package = case.workspace.package(id);
        let declared = package.dependencies.iter().any(|dependency| same_name(&dependency.package, written));
        let linked = || {
            graph.linked(id).unwrap_or_default().iter().any(|&id| same_name(&case.workspace.package(id).name, written))
        };
        declared || linked()
    })
}
