//! The command line, read as a user types it.

use super::*;

const FORMATS: [&str; 4] = ["human", "short", "json", "github"];

fn said(line: &str) -> Result<Meaning, UsageError> {
    in_place(line, &Surroundings::default())
}

fn in_place(line: &str, surroundings: &Surroundings) -> Result<Meaning, UsageError> {
    read(line.split_whitespace().map(OsString::from), surroundings, &FORMATS)
}

fn checked(line: &str) -> Check {
    match said(line).unwrap().command {
        Command::Check(check) => check,
        other => panic!("not a check: {other:?}"),
    }
}

#[test]
fn the_definition_holds_together() {
    command(&FORMATS).debug_assert();
}

#[test]
fn cargo_and_a_direct_call_mean_the_same() {
    let through_cargo = said("cargo-lease-guard lease-guard --offline --lease a").unwrap();
    assert_eq!(said("cargo-lease-guard --offline --lease a").unwrap(), through_cargo);
    assert_eq!(said("cargo-lease-guard check --offline --lease a").unwrap(), through_cargo);
    assert_eq!(said("cargo-lease-guard --offline check --lease a").unwrap(), through_cargo);
}

#[test]
fn without_a_flag_everything_is_on() {
    let check = checked("x");
    assert_eq!(check.project, Project::default());
    assert_eq!(check.project.features, Features::All);
    assert_eq!(check.format, "human");
}

#[test]
fn the_last_level_stands_last_whatever_its_flag() {
    let levels = checked("x -D a -A b --warn a -D b --allow=a").levels;
    let words: Vec<_> = levels.iter().map(|(lint, level)| (lint.as_str(), level.word())).collect();
    assert_eq!(words, [("a", "deny"), ("b", "allow"), ("a", "warn"), ("b", "deny"), ("a", "allow")]);
}

#[test]
fn levels_before_a_subcommand_come_before_those_behind_it() {
    let levels = checked("x -D a check -A a").levels;
    assert_eq!(levels, [("a".to_owned(), Level::Deny), ("a".to_owned(), Level::Allow)]);
}

#[test]
fn features_narrow_and_may_be_split_by_commas() {
    let features = |line: &str| checked(line).project.features;
    assert_eq!(features("x --all-features --no-default-features"), Features::All);
    assert_eq!(features("x --no-default-features"), Features::Chosen { default: false, names: vec![] });
    let named = vec!["a".to_owned(), "b/c".to_owned(), "d".to_owned()];
    assert_eq!(features("x -F a,b/c --features d"), Features::Chosen { default: true, names: named });
}

#[test]
fn frozen_is_locked_and_offline() {
    let project = checked("x --frozen").project;
    assert!(project.locked && project.offline);
}

#[test]
fn a_github_job_gets_annotations_unless_the_output_is_a_file() {
    let at = |github_actions, stdout_is_file, line| {
        let around = Surroundings { github_actions, stdout_is_file, ..Surroundings::default() };
        match in_place(line, &around).unwrap().command {
            Command::Check(check) => check.format,
            other => panic!("not a check: {other:?}"),
        }
    };
    assert_eq!(at(true, false, "x"), "github");
    assert_eq!(at(true, true, "x"), "human");
    assert_eq!(at(true, false, "x --format short"), "short");
    assert_eq!(at(false, false, "x"), "human");
    let around = Surroundings { github_actions: true, ..Surroundings::default() };
    let without = read(["x".into()], &around, &["human", "json"]).unwrap().command;
    assert!(matches!(without, Command::Check(check) if check.format == "human"));
}

#[test]
fn a_flag_for_colour_wins_over_cargos_variable() {
    let at = |line| {
        let around = Surroundings { cargo_term_color: Some("never".into()), ..Surroundings::default() };
        in_place(line, &around).unwrap().screen.color
    };
    assert_eq!(at("x"), anstream::ColorChoice::Never);
    assert_eq!(at("x --color always"), anstream::ColorChoice::Always);
    assert_eq!(at("x explain forbidden-crate --color auto"), anstream::ColorChoice::Auto);
}

