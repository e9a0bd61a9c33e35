//! Workspaces that tests lay out on disk, and the calls they make.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::{
    ProjectError, Workspace,
    cargo::{CargoOptions, Environment, MetadataRun, MetadataText, locate},
};

/// A folder with files.
pub(super) struct Place {
    _dir: TempDir,
    pub(super) root: Utf8PathBuf,
}

impl Place {
    /// Lays the files out. A file whose path ends in `.sh` is made executable.
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let root = Utf8PathBuf::from_path_buf(dir.path().canonicalize().expect("it is there")).expect("UTF-8");
        let place = Self { _dir: dir, root };
        for (path, text) in files {
            place.write(path, text);
        }
        place
    }

    /// Writes one more file; `{root}` stands for the folder.
    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, text.replace("{root}", self.root.as_str())).expect("a file");
        #[cfg(unix)]
        if path.extension() == Some("sh") {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        }
    }

    /// A package of a directory source (`vendor`), as a registry's package is seen.
    pub(super) fn vendor(&self, name: &str, version: &str, rest: &str) {
        let folder = format!("vendor/{name}-{version}");
        let head = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n");
        self.write(&format!("{folder}/Cargo.toml"), &(head + rest));
        self.write(&format!("{folder}/src/lib.rs"), "");
        self.write(&format!("{folder}/.cargo-checksum.json"), "{\"files\":{}}");
    }

    /// The configuration that puts `vendor` in the place of the registry.
    pub(super) const VENDORED: &'static str =
        "[source.crates-io]\nreplace-with = 'vendored'\n[source.vendored]\ndirectory = 'vendor'\n";

    /// An environment that no test runner has touched, offline.
    pub(super) fn environment() -> Environment {
        let base = Environment::of_process();
        let gone = ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTUP_TOOLCHAIN_SOURCE", "RUSTC", "RUSTC_WRAPPER"];
        gone.into_iter()
            .fold(base, |environment, name| environment.with(name, None))
            .with("CARGO_NET_OFFLINE", Some("true"))
    }

    /// `cargo metadata` of the workspace in `folder`.
    pub(super) fn metadata(&self, folder: &str, options: &CargoOptions) -> Result<MetadataText, ProjectError> {
        self.metadata_in(Self::environment(), folder, options)
    }

    /// The same with another environment.
    pub(super) fn metadata_in(
        &self,
        environment: Environment,
        folder: &str,
        options: &CargoOptions,
    ) -> Result<MetadataText, ProjectError> {
        let located = locate(&self.root.join(folder), None)?;
        MetadataRun::start_in(environment, &located, options).wait()
    }

    /// The workspace in `folder`, with all features.
    pub(super) fn workspace(&self, folder: &str) -> (MetadataText, Workspace) {
        let text = self.metadata(folder, &CargoOptions::default()).expect("metadata");
        let workspace = Workspace::read(&text, &|_| None).expect("a workspace");
        (text, workspace)
    }

    /// Whether a file is there.
    pub(super) fn has(&self, path: impl AsRef<Utf8Path>) -> bool {
        self.root.join(path).exists()
    }
}
