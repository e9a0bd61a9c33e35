//! What one lease selects and reaches.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;

use super::{Coordinators, Prepared};
use crate::{
    base::Spanned,
    finding::Problem,
    lints::{Case, Sql},
    project::{Manifests, PackageId, graph::Graph},
    reach::{Held, Reached, Selection, Trail, Walks, follow, held, select},
    resolve::{ModuleId, World},
    types::Reader,
};

/// What one lease selects and reaches.
#[derive(Debug)]
pub struct LeaseView {
    /// Its number in the rules.
    pub lease: usize,
    /// Its coordinators.
    pub coordinators: Coordinators,
    /// What it selects.
    pub selection: Selection,
    /// What it reaches.
    pub reached: Reached,
    /// What its values carry along.
    pub held: Vec<Held>,
    /// Modules with generated code into which a name led.
    pub opaque: BTreeSet<ModuleId>,
    /// The packages of what it selects.
    pub packages: Vec<PackageId>,
}

impl LeaseView {
    /// All that was learnt about the lease, for its lints.
    pub fn case<'a>(
        &'a self,
        prepared: &'a Prepared,
        reader: &'a Reader<'a>,
        manifests: &'a Manifests<'a>,
        graph: Option<&'a Graph<'a>>,
        sql: &'a Sql,
    ) -> Case<'a> {
        Case {
            lease: &prepared.rules.leases[self.lease],
            in_force: &prepared.in_force,
            packs: &prepared.packs,
            workspace: &prepared.workspace,
            manifests,
            graph,
            files: &prepared.files,
            trail: Trail { reader, selection: &self.selection, reached: &self.reached },
            held: &self.held,
            opaque: &self.opaque,
            packages: &self.packages,
            sql,
        }
    }
}

/// The crates of a workspace, ready to be read.
pub fn reader(prepared: &Prepared) -> Reader<'_> {
    let roots: Vec<Utf8PathBuf> =
        prepared.rules.source_roots.iter().map(|root| prepared.workspace.root.join(&root.value)).collect();
    Reader::new(World::new(&prepared.files, &prepared.workspace, &roots))
}

/// What one lease selects and reaches.
///
/// # Errors
/// Everything on the lease path that could not be looked at.
pub fn view(
    prepared: &Prepared,
    reader: &mut Reader<'_>,
    graph: &Graph<'_>,
    walks: &mut Walks,
    number: usize,
) -> Result<LeaseView, Vec<Problem>> {
    let lease = &prepared.rules.leases[number];
    let coordinators = Coordinators::of(prepared, lease)?;
    let local = coordinators.local_paths(prepared, lease);
    let local: Vec<&Spanned<String>> = local.iter().collect();
    let selection = select(reader, lease, &local)?;
    followed(prepared, reader, graph, walks, (number, coordinators, selection))
}

/// What a selection of a lease reaches.
///
/// # Errors
/// Everything on its path that could not be looked at.
pub fn followed(
    prepared: &Prepared,
    reader: &mut Reader<'_>,
    graph: &Graph<'_>,
    walks: &mut Walks,
    (number, coordinators, selection): (usize, Coordinators, Selection),
) -> Result<LeaseView, Vec<Problem>> {
    let lease = &prepared.rules.leases[number];
    let packages: BTreeSet<PackageId> = selection.modules.iter().map(|&module| reader.package_of(module)).collect();
    let mut packages: BTreeSet<PackageId> = packages;
    packages.extend(selection.items.iter().map(|&item| reader.package_of(reader.module_of(item))));
    let packages: Vec<PackageId> = packages.into_iter().collect();
    let failed = std::cell::RefCell::new(None);
    let linked = |package: PackageId| {
        packages.iter().any(|&of| {
            of == package
                || graph.linked_together(of, package).unwrap_or_else(|error| {
                    failed.borrow_mut().get_or_insert(error.problem());
                    true
                })
        })
    };
    let (_, _) = reader.take_touched();
    let reached = follow(reader, &selection, &linked, walks);
    let held = held(reader, &selection, &reached, walks);
    if let Some(problem) = failed.into_inner() {
        return Err(vec![problem]);
    }
    let (broken, mut opaque) = reader.take_touched();
    let broken = broken.into_iter().filter(|&module| reader.module(module).broken.is_some());
    // Where a build writes the file, it is generated code like any other that is not on disk.
    let (written, broken): (Vec<ModuleId>, Vec<ModuleId>) =
        broken.partition(|&module| !reader.module(module).opaque.is_empty());
    opaque.extend(written);
    let problems: Vec<Problem> =
        broken.into_iter().map(|module| reader.broken_problem(module, lease.name.span)).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(LeaseView { lease: number, coordinators, selection, reached, held, opaque, packages })
}
