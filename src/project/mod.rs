//! The cargo workspace: its packages, how their names are spelt in source, and the dependency graph.
//!
//! guppy is named in this folder only, and cargo is called here only, safely (see [`cargo`]): nothing
//! of the checked workspace is executed.

pub mod cargo;
mod error;
pub mod graph;
mod manifest;
mod metadata;
mod package;
#[cfg(test)]
mod testing;
mod workspace;

pub use error::ProjectError;
pub use manifest::{Declared, Manifests};
pub use package::{Dependency, DependencyKind, Package, PackageId, Target, TargetKind, Workspace, same_name};
pub use workspace::LibraryNames;
