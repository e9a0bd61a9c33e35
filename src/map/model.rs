//! The graph that is drawn, as plain data.
//!
//! Nothing here points back into the reader: a map outlives the check that it was drawn from. Numbers
//! are places in the vectors of [`Map`].

use std::collections::BTreeMap;

use crate::finding::{Certainty, HopKind};

/// A place in a file; lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, relative to the workspace root, with `/`.
    pub file: String,
    /// The first line.
    pub line: u32,
    /// The first column.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column behind the last.
    pub end_column: u32,
}

/// A lease, with the tree of the shortest routes from it.
#[derive(Clone, Debug)]
pub struct Lease {
    /// Its name.
    pub name: String,
    /// The tree of routes; a station comes after the one that leads to it.
    pub stations: Vec<Station>,
}

/// A station of a route.
#[derive(Clone, Debug)]
pub struct Station {
    /// The item that it belongs to.
    pub item: usize,
    /// The station before it; none for what the lease selects.
    pub from: Option<usize>,
    /// How the one before leads here; none for what the lease selects.
    pub hop: Option<Hop>,
}

/// One step of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// What it is.
    pub kind: HopKind,
    /// How sure it is.
    pub certainty: Certainty,
    /// What it leads to, in full.
    pub name: String,
    /// Where it is written.
    pub place: Place,
}

/// Something on the lease path. Fields, derives and impl blocks are part of their type.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its path, from the crate's name.
    pub path: String,
    /// What it is, in a word: `fn`, `struct`, `imports`.
    pub kind: &'static str,
    /// The path of the module that it stands in.
    pub module: String,
    /// The package.
    pub package: String,
    /// Where it is declared.
    pub place: Place,
    /// The leases that select it.
    pub selected_by: Vec<usize>,
    /// By lease: the station at which its shortest route arrives.
    pub reached_by: BTreeMap<usize, usize>,
    /// The local coordinator that every route to it passes.
    pub behind: Option<usize>,
}

impl Item {
    /// The last part of its path.
    pub fn name(&self) -> &str {
        let inner = self.path.strip_prefix(self.module.as_str()).and_then(|rest| rest.strip_prefix("::"));
        inner.unwrap_or(&self.path)
    }
}

/// One item leads to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it comes from.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// How.
    pub kind: HopKind,
    /// How sure.
    pub certainty: Certainty,
    /// The first place where it is written.
    pub place: Place,
    /// Whether some shortest route takes it.
    pub shortest: bool,
}

/// What a route is cut at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopKind {
    /// A package, or a local path, that the lease may talk to.
    Coordinator,
    /// What runs under the lease and is not the lease.
    Workload,
}

impl StopKind {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Coordinator => "coordinator",
            Self::Workload => "workload",
        }
    }
}

/// A coordinator or workload, and where routes end at it.
#[derive(Clone, Debug)]
pub struct Stop {
    /// What it is.
    pub kind: StopKind,
    /// As the rules file writes it.
    pub name: String,
    /// The items whose routes end here, and where.
    pub cuts: Vec<(usize, Place)>,
}

/// What a finding came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It makes the check fail.
    Denied,
    /// It is reported.
    Warned,
    /// An exception forgives it.
    Forgiven,
}

impl Standing {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Warned => "warned",
            Self::Forgiven => "forgiven",
        }
    }
}

/// A finding.
#[derive(Clone, Debug)]
pub struct Offender {
    /// The lint.
    pub lint: &'static str,
    /// What it came to.
    pub standing: Standing,
    /// The lease, by its number; none for a finding about the rules file.
    pub lease: Option<usize>,
    /// Its box, by its number; none for a finding about the rules file.
    pub subject: Option<usize>,
    /// One sentence.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Where it is.
    pub place: Place,
    /// A few words on the place.
    pub label: String,
    /// The item that does it; none where it stands in a manifest or the rules file.
    pub item: Option<usize>,
    /// The hops from the lease path to it, with the item of each where it is known.
    pub route: Vec<(Hop, Option<usize>)>,
    /// The dependency chain, as `name version`.
    pub chain: Vec<String>,
}

/// What is offended with: findings of one lint, subject and standing share a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The lint.
    pub lint: &'static str,
    /// The subject.
    pub name: String,
    /// What its findings came to.
    pub standing: Standing,
}

/// The whole map.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// The leases that were asked for.
    pub leases: Vec<Lease>,
    /// What is on the path, sorted by path.
    pub items: Vec<Item>,
    /// What leads where, sorted.
    pub edges: Vec<Edge>,
    /// Coordinators and workloads, in the order of the rules file.
    pub stops: Vec<Stop>,
    /// What is offended with, the denied first.
    pub subjects: Vec<Subject>,
    /// The findings, the denied first.
    pub offenders: Vec<Offender>,
}

impl Map {
    /// The items on the routes of findings, their ends included.
    pub fn on_routes(&self) -> std::collections::BTreeSet<usize> {
        let ends = self.offenders.iter().filter_map(|offender| offender.item);
        let hops = self.offenders.iter().flat_map(|offender| offender.route.iter().filter_map(|(_, item)| *item));
        let starts = self.offenders.iter().filter_map(|offender| self.start(offender));
        ends.chain(hops).chain(starts).collect()
    }

    /// The selected item that a finding's route sets out from.
    pub fn start(&self, offender: &Offender) -> Option<usize> {
        let lease = offender.lease?;
        let first = offender.route.iter().find_map(|(_, item)| *item).or(offender.item)?;
        let stations = &self.leases.get(lease)?.stations;
        let mut at = *self.items.get(first)?.reached_by.get(&lease)?;
        while let Some(from) = stations.get(at)?.from {
            at = from;
        }
        Some(stations.get(at)?.item)
    }
}
