//! Three workspaces in which the word reqwest stands, and the right answer for each.
//!
//! A text search gives the same answer to all three. The first hides the package behind another name;
//! the second has a module of its own that is called so; in the third only comments and strings speak
//! of it. What a person sees is kept as a snapshot (`cargo insta review` after a change).

use super::{
    fixtures,
    gate::{Said, json, offline},
    workspace::Workspace,
};

const RULES: &str =
    "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\ncoordinators = [\"tokio-postgres\"]\n";

fn ferry(dependencies: &str, watch: &str) -> Workspace {
    let manifest = format!(
        "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\ntokio-postgres = \"0.7\"\n{dependencies}"
    );
    fixtures::workspace([
        ("Cargo.toml", manifest.as_str()),
        ("lease-guard.toml", RULES),
        ("src/lib.rs", "pub mod watch;\n"),
        ("src/watch.rs", watch),
    ])
}

fn under_another_name() -> Workspace {
    ferry(
        "courier = { package = \"reqwest\", version = \"0.12\" }\n",
        "use courier::Client as Post;\n\npub async fn renew(db: &tokio_postgres::Client, epoch: i64) -> bool {\n    Post::new().get(\"http://pier\").send().await.is_ok()\n        && db.execute(\"UPDATE watch SET until = now() WHERE epoch = $1\", &[&epoch]).await.is_ok()\n}\n",
    )
}

fn a_module_of_that_name() -> Workspace {
    ferry(
        "",
        "mod reqwest {\n    pub struct Client;\n\n    impl Client {\n        pub fn get(&self, _berth: &str) -> bool {\n            true\n        }\n    }\n}\n\npub async fn renew(db: &tokio_postgres::Client, epoch: i64) -> bool {\n    reqwest::Client.get(\"berth\") && db.execute(\"UPDATE watch\", &[&epoch]).await.is_ok()\n}\n",
    )
}

fn only_spoken_of() -> Workspace {
    ferry(
        "reqwest = \"0.12\"\n",
        "//! Does not use reqwest.\n\n/// Was `reqwest::get(\"http://pier\")` once.\npub async fn renew(db: &tokio_postgres::Client, epoch: i64) -> bool {\n    // use reqwest::Client;\n    let why = \"reqwest is not for the watch\";\n    db.execute(why, &[&epoch]).await.is_ok()\n}\n",
    )
}

fn screen(workspace: &Workspace) -> Said {
    // The first run writes a lock, and says so.
    json(&workspace.path());
    offline(&workspace.path(), &["--color", "never"])
}

#[test]
fn the_package_under_another_name_offends() {
    let said = json(&under_another_name().path());
    assert_eq!(said.code, Some(1), "{said:?}");
    let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{report:#}");
    assert_eq!(findings[0]["lint"], "forbidden-crate");
    assert_eq!(findings[0]["subject"], "reqwest", "the subject is the package, not the name it goes by here");

    let said = screen(&under_another_name());
    assert_eq!(said.code, Some(1));
    insta::assert_snapshot!("under_another_name", said.stdout);
}

#[test]
fn a_module_of_that_name_is_clean() {
    let said = screen(&a_module_of_that_name());
    assert_eq!(said.code, Some(0), "{said:?}");
    insta::assert_snapshot!("a_module_of_that_name", said.stdout);
}

#[test]
fn the_word_in_comments_and_strings_is_clean() {
    let said = screen(&only_spoken_of());
    assert_eq!(said.code, Some(0), "{said:?}");
    insta::assert_snapshot!("only_spoken_of", said.stdout);
}

#[test]
fn the_same_workspace_gives_the_same_bytes() {
    let workspace = under_another_name();
    screen(&workspace);
    for format in ["human", "short", "json"] {
        let run = || offline(&workspace.path(), &["--format", format]).stdout;
        let first = run();
        assert!(!first.is_empty());
        assert!((0..4).all(|_| run() == first), "{format} differs from run to run");
    }
}

/// What a screen shows of a line: escapes take no room.
fn shown(line: &str) -> String {
    let link = fancy_regex::Regex::new("\u{1b}\\]8;;[^\u{1b}]*\u{1b}\\\\").unwrap();
    let colour = fancy_regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    colour.replace_all(&link.replace_all(line, ""), "").into_owned()
}

#[test]
fn source_keeps_within_the_columns_of_the_terminal_and_places_are_links_where_it_follows_them() {
    let long = format!(
        "pub mod lease {{\n    pub async fn renew() -> bool {{ reqwest::get(\"http://{}\").await.is_ok() }}\n}}\n",
        "x".repeat(300)
    );
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"w\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nreqwest = \"0.12\"\n",
        ),
        ("lease-guard.toml", "[[lease]]\nname = \"l\"\nmodules = [\"w::lease\"]\n"),
        ("src/lib.rs", &long),
    ];
    let workspace = fixtures::workspace(files);
    let said = |columns: &str, flags: &[&str]| {
        let mut command = super::gate::gate(&workspace.path());
        command.args(flags).arg("--offline").env("COLUMNS", columns).env("FORCE_HYPERLINK", "1");
        super::gate::run(&mut command)
    };
    for columns in ["80", "200"] {
        let said = said(columns, &["--color", "always"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let quoted: Vec<String> =
            said.stdout.lines().map(shown).filter(|line| line.contains("reqwest::get(\"")).collect();
        assert_eq!(quoted.len(), 1, "{said:?}");
        assert!(quoted[0].chars().count() <= columns.parse().unwrap(), "{quoted:?}");
        let link = format!("\u{1b}]8;;file://{}/src/lib.rs\u{1b}\\src/lib.rs:2:36", workspace.path().display());
        assert!(said.stdout.contains(&link), "{:?}", said.stdout);
    }
    let plain = said("80", &["--color", "never"]).stdout;
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
}
