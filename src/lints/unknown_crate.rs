//! `unknown-crate`: a forbidden name that nothing bears.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unknown-crate",
    level: Level::Warn,
    docs: Docs {
        summary: r"
A name under `[forbid] crates` is neither in the graph nor in a pack.
",
        what_it_does: r"
Reports a package name that the rules file forbids and that neither the
dependency graph nor any pack knows, with the nearest name that is known. A
glob that matches no package is reported alike.
",
        why_it_matters: r"
A misspelt prohibition forbids nothing, and looks exactly like one that works.
",
        example: r#"
```toml
[forbid]
crates = ["acme-lmm"]    # the package is called acme-llm
```
"#,
        instead: r#"
Correct the name: packages are named as their own manifest names them
(`rig-core`, not `rig`). If the crate is forbidden in advance and not yet
anywhere in the graph, keep the line and set `unknown-crate = "allow"` under
`[lints]`.
"#,
    },
};
