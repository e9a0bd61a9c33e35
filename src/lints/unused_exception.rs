//! `unused-exception`: an exception that forgives nothing.

use super::{Docs, Judge, Ledger, Lint, judge::about_rules};
use crate::{
    config::Exception,
    finding::{Finding, Level},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unused-exception",
    level: Level::Warn,
    judge: Judge::Rules(judge),
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

fn judge(ledger: &Ledger<'_>) -> Vec<Finding> {
    let unused = ledger.exceptions.iter().filter(|(exception, used)| {
        *used == 0 && exception.until.as_ref().is_none_or(|until| until.value >= ledger.today)
    });
    let say = |(exception, _): &(&Exception, usize)| {
        let subject = &exception.subject;
        let lease = exception.lease.as_ref().map_or("", |lease| &lease.value);
        let message =
            format!("the exception for `{}` under `{}` forgives nothing", subject.value, exception.lint.value);
        about_rules(
            &LINT,
            lease,
            &subject.value,
            subject,
            message,
            "remove it: what it was for is gone, or it is misspelt".to_owned(),
        )
    };
    unused.map(say).collect()
}
