//! Tests of where rules are found, and of what is refused.

use camino::{Utf8Path, Utf8PathBuf};
use insta::assert_snapshot;

use super::{AtRoot, Settled, find_at_root};
use crate::{
    base::Files,
    config::{RulesAt, RulesTable},
    finding::Problem,
};

const RULES: &str = "[[lease]]\nname = \"a\"\nmodules = [\"a::b\"]\n";

/// A folder with files in it, that goes when the test ends.
struct Folder {
    _kept: tempfile::TempDir,
    root: Utf8PathBuf,
    files: Files,
}

impl Folder {
    fn with(entries: &[(&str, &str)]) -> Self {
        let kept = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(kept.path()).expect("UTF-8").join("ws");
        for (name, text) in entries {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            std::fs::write(path, text).expect("written");
        }
        Self { _kept: kept, files: Files::new(&root), root }
    }

    fn at_root(&self) -> Result<AtRoot, Vec<Problem>> {
        find_at_root(&self.files, &self.root, None)
    }

    fn settle(&self, chosen: Option<&str>, members: &[&str]) -> Result<Settled, Vec<Problem>> {
        let chosen = chosen.map(|name| self.root.join(name));
        let at_root = find_at_root(&self.files, &self.root, chosen.as_deref())?;
        let likely = at_root.likely();
        let members: Vec<Utf8PathBuf> = members.iter().map(|name| self.root.join(name)).collect();
        let settled = at_root.settle(&self.files, &members)?;
        assert!(likely.is_none_or(|likely| likely == settled.at), "what was begun on is what holds");
        Ok(settled)
    }

    /// Where the rules stand: the file as shown, and the table.
    fn found(&self, chosen: Option<&str>, members: &[&str]) -> (String, RulesTable) {
        match self.settle(chosen, members) {
            Ok(Settled { at: RulesAt { file, table }, .. }) => (self.files.get(file).path.clone(), table),
            Err(problems) => panic!("{}", self.listed(&problems)),
        }
    }

    fn said(&self, chosen: Option<&str>, members: &[&str]) -> String {
        self.listed(&self.settle(chosen, members).expect_err("a problem"))
    }

    fn listed(&self, problems: &[Problem]) -> String {
        let lines = problems.iter().map(|problem| {
            let place = problem.place.map_or_else(String::new, |span| {
                let file = self.files.get(span.file);
                let place = file.line_column(span.start);
                format!("{}:{}:{}: ", file.path, place.line, place.column)
            });
            format!("{place}{}\n    {}\n", problem.message, problem.help)
        });
        lines.collect()
    }
}

fn package(tail: &str) -> String {
    format!("[package]\nname = \"orders\"\n{tail}")
}

fn workspace(tail: &str) -> String {
    format!("[workspace]\nmembers = [\"orders\", \"api\"]\n{tail}")
}

fn metadata(owner: &str) -> String {
    RULES.replace("[[lease]]", &format!("[[{owner}.metadata.lease-guard.lease]]"))
}

#[test]
fn a_file_at_the_root() {
    let folder = Folder::with(&[("Cargo.toml", &package("")), ("lease-guard.toml", RULES)]);
    assert_eq!(folder.found(None, &[""]), ("lease-guard.toml".to_owned(), RulesTable::Whole));
}

#[test]
fn a_file_in_dot_config() {
    let folder = Folder::with(&[("Cargo.toml", &package("")), (".config/lease-guard.toml", RULES)]);
    assert_eq!(folder.found(None, &[""]), (".config/lease-guard.toml".to_owned(), RulesTable::Whole));
}

#[test]
fn a_table_of_the_workspace() {
    let folder = Folder::with(&[("Cargo.toml", &workspace(&metadata("workspace")))]);
    assert_eq!(folder.found(None, &["orders", "api"]), ("Cargo.toml".to_owned(), RulesTable::Workspace));
}

#[test]
fn a_table_of_the_only_package() {
    let folder = Folder::with(&[("Cargo.toml", &package(&metadata("package")))]);
    assert_eq!(folder.found(None, &[""]), ("Cargo.toml".to_owned(), RulesTable::Package));
}

#[test]
fn a_table_of_the_only_package_that_lies_deeper() {
    let folder = Folder::with(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"orders\"]\n"),
        ("orders/Cargo.toml", &package(&metadata("package"))),
    ]);
    assert_eq!(folder.found(None, &["orders"]), ("orders/Cargo.toml".to_owned(), RulesTable::Package));
}

