//! The form of what is written: Rust paths, package names, globs, call fragments, folders.
//!
//! Whether what they name exists is judged where the workspace is known.

use std::borrow::Cow;

use unicode_ident::{is_xid_continue, is_xid_start};

use super::{
    error::{RulesError, quoted},
    tree::Decoder,
};
use crate::{
    base::{Spanned, visible},
    config::path_globs,
};

/// What is wrong with a word (a phrase that follows it) and what to write instead.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) what: Cow<'static, str>,
    pub(super) instead: String,
}

fn fault(what: impl Into<Cow<'static, str>>, instead: impl Into<String>) -> Result<(), Fault> {
    Err(Fault { what: what.into(), instead: instead.into() })
}

impl Decoder<'_> {
    /// Holds values against a form.
    pub(super) fn check<'v>(
        &mut self,
        key: &'static str,
        values: impl IntoIterator<Item = &'v Spanned<String>>,
        form: impl Fn(&str) -> Result<(), Fault>,
    ) {
        for value in values {
            if let Err(Fault { what, instead }) = form(&value.value) {
                let written = value.value.clone();
                self.report(value.span, RulesError::Malformed { key, written, fault: what, instead });
            }
        }
    }
}

/// A Rust path from the crate's name: `orders::lease::Keeper`.
pub(super) fn rust_path(written: &str) -> Result<(), Fault> {
    let segments: Vec<&str> = written.split("::").collect();
    let (first, rest) = segments.split_first().unwrap_or((&"", &[]));
    if written.contains(char::is_whitespace) {
        return fault("holds a blank", format!("write `{}`", quoted(&written.split_whitespace().collect::<String>())));
    }
    if written.contains('/') || written.ends_with(".rs") {
        return fault(
            "is a file, and a Rust path is wanted",
            "name files under `files`, modules as in `orders::lease`",
        );
    }
    if let Some(bare) = written.strip_prefix("::") {
        return fault(
            "starts with `::`",
            format!("write `{}`: paths start with the crate's name anyway", quoted(bare)),
        );
    }
    if matches!(*first, "crate" | "self" | "super" | "Self" | "$crate") {
        let rest = if rest.is_empty() { String::new() } else { format!("::{}", rest.join("::")) };
        return fault(
            format!("starts with `{first}`, and the rules stand in no crate"),
            format!("write the crate's name instead, as in `orders{}` for the crate `orders`", quoted(&rest)),
        );
    }
    if written.contains('*') {
        return fault("holds a `*`", "name the module itself: it takes all its items and submodules");
    }
    if written.contains(['<', '>', '(', ')', '[', ']', '&']) {
        return fault("is more than a path", "write the names alone, without generics or parentheses");
    }
    let dotted = written.replace("::", ".").replace('.', "::");
    if dotted != written && dotted.split("::").all(is_identifier) {
        return fault("is joined by `.`", format!("write `{}`", quoted(&dotted)));
    }
    let underscored = written.replace('-', "_");
    if underscored != written && underscored.split("::").all(is_identifier) {
        return fault("holds a `-`", format!("source spells it with `_`: `{}`", quoted(&underscored)));
    }
    match segments.iter().find(|segment| !is_identifier(segment)) {
        None => Ok(()),
        Some(&"") => fault("has a gap", "a path is names joined by `::`, as in `orders::lease::Keeper`"),
        Some(segment) => fault(
            format!("is no Rust path: `{}` is no name", quoted(segment)),
            "a path is names joined by `::`, as in `orders::lease::Keeper`",
        ),
    }
}

/// The path of a parameter, field or function: what can be a workload.
pub(super) fn workload(written: &str) -> Result<(), Fault> {
    item_path(written, "orders::lease::with_lease::work")
}

/// The path of a constant.
pub(super) fn constant(written: &str) -> Result<(), Fault> {
    item_path(written, "orders::lease::TTL")
}

/// A path of at least a crate and an item.
fn item_path(written: &str, example: &str) -> Result<(), Fault> {
    rust_path(written)?;
    if written.contains("::") {
        return Ok(());
    }
    fault("is one name alone", format!("write its whole path from the crate's name, as in `{example}`"))
}

/// A package's name.
pub(super) fn package_name(written: &str) -> Result<(), Fault> {
    if written.contains("::") {
        let package = written.split("::").next().unwrap_or_default();
        return fault(
            "is a path, and a package is wanted",
            format!("write the package alone, as in `{}`", quoted(package)),
        );
    }
    if written.contains(['*', '?', '[', ']', '{', '}']) {
        return fault("is a glob, and one package is wanted", "name each package");
    }
    plain_package(written)
}

/// A coordinator: a package's name or a local Rust path.
pub(super) fn coordinator(written: &str) -> Result<(), Fault> {
    if written.contains("::") { rust_path(written) } else { package_name(written) }
}

