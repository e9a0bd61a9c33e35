//! `rules [NAME]`: what is in force and why, or what is known of one name.
//!
//! Cargo is not called: the rules file at the workspace root says it all, and where there is none, or
//! no workspace, the default packs are listed. `answer` finds out what there is to say of a name, with
//! `rules_file` for what the workspace adds; `table` and `one` say it to a person, `wire` to a program.

mod answer;
mod conditions;
mod one;
mod rules_file;
mod table;
mod wire;

use std::io::Write;

use camino::Utf8Path;

use super::{check::refuse, page::Page};
use crate::{
    base::Files,
    cli::{Project, Scope, Screen},
    config::{Forbid, InForce, Packs, Rules, decode, find_at_root},
    finding::{Problem, Verdict},
    lints,
    project::cargo::locate,
    run::leases_named,
};

use answer::Answer;
use rules_file::RulesFile;

/// What the question is asked of.
#[derive(Clone, Copy, Debug)]
struct Lists<'a> {
    /// The packs and the rules, joined.
    in_force: &'a InForce,
    /// The packs.
    packs: &'a Packs,
    /// The rules file, or none where the default packs are listed.
    rules: Option<RulesFile<'a>>,
}

/// What was typed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// The one name that is asked about.
    pub(super) name: Option<&'a str>,
    /// JSON instead of a table.
    pub(super) json: bool,
    /// Whose rules.
    pub(super) scope: &'a Scope,
    /// Which workspace.
    pub(super) project: &'a Project,
}

pub(super) fn rules(asked: Asked<'_>, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let cwd = super::check::current_folder()?;
    let packs = Packs::embedded()?;
    let (files, found) = match locate(&cwd, asked.project.manifest_path.as_deref()) {
        Ok(located) => {
            let files = Files::new(located.root.clone());
            let found = read(&files, &located.root, &cwd, asked.scope.rules.as_deref());
            (files, found)
        }
        // Somebody who asks of the packs, or of a file, needs no workspace.
        Err(_) if asked.project.manifest_path.is_none() => {
            let files = Files::new(cwd.clone());
            let found = read(&files, &cwd, &cwd, asked.scope.rules.as_deref());
            (files, found)
        }
        Err(error) => (Files::new(cwd), Err(vec![error.problem()])),
    };
    let found = match found {
        Ok(found) => found,
        Err(problems) => return refuse(&problems, &files, screen),
    };
    let (asked_leases, problems) = match &found {
        Some(rules) => leases_named(&asked.scope.leases, rules),
        None => (Vec::new(), no_lease(&asked.scope.leases)),
    };
    if !problems.is_empty() {
        return refuse(&problems, &files, screen);
    }
    let forbid = found.as_ref().map_or_else(Forbid::default, |rules| rules.forbid.clone());
    let shown = found.as_ref().map(|rules| files.get(rules.file).path.clone()).unwrap_or_default();
    let in_force = InForce::of(&forbid, &packs);
    let rules = found.as_ref().map(|rules| RulesFile { shown: &shown, rules, asked: &asked_leases });
    say(Lists { in_force: &in_force, packs: &packs, rules }, asked.name, asked.json, out)?;
    Ok(Verdict::Clean)
}

/// A lease was asked for where there are no rules.
fn no_lease(names: &[String]) -> Vec<Problem> {
    let problem = |name: &String| Problem {
        message: format!("there is no rules file here, and so no lease called `{name}`"),
        place: None,
        help: "leave `--lease` out, or name a file with `--rules`".to_owned(),
    };
    names.iter().map(problem).collect()
}

/// The rules of a workspace, or none where there is no file of them at its root.
fn read(
    files: &Files,
    root: &Utf8Path,
    cwd: &Utf8Path,
    chosen: Option<&Utf8Path>,
) -> Result<Option<Rules>, Vec<Problem>> {
    let chosen = chosen.map(|path| cwd.join(path));
    let Some(at) = find_at_root(files, root, chosen.as_deref())?.likely() else { return Ok(None) };
    let known: Vec<&str> = lints::names().collect();
    decode(files, at, &known).map(Some)
}

fn say(lists: Lists<'_>, name: Option<&str>, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let answer = name.map(|name| Answer::about(lists, name));
    match (&answer, json) {
        (None, false) => table::all(lists, &mut Page::new(out))?,
        (None, true) => wire::all(lists, out)?,
        (Some(answer), false) => one::one(answer, &mut Page::new(out))?,
        (Some(answer), true) => wire::one(lists, answer, out)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests;