#[test]
fn what_stands_behind_the_dashes_is_the_commands() {
    let drilled = |line: &str| match said(line).unwrap().command {
        Command::Drill(drill) => drill,
        other => panic!("not a drill: {other:?}"),
    };
    let drill = drilled("x --lease a drill --limit 90s --isolation landlock -- make -q --lease b -- c");
    assert_eq!(drill.command, ["make", "-q", "--lease", "b", "--", "c"]);
    assert_eq!(
        (drill.limit, drill.isolation),
        (Some(std::time::Duration::from_secs(90)), Some(super::super::Isolation::Landlock))
    );
    assert_eq!(drill.scope.leases, ["a"]);
    let plain = drilled("x drill -- true");
    assert_eq!((plain.limit, plain.isolation), (None, None));
}

#[test]
fn without_the_dashes_they_are_told_of() {
    for line in [
        "x drill",
        "x drill cargo test",
        "x drill --limit 3s cargo test --test a",
        "x -q drill cargo",
        "x timing --measure",
        "x timing --measure date",
    ] {
        let error = said(line).unwrap_err();
        assert_eq!(error.0.exit_code(), 2, "{line}");
        assert!(error.to_string().contains("tip: the command stands behind `--`"), "{line}: {error}");
    }
    for line in [
        "x --lease drill --nonsense",
        "x timing date",
        "x why",
        "x drill --limit soon -- true",
        "x drill --nonsense -- true",
    ] {
        let error = said(line).unwrap_err();
        assert!(!error.to_string().contains("behind `--`"), "{line}: {error}");
    }
}

#[test]
fn a_misuse_is_2_and_help_is_0() {
    for line in ["x --nonsense", "x chekc", "x -q -v", "x --format xml", "x explain", "x -D", "x tree --format json"] {
        assert_eq!(said(line).unwrap_err().0.exit_code(), 2, "{line}");
    }
    for line in ["x --help", "x check --help", "x --version", "lease-guard lease-guard -V"] {
        assert_eq!(said(line).unwrap_err().0.exit_code(), 0, "{line}");
    }
}

#[test]
fn help_fits_80_columns() {
    let mut command = command(&FORMATS).term_width(80);
    command.build();
    let mut texts = vec![command.render_long_help().to_string()];
    texts.extend(command.get_subcommands_mut().map(|sub| sub.render_long_help().to_string()));
    for text in texts {
        let long: Vec<_> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:#?}\n{text}");
    }
}

#[test]
fn every_example_of_the_help_is_understood() {
    let command = command(&FORMATS);
    let mut helps = vec![&command];
    helps.extend(command.get_subcommands());
    let mut seen = 0;
    for help in helps {
        let text = help.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in text.lines().filter_map(|line| line.strip_prefix("  cargo ")) {
            let words = line.split("  ").next().unwrap_or(line);
            // What a shell does with the output is the shell's.
            let words =
                [" | ", " > ", " >> "].iter().fold(words, |words, sign| words.split(sign).next().unwrap_or(words));
            said(&format!("cargo-lease-guard {words}")).unwrap_or_else(|e| panic!("{line}: {e}"));
            seen += 1;
        }
    }
    assert!(seen > 15, "only {seen} examples were found");
}

#[cfg(unix)]
#[test]
fn a_path_that_is_no_utf8_is_a_misuse() {
    use std::os::unix::ffi::OsStringExt;
    let path = OsString::from_vec(b"a\xff/Cargo.toml".to_vec());
    let error = read(["x".into(), "--manifest-path".into(), path], &Surroundings::default(), &FORMATS).unwrap_err();
    assert_eq!(error.0.exit_code(), 2);
    assert!(error.to_string().contains("UTF-8"), "{error}");
}
