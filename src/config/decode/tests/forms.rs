//! What the forms of a value give, and that places point at the right text.

use std::time::Duration;

use super::{LINTS, read_in, rules};
use crate::{
    base::{Files, Spanned},
    config::{Allowed, EpochRises, Length, PackName, RulesAt, RulesTable, decode},
    finding::Level,
};

/// All keys, as SPEC and the issues show them.
const FULL: &str = include_str!("full.toml");

fn values(list: &[Spanned<String>]) -> Vec<&str> {
    list.iter().map(|item| item.value.as_str()).collect()
}

#[test]
fn the_whole_of_it() {
    let (_, rules) = rules(FULL);
    assert_eq!(values(&rules.source_roots), ["../shared"]);
    let [lease, agent] = rules.leases.as_slice() else { panic!("two leases") };
    assert_eq!((lease.name.value.as_str(), agent.name.value.as_str()), ("order-writer", "agent"));
    assert_eq!(values(&lease.modules), ["orders::lease", "orders::Keeper::renew"]);
    assert_eq!(values(&lease.files), ["crates/orders/src/fence/**/*.rs"]);
    assert_eq!(values(&lease.packages), ["lease-core"]);
    assert_eq!(values(&lease.coordinators), ["tokio-postgres", "orders::db", "consul_store"]);
    assert_eq!(values(&lease.workloads), ["orders::lease::with_lease::work"]);
    assert_eq!(rules.forbid.packs, [PackName::ModelClients, PackName::HttpClients]);
    let crates: Vec<(&str, Option<&str>)> =
        rules.forbid.crates.iter().map(|c| (c.name.value.as_str(), c.reason.as_deref())).collect();
    assert_eq!(crates, [("acme-llm", None), ("acme-http", Some("wraps reqwest")), ("acme-ai-*", None)]);
    assert_eq!(values(&rules.forbid.calls), ["advisor.vote*"]);
    assert_eq!(values(&rules.forbid.strings), ["llm.internal.example"]);
    let levels: Vec<(&str, Level)> = rules.lints.iter().map(|l| (l.lint.value.as_str(), l.level)).collect();
    assert_eq!(levels, [("client-clock", Level::Deny), ("raw-transport", Level::Allow)]);
}

#[test]
fn an_exception_in_full_and_in_brief() {
    let (files, rules) = rules(FULL);
    let [full, brief] = rules.exceptions.as_slice() else { panic!("two exceptions") };
    assert_eq!(full.lint.value, "forbidden-dependency");
    assert_eq!(full.subject.value, "hyper");
    assert_eq!(full.lease.as_ref().map(|l| l.value.as_str()), Some("order-writer"));
    assert_eq!(full.file.as_ref().map(|f| f.value.as_str()), Some("crates/**/health.rs"));
    assert_eq!(full.reason, "the metrics shim is being moved out");
    let until = full.until.as_ref().expect("a day");
    assert_eq!((until.value, files.text(until.span).as_str()), (jiff::civil::date(2027, 1, 31), "2027-01-31"));
    assert_eq!(files.text(full.span), "[[exception]]");
    assert!(brief.lease.is_none() && brief.file.is_none() && brief.until.is_none());
}

#[test]
fn fence_timing_and_drill() {
    let (_, rules) = rules(FULL);
    let lease = &rules.leases[0];
    let fence = lease.fence.as_ref().expect("a fence");
    assert_eq!((fence.table.value.as_str(), fence.expires.value.as_str()), ("ops.worker_leases", "expires_at"));
    assert_eq!(fence.epoch_rises, EpochRises::Renewal);
    assert_eq!(values(&fence.protects), ["orders"]);
    let timing = lease.timing.as_ref().expect("timing");
    assert_eq!(timing.ttl.value, Length::Const("orders::lease::TTL".to_owned()));
    assert_eq!(timing.renew_every.value, Length::Written(Duration::from_secs(5)));
    assert_eq!(timing.renew_p95.value, Length::Written(Duration::from_millis(40)));
    let skew = timing.clock_skew.as_ref().expect("a skew");
    assert_eq!(skew.bound.value, Length::Written(Duration::from_millis(200)));
    assert_eq!(skew.source.as_ref().map(|s| s.value.as_str()), Some("chrony, fleet dashboard"));
    assert_eq!(skew.measured.as_ref().map(|m| m.value), Some(jiff::civil::date(2026, 11, 1)));
    assert_eq!(timing.guard.as_ref().map(|g| &g.value), Some(&Length::Written(Duration::ZERO)));
    assert_eq!((timing.steps.len(), timing.steps[0].name.value.as_str()), (1, "fsync"));
    let drill = lease.drill.as_ref().expect("a drill");
    let allow: Vec<&Allowed> = drill.allow.iter().map(|a| &a.value).collect();
    let tcp = |label: &str, host: &str| Allowed::Tcp { label: label.into(), host: host.into(), port: 5432 };
    let unix = Allowed::Unix { path: "/run/postgresql".into() };
    assert_eq!(allow, [&tcp("postgres", "127.0.0.1"), &tcp("replica", "::1"), &tcp("db", "db.internal"), &unix]);
    assert!(rules.leases[1].fence.is_none() && rules.leases[1].timing.is_none());
}

