//! Every format of a check, read by what others wrote: the standard's schema, cargo's own message
//! types, an XML parser. Each place that a format names is cut out of the file on disk and must be the
//! text that the JSON report points at.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use cargo_metadata::{CompilerMessage, Message, diagnostic::DiagnosticSpan};
use serde_json::Value;

use super::{
    fixtures,
    gate::{Said, gate, offline, run, scrubbed},
    tools::{fed, script},
    workspace::{Workspace, project},
};

const MANIFEST: &str = "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\ntokio-postgres = \"0.7\"\nreqwest = \"0.12\"\nharbour-gauge = \"0.3\"\n";
const RULES: &str = "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\ncoordinators = [\"tokio-postgres\"]\n\n[[exception]]\nlint = \"raw-transport\"\nsubject = \"std::process::Command\"\nreason = \"the bell is rung by hand until spring\"\n";
/// Lines that end in CR LF, a byte-order mark, and letters of two and of four bytes.
const WATCH: &str = "\u{feff}// Prüfung der Wache \u{1f6a2}\r\nuse crate::reading;\r\n\r\npub async fn renew(db: &tokio_postgres::Client) -> bool {\r\n    let größe = \"äöü\"; reading::ask_the_pier(größe).await;\r\n    harbour_gauge::record(1);\r\n    std::process::Command::new(\"bell\").status().is_ok() && db.execute(\"UPDATE\", &[]).await.is_ok()\r\n}\r\n";
const READING: &str =
    "pub async fn ask_the_pier(größe: &str) {\n\t/* \u{1f6a2} */ reqwest::get(größe).await.ok();\n}\n";

fn files(watch: &str) -> [(&'static str, String); 5] {
    [
        ("Cargo.toml", MANIFEST.to_owned()),
        ("lease-guard.toml", RULES.to_owned()),
        ("src/lib.rs", "pub mod watch;\nmod reading;\n".to_owned()),
        ("src/watch.rs", watch.to_owned()),
        ("src/reading.rs", READING.to_owned()),
    ]
}

/// It offends by a route, by a chain, and by what an exception forgives.
fn ferry() -> Workspace {
    let workspace = fixtures::workspace(files(WATCH));
    // The first run writes a lock, and says so.
    offline(&workspace.path(), &[]);
    workspace
}

/// The same, in a folder of a repository.
fn ferry_within(folder: &str) -> Workspace {
    let files = files(WATCH).map(|(path, text)| (format!("{folder}/{path}"), text));
    let workspace = fixtures::workspace(files).file(".git/HEAD", "ref: refs/heads/main\n");
    offline(&workspace.path().join(folder), &[]);
    workspace
}

fn broken() -> Workspace {
    ferry().file("lease-guard.toml", "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::wach\"]\n")
}

fn printed(folder: &Path, format: &str) -> String {
    let said = offline(folder, &["--format", format]);
    assert_eq!(said.code, Some(1), "{format}: {said:?}");
    said.stdout
}

fn read(folder: &Path, format: &str) -> Value {
    serde_json::from_str(&printed(folder, format)).expect("JSON")
}

fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))).unwrap()
}

/// Lines and columns from 1, the end behind the last character.
type Region = [usize; 4];

/// Cuts a region out of a file on disk, as a reader of the format does.
fn cut(root: &Path, file: &str, [line, column, end_line, end_column]: Region) -> String {
    let text = fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(&text).split_inclusive('\n').collect();
    let part = |at: usize| {
        let from = if at == line { column - 1 } else { 0 };
        let to = if at == end_line { end_column - 1 } else { usize::MAX };
        lines[at - 1].chars().take(to).skip(from).collect::<String>()
    };
    (line..=end_line).map(part).collect()
}

/// What the JSON report says of a finding: its lint, and its texts, the primary one first.
#[derive(Debug)]
struct Found {
    lint: String,
    file: String,
    region: Region,
    primary: String,
    also: Vec<String>,
    route: Vec<String>,
}

