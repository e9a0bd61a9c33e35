//! Never a false green: each way in which a check must refuse, one test for each.
//!
//! Each sees exit status 2, the words that a person needs to mend it, and the same in JSON. The list
//! follows the contract's section of that name; a failure of a new kind belongs here too.

use super::{
    fixtures,
    gate::{Said, gate, json, offline, run},
    workspace::{Workspace, write},
};

const MANIFEST: &str = "[package]\nname = \"orders\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const RULES: &str = "[[lease]]\nname = \"writer\"\nmodules = [\"orders::lease\"]\n";
const LEASE: &str = "pub fn renew(epoch: u64) -> bool {\n    crate::store::put(epoch)\n}\n";
const STORE: &str = "pub fn put(epoch: u64) -> bool {\n    epoch > 0\n}\n";

/// A workspace that is clean as it stands; each test breaks one thing.
fn sound() -> Workspace {
    fixtures::workspace([
        ("Cargo.toml", MANIFEST),
        ("lease-guard.toml", RULES),
        ("src/lib.rs", "pub mod lease;\nmod store;\n"),
        ("src/lease.rs", LEASE),
        ("src/store.rs", STORE),
    ])
}

fn with_rules(rules: &str) -> Workspace {
    sound().file("lease-guard.toml", rules)
}

/// Status 2, all the words (in any case of letters), no panic, and the same verdict in JSON.
fn refuses_with(workspace: &Workspace, arguments: &[&str], words: &[&str]) -> Said {
    let said = offline(&workspace.path(), arguments);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(!said.stderr.contains("panicked"), "{said:?}");
    let low = said.stderr.to_lowercase();
    for word in words {
        assert!(low.contains(&word.to_lowercase()), "standard error does not say {word:?}:\n{}", said.stderr);
    }
    let in_json = offline(&workspace.path(), &[arguments, &["--format", "json"]].concat());
    assert_eq!(in_json.code, Some(2), "{in_json:?}");
    let report: serde_json::Value = serde_json::from_str(&in_json.stdout)
        .unwrap_or_else(|e| panic!("standard output is not one JSON object: {e}: {in_json:?}"));
    assert_eq!(report["verdict"], "cannot-check", "{report}");
    assert!(report["errors"].as_array().is_some_and(|errors| !errors.is_empty()), "{report}");
    said
}

fn refuses(workspace: &Workspace, words: &[&str]) -> Said {
    refuses_with(workspace, &[], words)
}

#[test]
fn the_sound_workspace_is_clean() {
    let workspace = sound();
    let said = json(&workspace.path());
    assert_eq!(said.code, Some(0), "{said:?}");
}

mod rules_file {
    use super::*;

    #[test]
    fn there_is_none() {
        let workspace = sound();
        std::fs::remove_file(workspace.path().join("lease-guard.toml")).unwrap();
        refuses(&workspace, &["lease-guard.toml", "cargo lease-guard init"]);
    }

    #[test]
    fn the_one_that_was_named_is_not_there() {
        refuses_with(&sound(), &["--rules", "no/such.toml"], &["no/such.toml"]);
    }

    #[test]
    fn it_is_no_toml() {
        refuses(&with_rules("[[lease]]\nname = \n"), &["lease-guard.toml", "2"]);
    }

    #[test]
    fn it_has_no_lease() {
        refuses(&with_rules("[forbid]\ncrates = []\n"), &["lease-guard.toml", "[[lease]]"]);
    }

    #[test]
    fn a_key_is_unknown() {
        refuses(&with_rules(&format!("{RULES}coordinator = []\n")), &["coordinator", "coordinators", ":4"]);
    }

    #[test]
    fn a_pack_is_unknown() {
        let rules = format!("{RULES}[forbid]\npacks = [\"http-client\"]\n");
        refuses(&with_rules(&rules), &["http-client`", "http-clients"]);
    }

