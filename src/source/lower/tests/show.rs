//! Facts in a form that tests read: nearly Rust, with what lowering added in brackets.

use crate::source::facts::*;

/// All of a file: its items and imports, one a line, members and modules in braces.
pub(super) fn file(facts: &Facts) -> String {
    scope(facts, ScopeIx(0)).join("\n")
}

pub(super) fn scan(facts: &Facts) -> String {
    list(facts.scan.iter().map(|&at| expr(facts, at)))
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn scope(facts: &Facts, at: ScopeIx) -> Vec<String> {
    let scope = &facts[at];
    let uses = scope.uses.iter().map(import);
    uses.chain(scope.items.iter().map(|&at| item(facts, at))).collect()
}

fn import(of: &Use) -> String {
    let path = of.segments.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join("::");
    let colons = if of.global { "::" } else { "" };
    let public = if of.public { "pub " } else { "" };
    let binds = match &of.binds {
        UseBinding::Name(name) => format!(" as {name}"),
        UseBinding::Underscore => " as _".to_owned(),
        UseBinding::Glob => "::*".to_owned(),
    };
    format!("{public}use {colons}{path}{binds}")
}

fn item(facts: &Facts, at: ItemIx) -> String {
    let item = &facts[at];
    let mut out = String::new();
    for attr in &item.attrs {
        out += &attribute(facts, attr);
        out.push(' ');
    }
    if item.public {
        out += "pub ";
    }
    let generics = generics(facts, &item.generics);
    let name = &item.name;
    out += &match &item.kind {
        ItemKind::Module(Module::Inline { scope: at, path, macro_use }) => {
            format!("mod {name}{}{} {{ {} }}", marks(*macro_use), paths(path), scope(facts, *at).join(" "))
        }
        ItemKind::Module(Module::File { paths: list, usual, macro_use }) => {
            format!("mod {name}{}{}{};", marks(*macro_use), paths(list), if *usual { "" } else { " [unusual]" })
        }
        ItemKind::ExternCrate { krate, macro_use } => {
            format!("extern crate {krate} as {name}{};", marks(*macro_use))
        }
        ItemKind::Fn(function) => fn_text(facts, name, &generics, function),
        ItemKind::Struct(fields) => format!("struct {name}{generics}{}", fields_text(facts, fields)),
        ItemKind::Enum(variants) => format!(
            "enum {name}{generics} {{ {} }}",
            list(variants.iter().map(|v| {
                let value = v.discriminant.map(|at| format!(" = {}", expr(facts, at))).unwrap_or_default();
                let attrs: String = v.attrs.iter().map(|attr| attribute(facts, attr) + " ").collect();
                format!("{attrs}{}{}{value}", v.name, fields_text(facts, &v.fields))
            }))
        ),
        ItemKind::Trait { supertraits, members } => {
            format!("trait {name}{generics}{} {{ {} }}", bounds(facts, ": ", supertraits), all(facts, members))
        }
        ItemKind::Names { types } => format!("names {name}{generics}{}", bounds(facts, " = ", types)),
        ItemKind::Impl { of, self_type, members } => {
            let of = of.map(|of| ty(facts, of) + " for ").unwrap_or_default();
            format!("impl{generics} {of}{} {{ {} }}", ty(facts, *self_type), all(facts, members))
        }
        ItemKind::Const { of, value } => format!("const {name}: {}{};", ty(facts, *of), init(facts, *value)),
        ItemKind::Static { of, value, foreign } => {
            let foreign = if *foreign { "extern " } else { "" };
            format!("{foreign}static {name}: {}{};", ty(facts, *of), init(facts, *value))
        }
        ItemKind::Alias { of, bounds: list } => {
            let of = of.map(|of| format!(" = {}", ty(facts, of))).unwrap_or_default();
            format!("type {name}{generics}{}{of};", bounds(facts, ": ", list))
        }
        ItemKind::MacroRules { exported, body } => {
            format!("macro {name}{} {}", if *exported { "[exported]" } else { "" }, macro_body(facts, body))
        }
        ItemKind::MacroCall(call) => invocation(facts, call),
    };
    out
}

fn all(facts: &Facts, items: &[ItemIx]) -> String {
    items.iter().map(|&at| item(facts, at)).collect::<Vec<_>>().join(" ")
}

fn marks(macro_use: bool) -> &'static str {
    if macro_use { "[macro_use]" } else { "" }
}

