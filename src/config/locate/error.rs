//! The wording of what can go wrong when rules are looked for.

use std::io;

use super::Found;
use crate::{base::Span, finding::Problem};

/// Why no rules are in force.
#[derive(Debug, thiserror::Error)]
pub(super) enum LocateError {
    #[error(
        "there is no rules file, so nothing was checked: no `lease-guard.toml` at the workspace root or in its \
         `.config`, and no table `metadata.lease-guard` in `Cargo.toml`"
    )]
    NoRules { slip: Option<(String, String)> },
    #[error("rules stand in {number} places: {names}")]
    Several { number: usize, names: String, place: Option<Span> },
    #[error("{name} stands in a member, where rules are not read")]
    InMember { name: String, place: Option<Span> },
    #[error("`[package.metadata.lease-guard]` speaks for one package, and the workspace has {members}")]
    OnePackage { place: Option<Span>, members: usize },
    #[error("`{name}` has neither `[workspace.metadata.lease-guard]` nor `[package.metadata.lease-guard]`")]
    NoTable { name: String },
    #[error("`{name}` mentions lease-guard, but is not valid TOML: {why}")]
    Manifest { name: String, why: String, place: Option<Span> },
    #[error("`{name}` is no file")]
    NoFile { name: String },
    #[error("`{name}` is a link to a file outside the workspace, which is not read")]
    LeadsOut { name: String },
    #[error("`{name}` is a link that leads nowhere")]
    LeadsNowhere { name: String },
    #[error("`{name}` cannot be read: {why}")]
    Unreadable { name: String, why: String, chosen: bool },
}

impl LocateError {
    /// Two or more places. The problem points at the last that has one.
    pub(super) fn several(found: &[Found]) -> Self {
        let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
        let (last, first) = names.split_last().map_or(("", &[][..]), |(last, first)| (*last, first));
        let names = format!("{} and {last}", first.join(", "));
        Self::Several { number: found.len(), names, place: found.iter().rev().find_map(|found| found.place) }
    }

    pub(super) fn chosen(name: String, why: &io::Error) -> Self {
        Self::Unreadable { name, why: in_words(why), chosen: true }
    }

    pub(super) fn unreadable(name: String, why: &io::Error) -> Self {
        Self::Unreadable { name, why: in_words(why), chosen: false }
    }

    fn help(&self) -> String {
        const MOVE: &str = "move it to `lease-guard.toml` at the workspace root";
        match self {
            Self::NoRules { slip: Some((found, wanted)) } => {
                format!("`{found}` is there: rename it to `{wanted}`")
            }
            Self::NoRules { slip: None } => {
                "run `cargo lease-guard init`, which finds lease modules and writes a `lease-guard.toml`; or name a \
                 file with `--rules`"
                    .to_owned()
            }
            Self::Several { .. } => "keep one, and move into it what the others add; none wins in silence".to_owned(),
            Self::InMember { .. } => MOVE.to_owned(),
            Self::OnePackage { .. } => {
                "call it `[workspace.metadata.lease-guard]`, in the Cargo.toml of the workspace root".to_owned()
            }
            Self::NoTable { .. } => "add one of them, or name another file with `--rules`".to_owned(),
            Self::Manifest { .. } => "mend the TOML first".to_owned(),
            Self::NoFile { .. } | Self::LeadsNowhere { .. } => "put a file in its place, or remove it".to_owned(),
            Self::LeadsOut { .. } => "copy the file into the workspace, or name it with `--rules`".to_owned(),
            Self::Unreadable { chosen: true, .. } => "look at the path that `--rules` names".to_owned(),
            Self::Unreadable { .. } => "mend it, or name another file with `--rules`".to_owned(),
        }
    }

    pub(super) fn problem(self) -> Problem {
        let place = match &self {
            Self::Several { place, .. }
            | Self::InMember { place, .. }
            | Self::OnePackage { place, .. }
            | Self::Manifest { place, .. } => *place,
            _ => None,
        };
        Problem { message: self.to_string(), place, help: self.help() }
    }

    pub(super) fn alone(self) -> Vec<Problem> {
        vec![self.problem()]
    }
}

fn in_words(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => "it does not exist".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        _ => why.to_string(),
    }
}
