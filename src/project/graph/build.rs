//! One build on paper: what is linked into the target, by which edges, with which features.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::project::PackageId;

/// Names of features; an optional dependency that is on stands among them as `dep:KEY`.
pub(super) type FeatureNames = Arc<BTreeSet<String>>;

/// What a build links.
#[derive(Debug, Default)]
pub(super) struct Build {
    /// Per package that is linked (the members that are built among them): those that it links
    /// directly, in order of their numbers, which is that of their names.
    pub(super) links: BTreeMap<PackageId, Vec<PackageId>>,
    /// Per package that is linked: the features that are on.
    pub(super) features: BTreeMap<PackageId, FeatureNames>,
}

impl Build {
    /// Whether it links a package.
    pub(super) fn has(&self, package: PackageId) -> bool {
        self.links.contains_key(&package)
    }

    /// What a package links directly.
    pub(super) fn links_of(&self, package: PackageId) -> &[PackageId] {
        self.links.get(&package).map_or(&[], Vec::as_slice)
    }

    /// Whether one package links another directly.
    pub(super) fn has_link(&self, from: PackageId, to: PackageId) -> bool {
        self.links_of(from).binary_search(&to).is_ok()
    }

    /// The features that are on in a package.
    pub(super) fn features_of(&self, package: PackageId) -> FeatureNames {
        self.features.get(&package).cloned().unwrap_or_default()
    }
}
