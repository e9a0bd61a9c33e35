//! The judge, on reports written by hand: it must pass what is right and catch each kind of wrong.

use super::*;

const REPORT: &str = r#"{"version": 1, "verdict": "offends", "errors": [],
 "leases": [{"name": "w", "files": 1, "items": 2, "reached_items": 5}], "graph": "full",
 "seen": {"files_parsed": 3, "macros_scanned": 0, "proc_macros": [], "opaque_includes": 0, "orphan_files": []},
 "cuts": [], "exceptions": [], "findings": [
  {"lint": "forbidden-dependency", "level": "deny", "lease": "w", "subject": "async-openai", "message": "m",
   "primary": {"file": "src/health.rs", "line": 3, "column": 5, "end_line": 3, "end_column": 20},
   "also": [{"file": "src/health.rs", "line": 9, "column": 1, "end_line": 9, "end_column": 2}],
   "route": [{"certainty": "resolved", "kind": "call", "item": "o::health::probe", "file": "src/lease.rs",
     "line": 7, "column": 1, "end_line": 7, "end_column": 4}],
   "dependency_chain": ["acme-health 0.2.0", "acme-ml 0.1.4", "async-openai 0.27.2"], "help": "h"},
  {"lint": "client-clock", "level": "warn", "lease": "w", "subject": "std::time::SystemTime::now", "message": "m",
   "primary": {"file": "src/lease.rs", "line": 2, "column": 1, "end_line": 2, "end_column": 2},
   "also": [], "route": [], "dependency_chain": [], "help": "h"}]}"#;

fn verdict(expect: &str, code: i32, stdout: &str, stderr: &str) -> Result<(), String> {
    let case = Case::parse("x", &format!("-- expect.toml --\n{expect}")).unwrap();
    judge(&case, &Said { code: Some(code), stdout: stdout.into(), stderr: stderr.into() })
}

fn offends(finding: &str) -> Result<(), String> {
    verdict(&format!("verdict = \"offends\"\n[[finding]]\n{finding}"), 1, REPORT, "")
}

#[test]
fn what_is_right_passes() {
    offends("lint = \"forbidden-dependency\"").unwrap();
    offends("lint = [\"forbidden-crate\", \"forbidden-dependency\"]\nsubject = \"async_openai\"").unwrap();
    offends("lint = \"forbidden-dependency\"\nat = [\"src/no.rs:1\", \"src/health.rs:9\"]").unwrap();
    offends("lint = \"forbidden-dependency\"\nvia = [\"src/lease.rs:7\", \"src/health.rs:3\"]").unwrap();
    offends("lint = \"forbidden-dependency\"\nchain = [\"acme_health\", \"async-openai\"]").unwrap();
    verdict("verdict = \"offends\"\nothers = true", 1, REPORT, "").unwrap();
    verdict("verdict = \"cannot-check\"\nsays = '(?s)(?=.*RULES).*init'", 2, "", "no rules\nrun init").unwrap();
}

#[test]
fn a_finding_that_differs_in_anything_is_missed() {
    for wrong in [
        "lint = \"forbidden-crate\"",
        "lint = \"forbidden-dependency\"\nlevel = \"warn\"",
        "lint = \"forbidden-dependency\"\nsubject = \"openai\"",
        "lint = \"forbidden-dependency\"\nat = \"src/health.rs:4\"",
        "lint = \"forbidden-dependency\"\nat = \"src/lease.rs:7\"",
        "lint = \"forbidden-dependency\"\nvia = [\"src/lease.rs:8\"]",
        "lint = \"forbidden-dependency\"\nvia = [\"src/health.rs:9\"]",
        "lint = \"forbidden-dependency\"\nchain = [\"async-openai\", \"acme-health\"]",
        "lint = \"forbidden-dependency\"\nchain = [\"acme\"]",
    ] {
        let why = offends(wrong).unwrap_err();
        assert!(why.starts_with("not reported"), "{wrong}: {why}");
    }
}

#[test]
fn a_denial_that_nobody_asked_for_is_a_false_alarm_and_a_warning_only_in_a_clean_case() {
    assert!(verdict("verdict = \"offends\"", 1, REPORT, "").unwrap_err().starts_with("false alarm"));
    let clean = REPORT.replace("\"verdict\": \"offends\"", "\"verdict\": \"clean\"");
    let both = "[[finding]]\nlint = \"forbidden-dependency\"\n[[finding]]\nlint = \"client-clock\"\nlevel = \"warn\"";
    verdict(&format!("verdict = \"clean\"\n{both}"), 0, &clean, "").unwrap();
    let one = "[[finding]]\nlint = \"forbidden-dependency\"";
    assert!(verdict(&format!("verdict = \"clean\"\n{one}"), 0, &clean, "").unwrap_err().starts_with("false alarm"));
}

#[test]
fn status_word_and_json_must_agree() {
    assert!(verdict("verdict = \"clean\"", 1, REPORT, "").unwrap_err().starts_with("exit 1, wanted 0"));
    assert!(verdict("verdict = \"clean\"", 0, REPORT, "").unwrap_err().starts_with("verdict"));
    assert!(verdict("verdict = \"clean\"", 0, "fine!", "").unwrap_err().contains("not one JSON object"));
    assert!(verdict("verdict = \"cannot-check\"", 2, "", " ").unwrap_err().contains("without a word"));
    assert!(verdict("verdict = \"cannot-check\"\nsays = 'x'", 2, "", "y").unwrap_err().contains("does not say"));
    let panic = "thread 'main' panicked at src/x.rs";
    assert!(verdict("verdict = \"cannot-check\"", 2, "", panic).unwrap_err().starts_with("panicked"));
}
