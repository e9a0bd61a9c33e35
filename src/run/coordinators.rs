//! A lease's coordinators, told apart: packages, and local paths.

use std::collections::BTreeSet;

use super::Prepared;
use crate::{
    base::Spanned,
    config::{Lease, Refusal},
    finding::Problem,
    project::same_name,
};

/// The entries of `coordinators`, by their number.
#[derive(Clone, Debug, Default)]
pub struct Coordinators {
    /// Those that name a local path or a local package.
    pub local: Vec<usize>,
    /// Those that name a package of the graph or of a manifest.
    pub packages: Vec<usize>,
    /// Those that only a pack knows.
    pub idle: Vec<usize>,
}

impl Coordinators {
    /// Tells a lease's coordinators apart.
    ///
    /// # Errors
    /// Forbidden crates, and names that nothing knows.
    pub fn of(prepared: &Prepared, lease: &Lease) -> Result<Self, Vec<Problem>> {
        let mut coordinators = Self::default();
        let mut problems = Vec::new();
        let packages = &prepared.workspace.packages;
        let declared = packages.iter().flat_map(|package| package.dependencies.iter().map(|d| d.package.as_str()));
        let known: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).chain(declared).collect();
        let is_local = |name: &str| {
            prepared.workspace.local().any(|(_, package)| {
                same_name(&package.name, name) || package.targets.iter().any(|target| target.name == name)
            })
        };
        for (at, written) in lease.coordinators.iter().enumerate() {
            let name = written.value.as_str();
            if name.contains("::") {
                coordinators.local.push(at);
            } else if let Some(pack) = prepared.packs.client_pack(name) {
                problems.push(Refusal::ClientAsCoordinator { written: name, pack }.at(written));
            } else if is_local(name) {
                coordinators.local.push(at);
            } else if known.iter().any(|known| same_name(known, name)) {
                coordinators.packages.push(at);
            } else if prepared.packs.knows(name) {
                coordinators.idle.push(at);
            } else if let Some(package) = renamed(prepared, name) {
                problems.push(Refusal::RenamingKey { written: name, package }.at(written));
            } else {
                let known = known.iter().copied().chain(prepared.packs.package_names()).collect();
                problems.push(Refusal::UnknownPackage { written: name, known }.at(written));
            }
        }
        if problems.is_empty() { Ok(coordinators) } else { Err(problems) }
    }

    /// The local entries, each as a path from a crate's name.
    pub fn local_paths(&self, prepared: &Prepared, lease: &Lease) -> Vec<Spanned<String>> {
        let mut paths = Vec::new();
        for &at in &self.local {
            let written = &lease.coordinators[at];
            let package = prepared.workspace.local().find(|(_, package)| same_name(&package.name, &written.value));
            let library = package.and_then(|(_, package)| package.library_name().map(str::to_owned));
            paths.push(Spanned { value: library.unwrap_or_else(|| written.value.clone()), span: written.span });
        }
        paths
    }
}

/// The package that some local manifest calls by this key.
fn renamed<'p>(prepared: &'p Prepared, key: &str) -> Option<&'p str> {
    let dependencies = prepared.workspace.local().flat_map(|(_, package)| &package.dependencies);
    let mut dependencies = dependencies;
    dependencies.find(|it| same_name(&it.key, key)).map(|it| it.package.as_str())
}
