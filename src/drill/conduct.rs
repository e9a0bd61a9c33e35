//! The drill, from its beginning to its end.

use std::time::Instant;

use super::{
    BaseUrls, Condition, DrillError, DrillOptions, DrillReport, Isolation, Run, commit_of,
    isolated::{Isolator, Outcome},
    record,
};

/// Where a drill has got to, for whoever waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the command runs under now.
    pub condition: Condition,
    /// Which of the runs this is, from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// Holds a drill and records its result. The command has the standard streams of this process; signals that
/// this process gets meanwhile are handed on to the command.
///
/// # Errors
/// [`DrillError`] where the drill could not be held to its end; then there is no record of it.
pub fn run(options: &DrillOptions, tell: &mut dyn FnMut(Step)) -> Result<DrillReport, DrillError> {
    if options.command.is_empty() {
        return Err(DrillError::NoCommand);
    }
    record::forget(&options.target)?;
    let began = jiff::Timestamp::now();
    let base_urls = BaseUrls::embedded()?;
    let mut isolator = Isolator::new(options)?;
    let of = Condition::all().count();
    let mut runs = Vec::new();
    let mut isolation: Option<Isolation> = None;
    let mut interrupted = None;
    for (at, condition) in Condition::all().enumerate() {
        tell(Step { condition, number: at + 1, of });
        let start = Instant::now();
        let Outcome { ended, asked, requests, signalled, isolation: used } = isolator.run(condition, &base_urls)?;
        runs.push(Run { condition, ended, asked, requests, took: start.elapsed() });
        merge(&mut isolation, used);
        if signalled.is_some() {
            interrupted = signalled;
            break;
        }
    }
    let Some(isolation) = isolation else { return Err(DrillError::NoCommand) };
    let report = DrillReport {
        command: options.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        allowed: isolator.allowed(),
        isolation,
        runs,
        interrupted,
        commit: commit_of(&options.workspace),
        began,
    };
    if report.interrupted.is_none() {
        record::keep(&report, &options.target)?;
    }
    Ok(report)
}

/// All runs are isolated in one way; what one of them could not stop is told, whichever it was.
fn merge(all: &mut Option<Isolation>, one: Isolation) {
    let Some(all) = all else {
        *all = Some(one);
        return;
    };
    for line in one.does_not_stop {
        if !all.does_not_stop.contains(&line) {
            all.does_not_stop.push(line);
        }
    }
}
