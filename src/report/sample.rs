//! Reports that all formats are tested on: an offending one with every kind of evidence, a clean
//! one, one that could not check, and one whose every text is hostile.

use std::borrow::Cow;

use crate::{
    base::{Files, Span, is_hidden},
    finding::{
        Certainty, ChainLink, Cut, CutKind, ExceptionSeen, Finding, GraphSeen, Hop, HopKind, Labelled, LeaseSeen,
        Level, Problem, Report, Seen,
    },
    report::{EditorPackage, EditorTarget, Format, LintDoc, Options},
};

const LEASE: &str = "//! The lease.\nuse crate::probe::Probe;\n\npub struct Keeper {\n    probe: Box<dyn Probe>,\n}\n\n\
impl Keeper {\n    pub async fn renew(&self) -> bool {\n        self.probe.check().await && self.still_ours()\n    }\n}\n";
/// A byte-order mark, CRLF and letters outside ASCII, so that bytes, characters and lines differ.
const HEALTH: &str = "\u{feff}// Gesundheitsprüfung\r\nuse reqwest::Client;\r\n\r\npub async fn probe() -> bool {\r\n    \
let größe = \"äöü\"; let c = Client::new();\r\n    c.get(URL).send().await.is_ok() && größe.len() > 1\r\n}\r\n";
const PROBE: &str = "pub trait Probe { fn check(&self) -> bool; }\npub struct Http;\nimpl Probe for Http {\n\t\
fn check(&self) -> bool {\n\t\thealth::probe().is_ok()\n\t}\n}\n";
const MANIFEST: &str = "[package]\nname = \"orders\"\nversion = \"0.1.0\"\n\n[dependencies]\nacme-health = \"0.2\"\n\
acme-ml = { version = \"0.1\", optional = true }\n";
const RULES: &str = "[[lease]]\nname = \"order-writer\"\nmodules = [\"orders::lease\"]\n\n[[exception]]\n\
lint = \"forbidden-crate\"\nsubject = \"ureq\"\nreason = \"gone since spring\"\n";
const SOCKET: &str = "use std::os::unix::net::UnixStream;\n\nfn dial() -> UnixStream {\n    \
UnixStream::connect(\"/run/side.sock\")\n}\n";

/// A report with the files that it points into.
pub(super) struct Sample {
    pub(super) files: Files,
    pub(super) report: Report,
    pub(super) packages: Vec<EditorPackage>,
}

impl Sample {
    fn new() -> Self {
        let files = Files::new("/w");
        for (path, text) in [
            ("Cargo.toml", MANIFEST),
            ("lease-guard.toml", RULES),
            ("src/lease.rs", LEASE),
            ("src/probe.rs", PROBE),
            ("src/health.rs", HEALTH),
            ("src/socket.rs", SOCKET),
        ] {
            files.add(&files.root().join(path), text.into());
        }
        let target =
            EditorTarget { kind: "lib", name: "orders".into(), root: files.root().join("src/lib.rs"), edition: 2024 };
        let package = EditorPackage {
            id: "path+file:///w#orders@0.1.0".into(),
            manifest: files.root().join("Cargo.toml"),
            targets: vec![target],
        };
        Self { files, report: Report::cannot_check(Vec::new()), packages: vec![package] }
    }

    /// The place of the `nth` occurrence of a text, from 0.
    pub(super) fn at(&self, path: &str, needle: &str, nth: usize) -> Span {
        let file = self.files.known(&self.files.root().join(path)).expect("a file of the sample");
        let text = self.files.get(file).text.clone();
        let (start, found) = text.match_indices(needle).nth(nth).expect("the text is in the file");
        let end = start + found.len();
        Span { file, start: start as u32, end: end as u32 }
    }

    fn hop(&self, kind: HopKind, item: &str, path: &str, needle: &str) -> Hop {
        Hop { certainty: Certainty::Resolved, kind, item: item.into(), place: self.at(path, needle, 0) }
    }

