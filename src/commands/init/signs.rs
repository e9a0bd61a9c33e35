//! What speaks for a lease: in the name of a module, and in its code.
//!
//! A lease has a holder, an expiry and an epoch, and is acquired, renewed and released. Code that
//! speaks of most of these, in a module whose name says so, is taken; less is only told. The lists are
//! ordered by what they are about; a word more in one of them needs no other change.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;

use crate::{
    config::Packs,
    project::{Package, same_name},
};

use super::words::words;

const HOLDER: &[&str] = &[
    "holder",
    "holders",
    "leader",
    "locked_by",
    "held_by",
    "claimed_by",
    "lease_owner",
    "lock_owner",
    "owner_id",
    "worker_id",
    "instance_id",
    "candidate_id",
];
const EXPIRY: &[&str] = &[
    "ttl",
    "expires",
    "expires_at",
    "expired",
    "expiry",
    "expiration",
    "expire",
    "lease_duration",
    "lock_until",
    "locked_until",
    "lease_until",
    "held_until",
    "visibility_timeout",
    "validity_time",
];
const ACQUIRE: &[&str] =
    &["acquire", "acquired", "acquires", "try_lock", "campaign", "claim", "claimed", "take_over", "takeover", "grant"];
const RENEW: &[&str] =
    &["renew", "renewal", "renewed", "renews", "keep_alive", "keepalive", "heartbeat", "extend_lock", "extend"];
const RELEASE: &[&str] = &["release", "released", "releases", "unlock", "resign", "step_down", "revoke"];
const FENCING: &[&str] = &["epoch", "fencing", "fencing_token", "fence", "lease_transitions"];
const SUBJECT: &[&str] = &[
    "lease",
    "leases",
    "leadership",
    "elector",
    "election",
    "elections",
    "leader_election",
    "distributed_lock",
    "advisory_lock",
    "redlock",
];

/// How leases are commonly stored: what the code says, and what that is.
const IDIOMS: &[(&str, &str)] = &[
    ("pg_advisory_lock", "advisory locks of PostgreSQL"),
    ("pg_advisory_xact_lock", "advisory locks of PostgreSQL"),
    ("pg_try_advisory_lock", "advisory locks of PostgreSQL"),
    ("pg_try_advisory_xact_lock", "advisory locks of PostgreSQL"),
    ("pg_advisory_unlock", "advisory locks of PostgreSQL"),
    ("skip_locked", "`FOR UPDATE SKIP LOCKED`"),
    ("select_get_lock", "`GET_LOCK` of MySQL"),
    ("set_nx", "`SET NX` of Redis"),
    ("nx", "`SET NX` of Redis"),
    ("setnx", "`SETNX` of Redis"),
    ("lease_grant", "leases of etcd"),
    ("lease_keep_alive", "leases of etcd"),
    ("lease_spec", "leases of Kubernetes"),
    ("coordination_v1", "leases of Kubernetes"),
    ("lock_session", "sessions of Consul"),
    ("session_create", "sessions of Consul"),
    ("ephemeral_sequential", "ephemeral nodes of ZooKeeper"),
    ("attribute_not_exists", "conditional writes to DynamoDB"),
];

/// Parts of a module's name, from those that say it to those that allow it.
const STRONG: &[&str] = &[
    "lease",
    "leases",
    "leasing",
    "leader",
    "leaders",
    "leadership",
    "elector",
    "election",
    "elections",
    "fencing",
    "dlock",
    "redlock",
    "distributed_lock",
    "advisory_lock",
];
const MEDIUM: &[&str] = &["lock", "locks", "locking", "locker", "claim", "claims", "ownership", "heartbeat", "fence"];
const WEAK: &[&str] =
    &["queue", "scheduler", "worker", "runner", "coordinator", "coordination", "jobs", "job", "lock_task"];

/// Names whose code is about a lease without being one.
const ASIDE: &[&str] = &["test", "tests", "mock", "mocks", "fake", "example", "examples", "bench", "pb", "proto"];

/// How much a name says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Nothing.
    #[default]
    None,
    /// What often comes with a lease.
    Weak,
    /// What may be one.
    Medium,
    /// What is one.
    Strong,
}

/// What a path's last names say, and which word it was.
pub(super) fn name_strength(name: &str) -> (Strength, Option<&'static str>) {
    let spelt = words(name);
    let has = |word: &&&str| spelt.contains(&format!("_{word}_"));
    let lists = [(STRONG, Strength::Strong), (MEDIUM, Strength::Medium), (WEAK, Strength::Weak)];
    let found = lists.iter().find_map(|(list, strength)| Some((*strength, *list.iter().find(has)?)));
    found.map_or((Strength::None, None), |(strength, word)| (strength, Some(word)))
}

