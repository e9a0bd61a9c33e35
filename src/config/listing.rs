//! What is in force, entry by entry, and what is known of one name: behind `cargo lease-guard rules`.

use std::collections::BTreeSet;

use crate::base::nearest;

use super::{
    Coordinator, InForce, PackName, Packs,
    in_force::Forbidden,
    names::{PathPattern, normal},
    packs::{ClientRecord, InertPattern, TransportRecord},
};

/// What an entry is listed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListedAs {
    /// A forbidden package, or a glob over packages.
    Crate,
    /// A package that is a raw transport as a whole.
    TransportCrate,
    /// A path that is a raw transport, from the crate's name.
    TransportPath,
    /// A forbidden fragment of a call path.
    Call,
    /// A forbidden literal.
    String,
    /// A package that a lease may declare as its coordinator.
    Coordinator,
}

impl ListedAs {
    /// The word of tables and wire formats.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Crate => "crate",
            Self::TransportCrate => "transport-crate",
            Self::TransportPath => "transport-path",
            Self::Call => "call",
            Self::String => "string",
            Self::Coordinator => "coordinator",
        }
    }
}

/// A name of a client crate that opens no connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inert<'a> {
    /// A path pattern behind the library's name.
    pub pattern: &'a str,
    /// What to use instead, to be read behind "use ".
    pub instead: &'a str,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    /// What it is listed as.
    pub kind: ListedAs,
    /// The package, path, fragment or literal, as written.
    pub name: String,
    /// The pack that it stands in; none for `[forbid]` and for coordinators.
    pub pack: Option<PackName>,
    /// Why: a noun phrase, or the reason that the rules give.
    pub why: &'a str,
    /// The names of the library, where they differ from the package's.
    pub libraries: &'a [String],
    /// In a dependency chain it counts only where one of these features is asked for; empty for always.
    pub features: &'a [String],
    /// Whether it counts in dependency chains at all.
    pub in_chains: bool,
    /// The names that open no connection.
    pub inert: Vec<Inert<'a>>,
    /// A call: counts only in a package whose manifest names one of these; empty for any.
    pub beside: &'a [String],
    /// A call: counts only where it is awaited.
    pub awaited: bool,
    /// A coordinator: the packages that come with it.
    pub companions: &'a [String],
}

impl<'a> Listed<'a> {
    fn new(kind: ListedAs, name: impl Into<String>, pack: Option<PackName>, why: &'a str) -> Self {
        Self {
            kind,
            name: name.into(),
            pack,
            why,
            libraries: &[],
            features: &[],
            in_chains: false,
            inert: Vec::new(),
            beside: &[],
            awaited: false,
            companions: &[],
        }
    }
}

