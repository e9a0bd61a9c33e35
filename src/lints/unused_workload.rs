//! `unused-workload`: a workload that cuts nothing.

use super::{Docs, Judge, Ledger, Lint, judge::about_rules};
use crate::{
    config::Lease,
    finding::{Finding, Level},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unused-workload",
    level: Level::Warn,
    judge: Judge::Rules(judge),
    docs: Docs {
        summary: r"
A line of `workloads` cuts no route.
",
        what_it_does: r"
Reports a workload that stands on no edge of the lease path: nothing that the
lease reaches leads to that parameter, field, function or trait method. One
that cuts an edge is used, whether or not anything forbidden stands behind it.

The subject is the path as the rules file writes it.
",
        why_it_matters: r#"
A workload says "from here on it is not the lease". One that cuts nothing is
misspelt, or its code has moved, and what it was meant to cut is now followed,
or was never there. Either way the rules no longer say what they seem to say.
"#,
        example: r#"
```toml
[[lease]]
name = "order-writer"
modules = ["orders::lease"]
workloads = ["orders::lease::with_lease::job"]    # its name is `work`
```

```rust
pub async fn with_lease(db: &Client, work: impl AsyncFnOnce()) { /* ... */ }
```
"#,
        instead: r"
Write the path of what runs under the lease as it is now: a parameter
(`orders::lease::with_lease::work`), a field, a function or a trait method. Or
delete the line.
",
    },
};

fn judge(ledger: &Ledger<'_>) -> Vec<Finding> {
    let say = |(lease, at): &(&Lease, usize)| {
        let written = &lease.workloads[*at];
        let message = format!("the workload `{}` of the lease `{}` cuts nothing", written.value, lease.name.value);
        about_rules(
            &LINT,
            &lease.name.value,
            &written.value,
            written,
            message,
            "remove the entry: the lease does not lead there".to_owned(),
        )
    };
    ledger.idle_workloads.iter().map(say).collect()
}
