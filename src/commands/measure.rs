//! `timing --measure`: how far another clock is off, for the rules file.

use std::{io::Write, time::Duration};

use crate::{
    base::visible,
    cli::Measure,
    finding::Verdict,
    timing::{ClockCommand, estimate, run_clock},
};

/// How long one reading may take. A clock is read in a moment, a connection made in a few.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs the command, and prints what its answers say.
///
/// # Errors
/// Where the command fails or prints no time, or the answer cannot be written.
pub(super) fn measure(asked: &Measure, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let [program, arguments @ ..] = asked.command.as_slice() else { anyhow::bail!("write the command behind `--`") };
    let command =
        ClockCommand { program: program.clone(), arguments: arguments.to_vec(), runs: asked.runs, limit: LIMIT };
    // The error says what its source says.
    let samples = run_clock(&command).map_err(|error| anyhow::anyhow!("{error}"))?;
    let Some(estimate) = estimate(&samples) else {
        anyhow::bail!("this machine's own clock went backwards in every run; nothing was learnt")
    };
    writeln!(out, "{estimate}")?;
    let today = jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date();
    writeln!(out, "\nfor [lease.timing], if it is the worst of many readings:\n")?;
    writeln!(out, "{}", visible(&estimate.rules_line(&program.to_string_lossy(), today)))?;
    Ok(Verdict::Clean)
}
