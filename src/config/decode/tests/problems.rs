//! One test a kind of problem: message, place, help.

use insta::assert_snapshot;

use super::{LEASE, listed, read_in, said};
use crate::config::RulesTable;

fn after_lease(lines: &str) -> String {
    said(&format!("{LEASE}{lines}"))
}

#[test]
fn a_syntax_error_has_its_place() {
    assert_snapshot!(said("[[lease]]\nname = \"a\nmodules = [\"a::b\"]\n"), @r#"
    2:10: not valid TOML: invalid basic string, expected `"`
        mend the TOML first; what the rules say was not looked at yet
    "#);
}

#[test]
fn an_unclosed_list_is_a_syntax_error() {
    assert_snapshot!(said("[[lease]]\nname = \"a\"\nmodules = [\"a::b\"\n"), @r#"
    3:18: not valid TOML: unclosed array, expected `]`
        mend the TOML first; what the rules say was not looked at yet
    "#);
}

#[test]
fn a_key_given_twice_is_named() {
    assert_snapshot!(after_lease("modules = [\"orders::fence\"]\n"), @r#"
    4:1: `modules` is given twice in one table
        join the two into one
    "#);
}

#[test]
fn a_table_given_twice_is_named() {
    assert_snapshot!(after_lease("[forbid]\ncalls = [\"a.b\"]\n[forbid]\nstrings = [\"x\"]\n"), @r#"
    6:2: `forbid` is given twice in one table
        join the two into one
    "#);
}

#[test]
fn an_unknown_key_gets_the_nearest() {
    assert_snapshot!(after_lease("coordinator = [\"redis\"]\n"), @r#"
    4:1: unknown key `coordinator` in `[[lease]]`
        did you mean `coordinators`?
    "#);
}

#[test]
fn an_unknown_key_with_no_near_one_gets_the_list() {
    assert_snapshot!(after_lease("owner = \"me\"\n"), @r#"
    4:1: unknown key `owner` in `[[lease]]`
        known are `name`, `modules`, `files`, `packages`, `coordinators`, `workloads`, `fence-rule`, `fence`, `timing` and `drill`
    "#);
}

#[test]
fn a_key_in_the_wrong_table_is_sent_home() {
    assert_snapshot!(after_lease("source-roots = [\"../shared\"]\npacks = [\"transports\"]\n"), @r#"
    4:1: unknown key `source-roots` in `[[lease]]`
        `source-roots` belongs to the top level of the rules: write it above the first `[table]`
    5:1: unknown key `packs` in `[[lease]]`
        `packs` belongs to `[forbid]`; known here are `name`, `modules`, `files`, `packages`, `coordinators`, `workloads`, `fence-rule`, `fence`, `timing` and `drill`
    "#);
}

#[test]
fn an_unknown_key_at_the_top_level() {
    assert_snapshot!(said(&format!("colour = 1\n{LEASE}[exceptions]\n")), @r#"
    1:1: unknown key `colour` in the top level of the rules
        known are `source-roots`, `lease`, `forbid`, `lints` and `exception`
    5:2: unknown key `exceptions` in the top level of the rules
        did you mean `exception`?
    "#);
}

#[test]
fn a_misspelt_key_is_not_also_missing() {
    assert_snapshot!(said("[[lease]]\nnmae = \"a\"\nmodule = [\"a::b\"]\n"), @r#"
    2:1: unknown key `nmae` in `[[lease]]`
        did you mean `name`?
    3:1: unknown key `module` in `[[lease]]`
        did you mean `modules`?
    "#);
}

#[test]
fn a_string_where_a_list_is_wanted() {
    assert_snapshot!(said("[[lease]]\nname = \"a\"\nmodules = \"a::b\"\n"), @r#"
    3:11: `modules` is a string, but an array of strings is wanted
        write `modules = ["orders::lease"]`
    "#);
}

#[test]
fn a_number_in_a_list_of_strings() {
    assert_snapshot!(after_lease("packages = [\"a\", 7]\n"), @r#"
    4:18: `packages` holds an integer, but an array of strings is wanted
        write `packages = ["lease-agent"]`
    "#);
}

#[test]
fn a_list_where_a_string_is_wanted() {
    assert_snapshot!(said("[[lease]]\nname = [\"a\"]\nmodules = [\"a::b\"]\n"), @r#"
    2:8: `name` is an array, but a string is wanted
        write `name = "order-writer"`
    "#);
}

#[test]
fn one_bracket_too_few() {
    assert_snapshot!(said("[lease]\nname = \"a\"\nmodule = [\"a::b\"]\n"), @r#"
    1:1: `lease` is a table, but an array of tables is wanted
        write `[[lease]]`
    3:1: unknown key `module` in `[[lease]]`
        did you mean `modules`?
    "#);
}

#[test]
fn a_table_where_there_is_a_value() {
    assert_snapshot!(said(&format!("forbid = \"reqwest\"\nlints = [\"deny\"]\nexception = [1]\n{LEASE}")), @r#"
    1:10: `forbid` is a string, but a table is wanted
        write `[forbid]`
    2:9: `lints` is an array, but a table is wanted
        write `[lints]`
    3:14: `exception` holds an integer, but an array of tables is wanted
        write `[[exception]]`
    "#);
}

#[test]
fn a_lease_without_a_name() {
    assert_snapshot!(said("[[lease]]\nmodules = [\"a::b\"]\n"), @r#"
    1:1: `[[lease]]` has no `name`
        add `name = "order-writer"`
    "#);
}

#[test]
fn an_empty_name_and_an_empty_module() {
    assert_snapshot!(said("[[lease]]\nname = \"\"\nmodules = [\" \"]\n"), @r#"
    2:8: `name` is empty
        write `name = "order-writer"`
    3:12: `modules` holds an empty string
        fill it in, or take it out
    "#);
}

#[test]
fn an_empty_optional_string() {
    assert_snapshot!(after_lease("[[exception]]\nlint = \"client-clock\"\nsubject = \"x\"\nreason = \"r\"\nfile = \"\"\n"), @r#"
    8:8: `file` is empty
        write `file = "crates/orders/src/health.rs"`, or take the line out
    "#);
}

#[test]
fn no_lease_at_all() {
    assert_snapshot!(said("[forbid]\ncrates = [\"acme-llm\"]\n"), @r#"
    1:1: the rules name no lease, so there is nothing to guard
        add a `[[lease]]` with `name` and `modules`; `cargo lease-guard init` proposes one
    "#);
}

#[test]
fn an_empty_file_and_an_empty_list_of_leases() {
    assert_snapshot!(format!("{}{}", said(""), said("lease = []\n")), @r#"
    1:1: the rules name no lease, so there is nothing to guard
        add a `[[lease]]` with `name` and `modules`; `cargo lease-guard init` proposes one
    1:1: the rules name no lease, so there is nothing to guard
        add a `[[lease]]` with `name` and `modules`; `cargo lease-guard init` proposes one
    "#);
}

#[test]
fn no_lease_in_metadata_points_at_the_table() {
    let text = "[package]\nname = \"orders\"\n\n[package.metadata.lease-guard.forbid]\ncrates = [\"acme-llm\"]\n";
    let (files, rules) = read_in("Cargo.toml", RulesTable::Package, text);
    assert_snapshot!(listed(&files, &rules.expect_err("no lease")), @r#"
    4:19: the rules name no lease, so there is nothing to guard
        add a `[[package.metadata.lease-guard.lease]]` with `name` and `modules`; `cargo lease-guard init` proposes one
    "#);
}

#[test]
fn metadata_titles_have_their_full_path() {
    let text = "[workspace]\nmetadata.lease-guard.lease = [{ name = \"a\", modules = [\"a::b\"] }]\n\n\
                [workspace.metadata.lease-guard.forbid]\nsource-roots = []\nlint = []\n";
    let (files, rules) = read_in("Cargo.toml", RulesTable::Workspace, text);
    assert_snapshot!(listed(&files, &rules.expect_err("unknown keys")), @r#"
    5:1: unknown key `source-roots` in `[workspace.metadata.lease-guard.forbid]`
        `source-roots` belongs to `[workspace.metadata.lease-guard]`; known here are `packs`, `crates`, `calls` and `strings`
    6:1: unknown key `lint` in `[workspace.metadata.lease-guard.forbid]`
        `lint` belongs to `[[workspace.metadata.lease-guard.exception]]`; known here are `packs`, `crates`, `calls` and `strings`
    "#);
}

#[test]
fn metadata_that_is_no_table() {
    let (files, rules) =
        read_in("Cargo.toml", RulesTable::Workspace, "[workspace.metadata]\nlease-guard = \"rules.toml\"\n");
    assert_snapshot!(listed(&files, &rules.expect_err("no table")), @r#"
    2:15: `workspace.metadata.lease-guard` is a string, but a table is wanted
        write `[workspace.metadata.lease-guard]`
    "#);
}

#[test]
fn a_lease_that_selects_nothing() {
    assert_snapshot!(said("[[lease]]\nname = \"a\"\nmodules = []\ncoordinators = [\"redis\"]\n"), @r#"
    1:1: the lease `a` selects nothing: it has no `modules`, `files` or `packages`
        say where its code is, as in `modules = ["orders::lease"]`
    "#);
}

#[test]
fn two_leases_of_one_name() {
    assert_snapshot!(after_lease(LEASE), @r#"
    5:8: two leases are called `order-writer`; the first stands at lease-guard.toml:2:8
        rename one: reports, exceptions and `--lease` tell leases apart by their names
    "#);
}

#[test]
fn nothing_forbidden() {
    assert_snapshot!(after_lease("[forbid]\npacks = []\ncrates = []\n"), @r#"
    4:1: nothing is forbidden: `packs` is empty, and there are no `crates`, `calls` or `strings`
        take `packs` out for the default, which is all of them
    "#);
}

#[test]
fn an_unknown_pack_gets_the_nearest() {
    assert_snapshot!(after_lease("[forbid]\npacks = [\"model-client\", \"http_clients\", \"everything\"]\n"), @r#"
    5:10: unknown pack `model-client` in `packs`
        did you mean `model-clients`?
    5:26: unknown pack `http_clients` in `packs`
        did you mean `http-clients`?
    5:42: unknown pack `everything` in `packs`
        known are `http-clients`, `model-clients`, `inference-runtimes` and `transports`
    "#);
}

#[test]
fn an_unknown_lint_gets_the_nearest() {
    assert_snapshot!(after_lease("[lints]\nclient_clock = \"deny\"\nunwrap = \"deny\"\n"), @r#"
    5:1: unknown lint `client_clock` in `lints`
        did you mean `client-clock`?
    6:1: unknown lint `unwrap` in `lints`
        known are `forbidden-crate`, `forbidden-dependency`, `client-clock` and `raw-transport`
    "#);
}

#[test]
fn an_unknown_level() {
    assert_snapshot!(
        after_lease("[lints]\nclient-clock = \"error\"\nraw-transport = \"Warn\"\nforbidden-crate = \"loud\"\n"),
        @r#"
        5:16: unknown level `error` in `lints`
            did you mean `deny`?
        6:17: unknown level `Warn` in `lints`
            did you mean `warn`?
        7:19: unknown level `loud` in `lints`
            known are `deny`, `warn` and `allow`
        "#
    );
}

#[test]
fn a_level_of_the_wrong_type() {
    assert_snapshot!(after_lease("[lints]\nclient-clock = { level = \"deny\" }\n"), @r#"
    5:16: `client-clock` is a table, but a level is wanted
        write `client-clock = "deny"`
    "#);
}

#[test]
fn an_exception_without_anything() {
    assert_snapshot!(after_lease("[[exception]]\n"), @r#"
    4:1: `[[exception]]` has no `lint`
        add `lint = "forbidden-dependency"`
    4:1: `[[exception]]` has no `subject`
        add `subject = "hyper"`
    4:1: `[[exception]]` has no `reason`
        add `reason = "the metrics shim is being moved out"`
    "#);
}

#[test]
fn an_exception_for_an_unknown_lint_and_lease() {
    assert_snapshot!(
        after_lease("[[exception]]\nlint = \"forbiden-crate\"\nsubject = \"ureq\"\nlease = \"order-writter\"\nreason = \"r\"\n"),
        @r#"
        5:8: unknown lint `forbiden-crate` in `lint`
            did you mean `forbidden-crate`?
        7:9: unknown lease `order-writter` in `lease`
            did you mean `order-writer`?
        "#
    );
}

#[test]
fn a_date_in_quotes() {
    assert_snapshot!(
        after_lease("[[exception]]\nlint = \"client-clock\"\nsubject = \"x\"\nreason = \"r\"\nuntil = \"2027-01-31\"\n"),
        @r#"
        8:9: `until` is a date in quotes
            take the quotes away: `until = 2027-01-31`
        "#
    );
}

#[test]
fn a_date_with_a_time() {
    assert_snapshot!(
        after_lease("[[exception]]\nlint = \"client-clock\"\nsubject = \"x\"\nreason = \"r\"\nuntil = 2027-01-31T12:00:00Z\n"),
        @r#"
        8:9: `until` has a time of day, but a day is wanted
            write the day alone: `until = 2027-01-31`; it is counted in UTC and included
        "#
    );
}

#[test]
fn what_is_no_date() {
    let exception = "[[exception]]\nlint = \"client-clock\"\nsubject = \"x\"\nreason = \"r\"\n";
    let faults = ["\"next spring\"", "12:00:00", "20270131", "2027-02-30"]
        .map(|date| after_lease(&format!("{exception}until = {date}\n")));
    assert_snapshot!(faults.concat(), @r#"
    8:9: `until` is a string, but a day is wanted
        write `until = 2027-01-31`
    8:9: `until` is a time of day, but a day is wanted
        write `until = 2027-01-31`
    8:9: `until` is an integer, but a day is wanted
        write `until = 2027-01-31`
    8:9: not valid TOML: invalid date, expected day between 01 and 28
        mend the TOML first; what the rules say was not looked at yet
    "#);
}

#[test]
fn a_forbidden_crate_of_the_wrong_shape() {
    assert_snapshot!(
        after_lease("[forbid]\ncrates = [{ reason = \"r\" }, 3, { name = \"a\", why = \"r\" }, \"\"]\n"),
        @r#"
        5:11: an entry of `forbid.crates` has no `name`
            add `name = "acme-http"`
        5:29: `crates` holds an integer, but an array of names, or of tables with `name` and `reason`, is wanted
            write `crates = ["acme-llm", { name = "acme-http", reason = "wraps reqwest" }]`
        5:46: unknown key `why` in an entry of `forbid.crates`
            known are `name` and `reason`
        5:59: `crates` holds an empty string
            fill it in, or take it out
        "#
    );
}

#[test]
fn several_problems_are_told_in_the_order_of_the_file() {
    let text = "\
[lints]
client-clok = \"deny\"

[[exception]]
lint = \"forbidden-crate\"
subject = \"ureq\"
lease = \"b\"

[[lease]]
name = \"a\"
modules = [\"crate::lease\"]
files = [\"src/[\"]

[forbid]
packs = [\"model-client\"]

[[lease]]
name = \"a\"
";
    assert_snapshot!(said(text), @r#"
    2:1: unknown lint `client-clok` in `lints`
        did you mean `client-clock`?
    4:1: `[[exception]]` has no `reason`
        add `reason = "the metrics shim is being moved out"`
    7:9: unknown lease `b` in `lease`
        did you mean `a`?
    11:12: `crate::lease` in `modules` starts with `crate`, and the rules stand in no crate
        write the crate's name instead, as in `orders::lease` for the crate `orders`
    12:10: `src/[` in `files` is no glob: unclosed character class; missing ']'
        `*` and `?` stay within a folder, `**` crosses folders
    15:10: unknown pack `model-client` in `packs`
        did you mean `model-clients`?
    17:1: the lease `a` selects nothing: it has no `modules`, `files` or `packages`
        say where its code is, as in `modules = ["orders::lease"]`
    18:8: two leases are called `a`; the first stands at lease-guard.toml:10:8
        rename one: reports, exceptions and `--lease` tell leases apart by their names
    "#);
}

#[test]
fn a_flood_of_problems_is_cut() {
    let text = format!("{LEASE}packages = [{}]\n", "1, ".repeat(1000));
    let said = said(&text);
    assert_eq!(said.matches("holds an integer").count(), 200);
    assert!(
        said.ends_with("nowhere: there are more problems; the first 200 are listed\n    mend these and run again\n")
    );
}