    pub(super) fn options(&self) -> Options<'_> {
        Options { lints: LINTS, packages: &self.packages, ..Options::default() }
    }

    /// Checks a place with `file`, `line`, `column`, `end_line` and `end_column` against a span.
    pub(super) fn assert_same_text(&self, span: Span, place: &serde_json::Value) {
        let number = |name: &str| place[name].as_u64().expect("a number") as usize;
        let range = [number("line"), number("column"), number("end_line"), number("end_column")];
        self.assert_region(span, place["file"].as_str().expect("a path"), range);
    }

    /// Checks that a region, cut from the file as a reader of the format would, is the span's text.
    pub(super) fn assert_region(&self, span: Span, path: &str, [line, column, end_line, end_column]: [usize; 4]) {
        let file = self.files.known(&self.files.root().join(path)).expect("the path leads back to the file");
        assert_eq!(file, span.file);
        let text = self.files.get(file).text.clone();
        let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(&text).split_inclusive('\n').collect();
        let cut: String = (line..=end_line)
            .flat_map(|at| {
                let from = if at == line { column - 1 } else { 0 };
                let to = if at == end_line { end_column - 1 } else { usize::MAX };
                lines.get(at - 1).copied().unwrap_or("").chars().take(to).skip(from)
            })
            .collect();
        assert_eq!(cut, self.files.text(span), "{path}:{line}:{column}");
    }
}

pub(super) const LINTS: &[LintDoc] = &[
    LintDoc {
        name: "forbidden-crate",
        default_level: Level::Deny,
        summary: Cow::Borrowed("code on the lease path names a forbidden crate"),
        markdown: Cow::Borrowed("# forbidden-crate\n\nReports `use reqwest::Client`."),
    },
    LintDoc {
        name: "raw-transport",
        default_level: Level::Deny,
        summary: Cow::Borrowed("the lease path opens a socket"),
        markdown: Cow::Borrowed("# raw-transport\n\nReports sockets."),
    },
];

/// Prints a sample with the options that its formats need.
pub(super) fn printed(format: &Format, sample: &Sample) -> String {
    printed_with(format, sample, &sample.options())
}

/// Prints a sample.
pub(super) fn printed_with(format: &Format, sample: &Sample, options: &Options<'_>) -> String {
    let mut out = Vec::new();
    (format.render)(&sample.report, &sample.files, options, &mut out).expect("a vector takes all");
    String::from_utf8(out).expect("UTF-8")
}

/// No character that could drive a terminal or hide text, line ends apart.
pub(super) fn assert_no_controls(text: &str) {
    let bad: Vec<char> = text.chars().filter(|&c| c != '\n' && is_hidden(c)).collect();
    assert!(bad.is_empty(), "{bad:?} in {text}");
}

fn finding(lint: &'static str, level: Level, subject: &str, message: &str, primary: Span) -> Finding {
    Finding {
        lint,
        level,
        lease: "order-writer".into(),
        subject: subject.into(),
        message: message.into(),
        primary,
        label: String::new(),
        also: Vec::new(),
        route: Vec::new(),
        chain: Vec::new(),
        notes: Vec::new(),
        help: String::new(),
    }
}

