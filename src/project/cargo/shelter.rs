//! The folder that cargo is called from: empty but for a configuration of ours.
//!
//! Cargo reads configuration from the folder it runs in and every one above it. The shelter is a
//! fresh temporary folder with none above it; if there is no such place on the machine, what stands
//! above must hold nothing but data. CARGO_HOME, whose configuration is read from everywhere, is the
//! user's own and stays, unless it lies inside the checked repository (some CI services put it
//! there): then a stand-in is made, whose caches are links to the real ones.

use std::{collections::BTreeMap, ffi::OsString, io};

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;
use toml::{Table, Value};

use super::{Environment, Located, config, toolchain};
use crate::project::ProjectError;

/// A prepared call. The folder is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Shelter {
    /// Where cargo is called.
    pub(super) folder: TempDir,
    /// Its whole environment.
    pub(super) variables: BTreeMap<OsString, OsString>,
    /// The program.
    pub(super) cargo: Utf8PathBuf,
    /// Where the workspace's builds go; this call writes nothing there.
    pub(super) target: Utf8PathBuf,
    /// What every report says.
    pub(super) notes: Vec<String>,
    /// A stand-in for CARGO_HOME and the real one: paths that cargo prints lead through the former.
    pub(super) stand_in: Option<(Utf8PathBuf, Utf8PathBuf)>,
}

