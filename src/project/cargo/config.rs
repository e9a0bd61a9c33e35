//! Cargo's configuration files, read by us, and of them what is harmless.
//!
//! Cargo takes its configuration from `.cargo/config.toml` in the current folder and every one above
//! it, and from CARGO_HOME. Such a file can name programs (`build.rustc`, wrappers, credential
//! helpers), preload libraries (`[env]`) and more with each release of cargo. [`carried`] keeps only
//! what it knows to be data: source replacement, patches, registries' indexes, `paths`, `net` and
//! `http`. Relative paths are made absolute, for the result is used from another folder.
//!
//! Cargo's rules that are followed here: a nearer file wins over one further up, arrays are joined,
//! tables are merged; `include` names files that the including one wins over; a relative path counts
//! from the folder above the one that the file lies in.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use toml::{Table, Value};

use crate::{base::normalise, project::ProjectError};

/// What the files of one hierarchy say.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// What is carried over, merged.
    pub(super) table: Table,
    /// The first key that was left behind, such as `build.rustc`.
    pub(super) left_behind: Option<String>,
    /// `build.target-dir`, absolute: where the workspace's builds go. It is told, not carried over.
    pub(super) target: Option<Utf8PathBuf>,
}

/// Reads the configuration files that cargo would read from `folder`, nearest first, except those of
/// `cargo_home`, which are the user's own.
///
/// # Errors
/// Where a file cannot be read, or defines an alias called `lease-guard`.
pub(super) fn carried(folder: &Utf8Path, cargo_home: &Utf8Path) -> Result<Carried, ProjectError> {
    let mut out = Carried::default();
    for folder in folder.ancestors() {
        let Some(file) = config_file(&folder.join(".cargo")) else { continue };
        if same_folder(file.parent(), cargo_home) {
            continue;
        }
        let mut seen = BTreeSet::new();
        read(&file, true, &mut seen, &mut out)?;
    }
    Ok(out)
}

/// Reads the configuration file of one folder (CARGO_HOME where it lies inside the workspace). An
/// alias in it is no concern of ours.
///
/// # Errors
/// Where the file cannot be read.
pub(super) fn carried_from(folder: &Utf8Path) -> Result<Carried, ProjectError> {
    let mut out = Carried::default();
    if let Some(file) = config_file(folder) {
        read(&file, false, &mut BTreeSet::new(), &mut out)?;
    }
    Ok(out)
}

/// The configuration file of a folder: `config` wins over `config.toml`, as in cargo.
pub(super) fn config_file(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    ["config", "config.toml"].map(|name| folder.join(name)).into_iter().find(|path| path.is_file())
}

fn same_folder(a: Option<&Utf8Path>, b: &Utf8Path) -> bool {
    a.is_some_and(|a| a == b || a.canonicalize_utf8().ok().is_some_and(|a| b.canonicalize_utf8().ok() == Some(a)))
}

/// How deep `include` may nest. Cargo refuses cycles; nothing needs more than a few levels.
const DEEPEST_INCLUDE: usize = 32;

