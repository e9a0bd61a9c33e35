//! The cases of `tests/data/fence`, read; `README.md` there says how they are written.
//!
//! The unit tests of `src/fence` and the tests on a server read them with this same file.

use std::{collections::BTreeSet, fs, path::Path};

/// One case.
#[derive(Clone, Debug, Default)]
pub(super) struct SqlCase {
    /// File and name.
    pub name: String,
    /// What the judge must find.
    pub expect: BTreeSet<String>,
    /// Whether the epoch rises at each renewal.
    pub rises_at_renewal: bool,
    /// What the placeholders stand for.
    pub args: Vec<String>,
    /// The worlds in which nothing changes.
    pub refused: Vec<String>,
    /// The worlds in which something does.
    pub passes: Vec<String>,
    /// Words of the reason.
    pub why: Option<String>,
    /// The text that is pointed at.
    pub at: Option<String>,
    /// Whether a server can run it.
    pub is_for_server: bool,
    /// The text.
    pub sql: String,
}

/// The worlds that `fenced` stands for.
const FENCED: [&str; 6] = ["taken", "regranted", "expired", "other", "rebuilt", "gone"];

/// All cases, file by file.
pub(super) fn sql_cases() -> Vec<SqlCase> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fence");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "sql"));
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        for case in text.split("--- ").skip(1) {
            cases.push(read(&stem, case));
        }
    }
    assert!(cases.len() > 100, "only {} cases", cases.len());
    cases
}

fn read(stem: &str, text: &str) -> SqlCase {
    let (name, mut rest) = text.split_once('\n').unwrap();
    let mut case = SqlCase { name: format!("{stem}: {name}"), is_for_server: true, ..SqlCase::default() };
    while let Some(line) = rest.strip_prefix("-- ") {
        let (line, behind) = line.split_once('\n').unwrap();
        rest = behind;
        let (key, value) = line.split_once(": ").unwrap_or_else(|| panic!("{}: `{line}`", case.name));
        let words = || value.split([' ', ',']).filter(|w| !w.is_empty()).map(str::to_owned);
        let worlds = || words().flat_map(|w| if w == "fenced" { FENCED.map(str::to_owned).to_vec() } else { vec![w] });
        match key {
            "expect" => case.expect = words().filter(|word| word != "clean").collect(),
            "rises" => case.rises_at_renewal = value == "renewal",
            "args" => case.args = words().collect(),
            "refused" => case.refused = worlds().collect(),
            "passes" => case.passes = worlds().collect(),
            "why" => case.why = Some(value.to_owned()),
            "at" => case.at = Some(value.to_owned()),
            "server" => case.is_for_server = value != "no",
            _ => panic!("{}: `{key}` is no key", case.name),
        }
    }
    case.sql = rest.trim_end().to_owned();
    case
}
