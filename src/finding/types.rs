//! One finding and what it is made of.

use crate::base::Span;

/// How a finding counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported; the exit status stays 0.
    Warn,
    /// Reported; the exit status is 1.
    Deny,
}

impl Level {
    /// The word that rules files, flags and reports use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

/// How sure a hop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The source shows what the name means.
    Resolved,
    /// The receiver's type does not show; the method was found by its name among the reached types.
    ByName,
}

impl Certainty {
    /// The word of the wire format.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::ByName => "by-name",
        }
    }
}

/// What a hop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HopKind {
    /// A name is imported or mentioned.
    Use,
    /// A field is read, written, moved, matched or constructed.
    Field,
    /// A function is called, or named as a value.
    Call,
    /// A type, trait, constant or static is named.
    Type,
    /// A method is called.
    Method,
    /// A call through a trait leads to an implementation.
    Dispatch,
    /// Code or a value is handed in.
    Callback,
    /// The language calls it by itself (`Drop`, `Deref`, `?`, operators, `for`, `.await`, ...).
    Implicit,
    /// A macro is expanded.
    Macro,
    /// A file is included.
    Include,
    /// A name is passed on by a `pub use`.
    ReExport,
}

impl HopKind {
    /// The word of the wire format.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Use => "use",
            Self::Field => "field",
            Self::Call => "call",
            Self::Type => "type",
            Self::Method => "method",
            Self::Dispatch => "dispatch",
            Self::Callback => "callback",
            Self::Implicit => "implicit",
            Self::Macro => "macro",
            Self::Include => "include",
            Self::ReExport => "re-export",
        }
    }

    /// What a reader is told, before the item's name.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Use => "names",
            Self::Field => "touches the field",
            Self::Call | Self::Method => "calls",
            Self::Type => "names the type",
            Self::Dispatch => "dispatches to",
            Self::Callback => "hands in",
            Self::Implicit => "runs, without a call,",
            Self::Macro => "expands the macro",
            Self::Include => "includes",
            Self::ReExport => "re-exports",
        }
    }
}

/// One step of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// How sure it is.
    pub certainty: Certainty,
    /// What it is.
    pub kind: HopKind,
    /// What it leads to, as a full Rust path from the crate's name.
    pub item: String,
    /// Where the name is written (for [`HopKind::Implicit`], where the language makes the call).
    pub place: Span,
}

/// A place beside the primary one, with a word on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Labelled {
    /// The place.
    pub span: Span,
    /// A few words; may be empty.
    pub label: String,
}

/// One package of a dependency chain, and how the one before it comes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLink {
    /// The package's name, as its manifest gives it.
    pub package: String,
    /// Its version; empty where it is not in the graph.
    pub version: String,
    /// The manifest line that asks for it, where a local package does.
    pub place: Option<Span>,
    /// The feature that switches the edge on, as `package/feature`, where one does.
    pub feature: Option<String>,
    /// The target that the edge is limited to, as the manifest writes it.
    pub target: Option<String>,
}

/// Something that a lint has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The lint's name.
    pub lint: &'static str,
    /// How it counts, after the rules file and the flags were heard.
    pub level: Level,
    /// The lease's name; empty for a finding about the rules file itself.
    pub lease: String,
    /// What it is about: a package, a path, a fragment, a literal (see SPEC, "Subject").
    pub subject: String,
    /// One sentence, without a full stop.
    pub message: String,
    /// The one primary place.
    pub primary: Span,
    /// What the primary place is.
    pub label: String,
    /// Further places of the same finding.
    pub also: Vec<Labelled>,
    /// From the lease path to the primary place; empty for what the lease path itself names.
    pub route: Vec<Hop>,
    /// From the crate that is named to the forbidden one.
    pub chain: Vec<ChainLink>,
    /// Further facts, one sentence each.
    pub notes: Vec<String>,
    /// What to do.
    pub help: String,
}