/// What is known of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About<'a> {
    /// Forbidden here, as these entries say.
    Forbidden(Vec<Listed<'a>>),
    /// Not forbidden as such; these paths of it are. It may be a coordinator besides.
    SomePaths(Vec<Listed<'a>>, Option<Listed<'a>>),
    /// Listed in packs that the rules do not ask for.
    NotInForce(Vec<Listed<'a>>),
    /// Not forbidden: a lease may declare it as its coordinator.
    Coordinator(Listed<'a>),
    /// Not forbidden: it was looked at and left out, for this reason.
    LeftOut(&'a str),
    /// In no pack and not in `[forbid]`, with the nearest name that is.
    Unknown(Option<&'a str>),
}

impl InForce {
    /// All that is forbidden: crates, transports, calls, strings, each kind sorted by name.
    pub fn entries(&self) -> Vec<Listed<'_>> {
        let records = self.data.clients.values().filter(|record| self.packs.contains(&record.pack));
        // What the rules name themselves is listed once, under the rules.
        let of_packs = records.filter(|record| self.forbidden(&record.package).is_none());
        let own = self.names.values().chain(&self.globs).map(listed_forbidden);
        let mut entries: Vec<_> = own.chain(of_packs.map(|record| self.listed_client(record))).collect();
        if self.packs.contains(&PackName::Transports) {
            let records = self.data.transports.values().filter(|record| self.forbidden(&record.package).is_none());
            entries.extend(records.flat_map(listed_transport));
        }
        entries.extend(self.calls().into_iter().map(|call| Listed {
            beside: call.crates,
            awaited: call.awaited,
            ..Listed::new(ListedAs::Call, call.fragment, call.pack, call.why)
        }));
        entries
            .extend(self.literals.entries().iter().map(|e| Listed::new(ListedAs::String, &e.literal, e.pack, &e.why)));
        entries.sort_by(|a, b| (a.kind, &a.name, a.pack).cmp(&(b.kind, &b.name, b.pack)));
        entries
    }

    /// Whether the rules ask for a pack.
    pub fn has_pack(&self, pack: PackName) -> bool {
        self.packs.contains(&pack)
    }

    /// The entries by which a path is a raw transport; see [`InForce::transport`].
    pub fn transport_entries(&self, package: &str, path: &[&str]) -> Vec<Listed<'_>> {
        let name = normal(package);
        let module = if matches!(&*name, "core" | "alloc") { "std" } else { &*name };
        let record = self.data.transports.get(module).filter(|_| self.transport(package, path).is_some());
        let Some(record) = record else { return Vec::new() };
        let covering = record.paths.iter().filter(|(pattern, _)| pattern.covers(path).is_some());
        let covering: Vec<String> = covering.map(|(pattern, _)| transport_path(record, pattern)).collect();
        let entries = listed_transport(record).into_iter();
        entries.filter(|e| e.kind == ListedAs::TransportCrate || covering.contains(&e.name)).collect()
    }

    /// Whether a crate is forbidden and why, by its package name or the name of its library.
    pub fn about<'a>(&'a self, packs: &'a Packs, name: &str) -> About<'a> {
        if let Some(forbidden) = self.forbidden(name) {
            return About::Forbidden(vec![listed_forbidden(forbidden)]);
        }
        let mut found = self.listed_as_client(name);
        let name = normal(name);
        let module = if matches!(&*name, "core" | "alloc") { "std" } else { &*name };
        found.extend(self.data.transports.get(module).into_iter().flat_map(listed_transport));
        let (in_force, off): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|entry| entry.pack.is_some_and(|pack| self.packs.contains(&pack)));
        let coordinator = packs.coordinator(&name).map(listed_coordinator);
        if !in_force.is_empty() {
            let paths_only = in_force.iter().all(|entry| entry.kind == ListedAs::TransportPath);
            return if paths_only { About::SomePaths(in_force, coordinator) } else { About::Forbidden(in_force) };
        }
        if let Some(coordinator) = coordinator {
            return About::Coordinator(coordinator);
        }
        if !off.is_empty() {
            return About::NotInForce(off);
        }
        if let Some(why) = self.data.left_out.get(&*name) {
            return About::LeftOut(why);
        }
        let own = self.names.values().map(|forbidden| forbidden.written.as_str());
        let known: BTreeSet<_> = packs.package_names().into_iter().chain(own).collect();
        About::Unknown(nearest(&name, known))
    }

    fn listed_as_client(&self, name: &str) -> Vec<Listed<'_>> {
        let packages = self.data.libraries.get(&*normal(name)).into_iter().flatten();
        let own = self.data.clients.get(&*normal(name));
        let records = packages.filter_map(|package| self.data.clients.get(package));
        match own {
            Some(record) => vec![self.listed_client(record)],
            None => records.map(|record| self.listed_client(record)).collect(),
        }
    }

    fn listed_client<'a>(&'a self, record: &'a ClientRecord) -> Listed<'a> {
        let of_all = self.data.inert_everywhere.get(&record.pack).into_iter().flatten();
        let inert = record.inert.iter().chain(of_all);
        Listed {
            libraries: &record.libs,
            features: &record.features,
            in_chains: record.in_chains,
            inert: inert.map(InertPattern::listed).collect(),
            ..Listed::new(ListedAs::Crate, &record.package, Some(record.pack), &record.why)
        }
    }
}

impl Packs {
    /// The coordinators that the packs know, sorted by name.
    pub fn listed_coordinators(&self) -> Vec<Listed<'_>> {
        let mut entries: Vec<_> = self.coordinators().map(listed_coordinator).collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries
    }
}

impl InertPattern {
    fn listed(&self) -> Inert<'_> {
        Inert { pattern: self.pattern.written(), instead: &self.instead }
    }
}

fn listed_forbidden(forbidden: &Forbidden) -> Listed<'_> {
    Listed { in_chains: true, ..Listed::new(ListedAs::Crate, &forbidden.written, None, &forbidden.why) }
}

fn listed_coordinator(coordinator: &Coordinator) -> Listed<'_> {
    Listed {
        companions: &coordinator.companions,
        ..Listed::new(ListedAs::Coordinator, &coordinator.name, None, &coordinator.why)
    }
}

fn listed_transport(record: &TransportRecord) -> Vec<Listed<'_>> {
    let pack = Some(PackName::Transports);
    let whole = record.whole.iter();
    let whole = whole.map(|(why, _)| Listed::new(ListedAs::TransportCrate, &record.package, pack, why));
    let paths = record
        .paths
        .iter()
        .map(|(pattern, why)| Listed::new(ListedAs::TransportPath, transport_path(record, pattern), pack, why));
    whole.chain(paths).collect()
}

