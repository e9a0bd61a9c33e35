//! Tokens that do not parse.

use super::{body, facts_of, show, shown};

/// What a scan of some tokens finds.
fn found(tokens: &str) -> String {
    let text = body(&format!("m!{{ @ {tokens} }}"));
    let inner = text.strip_prefix("{ m![").and_then(|rest| rest.strip_suffix("scanned] }")).expect("scanned");
    inner.strip_suffix(" | ").unwrap_or(inner).to_owned()
}

#[test]
fn paths_calls_and_literals() {
    for (tokens, expected) in [
        ("a::b c", "a::b"),
        ("a::b::<C, d::E<F>>(x, \"y\") @", "a::b<C, d::E, F>(x, \"y\")"),
        ("::a::b @ $crate::c @ self::d @ Self::e()", "::a::b, crate::c, self::d, Self::e()"),
        ("f(1) @ g @ H @ i[0]", "f(_), H"),
        ("x.y.z(w).v? .await @", "x.y.z(w).v?.await"),
        ("(a::b).c() @ [1].d()", "a::b, _.c(), _.d()"),
        ("{ a: b::c, d: \"e\" } @", "b::c, \"e\""),
        ("f(a @ b::c, d.e()) @", "f(b::c, d.e())"),
        ("n!(x::y) @ o!{ p @ q::r }", "n![x::y], o![q::r | scanned]"),
        ("fn foo(a: b::C) { d() } struct E;", "b::C, d()"),
        ("'a: loop 'b'", ""),
        ("#[doc = \"z\"] a::b #[x(\"y\")] c::d", "a::b, c::d"),
        ("#[cfg(test)] mod t { a::b } c::d", "c::d"),
        ("#[test] fn t() { a::b } #[cfg(unix)] c::d", "c::d"),
        ("if a::b == c::d { } as e::F", "a::b, c::d, e::F"),
        ("use", ""),
    ] {
        assert_eq!(found(tokens), expected, "{tokens}");
    }
}

#[test]
fn imports_among_tokens_are_kept() {
    assert_eq!(
        body("m!{ @ use a::{b, c as d}; pub use e::*; b::f() }"),
        "{ m![b::f() | items use a::b as b use a::c as d pub use e::* | scanned] }"
    );
    assert_eq!(found("impl A + use<'a> @ b::c"), "A, b::c");
}

#[test]
fn a_file_that_does_not_parse_is_scanned() {
    let (_, facts) =
        facts_of("use a::B;\nfn f() { B::new().run(\"x\") }\nfn g() -> { c::d(e) }\n#[cfg(test)] mod t { f::g() }");
    assert!(facts.error.is_some());
    assert_eq!(show::file(&facts), "use a::B as B");
    assert_eq!(show::scan(&facts), "B::new().run(\"x\"), c::d(e)");
}

#[test]
fn a_long_chain_is_cut() {
    let (_, facts) = facts_of(&format!("fn f() {{ m!(@ x{}) }}", ".a()".repeat(1_000)));
    let text = shown(&format!("fn f() {{ m!(@ x{}) }}", ".a()".repeat(1_000)));
    assert!(facts.exprs.len() < 3_000);
    assert!(text.contains("_.a()"));
}

#[test]
fn scanned_invocations_are_counted_once() {
    let (_, facts) = facts_of("fn f() { m!(@ a b); n!(c); o!(@ p!(@ x)); } macro_rules! q { () => { @ } }");
    assert_eq!(facts.macros_scanned, 3);
}
