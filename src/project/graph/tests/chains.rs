//! What chains are told, and in which builds they are judged to be linked.

use std::collections::BTreeSet;

use crate::{
    base::Files,
    project::{
        Manifests, Workspace,
        cargo::{CargoOptions, MetadataText},
        graph::{ChainQuery, ChainRules, Found, Graph, Linked, Mark},
        testing::Place,
    },
};

const HYPER: (&str, &str) = ("hyper", "[features]\nclient = []\nserver = []\nfull = ['client', 'server']\n");
const UREQ: (&str, &str) = ("ureq", "[dependencies]\nhyper = { version = '1', features = ['client'] }\n");
const STATSD: (&str, &str) = (
    "statsd",
    "[dependencies]\nureq = { version = '1', optional = true }\n[features]\ndefault = ['push']\npush = ['dep:ureq']\n",
);

fn counts(name: &str, features: &BTreeSet<String>) -> bool {
    match name {
        "ureq" | "reqwest" => true,
        "hyper" => features.contains("client"),
        "socket" => features.contains("default"),
        _ => false,
    }
}

fn rules<'a>(cut: &'a dyn Fn(&str) -> bool) -> ChainRules<'a> {
    ChainRules { counts: &counts, serves: &|package, of| package == "warp" && of == "hyper", cut }
}

struct Case {
    place: Place,
    text: MetadataText,
    options: CargoOptions,
}

impl Case {
    fn new(members: &[(&str, &str)], registry: &[(&str, &str)]) -> Self {
        Self::with(members, registry, CargoOptions::default())
    }

    fn with(members: &[(&str, &str)], registry: &[(&str, &str)], options: CargoOptions) -> Self {
        let names: Vec<String> = members.iter().map(|(name, _)| format!("'{name}'")).collect();
        let root = format!("[workspace]\nresolver = '2'\nmembers = [{}]\n", names.join(", "));
        let place = Place::new(&[("Cargo.toml", &root), (".cargo/config.toml", Place::VENDORED)]);
        for (name, rest) in members {
            let head = format!("[package]\nname = '{name}'\nversion = '0.1.0'\nedition = '2021'\n");
            place.write(&format!("{name}/Cargo.toml"), &(head + rest));
            place.write(&format!("{name}/src/lib.rs"), "");
        }
        for (name, rest) in registry {
            place.vendor(name, "1.0.0", rest);
        }
        let text = place.metadata("", &options).expect("metadata");
        Self { place, text, options }
    }

    fn ask(&self, lease: &str, user: &str, named: &str, cut: &[&str]) -> (Found, Vec<String>) {
        let workspace = Workspace::read(&self.text, &|_| None).expect("a workspace");
        let files = Files::new(self.place.root.clone());
        let manifests = Manifests::new(&files, &workspace);
        let graph = Graph::new(&workspace, &manifests, &self.text, &self.options);
        let id = |name: &str| workspace.named(name).next().expect("a package").0;
        let cut = |name: &str| cut.contains(&name);
        let query = ChainQuery { lease: &[id(lease)], user: id(user), named: id(named), rules: rules(&cut) };
        let found = graph.chains(&query).expect("judged");
        let shown = found.chains.iter().map(|chain| {
            let links = chain.links.iter().map(|link| {
                let mut out = link.package.clone();
                if let Some(feature) = &link.feature {
                    out += &format!(" [{feature}]");
                }
                if let Some(target) = &link.target {
                    out += &format!(" [{target}]");
                }
                if let Some(place) = link.place {
                    let file = files.get(place.file);
                    out += &format!(" ({}:{})", file.path, file.line_column(place.start).line);
                }
                out
            });
            let others = if chain.others > 0 { format!(" +{}", chain.others) } else { String::new() };
            let by = match &chain.linked {
                Linked::WithLease => String::new(),
                Linked::OnlyBy { member, feature } => {
                    format!(" only by {member} ({})", feature.clone().unwrap_or_default())
                }
            };
            format!("{}{others}{by}", links.collect::<Vec<_>>().join(" > "))
        });
        let shown = shown.collect();
        (found, shown)
    }

    fn chains(&self, lease: &str, user: &str, named: &str) -> Vec<String> {
        self.ask(lease, user, named, &[]).1
    }
}

