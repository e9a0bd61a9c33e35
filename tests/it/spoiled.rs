//! The worked example with one thing spoiled: whatever should fail on such a copy does, for that reason and no other.
//!
//! A row of [`SPOILED`] is a copy: what is changed in it, and what each of the commands makes of that. Whatever the row
//! does not name must pass on the copy as it does on the example.

use std::{fs, path::Path, process::Command};

use rayon::prelude::*;
use serde_json::Value;

use super::{
    card,
    example::{self, example},
    gate::{Said, gate, run, scrubbed},
    workspace::{Workspace, write},
};

/// A copy of the example.
struct Spoiled {
    what: &'static str,
    changes: &'static [Change],
    check: Option<Denied>,
    /// What `timing` says.
    timing: Option<&'static str>,
    drill: Option<Asked>,
    /// The one question that `card` stops at, by some of its words, and some of those of the answer.
    card: (&'static str, &'static str),
}

/// What stands in a file, once and no more, and what stands there in the copy; or a file more.
enum Change {
    Text { file: &'static str, from: &'static str, to: &'static str },
    New { file: &'static str, text: &'static str },
}

/// What `check` denies, here, by a route that ends with these items.
struct Denied {
    lint: &'static str,
    file: &'static str,
    line: &'static str,
    route: &'static [&'static str],
}

/// What the tests of `tests/NAME.rs` ask a model for, though they succeed.
struct Asked {
    test: &'static str,
    request: &'static str,
}

