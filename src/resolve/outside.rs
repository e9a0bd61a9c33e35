//! Names that lead out of the local packages.

use std::fmt;

use crate::{project::PackageId, source::Name};

/// A crate whose source is not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutsideCrate {
    /// `std`, `core`, `alloc`, `proc_macro` or `test`.
    Std,
    /// A package: its name as manifests give it, and its number where the graph has it.
    Package(Name, Option<PackageId>),
    /// Brought in by a glob; which of several crates it is does not show.
    Unknown,
}

/// A path into a crate that is not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outside {
    /// The crate.
    pub krate: OutsideCrate,
    /// How the crate is called: its library's name, never a renaming key.
    pub library: Name,
    /// What is behind it.
    pub segments: Vec<Name>,
    /// Whether the last segment was guessed to come from a glob import of the crate.
    pub guessed: bool,
}

impl Outside {
    /// A path of the standard library, written with `::`.
    pub fn std(path: &str) -> Self {
        let mut segments = path.split("::").map(Name::from);
        let library = segments.next().unwrap_or_else(|| Name::from("std"));
        Self { krate: OutsideCrate::Std, library, segments: segments.collect(), guessed: false }
    }

    /// One segment further in.
    pub fn join(&self, name: &Name) -> Self {
        let mut longer = self.clone();
        longer.segments.push(name.clone());
        longer
    }

    /// Whether it is of the standard library and ends in this name.
    pub fn is_std(&self, name: &str) -> bool {
        self.krate == OutsideCrate::Std && self.last() == name
    }

    /// The last segment, or the library.
    pub fn last(&self) -> &str {
        self.segments.last().unwrap_or(&self.library)
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.library)?;
        self.segments.iter().try_for_each(|segment| write!(f, "::{segment}"))
    }
}

/// Where a name of the standard prelude stands: the union of all editions' preludes, as listed at
/// <https://doc.rust-lang.org/std/prelude/index.html>.
pub(super) fn prelude(name: &str) -> Option<Outside> {
    let module = match name {
        "Send" | "Sized" | "Sync" | "Unpin" | "Copy" => "std::marker",
        "Drop" | "Fn" | "FnMut" | "FnOnce" | "AsyncFn" | "AsyncFnMut" | "AsyncFnOnce" => "std::ops",
        "drop" | "align_of" | "align_of_val" | "size_of" | "size_of_val" => "std::mem",
        "Box" => "std::boxed",
        "ToOwned" => "std::borrow",
        "Clone" => "std::clone",
        "PartialEq" | "PartialOrd" | "Eq" | "Ord" => "std::cmp",
        "AsRef" | "AsMut" | "Into" | "From" | "TryFrom" | "TryInto" => "std::convert",
        "Default" => "std::default",
        "Iterator" | "Extend" | "IntoIterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "FromIterator" => {
            "std::iter"
        }
        "Option" | "Some" | "None" => "std::option",
        "Result" | "Ok" | "Err" => "std::result",
        "String" | "ToString" => "std::string",
        "Vec" => "std::vec",
        "Future" | "IntoFuture" => "std::future",
        _ => return None,
    };
    Some(Outside::std(&format!("{module}::{name}")))
}

/// Whether a name is a primitive type.
pub(super) fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "char"
            | "str"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "f16"
            | "f32"
            | "f64"
            | "f128"
    )
}
