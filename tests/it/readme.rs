//! The README, held to its word: its commands run, its rules are accepted, its screen is real.

use std::{fs, path::Path};

use super::{
    case::Case,
    fixtures,
    gate::{gate, offline, run},
    workspace::{Workspace, part, project},
};

fn readme() -> String {
    fs::read_to_string(project().join("README.md")).unwrap().replace("\r\n", "\n")
}

/// The bodies of the fenced blocks of a language, each with the text before its fence.
fn blocks(text: &str, language: &str) -> Vec<(String, String)> {
    let fence = format!("```{language}\n");
    let mut parts = text.split(&fence);
    let mut before = parts.next().unwrap_or_default().to_owned();
    let mut found = Vec::new();
    for part in parts {
        let (body, behind) = part.split_once("```").expect("a fence that is closed");
        found.push((before, body.to_owned()));
        before = behind.to_owned();
    }
    found
}

/// A workspace in which everything exists that the README's rules name.
fn described() -> Workspace {
    let manifest = |name: &str, dependencies: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n{dependencies}"
        )
    };
    fixtures::workspace([
        ("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"crates/*\"]\n".to_owned()),
        ("crates/orders/Cargo.toml", manifest("orders", "tokio-postgres = \"0.7\"\n")),
        ("crates/orders/src/lib.rs", "pub mod db;\npub mod fence;\npub mod lease;\n".to_owned()),
        ("crates/orders/src/db.rs", "pub use tokio_postgres::Client;\n".to_owned()),
        ("crates/orders/src/fence/mod.rs", "mod token;\npub use token::Token;\n".to_owned()),
        ("crates/orders/src/fence/token.rs", "pub struct Token(pub i64);\n".to_owned()),
        (
            "crates/orders/src/lease.rs",
            "use crate::db::Client;\n\npub fn with_lease<T>(db: &Client, work: impl FnOnce() -> T) -> T {\n    let _ = (db, RENEW);\n    work()\n}\n\nconst RENEW: &str = \"UPDATE worker_leases SET expires_at = now() + interval '15 s' WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > now()\";\n".to_owned(),
        ),
        ("crates/orders/src/main.rs", "fn main() {\n    let _ = orders::fence::Token(1);\n}\n".to_owned()),
        ("crates/agent/Cargo.toml", manifest("lease-agent", "")),
        ("crates/agent/src/lib.rs", "pub fn renew() -> bool {\n    true\n}\n".to_owned()),
    ])
}

#[test]
fn the_rules_of_the_readme_are_accepted() {
    let text = readme();
    let rules: Vec<_> =
        blocks(&text, "toml").into_iter().filter(|(before, _)| before.trim_end().ends_with("<!-- rules -->")).collect();
    assert_eq!(rules.len(), 3, "the README shows a short rules file, a long one, and one of a lease in SQL");
    for (_, rules) in rules {
        let workspace = described().file("lease-guard.toml", &rules);
        let said = offline(&workspace.path(), &[]);
        assert!(matches!(said.code, Some(0 | 1)), "{rules}\n{said:?}");
    }
}

#[test]
fn every_command_of_the_readme_is_one() {
    let text = readme();
    let short =
        blocks(&text, "toml").into_iter().find(|(before, _)| before.trim_end().ends_with("<!-- rules -->")).unwrap().1;
    let shell: String = blocks(&text, "sh").into_iter().map(|(_, body)| body).collect();
    let commands: Vec<_> = shell.lines().filter_map(|line| line.strip_prefix("cargo lease-guard")).collect();
    assert!(commands.len() >= 4, "the README's commands were not found");
    for command in commands {
        let words: Vec<_> = command.split('#').next().unwrap().split_whitespace().collect();
        let workspace = described();
        // `init` finds no rules file, and then writes one; every other command reads one.
        let workspace = if words == ["init"] { workspace } else { workspace.file("lease-guard.toml", &short) };
        let said = offline(&workspace.path(), &words);
        assert_eq!(said.code, Some(0), "cargo lease-guard {}: {said:?}", words.join(" "));
    }
}

#[test]
fn what_init_writes_is_accepted() {
    let workspace = described();
    let said = offline(&workspace.path(), &["init"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let rules = fs::read_to_string(workspace.path().join("lease-guard.toml")).expect("init writes lease-guard.toml");
    assert!(rules.contains("orders::lease"), "the lease module was not found:\n{rules}");
    assert!(rules.contains("\"tokio-postgres\""), "the coordinator was not found:\n{rules}");
    assert!(rules.contains('#'), "the file teaches nothing:\n{rules}");
    let said = offline(&workspace.path(), &[]);
    assert_eq!(said.code, Some(0), "check does not accept what init wrote: {said:?}\n{rules}");

    let again = offline(&workspace.path(), &["init"]);
    assert_eq!(again.code, Some(2), "a second init must not overwrite: {again:?}");
    assert_eq!(fs::read_to_string(workspace.path().join("lease-guard.toml")).unwrap(), rules);
}

#[test]
fn the_first_command_checks_the_order_writer() {
    let text = readme();
    let line = text.lines().find(|line| line.starts_with("cargo run --release -- ")).expect("the first command");
    let arguments: Vec<_> = line.split_whitespace().skip(4).collect();
    assert_eq!(arguments.first(), Some(&"lease-guard"), "{line}");
    if part(arguments[2]).is_none() {
        return;
    }
    if std::env::var_os("LEASE_GUARD_OFFLINE").is_some() {
        println!("LEASE_GUARD_OFFLINE is set: the README's first command was not run");
        return;
    }
    let said = run(gate(project()).args(&arguments[1..]));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("order-writer"), "{said:?}");
}

#[test]
fn the_readme_lists_every_lint() {
    let text = readme();
    for lint in lease_guard::lints::LINTS {
        assert!(
            text.lines().any(|line| line.starts_with('|')
                && line.contains(&format!("`{}`", lint.name))
                && line.contains(lint.level.word())),
            "the README's table does not list {} at {}",
            lint.name,
            lint.level.word()
        );
    }
}

#[test]
fn the_screen_of_the_readme_is_real() {
    let path = project().join("README.md");
    let text = readme();
    let (before, rest) = text.split_once("<!-- screen: ").expect("the README shows a screen");
    let (name, rest) = rest.split_once(" -->\n```text\n").expect("the screen's case");
    let (shown, behind) = rest.split_once("```").expect("the screen's end");
    let real = screen(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{before}<!-- screen: {name} -->\n```text\n{real}```{behind}")).unwrap();
        return;
    }
    assert!(shown == real, "the README shows another screen: UPDATE_DOCS=1 cargo test --test it readme\n{real}");
}

/// What a person sees of one of the project's own cases.
fn screen(name: &str) -> String {
    let case: &Case = fixtures::cases().iter().find(|case| case.name == name).expect("a case of that name");
    let workspace = fixtures::workspace(&case.files);
    // The first run writes a lock, and says so.
    offline(&workspace.path(), &[]);
    let said = offline(&workspace.path(), &["--color", "never"]);
    assert_eq!(said.code, Some(case.expect.verdict.exit_code()), "{said:?}");
    said.stdout
}

#[test]
fn links_in_the_documents_lead_somewhere() {
    for document in [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs/rules.md",
        "docs/lints.md",
        "docs/drill.md",
        "docs/editors.md",
    ] {
        let path = project().join(document);
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            let leads =
                file.is_empty() || link.contains("://") || path.parent().unwrap_or(Path::new("")).join(file).exists();
            assert!(leads, "{document}: {link} leads nowhere");
        }
    }
}
