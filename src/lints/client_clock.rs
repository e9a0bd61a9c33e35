//! `client-clock`: a wall clock of one's own.

use super::{Case, Docs, Draft, Judge, Lint, case::package_name};
use crate::{
    fence::SqlKind,
    finding::{Level, Problem},
    reach::{EventKind, Role},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "client-clock",
    level: Level::Warn,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
A lease item reads a wall clock of its own where the coordinator's should
judge.
",
        what_it_does: r"
Reports where a selected item reads the time of day:
`std::time::SystemTime::now`, `chrono::Utc::now` and `chrono::Local::now`,
`time::OffsetDateTime::now_utc` and `now_local`, `jiff::Timestamp::now` and
`jiff::Zoned::now`, also through another crate's re-export that spells the
library's name (`k8s_openapi::jiff::Timestamp::now`). The monotonic `Instant` is
not reported: it measures a span, and that is what a holder needs.

Only the items that the rules file selects are looked at, not what they reach.
The subject is the full path.

With `[lease.fence]`, also SQL on the lease's table, anywhere in the local
packages, that compares the expiry with a time that the program brings along,
or sets it to one. The subject is the table.
",
        why_it_matters: r"
Two machines never agree on the time of day, and one of them may be set back by
an hour. A holder that compares its own clock with an expiry written by another
machine can believe in a lease that the coordinator gave away long ago, or
steal one that is still held.
",
        example: r"
```rust
pub fn expired(row: &LeaseRow) -> bool {
    row.expires_at < chrono::Utc::now()
}
```
",
        instead: r"
Let the coordinator compare: `WHERE expires_at < now()` in SQL, a TTL in etcd
or Redis, a session in Consul or ZooKeeper. To know how long the holder itself
may still act, take an `Instant` before the renewal is sent and count from
there, less a margin for the drift of two clocks.

A wall clock in a log line is harmless. Read it outside of the lease's items,
or allow the lint for that file with an `[[exception]]`.
",
    },
};

/// Readings of a wall clock: the package, and the last segments of the path.
const CLOCKS: [(&str, &[&str]); 7] = [
    ("std", &["SystemTime", "now"]),
    ("chrono", &["Utc", "now"]),
    ("chrono", &["Local", "now"]),
    ("time", &["OffsetDateTime", "now_utc"]),
    ("time", &["OffsetDateTime", "now_local"]),
    ("jiff", &["Timestamp", "now"]),
    ("jiff", &["Zoned", "now"]),
];

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    for (id, _, event, span) in case.events().filter(|(id, ..)| case.is_selected(*id)) {
        let (path, uses) = match event {
            EventKind::Outside { path, uses, role: Role::Code } => (path, uses.as_ref()),
            EventKind::OfAlias { path } => (path, [].as_slice()),
            _ => continue,
        };
        let segments: Vec<&str> = path.segments.iter().map(|segment| &**segment).collect();
        // A re-export's path spells the library's name: `k8s_openapi::jiff::Timestamp::now`.
        let is_clock = |(library, end): &(&str, &[&str])| {
            let own = package_name(&path.krate) == Some(library);
            segments.strip_suffix(*end).is_some_and(|before| own || *library != "std" && before.contains(library))
        };
        if CLOCKS.iter().any(is_clock) {
            let message = format!("the lease reads a clock of its own: `{path}`");
            let draft = Draft::new(path.to_string(), span, message, "this machine's wall clock");
            let help = "let the coordinator's clock judge (`now()` in SQL, a TTL it keeps); count the holder's own time with `Instant`";
            drafts.push(draft.at(id, uses).help(help));
        }
    }
    drafts.extend(of_sql(case));
    Ok(drafts)
}

fn of_sql(case: &Case<'_>) -> impl Iterator<Item = Draft> {
    let clocks = case.sql.found.iter().filter(|(_, finding)| finding.kind == SqlKind::ClientClock);
    clocks.map(|(span, finding)| {
        let message = format!("SQL on `{}` is judged by a clock of its client's: {}", finding.table, finding.why);
        Draft::new(&*finding.table, *span, message, "this time comes from the program")
            .help("let the database say what time it is: `now()`, or `now() + $1::interval` for a time to live")
    })
}
