//! One small workspace for each situation in which graphs go wrong, under each resolver.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::process::Command;

use super::oracle;
use crate::project::testing::Place;

/// A situation: the members' manifests behind `[package]`, and the registry's packages.
struct Situation {
    name: &'static str,
    members: &'static [(&'static str, &'static str)],
    registry: &'static [(&'static str, &'static str, &'static str)],
}

const SITUATIONS: &[Situation] = &[
    Situation {
        name: "rename",
        members: &[("a", "[dependencies]\nclient = { package = 'http', version = '1' }\n")],
        registry: &[("http", "1.0.0", "")],
    },
    Situation {
        name: "a library name unlike the package's",
        members: &[("a", "[dependencies]\nrig-core = '1'\n")],
        registry: &[("rig-core", "1.0.0", "[lib]\nname = 'rig'\n[dependencies]\nhttp = '1'\n"), ("http", "1.0.0", "")],
    },
    Situation {
        name: "an optional of an optional through two feature hops",
        members: &[(
            "a",
            "[dependencies]\nmid = { version = '1', optional = true }\n[features]\non = ['dep:mid', 'mid/more']\n",
        )],
        registry: &[
            (
                "mid",
                "1.0.0",
                "[dependencies]\nend = { version = '1', optional = true }\n[features]\nmore = ['most']\nmost = ['end/http']\n",
            ),
            ("end", "1.0.0", "[dependencies]\nhttp = { version = '1', optional = true }\n"),
            ("http", "1.0.0", ""),
        ],
    },
    Situation {
        name: "a weak feature",
        members: &[("a", "[dependencies]\nmid = { version = '1', features = ['json'] }\n")],
        registry: &[
            (
                "mid",
                "1.0.0",
                "[dependencies]\nhttp = { version = '1', optional = true }\n[features]\njson = ['http?/json']\npush = ['dep:http']\n",
            ),
            (
                "http",
                "1.0.0",
                "[dependencies]\nserde = { version = '1', optional = true }\n[features]\njson = ['dep:serde']\n",
            ),
            ("serde", "1.0.0", ""),
        ],
    },
    Situation {
        name: "a dev-dependency that leaks its features",
        members: &[(
            "a",
            "[dependencies]\nmid = '1'\n[dev-dependencies]\nmid = { version = '1', features = ['push'] }\n",
        )],
        registry: &[
            (
                "mid",
                "1.0.0",
                "[dependencies]\nhttp = { version = '1', optional = true }\n[features]\npush = ['dep:http']\n",
            ),
            ("http", "1.0.0", ""),
        ],
    },
    Situation {
        name: "a build-dependency",
        members: &[(
            "a",
            "[dependencies]\nmid = '1'\n[build-dependencies]\nmid = { version = '1', features = ['push'] }\nmaker = '1'\n",
        )],
        registry: &[
            (
                "mid",
                "1.0.0",
                "[dependencies]\nhttp = { version = '1', optional = true }\n[features]\npush = ['dep:http']\n",
            ),
            ("maker", "1.0.0", "[dependencies]\nhttp = '1'\n"),
            ("http", "1.0.0", ""),
        ],
    },
    Situation {
        name: "a feature of one member, in one that links the lease and one that does not",
        members: &[
            ("lease", "[dependencies]\nmid = '1'\n"),
            (
                "links",
                "[dependencies]\nlease = { path = '../lease' }\n[features]\nextra = ['far/push']\n[dependencies.far]\nversion = '1'\n",
            ),
            ("alone", "[dependencies]\nmid = { version = '1', features = ['push'] }\n"),
        ],
        registry: &[
            (
                "mid",
                "1.0.0",
                "[dependencies]\nhttp = { version = '1', optional = true }\n[features]\npush = ['dep:http']\n",
            ),
            ("far", "1.0.0", "[dependencies]\nmid = '1'\n[features]\npush = ['mid/push']\n"),
            ("http", "1.0.0", ""),
        ],
    },
    Situation {
        name: "target-specific",
        members: &[(
            "a",
            "[target.'cfg(windows)'.dependencies]\nwin = '1'\n[target.'cfg(any())'.dependencies]\nnever = '1'\n\
             [target.x86_64-unknown-linux-gnu.dependencies]\nlinux = { version = '1', optional = true }\n\
             [target.'cfg(unix)'.dependencies]\nmid = { version = '1', features = ['push'] }\n[dependencies]\nmid = '1'\n",
        )],
        registry: &[
            ("win", "1.0.0", ""),
            ("never", "1.0.0", ""),
            ("linux", "1.0.0", ""),
            (
                "mid",
                "1.0.0",
                "[dependencies]\nhttp = { version = '1', optional = true }\n[features]\npush = ['dep:http']\n",
            ),
            ("http", "1.0.0", ""),
        ],
    },
    Situation {
        name: "two versions of one crate",
        members: &[("a", "[dependencies]\nhttp = '2'\nmid = '1'\n")],
        registry: &[
            ("mid", "1.0.0", "[dependencies]\nhttp = '1'\n"),
            ("http", "1.0.0", "[dependencies]\nold = '1'\n"),
            ("http", "2.0.0", ""),
            ("old", "1.0.0", ""),
        ],
    },
    Situation {
        name: "a path dependency",
        members: &[
            ("a", "[dependencies]\nb = { path = '../b', default-features = false }\n"),
            (
                "b",
                "[features]\ndefault = ['push']\npush = ['dep:http']\n[dependencies]\nhttp = { version = '1', optional = true }\n",
            ),
        ],
        registry: &[("http", "1.0.0", "")],
    },
    Situation {
        name: "a procedural macro",
        members: &[
            ("a", "[dependencies]\nderive = '1'\n"),
            ("m", "[lib]\nproc-macro = true\n[dependencies]\nhttp = '1'\n"),
        ],
        registry: &[
            ("derive", "1.0.0", "[lib]\nproc-macro = true\n[dependencies]\nhttp = '1'\n"),
            ("http", "1.0.0", ""),
        ],
    },
    Situation {
        name: "a server that pulls hyper without its client",
        members: &[("a", "[dependencies]\naxum = '1'\n[dev-dependencies]\nreqwest = '1'\n")],
        registry: &[
            ("axum", "1.0.0", "[dependencies]\nhyper = { version = '1', features = ['server'] }\n"),
            ("reqwest", "1.0.0", "[dependencies]\nhyper = { version = '1', features = ['client'] }\n"),
            (
                "hyper",
                "1.0.0",
                "[dependencies]\npool = { version = '1', optional = true }\n[features]\nclient = ['dep:pool']\nserver = []\n",
            ),
            ("pool", "1.0.0", ""),
        ],
    },
    Situation {
        name: "a coordinator with a second way round",
        members: &[("a", "[dependencies]\netcd = '1'\nmid = '1'\n")],
        registry: &[
            ("etcd", "1.0.0", "[dependencies]\ntonic = '1'\n"),
            ("mid", "1.0.0", "[dependencies]\netcd = '1'\ntonic = '1'\n"),
            ("tonic", "1.0.0", ""),
        ],
    },
];

