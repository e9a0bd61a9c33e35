//! `why`: whether an item, a file or a crate is on the path, the shortest way there, or what was seen
//! instead.

use super::{
    fixtures,
    gate::{Said, offline},
    workspace::Workspace,
};

fn ferry() -> Workspace {
    fixtures::workspace([
        (
            "Cargo.toml",
            "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\ntokio-postgres = \"0.7\"\nreqwest = \"0.12\"\n",
        ),
        (
            "lease-guard.toml",
            "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\ncoordinators = [\"tokio-postgres\"]\n\n[[lease]]\nname = \"mate\"\nmodules = [\"ferry::idle\"]\n",
        ),
        ("src/lib.rs", "pub mod watch;\npub mod berth;\npub mod idle;\n"),
        (
            "src/watch.rs",
            "use crate::berth::Berth;\n\npub async fn renew(db: &tokio_postgres::Client, berth: &Berth) -> bool {\n    berth.is_free().await && db.execute(\"UPDATE watch\", &[]).await.is_ok()\n}\n",
        ),
        (
            "src/berth.rs",
            "pub struct Berth;\n\nimpl Berth {\n    pub async fn is_free(&self) -> bool {\n        ask().await\n    }\n}\n\nasync fn ask() -> bool {\n    reqwest::get(\"http://pier\").await.is_ok()\n}\n\npub fn paint() {}\n",
        ),
        ("src/idle.rs", "pub fn rest() {}\n"),
    ])
}

fn why(workspace: &Workspace, what: &str) -> Said {
    offline(&workspace.path(), &["why", what])
}

#[test]
fn the_way_to_an_item_a_file_and_a_crate_is_told() {
    let workspace = ferry();
    let mut told = String::new();
    for what in [
        "ferry::watch::renew",
        "ferry::berth::ask",
        "ferry::berth::Berth::is_free",
        "src/berth.rs",
        "reqwest",
        "tokio-postgres",
    ] {
        let said = why(&workspace, what);
        assert_eq!(said.code, Some(0), "{what}: {said:?}");
        told += &format!("$ why {what}\n{}\n", said.stdout);
    }
    insta::assert_snapshot!("why_on_the_path", told);
}

#[test]
fn what_is_not_on_the_path_is_told_with_what_was_seen() {
    let workspace = ferry();
    let mut told = String::new();
    for what in ["ferry::berth::paint", "src/lib.rs", "serde", "paint", "Berth::is_free"] {
        let said = why(&workspace, what);
        told += &format!("$ why {what} ({})\n{}{}\n", said.code.unwrap(), said.stdout, said.stderr);
    }
    insta::assert_snapshot!("why_not_on_the_path", told);
}

#[test]
fn one_lease_can_be_asked_about() {
    let said = offline(&ferry().path(), &["why", "ferry::berth::ask", "--lease", "mate"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("is not on the path of lease `mate`"), "{}", said.stdout);
    assert!(!said.stdout.contains("captain"), "{}", said.stdout);
}

#[test]
fn a_name_that_nothing_has_is_refused_with_the_nearest() {
    let said = why(&ferry(), "ferry::berth::asks");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("ferry::berth::ask"), "{}", said.stderr);
}

#[test]
fn where_the_graph_cannot_be_had_the_source_still_answers() {
    let workspace = ferry();
    for arguments in [&["why", "--no-deps", "reqwest"][..], &["--no-deps", "why", "ferry::berth::ask"]] {
        let said = offline(&workspace.path(), arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {said:?}");
        assert!(said.stdout.contains("src/watch.rs:4"), "{arguments:?}: {said:?}");
    }
    let unnamed = offline(&workspace.path(), &["why", "--no-deps", "--lease", "mate", "reqwest"]);
    assert!(unnamed.stdout.contains("was not looked at (--no-deps)"), "{unnamed:?}");
    let map = offline(&workspace.path(), &["map", "--no-deps", "--format", "mermaid"]);
    assert_eq!(map.code, Some(0), "{map:?}");
    assert!(map.stdout.contains("berth"), "{map:?}");
    let tree = offline(&workspace.path(), &["tree", "--no-deps"]);
    assert_eq!(tree.code, Some(2), "{tree:?}");
    assert!(tree.stderr.contains("`--no-deps` leaves that out"), "{tree:?}");
}