    #[test]
    fn a_lint_is_unknown() {
        refuses(&with_rules(&format!("{RULES}[lints]\nclient-clok = \"deny\"\n")), &["client-clok", "client-clock"]);
        let exception = "[[exception]]\nlint = \"forbidden-crates\"\nsubject = \"x\"\nreason = \"y\"\n";
        refuses(&with_rules(&format!("{RULES}{exception}")), &["forbidden-crates", "forbidden-crate`"]);
        refuses_with(&sound(), &["-D", "held-cleint"], &["held-cleint", "held-client"]);
    }

    #[test]
    fn a_package_is_unknown() {
        refuses(&with_rules("[[lease]]\nname = \"w\"\npackages = [\"order\"]\n"), &["order`", "orders"]);
    }

    #[test]
    fn a_coordinator_is_nowhere() {
        let rules = format!("{RULES}coordinators = [\"tokio-postgras\"]\n");
        refuses(&with_rules(&rules), &["tokio-postgras", "tokio-postgres"]);
    }

    #[test]
    fn a_client_is_declared_a_coordinator() {
        let rules = format!("{RULES}coordinators = [\"reqwest\"]\n");
        refuses(&with_rules(&rules), &["reqwest", "exception", "module"]);
    }

    #[test]
    fn a_coordinator_holds_what_the_lease_selects() {
        refuses(
            &with_rules(&format!("{RULES}coordinators = [\"orders::lease\"]\n")),
            &["orders::lease", "coordinator"],
        );
    }

    #[test]
    fn two_leases_share_a_name() {
        refuses(&with_rules(&format!("{RULES}{RULES}")), &["writer"]);
    }

    #[test]
    fn a_lease_that_was_asked_for_does_not_exist() {
        refuses_with(&sound(), &["--lease", "wrighter"], &["wrighter", "writer"]);
    }

    #[test]
    fn an_exception_gives_no_reason() {
        let exception = "[[exception]]\nlint = \"forbidden-crate\"\nsubject = \"ureq\"\n";
        refuses(&with_rules(&format!("{RULES}{exception}")), &["reason"]);
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let rules = "[[lease]]\nname = \"w\"\nmodule = []\n[forbid]\npacks = [\"https\"]\ncrate = []\n";
        refuses(&with_rules(rules), &["modules", "https", "crates"]);
    }

    #[test]
    fn two_of_them_stand_at_the_root() {
        refuses(&sound().file(".config/lease-guard.toml", RULES), &["lease-guard.toml", ".config/lease-guard.toml"]);
        let metadata = format!("{MANIFEST}[[package.metadata.lease-guard.lease]]\nname = \"x\"\n");
        refuses(&sound().file("Cargo.toml", metadata), &["lease-guard.toml", "Cargo.toml"]);
    }

    #[test]
    fn a_member_has_one_beside_the_roots() {
        let workspace = sound()
            .file("Cargo.toml", format!("{MANIFEST}[workspace]\nmembers = [\"api\"]\n"))
            .file("api/Cargo.toml", MANIFEST.replace("orders", "api"))
            .file("api/src/lib.rs", "")
            .file("api/lease-guard.toml", RULES);
        refuses(&workspace, &["api/lease-guard.toml"]);
    }
}

mod selection {
    use super::*;

    #[test]
    fn a_lease_selects_nothing() {
        refuses(&with_rules("[[lease]]\nname = \"w\"\n"), &["w", "modules"]);
        refuses(&with_rules("[[lease]]\nname = \"w\"\nfiles = [\"src/fence/**/*.rs\"]\n"), &["src/fence/**/*.rs"]);
    }

    #[test]
    fn a_fence_that_no_sql_names_judges_nothing() {
        let fence =
            "[lease.fence]\ntable = \"leezes\"\nholder = \"h\"\nepoch = \"e\"\nexpires = \"x\"\nprotects = []\n";
        refuses(&with_rules(&format!("{RULES}\n{fence}")), &["leezes", "query builder"]);
    }

