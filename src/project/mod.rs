//! The cargo workspace: its packages, how their names are spelt in source, and the dependency graph.
//!
//! `cargo_metadata` and `guppy` are named in this folder only. Cargo is called safely (see `cargo`):
//! nothing of the checked workspace is executed.

mod package;

pub use package::{Dependency, DependencyKind, Package, PackageId, Target, TargetKind, Workspace};
