//! Text that is made to overflow the parser's stack.
#![expect(clippy::print_stdout, reason = "what was measured is for whoever asked for it")]

use super::check::check;
use crate::{
    base::Files,
    source::{
        Facts, ParseError,
        depth::{self, Depth, MAX_NEST, MAX_WEIGHT},
        read::{parse, read_all},
    },
};

/// A name, and text that goes deep in some way for a number of steps.
type Pattern = (&'static str, fn(usize) -> String);

fn rep(text: &str, n: usize) -> String {
    text.repeat(n)
}

fn body(text: String) -> String {
    format!("fn f() {{ {text} }}")
}

const PATTERNS: &[Pattern] = &[
    ("parens", |n| body(rep("(", n) + "x" + &rep(")", n))),
    ("brackets", |n| body(rep("[", n) + "x" + &rep("]", n))),
    ("braces", |n| body(rep("{", n) + &rep("}", n))),
    ("calls", |n| body(rep("a(", n) + &rep(")", n))),
    ("struct literals", |n| body(rep("S{a:", n) + "x" + &rep("}", n))),
    ("macros", |n| body(rep("m!(", n) + &rep(")", n))),
    ("macro statements", |n| body(rep("m!{", n) + &rep("}", n))),
    ("item macros", |n| rep("m!{", n) + &rep("}", n)),
    ("fns", |n| rep("fn f() {", n) + &rep("}", n)),
    ("mods", |n| rep("mod m {", n) + &rep("}", n)),
    ("impls", |n| rep("impl A { fn f() {", n) + &rep("}}", n)),
    ("traits", |n| rep("trait A { fn f() {", n) + &rep("}}", n)),
    ("ifs", |n| body(rep("if x {", n) + &rep("}", n))),
    ("matches", |n| body(rep("match x { _ => {", n) + &rep("}}", n))),
    ("match arms", |n| body(rep("match x { _ => ", n) + "x" + &rep("}", n))),
    ("closures in calls", |n| body(rep("a(|| {", n) + &rep("})", n))),
    ("async", |n| body(rep("async {", n) + &rep("}", n))),
    ("tuple patterns", |n| body(format!("let {}x{} = y;", rep("(", n), rep(",)", n)))),
    ("slice patterns", |n| body(format!("let {}x{} = y;", rep("[", n), rep("]", n)))),
    ("struct patterns", |n| body(format!("let {}x{} = y;", rep("S{a:", n), rep("}", n)))),
    ("tuple types", |n| format!("type A = {}x{};", rep("(", n), rep(",)", n))),
    ("array types", |n| format!("type A = {}x{};", rep("[", n), rep(";1]", n))),
    ("paren generics", |n| format!("type A = {}x{};", rep("Fn(", n), rep(")", n))),
    ("use trees", |n| format!("use {}a{};", rep("a::{", n), rep("}", n))),
    ("not", |n| body(rep("!", n) + "x")),
    ("neg", |n| body(rep("- ", n) + "x")),
    ("deref", |n| body(rep("*", n) + "x")),
    ("ref", |n| body(rep("&", n) + "x")),
    ("ref mut", |n| body(rep("&mut ", n) + "x")),
    ("raw", |n| body(rep("&raw const ", n) + "x")),
    ("closures", |n| body(rep("|| ", n) + "x")),
    ("closures with params", |n| body(rep("|x, y| ", n) + "x")),
    ("closures in let", |n| body(rep("let | A = |x,y| ", n) + "x")),
    ("labelled closures", |n| body(format!("loop {{ {}x }}", rep("break 'a |x,y| ", n)))),
    ("move closures", |n| body(rep("move || ", n) + "x")),
    ("returns", |n| body(rep("return ", n) + "x")),
    ("breaks", |n| body(format!("loop {{ {}x }}", rep("break ", n)))),
    ("becomes", |n| body(rep("become ", n) + "x")),
    ("yields", |n| body(rep("yield ", n) + "x")),
    ("lets", |n| body(format!("if {}x {{}}", rep("let a = ", n)))),
    ("if if", |n| body(format!("{}x{}", rep("if ", n), rep(" {}", n)))),
    ("match match", |n| body(format!("{}x{}", rep("match ", n), rep(" {}", n)))),
    ("while while", |n| body(format!("{}x{}", rep("while ", n), rep(" {}", n)))),
    ("for in for", |n| body(format!("{}x{}", rep("for S{} in ", n), rep(" {}", n)))),
    ("assign", |n| body(rep("a = ", n) + "x")),
    ("add assign", |n| body(rep("a += ", n) + "x")),
    ("sum", |n| body(rep("a + ", n) + "x")),
    ("ands", |n| body(rep("a && ", n) + "x")),
    ("rising", |n| body(rep("a || b && c == d | e ^ f & g << h + i * ", n) + "x")),
    ("ranges", |n| body(rep("..", n) + "x")),
    ("casts", |n| body("x".to_owned() + &rep(" as u8", n))),
    ("fields", |n| body("x".to_owned() + &rep(".a", n))),
    ("methods", |n| body("x".to_owned() + &rep(".a()", n))),
    ("tries", |n| body("x".to_owned() + &rep("?", n))),
    ("awaits", |n| body("x".to_owned() + &rep(".await", n))),
    ("indices", |n| body("x".to_owned() + &rep("[0]", n))),
    ("call chains", |n| body("x".to_owned() + &rep("()", n))),
    ("else if", |n| body(rep("if a {} else ", n) + "{}")),
    ("attributed", |n| body(rep("#[a] !", n) + "x")),
    ("labels", |n| body(rep("'a: ", n) + "loop {}")),
    ("ref types", |n| format!("type A = {}x;", rep("&", n))),
    ("pointers", |n| format!("type A = {}x;", rep("*const ", n))),
    ("generics", |n| format!("type A = {}x{};", rep("V<", n), rep(">", n))),
    ("generics with commas", |n| format!("type A = {}x{};", rep("V<u8,", n), rep(">", n))),
    ("bindings", |n| format!("type A = {}x{};", rep("V<A=", n), rep(">", n))),
    ("turbofish", |n| body(format!("{}x{}::f()", rep("V::<", n), rep(">", n)))),
    ("fn types", |n| format!("type A = {}x;", rep("fn() -> ", n))),
    ("fn types with lifetimes", |n| format!("type A = {}x;", rep("for<'a,'b> fn() -> ", n))),
    ("Fn types", |n| format!("type A = {}x;", rep("Fn() -> ", n))),
    ("impl types", |n| format!("fn f() -> {}x {{}}", rep("impl Fn() -> ", n))),
    ("dyn types", |n| format!("type A = {}x;", rep("dyn Fn() -> ", n))),
    ("qself", |n| format!("type A = {}x{};", rep("<", n), rep(" as T>::A", n))),
    ("unsafe types", |n| format!("type A = {}x;", rep("unsafe<'a> ", n))),
    ("ref patterns", |n| body(format!("let {}x = y;", rep("&", n)))),
    ("box patterns", |n| body(format!("let {}x = y;", rep("box ", n)))),
    ("box ref patterns", |n| body(format!("let {}x = y;", rep("box &", n)))),
    ("at patterns", |n| body(format!("let {}x = y;", rep("a @ ", n)))),
    ("paths in use", |n| format!("use {}a;", rep("a::", n))),
    ("or patterns", |n| body(format!("match x {{ {}B => 1 }}", rep("A | ", n)))),
    ("bounds", |n| format!("fn f<T: {}A>() {{}}", rep("A + ", n))),
    ("where", |n| format!("fn f() where {} {{}}", rep("T: A<B, C>, ", n))),
    ("macro args", |n| format!("m!({}x);", rep("!", n))),
    ("macro soup", |n| format!("m!({}x @ @);", rep("a::<b(", n))),
    ("macro soup chain", |n| format!("m!(x{} @ @);", rep(".a()", n))),
    ("json", |n| format!("json!({}1{});", rep("{\"a\":", n), rep("}", n))),
    ("concat", |n| format!("concat!({}\"a\"{});", rep("concat!(", n), rep(")", n))),
    ("const traits", |n| rep("const trait A { fn f() {", n) + &rep("}}", n)),
    ("verbatim items", |n| rep("static A: B = { fn f(); ", n) + &rep("};", n)),
    ("cfg", |n| format!("#[cfg({}test{})] fn f() {{}}", rep("not(", n), rep(")", n))),
    ("attribute tokens", |n| format!("#[a({}x{})] fn f() {{}}", rep("(", n), rep(")", n))),
    ("attribute values", |n| format!("#[a = {}x] fn f() {{}}", rep("!", n))),
    ("cfg_if", |n| format!("{}{}", rep("cfg_if! { if #[cfg(a)] { ", n), rep("} }", n))),
    ("macro rules", |n| format!("macro_rules! m {{ () => {{ {}x }} }}", rep("!", n))),
    ("nested rules", |n| rep("macro_rules! m { () => { ", n) + &rep("} }", n)),
    ("comments", |n| rep("/*", n) + &rep("*/", n)),
    ("open", |n| body(rep("(", n))),
    ("angles", |n| body(rep("a::<", n))),
    ("quotes", |n| body(rep("'a ", n))),
];

/// All of them, for as many steps.
fn patterns(n: usize) -> Vec<(&'static str, String)> {
    PATTERNS.iter().map(|(name, text)| (*name, text(n))).collect()
}

/// As many steps as may be parsed.
fn most(text: fn(usize) -> String, limit: impl Fn(Depth) -> bool) -> String {
    let (mut low, mut high) = (1, 16_384);
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        let fits = text(middle).parse().is_ok_and(|tokens| limit(depth::measure(tokens).1));
        (low, high) = if fits { (middle, high) } else { (low, middle) };
    }
    text(low)
}