#[test]
fn a_key_written_with_escapes() {
    let manifest =
        package("[package.metadata.\"lease\\u002Dguard\"]\nlease = [{ name = \"a\", packages = [\"b\"] }]\n");
    let folder = Folder::with(&[("Cargo.toml", &manifest), ("lease-guard.toml", RULES)]);
    assert_snapshot!(folder.said(None, &[""]), @r#"
    Cargo.toml:3:1: rules stand in 2 places: `lease-guard.toml` and `[package.metadata.lease-guard]` in `Cargo.toml`
        keep one, and move into it what the others add; none wins in silence
    "#);
}

#[test]
fn none() {
    let folder = Folder::with(&[("Cargo.toml", &package("[package.metadata.docs]\nall-features = true\n"))]);
    assert_snapshot!(folder.said(None, &[""]), @r#"
    there is no rules file, so nothing was checked: no `lease-guard.toml` at the workspace root or in its `.config`, and no table `metadata.lease-guard` in `Cargo.toml`
        run `cargo lease-guard init`, which finds lease modules and writes a `lease-guard.toml`; or name a file with `--rules`
    "#);
}

#[test]
fn none_but_nearly() {
    let underscored = package("[package.metadata.lease_guard]\n");
    let near = [
        Folder::with(&[("Cargo.toml", &package("")), ("lease_guard.toml", RULES)]),
        Folder::with(&[("Cargo.toml", &underscored)]),
    ];
    assert_snapshot!(near.map(|folder| folder.said(None, &[""])).concat(), @r#"
    there is no rules file, so nothing was checked: no `lease-guard.toml` at the workspace root or in its `.config`, and no table `metadata.lease-guard` in `Cargo.toml`
        `lease_guard.toml` is there: rename it to `lease-guard.toml`
    there is no rules file, so nothing was checked: no `lease-guard.toml` at the workspace root or in its `.config`, and no table `metadata.lease-guard` in `Cargo.toml`
        `[package.metadata.lease_guard]` is there: rename it to `[package.metadata.lease-guard]`
    "#);
}

#[test]
fn two_files_at_the_root() {
    let folder =
        Folder::with(&[("Cargo.toml", &package("")), ("lease-guard.toml", RULES), (".config/lease-guard.toml", RULES)]);
    assert_snapshot!(folder.listed(&folder.at_root().expect_err("two")), @r#"
    rules stand in 2 places: `lease-guard.toml` and `.config/lease-guard.toml`
        keep one, and move into it what the others add; none wins in silence
    "#);
}

#[test]
fn a_file_and_both_tables() {
    let manifest = package(&format!("{}{}", metadata("package"), metadata("workspace")));
    let folder = Folder::with(&[("Cargo.toml", &manifest), ("lease-guard.toml", RULES)]);
    assert_snapshot!(folder.listed(&folder.at_root().expect_err("three")), @r#"
    Cargo.toml:3:20: rules stand in 3 places: `lease-guard.toml`, `[workspace.metadata.lease-guard]` in `Cargo.toml` and `[package.metadata.lease-guard]` in `Cargo.toml`
        keep one, and move into it what the others add; none wins in silence
    "#);
}

#[test]
fn a_second_file_in_a_member() {
    let folder = Folder::with(&[
        ("Cargo.toml", &workspace("")),
        ("lease-guard.toml", RULES),
        ("orders/lease-guard.toml", RULES),
        ("api/Cargo.toml", &package("")),
    ]);
    assert_snapshot!(folder.said(None, &["api", "orders"]), @r#"
    rules stand in 2 places: `lease-guard.toml` and `orders/lease-guard.toml`
        keep one, and move into it what the others add; none wins in silence
    "#);
}

#[test]
fn a_second_table_in_a_member() {
    let folder = Folder::with(&[
        ("Cargo.toml", &workspace("")),
        ("lease-guard.toml", RULES),
        ("orders/Cargo.toml", &package(&metadata("package"))),
    ]);
    assert_snapshot!(folder.said(None, &["api", "orders"]), @r#"
    orders/Cargo.toml:3:20: rules stand in 2 places: `lease-guard.toml` and `[package.metadata.lease-guard]` in `orders/Cargo.toml`
        keep one, and move into it what the others add; none wins in silence
    "#);
}

#[test]
fn rules_in_a_member_alone() {
    let file = Folder::with(&[("Cargo.toml", &workspace("")), ("orders/.config/lease-guard.toml", RULES)]);
    let table = Folder::with(&[("Cargo.toml", &workspace("")), ("orders/Cargo.toml", &package(&metadata("package")))]);
    let said = [file, table].map(|folder| folder.said(None, &["orders", "api"]));
    assert_snapshot!(said.concat(), @r#"
    `orders/.config/lease-guard.toml` stands in a member, where rules are not read
        move it to `lease-guard.toml` at the workspace root
    orders/Cargo.toml:3:20: `[package.metadata.lease-guard]` in `orders/Cargo.toml` stands in a member, where rules are not read
        move it to `lease-guard.toml` at the workspace root
    "#);
}

#[test]
fn a_file_beside_the_only_package_that_lies_deeper() {
    let folder = Folder::with(&[("Cargo.toml", "[workspace]\n"), ("orders/lease-guard.toml", RULES)]);
    assert_snapshot!(folder.said(None, &["orders"]), @r#"
    `orders/lease-guard.toml` stands in a member, where rules are not read
        move it to `lease-guard.toml` at the workspace root
    "#);
}

#[test]
fn a_table_of_one_package_of_several() {
    let folder = Folder::with(&[("Cargo.toml", &package(&format!("[workspace]\n{}", metadata("package"))))]);
    assert_snapshot!(folder.said(None, &["", "api"]), @r#"
    Cargo.toml:4:20: `[package.metadata.lease-guard]` speaks for one package, and the workspace has 2
        call it `[workspace.metadata.lease-guard]`, in the Cargo.toml of the workspace root
    "#);
}

#[test]
fn the_root_counts_once_however_it_is_spelt() {
    let folder = Folder::with(&[("Cargo.toml", &package("")), ("lease-guard.toml", RULES), ("sub/x", "")]);
    assert_eq!(folder.found(None, &["sub/.."]).0, "lease-guard.toml");
}

#[test]
fn a_choice_is_taken_and_the_rest_is_told() {
    let folder = Folder::with(&[
        ("Cargo.toml", &workspace(&metadata("workspace"))),
        ("lease-guard.toml", RULES),
        ("orders/lease-guard.toml", RULES),
        ("strict.toml", RULES),
    ]);
    assert_eq!(folder.found(Some("strict.toml"), &["orders"]), ("strict.toml".to_owned(), RulesTable::Whole));
    assert_eq!(folder.found(Some("Cargo.toml"), &["orders"]), ("Cargo.toml".to_owned(), RulesTable::Workspace));
    let notes = folder.settle(Some("strict.toml"), &["orders"]).expect("chosen").notes;
    assert_snapshot!(notes.join("\n"), @r#"
    `lease-guard.toml` is set aside: `--rules` names `strict.toml`
    `[workspace.metadata.lease-guard]` in `Cargo.toml` is set aside: `--rules` names `strict.toml`
    `orders/lease-guard.toml` is set aside: `--rules` names `strict.toml`
    "#);
    let notes = folder.settle(Some("lease-guard.toml"), &["orders"]).expect("chosen").notes;
    assert_eq!(notes.len(), 2, "{notes:?}");
}

#[test]
fn a_choice_that_is_none() {
    let folder = Folder::with(&[("Cargo.toml", &package("")), ("lease-guard.toml", RULES), ("orders/x", "")]);
    let said = ["strict.toml", "orders", "Cargo.toml"].map(|name| folder.said(Some(name), &[""]));
    assert_snapshot!(said.concat(), @r#"
    `strict.toml` cannot be read: it does not exist
        look at the path that `--rules` names
    `orders` cannot be read: it is a folder
        look at the path that `--rules` names
    `Cargo.toml` has neither `[workspace.metadata.lease-guard]` nor `[package.metadata.lease-guard]`
        add one of them, or name another file with `--rules`
    "#);
}

#[test]
fn a_manifest_that_mentions_us_and_does_not_parse() {
    let folder = Folder::with(&[("Cargo.toml", &package("[package.metadata.lease-guard\n"))]);
    assert_snapshot!(folder.said(None, &[""]), @r#"
    Cargo.toml:3:30: `Cargo.toml` mentions lease-guard, but is not valid TOML: unclosed table, expected `]`
        mend the TOML first
    "#);
}

#[test]
fn a_manifest_that_does_not_parse_is_left_to_cargo() {
    let folder = Folder::with(&[("Cargo.toml", "[package\n"), ("lease-guard.toml", RULES)]);
    assert_eq!(folder.found(None, &[""]).0, "lease-guard.toml");
}

#[test]
fn what_is_no_text_file() {
    let folder = Folder::with(&[("Cargo.toml", &package("")), ("lease-guard.toml/x", ""), (".config", "")]);
    let other = Folder::with(&[("Cargo.toml", &package(""))]);
    std::fs::write(other.root.join("lease-guard.toml"), b"a = \"\xff\"\n").expect("written");
    assert_snapshot!(format!("{}{}", folder.said(None, &[""]), other.said(None, &[""])), @r#"
    `lease-guard.toml` is no file
        put a file in its place, or remove it
    `lease-guard.toml` cannot be read: it is not UTF-8
        mend it, or name another file with `--rules`
    "#);
}

#[cfg(unix)]
#[test]
fn links() {
    let folder =
        Folder::with(&[("ws/Cargo.toml", &package("")), ("stranger.toml", RULES), ("ws/rules/own.toml", RULES)]);
    let linked = |to: &str| {
        let root = folder.root.join("ws");
        let _ = std::fs::remove_file(root.join("lease-guard.toml"));
        std::os::unix::fs::symlink(to, root.join("lease-guard.toml")).expect("linked");
        Folder { _kept: tempfile::tempdir().expect("a folder"), files: Files::new(&root), root }
    };
    assert_eq!(linked("rules/own.toml").found(None, &[""]).0, "lease-guard.toml");
    assert_eq!(linked("../stranger.toml").found(Some("lease-guard.toml"), &[""]).0, "lease-guard.toml");
    let said = ["../stranger.toml", "nowhere.toml", "/dev/zero"].map(|to| linked(to).said(None, &[""]));
    assert_snapshot!(said.concat(), @r#"
    `lease-guard.toml` is a link to a file outside the workspace, which is not read
        copy the file into the workspace, or name it with `--rules`
    `lease-guard.toml` is a link that leads nowhere
        put a file in its place, or remove it
    `lease-guard.toml` is no file
        put a file in its place, or remove it
    "#);
}
