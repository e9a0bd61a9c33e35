//! An expectation against what the binary said.
//!
//! The rules are those of the corpus's own runner (`run.py`), so that a case passes here exactly when
//! it passes there. The report is read as plain JSON: the wire format is what is promised.

use serde_json::Value;

use super::{
    case::{Case, Verdict, Wanted},
    gate::Said,
};

/// Why the answer is not the expected one, if it is not.
pub(crate) fn judge(case: &Case, said: &Said) -> Result<(), String> {
    let want = &case.expect;
    let words = if said.stderr.trim().is_empty() { &said.stdout } else { &said.stderr };
    let Some(code) = said.code else {
        return Err(format!("ended without an exit status: {}", tail(words)));
    };
    if said.stderr.contains("panicked") {
        return Err(format!("panicked: {}", tail(words)));
    }
    if code != want.verdict.exit_code() {
        let (wanted, word) = (want.verdict.exit_code(), want.verdict.word());
        return Err(format!("exit {code}, wanted {wanted} ({word}): {}", tail(words)));
    }
    if want.verdict == Verdict::CannotCheck {
        return refusal(want.says.as_deref(), said);
    }
    let report: Value =
        serde_json::from_str(&said.stdout).map_err(|e| format!("stdout is not one JSON object: {e}"))?;
    if report["verdict"] != want.verdict.word() {
        return Err(format!("verdict {}", report["verdict"]));
    }
    let findings = report["findings"].as_array().ok_or("the report has no findings")?;
    let missing: Vec<_> = want.findings.iter().filter(|w| !findings.iter().any(|got| matches(w, got))).collect();
    if !missing.is_empty() {
        let missing: Vec<_> = missing.into_iter().map(wish).collect();
        return Err(format!("not reported: {}; reported: {}", missing.join(" | "), list(findings)));
    }
    let unasked: Vec<Value> = findings
        .iter()
        .filter(|got| want.verdict == Verdict::Clean || got["level"] == "deny")
        .filter(|got| !want.findings.iter().any(|w| matches(w, got)))
        .cloned()
        .collect();
    if unasked.is_empty() || want.others { Ok(()) } else { Err(format!("false alarm: {}", list(&unasked))) }
}

fn refusal(says: Option<&str>, said: &Said) -> Result<(), String> {
    let all = format!("{}{}", said.stderr, said.stdout);
    if all.trim().is_empty() {
        return Err("failed without a word".into());
    }
    let Some(says) = says else { return Ok(()) };
    // The patterns use look-around, which the plain regex engine leaves out.
    let pattern = fancy_regex::Regex::new(&format!("(?i){says}")).map_err(|e| format!("says = {says:?}: {e}"))?;
    match pattern.is_match(&all) {
        Ok(true) => Ok(()),
        _ => Err(format!("does not say {says:?}: {}", tail(&all))),
    }
}

fn matches(want: &Wanted, got: &Value) -> bool {
    let text = |key: &str| got[key].as_str().unwrap_or_default();
    let list = |key: &str| got[key].as_array().map(Vec::as_slice).unwrap_or_default();
    let primary = place(&got["primary"]);
    let places: Vec<_> = std::iter::once(primary.clone()).chain(list("also").iter().map(place)).collect();
    let hops = list("route").iter().filter(|hop| hop["file"].as_str().is_some_and(|f| !f.is_empty()));
    let on_route: Vec<_> = std::iter::once(primary).chain(hops.map(place)).collect();
    let chain: Vec<_> = list("dependency_chain").iter().filter_map(Value::as_str).collect();
    want.lint.holds(text("lint"))
        && text("level") == want.level.as_deref().unwrap_or("deny")
        && want.subject.as_ref().is_none_or(|subject| alike(subject, text("subject")))
        && want.at.as_ref().is_none_or(|at| places.iter().any(|place| at.holds(place)))
        && want.via.iter().all(|via| on_route.contains(via))
        && in_order(&want.chain, &chain)
}

fn in_order(wanted: &[String], got: &[&str]) -> bool {
    let mut rest = got.iter();
    wanted.iter().all(|w| rest.any(|g| alike(w, g.split([' ', '@']).next().unwrap_or_default())))
}

fn alike(a: &str, b: &str) -> bool {
    a.replace('-', "_") == b.replace('-', "_")
}

/// `file:line` of a place in a report.
pub(crate) fn place(span: &Value) -> String {
    format!("{}:{}", span["file"].as_str().unwrap_or("?"), span["line"])
}

fn wish(want: &Wanted) -> String {
    let mut words = vec![want.lint.words().join("/")];
    words.extend(want.subject.clone());
    words.extend(want.at.as_ref().map(|at| format!("at {}", at.words().join(" or "))));
    words.extend((!want.via.is_empty()).then(|| format!("via {}", want.via.join(", "))));
    words.extend((!want.chain.is_empty()).then(|| format!("by {}", want.chain.join(" > "))));
    words.extend(want.level.as_ref().map(|level| format!("({level})")));
    words.join(" ")
}

fn list(findings: &[Value]) -> String {
    let word = |f: &Value, key: &str| f[key].as_str().unwrap_or("?").to_owned();
    let one = |f: &Value| {
        let route: Vec<_> = f["route"].as_array().into_iter().flatten().map(place).collect();
        let via = if route.is_empty() { String::new() } else { format!(" via {}", route.join(", ")) };
        format!("{} {} at {}{via} ({})", word(f, "lint"), word(f, "subject"), place(&f["primary"]), word(f, "level"))
    };
    if findings.is_empty() { "nothing".into() } else { findings.iter().map(one).collect::<Vec<_>>().join("; ") }
}

fn tail(text: &str) -> String {
    let text = text.trim();
    let start = text.char_indices().rev().nth(300).map_or(0, |(at, _)| at);
    text[start..].to_owned()
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
