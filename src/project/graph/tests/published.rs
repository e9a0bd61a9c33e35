//! Published packages, each as its own workspace with its features, dev- and build-dependencies, and
//! one workspace of more than 400 packages. Cargo fetches them; where the registry cannot be reached
//! the test says so and is skipped.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use super::oracle;
use crate::project::{cargo::CargoOptions, testing::Place};

/// At pinned versions; lease, lock and database code among them.
const PUBLISHED: &[(&str, &str)] = &[
    ("axum", "0.8.9"),
    ("deadpool-postgres", "0.14.2"),
    ("etcd-client", "0.15.0"),
    ("fang", "0.11.0"),
    ("kube-leader-election", "0.44.0"),
    ("opentelemetry-otlp", "0.30.0"),
    ("redis", "0.27.5"),
    ("reqwest", "0.12.28"),
    ("rslock", "0.10.0"),
    ("tokio-postgres", "0.7.18"),
    ("tonic", "0.13.1"),
    ("underway", "0.2.0"),
    ("ureq", "3.5.2"),
];

/// Together more than 400 packages, with two members whose builds differ.
const LARGE: &str = "[dependencies]\nkube = { version = '=1.1.0', features = ['runtime'] }\n\
    sqlx = { version = '=0.8.6', features = ['postgres', 'sqlite', 'mysql', 'runtime-tokio'] }\n\
    aws-config = { version = '=1.13.0', optional = true }\naws-sdk-dynamodb = { version = '=1.136.0', optional = true }\n\
    opendal = { version = '=0.53.3', features = ['services-s3'] }\nsentry = '=0.38.1'\ndatafusion = '=48.0.1'\n\
    [build-dependencies]\ntonic = { version = '=0.13.1', features = ['channel'] }\n\
    [dev-dependencies]\nreqwest = { version = '=0.12.28', features = ['blocking', 'json'] }\n";
const SMALL: &str = "[dependencies]\ntokio = { version = '1', default-features = false, features = ['sync'] }\n\
    hyper = { version = '1', features = ['server', 'http1'] }\n";

fn online() -> crate::project::cargo::Environment {
    Place::environment().with("CARGO_NET_OFFLINE", None)
}

fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = '{name}'\nversion = '0.1.0'\nedition = '2021'\n{rest}")
}

/// Cargo's words, if they are about the network.
fn unreachable(error: &crate::project::ProjectError) -> bool {
    let words = error.to_string();
    [
        "failed to query",
        "download",
        "spurious network error",
        "Could not resolve host",
        "update registry",
        "failed to fetch",
    ]
    .iter()
    .any(|phrase| words.contains(phrase))
}

#[test]
fn the_packages_are_those_of_cargo_tree() {
    let wanted: String = PUBLISHED
        .iter()
        .map(|(name, version)| format!("{name} = {{ version = '={version}', default-features = false }}\n"))
        .collect();
    let place = Place::new(&[
        ("fetch/Cargo.toml", &manifest("fetch", &format!("[dependencies]\n{wanted}"))),
        ("fetch/src/lib.rs", ""),
    ]);
    let text = match place.metadata_in(online(), "fetch", &CargoOptions::default()) {
        Ok(text) => text,
        Err(error) if unreachable(&error) => {
            eprintln!("skipped: the registry cannot be reached");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let workspace = crate::project::Workspace::read(&text, &|_| None).expect("a workspace");
    for (name, version) in PUBLISHED {
        let package = workspace.packages.iter().find(|p| p.name == *name && p.version == *version).expect("fetched");
        let folder = package.manifest.parent().expect("a folder");
        for entry in walkdir::WalkDir::new(folder) {
            let entry = entry.expect("an entry");
            let path = camino::Utf8Path::from_path(entry.path()).expect("UTF-8");
            let to = place.root.join(name).join(path.strip_prefix(folder).expect("inside"));
            // The lock file that was published pins more than is needed here, and may pin what was yanked.
            if entry.file_type().is_dir() {
                std::fs::create_dir_all(to).expect("a folder");
            } else if path.extension() == Some("rs") || path.file_name() == Some("Cargo.toml") {
                std::fs::copy(path, to).expect("a copy");
            }
        }
        let text = place.metadata_in(online(), name, &CargoOptions::default()).expect("metadata");
        oracle::agrees(&place.root.join(name), &text, name);
    }
}

#[test]
fn a_large_workspace_agrees_too() {
    let place = Place::new(&[
        ("Cargo.toml", "[workspace]\nresolver = '2'\nmembers = ['large', 'small']\n"),
        ("large/Cargo.toml", &manifest("large", LARGE)),
        ("large/src/lib.rs", ""),
        ("large/build.rs", "fn main() {}"),
        ("small/Cargo.toml", &manifest("small", SMALL)),
        ("small/src/lib.rs", ""),
    ]);
    for resolver in ["2", "1"] {
        place.write("Cargo.toml", &format!("[workspace]\nresolver = '{resolver}'\nmembers = ['large', 'small']\n"));
        let text = match place.metadata_in(online(), "", &CargoOptions::default()) {
            Ok(text) => text,
            Err(error) if unreachable(&error) => {
                eprintln!("skipped: the registry cannot be reached");
                return;
            }
            Err(error) => panic!("{error}"),
        };
        let packages = oracle::agrees(&place.root, &text, &format!("large (resolver {resolver})"));
        assert!(packages > 400, "{packages} packages");
    }
}
