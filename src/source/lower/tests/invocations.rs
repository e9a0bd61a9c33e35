//! Macro invocations and definitions.

use super::{body, shown};

/// Each pair: statements, and what they are lowered to.
fn in_code(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(body(text), format!("{{ {expected} }}"), "{text}");
    }
}

/// Each pair: items, and what they are lowered to.
fn as_items(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn arguments() {
    in_code(&[
        ("vec![x; n]; vec![a, b,]; vec![]", "vec![x, n]; vec![a, b]; vec![]"),
        ("hashmap!{ \"a\" => b(), c => D }", "hashmap![\"a\", b(), c, D]"),
        ("m!(a: B<C>, x::Y<Z>, d)", "m![d | types B<C>, x::Y<Z>]"),
        ("m!(|x| x + 1, *a, &b; k = v(); self.c = d)", "m![|x| (x Add _), *a, &b, v(), self.c = d]"),
        ("a::b::c!(d)?.e()", "a::b::c![d]?.e()"),
        (
            "json!({ \"a\": x.y, \"b\": [1, f()], \"c\": { \"d\": null }, k: V })",
            "json![\"a\", x.y, \"b\", _, f(), \"c\", \"d\", null, V]",
        ),
        ("event!(Level::INFO, { a = b(), c = %d, e }, \"f\")", "event![Level::INFO, b(), d, e, \"f\"]"),
    ]);
}

#[test]
fn statements_and_items_in_code() {
    in_code(&[
        ("m!(let x = f(); x + y); m!{ a(); b() }", "m![{ let x = f(); (x Add y) }]; m![a(), b()]"),
        ("m!{ fn g() {} use a::b; g() }", "m![g() | items use a::b as b fn g() {  }]"),
        ("stream! { for x in y { yield x; } }", "stream![for x in y { holds(x); }]"),
        ("thread_local!{ static X: A<B> = const { f() } }", "thread_local![items static X: A<B> = { f() };]"),
        (
            "cfg_if! { if #[cfg(test)] { a() } else if #[cfg(unix)] { use x::Y; b() } else { let z = c(); } }",
            "cfg_if![b(), { let z = c(); } | items use x::Y as Y]",
        ),
    ]);
}

#[test]
fn arms_and_patterns() {
    in_code(&[
        (
            "tokio::select! { biased; r = f() => r, Some(x) = g(), if c => { x } else => z() }",
            "tokio::select![f(), r, g(), c, { x }, z() | pats r, Some(x)]",
        ),
        ("select! { x = a => x, default => b(), complete => break, }", "select![a, x, b(), holds() | pats x]"),
        (
            "matches!(e, Some(p) | A::B if g(p)); assert!(matches!(x, Y { .. }), \"m {z}\")",
            "matches![e, g(p) | pats Some(p) | =A::B]; assert![matches![x | pats Y {  }], \"m {z}\", z | prints z]",
        ),
    ]);
}

#[test]
fn what_is_printed() {
    in_code(&[
        (
            "format!(\"{} {x:?} {0} {y:>w$}\", a.b(), y = c)",
            "format![\"{} {x:?} {0} {y:>w$}\", x, w, a.b(), c | prints a.b(), x?, a.b(), c]",
        ),
        ("write!(f, \"{self}{:.*}\", p, q)", "write![f, \"{self}{:.*}\", self, p, q | prints self, q]"),
        ("assert_eq!(a, b, \"{c}\"); dbg!(a)", "assert_eq![a, b, \"{c}\", c | prints a?, b?, c]; dbg![a | prints a?]"),
        (
            "println!(concat!(\"{\", \"a}\")); p!(\"{{}}\", b)",
            "println![concat![\"{a}\"], a | prints a]; p![\"{{}}\", b]",
        ),
        ("m!(\"{\\\"a\\\": 1}\"); n!(\"/x/{id}\")", "m![\"{\\\"a\\\": 1}\"]; n![\"/x/{id}\", id | prints id]"),
        (
            "tracing::info!(target: \"t\", parent: &s, epoch = %e, ?lease, a.b = ?c, x, \"msg {m} {}\", q.r)",
            "tracing::info![\"t\", &s, e, lease, c, x, \"msg {m} {}\", m, q.r | prints e, lease?, c?, m, q.r]",
        ),
    ]);
}

#[test]
fn literals_that_are_joined_and_files_that_are_included() {
    in_code(&[
        (
            "concat!(\"a\", 1, concat!(\"b\", 'c', -2.5), stringify!(x), env!(\"E\"))",
            "concat![\"a1bc-2.5x\u{fffd}\", stringify![], env![\"E\"]]",
        ),
        ("include!(\"x.rs\")", "include![] Relative(\"x.rs\")"),
        ("include!(concat!(\"x\", \".rs\"),)", "include![] Relative(\"x.rs\")"),
        ("include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/y.rs\"))", "include![] Manifest(\"y.rs\")"),
        (
            "include!(concat!(env!(\"OUT_DIR\"), \"/z.rs\"))",
            "include![] Opaque(\"concat!(env!(\\\"OUT_DIR\\\"), \\\"/z.rs\\\")\")",
        ),
        ("include!(env!(\"X\"))", "include![] Opaque(\"env!(\\\"X\\\")\")"),
        ("tonic::include_proto!(\"p\")", "tonic::include_proto![] Opaque(\"tonic::include_proto!(\\\"p\\\")\")"),
        ("include_str!(\"s\"); stringify!(a::b); cfg!(feature = \"x\")", "include_str![]; stringify![]; cfg![]"),
        ("option_env!(\"OPENAI_API_KEY\")", "option_env![\"OPENAI_API_KEY\"]"),
    ]);
}

#[test]
fn items_that_macros_declare() {
    as_items(&[
        (
            "lazy_static! { /// x\n pub static ref A: B = C::new(); #[cfg(test)] static ref D: E = f(); }",
            "lazy_static![items pub static A: B = C::new();]",
        ),
        ("task_local! { pub static A: B; static C: D }", "task_local![items pub static A: B; static C: D;]"),
        (
            "bitflags! { pub struct F: u32 { const A = 1; const B = Self::A.bits() | x(); } }",
            "bitflags![items pub struct F impl F { pub const A: F = _; pub const B: F = (Self::A.bits() BitOr x()); }]",
        ),
        (
            "cfg_if! { if #[cfg(a)] { mod x; pub use y::Z; } else { fn q() {} } }",
            "cfg_if![items pub use y::Z as Z mod x; fn q() {  }]",
        ),
        ("m! { mod a; struct B(C); } n!(a, b::C);", "m![items mod a; struct B(0: C)]\nn![a, b::C]"),
        ("cfg_x! { #![feature = \"y\"] mod a; } cfg_x! { #![cfg(test)] mod b; }", "cfg_x![items mod a;]\ncfg_x![]"),
        ("m! { a -> b::c }", "m![b::c | scanned]"),
        ("impl A { m! { fn f(&self) { g() } } }", "impl A { pub m![items fn f(&self) { g() }] }"),
    ]);
}

#[test]
fn bodies_of_macros() {
    as_items(&[
        (
            "macro_rules! m { ($x:expr, $($y:ident),* $(,)?) => { $crate::a::f($x, $($y.g()),*) }; () => {{ let a = $b; a }}; }",
            "macro m [$crate::a::f($x, $y.g()), { let a = $b; a }]",
        ),
        ("macro_rules! m { ($v:vis $n:ident $b:block) => { $v fn $n() $b } }", "macro m [items fn $n() { $b }]"),
        (
            "#[macro_export] macro_rules! m { ($t:ty) => { impl $crate::X for $t { fn f() { <$t>::g() } } } }",
            "pub macro m[exported] [items impl $crate::X for $t { pub fn f() { <$t>::g() } }]",
        ),
        ("macro_rules! m { ($($t:tt)*) => { x { $($t)* } y => a::b } }", "macro m [a::b | scanned]"),
        ("macro_rules! m { ($l:lifetime $e:expr) => { $l: loop { break $l $e } } }", "macro m [loop { holds($e) }]"),
        (
            "macro_rules! m { ($($k:expr => $v:expr),+) => { f(0 $(+ $k)* $(&& $v)||*) } }",
            "macro m [f(((_ Add $k)  $v))]",
        ),
        ("macro_rules! m { () => { #[cfg(test)] fn a() {} fn b() {} } }", "macro m [items fn b() {  }]"),
        (
            "macro_rules! m { ($x:expr) => { println!(\"{}{y}\", $x) } }",
            "macro m [println![\"{}{y}\", y, $x | prints $x, y]]",
        ),
    ]);
}

#[test]
fn code_for_another_place_is_scanned() {
    in_code(&[
        ("quote!{ struct #x; a::b() }", "quote![a::b() | scanned]"),
        ("html!{ <div>{ a::b(c) }</div> x.y(z).w() URL 'a: s }", "html![a::b(c), x.y(z).w(), URL | scanned]"),
    ]);
}
