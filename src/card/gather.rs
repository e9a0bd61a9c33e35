//! From a check to the card.

use super::{
    Card, LeaseCard,
    membership::{Beside, beside},
    rows,
};
use crate::{
    base::Span,
    config::{Exception, Lease},
    drill::Record,
    finding::{Finding, Level, Problem, Report},
    lints::{TimedLease, find},
    run::{LeaseView, Looked, Prepared, Statements},
};

/// What is known of the last failure drill.
#[derive(Clone, Debug, Default)]
pub struct Drilled {
    /// Its record, where there is one.
    pub record: Option<Record>,
    /// The commit that is checked out now.
    pub commit: Option<String>,
}

/// What the rows of one lease are answered from.
pub(super) struct Seen<'s> {
    pub prepared: &'s Prepared,
    pub drilled: &'s Drilled,
    pub view: &'s LeaseView,
    pub sql: &'s Statements,
    pub times: Option<&'s TimedLease<'s>>,
    pub report: &'s Report,
    /// Decisions that act like membership.
    pub beside: Beside,
}

impl Seen<'_> {
    /// The lease's lines of the rules file.
    pub(super) fn lease(&self) -> &Lease {
        &self.prepared.rules.leases[self.view.lease]
    }

    /// What these lints found of the lease.
    pub(super) fn found(&self, lints: &[&str]) -> Vec<&Finding> {
        let name = &self.lease().name.value;
        // A line of the rules file may concern all leases; then it names none.
        let is_of_lease = |finding: &&Finding| finding.lease == *name || finding.lease.is_empty();
        let of_lease = self.report.findings.iter().filter(is_of_lease);
        of_lease.filter(|finding| lints.contains(&finding.lint)).collect()
    }

    /// What these lints found of the lease and an exception forgives.
    pub(super) fn forgiven(&self, lints: &[&str]) -> Vec<(&Finding, &Exception)> {
        let name = &self.lease().name.value;
        let of_lease = self.report.forgiven.iter().filter(|(finding, _)| finding.lease == *name);
        let found = of_lease.filter(|(finding, _)| lints.contains(&finding.lint));
        found.filter_map(|(finding, at)| Some((finding, self.prepared.rules.exceptions.get(*at)?))).collect()
    }

    /// Those of these lints that the rules switch off.
    pub(super) fn allowed<'l>(&self, lints: &[&'l str]) -> Vec<&'l str> {
        let is_off = |name: &&&str| find(name).is_ok_and(|lint| self.prepared.levels.of(lint) == Level::Allow);
        lints.iter().filter(is_off).copied().collect()
    }

    /// A place as people write it.
    pub(super) fn place(&self, span: Span) -> String {
        let file = self.prepared.files.get(span.file);
        format!("{}:{}", file.path, file.line_column(span.start).line)
    }
}

/// Answers every row of every lease.
///
/// # Errors
/// What could not be looked at.
pub fn gather(prepared: &Prepared, looked: Looked<'_, '_>, drilled: &Drilled) -> Result<Card, Vec<Problem>> {
    let Looked { reader, views, sql, times, report, manifests, graph } = looked;
    if !report.errors.is_empty() {
        return Err(report.errors);
    }
    let mut leases = Vec::new();
    for (view, sql) in views.iter().zip(sql) {
        let beside = beside(prepared, reader, (manifests, graph), view)?;
        let name = prepared.rules.leases[view.lease].name.value.clone();
        let times = times.iter().find(|timed| timed.lease.name.value == name);
        let seen = Seen { prepared, drilled, view, sql, times, report: &report, beside };
        leases.push(LeaseCard { name, rows: rows::ROWS.iter().map(|row| row(&seen)).collect() });
    }
    Ok(Card { commit: drilled.commit.clone(), today: prepared.today, leases })
}
