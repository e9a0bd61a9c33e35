//! Macro invocations and definitions.

use super::{body, shown};

#[test]
fn dump() {
    for text in [
        "vec![x; n]; vec![a, b,]; vec![]; format!(\"{} {x:?} {0} {y:>w$}\", a.b(), y = 1)",
        "matches!(e, Some(p) | A::B if g(p)); assert!(matches!(x, Y { .. }), \"m {z}\"); assert_eq!(a, b, \"{c}\")",
        "tokio::select! { biased; r = f() => r, Some(x) = g(), if c => { x } else => z() }",
        "tracing::info!(target: \"t\", parent: &s, epoch = %e, ?lease, a.b = ?c, x, \"msg {m} {}\", q.r)",
        "json!({ \"a\": x.y, \"b\": [1, f()], \"c\": { \"d\": null }, k: V })",
        "hashmap!{ \"a\" => b(), c => D }; m!(a: B<C>, x::Y<Z>); foo!(let x = 1; x + y); foo!{ fn g() {} g() }",
        "write!(f, \"{self}\")?; quote!{ struct #x; a::b() }; html!{ <div>{ a::b(c) }</div> x.y(z).w() URL 'a: s }",
        "concat!(\"a\", 1, concat!(\"b\", 'c', -2.5), stringify!(x), env!(\"E\")); println!(concat!(\"{\", \"a}\"))",
        "include!(\"x.rs\"); include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/y.rs\")); include!(concat!(env!(\"OUT_DIR\"), \"/z.rs\")); include_str!(\"s\"); tonic::include_proto!(\"p\"); stringify!(a::b)",
        "cfg_if! { if #[cfg(test)] { a() } else if #[cfg(unix)] { use x::Y; b() } else { let z = c(); } }",
        "thread_local!{ static X: A<B> = const { f() } } thread_local!(pub static Y: C = d(););",
        "dbg!(a); anyhow::bail!(\"x {}\", y); m!(|x| x + 1, *a, &b); m!(a @ b c::d)",
        "println!(\"caf\u{e9} {a}\\n{b}\")",
    ] {
        println!("{}", body(text));
    }
    for text in [
        "lazy_static! { /// x\n pub static ref A: B = C::new(); static ref D: E = f(); }",
        "bitflags! { pub struct F: u32 { const A = 1; const B = Self::A.bits() | x(); } }",
        "cfg_if! { if #[cfg(a)] { mod x; pub use y::Z; } else { fn q() {} } }",
        "m! { mod a; struct B(C); } foo!(a, b::C); thread_local! { static X: Y = z() } bar! { a -> b::c }",
        "macro_rules! m { ($x:expr, $($y:ident),* $(,)?) => { $crate::a::f($x, $($y.g()),*) }; () => { { let a = $b; a } }; ($v:vis $n:ident $b:block) => { $v fn $n() $b } ; ($($t:tt)*) => { x { $($t)* } y => } }",
        "#[macro_export] macro_rules! n { ($t:ty) => { impl $crate::X for $t { fn f(&self) { <$t>::g() } } } } pub macro mm($x:expr) { h::i($x) }",
        "type A = m!(B<C>, D); fn f() { match x { p!(A(b)) => 1 } }",
    ] {
        println!("{}", shown(text));
    }
}
