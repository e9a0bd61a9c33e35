//! The shapes that the tokens of a macro invocation can have, and parsing them as one.
//!
//! Every shape is tried on the same tokens, so that they are made ready for the parser only once. A
//! shape that belongs to certain macros alone is asked for by its name in `known`.

use proc_macro2::{Ident, TokenStream};
use syn::{
    Attribute, Block, Expr, Item, Pat, Stmt, Token, Type, Visibility, braced, bracketed,
    ext::IdentExt as _,
    parse::{ParseStream, Result, discouraged::Speculative as _},
    token,
};

use super::cfg;

/// What the tokens of a macro turned out to be.
pub(super) enum Shape {
    /// Arguments, whatever stands between them.
    Args(Vec<Arg>),
    /// `pat = future, if cond => body`, as in `select!`.
    Arms(Vec<SelectArm>),
    /// `value, pattern if guard, rest`, as in `matches!`.
    Matches(Box<Matched>),
    Stmts(Vec<Stmt>),
    Items(Vec<Item>),
    /// `static NAME: T = value;`, with or without `ref`, value and semicolon.
    Statics(Vec<StaticDecl>),
    /// `struct Flags: u32 { const A = 1; }`.
    Flags(Vec<FlagsDecl>),
    /// `if #[cfg(...)] { ... } else { ... }`: conditions and what they stand for.
    Branches(Vec<(Vec<Attribute>, TokenStream)>),
    Types(Vec<Type>),
    Pats(Vec<Pat>),
}

/// What is matched, against what, and what else is given.
pub(super) struct Matched {
    pub(super) value: Expr,
    pub(super) pat: Pat,
    pub(super) guard: Option<Expr>,
    pub(super) rest: Vec<Arg>,
}

/// One argument.
pub(super) struct Arg {
    /// `key = value`, `key: value`.
    pub(super) key: Option<Ident>,
    /// `%value` (by `Display`) or `?value` (by `Debug`).
    pub(super) sigil: Option<Sigil>,
    pub(super) value: Value,
}

/// How a field of an event is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sigil {
    Display,
    Debug,
}

/// What stands as an argument.
pub(super) enum Value {
    Expr(Expr),
    /// `key => value`.
    Pair(Expr, Expr),
    /// The values within something like JSON.
    Nested(Vec<Expr>),
    Type(Type),
}

/// An arm of a `select!`.
pub(super) struct SelectArm {
    pub(super) pat: Option<Pat>,
    pub(super) exprs: Vec<Expr>,
}

pub(super) struct StaticDecl {
    pub(super) attrs: Vec<Attribute>,
    pub(super) vis: Visibility,
    pub(super) word: Token![static],
    pub(super) name: Ident,
    pub(super) ty: Type,
    pub(super) value: Option<Expr>,
}

pub(super) struct FlagsDecl {
    pub(super) attrs: Vec<Attribute>,
    pub(super) vis: Visibility,
    pub(super) word: Token![struct],
    pub(super) name: Ident,
    pub(super) brace: token::Brace,
    pub(super) flags: Vec<(Vec<Attribute>, Ident, Expr)>,
}

/// Which shapes to try, in that order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Try {
    Args,
    Arms,
    Matches,
    Stmts,
    Items,
    Statics,
    Flags,
    Branches,
    Types,
    Pats,
}

/// Parses tokens as the first shape that fits.
pub(super) fn parse(input: ParseStream<'_>, order: &[Try]) -> Result<Shape> {
    for shape in order {
        let ahead = input.fork();
        let parsed = match shape {
            Try::Args => args(&ahead).map(Shape::Args),
            Try::Arms => arms(&ahead).map(Shape::Arms),
            Try::Matches => matches(&ahead).map(Shape::Matches),
            Try::Stmts => Block::parse_within(&ahead).map(Shape::Stmts),
            Try::Items => inner_items(&ahead).map(Shape::Items),
            Try::Statics => many(&ahead, static_decl).map(Shape::Statics),
            Try::Flags => many(&ahead, flags_decl).map(Shape::Flags),
            Try::Branches => branches(&ahead).map(Shape::Branches),
            Try::Types => separated(&ahead, |input| input.parse()).map(Shape::Types),
            Try::Pats => separated(&ahead, Pat::parse_multi_with_leading_vert).map(Shape::Pats),
        };
        if let Ok(parsed) = parsed
            && ahead.is_empty()
        {
            input.advance_to(&ahead);
            return Ok(parsed);
        }
    }
    Err(input.error("none of the shapes fits"))
}

