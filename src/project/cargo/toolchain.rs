//! Which cargo is called, and with what environment.
//!
//! Cargo is found by absolute path: the one that called us, else the first in an absolute folder of
//! PATH (a relative entry would mean a program of the workspace). Where it is rustup's, a channel
//! that the workspace's toolchain file names is honoured; a path that it names is not, for that is a
//! program of the workspace's choice. Nothing is installed.

use std::{collections::BTreeMap, ffi::OsString};

use camino::{Utf8Path, Utf8PathBuf};

use crate::{base::normalise, project::ProjectError};

/// The environment that a call of cargo starts from, by default this process's own.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    folder: Utf8PathBuf,
}

/// A program and the toolchain it should be.
#[derive(Clone, Debug)]
pub(super) struct Cargo {
    /// Absolute.
    pub(super) program: Utf8PathBuf,
    /// For RUSTUP_TOOLCHAIN.
    pub(super) toolchain: Option<String>,
    /// What every report says.
    pub(super) note: Option<String>,
}

impl Environment {
    /// The environment and current folder of this process.
    pub fn of_process() -> Self {
        let folder = std::env::current_dir().ok().and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
        Self { variables: std::env::vars_os().collect(), folder: folder.unwrap_or_else(|| "/".into()) }
    }

    /// The same with one variable set, or taken out.
    #[must_use]
    pub fn with(mut self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.variables.insert(name.into(), value.into()),
            None => self.variables.remove(std::ffi::OsStr::new(name)),
        };
        self
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.variables.get(std::ffi::OsStr::new(name))?.to_str().filter(|text| !text.is_empty())
    }

    /// CARGO_HOME, absolute: as set (counted from the current folder), else `.cargo` of the user.
    pub(super) fn cargo_home(&self) -> Option<Utf8PathBuf> {
        self.home_of("CARGO_HOME", ".cargo")
    }

    fn rustup_home(&self) -> Option<Utf8PathBuf> {
        self.home_of("RUSTUP_HOME", ".rustup")
    }

    fn home_of(&self, name: &str, default: &str) -> Option<Utf8PathBuf> {
        if let Some(set) = self.text(name) {
            return Some(self.folder.join(set));
        }
        let user = self.text("HOME").or_else(|| self.text("USERPROFILE")).map(Utf8PathBuf::from);
        let user = user.or_else(|| std::env::home_dir().and_then(|path| Utf8PathBuf::from_path_buf(path).ok()));
        user.map(|user| user.join(default))
    }

    /// Where the user has every build go, absolute.
    pub(super) fn target_folder(&self) -> Option<Utf8PathBuf> {
        let set = self.text("CARGO_TARGET_DIR").or_else(|| self.text("CARGO_BUILD_TARGET_DIR"))?;
        Some(normalise(&self.folder.join(set)))
    }

    /// The cargo to call for a workspace.
    ///
    /// # Errors
    /// Where none is found.
    pub(super) fn cargo(&self, manifest_folder: &Utf8Path) -> Result<Cargo, ProjectError> {
        // rustup tells its children which toolchain it chose and why. One that the workspace's
        // toolchain file names by path must not be passed on, nor the cargo that belongs to it.
        let set = self.text("RUSTUP_TOOLCHAIN");
        let is_path = set.is_some_and(|name| name.contains(['/', '\\']));
        let by_user = match self.text("RUSTUP_TOOLCHAIN_SOURCE") {
            Some(source) => matches!(source, "env" | "cli"),
            None => self.text("CARGO").is_none(),
        };
        let distrusted = is_path && !by_user;
        let caller = self.text("CARGO").filter(|_| !distrusted).map(Utf8PathBuf::from);
        let caller = caller.filter(|path| path.is_absolute() && path.is_file());
        let program = caller.or_else(|| self.on_path("cargo")).ok_or(ProjectError::NoCargo)?;
        if let Some(set) = set.filter(|_| !distrusted) {
            return Ok(Cargo { program, toolchain: Some(set.to_owned()), note: None });
        }
        let mut cargo = Cargo { program, toolchain: None, note: None };
        let Some(channel) = channel_of(manifest_folder) else { return Ok(cargo) };
        // Before 1.28 rustup installs what it does not have; so only a channel that is there is asked for.
        if self.installed(&channel) {
            cargo.toolchain = Some(channel);
        } else if self.rustup_home().is_some_and(|home| home.join("toolchains").is_dir()) {
            cargo.note = Some(format!(
                "the toolchain `{channel}` that the workspace asks for is not installed; the default one read its manifests"
            ));
        }
        Ok(cargo)
    }

    fn installed(&self, channel: &str) -> bool {
        let Some(folder) = self.rustup_home().map(|home| home.join("toolchains")) else { return false };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .any(|name| name.strip_prefix(channel).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
    }

    /// rustup's default toolchain, from its settings.
    pub(super) fn default_toolchain(&self) -> Option<String> {
        let text = std::fs::read_to_string(self.rustup_home()?.join("settings.toml")).ok()?;
        let table: toml::Table = text.parse().ok()?;
        Some(table.get("default_toolchain")?.as_str()?.to_owned())
    }

    /// The folder for temporary files.
    pub(super) fn temporary(&self) -> Utf8PathBuf {
        let set = ["TMPDIR", "TMP", "TEMP"].into_iter().find_map(|name| self.text(name)).map(Utf8PathBuf::from);
        set.filter(|path| path.is_absolute())
            .or_else(|| Utf8PathBuf::from_path_buf(std::env::temp_dir()).ok())
            .unwrap_or_else(|| "/tmp".into())
    }

    fn on_path(&self, program: &str) -> Option<Utf8PathBuf> {
        let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        let path = self.variables.get(std::ffi::OsStr::new("PATH"));
        let folders = path.into_iter().flat_map(std::env::split_paths);
        let found = folders.filter_map(|folder| Utf8PathBuf::from_path_buf(folder).ok()).filter(|f| f.is_absolute());
        let home = self.cargo_home().map(|home| home.join("bin"));
        found.chain(home).map(|folder| folder.join(&name)).find(|path| path.is_file())
    }

    /// What cargo is given: everything but what steers a build, which metadata does not need. What
    /// concerns registries, credentials and the network is the user's own and stays.
    pub(super) fn for_metadata(&self) -> BTreeMap<OsString, OsString> {
        const KEPT: [&str; 7] = [
            "CARGO_HOME",
            "CARGO_NET_",
            "CARGO_HTTP_",
            "CARGO_REGISTRY_",
            "CARGO_REGISTRIES_",
            "CARGO_CREDENTIAL_ALIAS_",
            "CARGO_RESOLVER_",
        ];
        let dropped = |name: &str| {
            let build = name.starts_with("RUSTC") || name.starts_with("RUSTDOC") || name == "RUSTFLAGS";
            let cargo = name == "CARGO" || name.starts_with("CARGO_") || name.starts_with("__CARGO");
            (build && name != "RUSTC_BOOTSTRAP")
                || (cargo && !KEPT.iter().any(|kept| name.starts_with(kept)))
                || matches!(name, "RUSTUP_TOOLCHAIN" | "RUSTUP_TOOLCHAIN_SOURCE" | "RUST_BACKTRACE" | "RUST_LOG")
        };
        let mut out = self.variables.clone();
        out.retain(|name, _| !name.to_str().is_some_and(|name| dropped(&name.to_ascii_uppercase())));
        // A relative entry would be looked up in the neutral folder, where nothing is; a relative
        // home would move with the folder.
        let absolute = out.get(std::ffi::OsStr::new("PATH")).map(std::env::split_paths).into_iter().flatten();
        if let Ok(path) = std::env::join_paths(absolute.filter(|folder| folder.is_absolute())) {
            out.insert("PATH".into(), path);
        }
        if let Some(home) = self.cargo_home().filter(|_| self.text("CARGO_HOME").is_some()) {
            out.insert("CARGO_HOME".into(), home.into_string().into());
        }
        let fixed = [
            // An empty wrapper is none, whatever the user's own configuration says: metadata needs none.
            ("RUSTC_WRAPPER", ""),
            ("RUSTC_WORKSPACE_WRAPPER", ""),
            ("CARGO_CACHE_RUSTC_INFO", "0"),
            ("CARGO_TERM_COLOR", "never"),
            ("CARGO_TERM_PROGRESS_WHEN", "never"),
            ("RUSTUP_AUTO_INSTALL", "0"),
        ];
        out.extend(fixed.map(|(name, value)| (name.into(), value.into())));
        out
    }
}

