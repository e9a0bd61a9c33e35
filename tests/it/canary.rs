//! `canary`: that it sings where the rules guard what they say, and is silent where they do not.

use std::{collections::BTreeMap, fs, path::Path};

use super::{
    fixtures,
    gate::{Said, offline},
    workspace::Workspace,
};

const MANIFEST: &str = "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\ntokio-postgres = \"0.7\"\n";
const LEASE: &str = "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\n";
const WATCH: &str = "use crate::berth;\n\npub struct Watch {\n    pub epoch: i64,\n}\n\npub async fn renew(watch: &Watch, db: &tokio_postgres::Client) -> bool {\n    berth::is_free(watch.epoch) && db.execute(\"UPDATE watch\", &[]).await.is_ok()\n}\n";
const BERTH: &str = "pub fn is_free(epoch: i64) -> bool {\n    epoch > 0\n}\n";

fn ferry(rules: &str, watch: &str, more: &[(&str, &str)]) -> Workspace {
    let files = [
        ("Cargo.toml", MANIFEST),
        ("lease-guard.toml", &format!("{LEASE}{rules}")),
        ("src/lib.rs", "pub mod watch;\npub mod berth;\n"),
        ("src/watch.rs", watch),
        ("src/berth.rs", BERTH),
    ];
    let workspace = fixtures::workspace(files);
    more.iter().fold(workspace, |workspace, (path, text)| workspace.file(path, text))
}

fn canary(workspace: &Workspace) -> Said {
    offline(&workspace.path(), &["canary"])
}

fn texts(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files =
        walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    files.map(|file| (file.path().display().to_string(), fs::read(file.path()).unwrap())).collect()
}

#[test]
fn it_sings_where_the_rules_guard_what_they_say_and_changes_nothing() {
    let workspace = ferry("coordinators = [\"tokio-postgres\"]\n", WATCH, &[]);
    // The first run writes a lock.
    canary(&workspace);
    let before = texts(&workspace.path());
    let said = canary(&workspace);
    assert_eq!(said.code, Some(0), "{said:?}");
    insta::assert_snapshot!("canary_sings", said.stdout);
    assert!(before == texts(&workspace.path()), "a file was changed");
}

#[test]
fn a_workload_that_cuts_a_function_makes_it_fail() {
    let workspace = ferry("workloads = [\"ferry::berth::is_free\"]\n", WATCH, &[]);
    let said = canary(&workspace);
    assert_eq!(said.code, Some(1), "{said:?}");
    insta::assert_snapshot!("canary_workload", said.stdout);
}

#[test]
fn a_workload_that_cuts_a_closure_makes_it_fail_by_its_name() {
    let watch = "pub fn with_lease(work: impl FnOnce() -> bool) -> bool {\n    work()\n}\n\npub fn captain() -> bool {\n    with_lease(|| crate::berth::is_free(1))\n}\n";
    let workspace = ferry("workloads = [\"ferry::watch::with_lease::work\"]\n", watch, &[]);
    let said = canary(&workspace);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("not found: ferry::berth::is_free"), "{}", said.stdout);
    assert!(said.stdout.contains("the workload `ferry::watch::with_lease::work` cuts it off"), "{}", said.stdout);
}

#[test]
fn a_module_behind_an_opaque_include_makes_it_fail() {
    let watch = format!("{WATCH}\nmod tides {{\n    include!(concat!(env!(\"OUT_DIR\"), \"/tides.rs\"));\n}}\n");
    let workspace = ferry("", &watch, &[]);
    let said = canary(&workspace);
    assert_eq!(said.code, Some(1), "{said:?}");
    insta::assert_snapshot!("canary_opaque", said.stdout);
}

#[test]
fn no_packs_make_it_fail() {
    let workspace = ferry("[forbid]\npacks = []\nstrings = [\"weather.example\"]\n", WATCH, &[]);
    let said = canary(&workspace);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("0 of"), "nothing is found: {}", said.stdout);
    assert!(said.stdout.contains("the pack `model-clients` off"), "{}", said.stdout);
}

#[test]
fn a_coordinator_that_is_carved_out_does_not_make_it_fail() {
    let watch =
        format!("pub mod consul;\n{}", WATCH.replace("berth::is_free(watch.epoch)", "consul::put(watch.epoch)"));
    let watch = watch.replace("use crate::berth;\n\n", "");
    let consul = "pub fn put(epoch: i64) -> bool {\n    session(epoch)\n}\n\nfn session(epoch: i64) -> bool {\n    epoch > 0\n}\n";
    let workspace = ferry(
        "coordinators = [\"ferry::watch::consul\", \"tokio-postgres\"]\n",
        &watch,
        &[("src/watch/consul.rs", consul)],
    );
    let said = canary(&workspace);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("1 in functions that they call"), "the coordinator's own is tried: {}", said.stdout);
}

#[test]
fn a_lint_that_is_allowed_finds_nothing() {
    let workspace = ferry("[lints]\nforbidden-crate = \"allow\"\n", WATCH, &[]);
    let said = canary(&workspace);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("the rules set `forbidden-crate` to allow"), "{}", said.stdout);
}
