//! `drill` on the worked example: a failover test that starts a PostgreSQL server of its own passes in it.

use lease_guard::drill::{IsolationKind, read_record};

use super::{
    drill::permitted,
    example::{build, cargo_test, example},
    gate::gate,
    workspace::Workspace,
};

/// One that takes seconds; the others were drilled by hand, as docs/hardening.md says.
const TEST: &str = "fence::a_takeover_that_is_under_way_keeps_the_append_waiting_and_refuses_it";

#[test]
fn the_example_passes_without_a_model() {
    let Some(example) = example() else { return };
    if !permitted().contains(&IsolationKind::Namespaces) {
        println!("namespaces are not permitted here, and nothing else lets a test talk to its own server: left out");
        return;
    }
    build(&example, "failover");
    // The record of this test is none of a person's drill.
    let kept = Workspace::empty();
    let mut drill = gate(&example);
    drill.args(["drill", "--offline", "--isolation", "namespaces", "--limit", "10m", "--"]);
    drill.args(cargo_test("failover", &["--", "--exact", TEST])).env("CARGO_TARGET_DIR", kept.path());
    let said = drill.output().unwrap();
    let (out, told) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert_eq!(said.status.code(), Some(0), "{out}\n{told}");
    assert_eq!(out.matches("test result: ok. 1 passed").count(), 5, "the test ran each time: {out}");
    assert!(out.contains("\nreachable: nothing\n"), "its own server is inside: {out}");
    assert!(out.ends_with("passed: the command succeeds without a model, and asks none\n"), "{out}");
    let record = read_record(&kept.path()).expect("a record");
    assert!(record.passed && record.isolation == "namespaces" && record.runs.len() == 5, "{record:?}");

    // Then every row of the card goes.
    let card = gate(&example).args(["card", "--offline"]).env("CARGO_TARGET_DIR", kept.path()).output().unwrap();
    let told = String::from_utf8_lossy(&card.stdout);
    assert_eq!(card.status.code(), Some(0), "{told}");
    assert!(told.ends_with("\nGO: no row stops\n") && !told.contains("LOOK"), "{told}");
}
