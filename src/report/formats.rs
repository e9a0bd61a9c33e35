//! The table of formats, and what a renderer may be told beside the report.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use camino::Utf8PathBuf;

use crate::{
    base::Files,
    finding::{Level, Report},
};

/// One way to print a report.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What `--format` calls it.
    pub name: &'static str,
    /// For whom it is, in one line without a full stop, for `--help`.
    pub about: &'static str,
    /// Prints the whole report.
    pub render: Render,
}

/// A renderer. It fails only where the writer does.
pub type Render = fn(&Report, &Files, &Options<'_>, &mut dyn Write) -> io::Result<()>;

/// All formats, in the order in which `--help` lists them.
pub static FORMATS: &[Format] = &[
    super::human::FORMAT,
    super::short::FORMAT,
    super::json::FORMAT,
    super::sarif::FORMAT,
    super::github::FORMAT,
    super::markdown::FORMAT,
    super::cargo_json::FORMAT,
    super::gitlab::FORMAT,
    super::junit::FORMAT,
];

/// The format that has this name.
pub fn format_named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// What a renderer may be told beside the report.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Whether `human` writes terminal colours.
    pub colour: bool,
    /// Whether `human` makes places links, for a terminal that follows them (OSC 8).
    pub links: bool,
    /// How many columns `human` may use for the source that it quotes; held between 80 and 200.
    pub width: usize,
    /// Whether `human` shows every hop and every place.
    pub verbose: bool,
    /// Whether the formats that people read (`human`, `short`, `github`) leave out everything but the
    /// findings.
    pub quiet: bool,
    /// Where the workspace stands in its repository, with `/`; empty where they have the same root.
    /// The formats that a code host reads (`github`, `markdown`, `sarif`, `gitlab`, `junit`) write
    /// paths from the repository's root.
    pub prefix: &'a str,
    /// The lints and their documentation, in the order of their table (`sarif`).
    pub lints: &'a [LintDoc],
    /// The local packages, sorted by manifest (`cargo-json` says which of them a finding belongs to).
    pub packages: &'a [EditorPackage],
    /// Whether `cargo-json` writes absolute paths: who reads it starts elsewhere than at the workspace root.
    pub absolute: bool,
}

impl Default for Options<'_> {
    /// No colour, 140 columns, long routes shortened, no lint and no package known.
    fn default() -> Self {
        Self {
            colour: false,
            links: false,
            width: 140,
            verbose: false,
            quiet: false,
            prefix: "",
            lints: &[],
            packages: &[],
            absolute: false,
        }
    }
}

/// What a format may say about a lint.
#[derive(Clone, Debug)]
pub struct LintDoc {
    /// Its name.
    pub name: &'static str,
    /// Its level where the rules file says nothing.
    pub default_level: Level,
    /// What it reports, in one line.
    pub summary: Cow<'static, str>,
    /// The whole page, in Markdown.
    pub markdown: Cow<'static, str>,
}

/// A local package as cargo's messages name it.
#[derive(Clone, Debug)]
pub struct EditorPackage {
    /// Cargo's package id.
    pub id: String,
    /// The absolute path of its manifest.
    pub manifest: Utf8PathBuf,
    /// Its targets, the library first.
    pub targets: Vec<EditorTarget>,
}

/// A target as cargo's messages name it.
#[derive(Clone, Debug)]
pub struct EditorTarget {
    /// `lib`, `proc-macro` or `bin`.
    pub kind: &'static str,
    /// The crate's name.
    pub name: String,
    /// The crate root, absolute.
    pub root: Utf8PathBuf,
    /// 2015, 2018, 2021 or 2024.
    pub edition: u16,
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn every_file_with_a_format_is_in_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|ext| ext == "rs"))
            .filter(|path| std::fs::read_to_string(path).expect("text").contains("\npub(super) const FORMAT: Format"))
            .map(|path| path.file_stem().expect("a name").to_string_lossy().replace('_', "-"))
            .collect();
        let mut names: Vec<String> = FORMATS.iter().map(|format| format.name.to_owned()).collect();
        files.sort();
        names.sort();
        assert_eq!(files, names);
        assert!(format_named("human").is_some());
        assert!(format_named("no-such-format").is_none());
    }

    #[test]
    fn no_format_lets_a_failed_check_pass_for_a_clean_one() {
        let says = ["cannot check", "cannot-check", "\"executionSuccessful\": false"];
        for format in FORMATS {
            let text = sample::printed(format, &sample::broken());
            assert!(says.iter().any(|word| text.contains(word)), "{}: {text}", format.name);
            let clean = sample::printed(format, &sample::clean());
            assert!(!says.iter().any(|word| clean.contains(word)), "{}: {clean}", format.name);
        }
    }

    #[test]
    fn the_same_report_gives_the_same_bytes() {
        for format in FORMATS {
            for make in [sample::offending, sample::clean, sample::broken, sample::hostile] {
                assert_eq!(sample::printed(format, &make()), sample::printed(format, &make()), "{}", format.name);
                assert!(sample::printed(format, &make()).ends_with('\n'), "{}", format.name);
            }
        }
    }
}
