//! What came of a drill.

use std::time::Duration;

use super::{Fault, IsolationKind};

/// What the command ran under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// No provider can be reached.
    Unreachable,
    /// The known clients are led to a stand-in that answers badly.
    Answers(Fault),
}

impl Condition {
    /// All of them, in the order in which they are tried.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Unreachable).chain(Fault::ALL.into_iter().map(Self::Answers))
    }

    /// The word of reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Answers(fault) => fault.word(),
        }
    }

    /// In a sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Unreachable => "cannot be reached",
            Self::Answers(fault) => fault.what(),
        }
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// It took longer than it may, and was killed.
    TimedOut,
}

/// One run of the command.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it ran under.
    pub condition: Condition,
    /// How it ended.
    pub ended: Ended,
    /// How often the stand-in was asked; 0 where there was none.
    pub asked: usize,
    /// Method and path of the first few of those, as the command sent them: text from a stranger.
    pub requests: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Run {
    /// The command succeeded and asked nobody.
    pub fn passed(&self) -> bool {
        self.ended == Ended::Exit(0) && self.asked == 0
    }
}

/// How the command was kept from the world.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// The way that was used.
    pub kind: IsolationKind,
    /// What it stops, a line each.
    pub stops: Vec<String>,
    /// What it does not stop, a line each.
    pub does_not_stop: Vec<String>,
    /// Stronger ways that were refused, and why.
    pub refused: Vec<(IsolationKind, String)>,
}

/// A drill that was held.
#[derive(Clone, Debug)]
pub struct DrillReport {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What stayed reachable, as it was resolved.
    pub allowed: Vec<String>,
    /// How the command was kept from the world.
    pub isolation: Isolation,
    /// The runs, in their order; fewer than [`Condition::all`] only where the drill was interrupted.
    pub runs: Vec<Run>,
    /// The signal that ended the drill early.
    pub interrupted: Option<i32>,
    /// The commit that was checked out, where there is one.
    pub commit: Option<String>,
    /// When the drill began.
    pub began: jiff::Timestamp,
}

impl DrillReport {
    /// Every run there is was made, and passed.
    pub fn passed(&self) -> bool {
        self.interrupted.is_none() && self.runs.len() == Condition::all().count() && self.runs.iter().all(Run::passed)
    }

    /// The exit status: 0 if passed; else what the first command that failed ended with (128 and the signal's
    /// number where it was a signal, as shells have it; 124 where it took too long); 1 where all succeeded
    /// but the stand-in was asked; 128 and the signal's number where the drill was interrupted.
    pub fn exit_code(&self) -> u8 {
        let of_signal = |signal: i32| u8::try_from(128_i32.saturating_add(signal)).unwrap_or(u8::MAX);
        if let Some(signal) = self.interrupted {
            return of_signal(signal);
        }
        if self.passed() {
            return 0;
        }
        let failed = self.runs.iter().find(|run| run.ended != Ended::Exit(0));
        match failed.map(|run| run.ended) {
            Some(Ended::Exit(code)) => u8::try_from(code).unwrap_or(1),
            Some(Ended::Signal(signal)) => of_signal(signal),
            Some(Ended::TimedOut) => 124,
            None => 1,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::drill) fn report(change: impl FnOnce(&mut DrillReport)) -> DrillReport {
        let run = |condition| Run {
            condition,
            ended: Ended::Exit(0),
            asked: 0,
            requests: Vec::new(),
            took: Duration::from_millis(1500),
        };
        let mut report = DrillReport {
            command: vec!["cargo".to_owned(), "test".to_owned()],
            allowed: vec!["postgres: 127.0.0.1:5432".to_owned()],
            isolation: Isolation {
                kind: IsolationKind::Namespaces,
                stops: vec!["TCP".to_owned()],
                does_not_stop: vec!["files".to_owned()],
                refused: Vec::new(),
            },
            runs: Condition::all().map(run).collect(),
            interrupted: None,
            commit: Some("1".repeat(40)),
            began: jiff::Timestamp::UNIX_EPOCH,
        };
        change(&mut report);
        report
    }

    #[test]
    fn the_exit_status_tells_what_happened() {
        assert_eq!(report(|_| {}).exit_code(), 0);
        assert_eq!(report(|r| r.runs[1].ended = Ended::Exit(3)).exit_code(), 3);
        assert_eq!(report(|r| r.runs[0].ended = Ended::Signal(9)).exit_code(), 137);
        assert_eq!(report(|r| r.runs[4].ended = Ended::TimedOut).exit_code(), 124);
        assert_eq!(report(|r| r.runs[2].asked = 1).exit_code(), 1);
        assert_eq!(report(|r| r.interrupted = Some(15)).exit_code(), 143);
        assert_eq!(report(|r| r.runs.truncate(2)).exit_code(), 1, "a run that was not made is no pass");
    }
}
