//! What is forbidden and what is inert in one workspace: the rules and the packs joined.
//!
//! Package names are compared with `-` and `_` alike everywhere. Paths are given as segments behind
//! the library's name: `reqwest::blocking::Client` is package `reqwest`, path `["blocking", "Client"]`.
//!
//! What `[forbid] crates` names is forbidden outright: it counts in every chain, and none of its
//! names is inert, whatever a pack says of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    Forbid, PackName, Packs, Rules,
    literals::{Entry, Literals},
    names::{PackagePattern, item_end, matches_wildcard, normal},
    packs::{CallRecord, ClientRecord, Data, InertPattern},
};

/// A forbidden client, model client or runtime: an entry of those packs or of `[forbid] crates`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client<'a> {
    /// The package, as the pack or the rules write it; for a glob of the rules, as it was asked for.
    pub package: &'a str,
    /// The pack, or none for `[forbid]`.
    pub pack: Option<PackName>,
    /// Why it is forbidden: a noun phrase, such as "an HTTP client", or the rules' reason.
    pub why: &'a str,
}

/// A raw transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transport<'a> {
    /// How many segments of the named path (the crate's name included) make the subject:
    /// `std::net::TcpStream::connect` has 3, `libloading::Library::new` 2, `libc::connect` 2.
    pub subject_segments: usize,
    /// Why it is forbidden: a noun phrase, such as "TCP and UDP sockets".
    pub why: &'a str,
}

/// A forbidden call-path fragment.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The pack, or none for `[forbid] calls`.
    pub pack: Option<PackName>,
    /// As written.
    pub fragment: &'a str,
    /// The segments: the fragment split at `.` (and `::`); `*` matches inside a segment.
    pub segments: Vec<&'a str>,
    /// Counts only in a package whose manifest names one of these packages; empty for any.
    pub crates: &'a [String],
    /// Counts only where the call is awaited.
    pub awaited: bool,
    /// Why it is forbidden: a noun phrase.
    pub why: &'a str,
}

impl Call<'_> {
    /// Where the fragment begins in a call path, if it is there: its segments must follow one another.
    pub fn position_in(&self, path: &[&str]) -> Option<usize> {
        let fits = |window: &[&str]| self.segments.iter().zip(window).all(|(a, b)| matches_wildcard(a, b));
        path.windows(self.segments.len().max(1)).position(fits)
    }

    /// Whether it counts in a package whose manifest names these packages.
    pub fn counts_beside<'p>(&self, dependencies: impl IntoIterator<Item = &'p str>) -> bool {
        let tied = |package: &str| {
            let package = normal(package);
            self.crates.iter().any(|name| normal(name) == package)
        };
        self.crates.is_empty() || dependencies.into_iter().any(tied)
    }
}

/// A forbidden literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal<'a> {
    /// The pack, or none for `[forbid] strings`.
    pub pack: Option<PackName>,
    /// As written.
    pub literal: &'a str,
    /// Why it is forbidden: a noun phrase.
    pub why: &'a str,
}

/// The joined list.
#[derive(Debug)]
pub struct InForce {
    pub(super) data: Arc<Data>,
    pub(super) packs: BTreeSet<PackName>,
    /// `[forbid] crates`: names by their normal spelling, then globs in the rules' order.
    pub(super) names: BTreeMap<String, Forbidden>,
    pub(super) globs: Vec<Forbidden>,
    pub(super) own_calls: Vec<CallRecord>,
    pub(super) literals: Literals,
}

/// One entry of `[forbid] crates`.
#[derive(Debug)]
pub(super) struct Forbidden {
    pub(super) written: String,
    pattern: PackagePattern,
    pub(super) why: String,
}

impl InForce {
    /// Joins the packs that the rules ask for with what the rules add.
    pub fn new(rules: &Rules, packs: &Packs) -> Self {
        Self::of(&rules.forbid, packs)
    }

