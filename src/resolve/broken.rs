//! What is wrong with a module whose file cannot be looked at.

use std::io;

use crate::source::ParseError;

/// Why a module could not be read.
#[derive(Clone, Debug)]
pub enum Broken {
    /// None of the files exists where `mod` looks.
    Missing {
        /// The module's name.
        name: String,
        /// Where it was looked for, as shown.
        tried: Vec<String>,
    },
    /// The file system refused, or the file is no UTF-8.
    Unreadable {
        /// The file, as shown.
        path: String,
        /// The system's words.
        why: String,
    },
    /// It is not there.
    Gone {
        /// The file, as shown.
        path: String,
    },
    /// It lies outside everything that may be read.
    Outside {
        /// The file, as shown.
        path: String,
    },
    /// It does not even split into tokens, or nests too deep.
    Unparsable(ParseError),
}

impl Broken {
    pub(super) fn unreadable(path: String, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Gone { path },
            _ => Self::Unreadable { path, why: error.to_string() },
        }
    }

    /// What is wrong, in a sentence.
    pub fn message(&self) -> String {
        match self {
            Self::Missing { name, tried } => {
                format!("the file of module `{name}` is missing: looked for {}", tried.join(" and "))
            }
            Self::Unreadable { path, why } => format!("`{path}` cannot be read: {why}"),
            Self::Gone { path } => format!("`{path}` does not exist"),
            Self::Outside { path } => {
                format!("`{path}` lies outside the workspace and its local packages, so it was not read")
            }
            Self::Unparsable(error) => error.message.clone(),
        }
    }

    /// What to do.
    pub fn help(&self) -> String {
        match self {
            Self::Missing { .. } => "commit the file, or remove the `mod` line".to_owned(),
            Self::Gone { .. } => "commit the file, or remove what leads to it".to_owned(),
            Self::Unreadable { .. } => "make the file readable UTF-8".to_owned(),
            Self::Outside { path } => {
                let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
                format!("if it belongs to the workspace, allow its folder: source-roots = [\"{folder}\"]")
            }
            Self::Unparsable(_) => "make it compile, then run the check again".to_owned(),
        }
    }
}