/// Items, perhaps behind attributes for all of them, which are the macro's to understand; one that is a
/// `cfg` is heeded.
fn inner_items(input: ParseStream<'_>) -> Result<Vec<Item>> {
    let attrs = Attribute::parse_inner(input)?;
    let items = many(input, |input| input.parse())?;
    Ok(if cfg::are_off(&attrs) { Vec::new() } else { items })
}

fn many<T>(input: ParseStream<'_>, one: fn(ParseStream<'_>) -> Result<T>) -> Result<Vec<T>> {
    let mut out = Vec::new();
    while !input.is_empty() {
        out.push(one(input)?);
    }
    Ok(out)
}

fn separated<T>(input: ParseStream<'_>, one: fn(ParseStream<'_>) -> Result<T>) -> Result<Vec<T>> {
    let mut out = Vec::new();
    while !input.is_empty() {
        out.push(one(input)?);
        separator(input)?;
    }
    Ok(out)
}

/// `,` or `;`, unless the end is there.
fn separator(input: ParseStream<'_>) -> Result<()> {
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
    } else if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(())
}

fn at_end(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,]) || input.peek(Token![;])
}

fn args(input: ParseStream<'_>) -> Result<Vec<Arg>> {
    separated(input, |input| {
        let arg = arg(input)?;
        // With a semicolon behind it, a `let` is a statement.
        match &arg.value {
            Value::Expr(Expr::Let(_)) if input.peek(Token![;]) => Err(input.error("expected an expression")),
            _ => Ok(arg),
        }
    })
}

fn arg(input: ParseStream<'_>) -> Result<Arg> {
    Ok(Arg { key: key(input), sigil: sigil(input)?, value: value(input)? })
}

fn sigil(input: ParseStream<'_>) -> Result<Option<Sigil>> {
    if input.peek(Token![%]) {
        input.parse::<Token![%]>()?;
        Ok(Some(Sigil::Display))
    } else if input.peek(Token![?]) {
        input.parse::<Token![?]>()?;
        Ok(Some(Sigil::Debug))
    } else {
        Ok(None)
    }
}

/// `key =` or `key:`, also of several names with dots between them where a sigil follows, or a string.
fn key(input: ParseStream<'_>) -> Option<Ident> {
    let ahead = input.fork();
    let ident = ahead.call(Ident::parse_any).ok()?;
    let mut dotted = false;
    while ahead.peek(Token![.]) && !ahead.peek(Token![..]) {
        ahead.parse::<Token![.]>().ok()?;
        ahead.call(Ident::parse_any).ok()?;
        dotted = true;
    }
    if ahead.peek(Token![=]) && !ahead.peek(Token![==]) && !ahead.peek(Token![=>]) {
        ahead.parse::<Token![=]>().ok()?;
    } else if ahead.peek(Token![:]) && !ahead.peek(Token![::]) {
        ahead.parse::<Token![:]>().ok()?;
    } else {
        return None;
    }
    if dotted && !ahead.peek(Token![%]) && !ahead.peek(Token![?]) {
        return None;
    }
    input.advance_to(&ahead);
    Some(ident)
}

fn value(input: ParseStream<'_>) -> Result<Value> {
    let ahead = input.fork();
    if let Ok(expr) = ahead.parse::<Expr>() {
        if at_end(&ahead) {
            input.advance_to(&ahead);
            return Ok(Value::Expr(expr));
        }
        if ahead.peek(Token![=>]) {
            ahead.parse::<Token![=>]>()?;
            let mapped = ahead.parse()?;
            if at_end(&ahead) {
                input.advance_to(&ahead);
                return Ok(Value::Pair(expr, mapped));
            }
        }
    }
    if input.peek(token::Brace) || input.peek(token::Bracket) {
        let ahead = input.fork();
        let mut out = Vec::new();
        if nested(&ahead, &mut out).is_ok() && at_end(&ahead) {
            input.advance_to(&ahead);
            return Ok(Value::Nested(out));
        }
    }
    let ahead = input.fork();
    let ty = ahead.parse()?;
    if !at_end(&ahead) {
        return Err(ahead.error("expected the end of an argument"));
    }
    input.advance_to(&ahead);
    Ok(Value::Type(ty))
}

/// `{ "key": value, key = value, ... }` and `[value, ...]`, within each other.
fn nested(input: ParseStream<'_>, out: &mut Vec<Expr>) -> Result<()> {
    let content;
    if input.peek(token::Brace) {
        braced!(content in input);
        while !content.is_empty() {
            nested_field(&content, out)?;
            separator(&content)?;
        }
    } else {
        bracketed!(content in input);
        while !content.is_empty() {
            nested_value(&content, out)?;
            separator(&content)?;
        }
    }
    Ok(())
}

