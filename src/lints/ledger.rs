//! What a lint about the rules file is given.

use crate::{
    config::{Exception, Lease, Packs, Rules, Timing},
    project::Workspace,
    timing::LeaseTimes,
};

/// The rules file, and what became of its lines.
pub struct Ledger<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// What is known.
    pub packs: &'a Packs,
    /// The packages.
    pub workspace: &'a Workspace,
    /// Today, in UTC.
    pub today: jiff::civil::Date,
    /// Exceptions that were looked at, with how many findings each forgave.
    pub exceptions: Vec<(&'a Exception, usize)>,
    /// Coordinators (as lease and number) that nothing names.
    pub idle_coordinators: Vec<(&'a Lease, usize)>,
    /// Workloads (as lease and number) that cut nothing.
    pub idle_workloads: Vec<(&'a Lease, usize)>,
    /// The times of the leases that were looked at and have some.
    pub times: Vec<TimedLease<'a>>,
}

/// A lease with its times.
#[derive(Clone)]
pub struct TimedLease<'a> {
    /// The lease.
    pub lease: &'a Lease,
    /// Its lines of the rules file.
    pub timing: &'a Timing,
    /// The times, those of constants too.
    pub times: LeaseTimes,
}