fn found(root: &Path) -> Vec<Found> {
    let report = read(root, "json");
    let region = |place: &Value| ["line", "column", "end_line", "end_column"].map(|name| number(&place[name]));
    let text = |place: &Value| cut(root, place["file"].as_str().unwrap(), region(place));
    let all: Vec<Found> = list(&report, "/findings")
        .iter()
        .map(|finding| Found {
            lint: finding["lint"].as_str().unwrap().to_owned(),
            file: finding["primary"]["file"].as_str().unwrap().to_owned(),
            region: region(&finding["primary"]),
            primary: text(&finding["primary"]),
            also: list(finding, "/also").iter().map(text).collect(),
            route: list(finding, "/route").iter().map(text).collect(),
        })
        .collect();
    let lints: BTreeSet<&str> = all.iter().map(|found| found.lint.as_str()).collect();
    assert!(lints.contains("forbidden-crate") && lints.contains("forbidden-dependency"), "{all:#?}");
    assert!(all.iter().any(|found| found.primary == "reqwest::get" && !found.route.is_empty()), "{all:#?}");
    all
}

#[test]
fn sarif_is_valid_and_every_region_is_the_text_that_json_points_at() {
    let schema = fs::read_to_string(project().join("tests/data/sarif-schema-2.1.0.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let workspace = ferry();
    let root = workspace.path();
    let cannot: Value = serde_json::from_str(&offline(&broken().path(), &["--format", "sarif"]).stdout).unwrap();
    let log = read(&root, "sarif");
    for log in [&log, &cannot] {
        let errors: Vec<String> = validator.iter_errors(log).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }

    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let text = |location: &Value| {
        let physical = &location["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uriBaseId"], "SRCROOT");
        assert!(run["originalUriBaseIds"]["SRCROOT"].is_object());
        let region = ["startLine", "startColumn", "endLine", "endColumn"].map(|name| number(&physical["region"][name]));
        cut(&root, physical["artifactLocation"]["uri"].as_str().unwrap(), region)
    };
    let (found, results) = (found(&root), list(run, "/results"));
    for (found, result) in found.iter().zip(results) {
        assert_eq!(result["ruleId"], *found.lint);
        let rule = &run["tool"]["driver"]["rules"][number(&result["ruleIndex"])];
        assert_eq!(rule["id"], *found.lint);
        assert!(rule["help"]["markdown"].as_str().unwrap().starts_with(&format!("# {}\n", found.lint)), "{rule}");
        assert_eq!(
            list(result, "/locations").iter().map(text).collect::<Vec<_>>(),
            std::slice::from_ref(&found.primary)
        );
        let related: Vec<String> = list(result, "/relatedLocations").iter().map(text).collect();
        assert_eq!(related[..found.also.len()], found.also);
        let steps = list(result, "/codeFlows/0/threadFlows/0/locations");
        let shown: Vec<String> = steps.iter().map(|step| text(&step["location"])).collect();
        let arrival = if found.route.is_empty() { None } else { Some(found.primary.clone()) };
        assert_eq!(shown, found.route.iter().cloned().chain(arrival).collect::<Vec<_>>());
        for step in steps {
            let file = step["location"]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
            assert!(step["location"]["message"]["text"].as_str().unwrap().contains(file), "{step}");
        }
    }
    let chain = results.iter().find(|result| result["ruleId"] == "forbidden-dependency").unwrap();
    let manifest = |location: &&Value| location["physicalLocation"]["artifactLocation"]["uri"] == "Cargo.toml";
    let asks: Vec<String> = list(chain, "/relatedLocations").iter().filter(manifest).map(text).collect();
    assert!(asks.iter().any(|text| text.contains("harbour-gauge")), "{asks:?}");

    let forgiven = &results[found.len()..];
    assert_eq!(forgiven.len(), 1);
    assert_eq!(forgiven[0]["suppressions"][0]["justification"], "the bell is rung by hand until spring");
    assert!(forgiven[0]["ruleId"] == "raw-transport" && text(&forgiven[0]["locations"][0]).contains("Command"));

    let invocation = &cannot["runs"][0]["invocations"][0];
    assert_eq!((&invocation["executionSuccessful"], &invocation["exitCode"]), (&false.into(), &2.into()));
    let said = &list(invocation, "/toolExecutionNotifications")[0];
    assert!(said["level"] == "error" && said["message"]["text"].as_str().unwrap().contains("ferry::wach"), "{said}");
}

#[test]
fn fingerprints_survive_moved_lines_and_tell_findings_apart() {
    let prints = |root: &Path| -> Vec<String> {
        let log = read(root, "sarif");
        let of = |result: &Value| result["partialFingerprints"].as_object().unwrap().clone();
        list(&log, "/runs/0/results").iter().map(|result| serde_json::to_string(&of(result)).unwrap()).collect()
    };
    let workspace = ferry();
    let before = prints(&workspace.path());
    assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), before.len());
    let moved = WATCH.replacen("\r\nuse", "\r\n// One more\r\n// and one more.\r\nuse", 1);
    let workspace = workspace.file("src/watch.rs", moved).file("src/reading.rs", format!("\n\n\n{READING}"));
    assert_eq!(prints(&workspace.path()), before);
}

