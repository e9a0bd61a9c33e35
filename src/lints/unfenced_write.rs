//! `unfenced-write`: a write to a protected table that a stale holder can make.

use super::{Case, Docs, Draft, Judge, Lint};
use crate::{
    config::Fence,
    fence::SqlKind,
    finding::{Level, Problem},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unfenced-write",
    level: Level::Deny,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
SQL writes to a protected table without the lease's fence.
",
        what_it_does: r#"
Reads the SQL of all local packages, on the lease path or not: string literals,
`concat!`, the arguments of macros such as `sqlx::query!`, and files taken in
by `include_str!` or `query_file!`. Reports each INSERT, UPDATE, DELETE, MERGE,
COPY or TRUNCATE on a table under `protects` that does neither of these:

- ask for the lease's row, by its name, holder, epoch and unexpired, in the
  statement itself: an `EXISTS`, a join, `UPDATE ... FROM`, a CTE;
- compare a fence column of the written table (`epoch <= $1`) and set it, so
  that it only rises.

Every way through the condition counts: an `OR` past the fence is a way round.
A `SELECT` before the write refuses nothing, also in the same transaction. The
subject is the table, as the rules file writes it. Leases that live in etcd,
Kubernetes or Consul have no SQL: without `[lease.fence]` nothing is judged.
SQL that a query builder puts together at run time cannot be seen.
"#,
        why_it_matters: r"
A holder can be stopped for longer than its lease: by a full disk, a paused
virtual machine, a long collection. It wakes up and sends the write that it
was about to send. By then another may hold the lease. Only storage can refuse
that write, and only by something that the writer brought along from before:
its epoch, the fencing token.
",
        example: r#"
```rust
client.execute("UPDATE orders SET state = $2 WHERE id = $1", &[&id, &state])
```
"#,
        instead: r#"
Let the statement ask for the lease that the writer was granted:

```sql
UPDATE orders SET state = $2
WHERE id = $1 AND EXISTS (
  SELECT 1 FROM worker_leases
  WHERE name = $3 AND holder = $4 AND epoch = $5 AND expires_at > now()
  FOR SHARE)
```

No row written means that the lease is gone: stand down. A table that is not
under the lease does not belong under `protects`.
"#,
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let Some(fence) = &case.lease.fence else { return Ok(Vec::new()) };
    let unfenced = case.sql.found.iter().filter(|(_, finding)| finding.kind == SqlKind::UnfencedWrite);
    let draft = |(span, finding): &(_, crate::fence::SqlFinding)| {
        let message = format!("`{}` is written without the lease's fence: {}", finding.table, finding.why);
        Draft::new(&*finding.table, *span, message, "a stale holder can make this write")
            .help(help(fence, &finding.why))
    };
    Ok(unfenced.map(draft).collect())
}

fn help(fence: &Fence, why: &str) -> String {
    let Fence { table, holder, epoch, expires, .. } = fence;
    let asked = format!(
        "EXISTS (SELECT 1 FROM {} WHERE <its name> AND {} = $h AND {} = $e AND {} > now())",
        table.value, holder.value, epoch.value, expires.value
    );
    let how = if why.contains("this INSERT") {
        format!("let the INSERT select what it writes: `INSERT ... SELECT ... WHERE {asked}`")
    } else if why.contains("this COPY") || why.contains("this TRUNCATE") {
        format!("it can have no condition; write by a statement that has: `INSERT ... SELECT ... WHERE {asked}`")
    } else {
        format!("let the statement itself ask for the lease: `AND {asked}`")
    };
    format!("{how}, and stand down where no row is written")
}