fn read_both(texts: Vec<(&str, String)>) -> Vec<(String, Result<Facts, ParseError>)> {
    let files = Files::new("/w");
    let ids: Vec<_> = texts
        .into_iter()
        .map(|(name, text)| (name, files.add(camino::Utf8Path::new(&format!("/w/{name}.rs")), text)))
        .collect();
    let all = read_all(&files, &ids.iter().map(|(_, id)| *id).collect::<Vec<_>>());
    for ((_, id), facts) in ids.iter().zip(&all) {
        if let Ok(facts) = facts {
            check(facts, &files.get(*id));
        }
    }
    ids.into_iter().map(|(name, _)| name.to_owned()).zip(all).collect()
}

#[test]
fn as_deep_as_is_allowed_is_parsed() {
    let fits = |depth: Depth| depth.weight <= MAX_WEIGHT && depth.nest <= MAX_NEST;
    let texts = PATTERNS.iter().map(|&(name, text)| (name, most(text, fits))).collect();
    for (name, facts) in read_both(texts) {
        if let Ok(Facts { error: Some(error), .. }) = facts {
            assert!(!error.message.contains("steps"), "{name}: {}", error.message);
        }
    }
}

#[test]
fn far_deeper_is_refused_or_scanned() {
    for (name, facts) in read_both(patterns(20_000)) {
        match facts {
            Ok(facts) => assert!(facts.exprs.len() < 400_000, "{name}"),
            Err(error) => assert!(!error.message.is_empty()),
        }
    }
}