#[test]
fn a_feature_that_only_another_member_switches_on_is_a_warning() {
    let lease = ("lease", "[dependencies]\nstatsd = { version = '1', default-features = false }\n");
    let board = ("board", "[dependencies]\nstatsd = '1'\n");
    let case = Case::new(&[lease, board], &[STATSD, UREQ, HYPER]);
    assert_eq!(
        case.chains("lease", "lease", "statsd"),
        ["statsd (lease/Cargo.toml:6) > ureq [statsd/push] only by board (statsd/push)"]
    );
    // A member that links the lease and switches it on makes it an offence.
    let linking = ("board", "[dependencies]\nstatsd = '1'\nlease = { path = '../lease' }\n");
    let case = Case::new(&[lease, linking], &[STATSD, UREQ, HYPER]);
    assert_eq!(case.chains("lease", "lease", "statsd"), ["statsd (lease/Cargo.toml:6) > ureq [statsd/push]"]);
}

#[test]
fn a_feature_that_another_crate_of_the_same_build_switches_on_counts() {
    let lease = ("lease", "[dependencies]\nstatsd = { version = '1', default-features = false }\nboard = '1'\n");
    let case = Case::new(&[lease], &[STATSD, UREQ, HYPER, ("board", "[dependencies]\nstatsd = '1'\n")]);
    assert_eq!(case.chains("lease", "lease", "statsd"), ["statsd (lease/Cargo.toml:6) > ureq [statsd/push]"]);
}

#[test]
fn a_server_is_no_client_though_another_crate_asks_for_it() {
    let axum = ("axum", "[dependencies]\nhyper = { version = '1', features = ['server'] }\n");
    let wrapper = ("wrapper", "[dependencies]\naxum = '1'\nplain = '1'\n");
    let plain = ("plain", "[dependencies]\nhyper = { version = '1', features = ['full'] }\n");
    let lease = ("lease", "[dependencies]\naxum = '1'\nwrapper = '1'\nureq = '1'\n");
    let case = Case::new(&[lease], &[axum, wrapper, plain, UREQ, HYPER]);
    assert!(case.chains("lease", "lease", "axum").is_empty());
    // Behind the wrapper it is the crate that asks for the client that is told, by a feature that implies it.
    assert_eq!(case.chains("lease", "lease", "wrapper"), ["wrapper (lease/Cargo.toml:7) > plain > hyper"]);
}

#[test]
fn features_are_followed_from_what_the_user_asks_for() {
    let facade = (
        "facade",
        "[dependencies]\nhyper = '1'\n[features]\ndefault = ['out']\nout = ['hyper/client']\nin = ['hyper/server']\n",
    );
    let serves = ("lease", "[dependencies]\nfacade = { version = '1', default-features = false, features = ['in'] }\n");
    let calls = ("other", "[dependencies]\nfacade = '1'\nlease = { path = '../lease' }\n");
    let case = Case::new(&[serves, calls], &[facade, HYPER]);
    assert!(case.chains("lease", "lease", "facade").is_empty());
    assert_eq!(case.chains("lease", "other", "facade"), ["facade (other/Cargo.toml:6) > hyper"]);
}

#[test]
fn what_a_server_asks_for_counts_for_nothing() {
    let lease = ("lease", "[dependencies]\nwarp = '1'\ncalls = '1'\n");
    let hyper = (
        "hyper",
        "[dependencies]\nureq = { version = '1', optional = true }\n[features]\nclient = []\nmore = ['ureq']\n",
    );
    let asks = "[dependencies]\nhyper = { version = '1', features = ['client'] }\n";
    let case = Case::new(&[lease], &[("warp", asks), ("calls", asks), hyper, ("ureq", "")]);
    assert!(case.chains("lease", "lease", "warp").is_empty());
    assert_eq!(case.chains("lease", "lease", "calls"), ["calls (lease/Cargo.toml:7) > hyper"]);
}

#[test]
fn default_features_are_asked_for_also_where_there_are_none() {
    let lease = ("lease", "[dependencies]\nserver = '1'\ncaller = '1'\n");
    let registry = [
        ("server", "[dependencies]\nsocket = { version = '1', default-features = false }\n"),
        ("caller", "[dependencies]\nsocket = '1'\n"),
        ("socket", ""),
    ];
    let case = Case::new(&[lease], &registry);
    assert!(case.chains("lease", "lease", "server").is_empty());
    assert_eq!(case.chains("lease", "lease", "caller"), ["caller (lease/Cargo.toml:7) > socket"]);
}

