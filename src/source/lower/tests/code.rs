//! Expressions, statements, patterns and types.

use super::{body, shown};

/// Each pair: what a function's body says, and what it is lowered to.
fn all(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(body(text), format!("{{ {expected} }}"), "{text}");
    }
}

#[test]
fn calls_fields_and_chains() {
    all(&[
        ("let x: Vec<a::B> = b.c::<D>(1, \"s\")?.await; x", "let x: Vec<a::B> = b.c::<D>(_, \"s\")?.await; x"),
        ("a.0.1[f()].r#fn(self.x)", "a.0.1[f()].fn(self.x)"),
        ("(a + b).c(); (a)(b)", "(a Add b).c(); a(b)"),
        ("<T as a::Tr>::f::<U>(x); <T>::g()", "<T as a::Tr>::f<U>(x); <T>::g()"),
        ("::std::mem::drop(S { a: 1, b, ..d });", "::std::mem::drop(S { a: _, b: b, ..d });"),
    ]);
}

#[test]
fn operators_have_the_names_of_their_traits() {
    all(&[
        ("a += -b as u8 * !c; x << y == z", "(a AddAssign ((Neg(b) as u8) Mul Not(c))); ((x Shl y) PartialEq z)"),
        ("a < b || c >= d && e != f", "((a PartialOrd b)  ((c PartialOrd d)  (e PartialEq f)))"),
        ("*p = &mut q; &raw const r", "*p = &q; &r"),
        ("0..n; ..; a..=b", "holds(_, n); holds(); holds(a, b)"),
    ]);
}

#[test]
fn control_flow() {
    all(&[
        (
            "if let Some(x) = y && z { 1 } else if q {} else {}",
            "if (let Some(x) = y  z) { _ } else if q {  } else {  }",
        ),
        ("for i in 0..n { break 'a x; }", "for i in holds(_, n) { holds(x); }"),
        ("while a { continue } loop {} 'a: {}", "loop a { _ } loop {  } {  }"),
        ("return f(); yield x; const { a } unsafe { b }", "return f(); holds(x); { a } { b }"),
        ("let S { x, .. } = s else { return };", "let S { x: x } = s else { return };"),
        ("async { a }; async move |b| c; |d: D| -> E { f }", "async { a }; |b| async { c }; |d: D| -> E { f }"),
        ("[1, 2]; [x; N]; (a,); ()", "[_, _]; [x, N]; (a); ()"),
        ("return; ; {}", "return; {  }"),
    ]);
}

#[test]
fn patterns() {
    all(&[
        (
            "match x { A::B | C(_, .., d) if g() => 1, S { a, b: Some(1..=2), .. } => {}, [a, rest @ ..] => () }",
            "match x { =A::B | C(_, .., d) if g() => _, S { a: a, b: Some(_) } => {  }, [a, rest @ _] => () }",
        ),
        (
            "match x { \"s\" => 1, &ref z => 2, a::MIN..=b::MAX => 3, (q, ..) => 4 }",
            "match x { =\"s\" => _, &z => _, =holds(a::MIN, b::MAX) => _, (q, ..) => _ }",
        ),
        ("let box x = y; let box (box z) = y;", "let &x = y; let &&z = y;"),
        ("let m!(a::B) = x;", "let m![pats =a::B] = x;"),
    ]);
}

#[test]
fn strings_of_every_sort() {
    all(&[
        ("b\"x\\xff\"; c\"y\"; r#\"z\\\"#; \"\\u{e9}\\n\\\n   a\"", "\"x\u{fffd}\"; \"y\"; \"z\\\\\"; \"é\\na\""),
        ("'c'; b'c'; 1.5; true", "_; _; _; _"),
    ]);
}

#[test]
fn a_block_has_a_scope_where_it_declares() {
    all(&[
        ("use a::B; fn g() {} unsafe { B::new() }", "[use a::B as B fn g() {  }] { B::new() }"),
        ("{ struct S; } x", "{ [struct S]  } x"),
    ]);
}

#[test]
fn what_is_off_is_gone() {
    all(&[
        ("#[cfg(test)] a.b(); #[cfg(test)] x = 5; #[cfg(test)] let y = 1; #[cfg(test)] m!{ z }", ""),
        ("f(#[cfg(test)] a, b); [#[cfg(all(test, q))] a + b, c]", "f(b); [c]"),
        ("match x { #[cfg(test)] A => 1, #[cfg(any(test, unix))] B => 2 }", "match x { B => _ }"),
        ("S { #[cfg(test)] a, b }; let S { #[cfg(test)] a, b } = s;", "S { b: b }; let S { b: b } = s;"),
        ("#[cfg(not(test))] a(); #[cfg(unix)] b();", "a(); b();"),
        ("vec![#[cfg(test)] a, b]", "vec![b]"),
        ("#[cfg(test)] fn g() {} #[cfg(test)] use a::b;", ""),
    ]);
}

#[test]
fn types() {
    assert_eq!(
        shown(
            "fn f<'a, T: A<B> + ?Sized + 'a, const N: usize = { x::M }>(a: impl Fn(A, B) -> C, b: &'a dyn X<Item = Y>) \
             -> [T; N] where T: Q, for<'b> U: R<'b> {}"
        ),
        "fn f<T: A<B> + Sized, N: x::M = usize> where T: Q where U: R(a: impl Fn<A, B, Output = C>, b: &dyn X<Item = Y>) \
         -> [T; N] {  }"
    );
    for (text, expected) in [
        ("(A, *const B, &'a mut [C])", "(A, &B, &[C])"),
        ("unsafe extern \"C\" fn(a: A, ...) -> B", "fn(A) -> B"),
        ("for<'a> fn(&'a A)", "fn(&A)"),
        ("<T as a::Tr>::X", "<T as a::Tr>::X"),
        ("A<{ N + 1 }, 3, 'a, x::C>", "A<[_; { (N Add _) }], _, x::C>"),
        ("V<I: A + B, J<K> = L, M = 4>", "V<K, I = impl A + B, J = L, M = _>"),
        ("dyn A + Send + 'static", "dyn A + Send"),
        ("(dyn Fn() -> Box<X>)", "dyn Fn<Output = Box<X>>"),
        ("impl Sized + use<'a, T>", "impl Sized"),
        ("impl [const] a::Tr", "impl a::Tr"),
        ("!", "_"),
        ("m!(B<C>, D)", "m![types B<C>, D]"),
    ] {
        assert_eq!(shown(&format!("type A = {text};")), format!("type A = {expected};"), "{text}");
    }
}