/// The channel that the nearest toolchain file names, if it names one.
fn channel_of(folder: &Utf8Path) -> Option<String> {
    let file = toolchain_file(folder)?;
    let text = std::fs::read_to_string(file).ok()?;
    let channel = match text.parse::<toml::Table>() {
        Ok(table) => {
            let toolchain = table.get("toolchain")?;
            if toolchain.get("path").is_some() {
                return None;
            }
            toolchain.get("channel")?.as_str()?.to_owned()
        }
        // The old form: the channel alone.
        Err(_) => text.trim().to_owned(),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    (!channel.is_empty() && channel.chars().all(plain) && !channel.starts_with(['.', '-'])).then_some(channel)
}

/// The toolchain file that rustup would read from a folder.
pub(super) fn toolchain_file(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let names = ["rust-toolchain", "rust-toolchain.toml"];
    folder.ancestors().find_map(|folder| names.map(|name| folder.join(name)).into_iter().find(|path| path.is_file()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        let base = Environment { folder: "/nowhere".into(), ..Environment::default() };
        pairs.iter().fold(base, |environment, (name, value)| environment.with(name, Some(value)))
    }

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().expect("a folder");
        let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).expect("UTF-8");
        (dir, root)
    }

    #[test]
    fn a_channel_is_honoured_and_a_path_is_not() {
        let (_dir, root) = folder();
        let channel = |text: &str| {
            fs::write(root.join("rust-toolchain.toml"), text).expect("a file");
            channel_of(&root)
        };
        assert_eq!(channel("[toolchain]\nchannel = '1.90'\n").as_deref(), Some("1.90"));
        assert_eq!(channel("nightly-2026-01-01\n").as_deref(), Some("nightly-2026-01-01"));
        assert_eq!(channel("[toolchain]\npath = 'tools'\n"), None);
        assert_eq!(channel("[toolchain]\nchannel = '../tools'\n"), None);
        assert_eq!(channel("/tmp/tools\n"), None);
    }

    #[test]
    fn a_channel_that_is_not_installed_is_not_asked_for() {
        let (_dir, root) = folder();
        for name in ["rustup/toolchains/1.90-x86_64-unknown-linux-gnu", "rustup/toolchains/stable-x"] {
            fs::create_dir_all(root.join(name)).expect("a folder");
        }
        fs::write(root.join("cargo"), "").expect("a file");
        let home = root.join("rustup");
        let environment = environment(&[("RUSTUP_HOME", home.as_str()), ("CARGO", root.join("cargo").as_str())]);
        fs::write(root.join("rust-toolchain"), "1.90").expect("a file");
        assert_eq!(environment.cargo(&root).expect("found").toolchain.as_deref(), Some("1.90"));
        fs::write(root.join("rust-toolchain"), "1.9").expect("a file");
        let cargo = environment.cargo(&root).expect("found");
        assert_eq!(cargo.toolchain, None);
        assert!(cargo.note.is_some_and(|note| note.contains("`1.9`")));
    }

    #[test]
    fn only_absolute_folders_of_the_path_are_searched() {
        let (_dir, root) = folder();
        fs::create_dir_all(root.join("bin")).expect("a folder");
        let cargo = root.join("bin").join(format!("cargo{}", std::env::consts::EXE_SUFFIX));
        fs::write(&cargo, "").expect("a file");
        let path = std::env::join_paths([".", "bin", root.join("bin").as_str()]).expect("a path");
        let environment = environment(&[("PATH", path.to_str().expect("UTF-8"))]);
        assert_eq!(environment.cargo(&root).expect("found").program, cargo);
        let child = environment.for_metadata();
        assert_eq!(child[std::ffi::OsStr::new("PATH")], OsString::from(root.join("bin").as_str()));
    }

    #[test]
    fn a_toolchain_by_path_counts_only_if_the_user_says_so() {
        let (_dir, root) = folder();
        let theirs = root.join("theirs");
        fs::write(&theirs, "").expect("a file");
        let with = |source: &str| {
            environment(&[
                ("RUSTUP_TOOLCHAIN", "/x/tools"),
                ("RUSTUP_TOOLCHAIN_SOURCE", source),
                ("CARGO", theirs.as_str()),
            ])
        };
        assert_eq!(with("env").cargo(&root).expect("found").toolchain.as_deref(), Some("/x/tools"));
        let by_file = with("toolchain-file").cargo(&root);
        assert!(
            by_file.as_ref().is_err()
                || by_file.is_ok_and(|cargo| cargo.program != theirs && cargo.toolchain.is_none())
        );
    }

    #[test]
    fn what_steers_a_build_is_dropped_and_what_names_a_registry_stays() {
        let environment = environment(&[
            ("RUSTC", "/x/rustc"),
            ("RUSTC_WRAPPER", "/x/wrapper"),
            ("CARGO_BUILD_RUSTC_WRAPPER", "/x/wrapper"),
            ("CARGO_ALIAS_METADATA", "run"),
            ("CARGO_TARGET_DIR", "/x/target"),
            ("CARGO_NET_OFFLINE", "true"),
            ("CARGO_REGISTRIES_OURS_TOKEN", "t"),
            ("CARGO_HOME", "relative"),
            ("RUSTC_BOOTSTRAP", "1"),
            ("HTTPS_PROXY", "p"),
        ]);
        let child = environment.for_metadata();
        let get = |name: &str| child.get(std::ffi::OsStr::new(name)).and_then(|value| value.to_str());
        assert_eq!(
            [get("RUSTC"), get("CARGO_BUILD_RUSTC_WRAPPER"), get("CARGO_ALIAS_METADATA"), get("CARGO_TARGET_DIR")],
            [None; 4]
        );
        assert_eq!(get("RUSTC_WRAPPER"), Some(""));
        assert_eq!([get("CARGO_NET_OFFLINE"), get("CARGO_REGISTRIES_OURS_TOKEN")], [Some("true"), Some("t")]);
        assert_eq!([get("RUSTC_BOOTSTRAP"), get("HTTPS_PROXY")], [Some("1"), Some("p")]);
        assert_eq!(get("CARGO_HOME"), Some("/nowhere/relative"));
    }
}
