//! `forbidden-crate`: a client's own name on the path.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "forbidden-crate",
    level: Level::Deny,
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
