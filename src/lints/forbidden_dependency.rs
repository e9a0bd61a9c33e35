//! `forbidden-dependency`: a client behind another crate.

use super::{Case, Docs, Draft, Judge, Lint, case::package_name, clients::named};
use std::collections::{BTreeMap, btree_map::Entry};

use crate::{
    base::Span,
    finding::{Labelled, Level, Problem},
    project::{
        DependencyKind, PackageId,
        graph::{Chain, ChainQuery, ChainRules, Linked},
        same_name,
    },
    reach::EventKind,
    resolve::OutsideCrate,
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "forbidden-dependency",
    level: Level::Deny,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
A crate on the lease path pulls a forbidden one in, past every coordinator.
",
        what_it_does: r"
Takes each external crate that the lease path names, or that local code reached
from it names, and follows its dependencies in the builds that link the lease.
Reports the chain to the first forbidden crate, unless it passes a declared
coordinator: what tokio-postgres or kube pull in is their own business. What
only a procedural macro links runs at compile time and does not count.

For a lease given as a package, each dependency in its manifest counts as
named, at its line in `Cargo.toml`.

Entries may hold only with certain features: hyper counts where the chain asks
for `client`, so an HTTP server is no client. Raw transports are not looked for
in chains, since every async runtime holds one. A chain that only the features
of a workspace member which does not link the lease would bring is reported at
warn, and names that member.
",
        why_it_matters: r"
The usual way for a model client into a leader election is not an import. It is
a helpful little crate for metrics, feature flags or health, which gains a
dependency in a minor release. Nothing in the lease's own source changes.
",
        example: r#"
```toml
# Cargo.toml
[dependencies]
acme-health = "0.2"    # -> acme-ml 0.1.4 -> async-openai 0.27.2
```

```rust
// src/lease.rs
use acme_health::Gauge;
```
"#,
        instead: r"
Depend on the part that the lease needs: a smaller crate, the same crate
without a default feature, or a local trait that the rest of the program
implements with the large crate. The finding shows the chain, with the feature
that switches each step on; `cargo lease-guard tree` shows all that is linked.

If the crate at the head of the chain is how the lease speaks to its
coordinator, list it under `coordinators`.
",
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = named_in_source(case)?;
    drafts.extend(named_in_manifest(case)?);
    Ok(drafts)
}

/// Crates that code on the path names: what do they pull in?
fn named_in_source(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    let mut asked: BTreeMap<(PackageId, PackageId), Vec<Chain>> = BTreeMap::new();
    for (id, _, event, span) in case.events() {
        let EventKind::Outside { path, uses, .. } = event else { continue };
        let OutsideCrate::Package(_, Some(package)) = &path.krate else { continue };
        let name = package_name(&path.krate).unwrap_or_default();
        if case.is_coordinator(name) || named(case, event).is_some() || case.workspace.package(*package).is_proc_macro()
        {
            continue;
        }
        let user = case.package_of(id);
        let chains = match asked.entry((user, *package)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(fresh) => fresh.insert(chains(case, user, *package)?),
        };
        for chain in chains.iter() {
            let pack = case.in_force.client(&chain.subject).and_then(|client| client.pack);
            if case.counts_behind(id, pack) {
                let draft = draft(case, chain, span, format!("`{path}` is named here"));
                drafts.push(draft.at(id, uses));
            }
        }
    }
    Ok(drafts)
}

/// For a lease given as a package: every dependency of its manifest counts as named.
fn named_in_manifest(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    for written in &case.lease.packages {
        let Some((user, package)) =
            case.workspace.local().find(|(_, package)| same_name(&package.name, &written.value))
        else {
            continue;
        };
        for (index, dependency) in package.dependencies.iter().enumerate() {
            if dependency.kind != DependencyKind::Normal || case.is_coordinator(&dependency.package) {
                continue;
            }
            let Some(declared) = case.manifests.declared(user, index) else { continue };
            let inherited =
                declared.inherited.map(|span| Labelled { span, label: "the version stands here".to_owned() });
            if let Some(client) = case.in_force.client(&dependency.package) {
                if only_coordinators_name(case, user, &dependency.package) {
                    continue;
                }
                let message = format!("the lease's package depends on `{}`: {}", dependency.package, client.why);
                let mut draft = Draft::new(dependency.package.clone(), declared.line, message, "declared here");
                draft.also.extend(inherited);
                drafts.push(
                    draft.help("take it out of the manifest; a package that is the lease links its coordinator only"),
                );
                continue;
            }
            let Some(resolved) = dependency.resolved else { continue };
            let target = case.workspace.package(resolved);
            if target.local || target.is_proc_macro() {
                continue;
            }
            for chain in chains(case, user, resolved)? {
                let mut draft =
                    draft(case, &chain, declared.line, format!("`{}` is declared here", dependency.package));
                draft.also.extend(inherited.clone());
                drafts.push(draft);
            }
        }
    }
    Ok(drafts)
}

/// Whether code of a package names a client, and only local coordinators do.
fn only_coordinators_name(case: &Case<'_>, user: PackageId, package: &str) -> bool {
    if case.trail.selection.coordinators.is_empty() {
        return false;
    }
    let mut behind = !case.trail.selection.carved.is_empty();
    for (id, node, event, _) in case.events() {
        if case.package_of(id) != user || named(case, event).is_none_or(|named| !same_name(&named.package, package)) {
            continue;
        }
        if node.behind.is_none() {
            return false;
        }
        behind = true;
    }
    behind
}

fn chains(case: &Case<'_>, user: PackageId, named: PackageId) -> Result<Vec<Chain>, Problem> {
    let Some(graph) = case.graph else { return Ok(Vec::new()) };
    let query = ChainQuery {
        lease: case.packages,
        user,
        named,
        rules: ChainRules {
            counts: &|package, features| {
                case.in_force.counts_in_chain(package, features) && !case.is_coordinator(package)
            },
            serves: &|package, dependency| case.in_force.only_serves(package, dependency),
            cut: &|package| case.is_coordinator(package),
        },
    };
    graph.chains(&query).map(|found| found.chains).map_err(|error| error.problem())
}

fn draft(case: &Case<'_>, chain: &Chain, span: Span, label: String) -> Draft {
    let first = chain.links.first().map_or("", |link| &link.package);
    let why = case.in_force.client(&chain.subject).map_or("forbidden", |client| client.why);
    let message = format!("`{first}` pulls in `{}`: {why}", chain.subject);
    let mut draft = Draft::new(chain.subject.clone(), span, message, label);
    draft.chain.clone_from(&chain.links);
    if chain.others > 0 {
        draft.notes.push(format!("{} more ways lead from `{first}` to `{}`", chain.others, chain.subject));
    }
    match &chain.linked {
        Linked::WithLease => {}
        Linked::OnlyBy { member, feature } => {
            draft.soft = true;
            let switch = feature.as_ref().map(|feature| format!(", which switches on `{feature}`")).unwrap_or_default();
            draft.notes.push(format!(
                "only a build together with `{member}`{switch}, links it; builds of the lease alone do not"
            ));
        }
    }
    let cut = format!("switch off the feature that brings `{}`, or keep `{first}` off the lease path", chain.subject);
    // The commonest mistake: the coordinator's own client, which nobody declared.
    draft.help(match case.packs.coordinator(first) {
        Some(_) => format!(
            "if `{first}` is how the lease speaks to its coordinator, declare it (`coordinators = [\"{first}\"]`); else {cut}"
        ),
        None => cut,
    })
}
