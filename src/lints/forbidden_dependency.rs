//! `forbidden-dependency`: a client behind another crate.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "forbidden-dependency",
    level: Level::Deny,
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
implements with the large crate. `cargo lease-guard tree` shows what the lease
links, with the chain and the features that switch each step on.

If the crate at the head of the chain is how the lease speaks to its
coordinator, list it under `coordinators`.
",
    },
};