fn read(
    file: &Utf8Path,
    refuse_alias: bool,
    including: &mut BTreeSet<Utf8PathBuf>,
    out: &mut Carried,
) -> Result<(), ProjectError> {
    let failed = |why: String| ProjectError::Config { path: file.to_string(), why };
    if including.len() >= DEEPEST_INCLUDE || !including.insert(file.to_owned()) {
        return Err(failed("it includes itself, or nests too deep".into()));
    }
    let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let (line, column) = place(text, error.span().map_or(0, |span| span.start));
        ProjectError::Config { path: format!("{file}:{line}:{column}"), why: error.message().to_owned() }
    })?;
    if refuse_alias && table.get("alias").and_then(|alias| alias.get("lease-guard")).is_some() {
        let (line, column) = place(text, text.find("lease-guard").unwrap_or(0));
        return Err(ProjectError::Alias { path: format!("{file}:{line}:{column}") });
    }
    // The including file wins over what it includes, and a later entry over an earlier one.
    let includes = includes(&table);
    let root = file.parent().and_then(Utf8Path::parent).unwrap_or(Utf8Path::new("/"));
    let target = table.get("build").and_then(|build| build.get("target-dir")).and_then(Value::as_str);
    if out.target.is_none() {
        out.target = target.filter(|path| !path.is_empty()).map(|path| normalise(&root.join(path)));
    }
    let (kept, left_behind) = Keeper { root }.keep(table);
    merge(&mut out.table, kept);
    if out.left_behind.is_none() {
        out.left_behind = left_behind;
    }
    let folder = file.parent().unwrap_or(Utf8Path::new("/"));
    for (path, optional) in includes.into_iter().rev() {
        let path = normalise(&folder.join(path));
        if !optional || path.is_file() {
            read(&path, refuse_alias, including, out)?;
        }
    }
    including.remove(file);
    Ok(())
}

/// The entries of `include`, with whether each may be missing.
fn includes(table: &Table) -> Vec<(String, bool)> {
    let entry = |value: &Value| match value {
        Value::String(path) => Some((path.clone(), false)),
        Value::Table(table) => {
            let optional = table.get("optional").and_then(Value::as_bool).unwrap_or(false);
            table.get("path").and_then(Value::as_str).map(|path| (path.to_owned(), optional))
        }
        _ => None,
    };
    match table.get("include") {
        Some(Value::Array(list)) => list.iter().filter_map(entry).collect(),
        Some(value) => entry(value).into_iter().collect(),
        None => Vec::new(),
    }
}

fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Adds what is not there yet: what stands in `into` came from a file that wins.
fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(there)), Value::Table(more)) => merge(there, more),
            (Some(Value::Array(there)), Value::Array(more)) => there.extend(more),
            (Some(_), _) => {}
            (None, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// Keeps what is harmless of one file.
struct Keeper<'a> {
    /// What relative paths count from.
    root: &'a Utf8Path,
}