    /// Joins the packs that `forbid` asks for with what it adds; its default where there are no rules.
    pub fn of(forbid: &Forbid, packs: &Packs) -> Self {
        let data = Arc::clone(&packs.data);
        let in_force: BTreeSet<PackName> = forbid.packs.iter().copied().collect();
        let (mut names, mut globs) = (BTreeMap::new(), Vec::new());
        for entry in &forbid.crates {
            let written = entry.name.value.clone();
            // A glob that does not parse was reported when the rules were read; here it means itself.
            let pattern = PackagePattern::new(&written).unwrap_or_else(|_| PackagePattern::literal(&written));
            let of_pack = || data.clients.get(&*normal(&written)).map(|client| client.why.clone());
            let why = entry.reason.clone().or_else(of_pack).unwrap_or_else(|| "listed in `[forbid] crates`".to_owned());
            let forbidden = Forbidden { written, pattern, why };
            if forbidden.pattern.is_glob() {
                globs.push(forbidden);
            } else {
                names.insert(normal(&forbidden.written).into_owned(), forbidden);
            }
        }
        let own_calls = forbid.calls.iter().map(|call| CallRecord {
            pack: None,
            fragment: call.value.clone(),
            crates: Vec::new(),
            awaited: false,
            why: "listed in `[forbid] calls`".to_owned(),
        });
        let own_calls = own_calls.collect();
        let own_literals = forbid.strings.iter().map(|string| Entry {
            pack: None,
            literal: string.value.clone(),
            why: "listed in `[forbid] strings`".to_owned(),
        });
        let of_packs = data.literals.iter().filter(|record| in_force.contains(&record.pack)).map(|record| Entry {
            pack: Some(record.pack),
            literal: record.literal.clone(),
            why: record.why.clone(),
        });
        let literals = Literals::new(own_literals.chain(of_packs).collect());
        Self { data, packs: in_force, names, globs, own_calls, literals }
    }

    /// Whether a package is a forbidden client (not a raw transport), and why.
    pub fn client<'a>(&'a self, package: &'a str) -> Option<Client<'a>> {
        if let Some(forbidden) = self.forbidden(package) {
            let package = if forbidden.pattern.is_glob() { package } else { &forbidden.written };
            return Some(Client { package, pack: None, why: &forbidden.why });
        }
        let record = self.record(package)?;
        Some(Client { package: &record.package, pack: Some(record.pack), why: &record.why })
    }

    /// The forbidden client whose library has this name (`tonic` in `etcd_client::tonic`).
    ///
    /// A library whose name is an ordinary word is not recognised by it: `axum::extract::ws` is not the
    /// crate `ws`. Where the graph shows that the re-exporting crate depends on a package, ask
    /// [`Self::client`] for that package instead.
    pub fn client_by_library<'a>(&'a self, lib_name: &'a str) -> Option<Client<'a>> {
        if self.forbidden(lib_name).is_some() {
            return self.client(lib_name);
        }
        let packages = self.data.libraries.get(&*normal(lib_name))?;
        let mut clients = packages.iter().filter(|name| !self.data.clients.get(*name).is_some_and(|c| c.plain_word));
        clients.find_map(|name| self.client(name))
    }

    /// Whether a package counts as forbidden in a dependency chain, when the chain asks it for
    /// `features`: hyper only with `client`. Transports never count in chains.
    ///
    /// `features` holds what is asked for and what that switches on within the package; it holds
    /// `default` where the default features are not turned off, whether or not the package has any.
    pub fn counts_in_chain(&self, package: &str, features: &BTreeSet<String>) -> bool {
        self.forbidden(package).is_some()
            || self.record(package).is_some_and(|record| {
                let asked = record.features.iter().any(|feature| features.contains(feature));
                record.in_chains && (record.features.is_empty() || asked)
            })
    }

