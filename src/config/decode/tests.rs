//! Tests of the rules file's reader: what each problem says and where, what each form gives, and
//! that no text at all panics.

use crate::{
    base::{Files, Span, visible},
    config::{Rules, RulesAt, RulesTable, decode},
    finding::Problem,
};

mod any_text;
mod forms;
mod keys;
mod problems;
mod problems_of_words;

/// The lints that the tests know.
const LINTS: [&str; 4] = ["forbidden-crate", "forbidden-dependency", "client-clock", "raw-transport"];

/// A lease without a fault, to put a faulty line behind.
const LEASE: &str = "[[lease]]\nname = \"order-writer\"\nmodules = [\"orders::lease\"]\n";

fn read_in(name: &str, table: RulesTable, text: &str) -> (Files, Result<Rules, Vec<Problem>>) {
    let files = Files::new("/w");
    let file = files.add(&files.root().join(name), text.to_owned());
    let rules = decode(&files, RulesAt { file, table }, &LINTS);
    (files, rules)
}

fn read(text: &str) -> (Files, Result<Rules, Vec<Problem>>) {
    read_in("lease-guard.toml", RulesTable::Whole, text)
}

/// The rules of a text without a fault.
fn rules(text: &str) -> (Files, Rules) {
    let (files, rules) = read(text);
    match rules {
        Ok(rules) => (files, rules),
        Err(problems) => panic!("{}", listed(&files, &problems)),
    }
}

/// The problems of a text, one line each, with its help behind it.
fn said(text: &str) -> String {
    let (files, rules) = read(text);
    listed(&files, &rules.expect_err("a fault"))
}

fn listed(files: &Files, problems: &[Problem]) -> String {
    let lines = problems.iter().map(|problem| {
        let place = problem.place.map_or_else(|| "nowhere".to_owned(), |span| at(files, span));
        format!("{place}: {}\n    {}\n", visible(&problem.message), visible(&problem.help))
    });
    lines.collect()
}

fn at(files: &Files, span: Span) -> String {
    let place = files.get(span.file).line_column(span.start);
    format!("{}:{}", place.line, place.column)
}