/// Whether a name says that the code is about something else's lease.
pub(super) fn is_aside(name: &str) -> bool {
    let spelt = words(name);
    ASIDE.iter().any(|word| spelt.contains(&format!("_{word}_")))
}

/// How sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sure {
    /// Nothing that is worth a line.
    No,
    /// Worth a look.
    Perhaps,
    /// A lease.
    Yes,
}

/// What some code says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    holder: bool,
    expiry: bool,
    /// Acquired, renewed, released.
    acts: [bool; 3],
    fencing: bool,
    subject: bool,
    idioms: BTreeSet<&'static str>,
    /// Packages of the coordinators' pack that it names, and whether each exists to hold leases.
    coordinators: BTreeMap<String, bool>,
}

impl Seen {
    /// What this says and what the other does.
    pub(super) fn join(&mut self, other: &Self) {
        self.holder |= other.holder;
        self.expiry |= other.expiry;
        self.fencing |= other.fencing;
        self.subject |= other.subject;
        self.acts.iter_mut().zip(other.acts).for_each(|(ours, theirs)| *ours |= theirs);
        self.idioms.extend(&other.idioms);
        self.coordinators.extend(other.coordinators.clone());
    }

    /// Without the coordinators that the package's manifest does not name: a module called `consul`
    /// is no crate.
    pub(super) fn within(mut self, package: &Package) -> Self {
        let declared = |name: &str| package.dependencies.iter().any(|of| same_name(&of.package, name));
        self.coordinators.retain(|name, _| declared(name));
        self
    }

    /// Whether it says anything of a lease at all.
    pub(super) fn speaks(&self) -> bool {
        self.content() > 0
    }

    fn content(&self) -> u32 {
        let acts = self.acts.iter().filter(|act| **act).count();
        let parts = [self.holder, self.expiry, self.fencing, self.subject];
        u32::try_from(acts + parts.into_iter().filter(|part| *part).count()).unwrap_or_default()
    }

    /// How sure it is that this code, under a name that says so much, is a lease; and what candidates
    /// are ordered by.
    pub(super) fn judge(&self, name: Strength) -> (Sure, u32) {
        let content = self.content();
        let idioms = u32::try_from(self.idioms.len().min(2)).unwrap_or_default();
        let stored = !self.idioms.is_empty() || self.coordinators.values().any(|of_leases| *of_leases);
        let talks = !self.coordinators.is_empty();
        let score = 3 * name as u32 + content + 3 * idioms + 2 * u32::from(talks);
        // An object that is lent out is acquired and released too; a lease belongs to somebody, ends, or
        // is stored somewhere.
        let of_somebody = self.holder || self.expiry || self.fencing || stored || talks;
        let yes = match name {
            Strength::Strong => (content >= 3 && of_somebody) || (content >= 1 && talks),
            Strength::Medium => content >= 3 && (stored || talks || content >= 6),
            Strength::Weak => content >= 3 && stored,
            Strength::None => content >= 4 && stored,
        };
        let perhaps = stored
            || (name == Strength::Strong && content >= 1)
            || (name >= Strength::Weak && content >= 2 && talks)
            || (score >= 8 && content >= 2);
        let sure = if yes {
            Sure::Yes
        } else if perhaps {
            Sure::Perhaps
        } else {
            Sure::No
        };
        (sure, score)
    }

    /// What was found, as a reader is told: a few words, without a full stop.
    pub(super) fn words(&self) -> String {
        let mut said = Vec::new();
        let nouns = [(self.holder, "a holder"), (self.expiry, "an expiry"), (self.fencing, "an epoch or fence")];
        let nouns: Vec<&str> = nouns.into_iter().filter_map(|(has, noun)| has.then_some(noun)).collect();
        if !nouns.is_empty() {
            said.push(format!("speaks of {}", joined(&nouns)));
        }
        let verbs = ["acquires", "renews", "releases"];
        let verbs: Vec<&str> = verbs.into_iter().zip(self.acts).filter_map(|(verb, has)| has.then_some(verb)).collect();
        if !verbs.is_empty() {
            said.push(joined(&verbs));
        }
        if !self.idioms.is_empty() {
            said.push(format!("uses {}", joined(&self.idioms.iter().copied().collect::<Vec<_>>())));
        }
        said.join("; ")
    }
}

