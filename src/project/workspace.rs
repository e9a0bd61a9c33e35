//! From what cargo metadata wrote to the [`Workspace`] that the other floors see.
//!
//! How source calls a dependency follows from its manifest alone: optional and target-specific
//! dependencies have a name also where the graph leaves the crate out.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use camino::{Utf8Path, Utf8PathBuf};

use super::{
    Dependency, DependencyKind, Package, PackageId, ProjectError, Target, TargetKind, Workspace,
    cargo::MetadataText,
    metadata::{self, Metadata},
    same_name,
};

/// The library's name of a package that the graph leaves out, where something else (a pack) knows it.
pub type LibraryNames<'a> = dyn Fn(&str) -> Option<String> + 'a;

impl Workspace {
    /// Reads the output of a `cargo metadata`.
    ///
    /// # Errors
    /// Where it is not understood.
    pub fn read(text: &MetadataText, library_names: &LibraryNames<'_>) -> Result<Self, ProjectError> {
        let main = Metadata::parse(&text.json)?;
        let others = text.others.iter().map(|json| Metadata::parse(json)).collect::<Result<Vec<_>, _>>()?;
        let members: BTreeSet<&str> = main.workspace_members.iter().map(AsRef::as_ref).collect();
        let mut found: Vec<&metadata::Package<'_>> = main.packages.iter().collect();
        if !text.has_graph {
            found.extend(path_dependencies(&main, &others, &text.patched));
        }
        found.sort_by(|a, b| (&a.name, &a.version, &a.manifest_path).cmp(&(&b.name, &b.version, &b.manifest_path)));

        let numbers: HashMap<&str, PackageId> =
            found.iter().map(|package| &*package.id).zip((0..).map(PackageId)).collect();
        let nodes = main.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let nodes: HashMap<&str, &metadata::Node<'_>> = nodes.map(|node| (&*node.id, node)).collect();
        let reader = Reader { found: &found, numbers: &numbers, patched: &text.patched, library_names };
        let packages = found.iter().map(|package| reader.package(package, &members, nodes.get(&*package.id).copied()));
        Ok(Self {
            root: main.workspace_root.as_ref().into(),
            packages: packages.collect(),
            has_graph: text.has_graph,
            target: text.target.clone(),
        })
    }
}

/// The packages outside the workspace that its members lead to by path, and those that `[patch]` put
/// there.
fn path_dependencies<'a>(
    main: &'a Metadata<'a>,
    others: &'a [Metadata<'a>],
    patched: &[Utf8PathBuf],
) -> Vec<&'a metadata::Package<'a>> {
    let by_manifest: BTreeMap<&str, &metadata::Package<'_>> =
        others.iter().flat_map(|other| &other.packages).map(|package| (&*package.manifest_path, package)).collect();
    let mut out: BTreeMap<&str, &metadata::Package<'_>> = BTreeMap::new();
    let own: BTreeSet<&str> = main.packages.iter().map(|package| &*package.manifest_path).collect();
    let mut wanted: Vec<Utf8PathBuf> = main.packages.iter().flat_map(metadata::Package::path_dependencies).collect();
    wanted.extend_from_slice(patched);
    while let Some(manifest) = wanted.pop() {
        let Some((path, package)) = by_manifest.get_key_value(manifest.as_str()) else { continue };
        if !own.contains(path) && out.insert(path, package).is_none() {
            wanted.extend(package.path_dependencies());
        }
    }
    out.into_values().collect()
}

struct Reader<'a> {
    found: &'a [&'a metadata::Package<'a>],
    numbers: &'a HashMap<&'a str, PackageId>,
    patched: &'a [Utf8PathBuf],
    library_names: &'a LibraryNames<'a>,
}