#[test]
fn github_commands_point_there_too() {
    let workspace = ferry();
    let root = workspace.path();
    let text = printed(&root, "github");
    // As the runner undoes it: https://github.com/actions/runner, ActionCommand.
    let undo = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",");
        text.replace("%25", "%")
    };
    let mut commands = text.lines().filter_map(|line| line.strip_prefix("::")?.split_once("::"));
    for found in found(&root) {
        let (head, message) = commands.next().expect("a command for each finding");
        let (_, properties) = head.split_once(' ').unwrap();
        let property = |name: &str| {
            let mut all = properties.split(',').filter_map(|property| property.split_once('='));
            undo(all.find(|(found, _)| *found == name).unwrap_or_else(|| panic!("no {name}: {head}")).1)
        };
        let region = ["line", "col", "endLine", "endColumn"].map(|name| property(name).parse().unwrap());
        assert_eq!(cut(&root, &property("file"), region), found.primary);
        assert!(property("title").starts_with(&found.lint));
        assert!(undo(message).lines().count() > 1, "{message}");
    }
    assert!(commands.next().is_none());
}

/// Takes our commands apart as the runner does, has GitHub's toolkit put them together, and compares.
#[cfg(unix)]
#[test]
fn github_commands_are_escaped_as_githubs_own_toolkit_does() {
    use super::map;
    if map::left_out("the escapes of workflow commands") {
        return;
    }
    let undo = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    for workspace in [ferry(), map::hostile()] {
        let text = printed(&workspace.path(), "github");
        let ours: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
        let apart = ours.iter().map(|line| {
            let (head, message) = line[2..].split_once("::").expect("a command");
            let (command, properties) = head.split_once(' ').expect("its properties");
            let value = |text: &str| undo(&text.replace("%3A", ":").replace("%2C", ","));
            let properties = properties.split(',').map(|property| property.split_once('=').expect("a value"));
            let properties: Vec<_> = properties.map(|(name, text)| (name, value(text))).collect();
            serde_json::json!({"command": command, "properties": properties, "message": undo(message)})
        });
        let apart = Value::Array(apart.collect()).to_string();
        let said = fed(&mut map::script("github.mjs"), &apart);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert_eq!(said.stdout.lines().collect::<Vec<_>>(), ours);
        assert!(!ours.is_empty());
    }
}

/// What cargo's readers take from a run: its messages, and whether the build was a success.
fn messages(text: &str) -> (Vec<CompilerMessage>, bool) {
    let mut messages = Vec::new();
    let mut finished = None;
    for message in Message::parse_stream(text.as_bytes()) {
        match message.expect("a line of cargo's") {
            Message::CompilerMessage(message) => messages.push(message),
            Message::BuildFinished(end) => finished = Some(end.success),
            other => panic!("cargo would take this for something else: {other:?}"),
        }
    }
    (messages, finished.expect("the last line says how it ended"))
}

fn seen(root: &Path, span: &DiagnosticSpan) -> String {
    cut(root, &span.file_name, [span.line_start, span.column_start, span.line_end, span.column_end])
}

