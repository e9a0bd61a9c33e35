//! What a run comes to, in words.

use crate::base::counted;
use crate::finding::{Cut, ExceptionSeen, GraphSeen, Level, Report, Verdict};

/// The verdict as a reader is told it.
pub(super) const fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Clean => "clean",
        Verdict::Offends => "offends",
        Verdict::CannotCheck => "cannot check",
    }
}

/// What stands behind the verdict's word, without a full stop; raw.
pub(super) fn verdict_sentence(report: &Report) -> String {
    let at = |level| report.findings.iter().filter(|finding| finding.level == level).count();
    let (denied, warnings) = (at(Level::Deny), at(Level::Warn));
    let found = match (denied, warnings) {
        (0, 0) => None,
        (0, warnings) => Some(counted(warnings, "warning")),
        (denied, 0) => Some(format!("{} denied", counted(denied, "finding"))),
        (denied, warnings) => Some(format!("{} denied, {}", counted(denied, "finding"), counted(warnings, "warning"))),
    };
    match (report.verdict(), found) {
        (Verdict::CannotCheck, found) => {
            let problems = counted(report.errors.len(), "problem");
            match found {
                None => format!("{problems}, so nothing here is known to be clean"),
                Some(found) => format!("{problems}; {found} so far, and nothing else is known to be clean"),
            }
        }
        (_, Some(found)) if denied == 0 => format!("nothing is denied, {found}"),
        (_, Some(found)) => found,
        (_, None) => match report.leases.as_slice() {
            [lease] => format!("lease `{}` reaches nothing forbidden", lease.name),
            leases => format!("{} reach nothing forbidden", counted(leases.len(), "lease")),
        },
    }
}

/// What was looked at, without a full stop; raw.
pub(super) fn seen_sentence(report: &Report) -> String {
    let seen = &report.seen;
    if report.verdict() == Verdict::CannotCheck && report.leases.is_empty() && seen.files_parsed == 0 {
        return "nothing, the check did not get as far as the sources".to_owned();
    }
    let items: usize = report.leases.iter().map(|lease| lease.items).sum();
    let reached: usize = report.leases.iter().map(|lease| lease.reached_items).sum();
    let graph = match report.graph {
        GraphSeen::Full => "the dependency graph was judged",
        GraphSeen::None => "the dependency graph was not judged",
    };
    format!(
        "{}, {} parsed, {} reached ({items} selected), {} scanned as tokens, {} not on disk, {}; {graph}",
        counted(report.leases.len(), "lease"),
        counted(seen.files_parsed, "file"),
        counted(reached, "item"),
        counted(seen.macros_scanned, "macro"),
        counted(seen.opaque_includes, "include"),
        counted(seen.orphan_files.len(), "orphan file"),
    )
}

/// What a reader should know beside the findings: cuts, exceptions that were used, what was read
/// with less than full care; one sentence each without a full stop, raw. No list is longer than
/// `most` entries.
pub(super) fn remarks(report: &Report, most: usize) -> Vec<String> {
    let seen = &report.seen;
    let mut out: Vec<String> = report.cuts.iter().filter(|cut| cut.routes > 0).map(cut_sentence).collect();
    out.extend(report.exceptions.iter().filter(|exception| exception.used > 0).map(exception_sentence));
    if !seen.proc_macros.is_empty() {
        out.push(format!("code that procedural macros write is not seen: {}", list(&seen.proc_macros, most)));
    }
    if !seen.files_scanned.is_empty() {
        out.push(format!("reached, did not parse, scanned as tokens: {}", list(&seen.files_scanned, most)));
    }
    if !seen.orphan_files.is_empty() {
        out.push(format!("not checked, for no `mod` leads there: {}", list(&seen.orphan_files, most)));
    }
    out.extend(report.notes.iter().cloned());
    out
}

/// One cut in words, raw.
pub(super) fn cut_sentence(cut: &Cut) -> String {
    format!("the route is cut at {} `{}` ({})", cut.kind.word(), cut.name, counted(cut.routes, "route"))
}

/// One exception in words, raw.
pub(super) fn exception_sentence(exception: &ExceptionSeen) -> String {
    let until = exception.until.as_ref().map(|day| format!(", until {day}")).unwrap_or_default();
    format!(
        "an exception forgives {} of {} `{}`{until}: {}",
        counted(exception.used, "finding"),
        exception.lint,
        exception.subject,
        exception.reason
    )
}

fn list(names: &[String], most: usize) -> String {
    let shown = names.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
