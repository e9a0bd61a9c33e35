//! `timing` from outside: the sums, the sweep against the reference figures, the chart, another clock.

use std::{collections::BTreeMap, fs};

use super::{
    fixtures,
    gate::{Said, gate, offline, run},
    workspace::{Workspace, project},
};

const MANIFEST: &str = "[package]\nname = \"pier\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const SOURCE: &str = "pub mod watch {\n    pub const TTL_SECS: u64 = 15;\n    pub fn renew() {}\n}\n";

fn pier(timing: &str) -> Workspace {
    let rules = format!("[[lease]]\nname = \"watch\"\nmodules = [\"pier::watch\"]\n{timing}");
    fixtures::workspace([("Cargo.toml", MANIFEST), ("src/lib.rs", SOURCE), ("lease-guard.toml", &rules)])
}

fn timed(guard: &str) -> Workspace {
    pier(&format!(
        "[lease.timing]\nttl = {{ const = \"pier::watch::TTL_SECS\" }}\nrenew-every = \"5s\"\nrenew-p95 = \"40ms\"\n\
         clock-skew = {{ bound = \"200ms\", source = \"chrony\", measured = 2026-11-01 }}\nguard = \"{guard}\"\n\
         max-gap = \"1s\"\nsteps = [{{ name = \"fsync\", p95 = \"12ms\" }}]\n"
    ))
}

fn timing(workspace: &Workspace, arguments: &[&str]) -> Said {
    offline(&workspace.path(), &[&["timing"], arguments].concat())
}

