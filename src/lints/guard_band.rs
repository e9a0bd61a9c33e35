//! `guard-band`: two leaders, or none for too long, while clocks are apart.

use super::{Docs, Judge, Ledger, Lint, judge::about_rules};
use crate::{
    base::{Spanned, show_duration},
    finding::{Finding, Level},
    timing::band,
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "guard-band",
    level: Level::Deny,
    judge: Judge::Rules(judge),
    docs: Docs {
        summary: r"
Within the bound on the clock skew, a handover has two leaders.
",
        what_it_does: r"
Lets a lease change hands on two clocks, simulated event by event, at many
skews within the bound of `[lease.timing]`, of either sign, both ends among
them. The holder stands down `guard` early by its clock, the grantor grants
`guard` late by its own. Reports, at one place of the rules file, a skew at
which both lead at some time.

At most at warn: a time without any leader that is longer than `max-gap`.
Without `clock-skew` nothing is simulated, and `unmeasured-skew` says so. The
subject is the lease's name. `cargo lease-guard timing` sweeps the guard over
the skew.
",
        why_it_matters: r"
Two machines never agree on the time. What one calls the end of the lease is
early or late on the other by as much as their clocks are apart, and if it is
late, there are two leaders for that long. A guard on both sides takes that
away, and costs as much time without a leader: the price is known and chosen.
",
        example: r#"
```toml
[lease.timing]
ttl = "15s"
renew-every = "5s"
renew-p95 = "40ms"
clock-skew = { bound = "200ms", source = "chrony", measured = 2026-11-01 }
guard = "50ms"
```
"#,
        instead: r"
Make the guard at least half the bound; the finding names the smallest that
does. Or let one clock judge: where both the takeover and the fence compare
with the database's clock, and the holder counts from before its request with a
monotonic clock, the bound is the drift over one ttl.
",
    },
};

fn judge(ledger: &Ledger<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for timed in &ledger.times {
        let Some(band) = band(&timed.times) else { continue };
        let too_long = band.is_gap_too_long();
        if band.two.is_none() && !too_long {
            continue;
        }
        let name = &timed.lease.name.value;
        let span = match (&timed.timing.guard, &timed.timing.max_gap) {
            (Some(guard), _) if band.two.is_some() => guard.span,
            (_, Some(max_gap)) if band.two.is_none() => max_gap.span,
            _ => timed.timing.clock_skew.as_ref().map_or(timed.timing.span, |skew| skew.bound.span),
        };
        let message = format!("lease `{name}`: {band}");
        let smallest = show_duration(std::time::Duration::from_nanos(band.smallest_guard.unsigned_abs()));
        let help = if band.two.is_some() {
            format!("set `guard` to at least {smallest}, in the code and here")
        } else {
            format!("a guard of {smallest} is the smallest without two leaders; or accept a longer `max-gap`")
        };
        let found = about_rules(&LINT, name, name, &Spanned { value: (), span }, message, help);
        let level = if band.two.is_some() { found.level } else { found.level.min(Level::Warn) };
        findings.push(Finding { level, ..found });
    }
    findings
}