#[test]
fn left_out_is_the_default() {
    let (_, rules) = rules("[[lease]]\nname = \"a\"\npackages = [\"a\"]\n");
    assert_eq!(rules.forbid.packs, PackName::ALL);
    let (_, rules) = super::rules("[[lease]]\nname = \"a\"\npackages = [\"a\"]\n[forbid]\ncrates = [\"b\"]\n");
    assert_eq!(rules.forbid.packs, PackName::ALL);
    let (_, rules) =
        super::rules("[[lease]]\nname = \"a\"\npackages = [\"a\"]\n[forbid]\npacks = []\ncrates = [\"b\"]\n");
    assert!(rules.forbid.packs.is_empty());
}

#[test]
fn a_bare_skew_is_one_that_nobody_measured() {
    let text = |skew: &str| {
        format!(
            "[[lease]]\nname = \"a\"\npackages = [\"a\"]\n[lease.timing]\nttl = \"15s\"\nrenew-every = \"5s\"\n\
             renew-p95 = \"1ms\"\nclock-skew = {skew}\n"
        )
    };
    for (skew, wanted) in [
        ("\"1s\"", Length::Written(Duration::from_secs(1))),
        ("{ const = \"a::SKEW\" }", Length::Const("a::SKEW".to_owned())),
    ] {
        let (_, rules) = rules(&text(skew));
        let skew = rules.leases[0].timing.as_ref().and_then(|t| t.clock_skew.as_ref()).expect("a skew");
        assert_eq!(skew.bound.value, wanted);
        assert!(skew.source.is_none() && skew.measured.is_none());
    }
}

/// The same rules in every way that TOML has for them.
#[test]
fn dotted_inline_and_in_metadata() {
    let inline = "lease = [{ name = \"a\", modules = [\"a::b\"] }]\nforbid.packs = [\"transports\"]\n\
                  lints.client-clock = \"deny\"\nexception = [{ lint = \"client-clock\", subject = \"x\", reason = \"r\" }]\n";
    let headers = "[[lease]]\nname = \"a\"\nmodules = [\"a::b\"]\n[forbid]\npacks = [\"transports\"]\n\
                   [lints]\nclient-clock = \"deny\"\n[[exception]]\nlint = \"client-clock\"\nsubject = \"x\"\nreason = \"r\"\n";
    let metadata = |owner: &str| {
        let headers = headers.replace("[[", "[[@.").replace("\n[f", "\n[@.f").replace("\n[l", "\n[@.l");
        format!("[package]\nname = \"x\"\n{}", headers.replace('@', &format!("{owner}.metadata.lease-guard")))
    };
    let dotted = format!("[package]\nmetadata.lease-guard.{}", inline.replace('\n', "\nmetadata.lease-guard."));
    let dotted = dotted.trim_end_matches("metadata.lease-guard.").to_owned();
    let quoted = format!("[\"workspace\".'metadata'.\"lease\\u002dguard\"]\n{inline}");
    for (table, text) in [
        (RulesTable::Whole, inline.to_owned()),
        (RulesTable::Whole, headers.to_owned()),
        (RulesTable::Whole, format!("\u{feff}{}", headers.replace('\n', "\r\n"))),
        (RulesTable::Package, metadata("package")),
        (RulesTable::Workspace, metadata("workspace")),
        (RulesTable::Package, dotted),
        (RulesTable::Workspace, quoted),
    ] {
        let (files, rules) = read_in("x.toml", table, &text);
        let rules = rules.unwrap_or_else(|problems| panic!("{text}\n{}", super::listed(&files, &problems)));
        assert_eq!(rules.leases.len(), 1, "{text}");
        assert_eq!(values(&rules.leases[0].modules), ["a::b"], "{text}");
        assert_eq!(files.text(rules.leases[0].modules[0].span), "\"a::b\"", "{text}");
        assert_eq!(rules.forbid.packs, [PackName::Transports], "{text}");
        assert_eq!((rules.lints.len(), rules.exceptions.len()), (1, 1), "{text}");
        assert_eq!(files.text(rules.lints[0].lint.span), "client-clock", "{text}");
    }
}

#[test]
fn places_point_at_the_text() {
    let files = Files::new("/w");
    let file = files.add("/w/lease-guard.toml".into(), FULL.to_owned());
    let rules = decode(&files, RulesAt { file, table: RulesTable::Whole }, &LINTS).expect("rules");
    let lease = &rules.leases[0];
    let strings = [&lease.modules, &lease.files, &lease.packages, &lease.coordinators, &lease.workloads]
        .into_iter()
        .chain([&rules.forbid.calls, &rules.forbid.strings, &rules.source_roots])
        .flatten()
        .chain([&lease.name]);
    let crates = rules.forbid.crates.iter().map(|c| &c.name);
    let mut seen = 0;
    for string in strings.chain(crates) {
        let text = files.text(string.span);
        assert!(text == format!("\"{}\"", string.value) || text == format!("'{}'", string.value), "{text}");
        seen += 1;
    }
    assert_eq!(seen, 15);
    assert_eq!(files.text(lease.span), "[[lease]]");
    assert_eq!(files.text(lease.timing.as_ref().expect("timing").ttl.span), r#"{ const = "orders::lease::TTL" }"#);
}

#[test]
fn raw_identifiers_and_foreign_letters_are_paths() {
    let (_, rules) = rules("[[lease]]\nname = \"a\"\nmodules = [\"orders::r#type::Größe\", \"_x::_y\"]\n");
    assert_eq!(rules.leases[0].modules.len(), 2);
}

#[test]
fn files_beside_the_workspace_can_be_selected() {
    let (_, rules) = rules("[[lease]]\nname = \"a\"\nfiles = [\"../shared/src/{lease,hold}.rs\"]\n");
    assert_eq!(rules.leases[0].files.len(), 1);
}
