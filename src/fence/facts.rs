//! What a condition is known to say of a lease's row.

use std::collections::{BTreeMap, BTreeSet};

/// What is known of a row of the lease's table, or asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Facts(u8);

impl Facts {
    pub(super) const NONE: Self = Self(0);
    /// Which lease it is: some key column equals a value.
    pub(super) const NAME: Self = Self(1);
    /// Held by the writer: the holder column equals a value of the writer's.
    pub(super) const HOLDER: Self = Self(1 << 1);
    /// The epoch is the writer's, or an older one.
    pub(super) const EPOCH: Self = Self(1 << 2);
    /// Not expired.
    pub(super) const UNEXPIRED: Self = Self(1 << 3);
    /// Expired.
    pub(super) const EXPIRED: Self = Self(1 << 4);
    /// Held by nobody.
    pub(super) const FREE: Self = Self(1 << 5);

    /// All that a write must ask for.
    pub(super) const HELD: Self = Self(Self::NAME.0 | Self::HOLDER.0 | Self::EPOCH.0 | Self::UNEXPIRED.0);

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What both say.
    pub(super) const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// How much of what a write must ask for is there.
    pub(super) const fn of_held(self) -> u32 {
        (self.0 & Self::HELD.0).count_ones()
    }

    /// In words, what of [`Facts::HELD`] is missing.
    pub(super) fn missing(self) -> String {
        let words = [
            (Self::NAME, "its name"),
            (Self::HOLDER, "its holder"),
            (Self::EPOCH, "its epoch"),
            (Self::UNEXPIRED, "its expiry"),
        ];
        let missing: Vec<_> = words.into_iter().filter(|(fact, _)| !self.has(*fact)).map(|(_, word)| word).collect();
        match missing.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [init @ .., last] => format!("{} and {last}", init.join(", ")),
        }
    }
}

/// A relation in scope: how deep the scope lies, and which of it.
pub(super) type RelationId = (usize, usize);

/// One way in which a condition can hold, with what is known then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Branch {
    /// Whether a lease's row is there as the writer must hold it.
    pub(super) is_held: bool,
    /// What is known of rows of the lease's table.
    pub(super) facts: BTreeMap<RelationId, Facts>,
    /// The fence columns of the written table that are compared with the writer's epoch, with its spelling; or
    /// that are NULL.
    pub(super) own: BTreeMap<String, Own>,
    /// The writer's values that the lease's epoch is less than, by spelling.
    pub(super) above_epoch: BTreeSet<String>,
}

/// How a fence column of the written table is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// It is at most a value of the writer's: its spelling, where it has one.
    AtMost(Option<String>),
    /// It is a value of the writer's.
    Same(Option<String>),
    /// It is NULL: nobody has written under a fence.
    Unset,
}

impl Branch {
    /// What both conditions say.
    fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.is_held |= other.is_held;
        for (id, facts) in &other.facts {
            both.add(*id, *facts);
        }
        both.own.extend(other.own.iter().map(|(column, own)| (column.clone(), own.clone())));
        both.above_epoch.extend(other.above_epoch.iter().cloned());
        both
    }

    pub(super) fn add(&mut self, id: RelationId, facts: Facts) {
        let known = self.facts.entry(id).or_default();
        *known = known.and(facts);
    }

    /// What is known of one row.
    pub(super) fn of(&self, id: RelationId) -> Facts {
        self.facts.get(&id).copied().unwrap_or_default()
    }

    /// Whether the writer is known to hold the lease.
    pub(super) fn holds(&self) -> bool {
        self.is_held || self.facts.values().any(|facts| facts.has(Facts::HELD))
    }
}

/// The ways in which a condition can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branches(pub(super) Vec<Branch>);

/// The most ways that are followed; beyond it only what all have in common is kept.
const MOST: usize = 64;

impl Branches {
    /// A condition of which nothing is known.
    pub(super) fn unknown() -> Self {
        Self(vec![Branch::default()])
    }

    pub(super) fn of(branch: Branch) -> Self {
        Self(vec![branch])
    }

    pub(super) fn and(self, other: &Self) -> Self {
        Self(self.0.iter().flat_map(|one| other.0.iter().map(|two| one.and(two))).collect()).bounded()
    }