    #[test]
    fn a_module_path_does_not_exist() {
        let rules = RULES.replace("orders::lease", "orders::leese");
        refuses(&with_rules(&rules), &["orders::leese", "orders::lease"]);
        refuses(&with_rules(&RULES.replace("orders::lease", "order::lease")), &["order::lease", "orders"]);
    }
}

mod sources {
    use super::*;

    #[test]
    fn a_lease_file_is_missing() {
        let workspace = sound();
        std::fs::remove_file(workspace.path().join("src/lease.rs")).unwrap();
        refuses(&workspace, &["src/lease.rs"]);
    }

    #[test]
    fn a_lease_file_cannot_be_read() {
        let not_text = sound().file("src/lease.rs", b"pub fn renew() {} // \xff\xfe\n");
        refuses(&not_text, &["src/lease.rs", "UTF-8"]);
        let folder = sound();
        std::fs::remove_file(folder.path().join("src/lease.rs")).unwrap();
        refuses(&folder.file("src/lease.rs/inner.txt", ""), &["src/lease.rs"]);
    }

    #[test]
    fn a_lease_file_does_not_parse() {
        // It tokenises; that would do for a file that is merely reached.
        refuses(&sound().file("src/lease.rs", "pub fn renew() -> { true }\n"), &["src/lease.rs", "1"]);
        refuses(&sound().file("src/lease.rs", "pub fn renew() { \"\n"), &["src/lease.rs"]);
    }

    #[test]
    fn a_reached_file_is_not_even_tokens() {
        refuses(&sound().file("src/store.rs", "pub fn put(_: u64) -> bool { \"no end }\n"), &["src/store.rs"]);
    }

