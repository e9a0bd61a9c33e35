//! The statements that the judge accepts and refuses, run on a PostgreSQL server: what it calls fenced refuses a stale
//! writer, what it calls unfenced lets one through in the world that the case names.
//!
//! Nothing is believed of what a statement says: the tables are compared before and after.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    process::Child,
};

use super::{
    server::Server,
    sql_cases::{SqlCase, sql_cases},
};

const SCHEMA: &str = "
CREATE TABLE worker_leases (
  name text PRIMARY KEY, holder text, epoch bigint NOT NULL, expires_at timestamptz NOT NULL,
  granted_at timestamptz NOT NULL DEFAULT '-infinity', active boolean NOT NULL DEFAULT true);
CREATE TABLE orders (
  id bigint PRIMARY KEY, value text, epoch bigint, version bigint NOT NULL DEFAULT 1,
  lease_name text NOT NULL DEFAULT 'order-writer', updated_at timestamptz NOT NULL DEFAULT '-infinity');
CREATE TABLE order_events (order_id bigint, what text);
CREATE SEQUENCE epochs START 1000;
";

/// What is in the tables, and who holds the lease at which epoch.
const LOOK: &str = "
SELECT '@@ ' || md5(concat(
  (SELECT string_agg(o::text, ';' ORDER BY o.id) FROM orders o), '|',
  (SELECT string_agg(e::text, ';' ORDER BY e::text) FROM order_events e), '|',
  (SELECT string_agg(l::text, ';' ORDER BY l.name) FROM worker_leases l)))
  || ' ' || coalesce((SELECT concat(holder, ' ', epoch) FROM worker_leases WHERE name = 'order-writer'), '- 0');
";

/// The rows of the lease's table and the epoch in the order's row.
fn world(name: &str) -> (&'static [(&'static str, &'static str, u32, bool)], u32) {
    match name {
        "held" => (&[("order-writer", "a", 1, true)], 1),
        "taken" => (&[("order-writer", "b", 2, true)], 2),
        "regranted" => (&[("order-writer", "a", 2, true)], 2),
        "expired" => (&[("order-writer", "a", 1, false)], 1),
        "other" => (&[("order-writer", "b", 2, true), ("reports", "a", 1, true)], 2),
        "rebuilt" => (&[("order-writer", "b", 1, true)], 1),
        "gone" => (&[], 1),
        "free" => (&[("order-writer", "b", 2, false)], 2),
        "overwritten" => (&[("order-writer", "b", 2, true)], 1),
        _ => panic!("`{name}` is no world"),
    }
}

fn set_up(name: &str) -> String {
    let (leases, epoch) = world(name);
    let mut sql = "TRUNCATE worker_leases, orders, order_events;\n".to_owned();
    for (name, holder, epoch, is_held) in leases {
        let expires = if *is_held { "now() + interval '1 hour'" } else { "now() - interval '1 minute'" };
        sql += &format!(
            "INSERT INTO worker_leases (name, holder, epoch, expires_at) VALUES ('{name}', '{holder}', {epoch}, {expires});\n"
        );
    }
    sql + &format!("INSERT INTO orders (id, value, epoch) VALUES (7, 'first', {epoch});\n")
}

/// The value of a placeholder, for a writer.
fn value(word: &str, holder: &str, epoch: u32) -> String {
    match word {
        "lease" => "'order-writer'".to_owned(),
        "holder" => format!("'{holder}'"),
        "epoch" => epoch.to_string(),
        "next-epoch" => "3".to_owned(),
        "order" => "7".to_owned(),
        "fresh-order" => "8".to_owned(),
        "value" => format!("'written by {holder}'"),
        "ttl" => "'15 seconds'".to_owned(),
        "now" => "(now() - interval '1 day')".to_owned(),
        "seconds" => "1.5".to_owned(),
        _ => panic!("`{word}` stands for nothing"),
    }
}

/// The statement with values in the place of its placeholders.
fn filled(case: &SqlCase, holder: &str, epoch: u32) -> String {
    let mut sql = case.sql.clone();
    for (word, at) in case.args.iter().zip(1..).collect::<Vec<_>>().into_iter().rev() {
        sql = sql.replace(&format!("${at}"), &value(word, holder, epoch));
    }
    for word in &case.args {
        sql = sql.replace(&format!("= :{word}"), &format!("= {}", value(word, holder, epoch)));
        if sql.contains(" ?") {
            sql = sql.replacen(" ?", &format!(" {}", value(word, holder, epoch)), 1);
        }
    }
    sql
}

/// What was seen before and after: whether anything changed, and the lease's holder and epoch.
struct Seen {
    changed: bool,
    before: (String, u64),
    after: (String, u64),
}

