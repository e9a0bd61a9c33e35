//! What the judge is told: where the lease lives, and which tables it protects.

use crate::config::{EpochRises, Fence};

/// Where a lease lives in SQL, and what its fence protects; all names ready to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenceRules {
    /// The table that holds the leases.
    pub table: TableName,
    /// Its column of who holds the lease, folded.
    pub holder: String,
    /// Its column of the fencing token, folded.
    pub epoch: String,
    /// Its column of when the lease expires, folded.
    pub expires: String,
    /// When the fencing token goes up.
    pub epoch_rises: EpochRises,
    /// The tables to which every write carries the fence.
    pub protects: Vec<TableName>,
}

impl FenceRules {
    /// From names as SQL writes them.
    pub fn new(table: &str, [holder, epoch, expires]: [&str; 3], epoch_rises: EpochRises, protects: &[&str]) -> Self {
        Self {
            table: TableName::new(table),
            holder: fold(holder),
            epoch: fold(epoch),
            expires: fold(expires),
            epoch_rises,
            protects: protects.iter().map(|name| TableName::new(name)).collect(),
        }
    }

    /// The names of all tables without their schemas, in lower case: a text without one of them is of no interest.
    pub fn words(&self) -> Vec<&str> {
        std::iter::once(&self.table).chain(&self.protects).map(TableName::last).collect()
    }

    /// Whether a column of a protected table is one of fencing tokens, by its name: that of the lease's
    /// own column, alone or at the end (`lease_epoch`), or one that speaks of an epoch or a fence.
    pub(super) fn is_fence_column(&self, column: &str) -> bool {
        // A time as Unix counts it, and versions of other things, end in the same words.
        const OTHERS: [&str; 14] = [
            "created", "updated", "modified", "inserted", "deleted", "started", "finished", "expires", "expired",
            "unix", "seen", "time", "row", "schema",
        ];
        let mut words = column.split('_');
        let ends_like_it = column.ends_with("_epoch") || column.ends_with(&format!("_{}", self.epoch));
        column == self.epoch
            || words.clone().any(|word| matches!(word, "fence" | "fencing"))
            || ends_like_it && !words.any(|word| OTHERS.contains(&word))
    }

    /// Whether the lease's column of expiry says until when (`expires_at`), not since when (`heartbeat_at`): from the
    /// latter the time to live is taken off in each comparison.
    pub(super) fn is_deadline(&self) -> bool {
        const SINCE: [&str; 15] = [
            "heart",
            "beat",
            "seen",
            "ping",
            "renewed",
            "refreshed",
            "touched",
            "updated",
            "started",
            "acquired",
            "claimed",
            "granted",
            "taken",
            "lock_at",
            "locked_at",
        ];
        !SINCE.iter().any(|word| self.expires.contains(word))
    }

    /// The protected table of that name.
    pub(super) fn protected(&self, name: &[String]) -> Option<&TableName> {
        self.protects.iter().find(|table| table.is(name))
    }

    /// The protected table of that name, or the lease's.
    pub(super) fn concerned(&self, name: &[String]) -> Option<&TableName> {
        self.protected(name).or_else(|| Some(&self.table).filter(|table| table.is(name)))
    }
}

impl From<&Fence> for FenceRules {
    fn from(fence: &Fence) -> Self {
        let protects: Vec<_> = fence.protects.iter().map(|name| name.value.as_str()).collect();
        let columns = [&*fence.holder.value, &*fence.epoch.value, &*fence.expires.value];
        Self::new(&fence.table.value, columns, fence.epoch_rises, &protects)
    }
}

/// A table's name, with its schema or without.
///
/// Names compare without regard to case and quotes: a rules file that says `Orders` means the table
/// that SQL spells `orders`, `ORDERS` or `"Orders"`, and no write to any of them should go unseen. Where one
/// side names no schema, any will do, since the search path decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName {
    /// As the rules write it.
    pub written: String,
    /// Its parts, folded.
    parts: Vec<String>,
}

impl TableName {
    fn new(written: &str) -> Self {
        Self { written: written.to_owned(), parts: written.split('.').map(fold).collect() }
    }

    /// The name without its schema, folded.
    pub(super) fn last(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// Whether a name in SQL, its parts folded, means this table.
    pub(super) fn is(&self, name: &[String]) -> bool {
        !name.is_empty() && self.parts.iter().rev().zip(name.iter().rev()).all(|(ours, theirs)| ours == theirs)
    }
}

/// A name without quotes and case.
pub(super) fn fold(name: &str) -> String {
    name.trim_matches('"').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(parts: &[&str]) -> Vec<String> {
        parts.iter().map(|part| fold(part)).collect()
    }

    #[test]
    fn a_table_is_known_in_every_spelling() {
        let plain = TableName::new("Orders");
        assert!(plain.is(&name(&["orders"])));
        assert!(plain.is(&name(&["\"ORDERS\""])));
        assert!(plain.is(&name(&["public", "orders"])));
        assert!(!plain.is(&name(&["orders", "archive"])));
        let qualified = TableName::new("ops.orders");
        assert!(qualified.is(&name(&["orders"])));
        assert!(qualified.is(&name(&["db", "ops", "orders"])));
        assert!(!qualified.is(&name(&["public", "orders"])));
        assert!(!plain.is(&[]));
    }

    #[test]
    fn fence_columns_are_told_by_name() {
        let rules = FenceRules::new("leases", ["holder", "generation", "expires_at"], EpochRises::Grant, &["orders"]);
        for column in ["generation", "lease_generation", "fence", "fencing_token", "write_epoch"] {
            assert!(rules.is_fence_column(column), "{column}");
        }
        for column in ["version", "updated_at", "regeneration", "id", "created_epoch", "updated_epoch_ms"] {
            assert!(!rules.is_fence_column(column), "{column}");
        }
        assert!(rules.is_deadline());
        assert!(!FenceRules::new("l", ["h", "e", "heartbeat_at"], EpochRises::Grant, &[]).is_deadline());
    }
}
