use std::{collections::BTreeMap, fs, path::Path};

use super::*;

const FILES: [(&str, &str); 8] = [
    ("http-clients", include_str!("../../rules/http-clients.toml")),
    ("model-clients", include_str!("../../rules/model-clients.toml")),
    ("inference-runtimes", include_str!("../../rules/inference-runtimes.toml")),
    ("transports", include_str!("../../rules/transports.toml")),
    ("coordinators", include_str!("../../rules/coordinators.toml")),
    ("calls", include_str!("../../rules/calls.toml")),
    ("strings", include_str!("../../rules/strings.toml")),
    ("reply-repair", include_str!("../../rules/reply-repair.toml")),
];

fn packs() -> Packs {
    Packs::embedded().expect("the embedded packs are well-formed")
}

fn table(text: &str) -> toml::Table {
    text.parse().expect("toml")
}

/// The keys of a table of a file, in the order in which they stand.
fn keys(file: &str, name: &str) -> Vec<String> {
    let text = FILES.iter().find(|(of, _)| *of == file).expect(file).1;
    table(text).get(name).and_then(toml::Value::as_table).map(|t| t.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn every_file_of_the_folder_is_embedded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let entries = fs::read_dir(folder).expect("rules").map(|entry| entry.expect("entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    // Variables of clients, which the drill sets; it forbids nothing.
    names.retain(|name| name != "base-urls.toml");
    names.sort();
    let mut known: Vec<_> = FILES.iter().map(|(name, _)| format!("{name}.toml")).collect();
    known.sort();
    assert_eq!(names, known);
}

#[test]
fn the_words_of_packs_are_those_of_their_files() {
    for pack in PackName::ALL {
        assert_eq!(PackName::parse(pack.word()), Some(pack));
        assert!(FILES.iter().any(|(name, _)| *name == pack.word()));
    }
    assert_eq!(PackName::parse("coordinators"), None);
    assert_eq!(PackName::parse(""), None);
}

#[test]
fn entries_stand_in_order() {
    for file in ["http-clients", "model-clients", "inference-runtimes", "transports", "coordinators", "reply-repair"] {
        for name in ["crates", "left-out", "servers"] {
            let keys: Vec<_> = keys(file, name).iter().map(|key| normal(key).into_owned()).collect();
            assert!(keys.is_sorted_by(|a, b| a < b), "{file} [{name}]: {keys:?}");
        }
    }
    for file in ["calls", "strings"] {
        for name in ["model-clients", "inference-runtimes"] {
            assert!(keys(file, name).is_sorted_by(|a, b| a < b), "{file} [{name}]");
        }
    }
}

#[test]
fn a_package_stands_in_one_pack_only() {
    let mut seen = BTreeMap::new();
    for (file, text) in FILES.iter().filter(|(file, _)| !["calls", "strings"].contains(file)) {
        let table = table(text);
        for name in ["crates", "left-out"] {
            for key in table.get(name).and_then(toml::Value::as_table).into_iter().flat_map(|t| t.keys()) {
                if let Some(other) = seen.insert(normal(key).into_owned(), (*file, name)) {
                    // fred and redis are coordinators with one path that is a transport.
                    let both = [other, (*file, name)] == [("transports", "crates"), ("coordinators", "crates")];
                    assert!(both && ["fred", "redis"].contains(&key.as_str()), "{key}: {other:?} and {file} [{name}]");
                }
            }
        }
    }
}

#[test]
fn no_coordinator_is_also_a_client() {
    let packs = packs();
    for client in packs.data.clients.values() {
        assert!(packs.coordinator(&client.package).is_none(), "{}", client.package);
    }
    for coordinator in packs.coordinators() {
        assert_eq!(packs.client_pack(&coordinator.name), None, "{}", coordinator.name);
    }
}

#[test]
fn every_reason_is_a_short_noun_phrase() {
    fn check(file: &str, key: &str, value: &toml::Value) {
        match value {
            toml::Value::Table(table) => table.iter().for_each(|(key, value)| check(file, key, value)),
            toml::Value::Array(array) => array.iter().for_each(|value| check(file, key, value)),
            toml::Value::String(text) if ["why", "instead"].contains(&key) => {
                assert!((4..=90).contains(&text.len()), "{file}: {text}");
                assert!(text.trim() == text && !text.ends_with('.') && !text.contains('\n'), "{file}: {text}");
                let sentence = ["A ", "An ", "The ", "It "].iter().any(|start| text.starts_with(start));
                assert!(!sentence, "{file}: {text} is read inside a sentence");
            }
            _ => {}
        }
    }
    for (file, text) in FILES {
        check(file, "", &toml::Value::Table(table(text)));
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{file}: a line over 120 columns");
        assert!(text.starts_with("# "), "{file}: what is it for?");
    }
}

#[test]
fn names_are_names_and_patterns_are_patterns() {
    let packs = packs();
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let is_pattern = |path: &str| {
        let path = path.strip_prefix("**::").unwrap_or(path);
        let path = path.strip_suffix("::*").unwrap_or(path);
        path.split("::")
            .all(|s| !s.is_empty() && s != "*" && s.chars().all(|c| c.is_alphanumeric() || "_*".contains(c)))
    };
    for client in packs.data.clients.values() {
        assert!(is_name(&client.package), "{}", client.package);
        assert!(client.libs.iter().all(|lib| is_name(lib) && !lib.contains('-')), "{}", client.package);
        assert!(client.in_chains || client.features.is_empty(), "{}: never and only with?", client.package);
        assert!(client.features.is_sorted_by(|a, b| a < b), "{}: features out of order", client.package);
        assert!(client.inert.iter().all(|inert| is_pattern(inert.pattern.written())), "{}", client.package);
    }
    for transport in packs.data.transports.values() {
        assert!(is_name(&transport.package), "{}", transport.package);
        assert!(transport.whole.is_some() == transport.paths.is_empty(), "{}: whole or paths?", transport.package);
        let mut paths: Vec<_> = transport.paths.iter().map(|(pattern, _)| pattern.written()).collect();
        assert!(paths.iter().all(|path| is_pattern(path)), "{}", transport.package);
        let count = paths.len();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), count, "{}: a path twice", transport.package);
    }
    for coordinator in packs.coordinators() {
        let plain = |name: &str| is_name(name.strip_suffix('*').unwrap_or(name));
        assert!(plain(&coordinator.name) && coordinator.companions.iter().all(|name| plain(name)), "{coordinator:?}");
        let itself = coordinator.companions.contains(&coordinator.name);
        let companions: Vec<_> = coordinator.companions.iter().map(|name| normal(name)).collect();
        assert!(!itself && companions.is_sorted_by(|a, b| a < b), "{}", coordinator.name);
    }
}

#[test]
fn calls_are_segments_and_are_tied_to_known_crates() {
    let packs = packs();
    for call in &packs.data.calls {
        let segment = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_alphanumeric() || "_*".contains(c));
        assert!(call.fragment.split('.').all(segment), "{}", call.fragment);
        assert!(call.fragment != "*", "a call of anything");
        for package in &call.crates {
            assert!(packs.client_pack(package).is_some(), "{}: {package} is in no pack", call.fragment);
        }
    }
    let file: ByPack<CallEntry> = read(FILES[5].1).expect("calls");
    let lists = file.model_clients.values().chain(file.inference_runtimes.values()).map(|call| &call.crates);
    for list in lists.chain(file.families.values()) {
        assert!(list.is_sorted_by(|a, b| normal(a) < normal(b)), "out of order: {list:?}");
    }
    let left_out = keys("calls", "left-out");
    assert!(packs.data.calls.iter().all(|call| !left_out.contains(&call.fragment)));
}

