//! `drill`: runs a command where no model can be reached, and beside one that answers badly.

use std::{env, io::Write};

use anyhow::Context as _;

use super::check::{current_folder, prepared, refuse};
use crate::{
    base::{Span, Spanned, visible},
    cli::{Drill, Isolation, Screen, Verbosity},
    config::{Allowed, Lease},
    drill::{DrillError, DrillOptions, DrillRules, IsolationKind, Step, human, record_path, run},
    finding::Problem,
    run::Prepared,
};

/// Drills, and tells. The exit status is that of [`crate::drill::DrillReport::exit_code`]; 2 where the drill
/// could not be held.
///
/// # Errors
/// Where the report cannot be written, or this program cannot tell where it lies.
pub(super) fn drill(asked: &Drill, screen: Screen, out: &mut dyn Write) -> anyhow::Result<u8> {
    let prepared = match prepared(&asked.scope, &asked.project)? {
        Ok(prepared) => prepared,
        Err(failed) => return Ok(refuse(&failed.problems, &failed.files, screen)?.exit_code()),
    };
    let allowed = allowed(&prepared);
    let options = DrillOptions {
        command: asked.command.clone(),
        directory: current_folder()?.into(),
        rules: DrillRules { allow: allowed.iter().map(|written| written.value.clone()).collect() },
        isolation: asked.isolation.map(kind),
        limit: asked.limit.unwrap_or(DrillOptions::LIMIT),
        helper: env::current_exe().context("this program cannot tell where it lies")?,
        workspace: prepared.workspace.root.clone().into(),
        target: prepared.workspace.target.clone().into(),
    };
    let progress = Progress { screen };
    for lease in leases(&prepared).filter(|lease| lease.drill.is_none()) {
        let name = visible(&lease.name.value);
        progress.say(&format!("drill: lease `{name}` has no [lease.drill]: nothing outside can be reached for it"));
    }
    let report = match run(&options, &mut |step| progress.step(step)) {
        Ok(report) => report,
        Err(error) => {
            let problem = Problem { message: error.to_string(), place: place(&error, &allowed), help: String::new() };
            return Ok(refuse(&[problem], &prepared.files, screen)?.exit_code());
        }
    };
    out.write_all(human(&report).as_bytes())?;
    if report.interrupted.is_none() {
        let record = record_path(&options.target).display().to_string();
        progress.say(&format!("drill: the result is kept in {}", visible(&record)));
    }
    Ok(report.exit_code())
}

/// The leases that are drilled.
fn leases(prepared: &Prepared) -> impl Iterator<Item = &Lease> {
    prepared.leases.iter().filter_map(|at| prepared.rules.leases.get(*at))
}

/// What they allow, each once.
fn allowed(prepared: &Prepared) -> Vec<&Spanned<Allowed>> {
    let mut allowed: Vec<&Spanned<Allowed>> = Vec::new();
    for entry in leases(prepared).filter_map(|lease| lease.drill.as_ref()).flat_map(|drill| &drill.allow) {
        if !allowed.iter().any(|other| other.value == entry.value) {
            allowed.push(entry);
        }
    }
    allowed
}

fn kind(isolation: Isolation) -> IsolationKind {
    match isolation {
        Isolation::Namespaces => IsolationKind::Namespaces,
        Isolation::Landlock => IsolationKind::Landlock,
    }
}

/// The entry of `allow` that an error is about.
fn place(error: &DrillError, allowed: &[&Spanned<Allowed>]) -> Option<Span> {
    let is_it = |allowed: &Allowed| match (error, allowed) {
        (DrillError::Unresolved { host: unknown, .. }, Allowed::Tcp { host, .. }) => unknown == host,
        (DrillError::Forward { entry, .. }, Allowed::Tcp { host, port, .. }) => *entry == format!("{host}:{port}"),
        (DrillError::Forward { entry, .. }, Allowed::Unix { path }) => entry == path,
        _ => false,
    };
    allowed.iter().find(|written| is_it(&written.value)).map(|written| written.span)
}

/// What is said on standard error while the command runs: its own words stand between.
struct Progress {
    screen: Screen,
}

impl Progress {
    fn step(&self, step: Step) {
        self.say(&format!("drill: run {} of {}: the provider {}", step.number, step.of, step.condition.what()));
    }

    fn say(&self, line: &str) {
        if self.screen.verbosity != Verbosity::Quiet {
            let mut stderr = anstream::AutoStream::new(std::io::stderr(), self.screen.color);
            // Who does not listen to progress is told the report all the same.
            let _ = writeln!(stderr, "{line}");
        }
    }
}
