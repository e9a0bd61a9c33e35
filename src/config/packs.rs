//! The packs: `rules/*.toml`, embedded in the binary.

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
    /// All of them: what is in force by default.
    pub const ALL: [Self; 4] = [Self::HttpClients, Self::ModelClients, Self::InferenceRuntimes, Self::Transports];

    /// The word of the rules file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::HttpClients => "http-clients",
            Self::ModelClients => "model-clients",
            Self::InferenceRuntimes => "inference-runtimes",
            Self::Transports => "transports",
        }
    }

    /// The pack of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pack| pack.word() == word)
    }
}

/// All packs.
#[derive(Debug)]
pub struct Packs {
    // filled in by the implementation
}

impl Packs {
    /// The packs that are built in.
    ///
    /// # Errors
    /// Never for the embedded text, which a test reads; the type keeps the reader honest.
    pub fn embedded() -> Result<Self, toml::de::Error> {
        todo!()
    }

    /// Whether any pack, the coordinators' included, knows the package.
    pub fn knows(&self, package: &str) -> bool {
        let _ = package;
        todo!()
    }

    /// The names of all packages that some pack knows, for "did you mean".
    pub fn package_names(&self) -> Vec<&str> {
        todo!()
    }

    /// The library name(s) of a package where a pack says that it differs from the package's.
    pub fn library_names(&self, package: &str) -> &[String] {
        let _ = package;
        todo!()
    }

    /// The packages that come with a coordinator (aws-config with an AWS SDK), themselves allowed.
    pub fn companions(&self, coordinator: &str) -> &[String] {
        let _ = coordinator;
        todo!()
    }
}
