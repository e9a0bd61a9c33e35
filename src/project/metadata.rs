//! The part of cargo metadata's JSON that is needed, borrowed from its text.
//!
//! These types are leaner than those of the `cargo_metadata` crate, because every run reads the
//! whole text, while guppy, which reads it with that crate, is asked only where a dependency chain
//! is in question. The format is version 1, <https://doc.rust-lang.org/cargo/commands/cargo-metadata.html>.

use std::{borrow::Cow, collections::BTreeMap};

use camino::Utf8PathBuf;
use serde::Deserialize;

use super::ProjectError;

/// A text of the JSON, borrowed where it holds no escape.
pub(super) type Text<'a> = Cow<'a, str>;

#[derive(Debug, Deserialize)]
pub(super) struct Metadata<'a> {
    #[serde(borrow)]
    pub(super) packages: Vec<Package<'a>>,
    #[serde(borrow)]
    pub(super) workspace_members: Vec<Text<'a>>,
    #[serde(borrow)]
    pub(super) resolve: Option<Resolve<'a>>,
    #[serde(borrow)]
    pub(super) workspace_root: Text<'a>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Package<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) version: Text<'a>,
    #[serde(borrow)]
    pub(super) source: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) manifest_path: Text<'a>,
    #[serde(borrow)]
    pub(super) dependencies: Vec<Dependency<'a>>,
    #[serde(borrow)]
    pub(super) targets: Vec<Target<'a>>,
    #[serde(borrow)]
    pub(super) features: BTreeMap<Text<'a>, Vec<Text<'a>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Dependency<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) rename: Option<Text<'a>>,
    pub(super) optional: bool,
    pub(super) uses_default_features: bool,
    #[serde(borrow)]
    pub(super) features: Vec<Text<'a>>,
    #[serde(borrow)]
    pub(super) target: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) path: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target<'a> {
    #[serde(borrow)]
    pub(super) kind: Vec<Text<'a>>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) src_path: Text<'a>,
    #[serde(borrow)]
    pub(super) edition: Text<'a>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Resolve<'a> {
    #[serde(borrow)]
    pub(super) nodes: Vec<Node<'a>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) deps: Vec<NodeDependency<'a>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeDependency<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) pkg: Text<'a>,
    #[serde(borrow)]
    pub(super) dep_kinds: Vec<DependencyKind<'a>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct DependencyKind<'a> {
    #[serde(borrow)]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) target: Option<Text<'a>>,
}

impl<'a> Metadata<'a> {
    /// Reads the text.
    ///
    /// # Errors
    /// Where it is not what cargo's documentation says.
    pub(super) fn parse(json: &'a str) -> Result<Self, ProjectError> {
        serde_json::from_str(json).map_err(|error| ProjectError::Output { why: error.to_string() })
    }

    /// For the manifest of each package, those of its path dependencies.
    pub(super) fn path_dependencies(&self) -> BTreeMap<Utf8PathBuf, Vec<Utf8PathBuf>> {
        let entry =
            |package: &Package<'_>| (package.manifest_path.as_ref().into(), package.path_dependencies().collect());
        self.packages.iter().map(entry).collect()
    }
}

impl Package<'_> {
    /// Those of the library and the binaries: others are never on the path.
    pub(super) fn path_dependencies(&self) -> impl Iterator<Item = Utf8PathBuf> + '_ {
        let normal = self.dependencies.iter().filter(|dependency| dependency.kind.is_none());
        normal
            .filter_map(|dependency| dependency.path.as_deref())
            .map(|path| Utf8PathBuf::from(path).join("Cargo.toml"))
    }
}
