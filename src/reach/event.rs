//! What a piece of code names, calls and touches.

use std::rc::Rc;

use crate::{
    base::Span,
    finding::{Certainty, HopKind},
    project::PackageId,
    resolve::{ItemId, ModuleId, Outside, UseRef},
    source::Name,
    types::{Callee, Code},
};

/// A place where routes can lead.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// An item.
    Item(ItemId),
    /// A field of a struct, or of a variant.
    Field(ItemId, Option<u32>, u32),
    /// The default body of a trait's method, run for a type.
    Default(ItemId, ItemId),
    /// What a derive on a type runs: the functions that its attributes name, and its fields'.
    Derived(ItemId),
    /// The body of a macro, expanded in a module.
    Macro(ItemId, ModuleId),
    /// A closure or async block within an item's body.
    Piece(ItemId, Span),
    /// The closures in a function's body.
    MadeBy(ItemId),
    /// A file that does not parse.
    Scanned(ModuleId),
    /// An import of a selected module.
    Import(UseRef),
}

/// Something that a piece of code does, and where.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where it is written.
    pub span: Span,
    /// What it is.
    pub kind: EventKind,
}

/// How a name of another crate stands in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// In code or a type.
    Code,
    /// In an import.
    Import,
    /// As a macro or attribute, which may be a procedural one.
    Macro,
}

/// What a piece of code does.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// Leads somewhere local.
    To {
        /// Where.
        target: Target,
        /// How.
        hop: HopKind,
        /// How sure.
        certainty: Certainty,
        /// The imports that the name came through.
        uses: Rc<[UseRef]>,
    },
    /// Calls a method of a local trait, whoever implements it.
    Dispatch {
        /// The method, in the trait.
        method: ItemId,
    },
    /// Lets a value end of which only a local trait is known.
    EndsBound {
        /// The trait.
        of: ItemId,
    },
    /// Calls a method of another crate's trait, on a value that came in by a bound.
    OutsideTrait {
        /// The trait.
        of: Rc<Outside>,
        /// The method, where it is known.
        method: Option<Name>,
    },
    /// Gives a value of a local type to code that is not read, which may call what its impls of
    /// other crates' traits hold.
    GivenAway {
        /// The type.
        of: ItemId,
    },
    /// Calls a method, or reads a field, of something whose type does not show.
    ByName {
        /// The method or field.
        name: Name,
        /// Whether it is a field.
        field: bool,
    },
    /// Names something of another crate.
    Outside {
        /// What.
        path: Outside,
        /// The imports that the name came through.
        uses: Rc<[UseRef]>,
        /// How.
        role: Role,
    },
    /// Names something of another crate's type, for which a local alias or `Self` stands; the type
    /// itself is said where the alias names it.
    OfAlias {
        /// What.
        path: Outside,
    },
    /// Names a local package's crate.
    LocalCrate {
        /// The package.
        package: PackageId,
        /// The imports that the name came through.
        uses: Rc<[UseRef]>,
    },
    /// Has a string literal.
    Text(String),
    /// Makes a call whose path or chain may hold a forbidden fragment.
    Chain(Chain),
    /// Calls a local function with code or values of local types among the arguments.
    Handing {
        /// What is called.
        callee: Callee,
        /// The argument's number, `self` not counted.
        parameter: usize,
        /// Code in it.
        codes: Vec<Code>,
        /// Local types in it.
        types: Vec<ItemId>,
    },
    /// Puts code into a field of a local type.
    Keeping {
        /// The type.
        of: ItemId,
        /// The variant.
        variant: Option<u32>,
        /// The field.
        field: u32,
        /// The code.
        codes: Vec<Code>,
        /// Local types in it.
        types: Vec<ItemId>,
    },
    /// Generated code that is not on disk.
    Opaque(String),
}

/// A call, as the segments that were written: `self.llm.chat().completions(x)`.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The segments.
    pub segments: Vec<ChainSegment>,
    /// Whether its result is awaited.
    pub awaited: bool,
}

/// One segment of a [`Chain`].
#[derive(Clone, Debug)]
pub struct ChainSegment {
    /// Its name.
    pub name: Name,
    /// Where.
    pub span: Span,
    /// Whether it is called.
    pub called: bool,
    /// Whether it is a method whose receiver is plainly of a local type.
    pub local_receiver: bool,
}
