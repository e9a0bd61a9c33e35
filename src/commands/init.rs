//! `init`: writes a rules file with the leases that it finds.
//!
//! `search` looks at the names and words of every module (`signs` knows which), `choose` keeps what is
//! surely a lease, `lease` asks the resolver what that code names, `text` writes the file and `told`
//! says what was found. What is unsure stands in comments only: a guess that is taken for a rule would
//! either cry wolf or guard nothing. No rules file is ever overwritten, and none is written that the
//! check would refuse.

mod choose;
mod find;
mod lease;
mod search;
mod signs;
mod text;
mod told;
mod words;

use std::{
    fs,
    io::{self, Write},
};

use camino::Utf8Path;

use super::{
    check::{refuse, request},
    page::Page,
};
use crate::{
    base::{Files, counted},
    cli::{Init, Screen},
    config::{RulesAt, RulesTable, decode},
    finding::{Problem, Verdict},
    lints,
    run::{Bare, Failed, bare, on_deep_stack},
};

use find::Found;

/// The file that is written, at the workspace root.
const FILE: &str = "lease-guard.toml";

pub(super) fn init(asked: &Init, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let bare = match bare(&request(&asked.project)?) {
        Ok(bare) => bare,
        Err(failed) => return refuse(&failed.problems, &failed.files, screen),
    };
    if let (false, [first, ..]) = (asked.stdout, bare.standing.as_slice()) {
        return refuse(&[standing(first)], &bare.files, screen);
    }
    let found = match on_deep_stack(|| find::find(&bare)) {
        Ok(found) => found?,
        Err(problem) => return refuse(&[problem], &bare.files, screen),
    };
    let text = text::text(&found, first_package(&bare));
    if found.leases.is_empty() {
        out.write_all(text.as_bytes())?;
        return refuse(&[nothing(&found)], &bare.files, screen);
    }
    if let Err(failed) = holds(bare.files.root(), &text) {
        return refuse(&failed.problems, &failed.files, screen);
    }
    if asked.stdout {
        out.write_all(text.as_bytes())?;
        return Ok(Verdict::Clean);
    }
    if let Err(error) = write(&bare.files.root().join(FILE), &text) {
        return refuse(&[not_written(&error)], &bare.files, screen);
    }
    told::told(&found, FILE, &mut Page::new(out))?;
    Ok(Verdict::Clean)
}

/// Writes a file that is not there yet; a link that leads nowhere is there.
fn write(path: &Utf8Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}

/// Reads what would be written as the check will read it. That it does not hold would be a fault of
/// ours, which must not end in a file.
fn holds(root: &Utf8Path, text: &str) -> Result<(), Box<Failed>> {
    let files = Files::new(root);
    let file = files.add(&root.join(FILE), text.to_owned());
    let lints: Vec<&str> = lints::names().collect();
    match decode(&files, RulesAt { file, table: RulesTable::Whole }, &lints) {
        Ok(_) => Ok(()),
        Err(problems) => Err(Box::new(Failed { files, problems })),
    }
}

fn first_package(bare: &Bare) -> &str {
    let member = bare.workspace.packages.iter().find(|package| package.member);
    member.map_or("orders", |package| &package.name)
}

fn standing(name: &str) -> Problem {
    Problem {
        message: format!("the workspace has rules already, in {name}, and `init` overwrites nothing"),
        place: None,
        help: "edit them, or move them away and run `cargo lease-guard init` again; `cargo lease-guard init --stdout` \
               prints what it would write"
            .to_owned(),
    }
}

fn nothing(found: &Found) -> Problem {
    let files = counted(found.files, "file");
    let (message, help) = if found.unsure.is_empty() {
        (
            format!("no lease was found in {files}, so no rules file was written"),
            format!("save the template above as {FILE}, and name under `modules` the code that renews the lease"),
        )
    } else {
        (
            format!("nothing in {files} is surely a lease, so no rules file was written"),
            format!(
                "save the template above as {FILE}, and name under `modules` the code that renews the lease; what may \
                 be one stands in its comments"
            ),
        )
    };
    Problem { message, place: None, help }
}

fn not_written(error: &io::Error) -> Problem {
    Problem {
        message: format!("{FILE} cannot be written: {error}"),
        place: None,
        help: "`cargo lease-guard init --stdout` prints it, to be saved elsewhere and named with `--rules`".to_owned(),
    }
}

#[cfg(test)]
mod tests;
