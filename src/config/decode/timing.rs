//! `[lease.timing]`: the times that the lease is made of.

use std::time::Duration;

use jiff::SignedDuration;
use toml::de::DeValue;

use super::{
    dates,
    error::RulesError,
    keys::{Key, Section, Shape},
    tree::{Decoder, Node, Table},
    words,
};
use crate::{
    base::Spanned,
    config::{ClockSkew, LONGEST_DURATION, Length, Step, Timing},
};

/// `[lease.timing]`.
pub(super) const TIMING: Section = Section {
    path: "lease.timing",
    shape: Shape::Table,
    keys: &[
        Key { name: "ttl", example: r#"ttl = "15s""# },
        Key { name: "renew-every", example: r#"renew-every = "5s""# },
        Key { name: "renew-p95", example: r#"renew-p95 = "40ms""# },
        Key {
            name: "clock-skew",
            example: r#"clock-skew = { bound = "200ms", source = "chrony", measured = 2026-11-01 }"#,
        },
        Key { name: "guard", example: r#"guard = "100ms""# },
        Key { name: "max-gap", example: r#"max-gap = "1s""# },
        Key { name: "steps", example: r#"steps = [{ name = "fsync", p95 = "12ms" }]"# },
    ],
};

/// The table of `clock-skew`.
pub(super) const CLOCK_SKEW: Section = Section {
    path: "lease.timing.clock-skew",
    shape: Shape::Inline,
    keys: &[
        Key { name: "bound", example: r#"bound = "200ms""# },
        Key { name: "source", example: r#"source = "chrony, fleet dashboard""# },
        Key { name: "measured", example: "measured = 2026-11-01" },
    ],
};

/// A table of `steps`.
pub(super) const STEP: Section = Section {
    path: "lease.timing.steps",
    shape: Shape::Inline,
    keys: &[Key { name: "name", example: r#"name = "fsync""# }, Key { name: "p95", example: r#"p95 = "12ms""# }],
};

/// A duration that stands in the source.
pub(super) const CONST: Section = Section {
    path: "lease.timing",
    shape: Shape::Inline,
    keys: &[Key { name: "const", example: r#"const = "orders::lease::TTL""# }],
};

const WANTED: &str = "a duration";

pub(super) fn decode(d: &mut Decoder<'_>, lease: &Table<'_>) -> Option<Timing> {
    let table = d.table(lease, "timing", &TIMING)?;
    let [ttl, renew_every, renew_p95] = ["ttl", "renew-every", "renew-p95"].map(|key| {
        d.expect_key(&table, key);
        length(d, &table, key)
    });
    for (key, value) in [("ttl", &ttl), ("renew-every", &renew_every)] {
        if let Some(Spanned { value: Length::Written(Duration::ZERO), span }) = value {
            let fault = "is no time at all".into();
            let instead = format!("write `{}`", table.example(key));
            d.report(*span, RulesError::Malformed { key, written: d.files.text(*span), fault, instead });
        }
    }
    let clock_skew = clock_skew(d, &table);
    let guard = length(d, &table, "guard");
    let max_gap = length(d, &table, "max-gap");
    let steps = d.tables(&table, "steps", &STEP).iter().filter_map(|step| decode_step(d, step)).collect();
    Some(Timing {
        ttl: ttl?,
        renew_every: renew_every?,
        renew_p95: renew_p95?,
        clock_skew,
        guard,
        max_gap,
        steps,
        span: table.span,
    })
}

fn decode_step(d: &mut Decoder<'_>, step: &Table<'_>) -> Option<Step> {
    let name = d.required(step, "name");
    d.expect_key(step, "p95");
    let p95 = length(d, step, "p95");
    Some(Step { name: name?, p95: p95? })
}

/// A bare duration stands for a bound that nobody measured.
fn clock_skew(d: &mut Decoder<'_>, table: &Table<'_>) -> Option<ClockSkew> {
    let node = table.entries.get("clock-skew")?;
    let is_measured = node.get_ref().as_table().is_some_and(|entries| !entries.contains_key("const"));
    if !is_measured {
        return Some(ClockSkew { bound: length(d, table, "clock-skew")?, source: None, measured: None });
    }
    let skew = d.open(node, &CLOCK_SKEW)?;
    d.expect_key(&skew, "bound");
    let bound = length(d, &skew, "bound");
    let source = d.string(&skew, "source");
    let measured = dates::day(d, &skew, "measured");
    Some(ClockSkew { bound: bound?, source, measured })
}

/// The duration under a key, if it is there.
fn length(d: &mut Decoder<'_>, table: &Table<'_>, key: &'static str) -> Option<Spanned<Length>> {
    let node = table.entries.get(key)?;
    let span = d.span(node.span());
    let value = match node.get_ref() {
        DeValue::String(text) => Length::Written(duration(d, table, key, node, text)?),
        DeValue::Table(_) => {
            let entry = d.open(node, &CONST)?;
            let path = d.required(&entry, "const");
            d.check("const", &path, words::constant);
            Length::Const(path?.value)
        }
        _ => {
            d.wrong_type(table, key, node, WANTED);
            return None;
        }
    };
    Some(Spanned { value, span })
}

fn duration(
    d: &mut Decoder<'_>,
    table: &Table<'_>,
    key: &'static str,
    node: &Node<'_>,
    text: &str,
) -> Option<Duration> {
    let example = table.example(key);
    let (fault, instead) = match text.trim().parse::<SignedDuration>().map(Duration::try_from) {
        Ok(Ok(duration)) if duration <= LONGEST_DURATION => return Some(duration),
        Ok(Ok(_)) => ("is longer than a year", format!("write it shorter, as in `{example}`")),
        Ok(Err(_)) => ("is less than nothing", "write it without the sign: bounds hold on both sides".to_owned()),
        Err(_) => ("is no duration", format!("write a number with its unit, as in `{example}`")),
    };
    let written = text.to_owned();
    d.report(d.span(node.span()), RulesError::Malformed { key, written, fault: fault.into(), instead });
    None
}
