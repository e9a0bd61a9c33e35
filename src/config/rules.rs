//! The rules file, validated: what later floors see of it.

use crate::{
    base::{FileId, Span, Spanned},
    config::{Drill, Fence, PackName, Packs, Timing, names::normal},
    finding::Level,
};

/// A rules file that was read without a problem.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The file they stand in: a `lease-guard.toml` or a `Cargo.toml`.
    pub file: FileId,
    /// Folders outside the workspace that modules may lead to, as written.
    pub source_roots: Vec<Spanned<String>>,
    /// The leases, at least one, with unique names, in the order of the file.
    pub leases: Vec<Lease>,
    /// What is forbidden beside, or instead of, the default packs.
    pub forbid: Forbid,
    /// Levels that differ from the default.
    pub lints: Vec<LintLevel>,
    /// Findings that are forgiven.
    pub exceptions: Vec<Exception>,
}

/// One `[[lease]]`.
#[derive(Clone, Debug)]
pub struct Lease {
    /// Its unique name.
    pub name: Spanned<String>,
    /// Rust paths from the crate name: a module, type, fn, or `Type::method`.
    pub modules: Vec<Spanned<String>>,
    /// Globs from the workspace root.
    pub files: Vec<Spanned<String>>,
    /// Whole packages.
    pub packages: Vec<Spanned<String>>,
    /// Packages, or local Rust paths (they hold `::`, or name no package but a local crate).
    pub coordinators: Vec<Spanned<String>>,
    /// Paths of what runs under the lease but is not the lease.
    pub workloads: Vec<Spanned<String>>,
    /// What makes the lease safe to write under, in one sentence, for people.
    pub fence_rule: Option<Spanned<String>>,
    /// Where it lives in SQL.
    pub fence: Option<Fence>,
    /// The times that it is made of.
    pub timing: Option<Timing>,
    /// What can be reached during its failure drill.
    pub drill: Option<Drill>,
    /// The header's place.
    pub span: Span,
}

impl Lease {
    /// The line of `coordinators` by which a package is one of them or comes with one, if it does.
    pub fn coordinator_line(&self, packs: &Packs, package: &str) -> Option<&Spanned<String>> {
        let of_packages = || self.coordinators.iter().filter(|written| !written.value.contains("::"));
        let itself = of_packages().find(|written| normal(&written.value) == normal(package));
        itself.or_else(|| of_packages().find(|written| packs.is_companion(&written.value, package)))
    }
}

/// `[forbid]`.
#[derive(Clone, Debug)]
pub struct Forbid {
    /// The packs that are in force.
    pub packs: Vec<PackName>,
    /// Package names and globs of one's own.
    pub crates: Vec<ForbiddenCrate>,
    /// Call-path fragments of one's own.
    pub calls: Vec<Spanned<String>>,
    /// Literals of one's own.
    pub strings: Vec<Spanned<String>>,
}

/// What is forbidden where the rules do not say: every pack, and nothing else.
impl Default for Forbid {
    fn default() -> Self {
        Self { packs: PackName::ALL.to_vec(), crates: Vec::new(), calls: Vec::new(), strings: Vec::new() }
    }
}

/// One entry of `[forbid] crates`.
#[derive(Clone, Debug)]
pub struct ForbiddenCrate {
    /// A package name or a glob.
    pub name: Spanned<String>,
    /// Why, where the rules say so.
    pub reason: Option<String>,
}

/// One line of `[lints]`.
#[derive(Clone, Debug)]
pub struct LintLevel {
    /// A known lint.
    pub lint: Spanned<String>,
    /// Its level.
    pub level: Level,
}

/// One `[[exception]]`.
#[derive(Clone, Debug)]
pub struct Exception {
    /// A known lint.
    pub lint: Spanned<String>,
    /// The subject it forgives.
    pub subject: Spanned<String>,
    /// Only for this lease.
    pub lease: Option<Spanned<String>>,
    /// Only in files that match this glob.
    pub file: Option<Spanned<String>>,
    /// Why it stands.
    pub reason: String,
    /// The last day on which it holds, in UTC.
    pub until: Option<Spanned<jiff::civil::Date>>,
    /// The header's place.
    pub span: Span,
}
