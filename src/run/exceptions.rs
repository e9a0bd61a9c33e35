//! Exceptions: which findings they forgive, and how often each was used.

use super::Prepared;
use crate::{
    config::{Exception, path_globs},
    finding::{ExceptionSeen, Finding},
};

/// Findings that stand, those that were forgiven (with the exception's number), and how often each
/// exception was used.
pub(super) struct Judged {
    pub standing: Vec<Finding>,
    pub forgiven: Vec<(Finding, usize)>,
    pub seen: Vec<ExceptionSeen>,
}

/// Applies the exceptions that still hold.
pub(super) fn apply(prepared: &Prepared, findings: Vec<Finding>) -> Judged {
    let exceptions = &prepared.rules.exceptions;
    let mut used = vec![0; exceptions.len()];
    let (mut standing, mut forgiven) = (Vec::new(), Vec::new());
    for finding in findings {
        let mut holding = exceptions.iter().enumerate().filter(|(_, exception)| holds(prepared, exception));
        match holding.find(|(_, exception)| matches(prepared, exception, &finding)) {
            Some((at, _)) => {
                used[at] += 1;
                forgiven.push((finding, at));
            }
            None => standing.push(finding),
        }
    }
    let seen = exceptions.iter().zip(used).map(|(exception, used)| ExceptionSeen {
        lint: exception.lint.value.clone(),
        subject: exception.subject.value.clone(),
        reason: exception.reason.clone(),
        until: exception.until.as_ref().map(|until| until.value.to_string()),
        used,
    });
    Judged { standing, forgiven, seen: seen.collect() }
}

fn holds(prepared: &Prepared, exception: &Exception) -> bool {
    exception.until.as_ref().is_none_or(|until| until.value >= prepared.today)
}

fn matches(prepared: &Prepared, exception: &Exception, finding: &Finding) -> bool {
    let same = |a: &str, b: &str| a.replace('-', "_") == b.replace('-', "_");
    let in_file = |glob: &str| {
        let file = prepared.files.get(finding.primary.file);
        path_globs([glob]).is_ok_and(|globs| globs.is_match(&file.path))
    };
    exception.lint.value == finding.lint
        && same(&exception.subject.value, &finding.subject)
        && exception.lease.as_ref().is_none_or(|lease| lease.value == finding.lease)
        && exception.file.as_ref().is_none_or(|glob| in_file(&glob.value))
}