    #[test]
    fn a_reached_file_that_is_only_tokens_is_no_failure() {
        let workspace = sound().file("src/store.rs", format!("{STORE}pub fn broken() -> {{}}\n"));
        let said = json(&workspace.path());
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.stdout.contains("src/store.rs"), "the report does not say that it was scanned: {said:?}");
    }

    fn beside(lib: &str) -> (Workspace, Workspace) {
        let around = Workspace::empty()
            .file("shared/secret.rs", "pub fn put(_: u64) -> bool { let _token = \"hunter-two\"; true }\n");
        let inner = sound();
        for file in ["Cargo.toml", "lease-guard.toml", "src/lease.rs", ".cargo/config.toml"] {
            write(&around.path().join("ws").join(file), std::fs::read(inner.path().join(file)).unwrap());
        }
        write(&around.path().join("ws/src/lib.rs"), lib);
        (around, inner)
    }

    #[test]
    fn a_module_leads_out_of_the_workspace() {
        for lib in [
            "pub mod lease;\n#[path = \"../../shared/secret.rs\"]\nmod store;\n",
            "pub mod lease;\nmod store {\n    include!(\"../../shared/secret.rs\");\n}\n",
        ] {
            let (around, _) = beside(lib);
            let said = offline(&around.path().join("ws"), &[]);
            assert_eq!(said.code, Some(2), "{said:?}");
            let told = format!("{}{}", said.stdout, said.stderr);
            assert!(told.contains("shared/secret.rs") && told.contains("source-roots"), "{told}");
            assert!(!told.contains("hunter-two"), "a stranger's file was printed:\n{told}");

            write(&around.path().join("ws/lease-guard.toml"), format!("source-roots = [\"../shared\"]\n{RULES}"));
            let said = json(&around.path().join("ws"));
            assert_eq!(said.code, Some(0), "{said:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_out_of_the_workspace() {
        let (around, _) = beside("pub mod lease;\nmod store;\n");
        let workspace = around.path().join("ws");
        std::os::unix::fs::symlink("../../shared/secret.rs", workspace.join("src/store.rs")).unwrap();
        let said = offline(&workspace, &[]);
        assert_eq!(said.code, Some(2), "{said:?}");
        let told = format!("{}{}", said.stdout, said.stderr);
        assert!(told.contains("shared/secret.rs") && told.contains("source-roots"), "{told}");
        assert!(!told.contains("hunter-two"), "a stranger's file was printed:\n{told}");

        write(&workspace.join("lease-guard.toml"), format!("source-roots = [\"../shared\"]\n{RULES}"));
        assert_eq!(json(&workspace).code, Some(0));
    }
}

mod cargo {
    use super::*;

    #[test]
    fn an_alias_would_run_instead() {
        for alias in ["lease-guard = \"version\"", "lease-guard = [\"version\", \"-v\"]"] {
            let workspace = sound();
            let config = workspace.path().join(".cargo/config.toml");
            let before = std::fs::read_to_string(&config).unwrap();
            write(&config, format!("{before}[alias]\n{alias}\n"));
            refuses(&workspace, &["alias", "lease-guard", "config.toml"]);
        }
    }

    #[test]
    fn an_alias_is_seen_in_an_included_configuration() {
        let workspace = sound().file(".cargo/more.toml", "[alias]\nlease-guard = \"version\"\n");
        let config = workspace.path().join(".cargo/config.toml");
        let before = std::fs::read_to_string(&config).unwrap();
        write(&config, format!("include = [\"more.toml\"]\n{before}"));
        refuses(&workspace, &["alias", "lease-guard"]);
    }

    #[test]
    fn there_is_no_manifest() {
        let nowhere = Workspace::empty();
        refuses(&nowhere, &["Cargo.toml"]);
        refuses_with(&sound(), &["--manifest-path", "no/Cargo.toml"], &["no/Cargo.toml"]);
    }

    #[test]
    fn a_manifest_is_broken() {
        refuses(&sound().file("Cargo.toml", MANIFEST.replace("2021", "1066")), &["Cargo.toml", "edition"]);
    }

    #[test]
    fn the_lock_is_stale() {
        let lock = "version = 4\n\n[[package]]\nname = \"orders\"\nversion = \"0.1.0\"\n";
        let workspace = sound()
            .file("Cargo.toml", format!("{MANIFEST}\n[dependencies]\ntokio-postgres = \"0.7\"\n"))
            .file("Cargo.lock", lock);
        refuses(&workspace, &["Cargo.lock", "update"]);
        assert_eq!(std::fs::read_to_string(workspace.path().join("Cargo.lock")).unwrap(), lock, "it was written");
    }

    #[test]
    fn a_dependency_is_not_cached() {
        // An empty home of cargo, and no source replacement: nothing can be had without a network.
        let home = Workspace::empty();
        let workspace = Workspace::with([
            ("Cargo.toml", format!("{MANIFEST}\n[dependencies]\ntokio-postgres = \"0.7\"\n").as_str()),
            ("lease-guard.toml", RULES),
            ("src/lib.rs", "pub mod lease;\nmod store;\n"),
            ("src/lease.rs", LEASE),
            ("src/store.rs", STORE),
        ]);
        let said = run(gate(&workspace.path()).arg("--offline").env("CARGO_HOME", home.path()));
        assert_eq!(said.code, Some(2), "{said:?}");
        for word in ["tokio-postgres", "cargo fetch"] {
            assert!(said.stderr.contains(word), "standard error does not say {word:?}:\n{}", said.stderr);
        }
    }

    #[test]
    fn a_git_dependency_cannot_be_had() {
        let gone = "[dependencies]\ngone = { git = \"file:///nowhere/gone.git\" }\n";
        let workspace = sound().file("Cargo.toml", format!("{MANIFEST}\n{gone}"));
        refuses(&workspace, &["gone", "--no-deps"]);

        let said = offline(&workspace.path(), &["--no-deps", "--format", "json"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(report["graph"], "none", "the report does not say that the graph was not judged: {report}");
    }

    #[cfg(unix)]
    #[test]
    fn a_missing_lock_cannot_be_written() {
        // A link to a folder that is not there stands for a read-only checkout: it stops root as well.
        let workspace = sound();
        std::os::unix::fs::symlink("/nowhere/at/all/Cargo.lock", workspace.path().join("Cargo.lock")).unwrap();
        refuses(&workspace, &["Cargo.lock"]);
    }
}

/// Input that is made to break parsers: a refusal or an answer, never a crash. `gate` ends a hang.
mod hostile {
    use super::*;

    fn survives(workspace: &Workspace) {
        let said = json(&workspace.path());
        assert!(matches!(said.code, Some(0..=2)), "{:?}", said.code);
        assert!(!said.stderr.contains("panicked") && !said.stderr.contains("overflow"), "{}", said.stderr);
        assert!(!said.stdout.is_empty() || !said.stderr.is_empty());
    }

    #[test]
    fn deep_nesting_in_a_lease_file() {
        const DEEP: usize = 100_000;
        for (open, close) in [("(", ")"), ("{", "}"), ("[", "]"), ("&", ""), ("-", ""), ("Box<", ">"), ("|| ", "")] {
            let nested = format!("{}x{}", open.repeat(DEEP), close.repeat(DEEP));
            survives(&sound().file("src/lease.rs", format!("pub fn renew() {{ let _ = {nested}; }}\n")));
            survives(&sound().file("src/lease.rs", format!("pub type Deep = {nested};\n")));
        }
        survives(&sound().file("src/lease.rs", "mod m { ".repeat(DEEP)));
        survives(&sound().file("src/lease.rs", format!("use {}x{};\n", "a::{".repeat(DEEP), "}".repeat(DEEP))));
        survives(&sound().file("src/lease.rs", format!("m!({}{});\n", "(".repeat(DEEP), ")".repeat(DEEP))));
        survives(&sound().file("src/lease.rs", format!("pub fn renew() {{ x{}; }}\n", ".a()".repeat(DEEP))));
        survives(&sound().file("src/lease.rs", format!("pub fn renew() {{ 1{}; }}\n", " + 1".repeat(DEEP))));
    }

    #[test]
    fn deep_nesting_in_the_rules_and_the_manifest() {
        let deep = format!("x = {}{}\n", "[".repeat(100_000), "]".repeat(100_000));
        survives(&with_rules(&format!("{deep}{RULES}")));
        survives(&sound().file("Cargo.toml", format!("{MANIFEST}[package.metadata]\n{deep}")));
    }

    #[test]
    fn modules_and_files_that_lead_in_a_circle() {
        survives(&sound().file("src/lease.rs", "include!(\"lease.rs\");\n"));
        survives(&sound().file("src/lease.rs", "#[path = \"lease.rs\"]\nmod again;\n"));
        survives(&sound().file("src/lease.rs", "pub use self::renew as renew;\npub use super::lease::*;\n"));
        survives(
            &sound().file(
                "src/lease.rs",
                "pub use a::*;\nmod a { pub use super::b::*; }\nmod b { pub use super::a::*; }\n",
            ),
        );
        survives(&sound().file("src/lease.rs", "macro_rules! m { () => { m!(); }; }\nm!();\n"));
        survives(&sound().file("src/lease.rs", "type A = B;\ntype B = A;\npub fn renew(a: A) -> A { a.renew() }\n"));
    }

    #[test]
    fn odd_bytes() {
        survives(&sound().file("src/lease.rs", "\u{feff}#!/usr/bin/env run\r\npub fn renew() {}\r\n"));
        survives(&sound().file("src/lease.rs", "pub fn renew() {}\0\n"));
        survives(&sound().file("src/lease.rs", "pub fn r\u{202e}enew() { \"\u{1b}[2J\" }\n"));
        survives(&sound().file("src/lease.rs", ""));
    }
}
