//! The questions, and how each is answered.

use super::{Answer, Evidence, Row, gather::Seen};
use crate::{
    base::counted,
    config::PackName,
    finding::{CutKind, Finding, Level},
    timing::{band, budget},
};

/// One question.
type Ask = fn(&Seen<'_>) -> Row;

/// All questions, in the order of the card.
pub(super) const ROWS: [Ask; 7] =
    [coordinator_only, rule_without_a_model, drilled, fenced, adds_up, membership, cut_and_excepted];

/// The lints that say what the path reaches and may not.
pub(super) const CLIENT_LINTS: [&str; 6] =
    ["forbidden-call", "forbidden-crate", "forbidden-dependency", "forbidden-string", "raw-transport", "reply-repair"];

fn coordinator_only(seen: &Seen<'_>) -> Row {
    let question = "Does the renewer talk to its coordinator and to nothing else?";
    let lints = [CLIENT_LINTS.as_slice(), &["held-client"]].concat();
    let mut answers = Answers::of_findings(seen, &lints);
    for (finding, exception) in seen.forgiven(&lints) {
        let text = format!("forgiven, for {}: {}", exception.reason, finding.message);
        answers.add(Answer::Look, text, Some(seen.place(finding.primary)));
    }
    answers.switched_off(seen, &lints);
    if !seen.prepared.text.has_graph {
        answers.add(Answer::Look, "the dependency graph was not judged (--no-deps)", None);
    }
    if answers.is_empty() {
        let reached = seen.report.leases.iter().find(|lease| lease.name == seen.lease().name.value);
        let reached = reached.map_or(0, |lease| lease.reached_items);
        let coordinators: Vec<&str> = seen.lease().coordinators.iter().map(|name| name.value.as_str()).collect();
        let talks = match coordinators.as_slice() {
            [] => "to nobody".to_owned(),
            names => format!("to {} only", names.join(", ")),
        };
        answers.add(Answer::Go, format!("{} reached, which talk {talks}", counted(reached, "item")), None);
    }
    answers.row(question)
}

/// Words of a rule that no storage can judge by.
const MODEL_WORDS: [&str; 20] = [
    "agentic",
    "mistral",
    "model",
    "models",
    "ai",
    "llm",
    "llms",
    "gpt",
    "chatgpt",
    "claude",
    "gemini",
    "llama",
    "copilot",
    "prompt",
    "inference",
    "openai",
    "anthropic",
    "ollama",
    "chatbot",
    "embedding",
];

fn rule_without_a_model(seen: &Seen<'_>) -> Row {
    let question = "Can the fence rule be stated without a model?";
    let mut answers = Answers::default();
    match &seen.lease().fence_rule {
        None => answers.add(
            Answer::Stop,
            "it is not stated: write `fence-rule`, one sentence, below the lease",
            Some(seen.place(seen.lease().name.span)),
        ),
        Some(rule) => {
            let place = Some(seen.place(rule.span));
            let names_model = |word: &&str| {
                let lower = word.to_lowercase();
                let stem = lower.trim_end_matches(|c: char| c.is_numeric() || c == 'o');
                let is_word = lower.split(['-', '_']).chain([stem]).any(|word| MODEL_WORDS.contains(&word));
                is_word || seen.prepared.packs.client_pack(&lower) == Some(PackName::ModelClients)
            };
            let mut words = rule.value.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
            match words.find(names_model) {
                Some(word) => {
                    answers.add(Answer::Stop, format!("it names `{word}`: \u{201c}{}\u{201d}", rule.value), place);
                }
                None => answers.add(Answer::Go, format!("\u{201c}{}\u{201d}", rule.value), place),
            }
        }
    }
    answers.row(question)
}

fn drilled(seen: &Seen<'_>) -> Row {
    let question = "Does the failover test pass with the provider unreachable?";
    let mut answers = Answers::default();
    let again = "run `cargo lease-guard drill -- COMMAND`";
    let Some(record) = &seen.drilled.record else {
        answers.add(Answer::Stop, format!("not run: {again}"), None);
        return answers.row(question);
    };
    let short = |commit: &str| commit.chars().take(12).collect::<String>();
    match (&record.commit, &seen.drilled.commit) {
        (Some(then), Some(now)) if then != now => answers.add(
            Answer::Stop,
            format!("the last drill was held at commit {}, and this is {}: {again}", short(then), short(now)),
            None,
        ),
        (Some(_), Some(_)) => {}
        _ => answers.add(Answer::Look, "no commit is known, so the drill may have been one of other code", None),
    }
    for run in record.runs.iter().filter(|run| !run.passed) {
        let how = match (run.exit, run.signal, run.asked) {
            (Some(0), _, asked) => format!("it asked {}: {}", counted(asked, "time"), run.requests.join(", ")),
            (Some(code), ..) => format!("it ended with status {code}"),
            (_, Some(signal), _) => format!("it ended by signal {signal}"),
            _ => "it took too long".to_owned(),
        };
        answers.add(Answer::Stop, format!("with the provider {}, the command failed: {how}", run.provider), None);
    }
    if !record.passed && answers.is_empty() {
        answers.add(Answer::Stop, format!("the last drill did not pass: {again}"), None);
    }
    let held = format!(
        "`{}` was run {} under {}, on {}",
        record.command.join(" "),
        counted(record.runs.len(), "time"),
        record.isolation,
        jiff::tz::Offset::UTC.to_datetime(record.began).date()
    );
    answers.add(Answer::Go, held, None);
    answers.row(question)
}

/// The lints that judge SQL.
const SQL_LINTS: [&str; 4] = ["client-clock", "opaque-code", "unfenced-write", "unguarded-renewal"];

fn fenced(seen: &Seen<'_>) -> Row {
    let question = "Does every protected write carry the fence?";
    let mut answers = Answers::default();
    let Some(fence) = &seen.lease().fence else {
        let text = "does not apply: the lease has no `[lease.fence]`; one in SQL should have it, one in etcd, \
                    Kubernetes or Consul carries its token there";
        answers.add(Answer::Look, text, Some(seen.place(seen.lease().name.span)));
        return answers.row(question);
    };
    answers.findings(seen, &SQL_LINTS);
    answers.switched_off(seen, &SQL_LINTS);
    for (finding, exception) in seen.forgiven(&SQL_LINTS) {
        let text = format!("forgiven, for {}: {}", exception.reason, finding.message);
        answers.add(Answer::Look, text, Some(seen.place(finding.primary)));
    }
    let place = Some(seen.place(fence.span));
    for table in &seen.sql.unnamed_tables {
        let text = format!("no SQL in the local packages names `{table}`: nothing is known of how it is written");
        answers.add(Answer::Stop, text, place.clone());
    }
    for column in &seen.sql.unnamed_columns {
        let text = format!("no SQL on `{}` names its column `{column}`", fence.table.value);
        answers.add(Answer::Stop, text, place.clone());
    }
    if fence.protects.is_empty() {
        answers.add(Answer::Look, "no table is protected: only the lease's own is judged", place.clone());
    }
    if answers.is_empty() {
        let tables: Vec<String> = fence.protects.iter().map(|table| format!("`{}`", table.value)).collect();
        let strings = counted(seen.sql.judged, "string");
        let text = format!(
            "{strings} of SQL with the names {} or `{}`, each of which was judged",
            tables.join(", "),
            fence.table.value
        );
        answers.add(Answer::Go, text, place);
    }
    answers.row(question)
}

fn adds_up(seen: &Seen<'_>) -> Row {
    let question = "Do the numbers add up, with the clocks apart?";
    let lints = ["guard-band", "insolvent-timing", "unmeasured-skew"];
    let mut answers = Answers::of_findings(seen, &lints);
    answers.switched_off(seen, &lints);
    let Some(timed) = seen.times else {
        let text = "nobody can tell: the lease has no `[lease.timing]`";
        answers.add(Answer::Stop, text, Some(seen.place(seen.lease().name.span)));
        return answers.row(question);
    };
    let place = Some(seen.place(timed.timing.span));
    if let Some(lost) = budget(&timed.times).may_be_lost {
        answers.add(
            Answer::Go,
            format!("{} in a row may be lost", counted(usize::try_from(lost).unwrap_or(usize::MAX), "renewal")),
            place.clone(),
        );
    }
    if let Some(band) = band(&timed.times).filter(|band| band.two.is_none()) {
        answers.add(Answer::Go, format!("by the times of the rules file: {band}"), place);
    }
    answers.row(question)
}

fn membership(seen: &Seen<'_>) -> Row {
    let question = "Do decisions that act like membership stand on the lease path too?";
    let mut answers = Answers::default();
    let beside = &seen.beside;
    for finding in &beside.findings {
        let answer = if finding.level == Level::Deny { Answer::Stop } else { Answer::Look };
        let text = format!("a decision beside the lease path reaches `{}` ({})", finding.subject, finding.lint);
        answers.add(answer, text, Some(seen.place(finding.primary)));
    }
    for (path, span) in &beside.off_path {
        let text = format!("`{path}` is not on the lease path: select it, if it decides who serves");
        answers.add(Answer::Look, text, Some(seen.place(*span)));
    }
    for (path, span) in &beside.on_path {
        answers.add(Answer::Go, format!("`{path}` is on the lease path"), Some(seen.place(*span)));
    }
    if answers.is_empty() {
        let text = "no function is named like one (drain, evict, failover, promote, quorum, readiness, replica, ...)";
        answers.add(Answer::Go, text, None);
    }
    answers.row(question)
}

fn cut_and_excepted(seen: &Seen<'_>) -> Row {
    let question = "What is cut and excepted, why, and until when?";
    let lints = ["expired-exception", "unused-coordinator", "unused-exception", "unused-workload"];
    let mut answers = Answers::of_findings(seen, &lints);
    let lease = seen.lease();
    for cut in &seen.report.cuts {
        let lines = match cut.kind {
            CutKind::Coordinator => &lease.coordinators,
            CutKind::Workload => &lease.workloads,
        };
        let Some(line) = lines.iter().find(|line| line.value == cut.name) else { continue };
        let why = match cut.kind {
            CutKind::Coordinator => "the lease may talk to it",
            CutKind::Workload => "it runs under the lease and is not the lease",
        };
        let text = format!("{} `{}` cuts {}: {why}", cut.kind.word(), cut.name, counted(cut.routes, "route"));
        answers.add(Answer::Go, text, Some(seen.place(line.span)));
    }
    for (exception, used) in seen.prepared.rules.exceptions.iter().zip(&seen.report.exceptions) {
        let of_other = exception.lease.as_ref().is_some_and(|of| of.value != lease.name.value);
        if of_other || used.used == 0 {
            continue;
        }
        let (answer, until) = match &exception.until {
            Some(until) => (Answer::Go, format!("until {}", until.value)),
            None => (Answer::Look, "without an end".to_owned()),
        };
        let (lint, subject) = (&exception.lint.value, &exception.subject.value);
        let text = format!("`{lint}` of `{subject}` is forgiven {until}: {}", exception.reason);
        answers.add(answer, text, Some(seen.place(exception.span)));
    }
    if answers.is_empty() {
        answers.add(Answer::Go, "nothing", None);
    }
    answers.row(question)
}

/// What a row rests on, as it comes together.
#[derive(Default)]
struct Answers(Vec<(Answer, Evidence)>);

impl Answers {
    fn of_findings(seen: &Seen<'_>, lints: &[&str]) -> Self {
        let mut answers = Self::default();
        answers.findings(seen, lints);
        answers
    }

    fn findings(&mut self, seen: &Seen<'_>, lints: &[&str]) {
        for finding in seen.found(lints) {
            self.finding(seen, finding);
        }
    }

    fn finding(&mut self, seen: &Seen<'_>, finding: &Finding) {
        let answer = if finding.level == Level::Deny { Answer::Stop } else { Answer::Look };
        let way = match finding.route.first() {
            Some(first) => format!(" (the route begins at {})", seen.place(first.place)),
            None => String::new(),
        };
        let text = format!("{}: {}{way}", finding.lint, finding.message);
        self.add(answer, text, Some(seen.place(finding.primary)));
    }

    /// What nobody looked for is not known to be missing.
    fn switched_off(&mut self, seen: &Seen<'_>, lints: &[&str]) {
        for lint in seen.allowed(lints) {
            self.add(Answer::Stop, format!("nobody looked: the rules allow `{lint}`"), None);
        }
    }

    fn add(&mut self, answer: Answer, text: impl Into<String>, place: Option<String>) {
        self.0.push((answer, Evidence { text: text.into(), place }));
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The gravest answer, what it rests on first.
    fn row(mut self, question: &'static str) -> Row {
        let answer = self.0.iter().map(|(answer, _)| *answer).max().unwrap_or(Answer::Stop);
        self.0.sort_by_key(|(answer, _)| std::cmp::Reverse(*answer));
        Row { question, answer, evidence: self.0.into_iter().map(|(_, evidence)| evidence).collect() }
    }
}
