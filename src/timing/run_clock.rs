//! Runs the command of `timing --measure` and notes when it was asked and when it answered.
//!
//! The answer's time is that of its first line, not of the command's end: `psql` and `ssh` take a
//! while to leave. Our own times are the wall clock at the start and a monotonic clock from there, so
//! that a step of our clock in the midst of a round trip does no harm. A command that says nothing is
//! ended after a limit; one that talks without end is not read further than a line.

use std::{
    ffi::OsString,
    io::{self, Read},
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use super::{EpochTextError, Sample, parse_epoch};
use crate::base::visible;

/// A command that prints another clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockCommand {
    /// What is run, as given behind `--`; no shell looks at it.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// How often.
    pub runs: usize,
    /// How long one run may take.
    pub limit: Duration,
}

/// Why another clock could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    /// It could not be started.
    #[error("`{}` could not be started: {source}; write it behind `--`, as in `-- ssh db date +%s.%N`", visible(.program))]
    NotStarted {
        /// The command's first word.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It ended with a failure.
    #[error("`{}` failed ({status}) in run {run}: {}", visible(.program), words(.said))]
    Failed {
        /// The command's first word.
        program: String,
        /// Which run, from 1.
        run: usize,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote to stderr.
        said: String,
    },
    /// It printed something else than a time.
    #[error("`{}` ran, but {source}{}", visible(.program), behind(.said))]
    NoTime {
        /// The command's first word.
        program: String,
        /// What is wrong with it.
        source: EpochTextError,
        /// What it wrote to stderr.
        said: String,
    },
    /// It did not end.
    #[error("`{}` was ended in run {run}: it took more than {limit:?}, and a clock is read in a moment", visible(.program))]
    TooSlow {
        /// The command's first word.
        program: String,
        /// Which run, from 1.
        run: usize,
        /// How long it may take.
        limit: Duration,
    },
    /// Waiting for it failed.
    #[error("`{}` could not be waited for: {source}", visible(.program))]
    Lost {
        /// The command's first word.
        program: String,
        /// Why.
        source: io::Error,
    },
}

fn words(said: &str) -> String {
    match said.trim() {
        "" => "it said nothing".to_owned(),
        said => said.lines().map(visible).collect::<Vec<_>>().join("; "),
    }
}

fn behind(said: &str) -> String {
    if said.trim().is_empty() { String::new() } else { format!(" (it said: {})", words(said)) }
}

/// The longest line and the longest complaint that are read, in bytes.
const MOST: usize = 4_096;

/// Runs the command as often as asked, one after the other.
///
/// # Errors
/// At the first run that cannot be started, fails, prints no time, or takes too long.
pub fn run_clock(command: &ClockCommand) -> Result<Vec<Sample>, ClockError> {
    (1..=command.runs).map(|run| once(command, run)).collect()
}

fn once(command: &ClockCommand, run: usize) -> Result<Sample, ClockError> {
    let program = command.program.to_string_lossy().into_owned();
    let deadline = Instant::now() + command.limit;
    let sent = since_epoch(SystemTime::now());
    let start = Instant::now();
    let mut child = Command::new(&command.program)
        .args(&command.arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| ClockError::NotStarted { program: program.clone(), source })?;
    let said = complaints(child.stderr.take());
    let answer = first_line(child.stdout.take()).recv_timeout(left(deadline));
    let status = match answer {
        Ok(_) => ended(&mut child, deadline),
        Err(_) => Ok(None),
    };
    let said = || said.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let (Ok((line, at)), Some(status)) =
        (answer, status.map_err(|source| ClockError::Lost { program: program.clone(), source })?)
    else {
        // It may have ended by itself just now; there is nothing to be done about a child that cannot be ended.
        let _ = child.kill().and_then(|()| child.wait());
        return Err(ClockError::TooSlow { program, run, limit: command.limit });
    };
    if !status.success() {
        return Err(ClockError::Failed { program, run, status, said: said() });
    }
    let read = parse_epoch(&line).map_err(|source| ClockError::NoTime { program, source, said: said() })?;
    let took = i64::try_from(at.duration_since(start).as_nanos()).unwrap_or(i64::MAX);
    Ok(Sample { sent, read, received: sent.saturating_add(took) })
}

fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

fn since_epoch(time: SystemTime) -> i64 {
    let nanos = |duration: Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(UNIX_EPOCH).map_or_else(|before| -nanos(before.duration()), nanos)
}

/// The first line and when it was there, from a thread that ends with the pipe or after [`MOST`] bytes.
fn first_line(pipe: Option<ChildStdout>) -> mpsc::Receiver<(String, Instant)> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut line = Vec::new();
        let mut piece = [0; 256];
        if let Some(mut pipe) = pipe {
            while !line.contains(&b'\n') && line.len() < MOST {
                match pipe.read(&mut piece) {
                    Ok(0) => break,
                    Ok(read) => line.extend(piece.iter().take(read)),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            let at = Instant::now();
            let text = String::from_utf8_lossy(&line).lines().next().unwrap_or_default().to_owned();
            // Nobody waits any more if the limit was reached.
            let _ = sender.send((text, at));
            // What follows is let through, so that the command does not end by a broken pipe.
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
    });
    receiver
}

/// What is written to stderr, as far as it was read. Nobody waits for its end: `ssh` leaves a process
/// behind that keeps it open.
fn complaints(pipe: Option<ChildStderr>) -> Arc<Mutex<String>> {
    let said = Arc::new(Mutex::new(String::new()));
    let shared = Arc::clone(&said);
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut piece = [0; 512];
            while let Ok(read @ 1..) = pipe.read(&mut piece) {
                let mut said = shared.lock().unwrap_or_else(PoisonError::into_inner);
                if said.len() < MOST {
                    said.push_str(&String::from_utf8_lossy(piece.get(..read).unwrap_or_default()));
                }
            }
        });
    }
    said
}

/// How the command ended, or `None` if it has not by the deadline.
fn ended(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if left(deadline).is_zero() {
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(all(test, unix))]
#[path = "run_clock_tests.rs"]
mod tests;