/// Findings with every kind of evidence.
pub(super) fn offending() -> Sample {
    let mut sample = Sample::new();
    let (reqwest, long) = (by_route(&sample), by_long_route(&sample));
    let mut socket = finding(
        "raw-transport",
        Level::Warn,
        "std::os::unix::net::UnixStream",
        "the lease path opens a socket",
        sample.at("src/socket.rs", "std::os::unix::net::UnixStream", 0),
    );
    socket.label = "a socket".into();
    socket.also = vec![
        Labelled { span: sample.at("src/socket.rs", "UnixStream", 1), label: "named again".into() },
        Labelled { span: sample.at("src/socket.rs", "UnixStream", 2), label: String::new() },
        Labelled { span: sample.at("src/lease.rs", "Keeper", 0), label: "held here".into() },
    ];
    let mut unused = finding(
        "unused-exception",
        Level::Warn,
        "ureq",
        "this exception forgives nothing",
        sample.at("lease-guard.toml", "[[exception]]", 0),
    );
    unused.lease = String::new();
    unused.help = "take it out".into();
    let mut forgiven = finding(
        "forbidden-crate",
        Level::Deny,
        "hyper",
        "the lease path names the HTTP client `hyper`",
        sample.at("src/probe.rs", "Http", 0),
    );
    forgiven.label = "stands in for hyper".into();
    sample.report = Report {
        errors: Vec::new(),
        leases: vec![LeaseSeen { name: "order-writer".into(), files: 2, items: 9, reached_items: 31 }],
        graph: GraphSeen::Full,
        seen: Seen {
            files_parsed: 4,
            macros_scanned: 1,
            files_scanned: vec!["src/odd.rs".into()],
            proc_macros: vec!["async-trait".into()],
            opaque_includes: 0,
            orphan_files: vec!["src/lease/old.rs".into()],
        },
        cuts: vec![Cut { kind: CutKind::Coordinator, name: "orders::db".into(), routes: 2 }],
        findings: vec![by_chain(&sample), unused, reqwest, socket, long],
        exceptions: vec![ExceptionSeen {
            lint: "forbidden-crate".into(),
            subject: "hyper".into(),
            reason: "the metrics shim is being moved out".into(),
            until: Some("2027-01-31".into()),
            used: 1,
        }],
        forgiven: vec![(forgiven, 0)],
        notes: Vec::new(),
    };
    sample
}

fn by_route(sample: &Sample) -> Finding {
    let mut found = finding(
        "forbidden-crate",
        Level::Deny,
        "reqwest",
        "the lease path reaches the HTTP client `reqwest`",
        sample.at("src/health.rs", "Client::new", 0),
    );
    found.label = "names `reqwest::Client`".into();
    found.also = vec![Labelled { span: sample.at("src/health.rs", "reqwest::Client", 0), label: "imported".into() }];
    let mut by_name = sample.hop(HopKind::Method, "orders::lease::Keeper::renew", "src/lease.rs", "renew");
    by_name.certainty = Certainty::ByName;
    found.route = vec![
        by_name,
        sample.hop(HopKind::Dispatch, "orders::probe::Http::check", "src/lease.rs", "check"),
        sample.hop(HopKind::Call, "orders::health::probe", "src/probe.rs", "health::probe"),
    ];
    found.help = "cut at `orders::probe::Http::check`: ask the coordinator, and probe outside the lease".into();
    found
}

fn by_long_route(sample: &Sample) -> Finding {
    let mut found = finding(
        "forbidden-string",
        Level::Deny,
        "api.openai.com",
        "the lease path reaches a model endpoint",
        sample.at("src/health.rs", "\"äöü\"", 0),
    );
    let places = [("src/lease.rs", "still_ours"), ("src/probe.rs", "fn check"), ("src/socket.rs", "dial")];
    for (number, (path, needle)) in (1..).zip(places.into_iter().cycle().take(9)) {
        found.route.push(sample.hop(HopKind::Call, &format!("orders::step::s{number}"), path, needle));
    }
    found
}

fn by_chain(sample: &Sample) -> Finding {
    let mut found = finding(
        "forbidden-dependency",
        Level::Deny,
        "async-openai",
        "the lease path pulls in the model client `async-openai`",
        sample.at("Cargo.toml", "acme-health", 0),
    );
    found.label = "pulls it in".into();
    let link = |package: &str, version: &str| ChainLink {
        package: package.into(),
        version: version.into(),
        place: None,
        feature: None,
        target: None,
    };
    found.chain = vec![
        ChainLink { place: Some(sample.at("Cargo.toml", "acme-health", 0)), ..link("acme-health", "0.2.0") },
        ChainLink {
            place: Some(sample.at("Cargo.toml", "acme-ml", 0)),
            feature: Some("acme-health/ml".into()),
            ..link("acme-ml", "0.1.4")
        },
        ChainLink { target: Some("cfg(unix)".into()), ..link("async-openai", "0.27.2") },
        link("vendored", ""),
    ];
    found.notes = vec!["member `orders` switches the feature on".into()];
    found.help = "leave out the feature `ml` of acme-health".into();
    found
}

