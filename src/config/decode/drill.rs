//! `[lease.drill]`: what can be reached during the failure drill.

use super::{
    error::RulesError,
    keys::{Key, Section, Shape},
    tree::{Decoder, Table},
};
use crate::{
    base::Spanned,
    config::{Allowed, Drill},
};

/// `[lease.drill]`.
pub(super) const DRILL: Section = Section {
    path: "lease.drill",
    shape: Shape::Table,
    keys: &[Key { name: "allow", example: r#"allow = ["postgres: 127.0.0.1:5432", "unix: /run/postgresql"]"# }],
};

pub(super) fn decode(d: &mut Decoder<'_>, lease: &Table<'_>) -> Option<Drill> {
    let table = d.table(lease, "drill", &DRILL)?;
    let mut allow = Vec::new();
    for written in d.strings(&table, "allow") {
        match allowed(&written.value) {
            Some(value) => allow.push(Spanned { value, span: written.span }),
            None => {
                let fault = "names nothing that can be reached".into();
                let instead = "write `NAME: HOST:PORT` or `unix: /PATH`, as in `postgres: 127.0.0.1:5432`".to_owned();
                d.report(written.span, RulesError::Malformed { key: "allow", written: written.value, fault, instead });
            }
        }
    }
    Some(Drill { allow, span: table.span })
}

fn allowed(written: &str) -> Option<Allowed> {
    let (label, target) = written.split_once(": ")?;
    let (label, target) = (label.trim(), target.trim());
    if label.is_empty() || target.contains(char::is_whitespace) {
        return None;
    }
    if label == "unix" {
        return target.starts_with('/').then(|| Allowed::Unix { path: target.to_owned() });
    }
    let (host, port) = target.rsplit_once(':')?;
    let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let host = match bracketed {
        Some(address) => address.parse::<std::net::Ipv6Addr>().ok()?.to_string(),
        None if host.is_empty() || host.contains([':', '/', '[', ']']) => return None,
        None => host.to_owned(),
    };
    let port = port.parse().ok().filter(|port| *port != 0)?;
    Some(Allowed::Tcp { label: label.to_owned(), host, port })
}
