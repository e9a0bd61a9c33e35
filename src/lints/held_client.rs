//! `held-client`: a client that is carried along.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "held-client",
    level: Level::Warn,
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