fn paths<'a>(paths: impl IntoIterator<Item = &'a String>) -> String {
    paths.into_iter().map(|path| format!(" [{path}]")).collect()
}

fn init(facts: &Facts, value: Option<ExprIx>) -> String {
    value.map(|at| format!(" = {}", expr(facts, at))).unwrap_or_default()
}

fn bounds(facts: &Facts, before: &str, of: &[TypeIx]) -> String {
    if of.is_empty() {
        return String::new();
    }
    before.to_owned() + &of.iter().map(|&at| ty(facts, at)).collect::<Vec<_>>().join(" + ")
}

fn generics(facts: &Facts, of: &Generics) -> String {
    let mut out = String::new();
    if !of.params.is_empty() {
        let params = of.params.iter().map(|param| {
            let default = param.default.map(|at| format!(" = {}", ty(facts, at))).unwrap_or_default();
            format!("{}{}{default}", param.name, bounds(facts, ": ", &param.bounds))
        });
        out += &format!("<{}>", list(params));
    }
    for (of, list) in &of.wheres {
        out += &format!(" where {}{}", ty(facts, *of), bounds(facts, ": ", list));
    }
    out
}

fn fn_text(facts: &Facts, name: &str, generics: &str, of: &Function) -> String {
    let receiver = of.receiver.as_ref().map(|receiver| {
        let of = receiver.of.map(|at| format!(": {}", ty(facts, at))).unwrap_or_default();
        format!("{}self{of}", if receiver.by_ref { "&" } else { "" })
    });
    let params = of.params.iter().map(|param| format!("{}: {}", pat(facts, param.pat), ty(facts, param.of)));
    let params = list(receiver.into_iter().chain(params));
    let ret = of.ret.map(|at| format!(" -> {}", ty(facts, at))).unwrap_or_default();
    let body = of.body.map_or(";".to_owned(), |at| format!(" {}", expr(facts, at)));
    let words = [(of.foreign, "extern "), (of.is_async, "async ")];
    let words: String = words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    format!("{words}fn {name}{generics}({params}){ret}{body}")
}

fn fields_text(facts: &Facts, of: &Fields) -> String {
    let fields = of.fields.iter().map(|field| {
        let attrs: String = field.attrs.iter().map(|attr| attribute(facts, attr) + " ").collect();
        format!("{attrs}{}: {}", field.name, ty(facts, field.of))
    });
    match (of.tuple, of.fields.is_empty()) {
        (false, true) => String::new(),
        (false, false) => format!(" {{ {} }}", list(fields)),
        (true, _) => format!("({})", list(fields)),
    }
}

pub(super) fn attribute(facts: &Facts, attr: &Attr) -> String {
    let mut parts: Vec<String> = attr.paths.iter().map(|of| path(facts, of)).collect();
    parts.extend(attr.strings.iter().map(|(key, text, _)| format!("{key}={text:?}")));
    let parts = if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) };
    format!("#[{}{}{parts}]", if attr.derive { "derive " } else { "" }, path(facts, &attr.path))
}

pub(super) fn path(facts: &Facts, of: &Path) -> String {
    let mut out = String::new();
    let mut skip = 0;
    if let Some(qself) = of.qself {
        skip = qself.trait_segments;
        let lead: Vec<_> = of.segments[..skip].iter().map(|at| segment(facts, at)).collect();
        let of = ty(facts, qself.of);
        out += &if skip == 0 { format!("<{of}>::") } else { format!("<{of} as {}>::", lead.join("::")) };
    }
    if of.global {
        out += "::";
    }
    let rest: Vec<_> = of.segments[skip..].iter().map(|at| segment(facts, at)).collect();
    out + &rest.join("::")
}

fn segment(facts: &Facts, of: &Segment) -> String {
    let args = of.args.iter().map(|&at| ty(facts, at));
    let bindings = of.bindings.iter().map(|(name, at)| format!("{name} = {}", ty(facts, *at)));
    let args = list(args.chain(bindings));
    if args.is_empty() { of.name.to_string() } else { format!("{}<{args}>", of.name) }
}