#[test]
fn literals_stand_once_and_are_not_left_out_as_well() {
    let packs = packs();
    let left_out = keys("strings", "left-out");
    let mut seen = BTreeSet::new();
    for record in &packs.data.literals {
        assert!(seen.insert(&record.literal) && record.literal.len() >= 5, "{}", record.literal);
        assert!(record.literal.is_ascii() && !record.literal.contains(' '), "{}", record.literal);
        assert!(!left_out.contains(&record.literal), "{}", record.literal);
    }
    for literal in ["api.openai.com", "/v1/chat/completions", "OPENAI_API_KEY"] {
        assert!(seen.contains(&literal.to_owned()), "{literal}");
    }
}

#[test]
fn menders_are_known_by_every_spelling() {
    let packs = packs();
    assert_eq!(packs.mender("llm-json").map(|mender| mender.package.as_str()), Some("llm_json"));
    assert!(packs.knows("json_repair") && packs.package_names().contains(&"json-repair"));
    assert!(packs.mender("json5").is_none());
}

#[test]
fn a_coordinator_brings_its_companions() {
    let packs = packs();
    assert!(packs.is_companion("kube", "kube_client") && packs.is_companion("kube", "k8s-openapi"));
    assert!(packs.is_companion("aws-sdk-dynamodb", "aws-config"));
    assert!(packs.is_companion("aws_sdk_s3", "aws-smithy-http-client"));
    assert!(packs.is_companion("aws-sdk-ssm", "aws_credential_types"), "any AWS SDK that no other pack lists");
    assert!(packs.is_companion("tokio-postgres", "deadpool-postgres"));
    assert!(!packs.is_companion("kube", "hyper") && !packs.is_companion("redis", "reqwest"));
    assert!(packs.companions("aws-sdk-bedrockruntime").is_empty(), "a client of models");
    assert!(packs.companions("aws-sdk-sqs").is_empty(), "a broker");
    assert!(packs.companions("nowhere").is_empty());
}

