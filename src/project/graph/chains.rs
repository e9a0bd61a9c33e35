//! The chains from a named crate to forbidden ones, over all builds that link the lease.

use std::collections::BTreeSet;

use super::{
    Graph,
    build::Build,
    search::{ChainRules, Way, Ways, search},
};
use crate::{
    finding::ChainLink,
    project::{PackageId, ProjectError},
};

/// A question: what does a named crate pull in?
#[derive(Clone, Copy)]
pub struct ChainQuery<'a> {
    /// The lease's packages.
    pub lease: &'a [PackageId],
    /// The package whose code, or manifest, names the crate.
    pub user: PackageId,
    /// The crate: neither forbidden itself nor a coordinator.
    pub named: PackageId,
    /// What is looked for.
    pub rules: ChainRules<'a>,
}

/// A chain, from the named crate to the first forbidden one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The forbidden package's name.
    pub subject: String,
    /// The named crate first, the subject last; each with how the one before it (the user, for the
    /// first) comes to it.
    pub links: Vec<ChainLink>,
    /// How many more packages behind the named one pull the subject in.
    pub others: usize,
    /// In which builds.
    pub linked: Linked,
}

/// In which builds a chain is linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linked {
    /// In one that links the lease and the user: deny.
    WithLease,
    /// Only if a member that does not link the lease is built in the same call: warn.
    OnlyBy {
        /// The member's name; of several, joined by " and ".
        member: String,
        /// The feature that it switches on, as `package/feature`, where the chain shows one.
        feature: Option<String>,
    },
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// At most one chain for each forbidden package: a shortest one, of those the first by name.
    pub chains: Vec<Chain>,
    /// The coordinators (and companions) at which other chains ended, by name.
    pub cut_at: BTreeSet<String>,
}

impl Graph<'_> {
    /// The chains of a named crate. Without a graph there are none.
    ///
    /// # Errors
    /// Where the resolver does not understand the metadata.
    pub fn chains(&self, query: &ChainQuery<'_>) -> Result<Found, ProjectError> {
        let mut found = Found::default();
        if !self.workspace.has_graph {
            return Ok(found);
        }
        // What no build of the whole workspace has, no build of a part has. Most questions end here.
        let members: Vec<PackageId> = self.members().collect();
        let whole = self.whole()?;
        let (whole, mut builds) = if whole.has(query.user) {
            (whole, Vec::new())
        } else {
            // A package that nothing links (a path dependency of tests alone) is its own build.
            (self.build(&[query.user], &[])?, vec![query.user])
        };
        let widest = self.ways(&whole, query)?;
        found.cut_at = widest.cut_at.iter().map(|package| self.workspace.package(*package).name.clone()).collect();
        let mut open: BTreeSet<PackageId> = widest.ways.iter().filter_map(Way::subject).collect();
        if open.is_empty() {
            return Ok(found);
        }
        if builds.is_empty() {
            builds = self.builds(query.lease, query.user)?;
        }
        for member in &builds {
            let build = self.build(&[*member], &[])?;
            for way in self.ways(&build, query)?.ways {
                if way.subject().is_some_and(|subject| open.remove(&subject)) {
                    found.chains.push(self.chain(&build, query, &way, Linked::WithLease)?);
                }
            }
            if open.is_empty() {
                break;
            }
        }
        self.with_others(query, &builds, &members, &mut open, &mut found.chains)?;
        let order =
            |chain: &Chain| (chain.links.len(), chain.links.iter().map(|l| l.package.clone()).collect::<Vec<_>>());
        found.chains.sort_by_cached_key(order);
        Ok(found)
    }

    fn ways(&self, build: &Build, query: &ChainQuery<'_>) -> Result<Ways, ProjectError> {
        search(self, build, query.rules, query.user, query.named)
    }

    fn chain(&self, build: &Build, query: &ChainQuery<'_>, way: &Way, linked: Linked) -> Result<Chain, ProjectError> {
        let links = self.links(build, query.user, way)?;
        let subject = links.last().map(|link| link.package.clone()).unwrap_or_default();
        Ok(Chain { subject, links, others: way.parents.len().saturating_sub(1), linked })
    }

    /// What is only linked if more is built in the same call: the lease's builds with one other
    /// member, then two of the lease's builds, then all at once.
    fn with_others(
        &self,
        query: &ChainQuery<'_>,
        builds: &[PackageId],
        members: &[PackageId],
        open: &mut BTreeSet<PackageId>,
        chains: &mut Vec<Chain>,
    ) -> Result<(), ProjectError> {
        let others: Vec<PackageId> = members.iter().copied().filter(|member| !builds.contains(member)).collect();
        let mut calls: Vec<(&[PackageId], &[PackageId])> = Vec::new();
        match builds {
            // Where the lease is in no build, each other is judged alone.
            [] => calls.extend(others.chunks(1).map(|other| (other, &[][..]))),
            [first, more @ ..] => {
                calls.extend(others.chunks(1).map(|other| (builds, other)));
                calls.extend(more.chunks(1).map(|other| (std::slice::from_ref(first), other)));
                calls.push((builds, &others));
            }
        }
        for (built, more) in calls {
            if open.is_empty() {
                return Ok(());
            }
            let build = self.build(built, more)?;
            for way in self.ways(&build, query)?.ways {
                if way.subject().is_some_and(|subject| open.remove(&subject)) {
                    let by = if more.is_empty() { built } else { more };
                    let linked = self.only_by(by, builds, &build, query, &way)?;
                    chains.push(self.chain(&build, query, &way, linked)?);
                }
            }
        }
        Ok(())
    }

    /// How to say that another member brings a chain: by the first edge that the lease's builds lack.
    fn only_by(
        &self,
        members: &[PackageId],
        builds: &[PackageId],
        build: &Build,
        query: &ChainQuery<'_>,
        way: &Way,
    ) -> Result<Linked, ProjectError> {
        let mut feature = None;
        let mut from = query.user;
        for (package, _) in &way.steps {
            let mut lacking = true;
            for own in builds {
                lacking &= !self.build(&[*own], &[])?.has_link(from, *package);
            }
            if lacking {
                feature = self.link(build, from, &build.features_of(from), *package)?.feature;
                break;
            }
            from = *package;
        }
        let names: Vec<&str> = members.iter().map(|member| self.workspace.package(*member).name.as_str()).collect();
        Ok(Linked::OnlyBy { member: names.join(" and "), feature })
    }
}
