//! Expressions, statements, patterns and types.

use super::{body, shown};

#[test]
fn dump() {
    for text in [
        "let x: Vec<a::B> = b.c::<D>(1, \"s\")?.await; x",
        "if let Some(x) = y && z { 1 } else if q { } else { }",
        "match x { A::B | C(_, .., d) if g() => 1, S { a, b: Some(1..=2), .. } => {}, [a, rest @ ..] => (), \"s\" => {}, &ref z => {} }",
        "for i in 0..n { break 'a x; } while a < b { continue } loop {}",
        "let c = async move |a, (b, c): (X, Y)| -> Z { a + b }; let S { x, .. } = s else { return };",
        "a.0.1 += -b as u8 * !c; *p = &mut q; x[1] = [1, 2]; y = [0; N];",
        "use a::B; fn g() {} unsafe { B::new() }",
        "<T as a::Tr>::f::<U>(x); <T>::g(); ::std::mem::drop(S { a: 1, b, ..d });",
        "async { b\"x\\xff\"; c\"y\"; r#\"z\"# }",
        "#[cfg(test)] a.b(); #[cfg(test)] x = 5; #[cfg(test)] let y = 1; f(#[cfg(test)] a, b); [#[cfg(test)] a + b, c]",
        "return; ; { }",
    ] {
        println!("{}", body(text));
    }
    println!(
        "{}",
        shown(
            "macro_rules! m { ($n:ident $b:block $l:lifetime) => { fn $n() $b }; (x $b:block) => { fn x() { $b } } }"
        )
    );
    println!(
        "{}",
        shown(
            "fn f<'a, T: A<B> + ?Sized + 'a, const N: usize = { x::M }>(a: impl Fn(A, B) -> C, b: &'a dyn X<Item = Y>) -> [T; N] where T: Q, for<'b> U: R<'b> {}"
        )
    );
}
