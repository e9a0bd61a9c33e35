//! The result of the last drill, on disk: `lease-guard/drill.json` in the workspace's target folder.
//!
//! It is taken away when a drill begins and written when one has been held to its end, so that it never
//! tells of a drill that was broken off. Version 1: fields may be added, never changed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{DrillError, DrillReport, Ended, Isolation, Run};

const VERSION: u32 = 1;
/// No record that was written here is longer.
const LONGEST: u64 = 1024 * 1024;

/// A drill, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// 1.
    pub version: u32,
    /// Whether every run passed.
    pub passed: bool,
    /// The commit that was checked out; changes that were not committed are not told.
    pub commit: Option<String>,
    /// When, in UTC.
    pub began: jiff::Timestamp,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What stayed reachable.
    pub allowed: Vec<String>,
    /// The way of isolation: `namespaces` or `landlock+seccomp`.
    pub isolation: String,
    /// What that stops.
    pub stops: Vec<String>,
    /// What it does not stop.
    pub does_not_stop: Vec<String>,
    /// The runs.
    pub runs: Vec<RecordedRun>,
}

/// One run, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRun {
    /// `unreachable`, or the word of a fault.
    pub provider: String,
    /// Whether it succeeded and asked nobody.
    pub passed: bool,
    /// The exit status, where there is one.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// It took too long.
    pub timed_out: bool,
    /// How often the stand-in was asked.
    pub asked: usize,
    /// What for.
    pub requests: Vec<String>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

impl From<&DrillReport> for Record {
    fn from(report: &DrillReport) -> Self {
        let Isolation { kind, stops, does_not_stop, .. } = &report.isolation;
        Self {
            version: VERSION,
            passed: report.passed(),
            commit: report.commit.clone(),
            began: report.began,
            command: report.command.clone(),
            allowed: report.allowed.clone(),
            isolation: kind.word().to_owned(),
            stops: stops.clone(),
            does_not_stop: does_not_stop.clone(),
            runs: report.runs.iter().map(RecordedRun::from).collect(),
        }
    }
}

impl From<&Run> for RecordedRun {
    fn from(run: &Run) -> Self {
        let (exit, signal) = match run.ended {
            Ended::Exit(code) => (Some(code), None),
            Ended::Signal(signal) => (None, Some(signal)),
            Ended::TimedOut => (None, None),
        };
        Self {
            provider: run.condition.word().to_owned(),
            passed: run.passed(),
            exit,
            signal,
            timed_out: run.ended == Ended::TimedOut,
            asked: run.asked,
            requests: run.requests.clone(),
            took_ms: u64::try_from(run.took.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// Where the record of a workspace with this target folder is.
pub fn record_path(target: &Path) -> PathBuf {
    target.join("lease-guard").join("drill.json")
}

/// The record of the last drill that was held to its end; none where there is none that can be read.
pub fn read_record(target: &Path) -> Option<Record> {
    let path = record_path(target);
    let about = fs::metadata(&path).ok().filter(|about| about.is_file() && about.len() <= LONGEST)?;
    let text = fs::read_to_string(&path).ok().filter(|_| about.len() > 0)?;
    serde_json::from_str(&text).ok().filter(|record: &Record| record.version == VERSION)
}

/// Takes the record away.
pub(super) fn forget(target: &Path) -> Result<(), DrillError> {
    let path = record_path(target);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(DrillError::Record { path, source }),
        _ => Ok(()),
    }
}

/// Writes the record.
pub(super) fn keep(report: &DrillReport, target: &Path) -> Result<(), DrillError> {
    let path = record_path(target);
    let write = || {
        let folder = path.parent().unwrap_or(target);
        fs::create_dir_all(folder)?;
        let mut text = serde_json::to_string_pretty(&Record::from(report))?;
        text.push('\n');
        // Under another name first: a reader sees the whole record or none.
        let draft = tempfile::NamedTempFile::new_in(folder)?;
        fs::write(draft.path(), text)?;
        draft.persist(&path)?;
        Ok(())
    };
    write().map_err(|source| DrillError::Record { path: path.clone(), source })
}

#[cfg(test)]
mod tests {
    use super::{super::report::tests::report, *};

    #[test]
    fn a_record_is_read_as_it_was_written_and_forgotten() {
        let target = tempfile::tempdir().unwrap();
        assert_eq!(read_record(target.path()), None);
        forget(target.path()).unwrap();
        let report = report(|r| r.runs[1].ended = Ended::Signal(6));
        keep(&report, target.path()).unwrap();
        let record = read_record(target.path()).unwrap();
        assert_eq!(record, Record::from(&report));
        assert!(!record.passed && record.runs[0].passed && record.runs[1].signal == Some(6));
        forget(target.path()).unwrap();
        assert_eq!(read_record(target.path()), None);
    }

    #[test]
    fn what_is_no_record_of_ours_is_none() {
        let target = tempfile::tempdir().unwrap();
        fs::create_dir_all(target.path().join("lease-guard")).unwrap();
        for text in ["", "{}", "[[[[[[", "{\"version\": 2}"] {
            fs::write(record_path(target.path()), text).unwrap();
            assert_eq!(read_record(target.path()), None, "{text}");
        }
    }
}
