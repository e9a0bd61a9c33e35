//! The picture of the floors, kept true: who may import whom, what may be named where, how long a file
//! may be.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use syn::visit::{self, Visit};

use super::workspace::project;

/// From the ground up: a floor may import itself and those before it.
const FLOORS: [&str; 20] = [
    "base", "finding", "cli", "config", "timing", "project", "source", "fence", "resolve", "types", "reach", "lints",
    "report", "run", "canary", "drill", "guard", "map", "card", "commands",
];

/// A library that is an inner matter of one place: its name in source, and the path it is confined to.
const CONFINED: [(&str, &str); 16] = [
    ("syn", "source"),
    ("proc_macro2", "source"),
    ("sqlparser", "fence"),
    ("cargo_metadata", "project"),
    ("guppy", "project"),
    ("annotate_snippets", "report/human"),
    ("dugong", "map/layout"),
    ("clap", "cli"),
    ("clap_cargo", "cli"),
    ("clap_complete", "cli"),
    ("clap_mangen", "cli"),
    ("landlock", "drill/linux"),
    ("nix", "drill/linux"),
    ("rustix", "drill/linux"),
    ("seccompiler", "drill/linux"),
    ("signal_hook", "drill/linux"),
];

struct Source {
    /// Below `src`, with `/`.
    path: String,
    text: String,
    tree: syn::File,
}

fn sources() -> Vec<Source> {
    let src = project().join("src");
    let mut folders = vec![src.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let tree = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                let path = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
                found.push(Source { path, text, tree });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 10, "src was not found");
    found
}

impl Source {
    /// The floor that the file is of: its folder, or its own name.
    fn floor(&self) -> &str {
        self.path.split('/').next().unwrap().trim_end_matches(".rs")
    }

    /// Whether the whole file is a test.
    fn is_test(&self) -> bool {
        let stem = Path::new(&self.path).file_stem().unwrap().to_str().unwrap();
        stem == "tests" || stem.ends_with("_tests") || self.path.contains("/tests/") || stem == "sample"
    }

    /// Its module path below the crate: `["cli", "meaning"]`.
    fn module(&self) -> Vec<String> {
        let plain = self.path.trim_end_matches(".rs").trim_end_matches("/mod");
        plain.split('/').map(str::to_owned).collect()
    }
}

/// All paths of a file that is no test, as segments.
#[derive(Default)]
struct Paths(BTreeSet<Vec<String>>);

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        a.path().is_ident("test") || a.path().is_ident("cfg") && a.parse_args::<syn::Ident>().is_ok_and(|i| i == "test")
    })
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.insert(path.segments.iter().map(|s| s.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

impl Paths {
    fn tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before);
                before.pop();
            }
            syn::UseTree::Name(name) => self.leaf(&name.ident.to_string(), before),
            syn::UseTree::Rename(name) => self.leaf(&name.ident.to_string(), before),
            syn::UseTree::Glob(_) => self.leaf("*", before),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before)),
        }
    }

    fn leaf(&mut self, name: &str, before: &[String]) {
        self.0.insert(before.iter().cloned().chain([name.to_owned()]).collect());
    }
}

fn paths(source: &Source) -> BTreeSet<Vec<String>> {
    let mut paths = Paths::default();
    paths.visit_file(&source.tree);
    paths.0
}

/// The floor that a path leads to, if it leads into this crate by `crate` or enough `super`s.
fn floor_of(path: &[String], source: &Source) -> Option<String> {
    let mut module = source.module();
    let rest = match path.first()?.as_str() {
        "crate" => {
            module.clear();
            &path[1..]
        }
        "super" => {
            let ups = path.iter().take_while(|segment| *segment == "super").count();
            module.truncate(module.len().saturating_sub(ups));
            &path[ups..]
        }
        _ => return None,
    };
    module.into_iter().chain(rest.iter().cloned()).next()
}

#[test]
fn imports_point_downwards() {
    let rank = |floor: &str| FLOORS.iter().position(|f| *f == floor);
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|s| !s.is_test() && s.floor() != "lib" && s.floor() != "main") {
        let Some(own) = rank(source.floor()) else {
            wrong.push(format!("src/{} is on no floor: give `{}` its place in FLOORS", source.path, source.floor()));
            continue;
        };
        for path in paths(source) {
            let Some(floor) = floor_of(&path, source) else { continue };
            match rank(&floor) {
                Some(theirs) if theirs <= own => {}
                Some(_) => wrong.push(format!("src/{} ({}) imports {}", source.path, source.floor(), path.join("::"))),
                None => wrong.push(format!("src/{} names {}, which is no floor", source.path, path.join("::"))),
            }
        }
    }
    assert!(wrong.is_empty(), "a floor may only import those below it:\n{}", wrong.join("\n"));
}

#[test]
fn a_library_stays_where_it_belongs() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        for path in paths(source) {
            for (library, place) in CONFINED {
                if path[0] == library && !source.path.starts_with(place) {
                    wrong.push(format!("src/{} names {}; only src/{place} may", source.path, path.join("::")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_can_be_held_in_the_head() {
    let mut wrong = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > 600 {
            wrong.push(format!("src/{} has {lines} lines; 600 are the most", source.path));
        }
        let stem = Path::new(&source.path).file_stem().unwrap().to_str().unwrap().to_owned();
        if source
            .path
            .split('/')
            .any(|part| matches!(part.trim_end_matches(".rs"), "utils" | "util" | "helpers" | "common" | "misc"))
        {
            wrong.push(format!("src/{}: a name that says nothing about what is inside", source.path));
        }
        if stem == "mod" && !source.is_test() && !source.tree.items.iter().all(is_signpost) {
            wrong.push(format!("src/{}: a mod.rs declares and re-exports, it holds no logic", source.path));
        }
        if !source.is_test() && !source.text.starts_with("//!") {
            wrong.push(format!("src/{} does not say at its head what it is for", source.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn is_signpost(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Use(_)) || matches!(item, syn::Item::Mod(module) if module.content.is_none())
}

#[test]
fn a_lint_is_silenced_by_expect_with_a_reason() {
    let wrong: Vec<_> = sources()
        .iter()
        .flat_map(|source| source.text.lines().enumerate().map(move |(at, line)| (source, at, line.trim().to_owned())))
        .filter(|(_, _, line)| {
            let silences = line.starts_with("#[allow(") || line.starts_with("#![allow(");
            silences || line.starts_with("#[expect(") && line.ends_with(")]") && !line.contains("reason")
        })
        .map(|(source, at, line)| format!("src/{}:{}: {line}", source.path, at + 1))
        .collect();
    assert!(wrong.is_empty(), "`#[expect(..., reason = \"...\")]`, not:\n{}", wrong.join("\n"));
}

#[test]
fn newcomers_are_told_of_every_floor() {
    let page = fs::read_to_string(project().join("CONTRIBUTING.md")).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with("The floors")).unwrap();
    let told: Vec<_> = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(told, FLOORS);
}
