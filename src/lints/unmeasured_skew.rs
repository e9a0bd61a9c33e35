//! `unmeasured-skew`: a bound on the clocks that nobody measured.

use super::{Docs, Judge, Ledger, Lint, TimedLease, judge::about_rules};
use crate::{
    base::Spanned,
    config::ClockSkew,
    finding::{Finding, Level},
    timing::{SkewEvidence, unmeasured},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unmeasured-skew",
    level: Level::Warn,
    judge: Judge::Rules(judge),
    docs: Docs {
        summary: r"
The bound on the clock skew has no source or date, or is older than 180 days.
",
        what_it_does: r#"
Reports a lease whose `[lease.timing]` has a `clock-skew` without both `source`
and `measured`, one that was measured more than 180 days ago, and one that has
no `clock-skew` at all. A bare duration (`clock-skew = "200ms"`) has neither.

Today is compared in UTC; `SOURCE_DATE_EPOCH` sets another today. The subject
is the lease's name.
"#,
        why_it_matters: r"
The guard band holds as long as the clocks of holder and grantor are within the
bound. It is the one number of the arithmetic that no code shows and no test
fails on, and so the one that is copied from another project and never looked
at again, while the machines, the hypervisor and the time source change.
",
        example: r#"
```toml
[lease.timing]
ttl = "15s"
renew-every = "5s"
renew-p95 = "40ms"
clock-skew = "200ms"
```
"#,
        instead: r#"
Measure it, and write where the figure comes from and when:

```toml
[lease.timing.clock-skew]
bound = "200ms"
source = "chrony, fleet dashboard"
measured = 2026-11-01
```

What a fleet's time service reports over a month is better than one reading;
`cargo lease-guard timing --measure -- COMMAND` gives a reading of one other
clock, with its bound.
"#,
    },
};

fn judge(ledger: &Ledger<'_>) -> Vec<Finding> {
    ledger.times.iter().filter_map(|timed| of_lease(ledger, timed)).collect()
}

fn of_lease(ledger: &Ledger<'_>, TimedLease { lease, timing, .. }: &TimedLease<'_>) -> Option<Finding> {
    let skew: Option<&ClockSkew> = timing.clock_skew.as_ref();
    let why = unmeasured(skew.map(SkewEvidence::from), ledger.today)?;
    let at = Spanned { value: (), span: skew.map_or(timing.span, |skew| skew.bound.span) };
    let message = format!("the lease `{}` has {why}", lease.name.value);
    let help = "measure it (`cargo lease-guard timing --measure -- COMMAND` reads one other clock), and write `source` and `measured` beside the bound";
    Some(about_rules(&LINT, &lease.name.value, &lease.name.value, &at, message, help.to_owned()))
}
