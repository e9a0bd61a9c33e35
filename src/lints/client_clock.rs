//! `client-clock`: a wall clock of one's own.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "client-clock",
    level: Level::Warn,
    docs: Docs {
        summary: r"
A lease item reads a wall clock of its own where the coordinator's should
judge.
",
        what_it_does: r"
Reports where a selected item reads the time of day:
`std::time::SystemTime::now`, `chrono::Utc::now` and `chrono::Local::now`,
`time::OffsetDateTime::now_utc` and `now_local`, `jiff::Timestamp::now` and
`jiff::Zoned::now`. The monotonic `Instant` is not reported: it measures a
span, and that is what a holder needs.

Only the items that the rules file selects are looked at, not what they reach.
The subject is the full path.
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