    pub(super) fn or(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self.bounded()
    }

    /// What all ways have in common, as one way. A condition that never holds has all.
    pub(super) fn common(&self) -> Branch {
        let mut branches = self.0.iter();
        let Some(first) = branches.next() else { return Branch { is_held: true, ..Branch::default() } };
        let mut common = first.clone();
        for branch in branches {
            common.is_held = common.holds() && branch.holds();
            for (id, facts) in &mut common.facts {
                *facts = facts.common(branch.of(*id));
            }
            common.own.retain(|column, own| branch.own.get(column) == Some(own));
            common.above_epoch.retain(|value| branch.above_epoch.contains(value));
        }
        common
    }

    /// Whether every way satisfies.
    pub(super) fn all(&self, holds: impl Fn(&Branch) -> bool) -> bool {
        self.0.iter().all(holds)
    }

    fn bounded(self) -> Self {
        if self.0.len() <= MOST { self } else { Self(vec![self.common()]) }
    }
}

/// Something that looks like a guard and is none, or only half of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Miss {
    EpochWrongWay,
    EpochOfRow,
    EpochOfItself,
    OwnWrongWay,
    OwnCurrent,
    OwnNotStored,
    OwnLowered,
    LooseExpiry,
    EarlyExpiry,
    FrozenNow,
    AlwaysARow,
    OuterJoin,
    OnlyOnConflict,
    Unqualified,
    Unlocked,
    AdvisoryLock,
    SeveralNames,
}

impl Miss {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::EpochWrongWay => "`>=` on the lease's epoch lets every older writer through",
            Self::EpochOfRow => {
                "the lease's epoch is compared with a column, not with the epoch that the writer was granted"
            }
            Self::EpochOfItself => "the lease's epoch is compared with what was just read from the lease's table",
            Self::OwnWrongWay => "the fence column is compared the wrong way round: it lets the older epoch through",
            Self::OwnCurrent => {
                "the fence column is compared with the epoch that the lease has now, not with the one that was granted"
            }
            Self::OwnNotStored => {
                "the fence column is compared but not set, so that the next stale write is not refused"
            }
            Self::OwnLowered => "the fence column is set to something else than the epoch that it was compared with",
            Self::LooseExpiry => "an expiry in the past is let through by the time that is added or taken off",
            Self::EarlyExpiry => "a lease counts as expired before it is, by the time that is added or taken off",
            Self::FrozenNow => "the string 'now' is the time at which the statement was prepared",
            Self::AlwaysARow => "a query that counts or sums gives a row also where the lease is not held",
            Self::OuterJoin => "an outer join keeps the rows for which no lease is held",
            Self::OnlyOnConflict => "the condition guards only the update, not the row that is inserted",
            Self::Unqualified => "a column without its table could be either table's: qualify it",
            Self::Unlocked => {
                "the query that finds the row takes no lock (`FOR UPDATE`), so that two at once find the same one"
            }
            Self::AdvisoryLock => "an advisory lock tells nothing of the epoch",
            Self::SeveralNames => "more than one lease is let through by its name",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_in_words() {
        assert_eq!(Facts::NAME.and(Facts::UNEXPIRED).missing(), "its holder and its epoch");
        assert_eq!(Facts::NONE.missing(), "its name, its holder, its epoch and its expiry");
        assert_eq!(Facts::HELD.missing(), "");
    }

    #[test]
    fn ways_multiply_and_are_bounded() {
        let with = |facts| Branches::of(Branch { facts: [((0, 0), facts)].into(), ..Branch::default() });
        let either = with(Facts::NAME).or(with(Facts::NAME.and(Facts::HOLDER)));
        let mut all = either.clone();
        for _ in 0..40 {
            all = all.and(&either);
        }
        assert!(all.0.len() <= MOST);
        assert_eq!(all.common().of((0, 0)), Facts::NAME);
        // The two halves of a condition add up.
        let whole =
            with(Facts::HELD.common(Facts::NAME)).and(&with(Facts::HOLDER.and(Facts::EPOCH).and(Facts::UNEXPIRED)));
        assert!(whole.all(Branch::holds));
    }
}
