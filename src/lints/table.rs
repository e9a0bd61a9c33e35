//! All lints, sorted by name.

use super::{
    Lint, client_clock, expired_exception, forbidden_call, forbidden_crate, forbidden_dependency, forbidden_string,
    guard_band, held_client, insolvent_timing, opaque_code, raw_transport, reply_repair, unfenced_write,
    unguarded_renewal, unknown_crate, unmeasured_skew, unused_coordinator, unused_exception, unused_workload,
};
use crate::base::{nearest, visible};

/// Every lint, sorted by name.
pub static LINTS: [&Lint; 19] = [
    &client_clock::LINT,
    &expired_exception::LINT,
    &forbidden_call::LINT,
    &forbidden_crate::LINT,
    &forbidden_dependency::LINT,
    &forbidden_string::LINT,
    &guard_band::LINT,
    &held_client::LINT,
    &insolvent_timing::LINT,
    &opaque_code::LINT,
    &raw_transport::LINT,
    &reply_repair::LINT,
    &unfenced_write::LINT,
    &unguarded_renewal::LINT,
    &unknown_crate::LINT,
    &unmeasured_skew::LINT,
    &unused_coordinator::LINT,
    &unused_exception::LINT,
    &unused_workload::LINT,
];

/// A name that no lint has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no lint called `{}`; {}", visible(.name), meant(*.nearest))]
pub struct UnknownLint {
    /// As written.
    pub name: String,
    /// The nearest name, if one is near.
    pub nearest: Option<&'static str>,
}

fn meant(nearest: Option<&str>) -> String {
    match nearest {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the lints are {}", names().collect::<Vec<_>>().join(", ")),
    }
}

/// The names of all lints, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    LINTS.iter().map(|lint| lint.name)
}

/// The lint of a name; `_` and `-` are the same, as in rustc's flags.
///
/// # Errors
/// No lint is called that.
pub fn find(name: &str) -> Result<&'static Lint, UnknownLint> {
    let wanted = name.replace('_', "-");
    LINTS
        .iter()
        .find(|lint| lint.name == wanted)
        .copied()
        .ok_or_else(|| UnknownLint { name: name.to_owned(), nearest: nearest(name, names()) })
}

/// The page `docs/lints.md`.
pub fn page() -> String {
    let mut page = String::from(
        "# Lints\n\n\
         <!-- Written by `UPDATE_DOCS=1 cargo test --lib lints` from src/lints. Edit there. -->\n\n\
         `cargo lease-guard explain LINT` prints the same texts. Levels are set under `[lints]` in\n\
         the rules file, or with `-D`, `-W` and `-A` on the command line, where the last one wins.\n\n\
         | lint | default | reports |\n| --- | --- | --- |\n",
    );
    for lint in LINTS {
        let summary = lint.docs.summary.split_whitespace().collect::<Vec<_>>().join(" ");
        page.push_str(&format!("| [`{0}`](#{0}) | {1} | {summary} |\n", lint.name, lint.level.word()));
    }
    for lint in LINTS {
        page.push('\n');
        page.push_str(&lint.text(2));
    }
    page
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    const NO_LINT: [&str; 8] = ["case", "clients", "draft", "judge", "ledger", "lint", "mod", "table"];

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn the_table_is_sorted_and_lists_every_file_of_the_folder() {
        assert!(LINTS.is_sorted_by_key(|lint| lint.name));
        let mut listed: BTreeSet<_> = names().map(|name| name.replace('-', "_")).collect();
        for file in fs::read_dir(root().join("src/lints")).unwrap() {
            let path = file.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.extension().is_none_or(|e| e != "rs")
                || NO_LINT.contains(&stem.as_str())
                || stem.ends_with("_tests")
            {
                continue;
            }
            assert!(listed.remove(&stem), "src/lints/{stem}.rs is not in the table of src/lints/table.rs");
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains("static LINT: Lint"), "{stem}.rs has no `static LINT`");
        }
        assert!(listed.is_empty(), "listed without a file of that name: {listed:?}");
    }

    #[test]
    fn the_page_is_what_the_lints_say() {
        let path = root().join("docs/lints.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, page()).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found.replace("\r\n", "\n") == page(),
            "docs/lints.md has drifted from src/lints: UPDATE_DOCS=1 cargo test --lib lints"
        );
    }

    #[test]
    fn every_section_says_something_and_fits_80_columns() {
        for lint in LINTS {
            for part in [
                lint.docs.summary,
                lint.docs.what_it_does,
                lint.docs.why_it_matters,
                lint.docs.example,
                lint.docs.instead,
            ] {
                assert!(part.trim().len() > 30, "{}: {part:?}", lint.name);
            }
            assert!(lint.docs.example.contains("```"), "{} shows no code", lint.name);
            assert_eq!(lint.docs.example.matches("```").count() % 2, 0, "{}: an open fence", lint.name);
            for line in lint.text(1).lines() {
                assert!(line.chars().count() <= 80, "{}: {line}", lint.name);
            }
        }
    }

    #[test]
    fn a_slip_is_told_the_nearest_lint() {
        assert_eq!(find("forbidden_crate").unwrap().name, "forbidden-crate");
        let error = find("forbiden-crate").unwrap_err();
        assert_eq!(error.nearest, Some("forbidden-crate"));
        assert!(error.to_string().contains("did you mean `forbidden-crate`?"), "{error}");
        assert_eq!(find("\u{1b}[2J").unwrap_err().nearest, None);
        assert!(!find("\u{1b}[2J").unwrap_err().to_string().contains('\u{1b}'));
    }
}