use Change::{New, Text};

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
        check: Some(Denied {
            lint: "forbidden-crate",
            file: "src/advice.rs",
            line: "    async_openai::ask(&grant.claim.name).await != \"no\"",
            route: &["order_writer::advice::is_wise"],
        }),
        timing: None,
        drill: None,
        card: ("talk to its coordinator", "forbidden-crate"),
    },
    Spoiled {
        what: "a failover test that asks a model",
        changes: &[New { file: "tests/advised.rs", text: ADVISED }],
        check: None,
        timing: None,
        drill: Some(Asked { test: "advised", request: "POST /v1/chat/completions" }),
        card: ("provider unreachable", "it asked 1 time: POST /v1/chat/completions"),
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
        check: Some(Denied {
            lint: "unfenced-write",
            file: "src/orders.rs",
            line: "    insert into orders (lease, holder, epoch, body)",
            route: &[],
        }),
        timing: None,
        drill: None,
        card: ("carry the fence", "this INSERT carries no fence"),
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
        check: Some(Denied {
            lint: "client-clock",
            file: "src/lease/table.rs",
            line: "       set expires_at = $5 + make_interval(secs => $4)",
            route: &[],
        }),
        timing: None,
        drill: None,
        card: ("carry the fence", "client-clock: SQL on `worker_leases` is judged by a clock of its client's"),
    },
    Spoiled {
        what: "a TTL of 60 ms",
        changes: &[Text {
            file: "src/lease/timing.rs",
            from: "pub const TTL: Duration = Duration::from_secs(15);",
            to: "pub const TTL: Duration = Duration::from_millis(60);",
        }],
        check: Some(Denied {
            lint: "insolvent-timing",
            file: "lease-guard.toml",
            line: "ttl = { const = \"order_writer::lease::TTL\" }",
            route: &[],
        }),
        timing: Some("renew-p95, the steps and the guard take 4.18s, the ttl is 60ms"),
        drill: None,
        card: ("numbers add up", "the steps and the guard take 4.18s, the ttl is 60ms"),
    },
    Spoiled {
        what: "a guard of zero under skew",
        changes: &[Text {
            file: "src/lease/timing.rs",
            from: "pub const GUARD: Duration = Duration::from_millis(100);",
            to: "pub const GUARD: Duration = Duration::from_millis(0);",
        }],
        check: Some(Denied {
            lint: "guard-band",
            file: "lease-guard.toml",
            line: "guard = { const = \"order_writer::lease::GUARD\" }",
            route: &[],
        }),
        timing: Some("two leaders for 200ms where the holder's clock is 200ms behind"),
        drill: None,
        card: ("numbers add up", "two leaders for 200ms where the holder's clock is 200ms behind"),
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

fn said(copy: &Path, arguments: &[&str]) -> Said {
    run(gate(copy).args(arguments).arg("--offline"))
}

impl Spoiled {
    fn copy(&self, example: &Path) -> Workspace {
        let copy = example::copy(example);
        self.changes.iter().for_each(|change| change.make(&copy.path()));
        copy
    }

    /// What is not as it should be on the copy.
    fn judge(&self, copy: &Path) -> Vec<String> {
        // The card last: it reads the record of the drill.
        let judged = [self.check(copy), self.timing(copy), self.drill(copy), self.card(copy)];
        judged.into_iter().filter_map(Result::err).map(|why| format!("{}: {why}", self.what)).collect()
    }

    fn check(&self, copy: &Path) -> Result<(), String> {
        let said = said(copy, &["check", "--format", "json"]);
        let report: Value = serde_json::from_str(&said.stdout).map_err(|e| format!("{e}: {said:?}"))?;
        let denied = report["findings"].as_array().into_iter().flatten().filter(|finding| finding["level"] == "deny");
        let denied: Vec<&Value> = denied.collect();
        let code = i32::from(self.check.is_some());
        let is_it = match (&self.check, denied.as_slice()) {
            (None, []) => true,
            (Some(wanted), [finding]) => wanted.is(finding, copy),
            _ => false,
        };
        expect(said.code == Some(code) && is_it, "check", &said)
    }

    fn timing(&self, copy: &Path) -> Result<(), String> {
        let said = said(copy, &["timing"]);
        let is_it = match self.timing {
            None => said.code == Some(0),
            Some(words) => said.code == Some(1) && said.stdout.contains(words),
        };
        expect(is_it, "timing", &said)
    }

    fn drill(&self, copy: &Path) -> Result<(), String> {
        let Some(asked) = &self.drill else { return drill(copy) };
        example::build(copy, asked.test);
        let mut call = gate(copy);
        call.args(["drill", "--offline", "--limit", "10m", "--"]).args(example::cargo_test(asked.test, &[]));
        let said = call.output().map_err(|e| e.to_string())?;
        let out = String::from_utf8_lossy(&said.stdout);
        let told = [
            "pass  the provider cannot be reached: succeeded",
            "FAIL  the provider answers 429: succeeded, and asked the stand-in once",
            &format!("asked: {}\n", asked.request),
            "FAILED: the command succeeds, but it asks a model",
        ];
        let is_it = said.status.code() == Some(1) && told.iter().all(|line| out.contains(line));
        expect(is_it, "drill", &said)
    }

    fn card(&self, copy: &Path) -> Result<(), String> {
        let said = said(copy, &["card"]);
        let (question, why) = self.card;
        let (answer, evidence) = card::row(&said, question);
        let stops = said.stdout.matches("  STOP  ").count();
        let is_it = said.code == Some(1) && answer == "STOP" && evidence.contains(why) && stops == 1;
        expect(is_it, "card", &said)
    }
}

impl Denied {
    fn is(&self, finding: &Value, copy: &Path) -> bool {
        let primary = &finding["primary"];
        let text = fs::read_to_string(copy.join(self.file)).unwrap();
        let line = primary["line"].as_u64().and_then(|line| text.lines().nth(usize::try_from(line).ok()? - 1));
        let hops = finding["route"].as_array().into_iter().flatten();
        let items: Vec<&str> = hops.filter_map(|hop| hop["item"].as_str()).collect();
        finding["lint"] == self.lint
            && primary["file"] == self.file
            && line == Some(self.line)
            && items.ends_with(self.route)
    }
}

fn expect(is_it: bool, command: &str, said: &dyn std::fmt::Debug) -> Result<(), String> {
    if is_it { Ok(()) } else { Err(format!("not what is expected of `{command}`: {said:#?}")) }
}

/// A drill that passes, so that a card of the copy stops at something else.
fn drill(copy: &Path) -> Result<(), String> {
    let said = run(gate(copy).args(["drill", "--offline", "--", "true"]));
    expect(said.code == Some(0), "drill", &said)
}

#[test]
fn each_spoiled_copy_fails_for_its_reason() {
    let Some(example) = example() else { return };
    let wrong: Vec<String> = SPOILED
        .par_iter()
        .flat_map(|row| {
            let copy = row.copy(&example);
            row.judge(&copy.path())
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A repository around the copy, with a commit. None where there is no git.
fn commit(copy: &Path) -> Option<()> {
    let git = |arguments: &[&str]| {
        let mut git = scrubbed("git");
        git.args(["-c", "user.name=nobody", "-c", "user.email=nobody@example.invalid", "-c", "commit.gpgsign=false"]);
        git.args(arguments).current_dir(copy).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        run(&mut git)
    };
    if Command::new("git").arg("--version").output().is_err() {
        println!("there is no git here: no card of a commit was looked at");
        return None;
    }
    for arguments in [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--allow-empty", "-m", "all"]]
    {
        let said = git(arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {said:?}");
    }
    Some(())
}

#[test]
fn a_copy_with_nothing_spoiled_passes_and_goes_for_as_long_as_its_commit_stands() {
    let Some(example) = example() else { return };
    let copy = example::copy(&example).file(".gitignore", "/target\n");
    let path = copy.path();
    if commit(&path).is_none() {
        return;
    }
    for command in ["check", "timing"] {
        let said = said(&path, &[command]);
        assert_eq!(said.code, Some(0), "{command}: {said:?}");
    }
    let answer = || card::row(&said(&path, &["card"]), "provider unreachable");
    assert_eq!(answer().0, "STOP", "it was not drilled yet");
    drill(&path).unwrap();
    let card = said(&path, &["card"]);
    assert_eq!(card.code, Some(0), "{card:?}");
    assert!(!card.stdout.contains("  LOOK  ") && card.stdout.ends_with("GO: no row stops\n"), "{card:?}");
    commit(&path);
    let (stopped, why) = answer();
    assert_eq!(stopped, "STOP");
    assert!(why.contains("the last drill was held at commit "), "{why}");
}
