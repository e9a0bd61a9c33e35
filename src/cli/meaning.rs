//! What the command line means: the plain structs that the rest of the program sees.
//!
//! Nothing here reads the process: what a default depends on comes in as [`Surroundings`].

use std::{ffi::OsString, path::PathBuf};

use camino::{Utf8Path, Utf8PathBuf};
use clap::{CommandFactory, FromArgMatches, builder::PossibleValuesParser, error::ErrorKind};

use super::{
    Card, Drill, Measure, Shell, Surroundings, Timing, Typed,
    dashes::with_dashes_told,
    typed::{
        CardFormat, CheckFlags, MapFormat, ProjectFlags, RUNS, RulesFormat, ScopeFlags, ScreenFlags, Subcommands,
        TimingFormat,
    },
};
use crate::{base::Features, finding::Level};

/// One call of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// What to do.
    pub command: Command,
    /// How to speak while doing it.
    pub screen: Screen,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Judge the lease path.
    Check(Check),
    /// Write a rules file.
    Init(Init),
    /// Explain the lint of this name, as typed.
    Explain(String),
    /// List what is forbidden.
    Rules {
        /// The one thing that is asked about.
        name: Option<String>,
        /// JSON instead of a table.
        json: bool,
        /// Whose rules.
        scope: Scope,
        /// Which workspace.
        project: Project,
    },
    /// Show what the leases link.
    Tree(Tree),
    /// Show how something comes onto the path.
    Why(Why),
    /// Draw the path.
    Map(Map),
    /// Prove that the rules guard what they say.
    Canary(Tree),
    /// Show whether the times add up.
    Timing(Timing),
    /// Measure another clock.
    Measure(Measure),
    /// Print the card of a review.
    Card(Card),
    /// Hold a failure drill.
    Drill(Drill),
    /// Write a completion script.
    Completions(Shell),
    /// Write the manual page of the command of this name, or the whole's.
    Man(Option<String>),
}

/// A check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Which rules and leases.
    pub scope: Scope,
    /// Which workspace.
    pub project: Project,
    /// Lints (as typed) and their levels; later ones win, all win over the rules file.
    pub levels: Vec<(String, Level)>,
    /// The name of the format that the report is printed in, one of those that [`read`] was given.
    pub format: String,
    /// Where the repository lies, as far as the CI job says.
    pub repository: Option<Utf8PathBuf>,
}

/// A rules file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    /// To standard output instead of the workspace.
    pub stdout: bool,
    /// Which workspace.
    pub project: Project,
}

/// Some leases of a workspace, looked at in another way than by a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Which rules and leases.
    pub scope: Scope,
    /// Which workspace.
    pub project: Project,
}

/// A picture of the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// How to draw it.
    pub format: MapFormat,
    /// Where to write it; none for standard output.
    pub output: Option<Utf8PathBuf>,
    /// Which rules and leases.
    pub scope: Scope,
    /// Which workspace.
    pub project: Project,
}

/// A question about the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// A Rust path, a file or a package, as typed.
    pub what: String,
    /// Which rules and leases.
    pub scope: Scope,
    /// Which workspace.
    pub project: Project,
}

/// Which rules file, and which of its leases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// A rules file instead of the workspace's own.
    pub rules: Option<Utf8PathBuf>,
    /// The leases to look at; empty for all. Not yet known to exist.
    pub leases: Vec<String>,
}

/// Which workspace, and which part of its graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// The manifest; none for the one that cargo would find from the current folder.
    pub manifest_path: Option<Utf8PathBuf>,
    /// Which features are taken as on.
    pub features: Features,
    /// The targets to judge; empty for all.
    pub targets: Vec<String>,
    /// Leave the dependency graph out.
    pub no_deps: bool,
    /// Fail if Cargo.lock is missing or would change.
    pub locked: bool,
    /// Keep off the network.
    pub offline: bool,
}

/// How to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Colours. `Auto` still obeys the terminal, `NO_COLOR` and `CLICOLOR`.
    pub color: anstream::ColorChoice,
    /// How much.
    pub verbosity: Verbosity,
    /// Whether places are links, for a terminal that follows them.
    pub links: bool,
}

/// How much is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// Findings and errors only.
    Quiet,
    /// And progress, and what was seen.
    #[default]
    Normal,
    /// And whole routes.
    Verbose,
}

/// A command line that was read but cannot be meant, or that asks for help only. Knows how to print
/// itself, and its exit status: 0 for help and version, 2 for a misuse.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(#[from] pub clap::Error);

