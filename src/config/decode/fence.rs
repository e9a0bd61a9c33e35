//! `[lease.fence]`: where the lease lives in SQL.

use super::{
    error::{RulesError, listed},
    keys::{Key, Section, Shape},
    tree::{Decoder, Table},
    words,
};
use crate::config::{EpochRises, Fence};

/// `[lease.fence]`.
pub(super) const FENCE: Section = Section {
    path: "lease.fence",
    shape: Shape::Table,
    keys: &[
        Key { name: "table", example: r#"table = "worker_leases""# },
        Key { name: "holder", example: r#"holder = "holder""# },
        Key { name: "epoch", example: r#"epoch = "epoch""# },
        Key { name: "expires", example: r#"expires = "expires_at""# },
        Key { name: "epoch-rises", example: r#"epoch-rises = "grant""# },
        Key { name: "protects", example: r#"protects = ["orders"]"# },
    ],
};

pub(super) fn decode(d: &mut Decoder<'_>, lease: &Table<'_>) -> Option<Fence> {
    let table = d.table(lease, "fence", &FENCE)?;
    let [name, holder, epoch, expires] = ["table", "holder", "epoch", "expires"].map(|key| {
        let value = d.required(&table, key);
        d.check(key, &value, words::sql_name);
        value
    });
    let epoch_rises = epoch_rises(d, &table);
    let protects = d.strings(&table, "protects");
    d.check("protects", &protects, words::sql_name);
    Some(Fence {
        table: name?,
        holder: holder?,
        epoch: epoch?,
        expires: expires?,
        epoch_rises: epoch_rises?,
        protects,
        span: table.span,
    })
}

fn epoch_rises(d: &mut Decoder<'_>, table: &Table<'_>) -> Option<EpochRises> {
    if !table.entries.contains_key("epoch-rises") {
        return Some(EpochRises::Grant);
    }
    let written = d.string(table, "epoch-rises")?;
    let found = EpochRises::ALL.into_iter().find(|rises| rises.word() == written.value);
    if found.is_none() {
        let words = EpochRises::ALL.map(EpochRises::word);
        let nearest = d.nearest(&written.value, words);
        d.report(
            written.span,
            RulesError::UnknownWord {
                what: "word",
                key: "epoch-rises",
                written: written.value,
                nearest,
                known: listed(words),
            },
        );
    }
    found
}
