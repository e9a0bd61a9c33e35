//! What one source file says, as plain data.
//!
//! Everything of a file lies in one arena, [`Facts`]: scopes, items, expressions, patterns and types
//! point at each other by number. So the data is `Send`, dropping it never recurses, and a place is
//! always a byte range of the file as it stands on disk.
//!
//! Lowering drops what can never be linked: items, statements, fields, arms and arguments whose `cfg`
//! is false whatever else holds when `test` is off. Every other `cfg` is taken as on, so one name may
//! have several items.

use std::sync::Arc;

use crate::base::{FileId, Span};

/// An identifier without `r#`. In the body of a `macro_rules!`, `$crate` is the name `$crate`, and a
/// metavariable `$x` is the name `$x`, which resolves to nothing.
pub type Name = Arc<str>;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident => $field:ident: $of:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl std::ops::Index<$name> for Facts {
            type Output = $of;
            fn index(&self, at: $name) -> &$of {
                &self.$field[at.0 as usize]
            }
        }
    )*};
}

index! {
    /// A scope of [`Facts::scopes`].
    ScopeIx => scopes: Scope;
    /// An item of [`Facts::items`].
    ItemIx => items: Item;
    /// An expression of [`Facts::exprs`].
    ExprIx => exprs: Expr;
    /// A pattern of [`Facts::pats`].
    PatIx => pats: Pat;
    /// A type of [`Facts::types`].
    TypeIx => types: Type;
}

/// One file.
#[derive(Debug)]
pub struct Facts {
    /// The file.
    pub file: FileId,
    /// Scopes; the first is the top of the file.
    pub scopes: Vec<Scope>,
    /// Items of all scopes, members of traits and impls included.
    pub items: Vec<Item>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Patterns.
    pub pats: Vec<Pat>,
    /// Types.
    pub types: Vec<Type>,
    /// Where and why the file does not parse as Rust; then `scan` holds what its tokens show, and the
    /// top scope the `use` declarations found among them.
    pub error: Option<ParseError>,
    /// For a file that does not parse: names, calls and literals among its tokens, in order.
    pub scan: Vec<ExprIx>,
    /// Macro invocations in this file whose tokens did not parse and were scanned.
    pub macros_scanned: u32,
}

/// Why a file is no Rust.
#[derive(Clone, Debug)]
pub struct ParseError {
    /// The parser's words.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// A module's body, a file's top, or a block with items or imports of its own.
#[derive(Debug, Default)]
pub struct Scope {
    /// The scope around it in the same file; none for the top of the file.
    pub parent: Option<ScopeIx>,
    /// Whether it is a block: then names are looked up in the parent next, and `self::`, `super::`
    /// mean those of the enclosing module.
    pub block: bool,
    /// Its items, in source order.
    pub items: Vec<ItemIx>,
    /// Its imports, one for each leaf of each tree, in source order.
    pub uses: Vec<Use>,
}

/// One leaf of a `use` tree.
#[derive(Debug)]
pub struct Use {
    /// Whether it has any `pub`: a re-export.
    pub public: bool,
    /// Whether the whole tree starts with `::`.
    pub global: bool,
    /// The path's segments; `use a::{self as b}` has only `a`. In a glob, the path before `*`.
    pub segments: Vec<(Name, Span)>,
    /// What it binds.
    pub binds: UseBinding,
    /// The leaf: from its first own token to its alias (`Client as Db` in `use x::{Client as Db}`).
    pub span: Span,
}

/// What a `use` leaf brings in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UseBinding {
    /// One name: the last segment or the alias. `as _` binds nothing but makes traits usable.
    Name(Name),
    /// `as _`.
    Underscore,
    /// Everything public (and what is visible) of the path.
    Glob,
}

/// Something declared.
#[derive(Debug)]
pub struct Item {
    /// Its name; empty for impls, macro invocations and `extern` blocks.
    pub name: Name,
    /// Where the name stands (for an impl: its self type; for a macro invocation: its path).
    pub name_span: Span,
    /// All of it, attributes aside.
    pub span: Span,
    /// Whether it has any `pub`. Members of traits and enum variants count as public.
    pub public: bool,
    /// The scope it stands in; for members, that of the trait or impl.
    pub scope: ScopeIx,
    /// The trait or impl that it is a member of.
    pub owner: Option<ItemIx>,
    /// Generic parameters and where clauses.
    pub generics: Generics,
    /// What its attributes say.
    pub attrs: Vec<Attr>,
    /// What it is.
    pub kind: ItemKind,
}

