//! `forbidden-crate`: a client's own name on the path.

use super::{Case, Docs, Draft, Judge, Lint, clients::named};
use std::collections::BTreeMap;

use crate::{
    config::PackName,
    finding::{Level, Problem},
    reach::{EventKind, Role, Target},
    resolve::{OutsideCrate, UseRef},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "forbidden-crate",
    level: Level::Deny,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
Code on the lease path, or reached from it, names a forbidden crate.
",
        what_it_does: r"
Resolves every name that the lease path writes, and every name in the local
code that it reaches, as rustc would. Reports those that lead into a crate of
the packs `http-clients`, `model-clients` or `inference-runtimes`, or into one
that the rules file lists under `[forbid] crates`.

It sees through imports, renames, globs, `pub use` chains, aliases of `extern
crate`, dependencies that the manifest renames, type aliases, macro bodies and
macro arguments, and code in other local packages. A local module that happens
to be called `reqwest` is not the crate; the word in a comment or a string is
nothing.

The subject is the package's name as its manifest gives it. Names that open no
connection (`reqwest::Url`, `hyper::StatusCode`) are reported at warn where a
lease item writes them, and not at all further on.
",
        why_it_matters: r"
A lease is renewed against a clock. A request to anything but the coordinator
adds a queue, a connection pool, a DNS lookup and somebody else's outage to the
time between two renewals. When that time passes the TTL, a second holder is
elected while the first still believes that it holds the lease.
",
        example: r#"
```toml
[[lease]]
name = "order-writer"
modules = ["orders::lease"]
coordinators = ["tokio-postgres"]
```

```rust
// src/lease.rs
pub async fn renew(db: &tokio_postgres::Client) -> bool {
    crate::health::probe().await && store(db).await
}

// src/health.rs: two hops from the lease, and just as much on its path
pub async fn probe() -> bool {
    reqwest::get("http://replica/ping").await.is_ok()
}
```
"#,
        instead: r#"
Move the call out of the lease path: let a task of its own ask, and leave the
answer in an atomic or a `tokio::sync::watch` that the lease reads without
waiting. Cut at the first hop that leaves the lease path; the help names it.

If the call speaks to the coordinator (Consul over HTTP, say), declare the
local module that does so: `coordinators = ["orders::consul"]`. If what is
reached runs under the lease but is not the lease, declare it under
`workloads`. If it must stay for a while, write an `[[exception]]` with its
reason and a date.
"#,
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    let bare = imports_of_modules(case);
    for (id, node, event, span) in case.events() {
        let Some(named) = named(case, event).filter(|named| case.counts_behind(id, named.pack)) else { continue };
        if is_proc_macro(case, event) {
            continue;
        }
        let mut inert = named.inert.clone();
        // An import of the crate or of a module is what is named through it.
        if let (Target::Import(by), None) = (&node.target, &inert)
            && let Some(used) = bare.get(by)
        {
            inert.clone_from(used);
        }
        if inert.is_some() && !(case.is_selected(id) && node.behind.is_none()) {
            continue;
        }
        let place = if case.is_selected(id) { "the lease path" } else { "code that the lease path reaches" };
        let through = named.through.as_ref().map(|package| format!(" through `{package}`")).unwrap_or_default();
        let draft = match &inert {
            None => {
                let message = format!("{place} names `{}`{through}: {}", named.package, named.why);
                let label = format!("`{}` is named here", named.path);
                let help = match named.pack {
                    Some(PackName::HttpClients) if case.is_selected(id) => {
                        "keep it off the lease path; the lease may talk to its coordinator only (if this is how it \
                         does, declare the local module that speaks to it under `coordinators`)"
                    }
                    _ => "keep it off the lease path; the lease may talk to its coordinator only",
                };
                Draft::new(named.package.clone(), span, message, label).help(help)
            }
            Some(instead) => {
                let message = format!(
                    "{place} names `{}`{through}: it opens no connection, but `{}` is forbidden here",
                    named.path, named.package
                );
                Draft::new(named.package.clone(), span, message, format!("`{}`, without a connection", named.path))
                    .soft(true)
                    .help(format!("use {instead}"))
            }
        };
        drafts.push(draft.at(id, &named.uses));
    }
    Ok(drafts)
}

/// The paths of forbidden clients that the path names, inert names aside: what the canary listens for.
pub fn forbidden_names(case: &Case<'_>) -> Vec<String> {
    let named = case.events().filter_map(|(id, _, event, _)| {
        named(case, event).filter(|named| named.inert.is_none() && case.counts_behind(id, named.pack))
    });
    named.map(|named| named.path).collect()
}

/// Imports of selected modules through which other names are named, with what to use instead if all
/// of those are inert.
fn imports_of_modules(case: &Case<'_>) -> BTreeMap<UseRef, Option<String>> {
    let mut found: BTreeMap<UseRef, Option<String>> = BTreeMap::new();
    for (_, node, event, _) in case.events() {
        if matches!(node.target, Target::Import(_)) {
            continue;
        }
        let Some(named) = named(case, event) else { continue };
        for by in &named.uses {
            let so_far = found.entry(*by).or_insert_with(|| named.inert.clone());
            if named.inert.is_none() {
                *so_far = None;
            }
        }
    }
    found
}

fn is_proc_macro(case: &Case<'_>, event: &EventKind) -> bool {
    match event {
        EventKind::Outside { path, role: Role::Macro, .. } => match path.krate {
            OutsideCrate::Package(_, Some(id)) => case.workspace.package(id).is_proc_macro(),
            _ => false,
        },
        _ => false,
    }
}
