//! `check`: judges the lease path and prints the report.

use std::{env, io::Write};

use anyhow::Context as _;
use camino::Utf8PathBuf;

use crate::{
    base::Files,
    cli::{Check, Project, Scope, Screen, Verbosity},
    finding::{Problem, Report, Verdict},
    project::cargo::CargoOptions,
    report::{Options, format_named, render_problems},
    run::{Failed, Prepared, Request, Told, check as judge, prepare},
};

/// Judges, and prints.
///
/// # Errors
/// Where the report cannot be written.
pub(super) fn check(check: &Check, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let mut request = request(&check.project)?;
    request.rules.clone_from(&check.scope.rules);
    request.leases.clone_from(&check.scope.leases);
    request.levels.clone_from(&check.levels);
    let (report, files, workspace) = match prepare(&request) {
        Ok(prepared) => (judge(&prepared), prepared.files, Some(prepared.workspace)),
        Err(failed) => (Report::cannot_check(failed.problems), failed.files, None),
    };
    let told = Told::new(files.root(), workspace.as_ref(), &request.cwd, check.repository.as_deref());
    let options = Options {
        colour: true,
        links: screen.links,
        width: width(),
        verbose: screen.verbosity == Verbosity::Verbose,
        quiet: screen.verbosity == Verbosity::Quiet,
        ..told.options()
    };
    show(&report, &files, &check.format, &options, screen, out)
}

fn show(
    report: &Report,
    files: &Files,
    format: &str,
    options: &Options<'_>,
    screen: Screen,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let format = format_named(format).context("this build has no such format")?;
    // What a run comes to stands below what it comes to it by.
    if !report.errors.is_empty() {
        refuse(&report.errors, files, screen)?;
    }
    (format.render)(report, files, options, out)?;
    Ok(report.verdict())
}

/// Says on standard error what could not be looked at.
///
/// # Errors
/// Where that cannot be written.
pub(super) fn refuse(problems: &[Problem], files: &Files, screen: Screen) -> anyhow::Result<Verdict> {
    let options = Options { colour: true, width: width(), ..Options::default() };
    let mut stderr = anstream::AutoStream::new(std::io::stderr(), screen.color);
    render_problems(problems, files, &options, &mut stderr)?;
    Ok(Verdict::CannotCheck)
}

/// The columns to write source for: those of the terminal; 140 where it does not say.
pub(super) fn width() -> usize {
    columns().unwrap_or(140)
}

/// The columns of the terminal, or of `COLUMNS`, which goes before it.
pub(super) fn columns() -> Option<usize> {
    let given = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    given.or_else(terminal)
}

/// The workspace and the rules that a command other than `check` looks at.
///
/// # Errors
/// Where the current folder cannot be told; inside, what keeps the run from beginning.
pub(super) fn prepared(scope: &Scope, project: &Project) -> anyhow::Result<Result<Prepared, Box<Failed>>> {
    let mut request = request(project)?;
    request.rules.clone_from(&scope.rules);
    request.leases.clone_from(&scope.leases);
    Ok(prepare(&request))
}

/// The part of a request that every command has.
pub(super) fn request(project: &Project) -> anyhow::Result<Request> {
    let cwd = current_folder()?;
    Ok(Request {
        cwd,
        cargo: CargoOptions {
            manifest_path: project.manifest_path.clone(),
            features: project.features.clone(),
            targets: project.targets.clone(),
            no_deps: project.no_deps,
            locked: project.locked,
            offline: project.offline,
            ..CargoOptions::default()
        },
        source_date_epoch: env::var("SOURCE_DATE_EPOCH").ok(),
        ..Request::default()
    })
}

/// The folder that relative paths start from.
///
/// # Errors
/// Where it is gone, or its path is no UTF-8.
pub(super) fn current_folder() -> anyhow::Result<Utf8PathBuf> {
    let cwd = env::current_dir().context("the current folder cannot be told")?;
    Utf8PathBuf::try_from(cwd).context("the current folder's path is no UTF-8")
}