pub(super) fn ty(facts: &Facts, at: TypeIx) -> String {
    match &facts[at].kind {
        TypeKind::Path(of) => path(facts, of),
        TypeKind::Ref(of) => format!("&{}", ty(facts, *of)),
        TypeKind::Slice(of, None) => format!("[{}]", ty(facts, *of)),
        TypeKind::Slice(of, Some(len)) => format!("[{}; {}]", ty(facts, *of), expr(facts, *len)),
        TypeKind::Tuple(of) => format!("({})", list(of.iter().map(|&at| ty(facts, at)))),
        TypeKind::Fn { params, ret } => {
            let ret = ret.map(|at| format!(" -> {}", ty(facts, at))).unwrap_or_default();
            format!("fn({}){ret}", list(params.iter().map(|&at| ty(facts, at))))
        }
        TypeKind::Impl(of) => bounds(facts, "impl ", of),
        TypeKind::Dyn(of) => bounds(facts, "dyn ", of),
        TypeKind::Macro(call) => invocation(facts, call),
        TypeKind::Other => "_".to_owned(),
    }
}

fn exprs(facts: &Facts, list: &[ExprIx]) -> String {
    self::list(list.iter().map(|&at| expr(facts, at)))
}

pub(super) fn expr(facts: &Facts, at: ExprIx) -> String {
    let e = |at: &ExprIx| expr(facts, *at);
    let opt = |at: &Option<ExprIx>| at.map(|at| format!(" {}", expr(facts, at))).unwrap_or_default();
    match &facts[at].kind {
        ExprKind::Path(of) => path(facts, of),
        ExprKind::Str(text) => format!("{text:?}"),
        ExprKind::Other => "_".to_owned(),
        ExprKind::Call { callee, args } => format!("{}({})", e(callee), exprs(facts, args)),
        ExprKind::Method { receiver, name, generics, args, .. } => {
            let fish = list(generics.iter().map(|&at| ty(facts, at)));
            let fish = if fish.is_empty() { fish } else { format!("::<{fish}>") };
            format!("{}.{name}{fish}({})", e(receiver), exprs(facts, args))
        }
        ExprKind::Field { base, name, .. } => format!("{}.{name}", e(base)),
        ExprKind::Struct { path: of, fields, rest } => {
            let fields = fields.iter().map(|field| format!("{}: {}", field.name, e(&field.value)));
            let rest = rest.map(|at| format!("..{}", expr(facts, at)));
            format!("{} {{ {} }}", path(facts, of), list(fields.chain(rest)))
        }
        ExprKind::Closure { params, ret, body } => {
            let params = params.iter().map(|(of, typed)| {
                pat(facts, *of) + &typed.map(|at| format!(": {}", ty(facts, at))).unwrap_or_default()
            });
            let ret = ret.map(|at| format!("-> {} ", ty(facts, at))).unwrap_or_default();
            format!("|{}| {ret}{}", list(params), e(body))
        }
        ExprKind::Block { scope: at, stmts, is_async } => {
            let mut parts = at.map(|at| scope(facts, at)).unwrap_or_default();
            let declared = if parts.is_empty() { String::new() } else { format!("[{}] ", parts.join(" ")) };
            parts = stmts.iter().map(|of| stmt(facts, of)).collect();
            format!("{}{{ {declared}{} }}", if *is_async { "async " } else { "" }, parts.join(" "))
        }
        ExprKind::If { cond, then, other } => {
            let other = other.map(|at| format!(" else {}", expr(facts, at))).unwrap_or_default();
            format!("if {} {}{other}", e(cond), e(then))
        }
        ExprKind::Let { pat: of, value } => format!("let {} = {}", pat(facts, *of), e(value)),
        ExprKind::Match { scrutinee, arms } => {
            let arms = arms.iter().map(|arm| {
                let guard = arm.guard.map(|at| format!(" if {}", expr(facts, at))).unwrap_or_default();
                format!("{}{guard} => {}", pat(facts, arm.pat), e(&arm.body))
            });
            format!("match {} {{ {} }}", e(scrutinee), list(arms))
        }
        ExprKind::For { pat: of, iter, body } => format!("for {} in {} {}", pat(facts, *of), e(iter), e(body)),
        ExprKind::Loop { cond, body } => format!("loop{} {}", opt(cond), e(body)),
        ExprKind::Try(of, _) => format!("{}?", e(of)),
        ExprKind::Await(of, _) => format!("{}.await", e(of)),
        ExprKind::Ref(of) => format!("&{}", e(of)),
        ExprKind::Deref(of) => format!("*{}", e(of)),
        ExprKind::Unary { op, of } => format!("{op}({})", e(of)),
        ExprKind::Binary { op, left, right, .. } => format!("({} {op} {})", e(left), e(right)),
        ExprKind::Assign { left, right } => format!("{} = {}", e(left), e(right)),
        ExprKind::Cast { value, to } => format!("({} as {})", e(value), ty(facts, *to)),
        ExprKind::Index { base, index } => format!("{}[{}]", e(base), e(index)),
        ExprKind::Tuple(of) => format!("({})", exprs(facts, of)),
        ExprKind::Array(of) => format!("[{}]", exprs(facts, of)),
        ExprKind::Return(of) => format!("return{}", opt(of)),
        ExprKind::Holds(of) => format!("holds({})", exprs(facts, of)),
        ExprKind::Macro(call) => invocation(facts, call),
    }
}

