//! Whatever the text, there are rules or problems, and no panic.

use proptest::prelude::*;

use super::read_in;
use crate::config::{RulesTable, path_globs};

const FULL: &str = include_str!("full.toml");

/// Pieces that rules files are made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[[lease]]\n"),
        Just("[lease]\n"),
        Just("[lease.timing]\n"),
        Just("[lease.fence]\n"),
        Just("[lease.drill]\n"),
        Just("[forbid]\n"),
        Just("[lints]\n"),
        Just("[[exception]]\n"),
        Just("[[workspace.metadata.lease-guard.lease]]\n"),
        Just("[workspace.metadata]\nlease-guard = 1\n"),
        Just("name = \"a\"\n"),
        Just("name = { a.b = 1 }\n"),
        Just("modules = [\"a::b\", [], {}]\n"),
        Just("packages = [\"a\"]\n"),
        Just("crates = [{ name = [] }, {}]\n"),
        Just("client-clock = \"deny\"\n"),
        Just("until = 0000-01-01\n"),
        Just("until = 9999-12-31\n"),
        Just("ttl = \"99999999999999999999h\"\n"),
        Just("clock-skew.bound = \"1s\"\n"),
        Just("lease = 5\n"),
        Just("\"\" = \"\"\n"),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn holds(text: &str) -> Result<(), TestCaseError> {
    for table in [RulesTable::Whole, RulesTable::Workspace, RulesTable::Package] {
        let (files, result) = read_in("x.toml", table, text);
        match result {
            Ok(rules) => {
                prop_assert!(!rules.leases.is_empty());
                let globs = rules.leases.iter().flat_map(|lease| &lease.files);
                prop_assert!(path_globs(globs.map(|glob| glob.value.as_str())).is_ok());
            }
            Err(problems) => {
                prop_assert!(!problems.is_empty());
                for problem in problems {
                    prop_assert!(!problem.message.is_empty() && !problem.message.ends_with('.'));
                    prop_assert!(problem.message.len() < 1000, "a long message");
                    prop_assert!(problem.help.len() < 1000, "a long help");
                    if let Some(place) = problem.place {
                        let text = files.get(place.file).text.clone();
                        let range = place.start as usize..place.end as usize;
                        prop_assert!(text.get(range).is_some(), "{} points outside", problem.message);
                    }
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_characters(text in "\\PC{0,80}") {
        holds(&text)?;
    }

    #[test]
    fn any_order_of_pieces(text in pieces()) {
        holds(&text)?;
    }

    #[test]
    fn a_full_file_with_a_piece_cut_out_and_another_put_in(
        at in 0..FULL.len(), length in 0..40_usize, put in "[\\[\\]{}\"'=.,:*a-z0-9\\\\\n é\u{0}]{0,6}",
    ) {
        let end = (at + length).min(FULL.len());
        if FULL.is_char_boundary(at) && FULL.is_char_boundary(end) {
            holds(&format!("{}{put}{}", &FULL[..at], &FULL[end..]))?;
        }
    }

    #[test]
    fn any_words_in_the_places_of_words(word in "[a-z:.*<>()\\[\\]{}!?,/\\\\ -]{0,12}") {
        let word = word.replace('\\', "\\\\");
        let list = format!("[\"{word}\", \"a::{word}\", \"{word}.b\"]");
        let lease = format!("[[lease]]\nname = \"{word}\"\nmodules = {list}\nfiles = {list}\npackages = {list}\n");
        let rest = format!("coordinators = {list}\nworkloads = {list}\n[forbid]\npacks = {list}\ncrates = {list}\ncalls = {list}\n");
        holds(&format!("{lease}{rest}"))?;
    }
}

#[test]
fn nesting_without_end() {
    for (open, close) in [("[", "]"), ("{ a = ", " }"), ("[[", "]]")] {
        let text = format!("x = {}1{}\n", open.repeat(100_000), close.repeat(100_000));
        holds(&text).expect("no panic");
    }
    holds(&format!("[{}a]\n", "a.".repeat(100_000))).expect("no panic");
    holds(&format!("[[lease]]\nfiles = [\"{}\"]\n", "{".repeat(100_000))).expect("no panic");
}

#[test]
fn long_words_cost_no_more_than_their_length() {
    let word = "a".repeat(1_000_000);
    let text = format!(
        "{word} = 1\n[[lease]]\nname = \"{word}\"\nmodules = [\"{word}\"]\n[lints]\n{word} = \"{word}\"\n\
         [[exception]]\nlint = \"{word}\"\nsubject = \"{word}\"\nlease = \"{word}b\"\nreason = \"r\"\n"
    );
    holds(&text).expect("no panic");
}
