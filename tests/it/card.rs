//! `card` from outside: each row that goes, looks and stops, in each form.

use std::fs;

use super::{
    fixtures,
    gate::{Said, offline},
    workspace::Workspace,
};

const MANIFEST: &str = "[package]\nname = \"pier\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\ntokio-postgres = \"0.7\"\nreqwest = \"0.12\"\n";
const RULES: &str = r#"
[[lease]]
name = "watch"
modules = ["pier::watch"]
coordinators = ["tokio-postgres"]
fence-rule = "A write carries the epoch it was granted; storage refuses any other."

[lease.fence]
table = "watches"
holder = "holder"
epoch = "epoch"
expires = "expires_at"
protects = ["cargo"]

[lease.timing]
ttl = "15s"
renew-every = "4s"
renew-p95 = "40ms"
guard = "100ms"
clock-skew = { bound = "200ms", source = "chrony", measured = 9000-01-01 }
"#;
const SOURCE: &str = r#"
pub mod watch {
    const STOW: &str = "UPDATE cargo SET weight = $4 WHERE EXISTS (SELECT 1 FROM watches
        WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > now())";

    pub async fn stow(db: &tokio_postgres::Client) -> bool {
        db.execute(STOW, &[]).await.is_ok()
    }

    pub fn drain_berth(held: bool) -> bool {
        held
    }
}
"#;
/// As a drill on a folder that is no repository leaves it.
const DRILL: &str = r#"{"version": 1, "passed": true, "commit": null, "began": "2026-11-30T10:00:00Z",
"command": ["cargo", "test"], "allowed": [], "isolation": "namespaces", "stops": [], "does_not_stop": [],
"runs": [{"provider": "unreachable", "passed": true, "exit": 0, "signal": null, "timed_out": false, "asked": 0,
"requests": [], "took_ms": 10}]}"#;

fn pier(rules: &str, source: &str, drill: Option<&str>) -> Workspace {
    let files = [("Cargo.toml", MANIFEST), ("lease-guard.toml", rules), ("src/lib.rs", source)];
    let workspace = fixtures::workspace(files);
    match drill {
        Some(record) => workspace.file("target/lease-guard/drill.json", record),
        None => workspace,
    }
}

fn card(workspace: &Workspace, arguments: &[&str]) -> Said {
    offline(&workspace.path(), &[&["card"], arguments].concat())
}

/// The answer to the question that has this word, with what it rests on.
pub(crate) fn row(said: &Said, word: &str) -> (String, String) {
    let at = said.stdout.find(word).unwrap_or_else(|| panic!("{word} is not in {said:?}"));
    let start = said.stdout[..at].rfind('\n').map_or(0, |at| at + 1);
    let rest = &said.stdout[start..];
    let lines = rest.lines().skip(1).take_while(|line| line.starts_with("      "));
    let evidence = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    (rest.split_whitespace().next().unwrap().to_owned(), evidence)
}

