//! A case: one text file that holds a comment, the files of a workspace, and what is expected of it.
//!
//! Each file stands behind a line `-- path --`. `expect.toml` is the expectation and is not written
//! into the workspace. The format, and the readings of every key, are those of the corpus's runner.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

/// A workspace with an expectation.
#[derive(Debug)]
pub(crate) struct Case {
    /// The file's name, without `.case`.
    pub(crate) name: String,
    /// The comment at its head: what the case is about.
    pub(crate) head: String,
    /// The workspace's files.
    pub(crate) files: BTreeMap<String, String>,
    /// What is expected.
    pub(crate) expect: Expect,
}

/// What is expected of the binary.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    /// `clean`, `offends` or `cannot-check`.
    pub(crate) verdict: Verdict,
    /// Findings that must be reported.
    #[serde(default, rename = "finding")]
    pub(crate) findings: Vec<Wanted>,
    /// Whether further findings are accepted.
    #[serde(default)]
    pub(crate) others: bool,
    /// What a refusal must say, as a regular expression, in any case of letters.
    pub(crate) says: Option<String>,
    /// Whether it is valid Rust; the corpus's runner asks cargo, this one does not.
    #[serde(default, rename = "compiles")]
    pub(crate) _compiles: Option<bool>,
}

/// The three answers.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Clean,
    Offends,
    CannotCheck,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Offends => "offends",
            Self::CannotCheck => "cannot-check",
        }
    }

    pub(crate) fn exit_code(self) -> i32 {
        match self {
            Self::Clean => 0,
            Self::Offends => 1,
            Self::CannotCheck => 2,
        }
    }
}

/// A finding that must be reported.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// Its lint, or several of which any will do.
    pub(crate) lint: OneOrMore,
    /// Its level; deny if not given.
    pub(crate) level: Option<String>,
    /// Its subject; `-` and `_` are the same.
    pub(crate) subject: Option<String>,
    /// `file:line` of its primary place or one of `also`, or several of which any will do.
    pub(crate) at: Option<OneOrMore>,
    /// `file:line` of places that must stand on its route.
    #[serde(default)]
    pub(crate) via: Vec<String>,
    /// Packages of its dependency chain, in order, others between them allowed.
    #[serde(default)]
    pub(crate) chain: Vec<String>,
}

/// A string or a list of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    pub(crate) fn holds(&self, wanted: &str) -> bool {
        match self {
            Self::One(one) => one == wanted,
            Self::More(more) => more.iter().any(|one| one == wanted),
        }
    }

    pub(crate) fn words(&self) -> Vec<&str> {
        match self {
            Self::One(one) => vec![one],
            Self::More(more) => more.iter().map(String::as_str).collect(),
        }
    }
}

impl Case {
    /// Reads a case from its text.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let (head, mut files) = split(text);
        let expect = files.remove("expect.toml").ok_or("it has no expect.toml")?;
        let expect = toml::from_str(&expect).map_err(|e| format!("expect.toml: {e}"))?;
        Ok(Self { name: name.to_owned(), head, files, expect })
    }

    /// All cases of a folder, sorted by name.
    pub(crate) fn folder(folder: &Path) -> Vec<Self> {
        let mut paths: Vec<_> = fs::read_dir(folder)
            .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "case"))
            .collect();
        paths.sort();
        let read = |path: &Path| {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
            Self::parse(name, &text).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
        };
        paths.iter().map(|path| read(path)).collect()
    }
}

/// The text before the first marker, and the files behind the markers.
pub(crate) fn split(text: &str) -> (String, BTreeMap<String, String>) {
    let (mut head, mut files, mut current) = (String::new(), BTreeMap::new(), None);
    for line in text.split_inclusive('\n') {
        let marker = line.trim().strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --"));
        match (marker, &current) {
            (Some(path), _) => {
                let path = path.trim().to_owned();
                files.insert(path.clone(), String::new());
                current = Some(path);
            }
            (None, Some(path)) => files.entry(path.clone()).or_default().push_str(line),
            (None, None) => head.push_str(line),
        }
    }
    (head.trim().to_owned(), files)
}

#[test]
fn a_case_falls_into_its_parts() {
    let text =
        "A word.\n-- Cargo.toml --\n[package]\n\n-- src/a b.rs --\n-- x\n-- expect.toml --\nverdict = \"clean\"\n";
    let case = Case::parse("x", text).unwrap();
    assert_eq!(case.head, "A word.");
    assert_eq!(case.files["Cargo.toml"], "[package]\n\n");
    assert_eq!(case.files["src/a b.rs"], "-- x\n");
    assert_eq!(case.files.len(), 2);
    assert!(Case::parse("x", "-- a --\n").is_err());
    assert!(Case::parse("x", "-- expect.toml --\nverdict = \"clean\"\nsay = \"typo\"\n").is_err());
}