/// What an item is.
#[derive(Debug)]
pub enum ItemKind {
    /// `mod`.
    Module(Module),
    /// `extern crate krate as name` (the item's name is the alias if there is one; `_` for `as _`).
    ExternCrate {
        /// The crate as written; `self` possible.
        krate: Name,
        /// Whether `#[macro_use]` stands on it.
        macro_use: bool,
    },
    /// A function, method, or function of an `extern` block.
    Fn(Function),
    /// A struct or union.
    Struct(Fields),
    /// An enum.
    Enum(Vec<Variant>),
    /// A trait; `generics` has the where clauses.
    Trait {
        /// Supertraits, as path types.
        supertraits: Vec<TypeIx>,
        /// Its members.
        members: Vec<ItemIx>,
    },
    /// A trait alias (unstable) or anything else that only names other things.
    Names {
        /// What it names.
        types: Vec<TypeIx>,
    },
    /// An impl.
    Impl {
        /// The trait, as a path type.
        of: Option<TypeIx>,
        /// The type.
        self_type: TypeIx,
        /// Its members.
        members: Vec<ItemIx>,
    },
    /// A const or associated const.
    Const {
        /// Its type.
        of: TypeIx,
        /// Its value.
        value: Option<ExprIx>,
    },
    /// A static.
    Static {
        /// Its type.
        of: TypeIx,
        /// Its value; none in an `extern` block.
        value: Option<ExprIx>,
        /// Whether it stands in an `extern` block.
        foreign: bool,
    },
    /// A type alias or associated type.
    Alias {
        /// What it stands for; none for a declaration in a trait.
        of: Option<TypeIx>,
        /// Bounds of an associated type.
        bounds: Vec<TypeIx>,
    },
    /// `macro_rules!` or `macro`: the bodies of all its arms.
    MacroRules {
        /// Whether `#[macro_export]` stands on it.
        exported: bool,
        /// What the bodies hold, each arm parsed as far as it parses.
        body: MacroBody,
    },
    /// A macro invocation where items stand. Items that its tokens declare are parsed into
    /// [`MacroBody::scope`], whose names also count as declared in the scope around it.
    MacroCall(MacroCall),
}

/// `mod`.
#[derive(Debug)]
pub enum Module {
    /// `mod name { ... }`.
    Inline {
        /// Its body.
        scope: ScopeIx,
        /// `#[path]` on it: the folder of what is inside.
        path: Option<String>,
        /// Whether `#[macro_use]` stands on it.
        macro_use: bool,
    },
    /// `mod name;`.
    File {
        /// Every `#[path = "..."]`, unconditional or in a `cfg_attr` that is not off.
        paths: Vec<String>,
        /// Whether the usual file may be meant as well: no path attribute, or only conditional ones.
        usual: bool,
        /// Whether `#[macro_use]` stands on it.
        macro_use: bool,
    },
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// `self`, and the type that it is given with `self: T`.
    pub receiver: Option<Receiver>,
    /// Parameters without `self`.
    pub params: Vec<Param>,
    /// The return type as written (of an `async fn`, what awaiting it gives).
    pub ret: Option<TypeIx>,
    /// The body.
    pub body: Option<ExprIx>,
    /// Whether it is `async`.
    pub is_async: bool,
    /// Whether it stands in an `extern` block.
    pub foreign: bool,
}

/// `self`.
#[derive(Debug)]
pub struct Receiver {
    /// Where it stands.
    pub span: Span,
    /// Whether it is taken by reference.
    pub by_ref: bool,
    /// `self: T`.
    pub of: Option<TypeIx>,
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Its pattern.
    pub pat: PatIx,
    /// Its type.
    pub of: TypeIx,
}

