//! `unused-coordinator`: a coordinator that the lease does not use.

use super::{Docs, Judge, Ledger, Lint, judge::about_rules};
use crate::{
    config::Lease,
    finding::{Finding, Level},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unused-coordinator",
    level: Level::Warn,
    judge: Judge::Rules(judge),
    docs: Docs {
        summary: r"
A line of `coordinators` names something that the lease neither uses nor links.
",
        what_it_does: r"
Reports a coordinator that neither the lease path nor its dependency graph
names. A coordinator counts as used whether or not anything forbidden stands
behind it. A name that no manifest, pack or local path knows is an error, not
this warning.
",
        why_it_matters: r"
Each coordinator is a hole in the guard, made on purpose. One that nothing
needs is a hole for the next change to fall through.
",
        example: r#"
```toml
[[lease]]
name = "order-writer"
modules = ["orders::lease"]
coordinators = ["tokio-postgres", "etcd-client"]    # etcd went away last year
```
"#,
        instead: r"
Delete the line. If the lease does use it, check the name: packages are named
as their own manifest names them, never by the key of a renamed dependency.
",
    },
};

fn judge(ledger: &Ledger<'_>) -> Vec<Finding> {
    let say = |(lease, at): &(&Lease, usize)| {
        let written = &lease.coordinators[*at];
        let message =
            format!("nothing that the lease `{}` reaches names its coordinator `{}`", lease.name.value, written.value);
        about_rules(
            &LINT,
            &lease.name.value,
            &written.value,
            written,
            message,
            "remove the entry, or name the coordinator that the lease uses".to_owned(),
        )
    };
    ledger.idle_coordinators.iter().map(say).collect()
}
