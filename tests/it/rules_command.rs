//! `rules` from outside: what a person and a program are told, with a rules file, without, and nowhere.

use serde_json::Value;

use super::{
    gate::{Said, gate, run},
    workspace::Workspace,
};

const MANIFEST: &str = "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const RULES: &str = r#"
[[lease]]
name = "captain"
modules = ["ferry::watch"]
coordinators = ["kube", "aws-sdk-dynamodb", "ferry::consul"]

[[lease]]
name = "purser"
modules = ["ferry::till"]

[forbid]
packs = ["http-clients", "transports"]
crates = [{ name = "harbour-*", reason = "owned by another team" }, "acme-http"]
calls = ["pilot.ask"]
strings = ["pilot.internal.example"]

[lints]
client-clock = "deny"

[[exception]]
lint = "forbidden-dependency"
subject = "hyper"
lease = "captain"
reason = "the metrics shim is being moved out"
until = 2027-01-31
"#;

fn ferry() -> Workspace {
    Workspace::with([("Cargo.toml", MANIFEST), ("src/lib.rs", ""), ("lease-guard.toml", RULES)])
}

fn rules(workspace: &Workspace, arguments: &[&str]) -> Said {
    let said = run(gate(&workspace.path()).arg("rules").args(arguments));
    assert_eq!(said.code, Some(0), "{arguments:?}: {said:?}");
    assert!(said.stderr.is_empty(), "{said:?}");
    said
}

fn json(workspace: &Workspace, arguments: &[&str]) -> Value {
    serde_json::from_str(&rules(workspace, &[arguments, &["--format", "json"]].concat()).stdout).unwrap()
}

/// A long list, cut down to where something begins or is said that is not an entry's own line, and without the
/// numbers of entries: the packs grow.
fn skeleton(text: &str) -> String {
    let mut out = Vec::new();
    let mut entries = 0;
    for line in text.lines() {
        entries = if line.starts_with("    ") { entries + 1 } else { 0 };
        match entries {
            0 if line.starts_with("  ") && line.ends_with(')') => {
                out.push(line.trim_end_matches(|c: char| c.is_ascii_digit() || c == ')').to_owned() + "N)");
            }
            0..=3 => out.push(line.to_owned()),
            4 => out.push("    ...".to_owned()),
            _ => {}
        }
    }
    out.join("\n")
}

#[test]
fn the_lists_of_a_workspace_are_told_pack_by_pack() {
    let workspace = ferry();
    let said = rules(&workspace, &[]);
    insta::assert_snapshot!("rules_of_a_workspace", skeleton(&said.stdout));
    let long: Vec<_> = said.stdout.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:#?}");
    assert_eq!(rules(&workspace, &[]).stdout, said.stdout, "the same question has the same answer");
    assert!(!workspace.path().join("Cargo.lock").exists(), "nothing needs cargo here");
}

#[test]
fn without_a_rules_file_the_default_packs_are_told() {
    let bare = Workspace::with([("Cargo.toml", MANIFEST), ("src/lib.rs", "")]);
    let told = rules(&bare, &[]).stdout;
    assert!(told.starts_with("There is no rules file here."), "{told}");
    assert_eq!(rules(&Workspace::empty(), &[]).stdout, told, "outside of a workspace too");
    assert!(!told.contains("Not in force"), "{told}");
}

#[test]
fn one_name_is_told_with_what_the_workspace_says_of_it() {
    let workspace = ferry();
    let names = [
        "reqwest",
        "reqwest::Url",
        "hyper",
        "aws-config",
        "kube",
        "redis",
        "std::process::Command::new",
        "std::process::id",
        "async-openai",
        "harbour-pages",
        "pilot.ask",
        "https://pilot.internal.example/v1",
        "grok",
        "reqwst",
        "serde",
    ];
    let told: Vec<String> = names
        .iter()
        .map(|name| {
            let said = rules(&workspace, &[name]).stdout;
            let long: Vec<_> = said.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(long.is_empty(), "{name}: {long:#?}");
            format!("$ cargo lease-guard rules {name}\n{said}")
        })
        .collect();
    insta::assert_snapshot!("rules_of_a_name", told.join("\n"));
}

#[test]
fn a_lease_narrows_what_is_told() {
    let workspace = ferry();
    let of_captain = rules(&workspace, &["hyper", "--lease", "captain"]).stdout;
    assert!(of_captain.contains("An exception forgives forbidden-dependency of the lease `captain`"), "{of_captain}");
    let of_purser = rules(&workspace, &["hyper", "--lease", "purser"]).stdout;
    assert!(!of_purser.contains("An exception"), "{of_purser}");
    let listed = rules(&workspace, &["--lease", "purser"]).stdout;
    assert!(listed.contains("lease purser") && !listed.contains("lease captain"), "{listed}");

    let said = run(gate(&workspace.path()).args(["rules", "--lease", "captian"]));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("did you mean `--lease captain`?"), "{said:?}");
    let said = run(gate(&Workspace::empty().path()).args(["rules", "--lease", "captain"]));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("no rules file"), "{said:?}");
}

#[test]
fn programs_get_the_same() {
    let workspace = ferry();
    let all = json(&workspace, &[]);
    assert_eq!(all["version"], 1);
    assert_eq!(all["rules_file"], "lease-guard.toml");
    assert_eq!(all["packs"], serde_json::json!(["http-clients", "transports"]));
    let names: Vec<_> = all["entries"].as_array().unwrap().iter().map(|entry| entry["name"].clone()).collect();
    assert!(names.contains(&Value::from("harbour-*")) && !names.contains(&Value::from("async-openai")));
    insta::assert_snapshot!("rules_of_a_name_json", rules(&workspace, &["h2", "--format", "json"]).stdout);
    assert_eq!(json(&workspace, &["async-openai"])["verdict"], "not-in-force");
    assert_eq!(json(&Workspace::empty(), &["async-openai"])["verdict"], "forbidden");
    let kube = json(&workspace, &["kube"]);
    assert!(kube["remarks"][0].as_str().unwrap().contains("`captain` declares it"), "{kube}");
}

#[test]
fn a_rules_file_that_does_not_hold_is_no_ground_for_an_answer() {
    let workspace = ferry().file("lease-guard.toml", "[forbid]\npacks = [\"model-client\"]\n");
    for arguments in [&["rules"][..], &["rules", "reqwest"], &["rules", "--format", "json"]] {
        let said = run(gate(&workspace.path()).args(arguments));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains("model-clients") && said.stdout.is_empty(), "{said:?}");
    }
    let said = run(gate(&workspace.path()).args(["rules", "--rules", "no/such.toml"]));
    assert_eq!(said.code, Some(2), "{said:?}");
}

#[test]
fn a_name_from_elsewhere_does_not_drive_the_terminal() {
    let hostile = RULES.replace("owned by another team", "\\u001b[2J\\u202Eowned");
    let workspace = ferry().file("lease-guard.toml", hostile);
    for arguments in [&["harbour-a"][..], &[], &["\u{1b}]0;x\u{7}"], &["harbour-a", "--format", "json"]] {
        let said = rules(&workspace, &[arguments, &["--color", "never"]].concat()).stdout;
        let drives = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!said.contains(drives), "{arguments:?}: {said:?}");
    }
}
