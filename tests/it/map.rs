//! `map`: each format read by a tool that others wrote, and the page walked through in a browser.
//!
//! Needs Graphviz, Chromium and Node with the packages of tests/browser (`npm ci` there). Where one is
//! missing the test fails, unless `LEASE_GUARD_NO_BROWSER` is set outside of CI, and then says so.
//! `LEASE_GUARD_SHOTS=FOLDER` keeps screenshots of both themes and both sizes to look at.

use std::{fmt::Write as _, path::Path, process::Command};

use super::{
    fixtures,
    gate::{Said, offline, run},
    workspace::{Workspace, is_packaged, project, write},
};

const MANIFEST: &str = "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\ntokio-postgres = \"0.7\"\nreqwest = \"0.12\"\n";

/// Names and lines that would do something if anything but text were made of them.
pub(crate) fn hostile() -> Workspace {
    let rules = "[[lease]]\nname = \"</title></script><img src=x onerror=owned=1>\"\nmodules = [\"ferry::watch\"]\ncoordinators = [\"tokio-postgres\"]\n[forbid]\nstrings = [\"</script><script>owned=1</script>\"]\n";
    let watch = "pub async fn renew(db: &tokio_postgres::Client) {\n    // </script><script>owned=1</script> <!-- <img src=x onerror=owned=1> \u{202e}\n    crate::health::probe(db, \"</script><script>owned=1</script>%%{init: {}}%% `\\\" ]--> x\").await; // &lt;b&gt;\n}\n";
    let health = "pub struct Pulse {\n    pub beat: reqwest::Client,\n}\n\npub async fn probe(_db: &tokio_postgres::Client, _why: &str) {\n    let pulse = Pulse { beat: reqwest::Client::new() };\n    pulse.beat.get(\"\\u{2028}</style>\").send().await.ok();\n}\n";
    fixtures::workspace([
        ("Cargo.toml", MANIFEST),
        ("lease-guard.toml", rules),
        ("src/lib.rs", "pub mod watch;\n#[path = \"<img src=x onerror=owned=1> &quot;.rs\"]\npub mod health;\n"),
        ("src/watch.rs", watch),
        ("src/<img src=x onerror=owned=1> &quot;.rs", health),
    ])
}

/// Five items, one of which offends.
fn small() -> Workspace {
    fixtures::workspace([
        ("Cargo.toml", MANIFEST),
        ("lease-guard.toml", RULES),
        ("src/lib.rs", "pub mod watch;\nmod berth;\n"),
        (
            "src/watch.rs",
            "use crate::berth;\n\npub struct Watch {\n    pub epoch: i64,\n}\n\nimpl Watch {\n    pub async fn renew(&self, db: &tokio_postgres::Client) -> bool {\n        berth::is_free().await && db.execute(\"UPDATE watch\", &[&self.epoch]).await.is_ok()\n    }\n}\n",
        ),
        (
            "src/berth.rs",
            "const PIER: &str = \"http://pier\";\n\npub async fn is_free() -> bool {\n    ask(PIER).await\n}\n\nasync fn ask(pier: &str) -> bool {\n    reqwest::get(pier).await.is_ok()\n}\n",
        ),
    ])
}

/// 25 modules of 20 functions each, all reached; one of the last asks a model.
fn large() -> Workspace {
    let mut root = String::from("pub mod watch;\n");
    let mut watch = String::from(
        "pub async fn renew(db: &tokio_postgres::Client) {\n    db.execute(\"UPDATE\", &[]).await.ok();\n",
    );
    let mut files =
        vec![("Cargo.toml".to_owned(), MANIFEST.to_owned()), ("lease-guard.toml".to_owned(), RULES.to_owned())];
    for module in 0..25 {
        writeln!(root, "mod pier{module:02};").unwrap();
        if module < 4 {
            writeln!(watch, "    crate::pier{module:02}::berth00();").unwrap();
        }
        let mut text = String::new();
        for berth in 0..20 {
            writeln!(text, "pub fn berth{berth:02}() {{").unwrap();
            if berth < 19 {
                writeln!(text, "    berth{:02}();", berth + 1).unwrap();
            } else if module + 4 < 25 {
                writeln!(text, "    crate::pier{:02}::berth00();", module + 4).unwrap();
            } else {
                text.push_str("    let _ = reqwest::Client::new();\n");
            }
            if berth == 7 {
                writeln!(text, "    crate::pier{:02}::berth12();", (module + 9) % 25).unwrap();
            }
            text.push_str("}\n\n");
        }
        files.push((format!("src/pier{module:02}.rs"), text));
    }
    watch.push_str("}\n");
    files.extend([("src/lib.rs".to_owned(), root), ("src/watch.rs".to_owned(), watch)]);
    fixtures::workspace(files)
}

const RULES: &str =
    "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\ncoordinators = [\"tokio-postgres\"]\n";

fn map(workspace: &Workspace, format: &str) -> String {
    let said = offline(&workspace.path(), &["map", "--format", format]);
    assert_eq!(said.code, Some(0), "{format}: {said:?}");
    assert_eq!(said.stderr, "", "{format}");
    said.stdout
}

/// Whether the tools must be there: always, but where someone without them says so, and never in CI.
pub(crate) fn left_out(what: &str) -> bool {
    let left_out = std::env::var_os("LEASE_GUARD_NO_BROWSER").is_some() && std::env::var_os("CI").is_none();
    // The package has no node_modules, and no npm ci is asked for to test it.
    if left_out || is_packaged() {
        println!("{what} was not looked at: LEASE_GUARD_NO_BROWSER is set, or these are the tests of the package");
    }
    left_out || is_packaged()
}