#[test]
fn the_sums_the_band_and_a_sweep_are_shown() {
    let said = timing(&timed("100ms"), &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    insta::assert_snapshot!("timing_holds", said.stdout);
    let said = timing(&timed("50ms"), &["--skew", "-200ms..200ms", "--guard", "50ms"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    insta::assert_snapshot!("timing_two_leaders", said.stdout);
}

#[test]
fn what_comes_too_late_is_told_and_what_is_not_there_is_no_pass() {
    let late = pier("[lease.timing]\nttl = \"60ms\"\nrenew-every = \"50ms\"\nrenew-p95 = \"40ms\"\n");
    let said = timing(&late, &[]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("deny: a renewal comes too late"), "{}", said.stdout);
    assert!(said.stdout.contains("nobody knows how far the clocks are apart"), "{}", said.stdout);

    let said = timing(&pier(""), &[]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("no `[lease.timing]` in the rules file"), "{}", said.stderr);

    let unknown =
        pier("[lease.timing]\nttl = { const = \"pier::watch::TTL_SEC\" }\nrenew-every = \"5s\"\nrenew-p95 = \"1ms\"\n");
    let said = timing(&unknown, &[]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("pier::watch::TTL"), "{}", said.stderr);
}

/// One tick of the reference figures is a millisecond here; how long exactly one leads depends on the window that
/// is counted in, which the floor's own test has.
#[test]
fn the_sweep_gives_the_reference_figures() {
    let workspace = timed("100ms");
    let figures = fs::read_to_string(project().join("tests/data/guard-sweep.csv")).unwrap();
    let rows: Vec<[i64; 4]> = figures
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .map(|line| {
            let row: Vec<i64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            [row[0], row[1], row[2], row[3]]
        })
        .collect();
    assert!(rows.len() > 15, "{figures}");
    let mut by_guard: BTreeMap<i64, Vec<[i64; 4]>> = BTreeMap::new();
    rows.into_iter().for_each(|row| by_guard.entry(row[1]).or_default().push(row));
    for (guard, rows) in by_guard {
        let said = timing(&workspace, &["--skew", "0ms..10ms", "--guard", &format!("{guard}ms")]);
        let shown = |time: i64| if time == 0 { "-".to_owned() } else { format!("{time}ms") };
        for [skew, _, overlap, gap] in rows {
            let skew = if skew == 0 { "0s".to_owned() } else { format!("+{skew}ms") };
            let guard = if guard == 0 { "0s".to_owned() } else { format!("{guard}ms") };
            let wanted = [guard, skew, shown(overlap), shown(gap)];
            let found =
                said.stdout.lines().any(|line| line.split_whitespace().take(4).eq(wanted.iter().map(String::as_str)));
            assert!(found, "{wanted:?} is not in\n{}", said.stdout);
        }
    }
}

#[test]
fn the_chart_is_one_document_of_its_own() {
    let workspace = timed("100ms");
    let file = workspace.path().join("timing.svg");
    let said = timing(&workspace, &["-o", file.to_str().unwrap()]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{said:?}");
    let text = fs::read_to_string(file).unwrap();
    let chart = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(chart.root_element().tag_name().name(), "svg");
    assert!(chart.descendants().any(|node| node.text() == Some("watch")), "{text}");
    assert_eq!(timing(&workspace, &["--format", "svg"]).stdout, text);
}

#[test]
fn a_range_that_is_none_is_refused_in_one_sentence() {
    for (arguments, word) in [(["--skew", "5"], "no duration"), (["--guard", "3ms..1ms"], "ends before it begins")] {
        let said = timing(&timed("100ms"), &arguments);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert_eq!(said.stderr.matches(word).count(), 1, "{}", said.stderr);
    }
}

/// A clock that is 5 s ahead, and lies by up to 3 ms more or less each time.
#[cfg(unix)]
#[test]
fn a_measurement_finds_the_offset_of_a_clock_that_lies() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("clock");
    fs::write(
        &script,
        "n=$(cat \"$1\" 2>/dev/null || echo 0); echo $((n + 1)) > \"$1\"\n\
         now=$(date +%s%N); lie=$(( (n * 7 % 7 - 3) * 1000000 )); t=$((now + 5000000000 + lie))\n\
         printf '%d.%09d\\n' $((t / 1000000000)) $((t % 1000000000))\n",
    )
    .unwrap();
    let count = folder.path().join("count");
    let said =
        run(gate(folder.path()).args(["timing", "--measure", "--runs", "15", "--", "sh"]).arg(&script).arg(&count));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(fs::read_to_string(count).unwrap().trim(), "15");
    let offset = said
        .stdout
        .strip_prefix("the other clock is ")
        .and_then(|rest| rest.split_once(" ahead of ours, give or take "));
    let (offset, error) = offset.unwrap_or_else(|| panic!("{}", said.stdout));
    let milliseconds = |text: &str| {
        let text = text.split_whitespace().next().unwrap();
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number: f64 = text[..text.len() - unit.len()].parse().unwrap();
        number
            * match unit {
                "s" => 1000.0,
                "ms" => 1.0,
                "us" => 0.001,
                unit => panic!("{unit}"),
            }
    };
    // However long the machine made each reading take, what is said of the error covers it.
    let wrong = (milliseconds(offset) - 5000.0).abs();
    assert!(wrong <= milliseconds(error) + 3.0, "{}", said.stdout);
    let line = said.stdout.lines().find(|line| line.starts_with("clock-skew = ")).unwrap();
    let rules = pier(&format!(
        "[lease.timing]\nttl = \"90s\"\nrenew-every = \"5s\"\nrenew-p95 = \"40ms\"\nguard = \"4s\"\n{line}\n"
    ));
    let said = timing(&rules, &[]);
    assert!(said.code != Some(2), "the line is one for the rules file: {said:?}");
}

#[cfg(unix)]
#[test]
fn a_clock_that_cannot_be_read_is_said_to_be_so() {
    let folder = tempfile::tempdir().unwrap();
    for (command, words) in [
        (["sh", "-c", "echo noon"], "noon"),
        (["sh", "-c", "exit 3"], "exit status: 3"),
        (["no-such-clock", "", ""], "could not be started"),
    ] {
        let said = run(gate(folder.path()).args(["timing", "--measure", "--"]).args(command));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }
}