#[test]
fn cargo_json_is_cargos_with_its_packages_and_targets() {
    let workspace = ferry();
    let root = workspace.path();
    let (messages, success) = messages(&printed(&root, "cargo-json"));
    let found = found(&root);
    assert_eq!((messages.len(), success), (found.len(), false));
    let metadata =
        run(scrubbed("cargo").args(["metadata", "--no-deps", "--format-version=1", "--offline"]).current_dir(&root));
    let metadata = cargo_metadata::MetadataCommand::parse(&metadata.stdout).expect("cargo metadata");
    let package = &metadata.packages[0];
    for (found, message) in found.iter().zip(&messages) {
        assert_eq!((&message.package_id, &message.target.name), (&package.id, &package.targets[0].name));
        assert_eq!(message.target.src_path, package.targets[0].src_path);
        let message = &message.message;
        assert_eq!(message.code.as_ref().unwrap().code, found.lint);
        let own: Vec<String> = message.spans.iter().map(|span| seen(&root, span)).collect();
        assert_eq!(own, [std::slice::from_ref(&found.primary), &found.also[..]].concat());
        let hops = message.children.iter().take(found.route.len());
        assert_eq!(hops.map(|hop| seen(&root, &hop.spans[0])).collect::<Vec<_>>(), found.route);
    }
}

#[test]
fn cargo_json_is_absolute_for_who_stands_elsewhere() {
    let workspace = ferry_within("rust/ferry");
    let root = workspace.path().join("rust/ferry");
    let said = offline(&workspace.path(), &["--manifest-path", "rust/ferry/Cargo.toml", "--format", "cargo-json"]);
    let (messages, _) = messages(&said.stdout);
    assert!(!messages.is_empty(), "{said:?}");
    for (found, message) in found(&root).iter().zip(&messages) {
        for span in message.message.spans.iter().chain(message.message.children.iter().flat_map(|c| &c.spans)) {
            assert!(Path::new(&span.file_name).is_absolute(), "{}", span.file_name);
        }
        assert_eq!(seen(&root, &message.message.spans[0]), found.primary);
    }
    let lost = workspace.file("rust/ferry/lease-guard.toml", "[[lease]]\n");
    let said = offline(&lost.path(), &["--manifest-path", "rust/ferry/Cargo.toml", "--format", "cargo-json"]);
    let (messages, success) = self::messages(&said.stdout);
    assert!(!success && !messages.is_empty(), "{said:?}");
    assert!(messages.iter().all(|message| Path::new(&message.message.spans[0].file_name).is_file()), "{said:?}");
}

#[test]
fn what_a_code_host_reads_starts_at_the_repository() {
    let workspace = ferry_within("rust/ferry");
    let root = workspace.path().join("rust/ferry");
    let text = printed(&root, "github");
    assert!(text.contains("file=rust/ferry/src/reading.rs,line=2"), "{text}");
    assert!(text.contains("rust/ferry/src/watch.rs:5"), "{text}");
    let log = read(&root, "sarif");
    let uri = log.pointer("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri").unwrap();
    assert!(workspace.path().join(uri.as_str().unwrap()).is_file(), "{uri}");
    for issue in list(&read(&root, "gitlab"), "") {
        assert!(workspace.path().join(issue["location"]["path"].as_str().unwrap()).is_file(), "{issue}");
    }
    assert!(printed(&root, "junit").contains("file=\"rust/ferry/src/reading.rs\""));
    // A checkout without git has no `.git`; then the job says where it lies.
    fs::remove_dir_all(workspace.path().join(".git")).unwrap();
    let in_a_job =
        |name: &str, folder: &Path| run(gate(&root).args(["--offline", "--format", "github"]).env(name, folder)).stdout;
    assert!(in_a_job("GITHUB_WORKSPACE", &workspace.path()).contains("file=rust/ferry/src/reading.rs"));
    assert!(in_a_job("CI_PROJECT_DIR", &workspace.path()).contains("file=rust/ferry/src/reading.rs"));
    assert!(in_a_job("GITHUB_WORKSPACE", Path::new("/nowhere")).contains("file=src/reading.rs"));
}

