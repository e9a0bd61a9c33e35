//! Folders to run the binary in.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// A folder that goes away with this value.
#[derive(Debug)]
pub(crate) struct Workspace {
    folder: TempDir,
}

impl Workspace {
    /// An empty one. Its path has no link in it, so that shown paths can be compared.
    pub(crate) fn empty() -> Self {
        Self { folder: TempDir::with_prefix("lease-guard-it-").expect("a temporary folder") }
    }

    /// One with these files.
    pub(crate) fn with<P: AsRef<str>, T: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, T)>) -> Self {
        files.into_iter().fold(Self::empty(), |workspace, (path, text)| workspace.file(path.as_ref(), text))
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        write(&self.path().join(path), text);
        self
    }

    /// Replaces crates.io by a folder of stand-ins.
    pub(crate) fn stubs(self, folder: &Path) -> Self {
        let folder = serde_json::to_string(&folder).expect("the path is UTF-8");
        let text = format!("[source.crates-io]\nreplace-with = \"stubs\"\n[source.stubs]\ndirectory = {folder}\n");
        self.file(".cargo/config.toml", text)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there")
    }
}

/// Writes a file, and the folders above it.
pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a file stands in a folder")).expect("the folder can be made");
    fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// Whether the tests run in the package that cargo makes of the project, not in a checkout. cargo leaves out of it
/// every folder that holds a Cargo.toml, and what `include` does not name.
pub(crate) fn is_packaged() -> bool {
    // cargo writes this beside the manifest that it makes.
    project().join("Cargo.toml.orig").is_file()
}

/// A part of the project that cargo leaves out of the package. Where it is missing there, a test says so and leaves
/// it; in a checkout that is a failure.
pub(crate) fn part(path: &str) -> Option<PathBuf> {
    let part = project().join(path);
    if part.exists() {
        return Some(part);
    }
    assert!(is_packaged(), "{} is missing", part.display());
    println!("{path} is not in the package: what it is for was not tested");
    None
}

/// The project's own folder.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
