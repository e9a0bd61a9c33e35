//! The packs: what is known about published packages, from `rules/*.toml`, embedded in the binary.
//!
//! An entry is added in the file of its pack; the tests beside this module check its form, its place
//! and that no other pack has it. A new pack is a new file, a [`PackName`] and a line in
//! [`Packs::embedded`]. What of all this holds in one workspace is decided in `in_force`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::de::{DeserializeOwned, Error as _};

use super::{
    names::{PathPattern, is_glob, matches_wildcard, normal},
    pack_file::{
        ByPack, CallEntry, ClientEntry, ClientFile, CoordinatorFile, InertGroup, MenderEntry, MenderFile, StringEntry,
        TransportFile,
    },
};

/// A pack that `[forbid] packs` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PackName {
    /// HTTP clients.
    HttpClients,
    /// Clients of hosted models.
    ModelClients,
    /// Engines that run a model in the process.
    InferenceRuntimes,
    /// Sockets, brokers, RPC, processes, foreign functions.
    Transports,
}

impl PackName {
    /// All of them, in the order of the default `[forbid] packs`.
    pub const ALL: [Self; 4] = [Self::HttpClients, Self::ModelClients, Self::InferenceRuntimes, Self::Transports];

    /// The word of rules files and reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::HttpClients => "http-clients",
            Self::ModelClients => "model-clients",
            Self::InferenceRuntimes => "inference-runtimes",
            Self::Transports => "transports",
        }
    }

    /// What it holds, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::HttpClients => "HTTP, gRPC and WebSocket clients, and the crates that hand one on",
            Self::ModelClients => "clients of hosted models, and what gives a call to one away",
            Self::InferenceRuntimes => "engines that run a model in the process",
            Self::Transports => "sockets, brokers, remote calls, child processes, foreign functions",
        }
    }

    /// The pack that a word names.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pack| pack.word() == word)
    }
}

/// What a pack knows of a coordinator.
#[derive(Clone, Debug)]
pub struct Coordinator {
    /// The package's name, or a pattern with `*`.
    pub name: String,
    /// What the lease speaks to through it.
    pub why: String,
    /// The packages that come with it, patterns with `*` among them.
    pub companions: Vec<String>,
}

/// What a pack knows of a crate that mends replies.
#[derive(Clone, Debug)]
pub struct Mender {
    /// The package's name.
    pub package: String,
    /// What it does.
    pub why: String,
}

/// All packs. A clone shares them.
#[derive(Clone, Debug)]
pub struct Packs {
    pub(super) data: Arc<Data>,
}

/// The tables behind [`Packs`], by [`normal`] names.
#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) clients: BTreeMap<String, ClientRecord>,
    /// The packages by the names of their libraries; a library of that very name comes first.
    pub(super) libraries: BTreeMap<String, Vec<String>>,
    pub(super) inert_everywhere: BTreeMap<PackName, Vec<InertPattern>>,
    pub(super) servers: BTreeMap<String, BTreeSet<String>>,
    pub(super) transports: BTreeMap<String, TransportRecord>,
    pub(super) not_transport: Vec<PathPattern>,
    pub(super) coordinators: BTreeMap<String, Coordinator>,
    pub(super) coordinator_patterns: Vec<Coordinator>,
    pub(super) menders: BTreeMap<String, Mender>,
    pub(super) calls: Vec<CallRecord>,
    pub(super) literals: Vec<LiteralRecord>,
    pub(super) left_out: BTreeMap<String, String>,
}

#[derive(Debug)]
pub(super) struct ClientRecord {
    pub(super) package: String,
    pub(super) pack: PackName,
    pub(super) why: String,
    pub(super) libs: Vec<String>,
    pub(super) plain_word: bool,
    pub(super) features: Vec<String>,
    pub(super) in_chains: bool,
    pub(super) inert: Vec<InertPattern>,
}

#[derive(Debug)]
pub(super) struct InertPattern {
    pub(super) pattern: PathPattern,
    pub(super) instead: String,
}

#[derive(Debug)]
pub(super) struct TransportRecord {
    pub(super) package: String,
    /// Why the whole crate is a transport, with the paths that are none.
    pub(super) whole: Option<(String, Vec<PathPattern>)>,
    /// The paths that are transports, each with its reason.
    pub(super) paths: Vec<(PathPattern, String)>,
}

#[derive(Debug)]
pub(super) struct CallRecord {
    pub(super) pack: Option<PackName>,
    pub(super) fragment: String,
    pub(super) crates: Vec<String>,
    pub(super) awaited: bool,
    pub(super) why: String,
}

