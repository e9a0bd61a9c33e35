//! `timing`: whether the times of a lease add up, and what clocks that are apart make of them.

use std::{io::Write, ops::RangeInclusive};

use super::{
    check::{columns, prepared, refuse},
    outlet::deliver,
};
use crate::{
    base::visible,
    cli::{Screen, Timing, TimingFormat},
    finding::{Level, Problem, Verdict},
    lints::TimedLease,
    run::{Prepared, on_deep_stack, reader, timed},
    timing::{
        Chart, LeaseTimes, band, band_lines, budget_table, nanos, parse_range, points, shortfalls, smallest_guard, svg,
        sweep, sweep_table,
    },
};

/// How many skews, and how many guards, are shown in a table.
const SKEWS: usize = 12;
const GUARDS: usize = 5;
/// The columns of a row before its bar.
const BEFORE_BAR: usize = 66;

/// Shows the arithmetic. 0 if it adds up, 1 if a renewal comes too late or a handover has two leaders within
/// the bound on the clocks, 2 where there are no times or they cannot be worked out.
///
/// # Errors
/// Where a range cannot be read or the answer cannot be written.
pub(super) fn timing(asked: &Timing, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let range = |flag: &str, text: &Option<String>| {
        let read = text.as_deref().map(parse_range).transpose();
        // The error says what its source says.
        read.map_err(|error| anyhow::anyhow!("{flag}: {error}"))
    };
    let (skews, guards) = (range("--skew", &asked.skew)?, range("--guard", &asked.guard)?);
    anyhow::ensure!(guards.as_ref().is_none_or(|guards| *guards.start() >= 0), "--guard: a guard is not negative");
    let prepared = match prepared(&asked.scope, &asked.project)? {
        Ok(prepared) => prepared,
        Err(failed) => return refuse(&failed.problems, &failed.files, screen),
    };
    let leases = match on_deep_stack(|| timed(&prepared, &mut reader(&prepared))) {
        Ok(Ok(leases)) => leases,
        Ok(Err(problems)) => return refuse(&problems, &prepared.files, screen),
        Err(problem) => return refuse(&[problem], &prepared.files, screen),
    };
    let swept = Swept { skews, guards };
    if let Some(problem) = nothing_to_show(&prepared, &leases, asked.format) {
        return refuse(&[problem], &prepared.files, screen);
    }
    let text = match asked.format {
        TimingFormat::Human => tables(&prepared, &leases, &swept),
        TimingFormat::Svg => leases.iter().map(|lease| svg(&swept.chart(lease))).collect(),
    };
    deliver(text.as_bytes(), asked.output.as_deref(), screen, out)?;
    Ok(if leases.iter().all(|lease| holds(&lease.times)) { Verdict::Clean } else { Verdict::Offends })
}

fn nothing_to_show(prepared: &Prepared, leases: &[TimedLease<'_>], format: TimingFormat) -> Option<Problem> {
    let problem = |message: String, help: &str| Some(Problem { message, place: None, help: help.to_owned() });
    match leases {
        [] => {
            let names: Vec<&str> =
                prepared.leases.iter().map(|&at| prepared.rules.leases[at].name.value.as_str()).collect();
            problem(
                format!("no `[lease.timing]` in the rules file: nothing is known of the times of {}", names.join(", ")),
                "write it below the lease, with `ttl`, `renew-every` and `renew-p95` at least",
            )
        }
        [_, _, ..] if format == TimingFormat::Svg => {
            problem("a chart shows one lease".to_owned(), "choose one with `--lease NAME`")
        }
        _ => None,
    }
}

/// Whether no time is denied: what is at warn is told and goes.
fn holds(times: &LeaseTimes) -> bool {
    shortfalls(times).iter().all(|shortfall| shortfall.level() < Level::Deny)
        && band(times).is_none_or(|band| band.two.is_none())
}

/// What is swept over, as asked for.
struct Swept {
    skews: Option<RangeInclusive<i64>>,
    guards: Option<RangeInclusive<i64>>,
}

impl Swept {
    /// Within the bound, if nothing was asked for; over a tenth of the ttl where there is none.
    fn skews(&self, times: &LeaseTimes) -> RangeInclusive<i64> {
        let usual = || {
            let bound = times.skew.map_or(nanos(times.ttl) / 10, nanos);
            -bound..=bound
        };
        self.skews.clone().unwrap_or_else(usual)
    }

    /// If nothing was asked for: none, the lease's own, and the smallest that is enough.
    fn guards(&self, times: &LeaseTimes) -> Vec<i64> {
        if let Some(guards) = &self.guards {
            return points(guards.clone(), GUARDS);
        }
        let skews = self.skews(times);
        let expiry = nanos(times.ttl);
        let smallest = smallest_guard(expiry, *skews.start()).max(smallest_guard(expiry, *skews.end()));
        let mut guards = vec![0, nanos(times.guard), smallest];
        guards.sort_unstable();
        guards.dedup();
        guards
    }

    fn chart(&self, lease: &TimedLease<'_>) -> Chart {
        let times = &lease.times;
        // A little beyond the bound, so that it is seen what it costs to be wrong about it.
        let (from, to) = self.skews(times).into_inner();
        let skews = if self.skews.is_some() { from..=to } else { from + from / 4..=to + to / 4 };
        Chart {
            title: lease.lease.name.value.clone(),
            expiry: nanos(times.ttl),
            skews,
            guards: self.guards(times),
            bound: times.skew.map(nanos),
            max_gap: times.max_gap.map(nanos),
        }
    }
}

fn tables(prepared: &Prepared, leases: &[TimedLease<'_>], swept: &Swept) -> String {
    let bar_width = columns().unwrap_or(100).saturating_sub(BEFORE_BAR).clamp(8, 40);
    let mut lines = Vec::new();
    for &number in &prepared.leases {
        let name = &prepared.rules.leases[number].name.value;
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let Some(lease) = leases.iter().find(|lease| lease.lease.name.value == *name) else {
            lines.push(format!("lease `{}` has no [lease.timing]", visible(name)));
            continue;
        };
        let times = &lease.times;
        lines.push(format!("lease `{}`", visible(name)));
        lines.extend(budget_table(times));
        lines.push(String::new());
        match band(times) {
            Some(band) => lines.extend(band_lines(&band)),
            None => {
                lines.push("  no `clock-skew` in the rules file: nobody knows how far the clocks are apart".to_owned())
            }
        }
        lines.push(String::new());
        lines.push("a handover while the holder's clock is behind (+) or ahead (-): █ two leaders, ░ none".to_owned());
        let expiry = nanos(times.ttl);
        let found = sweep(expiry, &points(swept.skews(times), SKEWS), &swept.guards(times), None);
        lines.extend(sweep_table(expiry, &found, bar_width));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}
