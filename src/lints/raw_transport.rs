//! `raw-transport`: a socket, a process or a foreign function.

use super::{Case, Docs, Draft, Judge, Lint, case::package_name};
use crate::{
    config::PackName,
    finding::{Level, Problem},
    reach::{EventKind, Target},
    resolve::{ItemId, Outside},
    source::ItemKind,
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "raw-transport",
    level: Level::Deny,
    judge: Judge::Lease(judge),
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

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    for (id, _, event, span) in case.events() {
        if !case.counts_behind(id, Some(PackName::Transports)) {
            continue;
        }
        let (subject, why, uses) = match event {
            EventKind::Outside { path, uses, .. } => match transport(case, path) {
                Some((subject, why)) => (subject, why, uses.to_vec()),
                None => continue,
            },
            EventKind::To { target: Target::Item(item), uses, .. } if is_foreign(case, *item) => {
                (case.trail.reader.item_path(*item), "a foreign function".to_owned(), uses.to_vec())
            }
            _ => continue,
        };
        let message = format!("the lease path reaches `{subject}`: {why}");
        let label = format!("`{subject}` is named here");
        let draft = Draft::new(subject, span, message, label).at(id, &uses);
        drafts.push(draft.help("a sidecar can stall as long as a server; let the lease talk to its coordinator only"));
    }
    Ok(drafts)
}

/// The subject, and why it is forbidden.
fn transport(case: &Case<'_>, path: &Outside) -> Option<(String, String)> {
    let package = package_name(&path.krate)?;
    if case.is_coordinator(package) || case.in_force.client(package).is_some() {
        return None;
    }
    let segments: Vec<&str> = path.segments.iter().map(|segment| &**segment).collect();
    let transport = case.in_force.transport(package, &segments)?;
    let full = path.to_string();
    let subject: Vec<&str> = full.split("::").take(transport.subject_segments).collect();
    Some((subject.join("::"), transport.why.to_owned()))
}

fn is_foreign(case: &Case<'_>, item: ItemId) -> bool {
    let transports = case.in_force.transport("std", &["net", "TcpStream"]).is_some();
    let foreign = match &case.trail.reader.item(item).kind {
        ItemKind::Fn(function) => function.foreign,
        ItemKind::Static { foreign, .. } => *foreign,
        _ => false,
    };
    transports && foreign
}
