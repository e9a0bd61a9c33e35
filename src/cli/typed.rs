//! The command line, word for word.
//!
//! Doc comments here are the help that a person reads: one line each, so that `--help` fits 80
//! columns without a blank line between flags. Longer texts stand in `help`.
//!
//! The flags of `check` may stand before a subcommand too (`cargo lease-guard --offline tree`), as
//! cargo's users expect; `meaning` joins both sets.

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::{ffi::OsString, path::PathBuf, time::Duration};

use super::{LevelFlags, help};
use crate::base::parse_duration;

/// Keeps model calls and HTTP clients out of the lease path of a Rust workspace
#[derive(Clone, Debug, Parser)]
#[command(
    name = "cargo-lease-guard",
    bin_name = "cargo lease-guard",
    version,
    styles = clap_cargo::style::CLAP_STYLING,
    after_help = help::MAIN,
    max_term_width = 100,
    subcommand_help_heading = "Commands (default: check)",
)]
pub struct Typed {
    /// The subcommand; none is `check`.
    #[command(subcommand)]
    pub command: Option<Subcommands>,

    /// The flags of `check`, also before a subcommand.
    #[command(flatten)]
    pub check: CheckFlags,

    /// How to speak.
    #[command(flatten)]
    pub screen: ScreenFlags,
}

