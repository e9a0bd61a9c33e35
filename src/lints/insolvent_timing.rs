//! `insolvent-timing`: times that do not add up.

use super::{Docs, Judge, Ledger, Lint, TimedLease, judge::about_rules};
use crate::{
    base::{Span, Spanned},
    finding::{Finding, Labelled, Level},
    timing::{Shortfall, Waited, shortfalls},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "insolvent-timing",
    level: Level::Deny,
    judge: Judge::Rules(judge),
    docs: Docs {
        summary: r"
The lease's times do not add up: a renewal cannot come in time.
",
        what_it_does: r#"
Takes the times of `[lease.timing]`, constants read from the source, and
reports where

- the 95th percentile of the renewal, or of any step, is more than half the
  ttl;
- `renew-every + renew-p95 + sum of steps + guard >= ttl`: the lease is lost
  although every renewal is answered.

At most at warn: `2*renew-every + renew-p95 + guard >= ttl`, where one lost
renewal loses the lease. The subject is the lease's name.
`cargo lease-guard timing` shows the sums.
"#,
        why_it_matters: r"
A lease is a budget of milliseconds. A holder that spends more than it was
granted loses the lease under load, when it is needed most; and one that does
not notice writes on beside the next.
",
        example: r#"
```toml
[lease.timing]
ttl = "5s"
renew-every = "5s"
renew-p95 = "40ms"
```
"#,
        instead: r"
Renew after a third of the ttl, so that one lost renewal costs nothing. Move
slow steps (an fsync, a request) out of the loop that renews.
",
    },
};

fn judge(ledger: &Ledger<'_>) -> Vec<Finding> {
    ledger.times.iter().filter_map(finding).collect()
}

fn finding(timed: &TimedLease<'_>) -> Option<Finding> {
    let shortfalls = shortfalls(&timed.times);
    let mut places: Vec<Labelled> = shortfalls
        .iter()
        .map(|shortfall| Labelled { span: place(timed, shortfall), label: label(shortfall).to_owned() })
        .collect();
    places.sort_by_key(|place| place.span);
    places.dedup_by_key(|place| place.span);
    let first = shortfalls.first()?;
    let primary = places.first()?.clone();
    let name = &timed.lease.name.value;
    let why: Vec<String> = shortfalls.iter().map(ToString::to_string).collect();
    let message = format!("the times of lease `{name}` do not add up: {}", why.join("; "));
    let at = Spanned { value: (), span: primary.span };
    let found = about_rules(&LINT, name, name, &at, message, first.help());
    let level = shortfalls.iter().map(Shortfall::level).max()?;
    Some(Finding {
        level: found.level.min(level),
        label: primary.label,
        also: places.into_iter().skip(1).collect(),
        ..found
    })
}

const fn label(shortfall: &Shortfall) -> &'static str {
    match shortfall {
        Shortfall::SlowWait { .. } => "more than half the ttl",
        Shortfall::TooLate { .. } => "less than one round takes",
        Shortfall::OneLoss { .. } => "twice this and the rest is more than the ttl",
    }
}

/// The line that says the time in question.
fn place(timed: &TimedLease<'_>, shortfall: &Shortfall) -> Span {
    let timing = timed.timing;
    match shortfall {
        Shortfall::SlowWait { what: Waited::Renewal, .. } => timing.renew_p95.span,
        Shortfall::SlowWait { what: Waited::Step(at, _), .. } => {
            timing.steps.get(*at).map_or(timing.span, |step| step.p95.span)
        }
        Shortfall::TooLate { .. } => timing.ttl.span,
        Shortfall::OneLoss { .. } => timing.renew_every.span,
    }
}