impl Keeper<'_> {
    fn keep(&self, table: Table) -> (Table, Option<String>) {
        let mut kept = Table::new();
        let mut left_behind = None;
        for (key, value) in table {
            let value = match (key.as_str(), value) {
                ("source", Value::Table(sources)) => Some(self.each(sources, Self::source)),
                ("registries", Value::Table(registries)) => {
                    for (name, registry) in
                        registries.iter().filter_map(|(name, value)| Some((name, value.as_table()?)))
                    {
                        if let Some(key) = helper(registry) {
                            left_behind.get_or_insert(format!("registries.{name}.{key}"));
                        }
                    }
                    Some(self.each(registries, Self::registry))
                }
                ("registry", Value::Table(registry)) => {
                    if let Some(key) = helper(&registry) {
                        left_behind.get_or_insert(format!("registry.{key}"));
                    }
                    Some(Value::Table(self.registry(registry)))
                }
                ("patch", Value::Table(urls)) => Some(self.each(urls, |this, patches| {
                    let absolute = |value| match value {
                        Value::Table(mut dependency) => {
                            this.absolute(&mut dependency, &["path"]);
                            Value::Table(dependency)
                        }
                        value => value,
                    };
                    patches.into_iter().map(|(name, value)| (name, absolute(value))).collect()
                })),
                ("paths", Value::Array(paths)) => {
                    let absolute = |path: Value| path.as_str().map(|path| Value::String(self.path(path)));
                    Some(Value::Array(paths.into_iter().filter_map(absolute).collect()))
                }
                ("net", Value::Table(net)) => Some(Value::Table(net)),
                ("http", Value::Table(mut http)) => {
                    http.remove("debug");
                    self.absolute(&mut http, &["cainfo", "proxy-cainfo"]);
                    Some(Value::Table(http))
                }
                ("include", _) => None,
                (_, value) => {
                    let inner = value.as_table().and_then(|table| table.keys().next());
                    left_behind.get_or_insert(inner.map_or(key.clone(), |inner| format!("{key}.{inner}")));
                    None
                }
            };
            if let Some(value) = value {
                kept.insert(key, value);
            }
        }
        (kept, left_behind)
    }

    fn each(&self, tables: Table, keep: impl Fn(&Self, Table) -> Table) -> Value {
        let tables = tables.into_iter().filter_map(|(name, value)| match value {
            Value::Table(table) => Some((name, Value::Table(keep(self, table)))),
            _ => None,
        });
        Value::Table(tables.collect())
    }

    fn source(&self, mut source: Table) -> Table {
        const KNOWN: [&str; 8] =
            ["replace-with", "registry", "directory", "local-registry", "git", "branch", "tag", "rev"];
        source.retain(|key, _| KNOWN.contains(&key));
        self.absolute(&mut source, &["directory", "local-registry"]);
        source
    }

    fn registry(&self, mut registry: Table) -> Table {
        const KNOWN: [&str; 4] = ["index", "protocol", "token", "default"];
        registry.retain(|key, value| KNOWN.contains(&key) || (HELPERS.contains(&key) && is_built_in(value)));
        // Cargo takes `file:relative` from the same folder as relative paths.
        if let Some(Value::String(index)) = registry.get_mut("index")
            && let Some(relative) = index.strip_prefix("file:").filter(|rest| !rest.starts_with('/'))
        {
            *index = format!("file://{}", self.path(relative));
        }
        registry
    }

    fn absolute(&self, table: &mut Table, keys: &[&str]) {
        for key in keys {
            if let Some(Value::String(path)) = table.get_mut(*key) {
                *path = self.path(path);
            }
        }
    }

    fn path(&self, path: &str) -> String {
        normalise(&self.root.join(path)).into_string()
    }
}

/// The keys that name credential helpers.
const HELPERS: [&str; 2] = ["credential-provider", "global-credential-providers"];

/// Whether a value names nothing but helpers that are part of cargo and run no program. (There is one
/// more, `cargo:token-from-stdout`, which does.)
fn is_built_in(value: &Value) -> bool {
    const BUILT_IN: [&str; 4] = ["cargo:token", "cargo:wincred", "cargo:macos-keychain", "cargo:libsecret"];
    let one = |value: &Value| value.as_str().is_some_and(|name| BUILT_IN.contains(&name));
    one(value) || value.as_array().is_some_and(|list| list.iter().all(one))
}