impl Shelter {
    /// Reads the workspace's configuration and lays out the folder.
    ///
    /// # Errors
    /// See [`ProjectError`]: a configuration that cannot be read, an alias, no cargo, no neutral place.
    pub(super) fn prepare(located: &Located, environment: &Environment) -> Result<Self, ProjectError> {
        let manifest_folder = located.manifest.parent().unwrap_or(&located.root);
        let home = environment.cargo_home().unwrap_or_else(|| "/nonexistent".into());
        let config::Carried { table: mut carried, target, .. } = config::carried(manifest_folder, &home)?;
        // Cargo's order: the environment, the nearest configuration, the user's own.
        let target = environment.target_folder().or(target);
        let target = target.or_else(|| config::carried_from(&home).ok()?.target);
        let target = target.unwrap_or_else(|| located.root.join("target"));
        let chosen = environment.cargo(manifest_folder)?;
        let mut variables = environment.for_metadata();

        let (folder, toolchain_above) = neutral_folder(&places(environment, &home), &home)?;
        let path = Utf8Path::from_path(folder.path()).ok_or_else(not_text)?;
        let toolchain = chosen.toolchain.or_else(|| environment.default_toolchain().filter(|_| toolchain_above));
        if let Some(toolchain) = toolchain {
            variables.insert("RUSTUP_TOOLCHAIN".into(), toolchain.into());
        }

        let mut stand_in = None;
        if config::config_file(&home).is_some() && inside_repository(&home, located) {
            let place = path.join("home");
            let theirs = config::carried_from(&home)?.table;
            add_below(&mut carried, theirs);
            link_caches(&home, &place).map_err(shelter)?;
            variables.insert("CARGO_HOME".into(), place.as_str().into());
            variables.extend(tokens(&home));
            stand_in = Some((place, home));
        }
        // Nothing is built, but what cargo would write belongs here too.
        variables.insert("CARGO_TARGET_DIR".into(), path.join("target").into_string().into());

        let text = toml::to_string(&carried).map_err(|error| ProjectError::Shelter { why: error.to_string() })?;
        std::fs::create_dir(path.join(".cargo")).map_err(shelter)?;
        std::fs::write(path.join(".cargo/config.toml"), text).map_err(shelter)?;
        let notes = chosen.note.into_iter().collect();
        Ok(Self { folder, variables, cargo: chosen.program, target, notes, stand_in })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn shelter(error: io::Error) -> ProjectError {
    ProjectError::Shelter { why: error.to_string() }
}

fn not_text() -> ProjectError {
    ProjectError::Shelter { why: "the path of the folder for temporary files is not UTF-8".into() }
}

/// The folders that a shelter can be made in, the best first.
fn places(environment: &Environment, home: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut places = vec![environment.temporary()];
    places.extend(["/var/tmp", "/dev/shm"].map(Utf8PathBuf::from));
    places.push(home.to_owned());
    places.into_iter().filter_map(|place| place.canonicalize_utf8().ok()).collect()
}

/// A fresh folder with no configuration above it, and whether a toolchain file stands above it.
fn neutral_folder(places: &[Utf8PathBuf], home: &Utf8Path) -> Result<(TempDir, bool), ProjectError> {
    let configured = |place: &Utf8Path| {
        let folders = place.ancestors().map(|folder| folder.join(".cargo")).filter(|folder| folder != home);
        folders.filter(|folder| config::config_file(folder).is_some()).collect::<Vec<_>>()
    };
    let free: Vec<_> = places.iter().filter(|place| configured(place).is_empty()).collect();
    let best = free.iter().find(|place| toolchain::toolchain_file(place).is_none()).or(free.first()).copied();
    let Some(place) = best.or_else(|| places.first()) else {
        return Err(ProjectError::Shelter { why: "there is no folder for temporary files".into() });
    };
    for folder in configured(place) {
        if let (Some(path), Some(key)) = (config::config_file(&folder), config::carried_from(&folder)?.left_behind) {
            return Err(ProjectError::NotNeutral { path, key });
        }
    }
    let folder = tempfile::Builder::new().prefix("lease-guard-").tempdir_in(place).map_err(shelter)?;
    Ok((folder, toolchain::toolchain_file(place).is_some()))
}

/// Whether a folder lies in the workspace or in the repository around it.
fn inside_repository(folder: &Utf8Path, located: &Located) -> bool {
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let (folder, root) = (real(folder), real(&located.root));
    let repository = root.ancestors().find(|above| above.join(".git").exists()).unwrap_or(&root);
    folder.starts_with(&root) || folder.starts_with(repository)
}

/// Adds what the nearer configuration does not say.
fn add_below(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(there)), Value::Table(more)) => add_below(there, more),
            (Some(_), _) => {}
            (None, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// Makes `place` a CARGO_HOME with the caches of `home` and without its configuration.
fn link_caches(home: &Utf8Path, place: &Utf8Path) -> io::Result<()> {
    std::fs::create_dir(place)?;
    for cache in ["registry", "git"] {
        std::fs::create_dir_all(home.join(cache))?;
        link(&home.join(cache), &place.join(cache))?;
    }
    // The lock that cargo takes on the caches: shared with every other cargo that uses them.
    let lock = home.join(".package-cache");
    if !lock.exists() {
        std::fs::write(&lock, "")?;
    }
    link(&lock, &place.join(".package-cache"))
}

#[cfg(unix)]
fn link(to: &Utf8Path, at: &Utf8Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(windows)]
fn link(to: &Utf8Path, at: &Utf8Path) -> io::Result<()> {
    if to.is_dir() { std::os::windows::fs::symlink_dir(to, at) } else { std::os::windows::fs::symlink_file(to, at) }
}

/// The tokens of a CARGO_HOME's credentials, as variables, so that no second file holds them.
fn tokens(home: &Utf8Path) -> Vec<(OsString, OsString)> {
    let text =
        ["credentials.toml", "credentials"].into_iter().find_map(|name| std::fs::read_to_string(home.join(name)).ok());
    let Some(table) = text.and_then(|text| text.parse::<Table>().ok()) else { return Vec::new() };
    let token = |value: &Value| value.get("token").and_then(Value::as_str).map(OsString::from);
    let mut out = Vec::new();
    if let Some(token) = table.get("registry").and_then(token) {
        out.push(("CARGO_REGISTRY_TOKEN".into(), token));
    }
    for (name, registry) in table.get("registries").and_then(Value::as_table).into_iter().flatten() {
        if let Some(token) = token(registry) {
            let name = name.to_uppercase().replace('-', "_");
            out.push((format!("CARGO_REGISTRIES_{name}_TOKEN").into(), token));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::testing::Place;

    #[test]
    fn no_configuration_stands_above_the_shelter_or_it_is_data() {
        let place = Place::new(&[
            ("bad/.cargo/config.toml", "[build]\nrustc-wrapper = 'evil'\n"),
            ("data/.cargo/config.toml", "[net]\nretry = 1\n"),
            ("good/.keep", ""),
            ("bad/tmp/.keep", ""),
            ("data/tmp/.keep", ""),
        ]);
        let at = |name: &str| place.root.join(name);
        let (folder, _) = neutral_folder(&[at("bad/tmp"), at("good")], &at("home")).expect("a folder");
        assert!(folder.path().starts_with(at("good")));
        assert!(neutral_folder(&[at("data/tmp")], &at("home")).is_ok());
        let error = neutral_folder(&[at("bad/tmp")], &at("home")).expect_err("not neutral");
        assert_eq!(
            error,
            ProjectError::NotNeutral { path: at("bad/.cargo/config.toml"), key: "build.rustc-wrapper".into() }
        );
        // The user's own configuration is read from everywhere anyhow.
        assert!(neutral_folder(&[at("bad/tmp")], &at("bad/.cargo")).is_ok());
    }
}