/// Reads the command line of `cargo lease-guard ...` (cargo hands `lease-guard` on as the first
/// argument) or of `cargo-lease-guard ...`, called directly.
///
/// `formats` are the names that `--format` takes, the default first. This floor stands below the
/// renderers and so is told of them.
///
/// # Errors
/// A misuse, or a request for help or the version.
pub fn read(
    arguments: impl IntoIterator<Item = OsString>,
    surroundings: &Surroundings,
    formats: &[&'static str],
) -> Result<Meaning, UsageError> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|first| first == "lease-guard") {
        arguments.remove(1);
    }
    let matches = command(formats)
        .try_get_matches_from(&arguments)
        .map_err(|error| with_dashes_told(error, &arguments, command(formats)))?;
    Ok(mean(Typed::from_arg_matches(&matches)?, surroundings, formats)?)
}

/// The definition of the whole command line, for help, completions and the manual page. `formats` as
/// for [`read`].
pub fn command(formats: &[&'static str]) -> clap::Command {
    let known = PossibleValuesParser::new(formats.iter().copied());
    let help = format!("How to print the report: {}", formats.join(", "));
    let format =
        |command: clap::Command| command.mut_arg("format", |arg| arg.value_parser(known.clone()).help(help.clone()));
    let whole = format(Typed::command()).mut_subcommand("check", format);
    let names: Vec<String> = whole.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    whole.mut_subcommand("man", |man| {
        man.mut_arg("command", |arg| arg.value_parser(PossibleValuesParser::new(names.iter().cloned())))
    })
}

fn mean(typed: Typed, surroundings: &Surroundings, formats: &[&str]) -> Result<Meaning, clap::Error> {
    let outer = typed.check;
    let around = outer.clone();
    let scope = |inner| scope(join_scope(around.scope.clone(), inner));
    let project = |inner| project(join_project(around.project.clone(), inner));
    let tree = |s, p| Ok::<_, clap::Error>(Tree { scope: scope(s)?, project: project(p)? });
    let check = |flags| check(flags, surroundings, formats);
    let command = match typed.command {
        None => Command::Check(check(outer)?),
        Some(Subcommands::Check { check: inner }) => Command::Check(check(join_check(outer, inner))?),
        Some(Subcommands::Init { stdout, project: p }) => Command::Init(Init { stdout, project: project(p)? }),
        Some(Subcommands::Explain { lint }) => Command::Explain(lint),
        Some(Subcommands::Rules { name, format, scope: s, project: p }) => Command::Rules {
            name,
            json: format.map_or(outer.format.as_deref() == Some("json"), |format| format == RulesFormat::Json),
            scope: scope(s)?,
            project: project(p)?,
        },
        Some(Subcommands::Tree { scope: s, project: p }) => Command::Tree(tree(s, p)?),
        Some(Subcommands::Why { what, scope: s, project: p }) => {
            Command::Why(Why { what, scope: scope(s)?, project: project(p)? })
        }
        Some(Subcommands::Map { format, output, scope: s, project: p }) => {
            let output = output.map(|path| utf8(path, "--output")).transpose()?;
            let format = by_ending(format, output.as_deref(), |ending| match ending {
                "html" | "htm" => Some(MapFormat::Html),
                "svg" => Some(MapFormat::Svg),
                "dot" | "gv" => Some(MapFormat::Dot),
                "mmd" | "mermaid" => Some(MapFormat::Mermaid),
                _ => None,
            })?;
            Command::Map(Map { format, output, scope: scope(s)?, project: project(p)? })
        }
        Some(Subcommands::Canary { scope: s, project: p }) => Command::Canary(tree(s, p)?),
        Some(Subcommands::Timing { measure: true, runs, command, .. }) => {
            Command::Measure(Measure { command, runs: runs.map_or(RUNS, usize::from) })
        }
        Some(Subcommands::Timing { skew, guard, format, output, scope: s, project: p, .. }) => {
            let output = output.map(|path| utf8(path, "--output")).transpose()?;
            let format = by_ending(format, output.as_deref(), |ending| match ending {
                "txt" => Some(TimingFormat::Human),
                "svg" => Some(TimingFormat::Svg),
                _ => None,
            })?;
            Command::Timing(Timing { skew, guard, format, output, scope: scope(s)?, project: project(p)? })
        }
        Some(Subcommands::Card { format, output, scope: s, project: p }) => {
            let output = output.map(|path| utf8(path, "--output")).transpose()?;
            let format = by_ending(format, output.as_deref(), |ending| match ending {
                "txt" => Some(CardFormat::Human),
                "md" | "markdown" => Some(CardFormat::Markdown),
                "html" | "htm" => Some(CardFormat::Html),
                _ => None,
            })?;
            Command::Card(Card { format, output, scope: scope(s)?, project: project(p)? })
        }
        Some(Subcommands::Drill { command, limit, isolation, scope: s, project: p }) => {
            Command::Drill(Drill { command, limit, isolation, scope: scope(s)?, project: project(p)? })
        }
        Some(Subcommands::Completions { shell }) => Command::Completions(shell),
        Some(Subcommands::Man { command }) => Command::Man(command),
    };
    Ok(Meaning { command, screen: screen(typed.screen, surroundings) })
}

fn check(flags: CheckFlags, surroundings: &Surroundings, formats: &[&str]) -> Result<Check, clap::Error> {
    let annotate = surroundings.github_actions && !surroundings.stdout_is_file && formats.contains(&"github");
    let usual = if annotate { Some("github") } else { formats.first().copied() };
    Ok(Check {
        scope: scope(flags.scope)?,
        project: project(flags.project)?,
        levels: flags.levels.given,
        format: flags.format.unwrap_or_else(|| usual.unwrap_or_default().to_owned()),
        repository: surroundings.repository.clone(),
    })
}

/// The format that was asked for, else the one that the file's ending tells, else the usual one.
fn by_ending<F: Default>(
    asked: Option<F>,
    file: Option<&Utf8Path>,
    of: impl Fn(&str) -> Option<F>,
) -> Result<F, clap::Error> {
    let ending = file.and_then(|file| Some((file, file.extension()?.to_ascii_lowercase())));
    let (None, Some((file, ending))) = (&asked, ending) else { return Ok(asked.unwrap_or_default()) };
    of(&ending).ok_or_else(|| {
        clap::Error::raw(
            ErrorKind::InvalidValue,
            format!("--output: the ending of `{file}` tells no format; say which with --format\n"),
        )
    })
}

fn scope(flags: ScopeFlags) -> Result<Scope, clap::Error> {
    let rules = flags.rules.map(|path| utf8(path, "--rules")).transpose()?;
    Ok(Scope { rules, leases: flags.lease })
}

fn project(flags: ProjectFlags) -> Result<Project, clap::Error> {
    let manifest_path = flags.manifest.manifest_path.map(|path| utf8(path, "--manifest-path")).transpose()?;
    let asked = &flags.features;
    let features = Features::from_flags(asked.all_features, asked.no_default_features, &asked.features);
    Ok(Project {
        manifest_path,
        features,
        targets: flags.target,
        no_deps: flags.no_deps,
        locked: flags.locked || flags.frozen,
        offline: flags.offline || flags.frozen,
    })
}

fn screen(flags: ScreenFlags, surroundings: &Surroundings) -> Screen {
    let color = match (flags.color, surroundings.cargo_term_color.as_deref()) {
        (Some(clap::ColorChoice::Always), _) | (None, Some("always")) => anstream::ColorChoice::Always,
        (Some(clap::ColorChoice::Never), _) | (None, Some("never")) => anstream::ColorChoice::Never,
        _ => anstream::ColorChoice::Auto,
    };
    let verbosity = match flags {
        ScreenFlags { quiet: true, .. } => Verbosity::Quiet,
        ScreenFlags { verbose: true, .. } => Verbosity::Verbose,
        _ => Verbosity::Normal,
    };
    Screen { color, verbosity, links: surroundings.hyperlinks && color != anstream::ColorChoice::Never }
}

fn utf8(path: PathBuf, flag: &str) -> Result<Utf8PathBuf, clap::Error> {
    Utf8PathBuf::from_path_buf(path).map_err(|path| {
        clap::Error::raw(
            ErrorKind::InvalidUtf8,
            format!("{flag}: the path `{}` is not UTF-8; give it by a path that is\n", path.display()),
        )
    })
}

/// Flags before the subcommand, then those behind it, which win.
fn join_check(outer: CheckFlags, inner: CheckFlags) -> CheckFlags {
    CheckFlags {
        scope: join_scope(outer.scope, inner.scope),
        levels: outer.levels.then(inner.levels),
        format: inner.format.or(outer.format),
        project: join_project(outer.project, inner.project),
    }
}

fn join_scope(outer: ScopeFlags, inner: ScopeFlags) -> ScopeFlags {
    ScopeFlags { rules: inner.rules.or(outer.rules), lease: [outer.lease, inner.lease].concat() }
}

fn join_project(mut outer: ProjectFlags, inner: ProjectFlags) -> ProjectFlags {
    if inner.manifest.manifest_path.is_some() {
        outer.manifest = inner.manifest;
    }
    outer.features.all_features |= inner.features.all_features;
    outer.features.no_default_features |= inner.features.no_default_features;
    outer.features.features.extend(inner.features.features);
    outer.target.extend(inner.target);
    outer.no_deps |= inner.no_deps;
    outer.locked |= inner.locked;
    outer.offline |= inner.offline;
    outer.frozen |= inner.frozen;
    outer
}

#[cfg(test)]
#[path = "meaning_tests.rs"]
mod tests;
