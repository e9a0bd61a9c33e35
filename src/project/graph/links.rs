//! From a way to the links of a chain that a reader is shown.

use std::collections::BTreeSet;

use super::{Graph, build::Build, search::Way};
use crate::{
    finding::ChainLink,
    project::{PackageId, ProjectError},
};

impl Graph<'_> {
    /// The links of a way from what `user` names.
    pub(super) fn links(&self, build: &Build, user: PackageId, way: &Way) -> Result<Vec<ChainLink>, ProjectError> {
        let mut links = Vec::with_capacity(way.steps.len());
        let mut from = (user, build.features_of(user));
        for (package, features) in &way.steps {
            links.push(self.link(build, from.0, &from.1, *package)?);
            from = (*package, features.clone());
        }
        Ok(links)
    }

    /// The link between two packages, of which the first has these features on.
    pub(super) fn link(
        &self,
        build: &Build,
        from: PackageId,
        features: &BTreeSet<String>,
        to: PackageId,
    ) -> Result<ChainLink, ProjectError> {
        let declarations = self.declarations(from, to);
        let switch = if declarations.values().any(|declaration| !declaration.optional) {
            None
        } else {
            let keys: BTreeSet<&str> = declarations.values().map(|declaration| declaration.key.as_str()).collect();
            let by_way = self.asked(from, features)?;
            let by_build = self.asked(from, &build.features_of(from))?;
            let switches = |asked: &super::simulation::Asked| {
                let features = keys.iter().filter_map(|key| asked.switches.get(*key)).flatten();
                features.min().cloned()
            };
            switches(&by_way).or_else(|| switches(&by_build))
        };
        let always = declarations.values().any(|declaration| declaration.target.is_none());
        let target = declarations.values().filter_map(|declaration| declaration.target.clone()).min();
        let place = declarations.keys().find_map(|index| self.manifests.declared(from, *index));
        let package = self.workspace.package(to);
        Ok(ChainLink {
            package: package.name.clone(),
            version: package.version.clone(),
            place: place.map(|declared| declared.line),
            feature: switch.map(|feature| format!("{}/{feature}", self.workspace.package(from).name)),
            target: target.filter(|_| !always),
        })
    }
}