impl Reader<'_> {
    fn package(
        &self,
        package: &metadata::Package<'_>,
        members: &BTreeSet<&str>,
        node: Option<&metadata::Node<'_>>,
    ) -> Package {
        let mut targets: Vec<Target> = package.targets.iter().filter_map(target).collect();
        targets.sort_by_key(|target| target.kind == TargetKind::Binary);
        Package {
            cargo_id: package.id.clone().into_owned(),
            name: package.name.clone().into_owned(),
            version: package.version.clone().into_owned(),
            manifest: package.manifest_path.as_ref().into(),
            local: package.source.is_none(),
            member: members.contains(&*package.id),
            targets,
            build_script: build_script(package),
            dependencies: package.dependencies.iter().map(|dependency| self.dependency(dependency, node)).collect(),
            features: package.features.keys().map(|name| name.clone().into_owned()).collect(),
        }
    }

    fn dependency(&self, dependency: &metadata::Dependency<'_>, node: Option<&metadata::Node<'_>>) -> Dependency {
        let resolved = match node {
            Some(node) => self.in_graph(dependency, node),
            None => self.by_path(dependency),
        };
        let library = resolved.and_then(|id| self.found.get(id.0 as usize)).and_then(|package| library_name(package));
        let written = match (&dependency.rename, library) {
            (Some(rename), _) => rename.clone(),
            (None, Some(library)) => library,
            (None, None) => (self.library_names)(&dependency.name).map_or_else(|| dependency.name.clone(), Cow::Owned),
        };
        let mut features: BTreeSet<String> = dependency.features.iter().map(|name| name.clone().into_owned()).collect();
        if dependency.uses_default_features {
            features.insert("default".into());
        }
        Dependency {
            key: dependency.rename.as_ref().unwrap_or(&dependency.name).clone().into_owned(),
            extern_name: written.replace('-', "_"),
            package: dependency.name.clone().into_owned(),
            resolved,
            kind: kind(dependency.kind.as_deref()),
            optional: dependency.optional,
            target: dependency.target.as_ref().map(|target| target.clone().into_owned()),
            features,
            path: dependency.path.as_deref().map(Utf8PathBuf::from),
        }
    }

    /// The package of the graph that a declaration resolves to.
    fn in_graph(&self, dependency: &metadata::Dependency<'_>, node: &metadata::Node<'_>) -> Option<PackageId> {
        let of_package = node.deps.iter().filter_map(|edge| {
            let id = *self.numbers.get(&*edge.pkg)?;
            let package = self.found.get(id.0 as usize)?;
            (package.name == dependency.name).then_some((id, edge, package))
        });
        // Renamed and plain dependencies on versions of one package are told apart by what source
        // calls them, those of different sections by kind and target.
        let named: Vec<_> = of_package
            .filter(|(_, edge, package)| {
                let name = dependency.rename.clone().or_else(|| library_name(package));
                edge.name.is_empty() || name.is_none_or(|name| name.replace('-', "_") == *edge.name)
            })
            .collect();
        let section = |edge: &metadata::NodeDependency<'_>| {
            edge.dep_kinds.iter().any(|section| section.kind == dependency.kind && section.target == dependency.target)
        };
        named.iter().find(|(_, edge, _)| section(edge)).map(|(id, ..)| *id)
    }

    /// Without a graph: the local package that a declaration leads to by path, or that `[patch]` put
    /// in its place.
    fn by_path(&self, dependency: &metadata::Dependency<'_>) -> Option<PackageId> {
        let manifest = dependency.path.as_deref().map(|path| Utf8Path::new(path).join("Cargo.toml"));
        let found = self.found.iter().find(|package| match &manifest {
            Some(manifest) => *package.manifest_path == *manifest.as_str(),
            None => {
                same_name(&package.name, &dependency.name)
                    && self.patched.iter().any(|manifest| *manifest.as_str() == *package.manifest_path)
            }
        })?;
        self.numbers.get(&*found.id).copied()
    }
}

fn kind(kind: Option<&str>) -> DependencyKind {
    match kind {
        Some("dev") => DependencyKind::Development,
        Some("build") => DependencyKind::Build,
        _ => DependencyKind::Normal,
    }
}

fn target(target: &metadata::Target<'_>) -> Option<Target> {
    let kind = target_kind(target)?;
    Some(Target {
        kind,
        name: target.name.replace('-', "_"),
        root: target.src_path.as_ref().into(),
        edition: target.edition.parse().unwrap_or(2015),
    })
}

fn build_script(package: &metadata::Package<'_>) -> Option<Utf8PathBuf> {
    let builds = |target: &&metadata::Target<'_>| target.kind.iter().any(|kind| kind == "custom-build");
    package.targets.iter().find(builds).map(|target| target.src_path.as_ref().into())
}

