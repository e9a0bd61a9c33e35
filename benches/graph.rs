//! Prints how long the dependency graph takes beside `cargo metadata`, on this package or, with
//! `LEASE_GUARD_BENCH=FOLDER`, on another workspace. Best of a few rounds, in milliseconds.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench speaks, and may stop")]

use std::{collections::BTreeSet, time::Instant};

use camino::Utf8PathBuf;
use lease_guard::{
    base::Files,
    project::{
        Manifests, Workspace,
        cargo::{CargoOptions, MetadataRun, locate},
        graph::{ChainQuery, ChainRules, Graph},
    },
};

const ROUNDS: usize = 5;

/// The best time of a few rounds, with the last result.
fn best<T>(what: &str, mut work: impl FnMut() -> T) -> T {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let value = work();
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
        last = Some(value);
    }
    println!("{what:44} {best:9.2} ms");
    last.unwrap()
}

fn main() {
    let folder = std::env::var("LEASE_GUARD_BENCH").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").into());
    let located = locate(&Utf8PathBuf::from(folder), None).unwrap();
    let options = CargoOptions::default();
    let text = best("cargo metadata", || MetadataRun::start(&located, &options).wait().unwrap());
    let workspace = best("reading its output", || Workspace::read(&text, &|_| None).unwrap());
    println!("{:44} {:9}", "packages", workspace.packages.len());
    let files = Files::new(workspace.root.clone());
    let manifests = Manifests::new(&files, &workspace);
    best("the resolver, for all members", || {
        let graph = Graph::new(&workspace, &manifests, &text, &options);
        graph.warm().unwrap();
    });
    let questions: Vec<_> = workspace
        .ids()
        .filter(|(_, package)| package.member)
        .flat_map(|(id, package)| package.dependencies.iter().filter_map(move |d| Some((id, d.resolved?))))
        .collect();
    let counts = |name: &str, features: &BTreeSet<String>| match name {
        "reqwest" | "ureq" | "tonic" => true,
        "hyper" => features.contains("client"),
        _ => false,
    };
    let ask = |counts: &dyn Fn(&str, &BTreeSet<String>) -> bool| {
        let graph = Graph::new(&workspace, &manifests, &text, &options);
        let found = |(user, named): &(_, _)| {
            let rules = ChainRules { counts, serves: &|_, _| false, cut: &|_| false };
            let query = ChainQuery { lease: &[*user], user: *user, named: *named, rules };
            graph.chains(&query).unwrap().chains.len()
        };
        questions.iter().map(found).sum::<usize>()
    };
    println!("{:44} {:9}", "crates that members name", questions.len());
    best("... none leads to a forbidden one", || ask(&|_, _| false));
    let chains = best("... each chain to a client", || ask(&counts));
    println!("{:44} {chains:9}", "chains");
}