/// A package's name, or a glob over such names.
pub(super) fn package_glob(written: &str) -> Result<(), Fault> {
    if written.contains("::") {
        return package_name(written);
    }
    glob(written, "`*` and `?` stand for letters, as in `acme-*`")?;
    let names: String =
        written.chars().filter(|c| !matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | ',' | '!')).collect();
    if names.is_empty() { Ok(()) } else { plain_package(&names) }
}

/// Package names are made of letters, digits, `-` and `_` (the Cargo book, "The `name` field").
fn plain_package(written: &str) -> Result<(), Fault> {
    match written.chars().find(|c| !is_xid_continue(*c) && *c != '-') {
        None => Ok(()),
        Some(' ' | '@' | '=' | ':') => {
            fault("is no package name", "write the name alone, as the package's Cargo.toml gives it, without a version")
        }
        Some(c) => fault(
            format!("is no package name: it holds `{}`", visible(&c.to_string())),
            "write the name as the package's Cargo.toml gives it",
        ),
    }
}

/// A glob of files, from the workspace root.
pub(super) fn file_glob(written: &str) -> Result<(), Fault> {
    if written.contains('\\') {
        return fault("holds a `\\`", "join folders by `/`, on every system");
    }
    if let Some(bare) = written.strip_prefix("./") {
        return fault(
            "starts with `./`",
            format!("write `{}`: globs start at the workspace root anyway", quoted(bare)),
        );
    }
    if written.starts_with('/') || written.chars().nth(1) == Some(':') {
        return fault(
            "is an absolute path",
            "write it from the workspace root, as in `crates/orders/src/lease/**/*.rs`",
        );
    }
    if let Some(folder) = written.strip_suffix('/') {
        return fault("is a folder, and files are wanted", format!("write `{}/**/*.rs`", quoted(folder)));
    }
    let inside = written.trim_start_matches("../");
    if inside.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return fault(
            "has `..`, `.` or nothing between two `/`",
            "write the path without detours, from the workspace root",
        );
    }
    glob(written, "`*` and `?` stay within a folder, `**` crosses folders")
}

/// A glob of any kind.
fn glob(written: &str, instead: &str) -> Result<(), Fault> {
    match path_globs([written]) {
        Ok(_) => Ok(()),
        Err(why) => fault(format!("is no glob: {why}"), instead),
    }
}

/// A folder, which is no glob.
pub(super) fn folder(written: &str) -> Result<(), Fault> {
    if written.contains('\\') {
        return fault("holds a `\\`", "join folders by `/`, on every system");
    }
    if written.contains(['*', '?', '[', ']', '{', '}']) {
        return fault("is a glob, and a folder is wanted", "name each folder; what is below it is allowed with it");
    }
    Ok(())
}

/// A call-path fragment: `chat.completions`, `advisor.vote*`.
pub(super) fn call_fragment(written: &str) -> Result<(), Fault> {
    let is_segment = |segment: &str| {
        let letters: String = segment.chars().filter(|c| *c != '*').collect();
        !segment.is_empty()
            && letters.chars().all(is_xid_continue)
            && !segment.starts_with(|c: char| c.is_ascii_digit())
    };
    let plain = written.replace("::", ".").replace("()", "").trim_matches('.').to_owned();
    if plain.split('.').all(is_segment) {
        if plain.chars().all(|c| matches!(c, '*' | '.')) {
            return fault("matches every call", "name at least one method or function");
        }
        if plain == written {
            return Ok(());
        }
        return fault("is no fragment", format!("write `{}`: calls, `::` and `.` are all one here", quoted(&plain)));
    }
    fault("is no fragment", "a fragment is names joined by `.`, as in `advisor.vote`, with `*` inside a name")
}

/// A name that people read and type.
pub(super) fn readable(written: &str) -> Result<(), Fault> {
    if written.trim() != written {
        return fault("starts or ends with a blank", format!("write `{}`", quoted(written.trim())));
    }
    if visible(written) != written || written.contains('\t') {
        return fault("holds characters that cannot be seen", "write it in letters, digits and signs");
    }
    Ok(())
}

/// Whether source can spell a name so, raw identifiers included.
fn is_identifier(name: &str) -> bool {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c == '_' || is_xid_start(c)) && letters.all(is_xid_continue) && name != "_"
}

/// A table or column as SQL names it, with its schema or without.
pub(super) fn sql_name(written: &str) -> Result<(), Fault> {
    let is_name = |part: &str| {
        let quoted = part.strip_prefix('"').and_then(|part| part.strip_suffix('"'));
        let plain = |c: char| is_xid_continue(c) || c == '$';
        quoted
            .map_or_else(|| !part.is_empty() && part.chars().all(plain), |part| !part.is_empty() && !part.contains('"'))
    };
    if written.split('.').all(is_name) {
        return Ok(());
    }
    fault("is no SQL name", "write the name alone, as in `worker_leases` or `ops.worker_leases`")
}