/// Runs every case in each of its worlds, in one session.
fn run(server: &Server, cases: &[SqlCase]) -> BTreeMap<(String, String), Seen> {
    let mut script = SCHEMA.to_owned();
    for case in cases {
        for world in case.refused.iter().chain(&case.passes) {
            script += &format!("SELECT '## {}|{world}';\n", case.name.replace('\'', "''"));
            script += &set_up(world);
            if world == "overwritten" {
                script += &format!("{};\nROLLBACK;\n", filled(case, "b", 2));
            }
            script += &format!("{LOOK}{};\nROLLBACK;\n{LOOK}", filled(case, "a", 1));
        }
    }
    let output = server.script(&script);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut seen = BTreeMap::new();
    for part in text.split("## ").skip(1) {
        let (name, world) = part.lines().next().unwrap().split_once('|').unwrap();
        let looks: Vec<_> = part.lines().filter_map(|line| line.strip_prefix("@@ ")).collect();
        let [before, after] = looks[..] else { panic!("{name}, {world}: {part}") };
        let lease = |look: &str| {
            let words: Vec<_> = look.split(' ').collect();
            (words[1].to_owned(), words[2].parse().unwrap())
        };
        seen.insert(
            (name.to_owned(), world.to_owned()),
            Seen { changed: before != after, before: lease(before), after: lease(after) },
        );
    }
    // A statement that the server cannot read, or that names what is not there, refuses for the wrong reason.
    let words = String::from_utf8(output.stderr).unwrap();
    let wrong: Vec<_> = words.lines().filter(|line| line.contains("ERROR")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    seen
}

#[test]
fn the_verdicts_are_those_of_a_server() {
    let Some(server) = Server::start() else { return };
    let cases: Vec<_> = sql_cases().into_iter().filter(|case| case.is_for_server).collect();
    let seen = run(&server, &cases);
    let mut wrong = Vec::new();
    for case in &cases {
        assert!(!case.refused.is_empty() || !case.passes.is_empty(), "{}: no world", case.name);
        let of = |world: &String| &seen[&(case.name.clone(), world.clone())];
        for world in case.refused.iter().filter(|world| of(world).changed) {
            wrong.push(format!("{}: it passes in `{world}`", case.name));
        }
        for world in case.passes.iter().filter(|world| !of(world).changed) {
            wrong.push(format!("{}: it is refused in `{world}`", case.name));
        }
        // Who is granted the lease of another gets a higher epoch, or the judge says that it does not rise.
        let keeps = case.expect.iter().any(|word| word.ends_with("keeps-epoch"));
        let granted = |seen: &Seen| seen.before.0 == "b" && seen.after.0 == "a";
        let has_risen = |seen: &Seen| seen.after.1 > seen.before.1;
        let mut changed = case.passes.iter().map(of).filter(|seen| granted(seen) || case.rises_at_renewal);
        if keeps && changed.clone().all(has_risen) {
            wrong.push(format!("{}: the epoch rises in every world", case.name));
        }
        if case.expect.is_empty() && !changed.all(has_risen) {
            wrong.push(format!("{}: the epoch does not rise", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// A session that is in the midst of something.
struct Session(Child);

impl Session {
    fn say(&mut self, sql: &str) {
        self.0.stdin.as_mut().unwrap().write_all(sql.as_bytes()).unwrap();
    }

    /// Waits until all that was said has been done.
    fn settle(&mut self, words: &mut impl Iterator<Item = String>) {
        self.say("\\echo settled\n");
        assert!(words.any(|line| line == "settled"), "the session ended");
    }

    /// What it wrote since, to its end.
    fn end(mut self) -> String {
        drop(self.0.stdin.take());
        String::from_utf8(self.0.wait_with_output().unwrap().stdout).unwrap()
    }
}

/// Two takeovers at once, of which the second comes while the first is not yet committed; how many of them were granted
/// the lease.
fn granted_at_once(server: &Server, find: &str) -> usize {
    server.ask(&set_up("free").replace('\n', " "));
    let take = |holder: &str| {
        format!(
            "UPDATE worker_leases SET holder = '{holder}', epoch = epoch + 1, expires_at = now() + interval '15 s'
             WHERE name = ({find}) RETURNING 'granted to ' || holder;\n"
        )
    };
    let mut first = Session(server.session());
    let mut words = BufReader::new(first.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    first.say(&format!("BEGIN;\n{}", take("c")));
    first.settle(&mut words);
    let mut second = Session(server.session());
    second.say("SET application_name = 'second';\n");
    second.say(&format!("{}\\q\n", take("d")));
    // It either waits for the first, or is done.
    let is_waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'second' AND wait_event_type = 'Lock'";
    while server.ask(is_waiting) == "0" && second.0.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    first.say("COMMIT;\n");
    first.settle(&mut words);
    let of_second = second.end();
    // The first had been granted it in any case.
    1 + of_second.lines().filter(|line| line.starts_with("granted")).count()
}

#[test]
fn a_takeover_of_what_was_found_without_a_lock_is_granted_twice() {
    let Some(server) = Server::start() else { return };
    server.ask(SCHEMA);
    let find = "SELECT name FROM worker_leases WHERE expires_at < now() ORDER BY name LIMIT 1";
    assert_eq!(granted_at_once(&server, find), 2);
    for lock in ["FOR UPDATE", "FOR UPDATE SKIP LOCKED", "FOR NO KEY UPDATE"] {
        assert_eq!(granted_at_once(&server, &format!("{find} {lock}")), 1, "{lock}");
    }
}