/// Nothing found.
pub(super) fn clean() -> Sample {
    let mut sample = Sample::new();
    sample.report = Report {
        leases: vec![LeaseSeen { name: "order-writer".into(), files: 2, items: 9, reached_items: 31 }],
        graph: GraphSeen::Full,
        seen: Seen { files_parsed: 3, ..Seen::default() },
        ..Report::cannot_check(Vec::new())
    };
    sample
}

/// Two problems, one with a place, and a finding that was made before.
pub(super) fn broken() -> Sample {
    let mut sample = offending();
    let place = Some(sample.at("lease-guard.toml", "orders::lease", 0));
    sample.report = Report::cannot_check(vec![
        Problem {
            message: "there is no module `orders::lease` in package `orders`".into(),
            place,
            help: "did you mean `orders::leases`?".into(),
        },
        Problem {
            message: "cargo metadata failed\nerror: no matching package named `acme` found\nlocation searched: here"
                .into(),
            place: None,
            help: "run `cargo fetch`, or narrow the features".into(),
        },
    ]);
    sample
}

/// Every text that a stranger can choose holds what could break out of some format.
pub(super) fn hostile() -> Sample {
    const BAD: &str =
        "x\u{1b}[31m\u{9b}2J\u{202e}\r\n::error::%0A`|<b>&]]></details><script>alert(1)</script>\"',: \u{0}\u{7f}";
    const PATH: &str = "src/a\u{1b}]8;;b\r\n::set-output name=x::y,z=%25 <b>|`.rs";
    let mut sample = Sample::new();
    let source = format!("\u{1b}[2J let a\u{9b} = \u{202e}b;\r\u{2028} c\n{BAD}\n");
    sample.files.add(&sample.files.root().join(PATH), source);
    let mut found = finding("forbidden-crate", Level::Deny, BAD, BAD, sample.at(PATH, "b;", 0));
    found.lease = BAD.into();
    found.label = BAD.into();
    found.also = vec![Labelled { span: sample.at(PATH, "alert", 0), label: BAD.into() }];
    found.route = vec![Hop { item: BAD.into(), ..sample.hop(HopKind::Call, "", PATH, "c\n") }];
    found.chain = vec![ChainLink {
        package: BAD.into(),
        version: BAD.into(),
        place: Some(sample.at(PATH, "c\n", 0)),
        feature: Some(BAD.into()),
        target: Some(BAD.into()),
    }];
    found.notes = vec![BAD.into()];
    found.help = BAD.into();
    let mut forgiven = found.clone();
    forgiven.primary = sample.at(PATH, "alert", 0);
    sample.report = Report {
        errors: vec![Problem { message: BAD.into(), place: Some(sample.at(PATH, "c\n", 0)), help: BAD.into() }],
        leases: vec![LeaseSeen { name: BAD.into(), files: 1, items: 1, reached_items: 1 }],
        graph: GraphSeen::None,
        seen: Seen {
            files_parsed: 1,
            files_scanned: vec![PATH.into()],
            proc_macros: vec![BAD.into()],
            orphan_files: vec![PATH.into()],
            ..Seen::default()
        },
        cuts: vec![Cut { kind: CutKind::Workload, name: BAD.into(), routes: 1 }],
        findings: vec![found],
        exceptions: vec![ExceptionSeen {
            lint: "forbidden-crate".into(),
            subject: BAD.into(),
            reason: BAD.into(),
            until: None,
            used: 1,
        }],
        forgiven: vec![(forgiven, 0)],
        notes: vec![BAD.into()],
    };
    sample
}