#[test]
fn the_first_forbidden_crate_is_the_subject_and_the_shortest_chain_is_told() {
    let lease = ("lease", "[dependencies]\ntop = '1'\n");
    let registry = [
        ("top", "[dependencies]\nzeta = '1'\nalpha = '1'\nlong = '1'\n"),
        ("long", "[dependencies]\nalpha = '1'\n"),
        ("alpha", "[dependencies]\nureq = '1'\n"),
        ("zeta", "[dependencies]\nureq = '1'\nreqwest = '1'\n"),
        ("reqwest", "[dependencies]\nureq = '1'\n"),
        UREQ,
        HYPER,
    ];
    let case = Case::new(&[lease], &registry);
    assert_eq!(
        case.chains("lease", "lease", "top"),
        ["top (lease/Cargo.toml:6) > alpha > ureq +1", "top (lease/Cargo.toml:6) > zeta > reqwest"]
    );
}

#[test]
fn a_coordinator_cuts_and_a_second_way_round_is_still_found() {
    let lease = ("lease", "[dependencies]\ntop = '1'\nonly = '1'\n");
    let registry = [
        ("only", "[dependencies]\netcd = '1'\n"),
        ("top", "[dependencies]\netcd = '1'\nround = '1'\n"),
        ("round", "[dependencies]\nfurther = '1'\n"),
        ("further", "[dependencies]\nureq = '1'\n"),
        ("etcd", "[dependencies]\nureq = '1'\n"),
        UREQ,
        HYPER,
    ];
    let case = Case::new(&[lease], &registry);
    let (found, shown) = case.ask("lease", "lease", "only", &["etcd"]);
    assert!(shown.is_empty());
    assert_eq!(found.cut_at, BTreeSet::from(["etcd".to_owned()]));
    let (_, shown) = case.ask("lease", "lease", "top", &["etcd"]);
    assert_eq!(shown, ["top (lease/Cargo.toml:6) > round > further > ureq"]);
}

#[test]
fn links_say_feature_target_and_inherited_line() {
    let lease = (
        "lease",
        "[target.'cfg(unix)'.dependencies]\ntop = { version = '1', optional = true, features = ['net'] }\n[features]\non = ['dep:top']\n",
    );
    let top = (
        "top",
        "[target.'cfg(windows)'.dependencies]\nureq = { version = '1', optional = true }\n[features]\nnet = ['dep:ureq']\n",
    );
    let case = Case::new(&[lease], &[top, UREQ, HYPER]);
    assert_eq!(
        case.chains("lease", "lease", "top"),
        ["top [lease/on] [cfg(unix)] (lease/Cargo.toml:6) > ureq [top/net] [cfg(windows)]"]
    );
}

#[test]
fn the_usual_flags_narrow_the_graph() {
    let lease =
        ("lease", "[dependencies]\nstatsd = { version = '1', optional = true }\n[features]\non = ['dep:statsd']\n");
    let options = |features: &[&str], targets: &[&str]| CargoOptions {
        features: crate::base::Features::from_flags(
            false,
            false,
            &features.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(),
        ),
        targets: targets.iter().map(|name| (*name).to_owned()).collect(),
        ..CargoOptions::default()
    };
    let case = Case::with(&[lease], &[STATSD, UREQ, HYPER], options(&["on"], &[]));
    assert_eq!(case.chains("lease", "lease", "statsd").len(), 1);
    let unix = ("lease", "[dependencies]\ntop = '1'\n");
    let top = ("top", "[target.'cfg(windows)'.dependencies]\nureq = '1'\n");
    let case = Case::with(&[unix], &[top, UREQ, HYPER], options(&[], &["x86_64-unknown-linux-gnu"]));
    assert!(case.chains("lease", "lease", "top").is_empty());
    let case = Case::with(&[unix], &[top, UREQ, HYPER], options(&[], &["x86_64-pc-windows-msvc"]));
    assert_eq!(case.chains("lease", "lease", "top").len(), 1);
}

