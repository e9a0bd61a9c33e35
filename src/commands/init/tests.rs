//! What is written holds, also when every example in it is taken at its word.

use super::{find::Unsure, *};

fn found(unsure: &[(&str, &str)]) -> Found {
    let unsure = unsure.iter().map(|(path, why)| Unsure {
        path: (*path).to_owned(),
        file: "src/x.rs".to_owned(),
        why: (*why).to_owned(),
    });
    Found { leases: Vec::new(), unsure: unsure.collect(), files: 3 }
}

/// The file with the `#` of its examples taken away.
fn taken_at_its_word(text: &str) -> String {
    let lines = text.lines().map(|line| match line.strip_prefix('#') {
        Some(example) if !example.starts_with(' ') => example,
        _ => line,
    });
    lines.map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn the_template_and_its_examples_hold() {
    let text = text::text(&found(&[]), "orders");
    holds("/w".into(), &text).expect("it is in good form");
    let whole = taken_at_its_word(&text);
    assert_ne!(whole, text);
    holds("/w".into(), &whole).expect("so are its examples");
    for key in ["source-roots", "modules", "files", "packages", "coordinators", "workloads", "forbid", "exception"] {
        assert!(whole.lines().any(|line| line.trim_start_matches('[').starts_with(key)), "{key} is not taught");
    }
}

#[test]
fn what_a_stranger_wrote_stays_within_its_comment() {
    let text = text::text(&found(&[("orders::x", "a\nmodules = []\u{1b}[2J\u{202e}")]), "orders");
    holds("/w".into(), &text).expect("it is in good form");
    assert!(!text.contains("\nmodules = []\n") && !text.contains(['\u{1b}', '\u{202e}']), "{text}");
}
