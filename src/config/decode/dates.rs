//! Days, as TOML's local dates.

use jiff::civil::Date;
use toml::de::DeValue;

use super::{
    error::RulesError,
    tree::{Decoder, Table},
};
use crate::base::Spanned;

/// The day under a key, if it is there.
pub(super) fn day(d: &mut Decoder<'_>, table: &Table<'_>, key: &'static str) -> Option<Spanned<Date>> {
    let node = table.entries.get(key)?;
    let span = d.span(node.span());
    let error = match node.get_ref() {
        DeValue::Datetime(written) => match (written.date.and_then(date), written.time) {
            (Some(value), None) => return Some(Spanned { value, span }),
            (Some(value), Some(_)) => RulesError::DateWithTime { key, example: format!("{key} = {value}") },
            (None, _) => RulesError::WrongType {
                key: key.to_owned(),
                found: "a time of day",
                wanted: "a day",
                example: table.example(key),
            },
        },
        DeValue::String(text) => match text.trim().parse::<Date>() {
            Ok(value) => RulesError::QuotedDate { key, date: value.to_string() },
            Err(_) => {
                d.wrong_type(table, key, node, "a day");
                return None;
            }
        },
        _ => {
            d.wrong_type(table, key, node, "a day");
            return None;
        }
    };
    d.report(span, error);
    None
}

fn date(written: toml::value::Date) -> Option<Date> {
    Date::new(i16::try_from(written.year).ok()?, i8::try_from(written.month).ok()?, i8::try_from(written.day).ok()?)
        .ok()
}
