//! `init` from outside: what it finds, the file that it writes, and that the check accepts it.

use std::fs;

use serde_json::Value;

use super::{
    fixtures,
    gate::{Said, json, offline},
    real,
    workspace::Workspace,
};

const LEASE: &str = r#"//! The right to write orders.
use std::time::Duration;
use tokio_postgres::Client;

pub struct Lease {
    pub holder: String,
    pub epoch: i64,
    pub ttl: Duration,
}

impl Lease {
    pub async fn acquire(db: &Client, holder: &str) -> bool {
        crate::audit::note(holder);
        db.execute("insert into leases on conflict do nothing", &[]).await.is_ok()
    }

    pub async fn renew(&self, db: &Client) -> bool {
        db.execute("update leases set expires_at = now() + $1 where epoch = $2", &[&self.epoch]).await.is_ok()
    }

    pub async fn with<F: FnOnce() -> bool>(&self, work: F) -> bool {
        work()
    }
}
"#;
const QUEUE: &str = r#"pub async fn claim(db: &tokio_postgres::Client, worker_id: i64) -> bool {
    let sql = "update jobs set locked_by = $1, locked_until = now() + interval '9 s' where id = (
        select id from jobs where locked_until < now() limit 1 for update skip locked)";
    db.execute(sql, &[&worker_id]).await.is_ok()
}
"#;
const LOCK: &str = "use std::sync::Mutex;\n\npub static DOOR: Mutex<u32> = Mutex::new(0);\n\npub fn acquire() {}\n";

fn orders() -> Workspace {
    let manifest = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n{more}")
    };
    fixtures::workspace([
        ("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"jobs\", \"orders\", \"web\"]\n".to_owned()),
        ("orders/Cargo.toml", manifest("orders", "tokio-postgres = \"0.7\"\netcd-client = \"0.15\"\n")),
        ("orders/src/lib.rs", "mod audit;\npub mod lease;\n#[cfg(test)]\nmod test_lease;\n".to_owned()),
        ("orders/src/audit.rs", "pub fn note(_: &str) {\n    let _ = etcd_client::Client;\n}\n".to_owned()),
        ("orders/src/lease.rs", LEASE.to_owned()),
        ("orders/src/test_lease.rs", LEASE.to_owned()),
        ("jobs/Cargo.toml", manifest("jobs", "tokio-postgres = \"0.7\"\n")),
        ("jobs/src/main.rs", format!("mod queue {{\n{QUEUE}}}\nfn main() {{}}\n")),
        ("web/Cargo.toml", manifest("web", "reqwest = \"0.12\"\n")),
        ("web/src/lib.rs", "pub mod lock;\npub mod leaderboard;\n".to_owned()),
        ("web/src/lock.rs", LOCK.to_owned()),
        ("web/src/leaderboard.rs", "pub struct Leaderboard;\n".to_owned()),
    ])
}

fn init(workspace: &Workspace, arguments: &[&str]) -> Said {
    offline(&workspace.path(), &[&["init"], arguments].concat())
}

fn written(workspace: &Workspace) -> Option<String> {
    fs::read_to_string(workspace.path().join("lease-guard.toml")).ok()
}

/// What a list of the first lease holds, in the order of the file.
fn list(rules: &str, lease: usize, key: &str) -> Vec<String> {
    let rules: toml::Table = rules.parse().unwrap();
    let values = rules["lease"].as_array().unwrap()[lease].get(key).and_then(toml::Value::as_array);
    values.into_iter().flatten().map(|value| value.as_str().unwrap().to_owned()).collect()
}

/// What the check says, where it can check.
fn report(workspace: &Workspace) -> Value {
    let said = json(&workspace.path());
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    serde_json::from_str(&said.stdout).unwrap()
}

fn subjects(report: &Value) -> Vec<&str> {
    report["findings"].as_array().unwrap().iter().map(|finding| finding["subject"].as_str().unwrap()).collect()
}