fn tool(command: &mut Command) -> Said {
    let ready =
        "apt-get install chromium graphviz nodejs npm, and npm ci in tests/browser (or set LEASE_GUARD_NO_BROWSER=1)";
    let found = Command::new(command.get_program()).arg("--version").output();
    assert!(found.is_ok(), "{:?} cannot be started: {ready}", command.get_program());
    run(command)
}

pub(crate) fn script(name: &str) -> Command {
    let folder = project().join("tests/browser");
    assert!(
        folder.join("node_modules").is_dir(),
        "tests/browser/node_modules is missing: npm ci there (or set LEASE_GUARD_NO_BROWSER=1)"
    );
    let mut node = Command::new("node");
    node.arg(folder.join(name));
    node
}

fn all() -> [(&'static str, Workspace); 3] {
    [("hostile", hostile()), ("small", small()), ("large", large())]
}

fn in_a_file(workspace: &Workspace, name: &str, text: &str) -> std::path::PathBuf {
    let path = workspace.path().join(name);
    write(&path, text);
    path
}

#[test]
fn the_page_works_in_a_browser_whatever_the_names_are() {
    if left_out("the page") {
        return;
    }
    for (name, workspace) in all() {
        let page = in_a_file(&workspace, "map.html", &map(&workspace, "html"));
        let mut node = script("page.mjs");
        node.arg(page);
        if let Some(shots) = std::env::var_os("LEASE_GUARD_SHOTS") {
            node.arg(Path::new(&shots).join(name));
        }
        let said = tool(&mut node);
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), "ok\n"), "{name}: {said:?}");
    }
}

#[test]
fn graphviz_reads_the_dot_and_shows_text_as_text() {
    if left_out("the DOT") {
        return;
    }
    for (name, workspace) in all() {
        let dot = in_a_file(&workspace, "map.dot", &map(&workspace, "dot"));
        let said = tool(Command::new("dot").arg("-Tsvg").arg(dot));
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{name}: {said:?}");
        // Graphviz names a DTD, which is of no use here.
        let start = said.stdout.find("<svg").unwrap();
        let svg = roxmltree::Document::parse(&said.stdout[start..]).unwrap();
        assert!(svg.descendants().all(|node| !node.has_tag_name("img")), "{name}");
        if name == "hostile" {
            let texts: Vec<&str> = svg.descendants().filter_map(|node| node.text()).collect();
            assert!(texts.iter().any(|text| text.contains("</script><script>")), "{texts:?}");
        }
    }
}

#[test]
fn mermaid_reads_its_own_and_shows_text_as_text() {
    if left_out("the Mermaid") {
        return;
    }
    for (name, workspace) in all() {
        let chart = in_a_file(&workspace, "map.mmd", &map(&workspace, "mermaid"));
        let said = tool(script("mermaid.mjs").arg(chart));
        assert_eq!(said.code, Some(0), "{name}: {said:?}");
        if name == "hostile" {
            assert!(said.stdout.contains("</script><script>owned=1</script>"), "{}", said.stdout);
        }
    }
}

#[test]
fn the_svg_is_xml_with_nothing_that_runs_or_loads() {
    for (name, workspace) in all() {
        let text = map(&workspace, "svg");
        let svg = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        for node in svg.descendants().filter(|node| node.is_element()) {
            let tag = node.tag_name().name();
            assert!(
                ["svg", "title", "desc", "style", "defs", "marker", "path", "rect", "g", "text"].contains(&tag),
                "{name}: {tag}"
            );
            assert!(node.attributes().all(|attribute| !attribute.name().starts_with("on")), "{name}: {node:?}");
        }
        let shapes = svg.descendants().filter(|node| node.attribute("class").is_some_and(|c| c.starts_with("shape")));
        let shapes = shapes.count();
        assert!((5..=90).contains(&shapes), "{name}: {shapes} shapes");
    }
}

#[test]
fn the_same_workspace_is_drawn_in_the_same_bytes() {
    let workspace = large();
    for format in ["html", "svg", "dot", "mermaid"] {
        assert_eq!(map(&workspace, format), map(&workspace, format), "{format}");
    }
}

#[test]
fn the_endings_of_the_file_tell_the_format() {
    let workspace = small();
    for (file, start) in [
        ("map.html", "<!doctype html>"),
        ("map.svg", "<svg "),
        ("map.gv", "digraph "),
        ("map.mmd", "%% "),
        ("map", "<!doctype html>"),
    ] {
        let said = offline(&workspace.path(), &["map", "-o", file]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{said:?}");
        let text = std::fs::read_to_string(workspace.path().join(file)).unwrap();
        assert!(text.starts_with(start), "{file}: {}", &text[..40]);
        assert!(said.stderr.contains(&format!("wrote {file}")), "{said:?}");
    }
    let said = offline(&workspace.path(), &["map", "-o", "map.png"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("--format") && !workspace.path().join("map.png").exists(), "{said:?}");
}

#[test]
fn what_cannot_be_looked_at_is_not_drawn() {
    let workspace = small().file("src/watch.rs", "pub fn renew( {\n");
    let said = offline(&workspace.path(), &["map", "-o", "map.svg"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(!workspace.path().join("map.svg").exists() && !said.stderr.is_empty());
}

#[test]
fn a_small_path_is_drawn_item_by_item() {
    insta::assert_snapshot!("small_path_as_mermaid", map(&small(), "mermaid"));
}
