//! Tests of lowering: one file for each sort of node, reading what [`show`] prints.

mod attributes;
mod code;
mod declarations;
mod invocations;
mod places;
mod scanned;
mod show;

use crate::{
    base::Files,
    source::{Facts, read},
};

/// The facts of a text, and the files that its places point into.
fn facts_of(text: &str) -> (Files, Facts) {
    let files = Files::new("/w");
    let id = files.add("/w/a.rs".into(), text.to_owned());
    let facts = read(&files, id).expect("tokens");
    (files, facts)
}

/// What [`show`] prints for a text that parses.
fn shown(text: &str) -> String {
    let (_, facts) = facts_of(text);
    assert!(facts.error.is_none(), "{text}: {:?}", facts.error);
    show::file(&facts)
}

/// What is printed for the body of a function.
fn body(text: &str) -> String {
    let all = shown(&format!("fn f() {{ {text} }}"));
    all.strip_prefix("fn f() ").expect("a function").to_owned()
}