#[test]
fn a_lease_that_may_go() {
    let workspace = pier(RULES, SOURCE, Some(DRILL));
    let said = card(&workspace, &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    insta::assert_snapshot!("card_goes", said.stdout);
}

#[test]
fn each_row_stops_for_its_own_reason() {
    let go = || pier(RULES, SOURCE, Some(DRILL));
    let client =
        SOURCE.replace("        db.execute", "        let _ = reqwest::get(\"http://x\").await;\n        db.execute");
    let unfenced = SOURCE.replace("AND epoch = $3 ", "");
    let beside = format!(
        "{SOURCE}\npub mod fleet {{\n    pub async fn choose_replica() {{\n        let _ = reqwest::get(\"http://x\").await;\n    }}\n}}\n"
    );
    let failed = DRILL.replace("true", "false").replace("\"exit\": 0", "\"exit\": 3");
    let asked = DRILL
        .replace("true", "false")
        .replace("\"asked\": 0", "\"asked\": 2")
        .replace("\"requests\": []", "\"requests\": [\"POST /v1/chat/completions\"]");
    let exception = "\n[[exception]]\nlint = \"forbidden-crate\"\nsubject = \"reqwest\"\nreason = \"on its way out\"\nuntil = 2026-01-01\n";
    let cases = [
        (pier(RULES, &client, Some(DRILL)), "talk to its coordinator", "forbidden-crate"),
        (
            pier(&RULES.replace("the epoch", "what the LLM says"), SOURCE, Some(DRILL)),
            "without a model",
            "it names `LLM`",
        ),
        (pier(&RULES.replace("fence-rule", "# fence-rule"), SOURCE, Some(DRILL)), "without a model", "not stated"),
        (pier(RULES, SOURCE, None), "provider unreachable", "not run"),
        (pier(RULES, SOURCE, Some(&failed)), "provider unreachable", "ended with status 3"),
        (pier(RULES, SOURCE, Some(&asked)), "provider unreachable", "asked 2 times: POST /v1/chat/completions"),
        (pier(RULES, &unfenced, Some(DRILL)), "carry the fence", "not for its epoch (src/lib.rs:3)"),
        (
            pier(&RULES.replace("\"cargo\"", "\"cargoes\""), SOURCE, Some(DRILL)),
            "carry the fence",
            "no SQL in the local packages names `cargoes`",
        ),
        (pier(&RULES.replace("15s", "60ms"), SOURCE, Some(DRILL)), "numbers add up", "a renewal comes too late"),
        (pier(&RULES.replace("100ms", "10ms"), SOURCE, Some(DRILL)), "numbers add up", "two leaders for 180ms"),
        (
            pier(RULES.split("[lease.timing]").next().unwrap(), SOURCE, Some(DRILL)),
            "numbers add up",
            "no `[lease.timing]`",
        ),
        (pier(RULES, &beside, Some(DRILL)), "act like membership", "reaches `reqwest`"),
        (pier(&format!("{RULES}{exception}"), SOURCE, Some(DRILL)), "cut and excepted", "expired-exception"),
        (
            pier(&format!("{RULES}\n[lints]\nunfenced-write = \"allow\"\n"), &unfenced, Some(DRILL)),
            "carry the fence",
            "the rules allow `unfenced-write`",
        ),
    ];
    assert_eq!(card(&go(), &[]).code, Some(0));
    for (workspace, question, why) in cases {
        let said = card(&workspace, &[]);
        assert_eq!(said.code, Some(1), "{question}: {said:?}");
        let (answer, evidence) = row(&said, question);
        assert_eq!(answer, "STOP", "{question}: {evidence}\n{}", said.stdout);
        assert!(evidence.contains(why), "{question}: {why} is not in {evidence}");
        assert_eq!(said.stdout.matches("STOP  ").count(), 1, "one thing was spoiled, one row stops: {}", said.stdout);
    }
}

#[test]
fn what_stops_nothing_is_to_be_looked_at() {
    let aside = format!("{SOURCE}\npub fn is_readyz() -> bool {{\n    true\n}}\n");
    let said = card(&pier(RULES, &aside, Some(DRILL)), &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let (answer, evidence) = row(&said, "act like membership");
    assert_eq!(answer, "LOOK");
    assert!(evidence.contains("`pier::is_readyz` is not on the lease path"), "{evidence}");

    let (bare, rest) = RULES.split_once("[lease.fence]").unwrap();
    let rules = format!("{bare}[lease.timing]{}", rest.split_once("[lease.timing]").unwrap().1);
    let said = card(&pier(&rules, SOURCE, Some(DRILL)), &[]);
    let (answer, evidence) = row(&said, "carry the fence");
    assert_eq!((said.code, answer.as_str()), (Some(0), "LOOK"), "{said:?}");
    assert!(evidence.contains("does not apply"), "{evidence}");
}

#[test]
fn the_page_and_the_markdown_hold_no_markup_of_the_workspace() {
    let hostile = RULES.replace("the epoch", "<script>x</script> | [a](b) the epoch");
    let workspace = pier(&hostile, SOURCE, Some(DRILL));
    let markdown = card(&workspace, &["--format", "markdown"]);
    assert_eq!(markdown.code, Some(0), "{markdown:?}");
    insta::assert_snapshot!("card_markdown", markdown.stdout);
    let file = workspace.path().join("card.html");
    let said = card(&workspace, &["-o", file.to_str().unwrap()]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{said:?}");
    let page = fs::read_to_string(file).unwrap();
    assert!(!page.contains("<script") && page.contains("&#60;script&#62;"), "{page}");
    assert!(page.contains("default-src 'none'"), "{page}");
    assert_eq!(page.matches("<tr>").count(), page.matches("</tr>").count());
}

#[test]
fn what_cannot_be_looked_at_gives_no_card() {
    let said = card(&pier(&RULES.replace("pier::watch", "pier::watsh"), SOURCE, None), &[]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said:?}");
    assert!(said.stderr.contains("did you mean `pier::watch`?"), "{}", said.stderr);
}