fn place(situation: &Situation, resolver: &str) -> Place {
    let names: Vec<String> = situation.members.iter().map(|(name, _)| format!("'{name}'")).collect();
    let root = format!("[workspace]\nresolver = '{resolver}'\nmembers = [{}]\n", names.join(", "));
    let place = Place::new(&[("Cargo.toml", &root), (".cargo/config.toml", Place::VENDORED)]);
    for (name, rest) in situation.members {
        member(&place, name, rest);
    }
    for (name, version, rest) in situation.registry {
        place.vendor(name, version, rest);
    }
    place
}

fn member(place: &Place, name: &str, rest: &str) {
    let head = format!("[package]\nname = '{name}'\nversion = '0.1.0'\nedition = '2021'\n");
    place.write(&format!("{name}/Cargo.toml"), &(head + rest));
    place.write(&format!("{name}/src/lib.rs"), "");
    if rest.contains("build-dependencies") {
        place.write(&format!("{name}/build.rs"), "fn main() {}");
    }
}

#[test]
fn the_packages_are_those_of_cargo_tree() {
    for situation in SITUATIONS {
        for resolver in ["1", "2", "3"] {
            let place = place(situation, resolver);
            let (text, _) = place.workspace("");
            oracle::agrees(&place.root, &text, &format!("{} (resolver {resolver})", situation.name));
        }
    }
}

#[test]
fn patches_and_editions_agree_too() {
    for edition in ["2015", "2018", "2021", "2024"] {
        let place = Place::new(&[
            (
                "Cargo.toml",
                &format!(
                    "[package]\nname = 'a'\nversion = '0.1.0'\nedition = '{edition}'\n[dependencies]\nmid = '1'\n\
                     [dev-dependencies]\nmid = {{ version = '1', features = ['push'] }}\n[patch.crates-io]\nmid = {{ path = 'mine' }}\n"
                ),
            ),
            ("src/lib.rs", ""),
            (
                "mine/Cargo.toml",
                "[package]\nname = 'mid'\nversion = '1.5.0'\n[dependencies]\nhttp = { version = '1', optional = true }\n\
                 [features]\npush = ['dep:http']\n",
            ),
            ("mine/src/lib.rs", ""),
            (".cargo/config.toml", Place::VENDORED),
        ]);
        place.vendor("http", "1.0.0", "");
        let (text, workspace) = place.workspace("");
        oracle::agrees(&place.root, &text, &format!("patch, edition {edition}"));
        assert!(workspace.local().any(|(_, package)| package.name == "mid"), "a patched package is local");
    }
}

#[test]
fn a_git_dependency_agrees_too() {
    let place = Place::new(&[
        ("far/Cargo.toml", "[package]\nname = 'far'\nversion = '0.1.0'\n[features]\ndefault = ['x']\nx = []\n"),
        ("far/src/lib.rs", ""),
        ("home/.keep", ""),
    ]);
    let far = place.root.join("far");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"];
        let run = Command::new("git").args(identity).args(arguments).current_dir(&far).output();
        run.is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q"]) {
        eprintln!("skipped: there is no git");
        return;
    }
    assert!(git(&["add", "."]) && git(&["commit", "-qm", "far"]), "a local repository");
    place.write("w/Cargo.toml", "[package]\nname = 'w'\nversion = '0.1.0'\nedition = '2021'\n[dependencies]\nfar = { git = 'file://{root}/far' }\n");
    place.write("w/src/lib.rs", "");
    let online = Place::environment().with("CARGO_NET_OFFLINE", None);
    let text = place.metadata_in(online, "w", &Default::default()).expect("metadata");
    oracle::agrees(&place.root.join("w"), &text, "git");
    let workspace = crate::project::Workspace::read(&text, &|_| None).expect("read");
    assert!(workspace.packages.iter().all(|package| package.local == (package.name == "w")));
}