/// The rules as they stand with every example in them taken at its word.
fn taken_at_its_word(rules: &str) -> String {
    let lines = rules.lines().map(|line| line.strip_prefix('#').filter(|l| !l.starts_with(' ')).unwrap_or(line));
    lines.map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn it_writes_what_the_check_accepts() {
    let workspace = orders();
    let said = init(&workspace, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let rules = written(&workspace).expect("it is written");
    insta::assert_snapshot!("init_screen", said.stdout);
    insta::assert_snapshot!("init_file", rules);

    // The one thing that it finds is what the file leaves to its reader.
    let report = report(&workspace);
    assert_eq!(report["leases"].as_array().unwrap().len(), 2, "{report:#}");
    assert_eq!(subjects(&report), ["hyper"], "{report:#}");
    let mended = rules.replace("\"tokio-postgres\",\n]\n# Named", "\"tokio-postgres\", \"etcd-client\"\n]\n# Named");
    assert_ne!(mended, rules);
    let workspace = workspace.file("lease-guard.toml", mended);
    assert!(subjects(&self::report(&workspace)).is_empty());
    let canary = offline(&workspace.path(), &["canary"]);
    assert_eq!(canary.code, Some(0), "{canary:?}");
    assert!(!workspace.path().join("target").exists(), "nothing is built");
}

#[test]
fn its_examples_hold_too() {
    let workspace = orders();
    let rules = init(&workspace, &["--stdout"]).stdout;
    // What the examples name must be there; the rest of them is true for every workspace.
    let rules =
        taken_at_its_word(&rules).replace("\"../shared\"", "\"web\"").replace("\"worker_leases\"", "\"leases\"");
    assert!(rules.contains("\nworkloads = [\"orders::lease::Lease::with::work\"]\n"), "{rules}");
    report(&workspace.file("lease-guard.toml", rules));
}

#[test]
fn the_same_workspace_gives_the_same_file() {
    let workspace = orders();
    let first = init(&workspace, &["--stdout"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(written(&workspace).is_none(), "--stdout writes nothing");
    assert_eq!(init(&workspace, &["--stdout"]).stdout, first.stdout);
    let said = init(&workspace, &[]);
    assert_eq!((said.code, written(&workspace)), (Some(0), Some(first.stdout)));
}

#[test]
fn no_rules_are_overwritten_wherever_they_stand() {
    let rules = "[[lease]]\nname = \"w\"\nmodules = [\"orders::lease\"]\n";
    let table = "[workspace]\nresolver = \"2\"\nmembers = [\"jobs\", \"orders\", \"web\"]\n\
                 [[workspace.metadata.lease-guard.lease]]\nname = \"w\"\nmodules = [\"orders::lease\"]\n";
    for (path, text) in [
        ("lease-guard.toml", rules),
        (".config/lease-guard.toml", rules),
        ("orders/lease-guard.toml", rules),
        ("lease_guard.toml", rules),
        ("Cargo.toml", table),
    ] {
        let workspace = orders().file(path, text);
        let said = init(&workspace, &[]);
        assert_eq!(said.code, Some(2), "{path}: {said:?}");
        assert!(said.stderr.contains(path) && said.stderr.contains("init --stdout"), "{path}: {said:?}");
        assert_eq!(fs::read_to_string(workspace.path().join(path)).unwrap(), text, "{path}");
        assert_eq!(written(&workspace).is_some(), path == "lease-guard.toml", "{path}");
        assert_eq!(init(&workspace, &["--stdout"]).code, Some(0), "{path}: a look is free");
    }
}

#[test]
fn where_there_is_no_lease_nothing_is_written() {
    let web = "[package]\nname = \"web-shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let workspace = Workspace::with([("Cargo.toml", web), ("src/lib.rs", "pub mod lock;\n"), ("src/lock.rs", LOCK)]);
    let said = init(&workspace, &[]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(written(&workspace).is_none());
    insta::assert_snapshot!("init_template", format!("{}\n--- standard error ---\n{}", said.stdout, said.stderr));
    // The template asks for a hand, and says so when it is taken as it is.
    let workspace = workspace.file("lease-guard.toml", &said.stdout);
    let refused = json(&workspace.path());
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let mended = said.stdout.replace("web_shop::lease", "web_shop::lock");
    let workspace = workspace.file("lease-guard.toml", mended);
    assert_eq!(json(&workspace.path()).code, Some(0));
}

#[test]
fn what_does_not_parse_is_told_and_not_taken() {
    let workspace = orders().file("orders/src/lease.rs", format!("{LEASE}\nfn broken( {{\n"));
    let said = init(&workspace, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let rules = written(&workspace).unwrap();
    assert_eq!(list(&rules, 0, "modules"), ["jobs::queue"]);
    assert!(rules.contains("orders::lease in orders/src/lease.rs: it was not taken:"), "{rules}");
    assert_eq!(json(&workspace.path()).code, Some(0));
}

#[test]
fn a_name_alone_is_taken_where_nothing_else_is() {
    let manifest = "[package]\nname = \"pier\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let workspace = Workspace::with([
        ("Cargo.toml", manifest),
        ("src/lib.rs", "pub mod leader;\n"),
        ("src/leader.rs", "pub fn renew(db: &str) -> bool {\n    !db.is_empty()\n}\n"),
    ]);
    let said = init(&workspace, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(list(&written(&workspace).unwrap(), 0, "modules"), ["pier::leader"]);
    assert_eq!(json(&workspace.path()).code, Some(0));
}

#[cfg(unix)]
#[test]
fn names_from_the_workspace_drive_neither_the_terminal_nor_the_file() {
    let manifest = "[package]\nname = \"pier\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let file = "src/a\u{1b}[2J\n[forbid]\u{202e}.rs";
    let root = "#[path = \"a\\u{1b}[2J\\n[forbid]\\u{202e}.rs\"]\npub mod lease;\n";
    let workspace = Workspace::with([("Cargo.toml", manifest), ("src/lib.rs", root), (file, LEASE)]);
    let said = init(&workspace, &["--color", "never"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let rules = written(&workspace).unwrap();
    for text in [&said.stdout, &rules] {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{text:?}");
    }
    assert!(!rules.contains("\n[forbid]"), "{rules}");
}

#[test]
fn published_crates_get_rules_that_the_check_accepts() {
    if std::env::var_os("LEASE_GUARD_OFFLINE").is_some() {
        println!("LEASE_GUARD_OFFLINE is set: no published crate was looked at");
        return;
    }
    let wanted = [
        ("kube-leader-election", "0.44.0", &["kube_leader_election::lease"][..], "kube"),
        ("underway", "0.2.0", &["underway::queue", "underway::scheduler"], "sqlx"),
        ("rslock", "0.10.0", &["rslock::lock"], "redis"),
        ("kubert", "0.25.0", &["kubert::lease"], "kube-client"),
    ];
    let packages = wanted.iter().map(|(name, version, ..)| ((*name).to_owned(), (*version).to_owned()));
    let homes = real::fetched(&packages.collect());
    for (name, _, modules, coordinator) in wanted {
        let workspace = Workspace::empty();
        real::copy(&homes[name], &workspace.path());
        for file in ["rust-toolchain", "rust-toolchain.toml"] {
            let _ = fs::remove_file(workspace.path().join(file));
        }
        let said = init(&workspace, &[]);
        assert_eq!(said.code, Some(0), "{name}: {said:?}");
        let rules = written(&workspace).unwrap();
        let found = list(&rules, 0, "modules");
        assert!(modules.iter().all(|module| found.iter().any(|found| found == module)), "{name}: {found:?}");
        assert!(list(&rules, 0, "coordinators").iter().any(|found| found == coordinator), "{name}: {rules}");
        real::cargo(&workspace.path(), &["fetch", "--locked"]);
        let checked = json(&workspace.path());
        assert_eq!(checked.code, Some(0), "{name}: {checked:?}");
    }
}
