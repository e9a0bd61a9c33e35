//! docs/editors.md: the settings parse as the editors' own formats, name one and the same command, and what that command
//! prints is cargo's messages, the compiler's and ours.

use std::{fs, path::Path};

use cargo_metadata::Message;
use serde_json::Value;

use super::{
    fixtures,
    gate::{Said, offline, run, scrubbed},
    tools::{fed, script},
    workspace::{Workspace, project},
};

fn page() -> String {
    fs::read_to_string(project().join("docs/editors.md")).unwrap().replace("\r\n", "\n")
}

/// The first block behind a heading, which must be of this language.
fn block(heading: &str, language: &str) -> String {
    let page = page();
    let (_, section) = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
    let (_, block) = section.split_once(&format!("```{language}\n")).expect("a block");
    block.split_once("```").expect("its end").0.to_owned()
}

/// The setting at this path, as words.
fn words(settings: &Value, path: &[&str]) -> Vec<String> {
    let found = path.iter().fold(settings, |value, key| &value[*key]);
    let words = found.as_array().unwrap_or_else(|| panic!("{path:?} is no list in {settings}"));
    words.iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
}

/// The command as each editor would run it.
fn commands() -> Vec<(&'static str, Vec<String>)> {
    let json = |heading| serde_json::from_str::<Value>(&block(heading, "json")).expect("JSON");
    let toml: toml::Table = block("## Helix", "toml").parse().expect("TOML");
    let toml = serde_json::to_value(toml).unwrap();
    let mut all = vec![
        ("VS Code", words(&json("## VS Code"), &["rust-analyzer.check.overrideCommand"])),
        ("Helix", words(&toml, &["language-server", "rust-analyzer", "config", "check", "overrideCommand"])),
        (
            "Zed",
            words(&json("## Zed"), &["lsp", "rust-analyzer", "initialization_options", "check", "overrideCommand"]),
        ),
    ];
    if let Some(mut lua) = script("lua.py") {
        let said = fed(&mut lua, &block("## Neovim", "lua"));
        assert_eq!(said.code, Some(0), "{said:?}");
        let kept: Value = serde_json::from_str(&said.stdout).expect("JSON");
        all.push(("Neovim", words(&kept, &["rust_analyzer", "settings", "rust-analyzer", "check", "overrideCommand"])));
    }
    all
}

/// The command in a workspace, where the binary is on the path and there is no network.
fn ran(command: &[String], folder: &Path) -> Said {
    let binary = Path::new(env!("CARGO_BIN_EXE_cargo-lease-guard")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([binary].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let target = folder.join("target");
    run(scrubbed(&command[0])
        .args(&command[1..])
        .current_dir(folder)
        .env("PATH", path)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_NET_OFFLINE", "true"))
}

#[test]
fn every_editor_runs_one_and_the_same_command() {
    let (_, rest) = page().split_once("```sh\n").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("the command");
    let line = rest.lines().next().unwrap().to_owned();
    for (editor, words) in commands() {
        assert_eq!(words, ["sh", "-c", &line], "{editor}");
    }
}

#[cfg(unix)]
#[test]
fn the_command_prints_the_compilers_messages_and_ours() {
    let workspace: Workspace = fixtures::workspace([
        ("Cargo.toml", "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("lease-guard.toml", "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\n"),
        ("src/lib.rs", "pub mod watch;\nmod bell;\n"),
        ("src/watch.rs", "pub fn renew() -> bool {\n    let unused = 1;\n    crate::bell::ring()\n}\n"),
        ("src/bell.rs", "pub fn ring() -> bool {\n    std::process::Command::new(\"bell\").status().is_ok()\n}\n"),
    ]);
    let root = workspace.path();
    // The first run writes a lock, and says so.
    offline(&root, &[]);
    let (_, command) = commands().swap_remove(0);
    let said = ran(&command, &root);
    let (mut codes, mut ends) = (Vec::new(), Vec::new());
    for message in Message::parse_stream(said.stdout.as_bytes()) {
        match message.expect("a line of cargo's") {
            Message::CompilerMessage(message) => {
                let code = message.message.code.map(|code| code.code).unwrap_or_default();
                let places = message.message.children.iter().flat_map(|child| &child.spans);
                let places: Vec<String> =
                    places.map(|span| format!("{}:{}", span.file_name, span.line_start)).collect();
                let span = message.message.spans.first().map(|span| format!("{}:{}", span.file_name, span.line_start));
                codes.push((code, span.unwrap_or_default(), places));
            }
            Message::BuildFinished(end) => ends.push(end.success),
            Message::TextLine(line) => panic!("rust-analyzer would drop this line: {line}"),
            _ => {}
        }
    }
    assert_eq!(ends, [true, false], "{said:?}");
    let seen = |code: &str, place: &str| codes.iter().find(|(c, p, _)| c == code && p == place);
    assert!(seen("unused_variables", "src/watch.rs:2").is_some(), "{codes:?}");
    let (_, _, route) = seen("raw-transport", "src/bell.rs:2").unwrap_or_else(|| panic!("{codes:?}"));
    assert!(route.contains(&"src/watch.rs:3".to_owned()), "{route:?}");
}