/// The fields of a struct or variant.
#[derive(Debug, Default)]
pub struct Fields {
    /// Whether they have numbers for names (`"0"`, `"1"`, ...).
    pub tuple: bool,
    /// The fields.
    pub fields: Vec<Field>,
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its name or number.
    pub name: Name,
    /// Where the name stands; for a numbered field, its type.
    pub span: Span,
    /// Its type.
    pub of: TypeIx,
    /// What its attributes say.
    pub attrs: Vec<Attr>,
}

/// A variant of an enum.
#[derive(Debug)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Its fields.
    pub fields: Fields,
    /// `= expr`.
    pub discriminant: Option<ExprIx>,
    /// What its attributes say.
    pub attrs: Vec<Attr>,
}

/// Generic parameters and where clauses.
#[derive(Debug, Default)]
pub struct Generics {
    /// Type and const parameters.
    pub params: Vec<GenericParam>,
    /// Where clauses: a type and its bounds (path types).
    pub wheres: Vec<(TypeIx, Vec<TypeIx>)>,
}

/// A type or const parameter.
#[derive(Debug)]
pub struct GenericParam {
    /// Its name.
    pub name: Name,
    /// Its bounds, as path types.
    pub bounds: Vec<TypeIx>,
    /// Its default, or the type of a const parameter.
    pub default: Option<TypeIx>,
}

/// What an attribute says, as far as names go. Inert built-in attributes (`doc`, `allow`, `inline`,
/// `cfg`, `must_use`, `deprecated`, ...) are left out; `cfg_attr` is opened.
#[derive(Debug)]
pub struct Attr {
    /// The attribute's path (`serde`, `tokio::main`); for a derive, the derived trait's path.
    pub path: Path,
    /// Whether the path is named in a `derive`.
    pub derive: bool,
    /// Paths of two or more segments among its tokens, and single names that are called there.
    pub paths: Vec<Path>,
    /// Strings given to a key: `with = "crate::codec"` is `("with", "crate::codec", span)`. The span
    /// is that of the literal.
    pub strings: Vec<(Name, String, Span)>,
}

/// A path in code, types or patterns.
#[derive(Clone, Debug)]
pub struct Path {
    /// Starts with `::`.
    pub global: bool,
    /// `<T as Trait>::x` has `T` here, and the trait's segments lead `segments`; `<T>::x` has `T` and
    /// only `x`.
    pub qself: Option<QSelf>,
    /// The segments, at least one.
    pub segments: Vec<Segment>,
    /// From the first segment (or `<`) to the last.
    pub span: Span,
}

/// The type before `::` in angle brackets.
#[derive(Clone, Copy, Debug)]
pub struct QSelf {
    /// The type.
    pub of: TypeIx,
    /// How many leading segments of the path are the trait.
    pub trait_segments: usize,
}

/// A segment of a path.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Its name.
    pub name: Name,
    /// Where.
    pub span: Span,
    /// Type arguments; the inputs of `Fn(A, B)`; const arguments that are plain paths are types too.
    pub args: Vec<TypeIx>,
    /// `Item = T`, the output of `Fn() -> T` as `Output`.
    pub bindings: Vec<(Name, TypeIx)>,
}

