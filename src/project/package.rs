//! Packages as the rest of the tool sees them.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;

/// A package of the workspace or its graph, by its number in [`Workspace::packages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(pub u32);

/// The workspace.
#[derive(Debug)]
pub struct Workspace {
    /// The workspace root, absolute.
    pub root: Utf8PathBuf,
    /// All packages: with a graph, all of the graph's; without one, the local ones. Sorted by
    /// (name, version, manifest path).
    pub packages: Vec<Package>,
    /// Whether the graph was resolved (not with `--no-deps`).
    pub has_graph: bool,
    /// Where its builds go, absolute: `target` in the root, or where the environment or a configuration of
    /// cargo's puts it.
    pub target: Utf8PathBuf,
}

impl Workspace {
    /// A package.
    pub fn package(&self, id: PackageId) -> &Package {
        &self.packages[id.0 as usize]
    }

    /// The local packages (members and path dependencies), in order.
    pub fn local(&self) -> impl Iterator<Item = (PackageId, &Package)> {
        self.ids().filter(|(_, package)| package.local)
    }

    /// The packages of a name, `-` and `_` alike, in order.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (PackageId, &'a Package)> {
        self.ids().filter(move |(_, package)| same_name(&package.name, name))
    }

    /// All packages with their numbers, in order.
    pub fn ids(&self) -> impl Iterator<Item = (PackageId, &Package)> {
        (0u32..).map(PackageId).zip(&self.packages)
    }
}

/// One package.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Cargo's own identifier, opaque.
    pub cargo_id: String,
    /// As the manifest gives it.
    pub name: String,
    /// As the manifest gives it.
    pub version: String,
    /// The absolute path of its Cargo.toml.
    pub manifest: Utf8PathBuf,
    /// Whether its source is on disk beside the workspace: a member or a path dependency.
    pub local: bool,
    /// Whether it is a workspace member.
    pub member: bool,
    /// Library (first), binaries, in the order of the manifest; no tests, benches, examples, build scripts.
    pub targets: Vec<Target>,
    /// The build script, absolute. It is never on the path, but may write files of modules.
    pub build_script: Option<Utf8PathBuf>,
    /// What the manifest declares, in its order.
    pub dependencies: Vec<Dependency>,
    /// The features that the manifest declares.
    pub features: BTreeSet<String>,
}

impl Package {
    /// The library's name as source spells it, if the package has a library.
    pub fn library_name(&self) -> Option<&str> {
        self.targets.iter().find(|t| t.kind != TargetKind::Binary).map(|t| t.name.as_str())
    }

    /// Whether its library is a procedural macro.
    pub fn is_proc_macro(&self) -> bool {
        self.targets.iter().any(|t| t.kind == TargetKind::ProcMacro)
    }
}

/// Whether two package names are the same, `-` and `_` alike.
pub fn same_name(a: &str, b: &str) -> bool {
    let plain = |byte: u8| if byte == b'_' { b'-' } else { byte };
    a.len() == b.len() && a.bytes().map(plain).eq(b.bytes().map(plain))
}

/// What a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// A library of any linkage.
    Library,
    /// A procedural macro: runs at compile time, is never on the path.
    ProcMacro,
    /// A binary.
    Binary,
}

/// A target that can be on the lease path.
#[derive(Clone, Debug)]
pub struct Target {
    /// What it is.
    pub kind: TargetKind,
    /// The crate's name, with `_`.
    pub name: String,
    /// The crate root, absolute.
    pub root: Utf8PathBuf,
    /// 2015, 2018, 2021 or 2024.
    pub edition: u16,
}

/// Which part of a package a dependency is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DependencyKind {
    /// The library and the binaries.
    #[default]
    Normal,
    /// Tests, benches and examples.
    Development,
    /// The build script.
    Build,
}

/// One line of a manifest's dependencies.
#[derive(Clone, Debug, Default)]
pub struct Dependency {
    /// The key in the manifest's table: the renaming key, or the package's name.
    pub key: String,
    /// What source calls the crate, with `_`: the renaming key, else the library's name of the
    /// package that it resolves to, else (where the graph leaves it out) that of the pack, else the
    /// package's own name.
    pub extern_name: String,
    /// The package's name, never a renaming key.
    pub package: String,
    /// The package of the graph, if the graph has it.
    pub resolved: Option<PackageId>,
    /// What it is for.
    pub kind: DependencyKind,
    /// Whether only a feature switches it on.
    pub optional: bool,
    /// The target that it is limited to, as written.
    pub target: Option<String>,
    /// The features that it asks for, `default` among them where it does not turn that off.
    pub features: BTreeSet<String>,
    /// The folder, absolute, where it is a path dependency.
    pub path: Option<Utf8PathBuf>,
}