#[test]
fn enormous_files_are_refused_or_scanned() {
    let n = 1_000_000;
    let texts = vec![
        ("parens", format!("const A: B = {}{};", "(".repeat(n), ")".repeat(n))),
        ("open", "{".repeat(n)),
        ("not", format!("const A: B = {}x;", "!".repeat(n))),
        ("sum", format!("const A: B = {}x;", "a + ".repeat(n / 5))),
        ("methods", format!("const A: B = x{};", ".a()".repeat(n / 10))),
        ("multiplied imports", format!("use {}{{{}}};", "a::".repeat(3_000), "b,".repeat(50_000))),
    ];
    for (name, facts) in read_both(texts) {
        let refused = facts.as_ref().is_err() || facts.as_ref().is_ok_and(|facts| facts.error.is_some());
        assert!(refused, "{name}");
    }
}

#[test]
fn what_is_looked_at_again_and_again_ends() {
    let n = 180;
    let wide = "a::b(c, d); ".repeat(4_000);
    for facts in read_both(vec![
        ("macros", format!("fn f() {{ {}{wide}{} }}", rep("m!(", n), rep(")", n))),
        ("soup", format!("fn f() {{ m!(@ {}{wide}{}) }}", rep("a::b(@ ", n), rep(")", n))),
        ("unsettled", format!("{}{wide}{}", rep("const trait A { fn f() { ", n / 2), rep("} }", n / 2))),
        ("unsettled members", format!("{}{wide}{}", rep("impl A { fn f() where; fn f() { ", n / 2), rep("} }", n / 2))),
        ("json", format!("json!({}{}{})", rep("[{\"a\": ", n / 2), rep("1, ", 10_000), rep("}]", n / 2))),
        ("macro arms", format!("macro_rules! m {{ {} }}", rep("($a:expr) => { $($a)* };", 4_000))),
    ]) {
        assert!(facts.1.is_ok(), "{}", facts.0);
    }
}

/// Measures what a step costs, by hand: `LG_PATTERN`, `LG_N` steps, on a stack of `LG_STACK` bytes.
/// `LG_PATTERN=list` says what they weigh.
#[test]
fn probe() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let Ok(n) = variable("LG_N").parse() else { return };
    let pattern = variable("LG_PATTERN");
    if pattern == "list" {
        for (name, text) in patterns(n) {
            let tokens: Result<proc_macro2::TokenStream, _> = text.parse();
            println!("{name}\t{:?}", tokens.map(|tokens| depth::measure(tokens).1).ok());
        }
        return;
    }
    let (_, text) = PATTERNS.iter().find(|(name, _)| *name == pattern).expect("a pattern");
    let text = text(n);
    let files = Files::new("/w");
    let id = files.add("/w/a.rs".into(), text);
    let started = std::time::Instant::now();
    let stack = variable("LG_STACK").parse().expect("bytes");
    let thread = std::thread::Builder::new().stack_size(stack);
    let facts = thread.spawn(move || parse(id, &files.get(id).text).map(|facts| facts.error)).expect("a thread").join();
    println!("done {facts:?} {:?}", started.elapsed());
}
