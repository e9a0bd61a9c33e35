//! What can go wrong between the workspace's manifests and its graph, and what to do about it.

use camino::Utf8PathBuf;
use thiserror::Error;

use crate::finding::Problem;

/// Why a workspace could not be read. The message says what and where, [`ProjectError::help`] what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProjectError {
    /// Neither the folder nor one above it holds a Cargo.toml.
    #[error("there is no Cargo.toml in {folder} or in a folder above it")]
    NoManifest {
        /// Where the search began.
        folder: Utf8PathBuf,
    },
    /// `--manifest-path` leads to no file.
    #[error("{path} is {}", if *.is_folder { "a folder" } else { "not there" })]
    NoManifestFile {
        /// Where it leads.
        path: Utf8PathBuf,
        /// Whether a folder is there.
        is_folder: bool,
    },
    /// A manifest is missing, unreadable or no TOML.
    #[error("{path} cannot be read: {why}")]
    Manifest {
        /// The manifest.
        path: Utf8PathBuf,
        /// What the file system or the parser says.
        why: String,
    },
    /// A file of cargo's configuration cannot be read.
    #[error("cargo's configuration {path} cannot be read: {why}")]
    Config {
        /// The file, with line and column where it has them.
        path: String,
        /// What the file system or the parser says.
        why: String,
    },
    /// An alias stands in front of this very command.
    #[error("{path} defines an alias called `lease-guard`: `cargo lease-guard` runs that, and never this tool")]
    Alias {
        /// The file, with line and column.
        path: String,
    },
    /// There is no folder from which cargo would not read somebody's configuration.
    #[error("{path} would be read by cargo from every folder, and it holds `{key}`, which can name programs to run")]
    NotNeutral {
        /// The configuration file.
        path: Utf8PathBuf,
        /// The key that was not carried over.
        key: String,
    },
    /// No cargo on the search path.
    #[error("no `cargo` was found in the folders of PATH")]
    NoCargo,
    /// A folder or link for the call could not be made.
    #[error("a folder for the call of cargo cannot be prepared: {why}")]
    Shelter {
        /// What the file system says.
        why: String,
    },
    /// The program did not start.
    #[error("{cargo} cannot be started: {why}")]
    NotStarted {
        /// The program.
        cargo: Utf8PathBuf,
        /// What the system says.
        why: String,
    },
    /// `cargo metadata` failed; its own words are quoted.
    #[error("cargo metadata failed; it says:\n{words}")]
    CargoFailed {
        /// What it wrote to standard error.
        words: String,
        /// What to do about it.
        help: String,
    },
    /// What cargo or the resolver wrote is not understood.
    #[error("the output of cargo metadata is not understood: {why}")]
    Output {
        /// What the parser says.
        why: String,
    },
}

impl ProjectError {
    /// What to do about it, as a whole sentence.
    pub fn help(&self) -> String {
        match self {
            Self::NoManifest { .. } => {
                "run it inside a cargo workspace, or say `--manifest-path PATH/Cargo.toml`".into()
            }
            Self::NoManifestFile { path, is_folder: true } => format!("name the manifest in it: `{path}/Cargo.toml`"),
            Self::NoManifestFile { .. } => "name a Cargo.toml that is there".into(),
            Self::Manifest { .. } => "mend the manifest; `cargo metadata` says more".into(),
            Self::Config { .. } => "mend the file; cargo itself refuses it too".into(),
            Self::Alias { .. } => "take the alias out, or give it another name such as `guard`".into(),
            Self::NotNeutral { .. } => {
                "move the workspace out of that folder, or take everything out of that file but source replacement, \
                 patches, registries, `paths`, `net` and `http`"
                    .into()
            }
            Self::NoCargo => "install cargo, or add its folder to PATH as an absolute path".into(),
            Self::Shelter { .. } => {
                "set TMPDIR to a folder that can be written; where CARGO_HOME lies inside the workspace, set it to a \
                 folder outside"
                    .into()
            }
            Self::NotStarted { .. } => "check that the cargo on PATH runs: `cargo --version`".into(),
            Self::CargoFailed { help, .. } => help.clone(),
            Self::Output { .. } => "update the toolchain (cargo 1.60 or later is needed), or report it as a bug".into(),
        }
    }

    /// The error as a report shows it.
    pub fn problem(&self) -> Problem {
        Problem { message: self.to_string(), place: None, help: self.help() }
    }
}
