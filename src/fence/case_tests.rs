//! The judge against the cases of `tests/data/fence`, and against any text.

use proptest::prelude::*;

use super::{FenceRules, SqlKind, judge};
use crate::{config::EpochRises, source::LiteralMap};

#[path = "../../tests/it/sql_cases.rs"]
mod sql_cases;

fn rules(epoch_rises: EpochRises) -> FenceRules {
    FenceRules::new("worker_leases", ["holder", "epoch", "expires_at"], epoch_rises, &["orders"])
}

fn word(kind: SqlKind) -> String {
    match kind {
        SqlKind::UnfencedWrite => "unfenced-write".to_owned(),
        SqlKind::UnguardedRenewal(fault) => format!("unguarded-renewal/{}", fault.word()),
        SqlKind::ClientClock => "client-clock".to_owned(),
        SqlKind::Unparsed => "unparsed".to_owned(),
    }
}

#[test]
fn every_case_gives_what_it_expects() {
    let mut wrong = Vec::new();
    for case in sql_cases::sql_cases() {
        let rises = if case.rises_at_renewal { EpochRises::Renewal } else { EpochRises::Grant };
        let found = judge(&case.sql, &rules(rises));
        let kinds = found.iter().map(|finding| word(finding.kind)).collect();
        let whys: Vec<_> = found.iter().map(|finding| finding.why.as_str()).collect();
        if case.expect != kinds {
            wrong.push(format!("{}: expected {:?}, found {kinds:?} {whys:?}", case.name, case.expect));
            continue;
        }
        for finding in &found {
            let at = case.sql.get(std::ops::Range::from(finding.range)).unwrap_or("<no place>");
            if at.is_empty() || case.at.as_ref().is_some_and(|wanted| wanted != at) {
                wrong.push(format!("{}: it points at `{at}`, not at {:?}", case.name, case.at));
            }
        }
        if case.why.as_ref().is_some_and(|why| !whys.iter().any(|found| found.contains(why.as_str()))) {
            wrong.push(format!("{}: {:?} is not said in {whys:?}", case.name, case.why));
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

/// The statements of the worked example, and each with one thing spoiled.
#[test]
#[expect(clippy::print_stdout, reason = "a test says what it left out")]
fn the_worked_example_is_clean_and_its_spoiled_copies_are_not() {
    let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = project.join("fixtures/order-writer/src");
    // cargo leaves the example, a package of its own, out of the package that it makes, and leaves this there.
    if project.join("Cargo.toml.orig").is_file() && !folder.exists() {
        println!("fixtures/order-writer is not in the package: its statements were not judged");
        return;
    }
    let mut statements = Vec::new();
    for file in ["orders.rs", "lease/table.rs"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        for (at, _) in text.match_indices("&str = \"") {
            let mut map = LiteralMap::default();
            assert!(map.push_literal(0, &text[at + "&str = ".len()..]));
            statements.push(map.value().to_owned());
        }
    }
    let rules = rules(EpochRises::Grant);
    let kinds = |sql: &str| judge(sql, &rules).into_iter().map(|finding| word(finding.kind)).collect::<Vec<_>>();
    for sql in &statements {
        assert_eq!(kinds(sql), [""; 0], "{sql}");
    }
    for (part, instead, kind) in [
        (" and held.epoch = $3", "", "unfenced-write"),
        (" and held.holder = $2", "", "unfenced-write"),
        (" and held.expires_at > clock_timestamp()", "", "unfenced-write"),
        ("held.expires_at > clock_timestamp()", "held.expires_at > $5", "client-clock"),
        ("held.epoch + 1", "held.epoch", "unguarded-renewal/keeps-epoch"),
        (" + make_interval(secs => $4) <", " - make_interval(secs => $4) <", "unguarded-renewal/takes-unexpired"),
    ] {
        let spoiled = statements.iter().filter(|sql| sql.contains(part)).map(|sql| sql.replace(part, instead));
        let found: Vec<_> = spoiled.map(|sql| kinds(&sql)).collect();
        assert_eq!(found, [[kind]], "{part}");
    }
    let renewal = statements.iter().find(|sql| sql.contains("set expires_at = clock_timestamp() +")).unwrap();
    assert_eq!(kinds(&renewal.replace(" and holder = $2", "")), ["unguarded-renewal/extends-anyones"]);
    assert_eq!(
        kinds(&renewal.replace(" and expires_at > clock_timestamp()", "")),
        ["unguarded-renewal/extends-expired"]
    );
}

/// The tables' names in another spelling and schema, and other columns, change nothing.
#[test]
fn names_are_those_of_the_rules() {
    let rules = FenceRules::new("ops.locks", ["owner", "token", "valid_until"], EpochRises::Grant, &["ops.jobs"]);
    let fenced = "UPDATE ops.JOBS SET a = 1 WHERE EXISTS (SELECT 1 FROM \"locks\"
        WHERE name = $1 AND owner = $2 AND token = $3 AND valid_until > now())";
    assert_eq!(judge(fenced, &rules), []);
    assert_eq!(judge(&fenced.replace("owner", "holder"), &rules).len(), 1);
    assert_eq!(judge(&fenced.replace("\"locks\"", "other.locks"), &rules).len(), 1);
    assert_eq!(judge("UPDATE other.jobs SET a = 1", &rules), []);
}

/// A job queue keeps the lease in the row of the job: what is done under it asks for the row itself.
#[test]
fn the_lease_may_stand_in_the_protected_table() {
    let rules = FenceRules::new("jobs", ["worker", "attempt_epoch", "locked_until"], EpochRises::Grant, &["jobs"]);
    let kinds = |sql: &str| judge(sql, &rules).into_iter().map(|finding| word(finding.kind)).collect::<Vec<_>>();
    let done =
        "UPDATE jobs SET state = 'done' WHERE id = $1 AND worker = $2 AND attempt_epoch = $3 AND locked_until > now()";
    assert_eq!(kinds(done), [""; 0]);
    assert_eq!(kinds("UPDATE jobs SET state = 'done' WHERE id = $1"), ["unfenced-write"]);
    let claim =
        "UPDATE jobs SET worker = $1, attempt_epoch = attempt_epoch + 1, locked_until = now() + interval '1 min'
        WHERE id = (SELECT id FROM jobs WHERE locked_until < now() LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *";
    assert_eq!(kinds(claim), [""; 0]);
    assert_eq!(kinds(&claim.replace("FOR UPDATE SKIP LOCKED", "")), ["unguarded-renewal/unlocked"]);
}

/// A column that says since when: the time to live is taken off in each comparison.
#[test]
fn a_heartbeat_is_compared_with_the_time_to_live() {
    let rules = FenceRules::new("leases", ["holder", "epoch", "heartbeat_at"], EpochRises::Grant, &[]);
    let kinds = |sql: &str| judge(sql, &rules).into_iter().map(|finding| word(finding.kind)).collect::<Vec<_>>();
    let beat = "UPDATE leases SET heartbeat_at = now()
        WHERE name = $1 AND holder = $2 AND heartbeat_at > now() - interval '15 s'";
    assert_eq!(kinds(beat), [""; 0]);
    assert_eq!(kinds(&beat.replace(" - interval '15 s'", "")), ["unguarded-renewal/extends-expired"]);
    let take = "UPDATE leases SET holder = $2, epoch = epoch + 1, heartbeat_at = now()
        WHERE name = $1 AND heartbeat_at < now() - $3::interval";
    assert_eq!(kinds(take), [""; 0]);
    assert_eq!(kinds(&take.replace(" - $3::interval", "")), ["unguarded-renewal/takes-unexpired"]);
}

#[test]
fn long_and_deep_statements_are_judged_or_said_to_be_unread() {
    let rules = rules(EpochRises::Grant);
    let chain = |n: usize, operator: &str| {
        let parts: Vec<_> = (0..n).map(|at| format!("a = {at}")).collect();
        format!("UPDATE orders SET a = 1 WHERE {}", parts.join(operator))
    };
    for (n, kind) in [(5, "unfenced-write"), (95, "unfenced-write"), (4_000, "unfenced-write"), (9_000, "unparsed")] {
        for operator in [" AND ", " OR "] {
            let found = judge(&chain(n, operator), &rules);
            assert_eq!(found.iter().map(|f| word(f.kind)).collect::<Vec<_>>(), [kind], "{n}{operator}");
        }
    }
    let sum = format!("UPDATE orders SET a = {}1", "1 + ".repeat(4_500));
    assert_eq!(judge(&sum, &rules).len(), 1);
    for open in ["(", "NOT ", "(SELECT ", "EXISTS (SELECT 1 FROM worker_leases WHERE ", "CASE WHEN ", "-", "ARRAY["] {
        let nested = format!("UPDATE orders SET a = 1 WHERE {}", open.repeat(6_000));
        assert_eq!(judge(&nested, &rules).len(), 1, "{open}");
    }
}

/// Each query is looked at once, however the nesting goes.
#[test]
fn nested_queries_cost_no_more_than_their_length() {
    let rules = rules(EpochRises::Grant);
    let depth = 12;
    let open = "EXISTS (SELECT 1 FROM worker_leases l WHERE l.name = $1 AND NOT (l.holder <> $2) AND ";
    let nested = format!("UPDATE orders SET a = 1 WHERE {}true{}", open.repeat(depth), ")".repeat(depth));
    assert_eq!(judge(&nested, &rules).len(), 1);
    let ctes: Vec<_> = (1..60).map(|n| format!("c{n} AS (SELECT * FROM c{} a, c{} b)", n - 1, n - 1)).collect();
    let sql = format!("WITH c0 AS (SELECT 1), {} UPDATE orders SET a = 1 FROM c59", ctes.join(", "));
    assert_eq!(judge(&sql, &rules).len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Words of SQL in any order neither panic nor point outside of the text, and the answer stays the same.
    #[test]
    fn any_words_are_judged(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40)) {
        let sql = words.join(" ");
        let rules = rules(EpochRises::Grant);
        let found = judge(&sql, &rules);
        for finding in &found {
            prop_assert!(sql.get(std::ops::Range::from(finding.range)).is_some_and(|at| !at.is_empty()));
        }
        prop_assert_eq!(found, judge(&sql, &rules));
    }

    /// A condition that is added with AND never takes a fence away; one that is added with OR takes it away.
    #[test]
    fn and_keeps_a_fence_and_or_breaks_it(
        words in prop::collection::vec(prop::sample::select(CONDITIONS.to_vec()), 1..4),
    ) {
        let fence = "EXISTS (SELECT 1 FROM worker_leases
            WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > now())";
        let more = words.join(" AND ");
        let rules = rules(EpochRises::Grant);
        prop_assert_eq!(judge(&format!("UPDATE orders SET a = 1 WHERE {more} AND {fence}"), &rules), []);
        let denied = format!("UPDATE orders SET a = 1 WHERE NOT (NOT ({fence}) OR NOT ({more}))");
        prop_assert_eq!(judge(&denied, &rules), []);
        prop_assert_eq!(judge(&format!("UPDATE orders SET a = 1 WHERE ({more}) OR {fence}"), &rules).len(), 1);
    }
}

const CONDITIONS: [&str; 6] =
    ["id = $4", "a IS NULL", "b < 5", "(c = 1 OR d = 2)", "e IN (1, 2)", "NOT EXISTS (SELECT 1 FROM other)"];

const WORDS: [&str; 44] = [
    "UPDATE",
    "orders",
    "worker_leases",
    "SET",
    "a",
    "=",
    "$1",
    "WHERE",
    "EXISTS",
    "(",
    ")",
    "SELECT",
    "1",
    "FROM",
    "name",
    "holder",
    "epoch",
    "expires_at",
    ">",
    "now()",
    "AND",
    "OR",
    "NOT",
    "INSERT INTO",
    "VALUES",
    ",",
    "DELETE FROM",
    "WITH",
    "x",
    "AS",
    "MERGE INTO",
    "USING",
    "ON",
    "WHEN MATCHED THEN",
    "ON CONFLICT DO UPDATE SET",
    "CASE",
    "END",
    "IN",
    "?",
    ";",
    "'é",
    "'",
    "{x}",
    "RETURNING",
];
