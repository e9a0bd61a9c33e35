//! `unused-exception`: an exception that forgives nothing.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unused-exception",
    level: Level::Warn,
    docs: Docs {
        summary: r"
An `[[exception]]` forgives nothing.
",
        what_it_does: r"
Reports an exception that matched no finding of the run: neither by lint and
subject, nor by the lease and file where it gives them. An exception past its
`until` is `expired-exception` instead.
",
        why_it_matters: r"
The offence is gone, or the exception never named it correctly. Left standing,
it will silently forgive the next one of the same name.
",
        example: r#"
```toml
[[exception]]
lint = "forbidden-crate"
subject = "reqwest"        # the last use went away in spring
reason = "the metrics shim is being moved out"
```
"#,
        instead: r"
Delete it. If it was meant to match, compare `lint`, `subject`, `lease` and
`file` with the finding as `--format json` prints it: the subject is the
package name as its manifest gives it, or the full path.
",
    },
};
