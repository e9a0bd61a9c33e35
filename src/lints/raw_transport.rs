//! `raw-transport`: a socket, a process or a foreign function.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "raw-transport",
    level: Level::Deny,
    docs: Docs {
        summary: r"
The lease path opens a socket, speaks to a broker, or runs foreign code.
",
        what_it_does: r"
Reports what the pack `transports` lists where reached code names it: sockets
of the standard library and of async runtimes, message brokers, RPC, spawned
processes, foreign functions, dynamic loading and embedded interpreters. That
is how a sidecar is spoken to when no client crate is wanted.

Of libc and its like, only the functions that open, connect, bind or execute
are listed; `getpid` is not. A function of an `extern` block is reported where
it is called or named. Transports are looked for in source only, not in
dependency chains, since every async runtime holds one.

The subject is the full path that is named, from the crate's name:
`std::os::unix::net::UnixStream`, `rdkafka::Producer`.
",
        why_it_matters: r"
A Unix socket to a local agent is as slow as the agent. A spawned process waits
for a scheduler and a disk. A foreign function may do anything, and an await
cannot be dropped around it. None of them knows the lease's deadline.
",
        example: r#"
```rust
use std::os::unix::net::UnixStream;

pub fn renew_with_advice(epoch: i64) -> std::io::Result<bool> {
    let sidecar = UnixStream::connect("/run/advisor.sock")?;
    ask(sidecar, epoch)
}
```
"#,
        instead: r#"
Let the coordinator be the only peer of the lease. Where the transport is how
the coordinator is reached, list the crate under `coordinators`, or declare the
local module that speaks the protocol: `coordinators = ["orders::wire"]`. A
fencing command that must run belongs behind the lease, not in it: declare it
under `workloads`.
"#,
    },
};