#[derive(Debug)]
pub(super) struct LiteralRecord {
    pub(super) pack: PackName,
    pub(super) literal: String,
    pub(super) why: String,
}

impl Packs {
    /// The packs that are built in.
    ///
    /// # Errors
    /// Never for the embedded text, which a test reads; the type keeps the reader honest.
    pub fn embedded() -> Result<Self, toml::de::Error> {
        let mut data = Data::default();
        data.add_clients(PackName::HttpClients, include_str!("../../rules/http-clients.toml"))?;
        data.add_clients(PackName::ModelClients, include_str!("../../rules/model-clients.toml"))?;
        data.add_clients(PackName::InferenceRuntimes, include_str!("../../rules/inference-runtimes.toml"))?;
        data.add_transports(include_str!("../../rules/transports.toml"))?;
        data.add_coordinators(include_str!("../../rules/coordinators.toml"))?;
        data.add_menders(include_str!("../../rules/reply-repair.toml"))?;
        data.add_calls(include_str!("../../rules/calls.toml"))?;
        data.add_literals(include_str!("../../rules/strings.toml"))?;
        data.index_libraries();
        Ok(Self { data: Arc::new(data) })
    }

    /// Whether any pack, the coordinators' included, knows the package.
    pub fn knows(&self, package: &str) -> bool {
        let name = normal(package);
        self.data.clients.contains_key(&*name)
            || self.data.transports.contains_key(&*name)
            || self.data.menders.contains_key(&*name)
            || self.coordinator(package).is_some()
    }

    /// The names of all packages that some pack knows, sorted, for "did you mean".
    pub fn package_names(&self) -> Vec<&str> {
        let clients = self.data.clients.values().map(|client| client.package.as_str());
        let transports = self.data.transports.values().map(|transport| transport.package.as_str());
        let coordinators = self.data.coordinators.values().map(|coordinator| coordinator.name.as_str());
        let menders = self.data.menders.values().map(|mender| mender.package.as_str());
        let names: BTreeSet<_> = clients.chain(transports).chain(coordinators).chain(menders).collect();
        names.into_iter().collect()
    }

    /// The library name(s) of a package where a pack says that it differs from the package's.
    pub fn library_names(&self, package: &str) -> &[String] {
        self.data.clients.get(&*normal(package)).map_or(&[], |client| &client.libs)
    }

    /// Which of the packs `http-clients`, `model-clients` and `inference-runtimes` lists a package,
    /// whether or not it is in force. Such a package cannot be declared a coordinator.
    pub fn client_pack(&self, package: &str) -> Option<PackName> {
        self.data.clients.get(&*normal(package)).map(|client| client.pack)
    }

    /// What the pack `reply-repair` knows of a package.
    pub fn mender(&self, package: &str) -> Option<&Mender> {
        self.data.menders.get(&*normal(package))
    }

    /// What the coordinators' pack knows of a package. A pattern of that pack means no package that
    /// another pack lists: `aws-sdk-*` is not `aws-sdk-bedrockruntime`.
    pub fn coordinator(&self, package: &str) -> Option<&Coordinator> {
        let name = normal(package);
        self.data.coordinators.get(&*name).or_else(|| {
            let listed = self.data.clients.contains_key(&*name) || self.data.transports.contains_key(&*name);
            let mut patterns = self.data.coordinator_patterns.iter();
            patterns.find(|entry| matches_wildcard(&normal(&entry.name), &name)).filter(|_| !listed)
        })
    }

    /// All entries of the coordinators' pack, sorted by name.
    pub fn coordinators(&self) -> impl Iterator<Item = &Coordinator> {
        self.data.coordinators.values().chain(&self.data.coordinator_patterns)
    }

    /// The packages that come with a coordinator (aws-config with an AWS SDK), themselves allowed;
    /// patterns with `*` among them.
    pub fn companions(&self, coordinator: &str) -> &[String] {
        self.coordinator(coordinator).map_or(&[], |entry| &entry.companions)
    }

    /// Whether a package comes with a coordinator and is allowed where that is.
    pub fn is_companion(&self, coordinator: &str, package: &str) -> bool {
        let name = normal(package);
        self.companions(coordinator).iter().any(|companion| matches_wildcard(&normal(companion), &name))
    }
}