/// The key by which a registry's table names a program.
fn helper(registry: &Table) -> Option<&'static str> {
    HELPERS.into_iter().find(|key| registry.get(*key).is_some_and(|value| !is_built_in(value)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Utf8PathBuf) {
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
    fn data_is_carried_over_and_programs_are_left_behind() {
        let (_dir, root) = folder(&[(
            "w/.cargo/config.toml",
            "paths = ['near']\n[source.crates-io]\nreplace-with = 'v'\n[source.v]\ndirectory = 'vendor'\nx = 1\n\
             [registries.r]\nindex = 'file:index'\ncredential-provider = 'evil'\n\
             [registry]\nglobal-credential-providers = ['cargo:token']\n[patch.crates-io]\na = { path = '../a' }\n\
             [env]\nLD_PRELOAD = 'x.so'\n[build]\nrustc-wrapper = 'evil'\n[http]\ncainfo = 'ca.pem'\ndebug = true\n\
             [net]\noffline = true\n",
        )]);
        let carried = carried(&root.join("w"), &root.join("home")).expect("read");
        let text = carried.table.to_string();
        let table: Table = text.parse().expect("TOML");
        assert_eq!(table["source"]["v"]["directory"].as_str(), Some(root.join("w/vendor").as_str()));
        assert!(table["source"]["v"].get("x").is_none());
        assert_eq!(table["registries"]["r"]["index"].as_str(), Some(format!("file://{root}/w/index").as_str()));
        assert_eq!(table["patch"]["crates-io"]["a"]["path"].as_str(), Some(root.join("a").as_str()));
        assert_eq!(table["paths"][0].as_str(), Some(root.join("w/near").as_str()));
        assert_eq!(table["http"]["cainfo"].as_str(), Some(root.join("w/ca.pem").as_str()));
        assert_eq!(table["registry"]["global-credential-providers"][0].as_str(), Some("cargo:token"));
        assert_eq!(table["net"]["offline"].as_bool(), Some(true));
        assert!(!text.contains("evil") && !text.contains("LD_PRELOAD") && !text.contains("debug"), "{text}");
        assert!(carried.left_behind.is_some());
    }

    #[test]
    fn the_nearer_file_wins_and_an_included_one_loses() {
        let (_dir, root) = folder(&[
            (".cargo/config.toml", "[source.a]\ndirectory = 'far'\n[source.b]\ndirectory = 'far'\n"),
            (
                "w/.cargo/config",
                "include = ['x/y/inc.toml', { path = 'no.toml', optional = true }]\n[source.a]\ndirectory = 'near'\n",
            ),
            ("w/.cargo/config.toml", "not even TOML"),
            ("w/.cargo/x/y/inc.toml", "[source.a]\ndirectory = 'inc'\n[source.c]\ndirectory = 'inc'\n"),
        ]);
        let table = carried(&root.join("w"), &root.join("home")).expect("read").table;
        let directory = |name: &str| table["source"][name]["directory"].as_str().map(str::to_owned);
        assert_eq!(directory("a"), Some(root.join("w/near").into_string()));
        assert_eq!(directory("b"), Some(root.join("far").into_string()));
        assert_eq!(directory("c"), Some(root.join("w/.cargo/x/inc").into_string()));
    }

    #[test]
    fn an_alias_in_front_of_the_command_is_refused_by_include_too() {
        let (_dir, root) = folder(&[
            ("w/.cargo/config.toml", "include = [{ path = 'inc.toml' }]\n"),
            ("w/.cargo/inc.toml", "[alias]\nb = 'build'\nlease-guard = 'version'\n"),
        ]);
        let error = carried(&root.join("w"), &root.join("home")).expect_err("an alias");
        assert_eq!(error, ProjectError::Alias { path: format!("{root}/w/.cargo/inc.toml:3:1") });
        // The user's own file may say what it wants.
        assert!(carried(&root.join("w"), &root.join("w/.cargo")).is_ok());
    }

    #[test]
    fn the_nearest_target_folder_is_told_and_not_carried_over() {
        let (_dir, root) = folder(&[
            (".cargo/config.toml", "[build]\ntarget-dir = 'far'\n"),
            ("w/.cargo/config.toml", "include = ['inc.toml']\n[build]\njobs = 1\n"),
            ("w/.cargo/inc.toml", "[build]\ntarget-dir = '../near'\n"),
        ]);
        let near = carried(&root.join("w"), &root.join("home")).expect("read");
        assert_eq!(near.target, Some(root.join("near")));
        assert!(!near.table.contains_key("build"));
        assert_eq!(carried(&root.join("v"), &root.join("home")).expect("read").target, Some(root.join("far")));
    }

    #[test]
    fn a_circle_and_a_broken_file_are_errors_with_a_place() {
        let (_dir, root) = folder(&[
            ("a/.cargo/config.toml", "include = ['config.toml']\n"),
            ("b/.cargo/config.toml", "[build]\nrustc = \n"),
        ]);
        assert!(matches!(carried(&root.join("a"), &root), Err(ProjectError::Config { .. })));
        let error = carried(&root.join("b"), &root).expect_err("broken");
        assert!(error.to_string().contains("config.toml:2:"), "{error}");
    }
}