/// The subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Subcommands {
    /// Check the lease path of the workspace
    #[command(after_help = help::CHECK)]
    Check {
        /// All flags.
        #[command(flatten)]
        check: CheckFlags,
    },
    /// Write a commented rules file, with the lease modules it finds
    #[command(after_help = help::INIT)]
    Init {
        /// Print the file instead of writing it
        #[arg(long)]
        stdout: bool,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Say what a lint does, why it matters and what to do instead
    #[command(after_help = help::EXPLAIN)]
    Explain {
        /// The lint's name
        lint: String,
    },
    /// List what is forbidden and why, or say it of one crate
    #[command(after_help = help::RULES)]
    Rules {
        /// A package, path, call or literal to ask about
        name: Option<String>,
        /// How to print it: human or json
        #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
        format: Option<RulesFormat>,
        /// Which rules file.
        #[command(flatten)]
        scope: ScopeFlags,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Show the packages that a lease links, offenders marked
    #[command(after_help = help::TREE)]
    Tree {
        /// Which leases.
        #[command(flatten)]
        scope: ScopeFlags,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Say whether an item, file or crate is on the path, and how
    #[command(after_help = help::WHY)]
    Why {
        /// A Rust path, a file or a package
        #[arg(value_name = "PATH")]
        what: String,
        /// Which leases.
        #[command(flatten)]
        scope: ScopeFlags,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Draw the lease path and what it reaches
    #[command(after_help = help::MAP)]
    Map {
        /// How to draw it: html, svg, dot or mermaid
        #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
        format: Option<MapFormat>,
        /// Write it to this file; its ending tells the format
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Which leases.
        #[command(flatten)]
        scope: ScopeFlags,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Show whether a lease's times add up, or measure another clock
    #[command(after_help = help::TIMING)]
    Timing {
        /// Sweep over these clock skews, as in -200ms..200ms
        #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
        skew: Option<String>,
        /// Sweep over these guards, as in 0ms..100ms
        #[arg(long, value_name = "A..B")]
        guard: Option<String>,
        /// How to show it: human or svg
        #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
        format: Option<TimingFormat>,
        /// Write it to this file; its ending tells the format
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Measure the clock that COMMAND prints, for `clock-skew`
        #[arg(long, requires = "command", conflicts_with_all = ["skew", "guard", "format", "output"])]
        measure: bool,
        /// How often to run COMMAND [default: 20]
        #[arg(long, value_name = "N", requires = "measure", value_parser = clap::value_parser!(u16).range(1..=10_000))]
        runs: Option<u16>,
        /// Prints a clock as seconds since the epoch
        #[arg(last = true, value_name = "COMMAND", requires = "measure")]
        command: Vec<OsString>,
        /// Which leases.
        #[command(flatten)]
        scope: ScopeFlags,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Print the stop/go card of each lease, for a review
    #[command(after_help = help::CARD)]
    Card {
        /// How to write it: human, markdown or html
        #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
        format: Option<CardFormat>,
        /// Write it to this file; its ending tells the format
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Which leases.
        #[command(flatten)]
        scope: ScopeFlags,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Plant an offence in memory in each lease module and expect it found
    #[command(after_help = help::CANARY)]
    Canary {
        /// Which leases.
        #[command(flatten)]
        scope: ScopeFlags,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Run a command without any model, and beside one that answers badly
    #[command(after_help = help::DRILL)]
    Drill {
        /// What to run: a program and its arguments
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<OsString>,
        /// End a run that takes longer than this [default: 30m]
        #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
        limit: Option<Duration>,
        /// Isolate in this way only: namespaces or landlock
        #[arg(long, value_name = "WAY", value_enum, hide_possible_values = true)]
        isolation: Option<Isolation>,
        /// Which leases.
        #[command(flatten)]
        scope: ScopeFlags,
        /// Which workspace.
        #[command(flatten)]
        project: ProjectFlags,
    },
    /// Print the completion script of a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// bash, zsh, fish, powershell or elvish
        #[arg(value_enum, hide_possible_values = true)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or that of a command
    #[command(after_help = help::MAN)]
    Man {
        /// The command; all in one page if not given
        #[arg(hide_possible_values = true)]
        command: Option<String>,
    },
}

/// How often the other clock is read where nothing is said.
pub(super) const RUNS: usize = 20;

/// Everything that `check` takes.
#[derive(Clone, Debug, Default, Args)]
pub struct CheckFlags {
    /// Which rules, which leases.
    #[command(flatten)]
    pub scope: ScopeFlags,
    /// Levels.
    #[command(flatten, next_help_heading = "Lints")]
    pub levels: LevelFlags,
    /// How to print the report
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, help_heading = "Output")]
    pub format: Option<String>,
    /// Which workspace.
    #[command(flatten)]
    pub project: ProjectFlags,
}

/// Which rules file, and which of its leases.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Rules")]
pub struct ScopeFlags {
    /// Rules file to use instead of the workspace's own
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Look at this lease only (repeatable)
    #[arg(long, value_name = "NAME", action = ArgAction::Append)]
    pub lease: Vec<String>,
}

/// Which workspace, and which part of it: cargo's own flags.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Cargo")]
pub struct ProjectFlags {
    /// `--manifest-path`.
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// `--features`, `--all-features`, `--no-default-features`.
    #[command(flatten)]
    pub features: clap_cargo::Features,
    /// Judge this target only; default: all (repeatable)
    #[arg(long, value_name = "TRIPLE", action = ArgAction::Append)]
    pub target: Vec<String>,
    /// Judge sources and manifests only, not the dependency graph
    #[arg(long)]
    pub no_deps: bool,
    /// Fail if Cargo.lock is missing or would change
    #[arg(long)]
    pub locked: bool,
    /// Do not use the network
    #[arg(long)]
    pub offline: bool,
    /// The same as --locked and --offline together
    #[arg(long)]
    pub frozen: bool,
}

/// How to speak.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct ScreenFlags {
    /// Colour the output: auto, always or never
    #[arg(long, value_name = "WHEN", value_enum, global = true, hide_possible_values = true)]
    pub color: Option<clap::ColorChoice>,
    /// Print findings and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print whole routes, and what was looked at
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// `--format` of `rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RulesFormat {
    /// A table.
    Human,
    /// JSON.
    Json,
}

/// `--format` of `map`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MapFormat {
    /// A page to walk through.
    #[default]
    Html,
    /// A picture.
    Svg,
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
}

/// `--format` of `timing`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TimingFormat {
    /// Tables.
    #[default]
    Human,
    /// A chart.
    Svg,
}

/// `--format` of `card`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CardFormat {
    /// For a terminal.
    #[default]
    Human,
    /// For a pull request.
    Markdown,
    /// A page.
    Html,
}

/// `--isolation` of `drill`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Isolation {
    /// Namespaces of its own.
    Namespaces,
    /// Landlock and seccomp together.
    Landlock,
}