impl Data {
    fn add_clients(&mut self, pack: PackName, text: &str) -> Result<(), toml::de::Error> {
        let file: ClientFile = read(text)?;
        self.inert_everywhere.insert(pack, inert_patterns(file.inert_everywhere));
        for (server, packages) in file.servers {
            let packages = packages.iter().map(|package| normal(package).into_owned());
            self.servers.insert(normal(&server).into_owned(), packages.collect());
        }
        for (package, entry) in file.crates {
            let ClientEntry { why, libs, plain_word, features, in_chains, inert } = entry;
            let inert = inert_patterns(inert);
            let name = normal(&package).into_owned();
            let record = ClientRecord { package, pack, why, libs, plain_word, features, in_chains, inert };
            self.clients.insert(name, record);
        }
        self.leave_out(file.left_out);
        Ok(())
    }

    fn add_transports(&mut self, text: &str) -> Result<(), toml::de::Error> {
        let file: TransportFile = read(text)?;
        self.not_transport = file.not_transport.names.iter().map(|name| PathPattern::new(name)).collect();
        for (package, entry) in file.crates {
            let except = entry.except.iter().map(|path| PathPattern::new(path)).collect();
            let mut paths = Vec::new();
            for group in entry.paths {
                paths.extend(group.names.iter().map(|name| (PathPattern::new(name), group.why.clone())));
            }
            let name = normal(&package).into_owned();
            let whole = entry.why.map(|why| (why, except));
            self.transports.insert(name, TransportRecord { package, whole, paths });
        }
        self.leave_out(file.left_out);
        Ok(())
    }

    fn add_coordinators(&mut self, text: &str) -> Result<(), toml::de::Error> {
        let file: CoordinatorFile = read(text)?;
        for (name, entry) in file.crates {
            let coordinator = Coordinator { name, why: entry.why, companions: entry.companions };
            if is_glob(&coordinator.name) {
                self.coordinator_patterns.push(coordinator);
            } else {
                self.coordinators.insert(normal(&coordinator.name).into_owned(), coordinator);
            }
        }
        Ok(())
    }

    fn add_menders(&mut self, text: &str) -> Result<(), toml::de::Error> {
        let file: MenderFile = read(text)?;
        for (package, MenderEntry { why }) in file.crates {
            self.menders.insert(normal(&package).into_owned(), Mender { package, why });
        }
        Ok(())
    }

    fn add_calls(&mut self, text: &str) -> Result<(), toml::de::Error> {
        let file: ByPack<CallEntry> = read(text)?;
        for (pack, entries) in
            [(PackName::ModelClients, file.model_clients), (PackName::InferenceRuntimes, file.inference_runtimes)]
        {
            for (fragment, CallEntry { why, mut crates, family, awaited }) in entries {
                if let Some(family) = family {
                    let unknown = || toml::de::Error::custom(format!("`{fragment}`: no family is called `{family}`"));
                    crates.extend(file.families.get(&family).ok_or_else(unknown)?.iter().cloned());
                }
                self.calls.push(CallRecord { pack: Some(pack), fragment, crates, awaited, why });
            }
        }
        self.leave_out(file.left_out);
        Ok(())
    }

    fn add_literals(&mut self, text: &str) -> Result<(), toml::de::Error> {
        let file: ByPack<StringEntry> = read(text)?;
        for (pack, entries) in
            [(PackName::ModelClients, file.model_clients), (PackName::InferenceRuntimes, file.inference_runtimes)]
        {
            let records = entries.into_iter().map(|(literal, entry)| LiteralRecord { pack, literal, why: entry.why });
            self.literals.extend(records);
        }
        self.leave_out(file.left_out);
        Ok(())
    }

    fn leave_out(&mut self, reasons: BTreeMap<String, String>) {
        self.left_out.extend(reasons.into_iter().map(|(name, why)| (normal(&name).into_owned(), why)));
    }

    fn index_libraries(&mut self) {
        for (name, client) in &self.clients {
            self.libraries.entry(name.clone()).or_default().insert(0, name.clone());
            for lib in &client.libs {
                let packages = self.libraries.entry(normal(lib).into_owned()).or_default();
                if !packages.contains(name) {
                    packages.push(name.clone());
                }
            }
        }
    }
}

fn inert_patterns(groups: Vec<InertGroup>) -> Vec<InertPattern> {
    let mut patterns = Vec::new();
    for InertGroup { names, instead } in groups {
        let of_group =
            names.iter().map(|name| InertPattern { pattern: PathPattern::new(name), instead: instead.clone() });
        patterns.extend(of_group);
    }
    patterns
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, toml::de::Error> {
    toml::from_str(text)
}

#[cfg(test)]
#[path = "packs_tests.rs"]
mod tests;