#[test]
fn gitlab_and_junit_name_the_same_lines() {
    let workspace = ferry();
    let root = workspace.path();
    let found = found(&root);
    let issues = read(&root, "gitlab");
    for (found, issue) in found.iter().zip(list(&issues, "")) {
        // https://docs.gitlab.com/ci/testing/code_quality/ names the fields that must be there.
        assert!(issue["description"].is_string() && issue["fingerprint"].is_string());
        assert_eq!((&issue["check_name"], &issue["severity"]), (&found.lint.as_str().into(), &"critical".into()));
        let lines = &issue["location"]["lines"];
        let shown = fs::read_to_string(root.join(issue["location"]["path"].as_str().unwrap())).unwrap();
        assert!(shown.lines().nth(number(&lines["begin"]) - 1).unwrap().contains(&found.primary));
        assert_eq!(number(&lines["begin"]), found.region[0]);
    }
    assert_eq!(list(&issues, "").len(), found.len());

    let text = printed(&root, "junit");
    let junit = roxmltree::Document::parse(&text).unwrap();
    let count = |name: &str| junit.descendants().filter(|node| node.has_tag_name(name)).count();
    // The lease's own case fails too; what an exception forgives is skipped.
    assert_eq!((count("failure"), count("skipped"), count("error")), (found.len() + 1, 1, 0));
    if let Some(mut reader) = script("junit.py") {
        let said = fed(&mut reader, &text);
        let counts = format!("{} {} 0 1\n", count("testcase"), found.len() + 1);
        assert_eq!((said.code, said.stdout), (Some(0), counts), "{}", said.stderr);
    }
    for found in &found {
        let at = |node: &roxmltree::Node<'_, '_>| {
            node.attribute("classname") == Some(&found.lint)
                && node.attribute("file") == Some(&found.file)
                && node.attribute("line") == Some(&found.region[0].to_string())
        };
        assert!(junit.descendants().any(|node| at(&node)), "{found:?}\n{text}");
    }
    let cannot = offline(&broken().path(), &["--format", "junit"]);
    assert_eq!(cannot.code, Some(2));
    assert!(roxmltree::Document::parse(&cannot.stdout).unwrap().descendants().any(|node| node.has_tag_name("error")));
}

#[test]
fn people_are_shown_the_same_places() {
    let workspace = ferry();
    let root = workspace.path();
    let (human, short, page) = (printed(&root, "human"), printed(&root, "short"), printed(&root, "markdown"));
    for found in found(&root) {
        let point = format!("{}:{}:{}", found.file, found.region[0], found.region[1]);
        assert!(human.contains(&format!("--> {point}\n")), "{point}: {human}");
        assert!(short.lines().any(|line| line.starts_with(&format!("{point}: deny {} ", found.lint))), "{short}");
        assert!(page.contains(&point.replace(':', "&#58;").replace('_', "&#95;")), "{point}: {page}");
    }
}

#[test]
fn quiet_leaves_findings_and_errors_and_nothing_else() {
    let workspace = ferry();
    let root = workspace.path();
    let quiet = |format: &str| offline(&root, &["-q", "--format", format]);
    for format in ["human", "short", "github"] {
        let (loud, quiet) = (printed(&root, format), quiet(format));
        assert_eq!(quiet.code, Some(1), "{quiet:?}");
        assert!(loud.starts_with(&quiet.stdout) && loud.len() > quiet.stdout.len(), "{format}: {quiet:?}");
        assert!(quiet.stdout.contains("reqwest") && !quiet.stdout.contains("seen"), "{quiet:?}");
    }
    // What programs read says the same as ever.
    for format in ["json", "sarif", "gitlab", "junit", "cargo-json", "markdown"] {
        assert_eq!(quiet(format).stdout, printed(&root, format), "{format}");
    }
    let clean = workspace
        .file("src/watch.rs", "pub fn renew() {}\n")
        .file("lease-guard.toml", "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\n");
    let said = offline(&clean.path(), &["-q"]);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (Some(0), "", ""));
    let said: Said = offline(&broken().path(), &["--quiet"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""));
    assert!(said.stderr.contains("ferry::wach"), "{said:?}");
}

#[test]
fn a_github_job_gets_annotations_and_a_file_does_not() {
    let workspace = ferry();
    let mut job: Command = gate(&workspace.path());
    let said = run(job.arg("--offline").env("GITHUB_ACTIONS", "true"));
    assert!(said.stdout.starts_with("::error "), "{said:?}");
    let path = workspace.path().join("report");
    let mut job: Command = gate(&workspace.path());
    job.arg("--offline").env("GITHUB_ACTIONS", "true").stdout(fs::File::create(&path).unwrap());
    assert_eq!(job.status().unwrap().code(), Some(1));
    assert!(fs::read_to_string(path).unwrap().starts_with("error[forbidden-"));
}
