//! The worked example with one thing spoiled: whatever should fail on such a copy does, and for that reason.
//!
//! A row of [`SPOILED`] is a copy: what is changed in it, and what fails there.

use std::{fs, path::Path};

use rayon::prelude::*;
use serde_json::Value;

use super::{
    example::{self, example},
    gate::{Said, gate, run},
    workspace::{Workspace, write},
};

/// A copy of the example.
struct Spoiled {
    what: &'static str,
    changes: &'static [Change],
    fails: &'static [Failure],
}

/// What stands in a file, once and no more, and what stands there in the copy.
enum Change {
    Text { file: &'static str, from: &'static str, to: &'static str },
    New { file: &'static str, text: &'static str },
}

/// Exit status 1, and why.
enum Failure {
    /// `check` denies this and nothing else, here, by a route through these items.
    Check { lint: &'static str, subject: Option<&'static str>, file: &'static str, route: &'static [&'static str] },
    /// Another command says all of these.
    Says { command: &'static [&'static str], words: &'static [&'static str] },
    /// `drill` of the tests in `tests/NAME.rs` fails for what they asked, not for how they ended.
    Drill { test: &'static str, request: &'static str },
}

use Change::{New, Text};
use Failure::{Check, Drill, Says};

const SPOILED: &[Spoiled] = &[
    Spoiled {
        what: "a model in the renewer, behind a wrapper",
        changes: &[
            Text {
                file: "Cargo.toml",
                from: "[dependencies]\n",
                to: "[dependencies]\nasync-openai = { path = \"vendor/async-openai\" }\n",
            },
            Text {
                file: "Cargo.lock",
                from: "[[package]]\nname = \"async-trait\"\n",
                to: "[[package]]\nname = \"async-openai\"\nversion = \"0.27.2\"\n\n[[package]]\nname = \"async-trait\"\n",
            },
            Text {
                file: "Cargo.lock",
                from: "name = \"order-writer\"\nversion = \"0.1.0\"\ndependencies = [\n",
                to: "name = \"order-writer\"\nversion = \"0.1.0\"\ndependencies = [\n \"async-openai\",\n",
            },
            New {
                file: "vendor/async-openai/Cargo.toml",
                text: "[package]\nname = \"async-openai\"\nversion = \"0.27.2\"\nedition = \"2021\"\n",
            },
            New {
                file: "vendor/async-openai/src/lib.rs",
                text: "pub async fn ask(_: &str) -> String {\n    String::new()\n}\n",
            },
            Text { file: "src/lib.rs", from: "pub mod database;\n", to: "pub mod advice;\npub mod database;\n" },
            New {
                file: "src/advice.rs",
                text: "//! Whether it is wise to go on.\n\nuse crate::lease::Grant;\n\n/// Asks.\npub async fn is_wise(grant: &Grant) -> bool {\n    async_openai::ask(&grant.claim.name).await != \"no\"\n}\n",
            },
            Text {
                file: "src/lease/table.rs",
                from: "        let session = self.session().await?;\n        let ttl = seconds(timing.ttl);\n",
                to: "        if !crate::advice::is_wise(grant).await {\n            return Ok(false);\n        }\n        let session = self.session().await?;\n        let ttl = seconds(timing.ttl);\n",
            },
        ],
        fails: &[
            Check {
                lint: "forbidden-crate",
                subject: Some("async-openai"),
                file: "src/advice.rs",
                route: &["order_writer::advice::is_wise"],
            },
            Says { command: &["card"], words: &["STOP", "async-openai"] },
        ],
    },
    Spoiled {
        what: "a failover test that asks a model",
        changes: &[New { file: "tests/advised.rs", text: ADVISED }],
        fails: &[
            Drill { test: "advised", request: "POST /v1/chat/completions" },
            Says { command: &["card"], words: &["STOP", "drill"] },
        ],
    },
    Spoiled {
        what: "an append without the fence",
        changes: &[Text {
            file: "src/orders.rs",
            from: "    select held.name, held.holder, held.epoch, $4
      from worker_leases as held
     where held.name = $1 and held.holder = $2 and held.epoch = $3 and held.expires_at > clock_timestamp()
       for key share of held
",
            to: "    values ($1, $2, $3, $4)\n",
        }],
        fails: &[
            Check { lint: "unfenced-write", subject: None, file: "src/orders.rs", route: &[] },
            Says { command: &["card"], words: &["STOP", "unfenced-write"] },
        ],
    },
    Spoiled {
        what: "a renewal that brings its own time along",
        changes: &[Text {
            file: "src/lease/table.rs",
            from: "       set expires_at = clock_timestamp() + make_interval(secs => $4)
     where name = $1 and holder = $2 and epoch = $3 and expires_at > clock_timestamp()
",
            to: "       set expires_at = $5 + make_interval(secs => $4)
     where name = $1 and holder = $2 and epoch = $3 and expires_at > $5
",
        }],
        fails: &[
            Check { lint: "client-clock", subject: None, file: "src/lease/table.rs", route: &[] },
            Says { command: &["card"], words: &["STOP", "client-clock"] },
        ],
    },
    Spoiled {
        what: "a TTL of 60 ms",
        changes: &[Text {
            file: "src/lease/timing.rs",
            from: "pub const TTL: Duration = Duration::from_secs(15);",
            to: "pub const TTL: Duration = Duration::from_millis(60);",
        }],
        fails: &[
            Check { lint: "insolvent-timing", subject: None, file: "lease-guard.toml", route: &[] },
            Says { command: &["timing"], words: &["60ms"] },
            Says { command: &["card"], words: &["STOP", "insolvent-timing"] },
        ],
    },
    Spoiled {
        what: "a guard of zero under skew",
        changes: &[Text {
            file: "src/lease/timing.rs",
            from: "pub const GUARD: Duration = Duration::from_millis(100);",
            to: "pub const GUARD: Duration = Duration::from_millis(0);",
        }],
        fails: &[
            Check { lint: "guard-band", subject: None, file: "lease-guard.toml", route: &[] },
            Says { command: &["timing"], words: &["two leaders"] },
            Says { command: &["card"], words: &["STOP", "guard-band"] },
        ],
    },
];

/// A failover test that asks a model whether to take over, and takes over whatever it says.
const ADVISED: &str = r#"//! A failover test that asks first.

use std::{io::{Read, Write}, net::TcpStream, time::Duration};

fn advice() -> Option<String> {
    let base = std::env::var("OPENAI_BASE_URL").ok()?;
    let (address, path) = base.strip_prefix("http://")?.split_once('/')?;
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(1))).ok()?;
    write!(stream, "POST /{path}/chat/completions HTTP/1.1\r\ncontent-length: 0\r\n\r\n").ok()?;
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer[..read]).into_owned())
}