#[test]
fn a_package_that_only_tests_use_is_its_own_build() {
    let lease = ("lease", "[dev-dependencies]\nhelper = { path = '../helper' }\n");
    let case = {
        let place = Place::new(&[
            ("Cargo.toml", "[workspace]\nresolver = '2'\nmembers = ['lease']\nexclude = ['helper']\n"),
            (".cargo/config.toml", Place::VENDORED),
            ("helper/Cargo.toml", "[package]\nname = 'helper'\nversion = '0.1.0'\n[dependencies]\nstatsd = '1'\n"),
            ("helper/src/lib.rs", ""),
            ("lease/Cargo.toml", &format!("[package]\nname = 'lease'\nversion = '0.1.0'\n{}", lease.1)),
            ("lease/src/lib.rs", ""),
        ]);
        for (name, rest) in [STATSD, UREQ, HYPER] {
            place.vendor(name, "1.0.0", rest);
        }
        let text = place.metadata("", &CargoOptions::default()).expect("metadata");
        Case { place, text, options: CargoOptions::default() }
    };
    assert_eq!(case.chains("helper", "helper", "statsd"), ["statsd (helper/Cargo.toml:5) > ureq [statsd/push]"]);
}

#[test]
fn packages_are_linked_together_where_one_build_has_both() {
    let case = Case::new(
        &[
            ("lease", ""),
            ("impls", ""),
            ("app", "[dependencies]\nlease = { path = '../lease' }\nimpls = { path = '../impls' }\n"),
            (
                "tests",
                "[dev-dependencies]\nlease = { path = '../lease' }\n[dependencies]\nother = { path = '../other' }\n",
            ),
            ("other", ""),
        ],
        &[],
    );
    let workspace = Workspace::read(&case.text, &|_| None).expect("a workspace");
    let files = Files::new(case.place.root.clone());
    let manifests = Manifests::new(&files, &workspace);
    let graph = Graph::new(&workspace, &manifests, &case.text, &case.options);
    let id = |name: &str| workspace.named(name).next().expect("a package").0;
    assert!(graph.linked_together(id("lease"), id("impls")).expect("judged"));
    assert!(!graph.linked_together(id("lease"), id("other")).expect("judged"));
    let builds = graph.builds(&[id("lease")], id("lease")).expect("judged");
    assert_eq!(builds, [id("lease"), id("app")]);
}

#[test]
fn the_tree_is_cargo_s_with_the_cuts_marked() {
    let axum = ("axum", "[dependencies]\nhyper = { version = '1', features = ['server'] }\nbase = '1'\n");
    let lease = (
        "lease",
        "[dependencies]\naxum = '1'\netcd = '1'\ntop = '1'\nstatsd = { version = '1', default-features = false }\n",
    );
    let app = ("app", "[dependencies]\nlease = { path = '../lease' }\nstatsd = '1'\n");
    let same = ("same", "[dependencies]\nlease = { path = '../lease' }\n");
    let registry = [
        axum,
        ("base", ""),
        ("etcd", "[dependencies]\nureq = '1'\n"),
        ("top", "[dependencies]\nureq = '1'\naxum = '1'\n"),
        STATSD,
        UREQ,
        HYPER,
    ];
    let case = Case::new(&[lease, app, same], &registry);
    let workspace = Workspace::read(&case.text, &|_| None).expect("a workspace");
    let files = Files::new(case.place.root.clone());
    let manifests = Manifests::new(&files, &workspace);
    let graph = Graph::new(&workspace, &manifests, &case.text, &case.options);
    let (id, _) = workspace.named("lease").next().expect("a package");
    let trees = graph.trees(id, rules(&|name| name == "etcd")).expect("judged");
    let shown: Vec<(Vec<&str>, String)> = trees
        .iter()
        .map(|tree| {
            let builds = tree.builds.iter().map(|id| workspace.package(*id).name.as_str()).collect();
            let lines = tree.lines.iter().map(|line| {
                let mark = match line.mark {
                    Mark::None => "",
                    Mark::Coordinator => " (coordinator)",
                    Mark::Forbidden => " (forbidden)",
                };
                let repeated = if line.repeated { " (*)" } else { "" };
                format!("{}{}{mark}{repeated}\n", line.prefix, workspace.package(line.package).name)
            });
            (builds, lines.collect())
        })
        .collect();
    let tree = |statsd: &str| {
        format!(
            "lease\n├── axum\n│   ├── base\n│   └── hyper\n├── etcd (coordinator)\n├── statsd\n{statsd}└── top\n    \
             ├── axum (*)\n    └── ureq (forbidden)\n"
        )
    };
    assert_eq!(shown, [(vec!["lease", "same"], tree("")), (vec!["app"], tree("│   └── ureq (forbidden)\n"))]);
}
