//! Runs `cargo metadata`, on a thread, so that other work overlaps it.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
    thread::JoinHandle,
};

use camino::{Utf8Path, Utf8PathBuf};

use super::{CargoOptions, Environment, Located, failure::failure, options::arguments, shelter::Shelter};
use crate::{
    base::{Files, normalise},
    project::{ProjectError, metadata::Metadata},
};

/// What `cargo metadata` wrote.
#[derive(Clone, Debug)]
pub struct MetadataText {
    /// The JSON of the workspace.
    pub json: String,
    /// With `--no-deps`: that of the workspaces around path dependencies, in the order they were found.
    pub others: Vec<String>,
    /// With `--no-deps`: the manifests that `[patch]` of the root manifest names.
    pub patched: Vec<Utf8PathBuf>,
    /// Whether the graph was resolved (not with `--no-deps`).
    pub has_graph: bool,
    /// Where the workspace's builds go, absolute, as its own cargo would have it.
    pub target: Utf8PathBuf,
    /// What every report says: that a Cargo.lock was written, ...
    pub notes: Vec<String>,
}

/// A running `cargo metadata`.
#[derive(Debug)]
pub struct MetadataRun {
    state: State,
}

#[derive(Debug)]
enum State {
    Running(JoinHandle<Result<MetadataText, ProjectError>>),
    Done(Result<MetadataText, ProjectError>),
}

impl MetadataRun {
    /// Starts it, with the environment of this process.
    pub fn start(located: &Located, options: &CargoOptions) -> Self {
        Self::start_in(Environment::of_process(), located, options)
    }

    /// Starts it with another environment.
    pub fn start_in(environment: Environment, located: &Located, options: &CargoOptions) -> Self {
        let (located, options) = (located.clone(), options.clone());
        let call = move || Call::new(&environment, &located, &options)?.run();
        let state = match std::thread::Builder::new().name("cargo metadata".into()).spawn(call.clone()) {
            Ok(thread) => State::Running(thread),
            Err(_) => State::Done(call()),
        };
        Self { state }
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// See [`ProjectError`].
    pub fn wait(self) -> Result<MetadataText, ProjectError> {
        match self.state {
            State::Running(thread) => thread
                .join()
                .unwrap_or_else(|_| Err(ProjectError::Output { why: "the thread that called it died".into() })),
            State::Done(result) => result,
        }
    }
}

struct Call<'a> {
    shelter: Shelter,
    located: &'a Located,
    options: &'a CargoOptions,
}

impl<'a> Call<'a> {
    fn new(environment: &Environment, located: &'a Located, options: &'a CargoOptions) -> Result<Self, ProjectError> {
        Ok(Self { shelter: Shelter::prepare(located, environment)?, located, options })
    }

    fn run(self) -> Result<MetadataText, ProjectError> {
        let mut notes = self.shelter.notes.clone();
        let json = self.metadata(&self.located.manifest)?;
        let (mut others, mut patched) = (Vec::new(), Vec::new());
        if self.options.no_deps {
            patched = patches(&self.located.root_manifest);
            others = self.path_dependencies(&json, &patched)?;
        } else if !self.located.has_lock && self.located.root.join("Cargo.lock").is_file() {
            notes.push("there was no Cargo.lock: cargo wrote one, as it does for every command".into());
        }
        let target = self.shelter.target;
        Ok(MetadataText { json, others, patched, has_graph: !self.options.no_deps, target, notes })
    }

    /// The metadata of the path dependencies outside the workspace, and of theirs.
    fn path_dependencies(&self, json: &str, patched: &[Utf8PathBuf]) -> Result<Vec<String>, ProjectError> {
        // What each package leads to, by manifest.
        let mut known = Metadata::parse(json)?.path_dependencies();
        let mut others = Vec::new();
        let mut followed: BTreeSet<Utf8PathBuf> = known.keys().cloned().collect();
        let mut wanted: Vec<Utf8PathBuf> = known.values().flatten().cloned().collect();
        wanted.extend_from_slice(patched);
        while let Some(manifest) = wanted.pop() {
            if !followed.insert(manifest.clone()) {
                continue;
            }
            if !known.contains_key(&manifest) {
                let other = self.metadata(&manifest)?;
                known.extend(Metadata::parse(&other)?.path_dependencies());
                others.push(other);
            }
            wanted.extend(known.get(&manifest).into_iter().flatten().cloned());
        }
        Ok(others)
    }

    fn metadata(&self, manifest: &Utf8Path) -> Result<String, ProjectError> {
        let options = self.options;
        let mut command = Command::new(&self.shelter.cargo);
        command.args(["metadata", "--format-version=1", "--manifest-path", manifest.as_str()]);
        if options.no_deps {
            command.arg("--no-deps");
        } else {
            command.args(arguments(&options.features));
            command.args(options.targets.iter().map(|target| format!("--filter-platform={target}")));
            match (options.frozen, options.locked || self.located.has_lock) {
                (true, _) => drop(command.arg("--frozen")),
                (false, true) => drop(command.arg("--locked")),
                (false, false) => {}
            }
        }
        if options.offline {
            command.arg("--offline");
        }
        command.current_dir(self.shelter.folder.path()).env_clear().envs(&self.shelter.variables);
        let output = command
            .stdin(Stdio::null())
            .output()
            .map_err(|error| ProjectError::NotStarted { cargo: self.shelter.cargo.clone(), why: error.to_string() })?;
        if !output.status.success() {
            let words = self.seen_from_here(&String::from_utf8_lossy(&output.stderr));
            return Err(failure(&words, options.no_deps));
        }
        let json = String::from_utf8(output.stdout).map_err(|error| ProjectError::Output { why: error.to_string() })?;
        Ok(match &self.shelter.stand_in {
            Some((place, home)) => json.replace(place.as_str(), home.as_str()),
            None => json,
        })
    }

    /// Cargo's words with paths that hold outside the shelter: it writes some relative to its folder.
    fn seen_from_here(&self, words: &str) -> String {
        let folder = self.shelter.folder.path().to_string_lossy();
        let root = &self.located.root;
        let way = Files::new(&*folder).shown(root);
        words.replace(&format!("{way}/"), &format!("{root}/"))
    }
}

/// The manifests that `[patch]` of a root manifest puts in the place of others.
fn patches(root_manifest: &Utf8Path) -> Vec<Utf8PathBuf> {
    let table = std::fs::read_to_string(root_manifest).ok().and_then(|text| text.parse::<toml::Table>().ok());
    let folder = root_manifest.parent().unwrap_or(Utf8Path::new("/"));
    let sources = table.as_ref().and_then(|table| table.get("patch")).and_then(toml::Value::as_table);
    let entries = sources.into_iter().flatten().filter_map(|(_, source)| source.as_table()).flatten();
    let paths = entries.filter_map(|(_, entry)| entry.get("path").and_then(toml::Value::as_str));
    paths.map(|path| normalise(&folder.join(path).join("Cargo.toml"))).filter(|path| path.is_file()).collect()
}