fn joined(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[derive(Clone, Debug)]
enum Sign {
    Holder,
    Expiry,
    Act(usize),
    Fencing,
    Subject,
    Idiom(&'static str),
    Coordinator { package: String, of_leases: bool },
}

/// All signs, ready to be looked for.
#[derive(Debug)]
pub(super) struct Signs {
    finder: AhoCorasick,
    signs: Vec<Sign>,
}

impl Signs {
    /// The signs above, and the coordinators of the packs.
    pub(super) fn new(packs: &Packs) -> anyhow::Result<Self> {
        let lists = [
            (HOLDER, Sign::Holder),
            (EXPIRY, Sign::Expiry),
            (ACQUIRE, Sign::Act(0)),
            (RENEW, Sign::Act(1)),
            (RELEASE, Sign::Act(2)),
            (FENCING, Sign::Fencing),
            (SUBJECT, Sign::Subject),
        ];
        let mut found: Vec<(String, Sign)> = Vec::new();
        for (list, sign) in lists {
            found.extend(list.iter().map(|word| (format!("_{word}_"), sign.clone())));
        }
        found.extend(IDIOMS.iter().map(|(word, what)| (format!("_{word}_"), Sign::Idiom(what))));
        for coordinator in packs.coordinators().filter(|coordinator| !coordinator.name.contains('*')) {
            let why = words(&coordinator.why);
            let about = ["lock", "locks", "lease", "leases", "election"];
            let files = why.contains("_file_locks_");
            let of_leases = !files && about.iter().any(|word| why.contains(&format!("_{word}_")));
            let library = coordinator.name.replace('-', "_").to_lowercase();
            let sign = Sign::Coordinator { package: coordinator.name.clone(), of_leases };
            found.push((format!("_{library}_||"), sign));
        }
        let finder = AhoCorasick::new(found.iter().map(|(pattern, _)| pattern))?;
        Ok(Self { finder, signs: found.into_iter().map(|(_, sign)| sign).collect() })
    }

    /// What some source says.
    pub(super) fn of(&self, source: &str) -> Seen {
        let mut seen = Seen::default();
        for hit in self.finder.find_overlapping_iter(&words(source)) {
            match &self.signs[hit.pattern().as_usize()] {
                Sign::Holder => seen.holder = true,
                Sign::Expiry => seen.expiry = true,
                Sign::Act(act) => seen.acts[*act] = true,
                Sign::Fencing => seen.fencing = true,
                Sign::Subject => seen.subject = true,
                Sign::Idiom(what) => drop(seen.idioms.insert(what)),
                Sign::Coordinator { package, of_leases } => {
                    if !seen.coordinators.contains_key(package) {
                        seen.coordinators.insert(package.clone(), *of_leases);
                    }
                }
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs() -> Signs {
        Signs::new(&Packs::embedded().expect("packs")).expect("signs")
    }

    #[test]
    fn a_name_says_more_or_less() {
        assert_eq!(name_strength("order_lease"), (Strength::Strong, Some("lease")));
        assert_eq!(name_strength("leader_election").0, Strength::Strong);
        assert_eq!(name_strength("LockManager").0, Strength::Medium);
        assert_eq!(name_strength("queue").0, Strength::Weak);
        assert_eq!(name_strength("release").0, Strength::None, "no word of a word");
        assert_eq!(name_strength("leaderboard").0, Strength::None);
        assert!(is_aside("mock_lease") && !is_aside("lease"));
    }

    #[test]
    fn a_lease_is_known_by_what_it_is_made_of() {
        let lease = "pub struct Held { holder: String, epoch: i64, until: Instant }\n\
                     async fn acquire(db: &tokio_postgres::Client) {}\nasync fn renew() {}\nfn release() {}\n";
        let seen = signs().of(lease);
        assert_eq!(seen.words(), "speaks of a holder and an epoch or fence; acquires, renews and releases");
        assert_eq!(seen.judge(Strength::Strong).0, Sure::Yes);
        assert_eq!(seen.judge(Strength::Medium).0, Sure::Yes);
        assert_ne!(seen.judge(Strength::None).0, Sure::Yes, "words alone are not enough");
        let stored = signs().of(&format!("{lease} \"select pg_try_advisory_lock($1)\""));
        assert_eq!(stored.judge(Strength::None).0, Sure::Yes);
    }

    #[test]
    fn a_lock_within_the_process_is_no_lease() {
        let mutex = "use std::sync::Mutex;\npub fn acquire() {}\npub fn release() { self.inner.unlock() }\n";
        assert_ne!(signs().of(mutex).judge(Strength::Medium).0, Sure::Yes);
        assert_eq!(signs().of("pub fn training(epoch: u32) {}").judge(Strength::None).0, Sure::No);
        assert_eq!(signs().of("fn open() {}").judge(Strength::Medium).0, Sure::No);
    }
}
