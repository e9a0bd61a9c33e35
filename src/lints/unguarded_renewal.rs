//! `unguarded-renewal`: SQL that can give one lease to two.

use super::{Case, Docs, Draft, Judge, Lint};
use crate::{
    fence::{RenewalFault, SqlKind},
    finding::{Level, Problem},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unguarded-renewal",
    level: Level::Deny,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
SQL renews or takes over a lease without the condition that keeps it with one.
",
        what_it_does: r#"
Reads the SQL of all local packages, as `unfenced-write` does, and reports a
statement on the table under `[lease.fence]` that

- extends a lease without asking who holds it, or whether it has expired;
- takes a lease over without asking whether it has expired, or by what another
  statement saw, without a lock;
- ends a lease, or deletes its row, without asking who holds it or whether it
  has expired: whoever comes next takes it from a holder;
- does not raise the epoch: at a grant, and with `epoch-rises = "renewal"` at
  each renewal as well; or sets it back.

The expiry must be judged by the database's clock. The subject is the table.
"#,
        why_it_matters: r"
The row is the lease. A renewal that does not ask for its holder extends what
another was granted meanwhile; one that does not ask whether it has expired
brings back a lease that the next may already be taking. A takeover that does
not ask robs a holder who still writes. And an epoch that stays the same lets
through what the last holder still sends.
",
        example: r#"
```rust
const RENEW: &str = "UPDATE worker_leases
    SET expires_at = now() + interval '15 s' WHERE name = $1";
```
"#,
        instead: r#"
```sql
-- renew
UPDATE worker_leases SET expires_at = now() + interval '15 s'
WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > now();
-- take over
UPDATE worker_leases SET holder = $2, epoch = epoch + 1,
       expires_at = now() + interval '15 s'
WHERE name = $1 AND expires_at < now() RETURNING epoch;
```

No row means no: stand down, or wait.
"#,
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    for (span, finding) in &case.sql.found {
        let SqlKind::UnguardedRenewal(fault) = finding.kind else { continue };
        let message = format!("`{}` can be given to two: {}", finding.table, finding.why);
        drafts.push(Draft::new(&*finding.table, *span, message, label(fault)).help(help(case, fault)));
    }
    Ok(drafts)
}

const fn label(fault: RenewalFault) -> &'static str {
    match fault {
        RenewalFault::ExtendsAnyones => "extends anyone's lease",
        RenewalFault::ExtendsExpired => "extends an expired lease",
        RenewalFault::TakesUnexpired => "takes a lease that may be held",
        RenewalFault::Unlocked => "taken over without a lock",
        RenewalFault::KeepsEpoch => "the epoch does not rise",
        RenewalFault::EndsAnyones => "ends anyone's lease",
    }
}

fn help(case: &Case<'_>, fault: RenewalFault) -> String {
    let Some(fence) = &case.lease.fence else { return String::new() };
    let (holder, epoch, expires) = (&fence.holder.value, &fence.epoch.value, &fence.expires.value);
    match fault {
        RenewalFault::ExtendsAnyones | RenewalFault::ExtendsExpired => {
            format!("renew only one's own: `AND {holder} = $h AND {epoch} = $e AND {expires} > now()`")
        }
        RenewalFault::EndsAnyones => format!("end only one's own: `AND {holder} = $h AND {epoch} = $e`"),
        RenewalFault::TakesUnexpired => format!("take over only what has expired: `AND {expires} < now()`"),
        RenewalFault::Unlocked => {
            format!(
                "ask for the expiry in the UPDATE itself (`AND {expires} < now()`), or lock the row with FOR UPDATE"
            )
        }
        RenewalFault::KeepsEpoch => format!("raise it in the same statement: `{epoch} = {epoch} + 1`"),
    }
}