fn stmt(facts: &Facts, of: &Stmt) -> String {
    match of {
        Stmt::Let { pat: of, of: typed, init: value, other } => {
            let typed = typed.map(|at| format!(": {}", ty(facts, at))).unwrap_or_default();
            let other = other.map(|at| format!(" else {}", expr(facts, at))).unwrap_or_default();
            format!("let {}{typed}{}{other};", pat(facts, *of), init(facts, *value))
        }
        Stmt::Expr(at, semi) => expr(facts, *at) + if *semi { ";" } else { "" },
    }
}

pub(super) fn pat(facts: &Facts, at: PatIx) -> String {
    let pats = |of: &[PatIx], rest: Option<usize>| {
        let mut parts: Vec<String> = of.iter().map(|&at| pat(facts, at)).collect();
        if let Some(rest) = rest {
            parts.insert(rest, "..".to_owned());
        }
        parts.join(", ")
    };
    match &facts[at].kind {
        PatKind::Name(name, sub) => {
            format!("{name}{}", sub.map(|at| format!(" @ {}", pat(facts, at))).unwrap_or_default())
        }
        PatKind::Wild => "_".to_owned(),
        PatKind::Path(of) => format!("={}", path(facts, of)),
        PatKind::TupleStruct { path: of, elems, rest } => format!("{}({})", path(facts, of), pats(elems, *rest)),
        PatKind::Struct { path: of, fields } => {
            let fields = fields.iter().map(|(name, _, at)| format!("{name}: {}", pat(facts, *at)));
            format!("{} {{ {} }}", path(facts, of), list(fields))
        }
        PatKind::Tuple { elems, rest } => format!("({})", pats(elems, *rest)),
        PatKind::Slice(of) => format!("[{}]", pats(of, None)),
        PatKind::Ref(of) => format!("&{}", pat(facts, *of)),
        PatKind::Or(of) => of.iter().map(|&at| pat(facts, at)).collect::<Vec<_>>().join(" | "),
        PatKind::Expr(of) => format!("={}", expr(facts, *of)),
        PatKind::Typed(of, at) => format!("{}: {}", pat(facts, *of), ty(facts, *at)),
        PatKind::Macro(call) => invocation(facts, call),
    }
}

fn invocation(facts: &Facts, call: &MacroCall) -> String {
    let include = call.include.as_ref().map(|include| format!(" {include:?}")).unwrap_or_default();
    format!("{}!{}{include}", path(facts, &call.path), macro_body(facts, &call.body))
}

fn macro_body(facts: &Facts, body: &MacroBody) -> String {
    let mut parts = Vec::new();
    let mut part = |title: &str, text: String| {
        if !text.is_empty() {
            parts.push(format!("{title}{text}"));
        }
    };
    part("", exprs(facts, &body.exprs));
    part("pats ", list(body.pats.iter().map(|&at| pat(facts, at))));
    part("types ", list(body.types.iter().map(|&at| ty(facts, at))));
    part("items ", body.scope.map(|at| scope(facts, at).join(" ")).unwrap_or_default());
    let printed = body.formatted.iter().map(|(at, debug)| expr(facts, *at) + if *debug { "?" } else { "" });
    part("prints ", list(printed));
    part("", if body.scanned { "scanned".to_owned() } else { String::new() });
    format!("[{}]", parts.join(" | "))
}