#[test]
fn takes_over() {
    assert_ne!(advice().as_deref(), Some("do not"));
}
"#;

impl Change {
    fn make(&self, copy: &Path) {
        match self {
            New { file, text } => {
                assert!(!copy.join(file).exists(), "{file} is there already");
                write(&copy.join(file), text);
            }
            Text { file, from, to } => {
                let path = copy.join(file);
                let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
                assert_eq!(
                    text.matches(from).count(),
                    1,
                    "{file} does not hold this once, so nothing is spoiled: {from}"
                );
                write(&path, text.replacen(from, to, 1));
            }
        }
    }
}

fn spoiled(example: &Path, row: &Spoiled) -> Workspace {
    let copy = example::copy(example);
    row.changes.iter().for_each(|change| change.make(&copy.path()));
    copy
}

fn said(copy: &Path, command: &[&str]) -> Said {
    run(gate(copy).args(command).arg("--offline"))
}

/// The denied findings of `check`.
fn denied(copy: &Path) -> (Said, Vec<Value>) {
    let said = said(copy, &["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:?}"));
    let findings = report["findings"].as_array().unwrap().iter().filter(|finding| finding["level"] == "deny");
    let findings = findings.cloned().collect();
    (said, findings)
}

impl Failure {
    fn show(&self, copy: &Path) -> Result<(), String> {
        let fail = |why: &str, said: &dyn std::fmt::Debug| Err(format!("{why}: {said:#?}"));
        match self {
            Check { lint, subject, file, route } => {
                let (said, denied) = denied(copy);
                if said.code != Some(1) || denied.is_empty() {
                    return fail("nothing is denied", &said);
                }
                let is_it = |finding: &&Value| {
                    finding["lint"] == *lint && subject.is_none_or(|subject| finding["subject"] == subject)
                };
                if !denied.iter().all(|finding| is_it(&finding)) {
                    return fail(&format!("more than {lint} is denied"), &denied);
                }
                let items = |finding: &Value| -> Vec<String> {
                    let hops = finding["route"].as_array().into_iter().flatten();
                    hops.filter_map(|hop| hop["item"].as_str().map(str::to_owned)).collect()
                };
                let is_here =
                    |finding: &Value| finding["primary"]["file"] == *file && items(finding).ends_with(&owned(route));
                if denied.iter().any(is_here) { Ok(()) } else { fail("it is not told where it is", &denied) }
            }
            Says { command, words } => {
                let said = said(copy, command);
                let all = format!("{}{}", said.stdout, said.stderr);
                let is_told = said.code == Some(1) && words.iter().all(|word| all.contains(word));
                if is_told { Ok(()) } else { fail(&format!("{command:?} does not say {words:?}"), &said) }
            }
            Drill { .. } if !cfg!(target_os = "linux") => {
                println!("there is no drill on this system: left out");
                Ok(())
            }
            Drill { test, request } => {
                example::build(copy, test);
                let command = example::cargo_test(test, &[]);
                let words: Vec<&str> = command.iter().map(String::as_str).collect();
                let said =
                    gate(copy).args(["drill", "--offline", "--limit", "10m", "--"]).args(words).output().unwrap();
                let out = String::from_utf8_lossy(&said.stdout);
                let told = [
                    "pass  the provider cannot be reached: succeeded",
                    "FAIL  the provider answers 429: succeeded, and asked the stand-in once",
                    &format!("asked: {request}"),
                    "FAILED: the command succeeds, but it asks a model",
                ];
                let is_told = said.status.code() == Some(1) && told.iter().all(|line| out.contains(line));
                if is_told { Ok(()) } else { fail("the request is not what it fails for", &said) }
            }
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn each_spoiled_copy_fails_for_its_reason() {
    let Some(example) = example() else { return };
    let wrong: Vec<String> = SPOILED
        .par_iter()
        .flat_map_iter(|row| {
            let copy = spoiled(&example, row);
            row.fails
                .iter()
                .filter_map(move |failure| failure.show(&copy.path()).err().map(|why| format!("{}: {why}", row.what)))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_copy_with_nothing_spoiled_is_clean() {
    let Some(example) = example() else { return };
    let copy = example::copy(&example);
    let (said, denied) = denied(&copy.path());
    assert_eq!((said.code, denied.len()), (Some(0), 0), "{said:?}");
    let said = self::said(&copy.path(), &["timing"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    // Nobody drilled the copy: for that, and for nothing else, the card stops.
    let said = self::said(&copy.path(), &["card"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(said.stdout.matches("STOP  ").count(), 1, "{said:?}");
    assert!(said.stdout.contains("not run: run `cargo lease-guard drill"), "{said:?}");
}