    /// Whether a package is a server framework that asks `dependency` for its client half only because
    /// it leaves the defaults on: what it asks for does not count in a chain. Not for what
    /// `[forbid] crates` names.
    pub fn only_serves(&self, package: &str, dependency: &str) -> bool {
        let asked = self.data.servers.get(&*normal(package));
        asked.is_some_and(|names| names.contains(&*normal(dependency))) && self.forbidden(dependency).is_none()
    }

    /// For a path of a forbidden client that opens no connection: what to use instead, to be read
    /// behind "use ". A crate or module as such is not inert, unless it leads to inert names only.
    pub fn inert(&self, package: &str, path: &[&str]) -> Option<&str> {
        if path.is_empty() || self.forbidden(package).is_some() {
            return None;
        }
        let record = self.record(package)?;
        let of_all = self.data.inert_everywhere.get(&record.pack);
        let patterns = record.inert.iter().chain(of_all.into_iter().flatten());
        let mut covering = patterns.filter(|InertPattern { pattern, .. }| pattern.covers(path).is_some());
        covering.next().map(|inert| inert.instead.as_str())
    }

    /// Whether a path names a raw transport. `package` is a package name, or `std` (also for `core`
    /// and `alloc`). `path` may be longer than the entry (`TcpStream::connect`).
    ///
    /// A package that `[forbid] crates` names is a forbidden crate and no transport besides.
    pub fn transport(&self, package: &str, path: &[&str]) -> Option<Transport<'_>> {
        if !self.packs.contains(&PackName::Transports) || self.forbidden(package).is_some() {
            return None;
        }
        let name = match &*normal(package) {
            "core" | "alloc" => "std".to_owned(),
            name => name.to_owned(),
        };
        let record = self.data.transports.get(&name)?;
        if self.data.not_transport.iter().any(|pattern| pattern.covers(path).is_some()) {
            return None;
        }
        if let Some((why, except)) = &record.whole {
            let excepted = except.iter().any(|pattern| pattern.covers(path).is_some());
            return (!excepted).then(|| Transport { subject_segments: 1 + item_end(path, 0), why });
        }
        record.paths.iter().find_map(|(pattern, why)| {
            let covered = pattern.covers(path)?;
            let end = if pattern.is_module() { item_end(path, covered) } else { covered };
            // A module that is only named is not reached.
            (!pattern.is_module() || path.len() > covered).then_some(Transport { subject_segments: 1 + end, why })
        })
    }

    /// The forbidden call fragments: those of the rules, then those of the packs in force.
    pub fn calls(&self) -> Vec<Call<'_>> {
        let in_force = |record: &&CallRecord| record.pack.is_none_or(|pack| self.packs.contains(&pack));
        let records = self.own_calls.iter().chain(&self.data.calls).filter(in_force);
        records
            .map(|CallRecord { pack, fragment, crates, awaited, why }| Call {
                pack: *pack,
                fragment,
                segments: fragment.split(['.', ':']).filter(|segment| !segment.is_empty()).collect(),
                crates,
                awaited: *awaited,
                why,
            })
            .filter(|call| !call.segments.is_empty())
            .collect()
    }

    /// The longest forbidden literal that a string holds, standing alone: no letter or digit adjoins
    /// it where it begins or ends with one (see rules/strings.toml).
    pub fn literal(&self, text: &str) -> Option<Literal<'_>> {
        let Entry { pack, literal, why } = self.literals.longest_in(text)?;
        Some(Literal { pack: *pack, literal, why })
    }

    /// The entry of `[forbid] crates` that means a package.
    pub(super) fn forbidden(&self, package: &str) -> Option<&Forbidden> {
        let by_name = || self.names.get(&*normal(package));
        by_name().or_else(|| self.globs.iter().find(|entry| entry.pattern.matches(package)))
    }

    /// What a pack in force knows of a client.
    pub(super) fn record(&self, package: &str) -> Option<&ClientRecord> {
        self.data.clients.get(&*normal(package)).filter(|record| self.packs.contains(&record.pack))
    }
}

#[cfg(test)]
#[path = "in_force_tests.rs"]
pub(super) mod tests;
