//! Items, members and imports.

use super::{facts_of, shown};

fn all(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn every_kind_of_item() {
    all(&[
        ("pub const A: B = c();", "pub const A: B = c();"),
        ("static mut A: B = c;", "static A: B = c;"),
        ("pub(crate) struct S<T: A>(pub B, C<T>) where T: D;", "pub struct S<T: A> where T: D(0: B, 1: C<T>)"),
        ("struct S; union U { a: B }", "struct S\nstruct U { a: B }"),
        ("enum E { A, B(C) = 2, D { e: F } }", "enum E { A, B(0: C) = _, D { e: F } }"),
        ("enum E { A = f() }", "enum E { A = f() }"),
        ("type A<T> = B<T>;", "type A<T> = B<T>;"),
        ("trait T = a::B + C;", "names T = a::B + C"),
        (
            "extern crate a as b; extern crate self as me; #[macro_use] extern crate c;",
            "extern crate a as b;\nextern crate self as me;\nextern crate c as c[macro_use];",
        ),
        ("extern crate a as _;", "extern crate a as _;"),
        ("pub async unsafe fn f(mut a: A, (b, _): B) -> C {}", "pub async fn f(a: A, (b, _): B) -> C {  }"),
    ]);
    assert_eq!(
        shown(
            "trait T: A + 'static { const C: D; const E: F = g(); fn f(&self); async fn h(self: Arc<Self>) {} type I: J = K; m!(); }"
        ),
        "trait T: A { pub const C: D; pub const E: F = g(); pub fn f(&self); pub async fn h(self: Arc<Self>) {  } \
         pub type I: J = K; pub m![] }"
    );
    assert_eq!(
        shown(
            "impl<T> S<T> { pub fn f(self) {} const C: D = e; } impl !Send for X {} unsafe impl A for B { type C = D; fn f() {} }"
        ),
        "impl<T> S<T> { pub fn f(self) {  } const C: D = e; }\nimpl Send for X {  }\n\
         impl A for B { pub type C = D; pub fn f() {  } }"
    );
    assert_eq!(
        shown("#[link(name = \"c\")] unsafe extern \"C\" { safe fn f(a: A, ...) -> B; pub static S: T; type O; }"),
        "extern fn f(a: A) -> B;\npub extern static S: T;\nstruct O"
    );
    assert_eq!(
        shown("#[wasm_bindgen(module = \"/a.js\")] extern \"C\" { fn f(); }"),
        "#[wasm_bindgen(module=\"/a.js\")] names \nextern fn f();"
    );
}

#[test]
fn modules() {
    all(&[
        ("mod a; pub mod b { use super::c; mod d {} }", "mod a;\npub mod b { use super::c as c mod d {  } }"),
        ("#[path = \"x.rs\"] mod a;", "mod a [x.rs] [unusual];"),
        (
            "#[cfg_attr(unix, path = \"u.rs\")] #[cfg_attr(test, path = \"t.rs\")] #[macro_use] mod a;",
            "mod a[macro_use] [u.rs];",
        ),
        ("#[cfg_attr(all(), path = \"u.rs\")] mod a;", "mod a [u.rs] [unusual];"),
        ("#[path = \"dir\"] mod a { mod b; }", "mod a [dir] { mod b; }"),
        ("mod a { #![cfg(test)] fn f() {} } mod b { #![allow(x)] fn g() {} }", "mod b { fn g() {  } }"),
        ("#![cfg(test)] fn f() {}", ""),
        ("#![cfg(unix)] fn f() {}", "fn f() {  }"),
    ]);
}

#[test]
fn imports() {
    all(&[
        ("use a;", "use a as a"),
        (
            "pub use ::a::{self, b::{c as d, e as _, *}, f::{self as g}};",
            "pub use ::a as a\npub use ::a::b::c as d\npub use ::a::b::e as _\npub use ::a::b::*\npub use ::a::f as g",
        ),
        (
            "use self::a; use crate as b; use super::*; use *; use {c, d};",
            "use self::a as a\nuse crate as b\nuse super::*\nuse ::*\nuse c as c\nuse d as d",
        ),
        ("use r#fn::r#struct as r#enum;", "use fn::struct as enum"),
        ("#[cfg(test)] use a::b;", ""),
    ]);
    let (files, facts) = facts_of("use x::{y::Client as Db, z}; use a :: b; use c::{self as d, *};");
    let spans: Vec<_> = facts.scopes[0].uses.iter().map(|import| files.text(import.span)).collect();
    assert_eq!(spans, ["y::Client as Db", "z", "a :: b", "self as d", "*"]);
}

#[test]
fn tests_and_what_is_off_are_left_out() {
    for attr in
        ["test", "tokio::test(flavor = \"x\")", "bench", "rstest", "test_case(1)", "cfg(test)", "wasm_bindgen_test"]
    {
        assert_eq!(shown(&format!("#[{attr}] fn f() {{}}")), "", "{attr}");
        assert_eq!(shown(&format!("impl A {{ #[{attr}] fn f() {{}} }}")), "impl A {  }", "{attr}");
    }
    all(&[
        (
            "#[cfg(test)] mod a; #[cfg(test)] struct B; #[cfg(test)] impl C {} #[cfg(test)] m!(); #[cfg(test)] macro_rules! n { () => {} }",
            "",
        ),
        ("struct S { #[cfg(test)] a: A, b: B } enum E { #[cfg(test)] A, B }", "struct S { b: B }\nenum E { B }"),
        ("struct S(#[cfg(test)] A, B);", "struct S(0: B)"),
        ("fn f(#[cfg(test)] a: A, b: B) {}", "fn f(b: B) {  }"),
        ("#[cfg_attr(not(test), cfg(test))] fn f() {}", ""),
        ("#[cfg_attr(unix, cfg(test))] fn f() {}", "fn f() {  }"),
        ("#[cfg(feature = \"test\")] fn f() {}", "fn f() {  }"),
    ]);
}

#[test]
fn syntax_that_is_not_settled_is_read_as_far_as_it_goes() {
    all(&[
        ("const trait A { fn f(); }", "trait A { pub fn f(); }"),
        ("const impl a::B for C { fn f() { d() } }", "impl a::B for C { pub fn f() { d() } }"),
        ("pub macro m($x:expr) { h::i($x) }", "pub macro m [h::i($x)]"),
        ("macro m { ($x:expr) => { h::i($x) }, () => { j() } }", "macro m [h::i($x), j()]"),
        ("#[a::b] pub fn f(a: A);", "#[a::b] pub fn f(a: A);"),
        ("impl A { fn f(); }", "impl A { fn f(); }"),
        ("static A: B;", "static A: B;"),
        ("#[cfg(test)] static A: B;", ""),
        ("static A = b::c();", "static![A, b::c() | scanned]"),
    ]);
}
