//! `tree` from outside: the packages that a lease links, with the marks of the check.

use super::{
    fixtures,
    gate::{Said, offline},
    workspace::Workspace,
};

const FERRY: &str = r#"[package]
name = "ferry"
version = "0.1.0"
edition = "2021"

[dependencies]
tokio-postgres = "0.7"
harbour-gauge = "0.3"
axum = "0.8"
quay = { path = "../quay" }

[features]
telegraph = ["quay/telegraph"]
"#;
const QUAY: &str = r#"[package]
name = "quay"
version = "0.2.0"
edition = "2021"

[dependencies]
etcd-client = "0.15"
harbour-sense = "0.1"
reqwest = { version = "0.12", optional = true }

[features]
telegraph = ["dep:reqwest"]
"#;
const BRIDGE: &str = r#"[package]
name = "bridge"
version = "0.3.0"
edition = "2021"

[dependencies]
ferry = { path = "../ferry", features = ["telegraph"] }
"#;
const RULES: &str = r#"
[[lease]]
name = "captain"
modules = ["ferry::watch"]
coordinators = ["tokio-postgres", "etcd-client", "ferry::port"]

[[lease]]
name = "warden"
packages = ["quay"]
"#;
const WATCH: &str = "pub async fn renew(db: &tokio_postgres::Client, gauge: harbour_gauge::Gauge) -> bool {\n    \
                     quay::moor(gauge).await && db.execute(\"UPDATE watch\", &[]).await.is_ok()\n}\n";

fn harbour() -> Workspace {
    fixtures::workspace([
        ("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"bridge\", \"ferry\", \"quay\"]\n"),
        ("lease-guard.toml", RULES),
        ("ferry/Cargo.toml", FERRY),
        ("ferry/src/lib.rs", "pub mod port;\npub mod watch;\n"),
        ("ferry/src/port.rs", "pub fn open() {}\n"),
        ("ferry/src/watch.rs", WATCH),
        ("quay/Cargo.toml", QUAY),
        (
            "quay/src/lib.rs",
            "pub async fn moor(_: harbour_gauge::Gauge) -> bool {\n    etcd_client::Client.lease_keep_alive(1).await\n}\n",
        ),
        ("bridge/Cargo.toml", BRIDGE),
        ("bridge/src/lib.rs", ""),
    ])
}

fn tree(workspace: &Workspace, arguments: &[&str]) -> Said {
    let said = offline(&workspace.path(), &[&["tree"], arguments].concat());
    assert_eq!(said.code, Some(0), "{arguments:?}: {said:?}");
    said
}

#[test]
fn what_each_lease_links_is_drawn_with_its_marks() {
    let workspace = harbour();
    let said = tree(&workspace, &[]);
    insta::assert_snapshot!("tree_of_a_workspace", said.stdout);
    assert_eq!(tree(&workspace, &[]).stdout, said.stdout, "the same workspace has the same tree");
}

#[test]
fn one_lease_is_drawn_alone() {
    let workspace = harbour();
    let said = tree(&workspace, &["--lease", "warden"]).stdout;
    assert!(said.starts_with("lease warden  declares no coordinator\n"), "{said}");
    assert!(!said.contains("captain") && !said.contains("companion"), "{said}");
}

#[test]
fn builds_that_differ_are_drawn_apart() {
    let said = tree(&harbour(), &["--lease", "warden", "--no-default-features"]).stdout;
    insta::assert_snapshot!("tree_of_two_builds", said);
}

#[test]
fn what_cannot_be_drawn_is_2() {
    let workspace = harbour();
    let refused = |workspace: &Workspace, arguments: &[&str], word: &str| {
        let said = offline(&workspace.path(), arguments);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(word) && said.stdout.is_empty(), "{said:?}");
    };
    refused(&workspace, &["tree", "--lease", "wardn"], "did you mean `--lease warden`?");
    let workspace = workspace.file("lease-guard.toml", RULES.replace("ferry::watch", "ferry::wach"));
    refused(&workspace, &["tree"], "ferry::watch");
    std::fs::remove_file(workspace.path().join("lease-guard.toml")).unwrap();
    refused(&workspace, &["tree"], "cargo lease-guard init");
}