fn nested_field(input: ParseStream<'_>, out: &mut Vec<Expr>) -> Result<()> {
    if key(input).is_none() {
        let ahead = input.fork();
        let written = ahead.parse()?;
        if ahead.peek(Token![:]) {
            ahead.parse::<Token![:]>()?;
            input.advance_to(&ahead);
            out.push(written);
        }
    }
    sigil(input)?;
    nested_value(input, out)
}

fn nested_value(input: ParseStream<'_>, out: &mut Vec<Expr>) -> Result<()> {
    let ahead = input.fork();
    if input.peek(token::Brace) || input.peek(token::Bracket) {
        let mut inner = Vec::new();
        if nested(&ahead, &mut inner).is_ok() && at_end(&ahead) {
            out.append(&mut inner);
            input.advance_to(&ahead);
            return Ok(());
        }
    }
    out.push(input.parse()?);
    Ok(())
}

fn matches(input: ParseStream<'_>) -> Result<Box<Matched>> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = Pat::parse_multi_with_leading_vert(input)?;
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    separator(input)?;
    Ok(Box::new(Matched { value, pat, guard, rest: args(input)? }))
}

fn arms(input: ParseStream<'_>) -> Result<Vec<SelectArm>> {
    let mut out = Vec::new();
    while !input.is_empty() {
        // `biased;`
        if input.peek(syn::Ident) && input.peek2(Token![;]) {
            input.parse::<Ident>()?;
            input.parse::<Token![;]>()?;
            continue;
        }
        let mut arm = SelectArm { pat: None, exprs: Vec::new() };
        // `else =>`, `default =>`, `complete =>`
        if (input.peek(Token![else]) || input.peek(syn::Ident)) && input.peek2(Token![=>]) {
            input.call(Ident::parse_any)?;
        } else {
            arm.pat = Some(Pat::parse_multi_with_leading_vert(input)?);
            input.parse::<Token![=]>()?;
            arm.exprs.push(input.parse()?);
            if input.peek(Token![,]) && input.peek2(Token![if]) {
                input.parse::<Token![,]>()?;
                input.parse::<Token![if]>()?;
                arm.exprs.push(input.parse()?);
            }
        }
        input.parse::<Token![=>]>()?;
        arm.exprs.push(Expr::parse_with_earlier_boundary_rule(input)?);
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        }
        out.push(arm);
    }
    Ok(out)
}

fn static_decl(input: ParseStream<'_>) -> Result<StaticDecl> {
    let attrs = Attribute::parse_outer(input)?;
    let vis = input.parse()?;
    let word = input.parse()?;
    input.parse::<Option<Token![ref]>>()?;
    input.parse::<Option<Token![mut]>>()?;
    let name = input.parse()?;
    input.parse::<Token![:]>()?;
    let ty = input.parse()?;
    let value = match input.parse::<Option<Token![=]>>()? {
        Some(_) => Some(input.parse()?),
        None => None,
    };
    if !input.is_empty() {
        input.parse::<Token![;]>()?;
    }
    Ok(StaticDecl { attrs, vis, word, name, ty, value })
}

fn flags_decl(input: ParseStream<'_>) -> Result<FlagsDecl> {
    let attrs = Attribute::parse_outer(input)?;
    let vis = input.parse()?;
    let word = input.parse()?;
    let name = input.parse()?;
    input.parse::<Token![:]>()?;
    input.parse::<Type>()?;
    let content;
    let brace = braced!(content in input);
    let mut flags = Vec::new();
    while !content.is_empty() {
        let attrs = Attribute::parse_outer(&content)?;
        content.parse::<Token![const]>()?;
        let flag = content.call(Ident::parse_any)?;
        content.parse::<Token![=]>()?;
        flags.push((attrs, flag, content.parse()?));
        content.parse::<Token![;]>()?;
    }
    Ok(FlagsDecl { attrs, vis, word, name, brace, flags })
}

fn branches(input: ParseStream<'_>) -> Result<Vec<(Vec<Attribute>, TokenStream)>> {
    let mut out = Vec::new();
    loop {
        let mut attrs = Vec::new();
        if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            attrs = Attribute::parse_outer(input)?;
        }
        let content;
        braced!(content in input);
        out.push((attrs, content.parse()?));
        if !input.peek(Token![else]) {
            return Ok(out);
        }
        input.parse::<Token![else]>()?;
    }
}
