//! The report for people.

use std::fmt::Write as _;

use super::{DrillReport, Ended, Run};
use crate::base::visible;

/// What came of a drill, in words. Text that the command wrote or sent is made harmless.
pub fn human(report: &DrillReport) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(report, &mut out);
    out
}

fn write(report: &DrillReport, out: &mut String) -> std::fmt::Result {
    writeln!(out, "drill: {}", visible(&report.command.join(" ")))?;
    writeln!(out, "commit: {}", report.commit.as_deref().unwrap_or("none that could be read"))?;
    writeln!(out, "isolation: {}", report.isolation.kind.word())?;
    for (kind, why) in &report.isolation.refused {
        writeln!(out, "  {} was refused: {}", kind.word(), visible(why))?;
    }
    list(out, "stops", &report.isolation.stops)?;
    list(out, "does not stop", &report.isolation.does_not_stop)?;
    list(out, "reachable", &report.allowed)?;
    writeln!(out, "runs:")?;
    for run in &report.runs {
        let verdict = if run.passed() { "pass" } else { "FAIL" };
        writeln!(out, "  {verdict}  the provider {}: {}", run.condition.what(), outcome(run))?;
        for request in &run.requests {
            writeln!(out, "        asked: {}", visible(request))?;
        }
    }
    writeln!(out, "{}", conclusion(report))
}

fn list(out: &mut String, title: &str, lines: &[String]) -> std::fmt::Result {
    if lines.is_empty() {
        return writeln!(out, "{title}: nothing");
    }
    writeln!(out, "{title}:")?;
    lines.iter().try_for_each(|line| writeln!(out, "  - {}", visible(line)))
}

fn outcome(run: &Run) -> String {
    let ended = match run.ended {
        Ended::Exit(0) => "succeeded".to_owned(),
        Ended::Exit(code) => format!("exit status {code}"),
        Ended::Signal(signal) => format!("ended by signal {signal}"),
        Ended::TimedOut => "took too long and was killed".to_owned(),
    };
    let asked = match run.asked {
        0 => String::new(),
        1 => ", and asked the stand-in once".to_owned(),
        times => format!(", and asked the stand-in {times} times"),
    };
    format!("{ended}{asked} ({:.1} s)", run.took.as_secs_f64())
}

fn conclusion(report: &DrillReport) -> String {
    if let Some(signal) = report.interrupted {
        return format!("interrupted by signal {signal}: nothing is recorded");
    }
    if report.passed() {
        return "passed: the command succeeds without a model, and asks none".to_owned();
    }
    if report.runs.iter().any(|run| run.ended != Ended::Exit(0)) {
        return "FAILED: the command does not succeed without a model; look at its own output above, and at what \
                `[lease.drill] allow` lets it reach"
            .to_owned();
    }
    "FAILED: the command succeeds, but it asks a model: take the call out of what the command runs, or out of the \
     lease"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::{super::report::tests::report, *};

    #[test]
    fn a_pass_a_failure_and_a_question_are_told_apart() {
        assert!(human(&report(|_| {})).ends_with("passed: the command succeeds without a model, and asks none\n"));
        let failed = human(&report(|r| r.runs[0].ended = Ended::Exit(101)));
        assert!(failed.contains("FAIL  the provider cannot be reached: exit status 101 (1.5 s)"), "{failed}");
        let asked = human(&report(|r| {
            r.runs[2].asked = 1;
            r.runs[2].requests = vec!["POST /v1/\u{1b}[31mresponses".to_owned()];
        }));
        assert!(asked.contains("asked the stand-in once") && asked.contains("it asks a model"), "{asked}");
        assert!(asked.contains("asked: POST /v1/\\u{1b}[31mresponses"), "{asked}");
    }
}
