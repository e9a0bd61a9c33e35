//! The form of the files in `rules/`, as serde reads them. What an entry means is said in the files.

use std::collections::BTreeMap;

use serde::Deserialize;

/// http-clients.toml, model-clients.toml and inference-runtimes.toml.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ClientFile {
    /// Names that are inert in every crate of the file.
    pub(super) inert_everywhere: Vec<InertGroup>,
    /// Server frameworks, and the packages whose client half they ask for without need.
    #[serde(default)]
    pub(super) servers: BTreeMap<String, Vec<String>>,
    pub(super) crates: BTreeMap<String, ClientEntry>,
    #[serde(default)]
    pub(super) left_out: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ClientEntry {
    pub(super) why: String,
    #[serde(default)]
    pub(super) libs: Vec<String>,
    #[serde(default)]
    pub(super) plain_word: bool,
    #[serde(default)]
    pub(super) features: Vec<String>,
    #[serde(default = "yes")]
    pub(super) in_chains: bool,
    #[serde(default)]
    pub(super) inert: Vec<InertGroup>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InertGroup {
    pub(super) names: Vec<String>,
    pub(super) instead: String,
}

/// transports.toml.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TransportFile {
    pub(super) not_transport: Names,
    pub(super) crates: BTreeMap<String, TransportEntry>,
    #[serde(default)]
    pub(super) left_out: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    pub(super) names: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TransportEntry {
    /// Set where the whole crate is a transport, and only there.
    pub(super) why: Option<String>,
    #[serde(default)]
    pub(super) except: Vec<String>,
    #[serde(default)]
    pub(super) paths: Vec<PathGroup>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PathGroup {
    pub(super) names: Vec<String>,
    pub(super) why: String,
}

/// reply-repair.toml.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MenderFile {
    pub(super) crates: BTreeMap<String, MenderEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MenderEntry {
    pub(super) why: String,
}

/// coordinators.toml.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CoordinatorFile {
    pub(super) crates: BTreeMap<String, CoordinatorEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CoordinatorEntry {
    pub(super) why: String,
    #[serde(default)]
    pub(super) companions: Vec<String>,
}

/// calls.toml and strings.toml: entries by the pack that they belong to.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ByPack<T> {
    /// Crates that entries are tied to together.
    #[serde(default)]
    pub(super) families: BTreeMap<String, Vec<String>>,
    pub(super) model_clients: BTreeMap<String, T>,
    pub(super) inference_runtimes: BTreeMap<String, T>,
    pub(super) left_out: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CallEntry {
    pub(super) why: String,
    #[serde(default)]
    pub(super) crates: Vec<String>,
    pub(super) family: Option<String>,
    #[serde(default)]
    pub(super) awaited: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StringEntry {
    pub(super) why: String,
}

fn yes() -> bool {
    true
}
