//! The figures of a lease as tables for a terminal: plain text, aligned, without colour.

use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use super::{Band, LeaseTimes, Point, bars, budget, shortfalls, smallest_guard};
use crate::base::{show_duration, show_signed_nanos, visible};

/// Cells in columns. Whatever stands in a cell is made visible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The first row may be the columns' heads.
    rows: Vec<Vec<String>>,
    /// For each column, whether it keeps to the right, as figures do. Further columns keep to the left.
    is_right: Vec<bool>,
}

impl Table {
    /// An empty table; one word a column, `>` for those that keep to the right.
    pub fn new(sides: &str) -> Self {
        Self { rows: Vec::new(), is_right: sides.chars().map(|c| c == '>').collect() }
    }

    /// Adds a row.
    pub fn row<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(|cell| visible(cell.as_ref()).into_owned()).collect());
    }

    /// The lines, each indented by two and without blanks at its end.
    pub fn lines(&self) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |at: usize| self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width()).max();
        let widths: Vec<_> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
        let line = |row: &Vec<String>| {
            let mut line = String::new();
            for ((cell, width), at) in row.iter().zip(&widths).zip(0..) {
                let blanks = " ".repeat(width - cell.width());
                let (before, behind) =
                    if self.is_right.get(at) == Some(&true) { (&*blanks, "") } else { ("", &*blanks) };
                line.push_str("  ");
                line.push_str(before);
                line.push_str(cell);
                line.push_str(behind);
            }
            line.truncate(line.trim_end().len());
            line
        };
        self.rows.iter().map(line).collect()
    }
}

/// The sums of a lease: its times, what they come to, and how many renewals may be lost.
pub fn budget_table(times: &LeaseTimes) -> Vec<String> {
    let mut table = Table::new("<><");
    let half = format!("at most half the ttl, {}", show_duration(times.ttl / 2));
    let wait = |p95: Duration| if p95.saturating_mul(2) > times.ttl { format!("NO: {half}") } else { half.clone() };
    let mut row = |name: &str, time: Duration, note: &str| table.row([name, &show_duration(time), note]);
    row("ttl", times.ttl, "");
    row("renew-every", times.renew_every, "");
    row("renew-p95", times.renew_p95, &wait(times.renew_p95));
    for step in &times.steps {
        row(&format!("step {}", step.name), step.p95, &wait(step.p95));
    }
    row("guard", times.guard, "");
    let budget = budget(times);
    let note = match budget.spare {
        Some(spare) => format!("less than the ttl, {} to spare", show_duration(spare)),
        None => "NO: not less than the ttl".to_owned(),
    };
    row("a round, with the guard", budget.spent, &note);
    let (lost, note) = match budget.may_be_lost {
        Some(0) => ("0".to_owned(), "one lost renewal loses the lease"),
        Some(lost) => (lost.to_string(), "in a row, with the lease still held"),
        None => ("none".to_owned(), "NO: even an answered one is too late"),
    };
    table.row(["renewals that may be lost", &lost, note]);
    let mut lines = table.lines();
    lines.extend(shortfalls(times).iter().map(|s| format!("  {}: {s}", s.level().word())));
    lines
}

/// A sweep as a table, one row a handover, with a bar for the longer of the two times: filled for two
/// leaders, hatched for none. `expiry` is that of the sweep.
pub fn sweep_table(expiry: i64, points: &[Point], bar_width: usize) -> Vec<String> {
    let time = |nanos: i64| if nanos == 0 { "-".to_owned() } else { show_signed_nanos(nanos, false) };
    let mut table = Table::new(">>>>>");
    table.row(["guard", "skew", "two leaders", "none", "smallest guard"]);
    for point in points {
        table.row([
            show_signed_nanos(point.guard, false),
            show_signed_nanos(point.skew, true),
            time(point.tally.overlap),
            time(point.tally.gap),
            show_signed_nanos(smallest_guard(expiry, point.skew), false),
        ]);
    }
    let mut lines = table.lines();
    for (line, bar) in lines.iter_mut().skip(1).zip(bars(points, bar_width)) {
        if !bar.is_empty() {
            line.push_str("  ");
            line.push_str(&bar);
        }
    }
    lines
}

/// The verdict within the bound, in lines for the terminal.
pub fn band_lines(band: &Band) -> Vec<String> {
    let smallest = show_signed_nanos(band.smallest_guard, false);
    vec![format!("  {band}"), format!("  the smallest guard without two leaders is {smallest}")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::{Wait, nanos, sweep};

    #[test]
    fn the_sums_of_the_documented_lease() {
        insta::assert_snapshot!(budget_table(&LeaseTimes::sample()).join("\n"));
    }

    #[test]
    fn the_sums_of_a_lease_that_does_not_add_up() {
        let mut times = LeaseTimes { ttl: Duration::from_millis(60), ..LeaseTimes::sample() };
        times.steps.push(Wait { name: "fs\u{1b}[31mync\nlong 日本".to_owned(), p95: Duration::from_millis(31) });
        insta::assert_snapshot!(budget_table(&times).join("\n"));
    }

    #[test]
    fn a_sweep_with_its_bars() {
        let times = LeaseTimes::sample();
        let skews: Vec<_> = (-2..=4).map(|n| n * 100_000_000).collect();
        let points = sweep(nanos(times.ttl), &skews, &[0, 100_000_000], None);
        insta::assert_snapshot!(sweep_table(nanos(times.ttl), &points, 24).join("\n"));
    }

    #[test]
    fn the_verdict_of_the_documented_lease() {
        let band = super::super::band(&LeaseTimes::sample()).unwrap();
        insta::assert_snapshot!(band_lines(&band).join("\n"));
    }
}
