//! `opaque-code`: source that cannot be seen.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "opaque-code",
    level: Level::Warn,
    docs: Docs {
        summary: r"
Code on the lease path is generated at build time, and its source is not on
disk.
",
        what_it_does: r"
Reports an `include!` of a file that only a build writes (under `OUT_DIR`), and
macros that stand for one, such as `tonic::include_proto!`. An `include!` of a
file that is on disk, also by way of `CARGO_MANIFEST_DIR`, is read like any
other source and not reported.

Nothing is built or run to find out more.
",
        why_it_matters: r"
What cannot be seen cannot be judged. The check says so instead of staying
green.
",
        example: r#"
```rust
// src/lease.rs
mod wire {
    include!(concat!(env!("OUT_DIR"), "/wire.rs"));
}
```
"#,
        instead: r#"
Commit the generated file and include it from the source tree, so that it is
read and reviewed like other code. Or keep generated code out of the lease's
modules: convert to plain types where the lease path begins. If the generator
is trusted, set `opaque-code = "allow"`, or write an `[[exception]]` for that
file.
"#,
    },
};
