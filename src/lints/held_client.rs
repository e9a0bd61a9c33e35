//! `held-client`: a client that is carried along.

use super::{Case, Docs, Draft, Judge, Lint, clients::named};
use crate::finding::{Certainty, Hop, Level, Problem};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "held-client",
    level: Level::Warn,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
The lease path handles a value that carries a client, though nothing touches
it.
",
        what_it_does: r"
Looks at the types that the lease path handles and that are not its own.
Reports a field or variant, at any depth, that holds a forbidden client and
that nothing reached reads, moves, matches or calls through. If something
reached does touch it, that is `forbidden-crate`, not this lint.

The finding stands at the line that names the client.
",
        why_it_matters: r"
`AppState { db, http }` of which the lease reads only `db` is no offence yet.
It is one keystroke from one: `state.http` compiles, needs no new import and no
new dependency, and looks like the line above it in review.
",
        example: r"
```rust
// src/state.rs
pub struct AppState {
    pub db: tokio_postgres::Client,
    pub http: reqwest::Client,    // reported here
}

// src/lease.rs
pub async fn renew(state: &AppState) -> bool {
    store(&state.db).await
}
```
",
        instead: r"
Take the part that is needed, so that the type says what the lease may do:

```rust
pub async fn renew(db: &tokio_postgres::Client) -> bool {
    store(db).await
}
```
",
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    for held in case.held {
        let Some(named) = named(case, &held.named).filter(|named| named.inert.is_none()) else { continue };
        if case.trail.reached.nodes[held.node].behind.is_some() && !case.counts_behind(held.node, named.pack) {
            continue;
        }
        let handled = case.trail.reader.item_path(held.handled);
        let message = format!("the lease handles `{handled}`, which carries `{}`: {}", named.package, named.why);
        let mut draft = Draft::new(named.package.clone(), held.span, message, "nothing on the lease path touches it");
        draft.hops = held
            .steps
            .iter()
            .map(|(kind, target, place)| Hop {
                certainty: Certainty::Resolved,
                kind: *kind,
                item: case.trail.name(target),
                place: *place,
            })
            .collect();
        draft.hops.retain(|hop| hop.place != held.span);
        drafts.push(
            draft
                .at(held.node, &named.uses)
                .help(format!("take the part of `{handled}` that the lease needs, not the whole")),
        );
    }
    Ok(drafts)
}