/// A type.
#[derive(Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// What a type is. Parentheses and groups are gone.
#[derive(Debug)]
pub enum TypeKind {
    /// A path, also as a bound.
    Path(Path),
    /// `&T`, `&mut T`, `*const T`.
    Ref(TypeIx),
    /// `[T]`, `[T; n]`.
    Slice(TypeIx, Option<ExprIx>),
    /// `(A, B)`.
    Tuple(Vec<TypeIx>),
    /// `fn(A) -> B`.
    Fn {
        /// Parameters.
        params: Vec<TypeIx>,
        /// Result.
        ret: Option<TypeIx>,
    },
    /// `impl A + B`: path types.
    Impl(Vec<TypeIx>),
    /// `dyn A + B`: path types.
    Dyn(Vec<TypeIx>),
    /// A macro in type position.
    Macro(MacroCall),
    /// `!`, `_`, and whatever has no name in it.
    Other,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is. Parentheses and groups are gone; attributes that are off took theirs along.
#[derive(Debug)]
pub enum ExprKind {
    /// A name or path.
    Path(Path),
    /// A string, byte string or C string, unescaped (bytes that are no UTF-8 replaced).
    Str(String),
    /// Any other literal, and whatever has no name in it (`continue`, `_`).
    Other,
    /// `f(a, b)`.
    Call {
        /// What is called.
        callee: ExprIx,
        /// With what.
        args: Vec<ExprIx>,
    },
    /// `r.m::<T>(a)`.
    Method {
        /// The receiver.
        receiver: ExprIx,
        /// The method.
        name: Name,
        /// Where its name stands.
        name_span: Span,
        /// `::<T>`.
        generics: Vec<TypeIx>,
        /// Arguments.
        args: Vec<ExprIx>,
    },
    /// `b.f`, `b.0`.
    Field {
        /// Of what.
        base: ExprIx,
        /// The field.
        name: Name,
        /// Where its name stands.
        name_span: Span,
    },
    /// `Path { a: x, ..rest }`.
    Struct {
        /// The type or variant.
        path: Path,
        /// The fields; for the shorthand `a`, the value is the path `a`.
        fields: Vec<FieldValue>,
        /// `..rest`.
        rest: Option<ExprIx>,
    },
    /// `|a, b: T| body`.
    Closure {
        /// Parameters, with types where written.
        params: Vec<(PatIx, Option<TypeIx>)>,
        /// `-> T`.
        ret: Option<TypeIx>,
        /// The body.
        body: ExprIx,
    },
    /// `{ ... }`.
    Block {
        /// The block's own scope, where it declares items or imports.
        scope: Option<ScopeIx>,
        /// Statements; the last one without a semicolon is the value.
        stmts: Vec<Stmt>,
        /// Whether it is `async`.
        is_async: bool,
    },
    /// `if c { t } else { e }`.
    If {
        /// The condition, perhaps with [`ExprKind::Let`] in it.
        cond: ExprIx,
        /// Then.
        then: ExprIx,
        /// Else.
        other: Option<ExprIx>,
    },
    /// `let p = e` in a condition.
    Let {
        /// The pattern.
        pat: PatIx,
        /// The value.
        value: ExprIx,
    },
    /// `match`.
    Match {
        /// On what.
        scrutinee: ExprIx,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// `for p in e { b }`.
    For {
        /// The pattern.
        pat: PatIx,
        /// The iterator.
        iter: ExprIx,
        /// The body.
        body: ExprIx,
    },
    /// `while c { b }` and `loop { b }` (then the condition is none).
    Loop {
        /// The condition.
        cond: Option<ExprIx>,
        /// The body.
        body: ExprIx,
    },
    /// `e?`; the span of the `?` itself.
    Try(ExprIx, Span),
    /// `e.await`; the span of `await`.
    Await(ExprIx, Span),
    /// `&e`, `&mut e`, `&raw e`.
    Ref(ExprIx),
    /// `*e`.
    Deref(ExprIx),
    /// `-e` (`Neg`), `!e` (`Not`).
    Unary {
        /// The trait of `std::ops`.
        op: &'static str,
        /// The operand.
        of: ExprIx,
    },
    /// `a + b`, `a += b`; `op` is the trait of `std::ops` or `std::cmp` (`Add`, `AddAssign`,
    /// `PartialEq`, `PartialOrd`); empty for `&&` and `||`.
    Binary {
        /// The trait.
        op: &'static str,
        /// Where the operator stands.
        op_span: Span,
        /// Left.
        left: ExprIx,
        /// Right.
        right: ExprIx,
    },
    /// `a = b`.
    Assign {
        /// The place.
        left: ExprIx,
        /// The value.
        right: ExprIx,
    },
    /// `e as T`.
    Cast {
        /// What.
        value: ExprIx,
        /// To what.
        to: TypeIx,
    },
    /// `a[i]`.
    Index {
        /// Of what.
        base: ExprIx,
        /// Which.
        index: ExprIx,
    },
    /// `(a, b)`.
    Tuple(Vec<ExprIx>),
    /// `[a, b]`, `[a; n]`.
    Array(Vec<ExprIx>),
    /// `return e`.
    Return(Option<ExprIx>),
    /// `break e`, `yield e`, ranges and whatever else merely holds expressions.
    Holds(Vec<ExprIx>),
    /// A macro invocation.
    Macro(MacroCall),
}

/// `name: value` in a struct expression.
#[derive(Debug)]
pub struct FieldValue {
    /// The field's name or number.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// The value.
    pub value: ExprIx,
}

/// A statement. Items and imports of a block are in its scope.
#[derive(Debug)]
pub enum Stmt {
    /// `let p: T = e else { d };`
    Let {
        /// The pattern.
        pat: PatIx,
        /// The type.
        of: Option<TypeIx>,
        /// The value.
        init: Option<ExprIx>,
        /// The `else` block.
        other: Option<ExprIx>,
    },
    /// An expression; whether a semicolon follows.
    Expr(ExprIx, bool),
}

/// An arm of a `match`.
#[derive(Debug)]
pub struct Arm {
    /// The pattern.
    pub pat: PatIx,
    /// `if guard`.
    pub guard: Option<ExprIx>,
    /// The body.
    pub body: ExprIx,
}

/// A pattern.
#[derive(Debug)]
pub struct Pat {
    /// What it is.
    pub kind: PatKind,
    /// Where.
    pub span: Span,
}

/// What a pattern is.
#[derive(Debug)]
pub enum PatKind {
    /// `x`, `ref mut x @ p`. A single name may as well be a constant or a unit variant.
    Name(Name, Option<PatIx>),
    /// `_`, `..`, literals without names.
    Wild,
    /// `A::B`.
    Path(Path),
    /// `A(p, .., q)`: `rest` is the place of `..` among the elements, if there is one.
    TupleStruct {
        /// The struct or variant.
        path: Path,
        /// The elements, `..` left out.
        elems: Vec<PatIx>,
        /// Where `..` stands among them.
        rest: Option<usize>,
    },
    /// `A { f: p, g, .. }`.
    Struct {
        /// The struct or variant.
        path: Path,
        /// Fields: name, its place, and its pattern.
        fields: Vec<(Name, Span, PatIx)>,
    },
    /// `(p, .., q)`.
    Tuple {
        /// The elements, `..` left out.
        elems: Vec<PatIx>,
        /// Where `..` stands among them.
        rest: Option<usize>,
    },
    /// `[p, q]`.
    Slice(Vec<PatIx>),
    /// `&p`, `box p`.
    Ref(PatIx),
    /// `p | q`.
    Or(Vec<PatIx>),
    /// A literal, range or const block with an expression in it.
    Expr(ExprIx),
    /// `p: T` (closure parameters).
    Typed(PatIx, TypeIx),
    /// A macro in pattern position.
    Macro(MacroCall),
}

/// A macro invocation.
#[derive(Debug)]
pub struct MacroCall {
    /// The macro.
    pub path: Path,
    /// All of it.
    pub span: Span,
    /// What its tokens hold.
    pub body: MacroBody,
    /// If it is `include!` or the like: what it includes.
    pub include: Option<Include>,
}

/// Tokens of a macro, parsed where they parse and scanned where they do not.
#[derive(Debug, Default)]
pub struct MacroBody {
    /// Expressions in source order: arguments, the parts of `select!` arms, the literals, and what a
    /// scan of the rest found (paths, calls, method calls with an unknown receiver, literals). The
    /// literals of a `concat!` are one joined string with the span of the whole invocation.
    pub exprs: Vec<ExprIx>,
    /// Patterns bound before the expressions (`x = fut => ...`), for those that follow.
    pub pats: Vec<PatIx>,
    /// Types found where types are expected (`matches!` aside; `ref NAME: T` of `lazy_static!`).
    pub types: Vec<TypeIx>,
    /// Items that the tokens declare, and statements' items.
    pub scope: Option<ScopeIx>,
    /// Arguments that a format string prints: the expression, and whether by `Debug`. Names captured
    /// in the string (`"{HOST}"`) are path expressions here and in `exprs`, with the place of the
    /// name in the literal, or the literal's own where escapes forbid.
    pub formatted: Vec<(ExprIx, bool)>,
    /// Whether some tokens did not parse and were scanned.
    pub scanned: bool,
}

/// What an `include!` includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Include {
    /// A file relative to the one that includes it.
    Relative(String),
    /// A file relative to the package's folder: `concat!(env!("CARGO_MANIFEST_DIR"), "/x.rs")`.
    Manifest(String),
    /// A file that a build writes, as the source spells it.
    Opaque(String),
}
