//! Text that is made to overflow the parser's stack.

use super::check::check;
use crate::{
    base::Files,
    source::{
        Facts, ParseError,
        depth::{self, Depth, MAX_NEST, MAX_WEIGHT},
        read::{parse, read_all},
    },
};

/// Ways to go deep, each for a number of steps.
pub(super) fn patterns(n: usize) -> Vec<(&'static str, String)> {
    let rep = |s: &str| s.repeat(n);
    let f = |s: String| format!("fn f() {{ {s} }}");
    vec![
        ("parens", f(rep("(") + "x" + &rep(")"))),
        ("brackets", f(rep("[") + "x" + &rep("]"))),
        ("braces", f(rep("{") + &rep("}"))),
        ("calls", f(rep("a(") + &rep(")"))),
        ("struct literals", f(rep("S{a:") + "x" + &rep("}"))),
        ("macros", f(rep("m!(") + &rep(")"))),
        ("macro statements", f(rep("m!{") + &rep("}"))),
        ("item macros", rep("m!{") + &rep("}")),
        ("fns", rep("fn f() {") + &rep("}")),
        ("mods", rep("mod m {") + &rep("}")),
        ("impls", rep("impl A { fn f() {") + &rep("}}")),
        ("traits", rep("trait A { fn f() {") + &rep("}}")),
        ("ifs", f(rep("if x {") + &rep("}"))),
        ("matches", f(rep("match x { _ => {") + &rep("}}"))),
        ("match arms", f(rep("match x { _ => ") + "x" + &rep("}"))),
        ("closures in calls", f(rep("a(|| {") + &rep("})"))),
        ("async", f(rep("async {") + &rep("}"))),
        ("tuple patterns", f(format!("let {}x{} = y;", rep("("), rep(",)")))),
        ("slice patterns", f(format!("let {}x{} = y;", rep("["), rep("]")))),
        ("struct patterns", f(format!("let {}x{} = y;", rep("S{a:"), rep("}")))),
        ("tuple types", format!("type A = {}x{};", rep("("), rep(",)"))),
        ("array types", format!("type A = {}x{};", rep("["), rep(";1]"))),
        ("paren generics", format!("type A = {}x{};", rep("Fn("), rep(")"))),
        ("use trees", format!("use {}a{};", rep("a::{"), rep("}"))),
        ("not", f(rep("!") + "x")),
        ("neg", f(rep("- ") + "x")),
        ("deref", f(rep("*") + "x")),
        ("ref", f(rep("&") + "x")),
        ("ref mut", f(rep("&mut ") + "x")),
        ("raw", f(rep("&raw const ") + "x")),
        ("closures", f(rep("|| ") + "x")),
        ("closures with params", f(rep("|x, y| ") + "x")),
        ("closures in let", f(rep("let | A = |x,y| ") + "x")),
        ("labelled closures", f(format!("loop {{ {}x }}", rep("break 'a |x,y| ")))),
        ("move closures", f(rep("move || ") + "x")),
        ("returns", f(rep("return ") + "x")),
        ("breaks", f(format!("loop {{ {}x }}", rep("break ")))),
        ("becomes", f(rep("become ") + "x")),
        ("yields", f(rep("yield ") + "x")),
        ("lets", f(format!("if {}x {{}}", rep("let a = ")))),
        ("if if", f(format!("{}x{}", rep("if "), rep(" {}")))),
        ("match match", f(format!("{}x{}", rep("match "), rep(" {}")))),
        ("while while", f(format!("{}x{}", rep("while "), rep(" {}")))),
        ("for in for", f(format!("{}x{}", rep("for S{} in "), rep(" {}")))),
        ("assign", f(rep("a = ") + "x")),
        ("add assign", f(rep("a += ") + "x")),
        ("sum", f(rep("a + ") + "x")),
        ("ands", f(rep("a && ") + "x")),
        ("rising", f(rep("a || b && c == d | e ^ f & g << h + i * ") + "x")),
        ("ranges", f(rep("..") + "x")),
        ("casts", f("x".to_owned() + &rep(" as u8"))),
        ("fields", f("x".to_owned() + &rep(".a"))),
        ("methods", f("x".to_owned() + &rep(".a()"))),
        ("tries", f("x".to_owned() + &rep("?"))),
        ("awaits", f("x".to_owned() + &rep(".await"))),
        ("indices", f("x".to_owned() + &rep("[0]"))),
        ("call chains", f("x".to_owned() + &rep("()"))),
        ("else if", f(rep("if a {} else ") + "{}")),
        ("attributed", f(rep("#[a] !") + "x")),
        ("labels", f(rep("'a: ") + "loop {}")),
        ("ref types", format!("type A = {}x;", rep("&"))),
        ("pointers", format!("type A = {}x;", rep("*const "))),
        ("generics", format!("type A = {}x{};", rep("V<"), rep(">"))),
        ("generics with commas", format!("type A = {}x{};", rep("V<u8,"), rep(">"))),
        ("bindings", format!("type A = {}x{};", rep("V<A="), rep(">"))),
        ("turbofish", f(format!("{}x{}::f()", rep("V::<"), rep(">")))),
        ("fn types", format!("type A = {}x;", rep("fn() -> "))),
        ("fn types with lifetimes", format!("type A = {}x;", rep("for<'a,'b> fn() -> "))),
        ("Fn types", format!("type A = {}x;", rep("Fn() -> "))),
        ("impl types", format!("fn f() -> {}x {{}}", rep("impl Fn() -> "))),
        ("dyn types", format!("type A = {}x;", rep("dyn Fn() -> "))),
        ("qself", format!("type A = {}x{};", rep("<"), rep(" as T>::A"))),
        ("unsafe types", format!("type A = {}x;", rep("unsafe<'a> "))),
        ("ref patterns", f(format!("let {}x = y;", rep("&")))),
        ("box patterns", f(format!("let {}x = y;", rep("box ")))),
        ("box ref patterns", f(format!("let {}x = y;", rep("box &")))),
        ("at patterns", f(format!("let {}x = y;", rep("a @ ")))),
        ("paths in use", format!("use {}a;", rep("a::"))),
        ("or patterns", f(format!("match x {{ {}B => 1 }}", rep("A | ")))),
        ("bounds", format!("fn f<T: {}A>() {{}}", rep("A + "))),
        ("where", format!("fn f() where {} {{}}", rep("T: A<B, C>, "))),
        ("macro args", format!("m!({}x);", rep("!"))),
        ("macro soup", format!("m!({}x @ @);", rep("a::<b("))),
        ("macro soup chain", format!("m!(x{} @ @);", rep(".a()"))),
        ("json", format!("json!({}1{});", rep("{\"a\":"), rep("}"))),
        ("concat", format!("concat!({}\"a\"{});", rep("concat!("), rep(")"))),
        ("const traits", rep("const trait A { fn f() {") + &rep("}}")),
        ("verbatim items", rep("static A: B = { fn f(); ") + &rep("};")),
        ("cfg", format!("#[cfg({}test{})] fn f() {{}}", rep("not("), rep(")"))),
        ("attribute tokens", format!("#[a({}x{})] fn f() {{}}", rep("("), rep(")"))),
        ("attribute values", format!("#[a = {}x] fn f() {{}}", rep("!"))),
        ("cfg_if", format!("{}{}", rep("cfg_if! { if #[cfg(a)] { "), rep("} }"))),
        ("macro rules", format!("macro_rules! m {{ () => {{ {}x }} }}", rep("!"))),
        ("nested rules", rep("macro_rules! m { () => { ") + &rep("} }")),
        ("comments", rep("/*") + &rep("*/")),
        ("open", f(rep("("))),
        ("angles", f(rep("a::<"))),
        ("quotes", f(rep("'a "))),
    ]
}

/// As many steps as may be parsed.
fn most(name: &str, limit: impl Fn(Depth) -> bool) -> String {
    let text = |n| patterns(n).into_iter().find(|(other, _)| *other == name).expect("a pattern").1;
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
    let names: Vec<_> = patterns(1).into_iter().map(|(name, _)| name).collect();
    let texts = names
        .into_iter()
        .map(|name| (name, most(name, |depth| depth.weight <= MAX_WEIGHT && depth.nest <= MAX_NEST)))
        .collect();
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
    let text = patterns(n).into_iter().find(|(name, _)| *name == pattern).expect("a pattern").1;
    let files = Files::new("/w");
    let id = files.add("/w/a.rs".into(), text);
    let started = std::time::Instant::now();
    let stack = variable("LG_STACK").parse().expect("bytes");
    let thread = std::thread::Builder::new().stack_size(stack);
    let facts = thread.spawn(move || parse(id, &files.get(id).text).map(|facts| facts.error)).expect("a thread").join();
    println!("done {facts:?} {:?}", started.elapsed());
}
