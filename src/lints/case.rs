//! What a lint about a lease is given: all that was learnt.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    base::{Files, Span},
    config::{InForce, Lease, PackName, Packs},
    fence::SqlFinding,
    project::{Manifests, PackageId, Workspace, graph::Graph},
    reach::{EventKind, Held, Node, NodeId, Trail},
    resolve::{ModuleId, OutsideCrate},
};

/// One lease, and all that was learnt about it.
pub struct Case<'a> {
    /// Its lines of the rules file.
    pub lease: &'a Lease,
    /// What is forbidden.
    pub in_force: &'a InForce,
    /// What is known.
    pub packs: &'a Packs,
    /// The packages.
    pub workspace: &'a Workspace,
    /// Where the manifests declare what.
    pub manifests: &'a Manifests<'a>,
    /// The dependency graph, unless `--no-deps`.
    pub graph: Option<&'a Graph<'a>>,
    /// The files.
    pub files: &'a Files,
    /// What it selects and reaches, and by which routes.
    pub trail: Trail<'a, 'a>,
    /// What its values carry along untouched.
    pub held: &'a [Held],
    /// Modules with generated code into which a name led.
    pub opaque: &'a BTreeSet<ModuleId>,
    /// The packages of what it selects.
    pub packages: &'a [PackageId],
    /// What the SQL of the local packages makes of its fence; empty where the rules name none.
    pub sql: &'a Sql,
}

/// SQL that was judged against the fence of a lease.
#[derive(Debug, Default)]
pub struct Sql {
    /// What is wrong, and where.
    pub found: Vec<(Span, SqlFinding)>,
    /// Files of SQL that the source takes in and that cannot be read: as shown, where they are named, and why.
    pub unread: Vec<(String, Span, String)>,
}

impl Case<'_> {
    /// What is on the path, with numbers.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.trail.reached.nodes.iter().enumerate()
    }

    /// Everything that code on the path does, with the node that does it.
    pub fn events(&self) -> impl Iterator<Item = (NodeId, &Node, &EventKind, Span)> {
        self.nodes().flat_map(|(id, node)| node.events.iter().map(move |event| (id, node, &event.kind, event.span)))
    }

    /// Whether the lease selects a node, rather than reach it.
    pub fn is_selected(&self, node: NodeId) -> bool {
        self.trail.reached.nodes[node].step.is_none()
    }

    /// Whether a package is a coordinator of the lease, or comes with one.
    pub fn is_coordinator(&self, package: &str) -> bool {
        self.lease.coordinator_line(self.packs, package).is_some()
    }

    /// Whether a finding about a client counts behind a local coordinator: HTTP clients and transports
    /// are its business there, models are not.
    pub fn counts_behind(&self, node: NodeId, pack: Option<PackName>) -> bool {
        let cut = matches!(pack, Some(PackName::HttpClients | PackName::Transports));
        self.trail.reached.nodes[node].behind.is_none() || !cut
    }

    /// The package that a node's code belongs to.
    pub fn package_of(&self, node: NodeId) -> PackageId {
        self.trail.reader.package_of(self.trail.reached.nodes[node].module)
    }

    /// A place as people write it: `src/lease.rs:9`.
    pub fn place(&self, span: Span) -> String {
        let file = self.files.get(span.file);
        format!("{}:{}", file.path, file.line_column(span.start).line)
    }
}

/// The package's name of an outside crate; `std` for the standard library.
pub(super) fn package_name(krate: &OutsideCrate) -> Option<&str> {
    match krate {
        OutsideCrate::Std => Some("std"),
        OutsideCrate::Package(name, _) => Some(name),
        OutsideCrate::Unknown => None,
    }
}

/// The dependencies that a package's manifest names.
pub(super) fn named_dependencies(workspace: &Workspace, package: PackageId) -> BTreeMap<&str, usize> {
    let dependencies = workspace.package(package).dependencies.iter().enumerate();
    dependencies.map(|(at, dependency)| (dependency.package.as_str(), at)).collect()
}