#[test]
fn what_is_known_is_known_by_any_spelling() {
    let packs = packs();
    for known in ["reqwest", "tokio_postgres", "rdkafka", "libc", "aws-sdk-ssm", "rig-core", "candle_core", "rs-consul"]
    {
        assert!(packs.knows(known), "{known}");
    }
    for unknown in ["serde", "axum", "http", "grok", "piper", "", "aws-sdk"] {
        assert!(!packs.knows(unknown), "{unknown}");
    }
    assert_eq!(packs.client_pack("rig_core"), Some(PackName::ModelClients));
    assert_eq!(packs.client_pack("kube"), None);
    assert_eq!(packs.library_names("rig-core"), ["rig", "rig_core"]);
    assert_eq!(packs.library_names("anthropic-rs-sdk"), ["anthropic"]);
    assert!(packs.library_names("reqwest").is_empty());
    let names = packs.package_names();
    assert!(names.is_sorted_by(|a, b| a < b) && names.contains(&"etcd-client") && names.contains(&"socket2"));
}

#[test]
fn an_unknown_key_is_no_slip_that_passes() {
    let slip = "[[inert-everywhere]]\nnames = []\ninstead = \"x\"\n[crates]\na.why = \"b\"\na.feature = []";
    assert!(toml::from_str::<ClientFile>(slip).is_err());
    let calls = "[model-clients]\na.why = \"b\"\na.family = \"c\"\n[inference-runtimes]\n[left-out]";
    assert!(Data::default().add_calls(calls).is_err_and(|error| error.to_string().contains("no family")));
    assert!(toml::from_str::<CoordinatorFile>("[crates]\na.why = \"b\"\na.companion = []").is_err());
}

/// The catalogue that the packs were written from lies beside the project while it is developed.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn every_crate_of_the_catalogue_is_listed_or_left_out_with_a_reason() {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let Some(folder) = above.map(|folder| folder.join("shared/catalogue")).find(|folder| folder.is_dir()) else {
        eprintln!("skipped: no shared/catalogue beside the project");
        return;
    };
    let packs = packs();
    let listed = |name: &str| packs.knows(name) || packs.data.left_out.contains_key(&*normal(name));
    let mut missing = Vec::new();
    let rows = |file: &str| {
        let text = fs::read_to_string(folder.join(file)).expect(file);
        let first = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
        text.lines().skip(1).map(first).collect::<Vec<_>>()
    };
    for file in
        ["http-clients.tsv", "model-clients.tsv", "inference-runtimes.tsv", "transports.tsv", "coordinators.tsv"]
    {
        for row in rows(file) {
            // `std::net` is a path in `std`; `core::arch/extern "C"` is two things.
            let package = row.split("::").next().unwrap_or_default();
            let package = if package == "core" { "std" } else { package };
            if !listed(package) {
                missing.push(format!("{file}: {row}"));
            }
        }
    }
    for literal in rows("endpoints.tsv") {
        let found = packs.data.literals.iter().any(|record| record.literal == literal);
        if !found && !packs.data.left_out.contains_key(&*normal(&literal)) {
            missing.push(format!("endpoints.tsv: {literal}"));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
