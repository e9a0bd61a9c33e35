//! `expired-exception`: an exception past its date.

use super::{Docs, Judge, Ledger, Lint, judge::about_rules};
use crate::finding::{Finding, Level};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "expired-exception",
    level: Level::Deny,
    judge: Judge::Rules(judge),
    docs: Docs {
        summary: r"
An `[[exception]]` is past its `until` and no longer holds.
",
        what_it_does: r"
Compares `until` with today, in UTC; the day itself still counts. The
environment variable `SOURCE_DATE_EPOCH` sets another today, for builds that
must be repeatable. What the exception forgave is reported again beside it.
",
        why_it_matters: r"
An exception with a date is a promise. The date is when somebody looks again,
and a check that goes red is the one reminder that nobody can archive.
",
        example: r#"
```toml
[[exception]]
lint = "forbidden-dependency"
subject = "hyper"
reason = "the metrics shim is being moved out"
until = 2026-01-31
```
"#,
        instead: r"
Take the offence out, and the exception with it. If it needs longer, say why in
`reason` and set a new date: that is a change which somebody reviews.
",
    },
};

fn judge(ledger: &Ledger<'_>) -> Vec<Finding> {
    let expired = ledger.exceptions.iter().filter_map(|(exception, _)| {
        let until = exception.until.as_ref().filter(|until| until.value < ledger.today)?;
        let lease = exception.lease.as_ref().map_or("", |lease| &lease.value);
        let message = format!("the exception for `{}` ended on {}", exception.subject.value, until.value);
        let help =
            "take the offence out and the exception with it, or say in `reason` why it needs longer and set a new date";
        Some(about_rules(&LINT, lease, &exception.subject.value, until, message, help.to_owned()))
    });
    expired.collect()
}
