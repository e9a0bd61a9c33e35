//! Attributes.

use super::{facts_of, shown};

#[test]
fn what_attributes_name() {
    for (text, expected) in [
        (
            "serde(with = \"crate::codec::epoch\", default = \"f\")",
            "#[serde(with=\"crate::codec::epoch\", default=\"f\")]",
        ),
        ("serde(bound(serialize = \"T: A\"))", "#[serde(serialize=\"T: A\")]"),
        ("validate(custom(function = \"x\"))", "#[validate(function=\"x\")]"),
        ("clap(default_value_t = crate::defaults::x(), value_parser = parse)", "#[clap(crate::defaults::x)]"),
        ("arg(default_value_t = f(), long)", "#[arg(f)]"),
        ("error(\"{0}\", a::b(.0), render(.0))", "#[error(a::b, render)]"),
        ("tokio::main(flavor = \"current_thread\")", "#[tokio::main(flavor=\"current_thread\")]"),
        ("async_trait::async_trait", "#[async_trait::async_trait]"),
        ("from = \"a::B\"", "#[from(from=\"a::B\")]"),
        ("with = a::B", "#[with(a::B)]"),
        ("derive(Debug, serde::Serialize)", "#[derive Debug] #[derive serde::Serialize]"),
        ("cfg_attr(feature = \"x\", derive(A), serde(with = \"m\"), inline)", "#[derive A] #[serde(with=\"m\")]"),
    ] {
        assert_eq!(shown(&format!("#[{text}] struct S;")), format!("{expected} struct S"), "{text}");
    }
}

#[test]
fn inert_attributes_are_left_out() {
    for text in [
        "doc = \"reqwest::Client\"",
        "deprecated(note = \"use a::b\")",
        "allow(clippy::all)",
        "repr(C)",
        "must_use = \"x\"",
        "rustfmt::skip",
        "clippy::msrv = \"1.0\"",
        "cfg(unix)",
        "cfg_attr(test, derive(a::B))",
        "unsafe(no_mangle)",
    ] {
        assert_eq!(shown(&format!("#[{text}] struct S;")), "struct S", "{text}");
    }
    assert_eq!(shown("/// a::b\n/** c::d */ struct S;"), "struct S");
}

#[test]
fn attributes_stand_where_they_are_written() {
    assert_eq!(
        shown("struct S { #[serde(with = \"m\")] a: A } enum E { #[from] A(#[source] B) }"),
        "struct S { #[serde(with=\"m\")] a: A }\nenum E { #[from] A(#[source] 0: B) }"
    );
    let (files, facts) = facts_of("#[a::b(c = \"é\", d = e::f())]\r\nstruct S;");
    let attr = &facts.items[0].attrs[0];
    assert_eq!(files.text(attr.path.span), "a::b");
    assert_eq!(files.text(attr.strings[0].2), "\"é\"");
    assert_eq!(files.text(attr.paths[0].span), "e::f");
}
