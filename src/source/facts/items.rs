//! What a file declares.

use super::{ExprIx, ItemIx, MacroBody, MacroCall, Name, PatIx, Path, ScopeIx, TypeIx};
use crate::base::Span;

/// Something declared.
#[derive(Debug)]
pub struct Item {
    /// Its name; empty for impls, macro invocations and `extern` blocks.
    pub name: Name,
    /// Where the name stands (for an impl: its self type; for a macro invocation: its path).
    pub name_span: Span,
    /// All of it, attributes aside.
    pub span: Span,
    /// Whether it has any `pub`. Members of traits, also where they are implemented, and enum variants count
    /// as public; a `macro_rules!` if it is exported.
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
    /// A struct or union; also a type of an `extern` block, which has no fields.
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
    /// A trait alias (unstable) or anything else that only names other things, such as an `extern` block
    /// with attributes (its items stand in the scope around it).
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
    /// [`MacroBody::scope`], whose names also count as declared in the scope around it. An item that
    /// does not parse is one too, called by its first word.
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
    /// Its bounds, as path types. Of a const parameter: its default, if that is a path.
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
