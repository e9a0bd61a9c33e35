//! Cargo's resolver on paper: guppy's, on the JSON that cargo wrote.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use guppy::{
    CargoMetadata,
    graph::{
        DependencyDirection, PackageGraph,
        cargo::{CargoOptions, CargoResolverVersion, CargoSet},
        feature::{FeatureId, FeatureLabel, FeatureSet, StandardFeatures, feature_id_filter},
    },
    platform::{EnabledTernary, Platform, PlatformSpec, TargetFeatures},
};

use super::build::{Build, FeatureNames};
use crate::{
    base::Features,
    project::{PackageId, ProjectError, Workspace},
};

/// The resolver with its graph.
#[derive(Debug)]
pub(super) struct Simulation {
    graph: PackageGraph,
    /// guppy's identifier of each package, by its number.
    ids: Vec<guppy::PackageId>,
    numbers: HashMap<guppy::PackageId, PackageId>,
    resolver: CargoResolverVersion,
    platform: PlatformSpec,
    features: Features,
}

/// What a package asks for when some of its features are on.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// These features and those that they imply.
    pub(super) features: FeatureNames,
    /// The packages that it then links, with the features that it asks them for.
    pub(super) of: BTreeMap<PackageId, BTreeSet<String>>,
    /// By the key of an optional dependency: the features of the package that switch it on.
    pub(super) switches: BTreeMap<String, BTreeSet<String>>,
}

impl Simulation {
    /// Reads the metadata.
    ///
    /// # Errors
    /// Where guppy does not understand it.
    pub(super) fn new(
        json: &str,
        workspace: &Workspace,
        resolver: CargoResolverVersion,
        features: &Features,
        targets: &[String],
    ) -> Result<Self, ProjectError> {
        let metadata = CargoMetadata::parse_json(json).map_err(output)?;
        let graph = metadata.build_graph().map_err(output)?;
        let ids: Vec<_> = workspace.packages.iter().map(|package| guppy::PackageId::new(&*package.cargo_id)).collect();
        let numbers = ids.iter().cloned().zip((0..).map(PackageId)).collect();
        Ok(Self { graph, ids, numbers, resolver, platform: platform(targets), features: features.clone() })
    }

    /// The build of some members together, each with its own features. `more` only add their features
    /// to what is shared, as if they were built in the same call of cargo.
    ///
    /// # Errors
    /// Where guppy refuses.
    pub(super) fn build(&self, members: &[PackageId], more: &[PackageId]) -> Result<Build, ProjectError> {
        let mut options = CargoOptions::new();
        options.set_resolver(self.resolver).set_target_platform(self.platform.clone());
        let (initials, asked) = self.features_of(members)?;
        let (others, more_asked) = self.features_of(more)?;
        let features_only = asked.union(&more_asked).union(&others);
        Ok(self.linked(&CargoSet::new(initials, features_only, &options).map_err(output)?))
    }

    /// The features that members are built with, and those that they ask of dependencies beyond
    /// what their manifests say (`--features dependency/feature`).
    fn features_of(&self, members: &[PackageId]) -> Result<(FeatureSet<'_>, FeatureSet<'_>), ProjectError> {
        let graph = self.graph.feature_graph();
        let mut initials = graph.resolve_none();
        let mut beyond: Vec<FeatureId<'_>> = Vec::new();
        for member in members {
            let package = self.graph.metadata(self.id(*member)?).map_err(output)?;
            let (base, named) = match &self.features {
                Features::All => (StandardFeatures::All, Vec::new()),
                Features::Chosen { names, default } => {
                    let base = if *default { StandardFeatures::Default } else { StandardFeatures::None };
                    (base, names.iter().map(String::as_str).collect())
                }
            };
            let mut chosen: Vec<FeatureId<'_>> = Vec::new();
            for name in named {
                let Some((of, feature)) = name.split_once('/') else {
                    chosen.push(FeatureId::named(package.id(), name));
                    continue;
                };
                let of = of.trim_end_matches('?');
                if of == package.name() {
                    chosen.push(FeatureId::named(package.id(), feature));
                }
                for link in package.direct_links().filter(|link| link.dep_name() == of) {
                    chosen.push(FeatureId::optional_dependency(package.id(), of));
                    beyond.push(FeatureId::named(link.to().id(), feature));
                }
            }
            let set = package.to_feature_set(feature_id_filter(base, chosen));
            initials = initials.union(&set);
        }
        beyond.retain(|id| graph.contains(*id));
        let beyond = graph.resolve_ids(beyond).map_err(output)?;
        Ok((initials, beyond))
    }

