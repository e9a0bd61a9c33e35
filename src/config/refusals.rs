//! What is refused once the packs and the workspace are known: the wording, for those who judge it.
//!
//! A rules file can be in good form and still name what does not exist. Each variant says what is
//! wrong and what to do; add one for each new way. To judge is the business of the floors that know
//! the workspace.

use crate::{
    base::{Spanned, nearest},
    config::PackName,
    finding::Problem,
};

/// The most known names that a help lists; where there are more, only a near one is told.
const MOST_LISTED: usize = 8;

/// A value of the rules file that cannot hold in this workspace.
#[derive(Debug, thiserror::Error)]
pub enum Refusal<'a> {
    /// No package of this name, in `packages` or `coordinators`.
    #[error("no package of the workspace or its dependencies is called `{written}`")]
    UnknownPackage {
        /// The name.
        written: &'a str,
        /// The packages that there are.
        known: Vec<&'a str>,
    },
    /// A package in `packages` that is a dependency, whose source is not beside the workspace.
    #[error("`{written}` is a dependency, not a package of this workspace: its source is not read")]
    NotLocal {
        /// The name.
        written: &'a str,
    },
    /// The key by which a manifest renames a dependency, in `coordinators`.
    #[error("no package of the workspace or its dependencies is called `{written}`")]
    RenamingKey {
        /// The key.
        written: &'a str,
        /// The package that it stands for.
        package: &'a str,
    },
    /// A path of a crate that is not local, in `modules`, `coordinators` or `workloads`.
    #[error("there is no `{written}` in the local packages: `{krate}` is a dependency, whose source is not read")]
    OutsidePath {
        /// The path.
        written: &'a str,
        /// The crate that it begins with.
        krate: &'a str,
    },
    /// No crate of the workspace has this path, in `modules`, `coordinators` or `workloads`.
    #[error("there is no `{written}` in the local packages")]
    UnknownPath {
        /// The path.
        written: &'a str,
        /// The paths that could be meant: those of the last part that exists.
        known: Vec<&'a str>,
    },
    /// No file matches this glob.
    #[error("no Rust file of the local packages matches `{written}`")]
    NoFile {
        /// The glob.
        written: &'a str,
        /// A file that matches, though it belongs to no module.
        orphan: Option<&'a str>,
    },
    /// A client, model client or runtime as coordinator.
    #[error("`{written}` cannot be a coordinator: the pack `{}` forbids it", pack.word())]
    ClientAsCoordinator {
        /// The package.
        written: &'a str,
        /// The pack that has it.
        pack: PackName,
    },
    /// A local coordinator that is, or holds, what a lease selects.
    #[error("the coordinator `{written}` is, or holds, what the lease selects: it would cut everything")]
    CoordinatorHoldsLease {
        /// The path.
        written: &'a str,
    },
}

impl Refusal<'_> {
    /// The problem, at the value that was refused.
    pub fn at<T>(&self, value: &Spanned<T>) -> Problem {
        Problem { message: self.to_string(), place: Some(value.span), help: self.help() }
    }

    fn help(&self) -> String {
        match self {
            Self::UnknownPackage { written, known } | Self::UnknownPath { written, known } => {
                did_you_mean(written, known)
            }
            Self::NotLocal { .. } => {
                "name a local package; what the lease may talk to belongs under `coordinators`".to_owned()
            }
            Self::RenamingKey { package, .. } => {
                format!("a manifest calls `{package}` so; write the package's own name, `{package}`")
            }
            Self::OutsidePath { .. } => "write a path of this workspace's own code, from its crate's name; a package \
                                         that the lease may talk to goes under `coordinators`, by its name alone"
                .to_owned(),
            Self::NoFile { orphan: Some(orphan), .. } => {
                format!(
                    "`{orphan}` is there, but no `mod` leads to it, so it is compiled into nothing: declare it, or take it out"
                )
            }
            Self::NoFile { orphan: None, .. } => {
                "globs start at the workspace root; look whether the folder moved, or take the glob out".to_owned()
            }
            Self::ClientAsCoordinator { .. } => {
                "declare the local module that speaks to the coordinator through it, as in `orders::consul`; or write \
                 an `[[exception]]` with its reason"
                    .to_owned()
            }
            Self::CoordinatorHoldsLease { .. } => {
                "name the part that speaks to the coordinator, below or beside the lease's own code".to_owned()
            }
        }
    }
}

fn did_you_mean(written: &str, known: &[&str]) -> String {
    match nearest(written, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() || known.len() > MOST_LISTED => "look at its spelling, or take it out".to_owned(),
        None => format!("there are `{}`", known.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::Refusal;
    use crate::{
        base::{Files, Span, Spanned},
        config::PackName,
    };

    #[test]
    fn what_is_wrong_and_what_to_do() {
        let files = Files::new("/w");
        let file = files.add("/w/lease-guard.toml".into(), String::new());
        let value = Spanned { value: (), span: Span { file, start: 0, end: 0 } };
        let refusals = [
            Refusal::UnknownPackage { written: "lease-wardn", known: vec!["lease-warden", "orders"] },
            Refusal::UnknownPackage { written: "x", known: vec!["tokio"; 9] },
            Refusal::UnknownPath { written: "orders::keep", known: vec!["orders::lease", "orders::fence"] },
            Refusal::NotLocal { written: "redis" },
            Refusal::RenamingKey { written: "cache", package: "redis" },
            Refusal::OutsidePath { written: "redis::Client", krate: "redis" },
            Refusal::NoFile { written: "src/fence/*.rs", orphan: None },
            Refusal::NoFile { written: "src/fence/*.rs", orphan: Some("src/fence/old.rs") },
            Refusal::ClientAsCoordinator { written: "reqwest", pack: PackName::HttpClients },
            Refusal::CoordinatorHoldsLease { written: "orders::store" },
        ];
        let said: Vec<String> = refusals
            .iter()
            .map(|refusal| refusal.at(&value))
            .map(|problem| format!("{}\n    {}", problem.message, problem.help))
            .collect();
        assert_snapshot!(said.join("\n"), @r#"
        no package of the workspace or its dependencies is called `lease-wardn`
            did you mean `lease-warden`?
        no package of the workspace or its dependencies is called `x`
            look at its spelling, or take it out
        there is no `orders::keep` in the local packages
            did you mean `orders::fence`?
        `redis` is a dependency, not a package of this workspace: its source is not read
            name a local package; what the lease may talk to belongs under `coordinators`
        no package of the workspace or its dependencies is called `cache`
            a manifest calls `redis` so; write the package's own name, `redis`
        there is no `redis::Client` in the local packages: `redis` is a dependency, whose source is not read
            write a path of this workspace's own code, from its crate's name; a package that the lease may talk to goes under `coordinators`, by its name alone
        no Rust file of the local packages matches `src/fence/*.rs`
            globs start at the workspace root; look whether the folder moved, or take the glob out
        no Rust file of the local packages matches `src/fence/*.rs`
            `src/fence/old.rs` is there, but no `mod` leads to it, so it is compiled into nothing: declare it, or take it out
        `reqwest` cannot be a coordinator: the pack `http-clients` forbids it
            declare the local module that speaks to the coordinator through it, as in `orders::consul`; or write an `[[exception]]` with its reason
        the coordinator `orders::store` is, or holds, what the lease selects: it would cut everything
            name the part that speaks to the coordinator, below or beside the lease's own code
        "#);
    }
}
