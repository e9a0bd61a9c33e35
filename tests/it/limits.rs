//! What the check is known to miss, or to report although it does not run: each limit of `docs/limits.md` as
//! a case that asserts it.
//!
//! `fixtures/limits/NAME.case` is in the corpus's format (see `case`), its packages are the stand-ins of
//! `fixtures/stubs/packages.txt`. A case that fails here is mostly good news: then the page must change.

use std::{collections::BTreeSet, fs};

use rayon::prelude::*;

use super::{case::Case, fixtures, gate, judge::judge, workspace::project};

#[test]
fn every_known_limit_is_still_one() {
    let cases = Case::folder(&project().join("fixtures/limits"));
    let changed: Vec<_> = cases
        .par_iter()
        .filter_map(|case| {
            let said = gate::json(&fixtures::workspace(&case.files).path());
            judge(case, &said).err().map(|why| format!("{} ({}): {why}", case.name, case.head))
        })
        .collect();
    println!("known limits: {}, {} changed", cases.len(), changed.len());
    assert!(changed.is_empty(), "no longer as docs/limits.md says:\n{}", changed.join("\n"));
}

#[test]
fn the_page_of_limits_and_the_cases_are_one() {
    let page = fs::read_to_string(project().join("docs/limits.md")).unwrap().replace("\r\n", "\n");
    let cases = Case::folder(&project().join("fixtures/limits"));
    let on_disk: BTreeSet<_> = cases.iter().map(|case| case.name.as_str()).collect();
    let mut shown = BTreeSet::new();
    for section in page.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap_or_default();
        let links = section.split("](../fixtures/limits/").skip(1);
        let names: BTreeSet<_> = links.filter_map(|rest| Some(rest.split_once(".case)")?.0)).collect();
        assert!(!names.is_empty(), "`{title}` names no case that shows it");
        for name in names {
            assert!(shown.insert(name), "{name} stands on the page twice");
        }
    }
    assert_eq!(shown, on_disk, "the cases of docs/limits.md and those of fixtures/limits");
}