    fn linked(&self, set: &CargoSet<'_>) -> Build {
        let mut build = Build::default();
        for list in set.target_features().packages_with_features(DependencyDirection::Forward) {
            let Some(package) = self.numbers.get(list.package().id()) else { continue };
            let names = list.labels().iter().filter_map(|label| feature_name(*label)).collect();
            build.features.insert(*package, Arc::new(names));
            build.links.entry(*package).or_default();
        }
        for link in set.target_links() {
            let (from, to) = link.endpoints();
            if let (Some(from), Some(to)) = (self.numbers.get(from.id()), self.numbers.get(to.id())) {
                build.links.entry(*from).or_default().push(*to);
            }
        }
        for links in build.links.values_mut() {
            links.sort_unstable();
            links.dedup();
        }
        build
    }

    /// What a package asks for when `features` of it are on.
    ///
    /// # Errors
    /// Where guppy refuses.
    pub(super) fn asked(&self, package: PackageId, features: &BTreeSet<String>) -> Result<Asked, ProjectError> {
        let id = self.id(package)?;
        let graph = self.graph.feature_graph();
        let mut initials: Vec<FeatureId<'_>> = vec![FeatureId::base(id)];
        initials.extend(features.iter().map(|name| match name.strip_prefix("dep:") {
            Some(key) => FeatureId::optional_dependency(id, key),
            None => FeatureId::named(id, name),
        }));
        initials.retain(|id| graph.contains(*id));

        let mut asked = Asked::default();
        let query = graph.query_forward(initials).map_err(output)?;
        let within = query.resolve_with_fn(|_, link| {
            let (from, to) = link.endpoints();
            let (from, to) = (from.feature_id(), to.feature_id());
            if from.package_id() != id {
                return false;
            }
            if to.package_id() == id {
                if let (FeatureLabel::Named(feature), FeatureLabel::OptionalDependency(key)) =
                    (from.label(), to.label())
                {
                    asked.switches.entry(key.to_owned()).or_default().insert(feature.to_owned());
                }
                return true;
            }
            if link.normal().enabled_on(&self.platform) != EnabledTernary::Disabled
                && let Some(to_package) = self.numbers.get(to.package_id())
            {
                let wanted = asked.of.entry(*to_package).or_default();
                wanted.extend(feature_name(to.label()));
            }
            false
        });
        let labels = within.features_for(id).map_err(output)?.map(|list| list.into_labels()).unwrap_or_default();
        asked.features = Arc::new(labels.into_iter().filter_map(feature_name).collect());
        Ok(asked)
    }

    fn id(&self, package: PackageId) -> Result<&guppy::PackageId, ProjectError> {
        self.ids.get(package.0 as usize).ok_or_else(|| ProjectError::Output { why: "a package has no number".into() })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn output(error: guppy::Error) -> ProjectError {
    ProjectError::Output { why: error.to_string() }
}

fn feature_name(label: FeatureLabel<'_>) -> Option<String> {
    match label {
        FeatureLabel::Base => None,
        FeatureLabel::Named(name) => Some(name.to_owned()),
        FeatureLabel::OptionalDependency(key) => Some(format!("dep:{key}")),
    }
}

/// Any platform where none is named, or one is not known to the resolver (a target of one's own).
fn platform(targets: &[String]) -> PlatformSpec {
    let known: Result<Vec<_>, _> =
        targets.iter().map(|target| Platform::new(target.clone(), TargetFeatures::Unknown)).collect();
    match known {
        Ok(platforms) if !platforms.is_empty() => PlatformSpec::platforms(platforms),
        _ => PlatformSpec::Any,
    }
}