fn transport_path(record: &TransportRecord, pattern: &PathPattern) -> String {
    format!("{}::{}", record.package.replace('-', "_"), pattern.written())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::in_force::tests::{in_force, rules};

    #[test]
    fn what_is_in_force_is_listed_with_its_conditions() {
        let all = in_force(&PackName::ALL);
        let entries = all.entries();
        let entry = |name: &str| entries.iter().find(|entry| entry.name == name).expect(name);
        let hyper = entry("hyper");
        assert_eq!((hyper.kind, hyper.pack, hyper.in_chains), (ListedAs::Crate, Some(PackName::HttpClients), true));
        assert!(hyper.features.contains(&"client".to_owned()));
        assert!(hyper.inert.iter().any(|inert| inert.pattern == "StatusCode" && inert.instead == "the crate `http`"));
        assert_eq!(entry("rig-core").libraries, ["rig", "rig_core"]);
        assert_eq!(entry("rdkafka").kind, ListedAs::TransportCrate);
        assert_eq!(entry("std::process::Command").kind, ListedAs::TransportPath);
        assert_eq!(entry("tokio_rustls::TlsConnector").why, "TLS connections");
        assert!(entry("chat").awaited && entry("chat").kind == ListedAs::Call);
        assert_eq!(entry("api.openai.com").kind, ListedAs::String);
        let transports = |package: &str, path: &[&str]| {
            let entries = all.transport_entries(package, path);
            entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>()
        };
        assert_eq!(transports("core", &["net", "TcpStream", "connect"]), ["std::net::TcpStream"]);
        assert_eq!(transports("rdkafka", &["producer", "FutureProducer"]), ["rdkafka"]);
        assert!(transports("std", &["process", "id"]).is_empty());
        assert!(entries.is_sorted_by_key(|entry| (entry.kind, entry.name.clone())));
    }

    #[test]
    fn without_packs_only_what_the_rules_name_is_listed() {
        let packs = Packs::embedded().expect("packs");
        let mut rules = rules(&[]);
        rules.forbid_crate("acme-*", Some("wraps reqwest"));
        rules.forbid_call("advisor.vote");
        rules.forbid_string("llm.internal.example");
        let own = InForce::new(&rules.0, &packs);
        let names: Vec<_> = own.entries().into_iter().map(|e| (e.kind.word(), e.name, e.pack)).collect();
        let expected = [("crate", "acme-*"), ("call", "advisor.vote"), ("string", "llm.internal.example")]
            .map(|(k, n)| (k, n.to_owned(), None));
        assert_eq!(names, expected);
    }

    #[test]
    fn a_name_is_explained() {
        let packs = Packs::embedded().expect("packs");
        let mut rules = rules(&[PackName::HttpClients]);
        rules.forbid_crate("acme-http", Some("wraps reqwest"));
        let some = InForce::new(&rules.0, &packs);
        let forbidden = |name: &str| match some.about(&packs, name) {
            About::Forbidden(entries) => entries.into_iter().map(|e| (e.name, e.why.to_owned())).collect(),
            other => panic!("{other:?}"),
        };
        let reqwest: Vec<(String, String)> = forbidden("reqwest");
        assert_eq!(reqwest, [("reqwest".to_owned(), "an HTTP client, asynchronous and blocking".to_owned())]);
        assert_eq!(forbidden("acme_http"), [("acme-http".to_owned(), "wraps reqwest".to_owned())]);
        assert_eq!(forbidden("milvus")[0].0, "milvus-sdk-rust", "by the name of its library");
        let rig = some.about(&packs, "rig_core");
        assert!(matches!(&rig, About::NotInForce(entries) if entries[0].name == "rig-core"), "{rig:?}");
        let command = some.about(&packs, "core");
        assert!(matches!(&command, About::NotInForce(entries) if entries.len() > 5), "{command:?}");
        let all = in_force(&PackName::ALL);
        let some_paths = all.about(&packs, "alloc");
        assert!(matches!(&some_paths, About::SomePaths(entries, None) if entries.len() > 5), "{some_paths:?}");
        let redis = all.about(&packs, "redis");
        assert!(matches!(&redis, About::SomePaths(_, Some(entry)) if entry.why == "Redis or Valkey"), "{redis:?}");
        assert!(matches!(some.about(&packs, "redis"), About::Coordinator(_)));
        let kube = some.about(&packs, "kube");
        assert!(matches!(&kube, About::Coordinator(entry) if entry.companions.contains(&"kube-client".to_owned())));
        assert!(matches!(some.about(&packs, "grok"), About::LeftOut(why) if why.contains("log patterns")));
        assert_eq!(some.about(&packs, "reqwst"), About::Unknown(Some("reqwest")));
        assert_eq!(some.about(&packs, "entirely-elsewhere"), About::Unknown(None));
    }

    #[test]
    fn coordinators_are_listed_in_order() {
        let packs = Packs::embedded().expect("packs");
        let listed = packs.listed_coordinators();
        assert!(listed.is_sorted_by(|a, b| a.name < b.name) && listed.iter().any(|entry| entry.name == "aws-sdk-*"));
    }
}
