//! The graph as a whole: what is worked out, once, and only when it is asked for.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::{
    build::Build,
    resolver::resolver_of,
    simulation::{Asked, Simulation},
};
use crate::project::{
    DependencyKind, Manifests, PackageId, ProjectError, Workspace,
    cargo::{CargoOptions, MetadataText},
};

/// The builds of a workspace. Nothing is simulated before the first question that needs it.
#[derive(Debug)]
pub struct Graph<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) manifests: &'a Manifests<'a>,
    json: &'a str,
    options: CargoOptions,
    simulation: OnceLock<Result<Simulation, ProjectError>>,
    builds: Once<(Vec<PackageId>, Vec<PackageId>), Build>,
    asked: Once<(PackageId, BTreeSet<String>), Asked>,
    reach: Once<PackageId, BTreeSet<PackageId>>,
}

/// Values by key, each worked out once, also where several threads ask for it.
#[derive(Debug)]
struct Once<K, V> {
    cells: Mutex<HashMap<K, Arc<Cell<V>>>>,
}

type Cell<V> = OnceLock<Result<Arc<V>, ProjectError>>;

impl<K, V> Default for Once<K, V> {
    fn default() -> Self {
        Self { cells: Mutex::default() }
    }
}

impl<K: Eq + std::hash::Hash, V> Once<K, V> {
    fn get(&self, key: K, work: impl FnOnce() -> Result<V, ProjectError>) -> Result<Arc<V>, ProjectError> {
        let cell = Arc::clone(self.cells.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        cell.get_or_init(|| work().map(Arc::new)).clone()
    }
}

impl<'a> Graph<'a> {
    /// The graph of what `cargo metadata` wrote. `options` are those it was called with.
    pub fn new(
        workspace: &'a Workspace,
        manifests: &'a Manifests<'a>,
        text: &'a MetadataText,
        options: &CargoOptions,
    ) -> Self {
        Self {
            workspace,
            manifests,
            json: &text.json,
            options: options.clone(),
            simulation: OnceLock::new(),
            builds: Once::default(),
            asked: Once::default(),
            reach: Once::default(),
        }
    }

    /// Works out ahead of the first question what nearly every one needs, for a thread that has
    /// nothing else to do. About a tenth of what cargo metadata takes.
    ///
    /// # Errors
    /// Where the resolver does not understand the metadata.
    pub fn warm(&self) -> Result<(), ProjectError> {
        if !self.workspace.has_graph {
            return Ok(());
        }
        self.whole().map(|_| ())
    }

    /// The build of all members together: more than any build of a part has.
    pub(super) fn whole(&self) -> Result<Arc<Build>, ProjectError> {
        let members: Vec<PackageId> = self.members().collect();
        self.build(&members, &[])
    }

    fn simulation(&self) -> Result<&Simulation, ProjectError> {
        let (workspace, options) = (self.workspace, &self.options);
        let new = || {
            let resolver = resolver_of(&workspace.root);
            Simulation::new(self.json, workspace, resolver, &options.features, &options.targets)
        };
        self.simulation.get_or_init(new).as_ref().map_err(Clone::clone)
    }

    /// The build of some members, with the features of some more.
    pub(super) fn build(&self, members: &[PackageId], more: &[PackageId]) -> Result<Arc<Build>, ProjectError> {
        self.builds.get((members.to_vec(), more.to_vec()), || self.simulation()?.build(members, more))
    }

    /// What a package asks for with these features.
    pub(super) fn asked(&self, package: PackageId, features: &BTreeSet<String>) -> Result<Arc<Asked>, ProjectError> {
        self.asked.get((package, features.clone()), || self.simulation()?.asked(package, features))
    }

    /// The members that a build can be of: procedural macros run at compile time.
    pub(super) fn members(&self) -> impl Iterator<Item = PackageId> {
        let members = self.workspace.ids().filter(|(_, package)| package.member && !package.is_proc_macro());
        members.map(|(id, _)| id)
    }

    /// What a package can lead to by normal edges, itself included, whatever features are on.
    fn reach(&self, package: PackageId) -> Result<Arc<BTreeSet<PackageId>>, ProjectError> {
        self.reach.get(package, || {
            let mut reached = BTreeSet::from([package]);
            let mut wanted = vec![package];
            while let Some(next) = wanted.pop() {
                let normal =
                    self.workspace.package(next).dependencies.iter().filter(|d| d.kind == DependencyKind::Normal);
                wanted.extend(normal.filter_map(|dependency| dependency.resolved).filter(|id| reached.insert(*id)));
            }
            Ok(reached)
        })
    }

    /// The members in whose own build at least one package of the lease and the user's package are
    /// linked; the user's own package first, then the lease's, then the others by name.
    ///
    /// # Errors
    /// Where the resolver does not understand the metadata.
    pub fn builds(&self, lease: &[PackageId], user: PackageId) -> Result<Vec<PackageId>, ProjectError> {
        let mut out = Vec::new();
        for member in self.by_nearness(lease, user) {
            if self.links_both(member, lease, user)? {
                out.push(member);
            }
        }
        Ok(out)
    }

    /// Whether some build links two packages together.
    ///
    /// # Errors
    /// Where the resolver does not understand the metadata.
    pub fn linked_together(&self, a: PackageId, b: PackageId) -> Result<bool, ProjectError> {
        for member in self.by_nearness(&[a], b) {
            if self.links_both(member, &[a], b)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn by_nearness(&self, lease: &[PackageId], user: PackageId) -> Vec<PackageId> {
        let mut members: Vec<PackageId> = self.members().collect();
        members.sort_by_key(|member| (*member != user, !lease.contains(member), *member));
        members
    }

    fn links_both(&self, member: PackageId, lease: &[PackageId], user: PackageId) -> Result<bool, ProjectError> {
        // Most members are told by what they could reach; only the rest is simulated.
        let reach = self.reach(member)?;
        if !reach.contains(&user) || !lease.iter().any(|package| reach.contains(package)) {
            return Ok(false);
        }
        if !self.workspace.has_graph || (member == user && lease.contains(&member)) {
            return Ok(true);
        }
        let build = self.build(&[member], &[])?;
        Ok(build.has(user) && lease.iter().any(|package| build.has(*package)))
    }

    /// The packages that the build of one member links, procedural macros and what they pull in left
    /// out: what `cargo tree -e normal,no-proc-macro --target all --all-features -p MEMBER` lists.
    ///
    /// # Errors
    /// Where the resolver does not understand the metadata.
    pub fn linked(&self, member: PackageId) -> Result<Vec<PackageId>, ProjectError> {
        Ok(self.build(&[member], &[])?.links.keys().copied().collect())
    }

    /// The key of an edge's declarations: by number of the dependency in the package.
    pub(super) fn declarations(&self, from: PackageId, to: PackageId) -> BTreeMap<usize, &crate::project::Dependency> {
        let dependencies = self.workspace.package(from).dependencies.iter().enumerate();
        dependencies.filter(|(_, d)| d.kind == DependencyKind::Normal && d.resolved == Some(to)).collect()
    }
}
