//! Finds the manifest, the workspace's root and its lock file, by reading manifests alone.
//!
//! The rules are cargo's: the nearest Cargo.toml upwards; its root is itself if it has `[workspace]`,
//! what `package.workspace` names, or the nearest manifest above that has `[workspace]` and does not
//! exclude it.

use camino::{Utf8Path, Utf8PathBuf};
use toml::Table;

use crate::{base::normalise, project::ProjectError};

/// Where the workspace lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The manifest that the command is about, absolute.
    pub manifest: Utf8PathBuf,
    /// The manifest of the workspace's root, absolute.
    pub root_manifest: Utf8PathBuf,
    /// The workspace's root folder, absolute.
    pub root: Utf8PathBuf,
    /// Whether a Cargo.lock stands in the root.
    pub has_lock: bool,
}

/// Finds the workspace that `manifest_path`, or the current folder `cwd` (absolute), belongs to.
///
/// # Errors
/// Where there is no manifest, or one on the way cannot be read.
pub fn locate(cwd: &Utf8Path, manifest_path: Option<&Utf8Path>) -> Result<Located, ProjectError> {
    let manifest = match manifest_path {
        Some(path) => manifest_at(&cwd.join(path))?,
        None => nearest_manifest(cwd).ok_or_else(|| ProjectError::NoManifest { folder: cwd.to_owned() })?,
    };
    let root_manifest = root_of(&manifest)?;
    let root = root_manifest.parent().unwrap_or(Utf8Path::new("/")).to_owned();
    let has_lock = root.join("Cargo.lock").is_file();
    Ok(Located { manifest, root_manifest, root, has_lock })
}

/// The manifest of a `--manifest-path`.
fn manifest_at(path: &Utf8Path) -> Result<Utf8PathBuf, ProjectError> {
    let path = normalise(path);
    if path.is_file() {
        return Ok(path);
    }
    let is_folder = path.is_dir();
    Err(ProjectError::NoManifestFile { path, is_folder })
}

fn nearest_manifest(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    folder.ancestors().map(|folder| folder.join("Cargo.toml")).find(|path| path.is_file())
}

/// The root manifest of the workspace that a manifest belongs to.
///
/// # Errors
/// Where the manifest cannot be read.
pub(in crate::project) fn root_of(manifest: &Utf8Path) -> Result<Utf8PathBuf, ProjectError> {
    let own = read(manifest)?;
    if own.contains_key("workspace") {
        return Ok(manifest.to_owned());
    }
    let folder = manifest.parent().unwrap_or(Utf8Path::new("/"));
    let pointer = own.get("package").and_then(|package| package.get("workspace")).and_then(toml::Value::as_str);
    if let Some(pointer) = pointer {
        return Ok(normalise(&folder.join(pointer).join("Cargo.toml")));
    }
    for above in folder.ancestors().skip(1) {
        let candidate = above.join("Cargo.toml");
        if !candidate.is_file() {
            continue;
        }
        // A manifest further up that does not parse is cargo's to complain about.
        let Ok(table) = read(&candidate) else { continue };
        if let Some(workspace) = table.get("workspace") {
            return Ok(if excludes(workspace, above, manifest) { manifest.to_owned() } else { candidate });
        }
    }
    Ok(manifest.to_owned())
}

/// Cargo's rule: excluded, unless a path in `members` names the package literally.
fn excludes(workspace: &toml::Value, root: &Utf8Path, manifest: &Utf8Path) -> bool {
    let names = |key: &str| {
        let list = workspace.get(key).and_then(toml::Value::as_array).into_iter().flatten();
        list.filter_map(toml::Value::as_str).any(|path| manifest.starts_with(normalise(&root.join(path))))
    };
    names("exclude") && !names("members")
}

fn read(manifest: &Utf8Path) -> Result<Table, ProjectError> {
    let failed = |why: String| ProjectError::Manifest { path: manifest.to_owned(), why };
    let text = std::fs::read_to_string(manifest).map_err(|error| failed(error.to_string()))?;
    text.strip_prefix('\u{feff}')
        .unwrap_or(&text)
        .parse()
        .map_err(|error: toml::de::Error| failed(error.message().to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().expect("a folder");
        let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).expect("UTF-8");
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        (dir, root)
    }

    #[test]
    fn a_member_finds_its_root_and_an_excluded_package_is_its_own() {
        let (_dir, root) = workspace(&[
            ("Cargo.toml", "[workspace]\nmembers = ['a']\nexclude = ['b', 'a']"),
            ("Cargo.lock", ""),
            ("a/Cargo.toml", "[package]\nname = 'a'"),
            ("a/src/deep/x", ""),
            ("b/Cargo.toml", "[package]\nname = 'b'"),
            ("c/Cargo.toml", "[package]\nname = 'c'\nworkspace = '../b'"),
        ]);
        let a = locate(&root.join("a/src/deep"), None).expect("located");
        assert_eq!((a.manifest, a.root_manifest), (root.join("a/Cargo.toml"), root.join("Cargo.toml")));
        assert!(a.has_lock);
        let b = locate(&root, Some("b/Cargo.toml".into())).expect("located");
        assert_eq!(b.root, root.join("b"));
        assert!(!b.has_lock);
        let c = locate(&root, Some("./c/Cargo.toml".into())).expect("located");
        assert_eq!(c.root_manifest, root.join("b/Cargo.toml"));
    }

    #[test]
    fn a_missing_manifest_is_named() {
        let (_dir, root) = workspace(&[]);
        let error = locate(&root, Some("no/Cargo.toml".into())).expect_err("there is none");
        assert!(error.to_string().contains("no/Cargo.toml"), "{error}");
    }
}
