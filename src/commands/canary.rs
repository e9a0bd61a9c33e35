//! `canary`: plants an offence, in memory, wherever the rules say that they guard, and expects each to
//! be found.

use std::io::Write;

use super::check::{prepared, refuse};
use crate::{
    base::visible,
    canary::{Song, sing},
    cli::{Screen, Tree, Verbosity},
    finding::Verdict,
    run::on_deep_stack,
};

/// How many missed plants are listed, unless `--verbose` asks for all.
const MOST: usize = 20;

/// Plants, checks, and tells. 0 if every plant was found, 1 if one was not, 2 if it could not be tried.
///
/// # Errors
/// Where the answer cannot be written.
pub(super) fn canary(asked: &Tree, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let prepared = match prepared(&asked.scope, &asked.project)? {
        Ok(prepared) => prepared,
        Err(failed) => return refuse(&failed.problems, &failed.files, screen),
    };
    let songs = match on_deep_stack(|| sing(&prepared)) {
        Ok(Ok(songs)) => songs,
        Ok(Err(problems)) => return refuse(&problems, &prepared.files, screen),
        Err(problem) => return refuse(&[problem], &prepared.files, screen),
    };
    for song in &songs {
        tell(song, screen, out)?;
    }
    let missed: usize = songs.iter().map(|song| song.missed.len()).sum();
    if missed == 0 {
        writeln!(out, "canary: the rules guard what they say; nothing on disk was changed")?;
        return Ok(Verdict::Clean);
    }
    let places = if missed == 1 { "1 place is" } else { &format!("{missed} places are") };
    writeln!(out, "canary: {places} not guarded: an offence there would go unseen")?;
    Ok(Verdict::Offends)
}

fn tell(song: &Song, screen: Screen, out: &mut dyn Write) -> anyhow::Result<()> {
    let [modules, items, reached] = song.planted;
    let all = modules + items + reached;
    writeln!(
        out,
        "lease `{}`: {} of {all} planted offences found ({modules} in modules, {items} in selected items, {reached} in \
         functions that they call)",
        visible(&song.lease),
        song.found,
    )?;
    let most = if screen.verbosity == Verbosity::Verbose { usize::MAX } else { MOST };
    for missed in song.missed.iter().take(most) {
        writeln!(out, "  not found: {} ({})", visible(&missed.what), visible(&missed.place))?;
        writeln!(out, "    {}", visible(&missed.why))?;
    }
    if song.missed.len() > most {
        writeln!(out, "  and {} more; --verbose lists them", song.missed.len() - most)?;
    }
    Ok(())
}
