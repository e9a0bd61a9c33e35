//! What a package of the lease links, in the order and shape that `cargo tree` prints, with the
//! places marked at which the check stops.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    Graph,
    build::Build,
    search::{ChainRules, search, step},
};
use crate::project::{PackageId, ProjectError};

/// What a line of a tree is to the lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing in particular.
    None,
    /// A coordinator or the companion of one: the tree is cut here.
    Coordinator,
    /// Forbidden, as it is asked for here: the tree is cut here too, for what lies behind is not
    /// reported again.
    Forbidden,
}

/// A package in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeLine {
    /// The lines that lead to it, such as `│   ├── `; empty for the root.
    pub prefix: String,
    /// The package.
    pub package: PackageId,
    /// What it is to the lease.
    pub mark: Mark,
    /// Whether what it links was shown further up.
    pub repeated: bool,
}

/// What one package of the lease links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The members whose builds link it so, the nearest first: several where they agree.
    pub builds: Vec<PackageId>,
    /// The lines, the package itself first. Procedural macros and what they pull in are left out.
    pub lines: Vec<TreeLine>,
}

impl Graph<'_> {
    /// What a package of the lease links, for each build that links more or less than another. Empty
    /// without a graph.
    ///
    /// # Errors
    /// Where the resolver does not understand the metadata.
    pub fn trees(&self, package: PackageId, rules: ChainRules<'_>) -> Result<Vec<Tree>, ProjectError> {
        let mut trees: Vec<Tree> = Vec::new();
        if !self.workspace.has_graph {
            return Ok(trees);
        }
        let mut builds = self.builds(&[package], package)?;
        if builds.is_empty() {
            builds.push(package);
        }
        for member in builds {
            let build = self.build(&[member], &[])?;
            let lines = self.lines(&build, rules, package)?;
            match trees.iter_mut().find(|tree| tree.lines == lines) {
                Some(tree) => tree.builds.push(member),
                None => trees.push(Tree { builds: vec![member], lines }),
            }
        }
        Ok(trees)
    }

    fn lines(&self, build: &Arc<Build>, rules: ChainRules<'_>, root: PackageId) -> Result<Vec<TreeLine>, ProjectError> {
        let offending = self.offending(build, rules, root)?;
        let mut shown = BTreeSet::new();
        let mut lines = Vec::new();
        // The packages still to be shown, the next one last: with the one above it, and the prefix.
        let mut open = vec![(root, None, String::new(), String::new())];
        while let Some((package, above, prefix, below)) = open.pop() {
            let name = &self.workspace.package(package).name;
            let by = above.and_then(|above| offending.get(&above));
            let mark = match by {
                Some(forbidden) if forbidden.contains(&package) => Mark::Forbidden,
                _ if package != root && (rules.cut)(name) => Mark::Coordinator,
                _ => Mark::None,
            };
            let ends = mark != Mark::None || build.links_of(package).is_empty();
            let repeated = !ends && !shown.insert(package);
            lines.push(TreeLine { prefix, package, mark, repeated });
            if ends || repeated {
                continue;
            }
            for (number, next) in build.links_of(package).iter().rev().enumerate() {
                let (branch, trunk) = if number == 0 { ("└── ", "    ") } else { ("├── ", "│   ") };
                open.push((*next, Some(package), format!("{below}{branch}"), format!("{below}{trunk}")));
            }
        }
        Ok(lines)
    }

    /// By package: what it pulls in that is forbidden as it is asked for there.
    fn offending(
        &self,
        build: &Build,
        rules: ChainRules<'_>,
        root: PackageId,
    ) -> Result<BTreeMap<PackageId, BTreeSet<PackageId>>, ProjectError> {
        let mut out: BTreeMap<PackageId, BTreeSet<PackageId>> = BTreeMap::new();
        for &named in build.links_of(root) {
            let name = &self.workspace.package(named).name;
            if (rules.cut)(name) {
                continue;
            }
            let asked = step(self, build, rules, root, &build.features_of(root), named)?;
            if (rules.counts)(name, &asked) {
                out.entry(root).or_default().insert(named);
                continue;
            }
            for way in search(self, build, rules, root, named)?.ways {
                if let Some(subject) = way.subject() {
                    for parent in way.parents {
                        out.entry(parent).or_default().insert(subject);
                    }
                }
            }
        }
        Ok(out)
    }
}