fn target_kind(target: &metadata::Target<'_>) -> Option<TargetKind> {
    target.kind.iter().find_map(|kind| match kind.as_ref() {
        "lib" | "rlib" | "dylib" | "cdylib" | "staticlib" => Some(TargetKind::Library),
        "proc-macro" => Some(TargetKind::ProcMacro),
        "bin" => Some(TargetKind::Binary),
        _ => None,
    })
}

fn library_name<'a>(package: &metadata::Package<'a>) -> Option<Cow<'a, str>> {
    let is_library =
        |target: &&metadata::Target<'_>| target_kind(target).is_some_and(|kind| kind != TargetKind::Binary);
    package.targets.iter().find(is_library).map(|target| target.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{cargo::CargoOptions, testing::Place};

    #[test]
    fn names_follow_the_manifest_also_where_the_graph_leaves_a_crate_out() {
        let place = Place::new(&[
            (
                "w/Cargo.toml",
                "[package]\nname = 'w'\nversion = '0.1.0'\nedition = '2021'\n[dependencies]\n\
                 rig-core = '0.9'\nhttp-two = { package = 'http', version = '2' }\nhttp = '1'\n\
                 hidden-core = { version = '1', optional = true }\nl-ocal = { path = '../l' }\n\
                 [target.'cfg(windows)'.dependencies]\nwin-api = '1'\n[dev-dependencies]\nrig-core = '0.9'\n\
                 [build-dependencies]\nmaker = '1'\n",
            ),
            ("w/src/lib.rs", ""),
            ("w/src/main.rs", "fn main() {}"),
            ("w/build.rs", "fn main() {}"),
            ("w/tests/t.rs", ""),
            ("l/Cargo.toml", "[package]\nname = 'l-ocal'\nversion = '0.1.0'\n"),
            ("l/src/lib.rs", ""),
            (".cargo/config.toml", Place::VENDORED),
        ]);
        place.vendor("rig-core", "0.9.0", "[lib]\nname = 'rig'\n");
        for (name, version) in
            [("http", "1.0.0"), ("http", "2.0.0"), ("hidden-core", "1.0.0"), ("win-api", "1.0.0"), ("maker", "1.0.0")]
        {
            place.vendor(name, version, "");
        }
        let narrow =
            CargoOptions { features: crate::base::Features::from_flags(false, true, &[]), ..CargoOptions::default() };
        let text = place.metadata("w", &narrow).expect("metadata");
        let workspace =
            Workspace::read(&text, &|name| (name == "hidden-core").then(|| "hid-den".into())).expect("read");
        let (_, own) = workspace.named("w").next().expect("w");
        let version = |id: PackageId| workspace.package(id).version.as_str();
        let mut seen: Vec<_> = own
            .dependencies
            .iter()
            .map(|d| (d.extern_name.as_str(), d.package.as_str(), d.resolved.map_or("-", version), d.kind, d.optional))
            .collect();
        seen.sort_by_key(|(name, _, _, kind, _)| (*kind as u8, *name));
        use DependencyKind::{Build, Development, Normal};
        assert_eq!(
            seen,
            [
                ("hid_den", "hidden-core", "-", Normal, true),
                ("http", "http", "1.0.0", Normal, false),
                ("http_two", "http", "2.0.0", Normal, false),
                ("l_ocal", "l-ocal", "0.1.0", Normal, false),
                ("rig", "rig-core", "0.9.0", Normal, false),
                ("win_api", "win-api", "1.0.0", Normal, false),
                ("rig", "rig-core", "0.9.0", Development, false),
                ("maker", "maker", "1.0.0", Build, false),
            ]
        );
        let targets: Vec<_> = own.targets.iter().map(|t| (t.kind, t.name.as_str(), t.edition)).collect();
        assert_eq!(targets, [(TargetKind::Library, "w", 2021), (TargetKind::Binary, "w", 2021)]);
        let local: Vec<_> = workspace.local().map(|(_, p)| (p.name.as_str(), p.member)).collect();
        assert_eq!(local, [("l-ocal", false), ("w", true)]);
    }
}
