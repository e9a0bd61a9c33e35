//! Where the file of a `mod name;` lies.
//!
//! The rules are those of the Rust reference, "Module source filenames" and "The path attribute":
//! <https://doc.rust-lang.org/reference/items/modules.html>.

use camino::{Utf8Path, Utf8PathBuf};

/// The folders that the modules declared in some scope are looked for in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where `mod name;` looks for `name.rs` and `name/mod.rs`.
    pub children: Utf8PathBuf,
    /// What `#[path]` on a `mod` is relative to.
    pub paths: Utf8PathBuf,
}

impl Place {
    /// For the top of a file that owns its folder: a crate root, a `mod.rs`, a file that a `#[path]`
    /// or an `include!` led to.
    pub fn owner(file: &Utf8Path) -> Self {
        let folder = folder_of(file);
        Self { children: folder.clone(), paths: folder }
    }

    /// For the top of `name.rs` beside the folder `name`.
    pub fn beside(file: &Utf8Path) -> Self {
        let folder = folder_of(file);
        Self { children: folder.join(file.file_stem().unwrap_or_default()), paths: folder }
    }

    /// For the body of an inline module in this scope; `path` is the attribute on it.
    pub fn inline(&self, name: &str, path: Option<&str>) -> Self {
        let folder = match path {
            Some(path) => self.paths.join(path),
            None => self.children.join(name),
        };
        Self { children: folder.clone(), paths: folder }
    }

    /// The usual candidates for `mod name;`, with the place of what is declared in each.
    pub fn usual(&self, name: &str) -> [(Utf8PathBuf, Self); 2] {
        let beside = self.children.join(format!("{name}.rs"));
        let owner = self.children.join(name).join("mod.rs");
        let (at_beside, at_owner) = (Self::beside(&beside), Self::owner(&owner));
        [(beside, at_beside), (owner, at_owner)]
    }
}

fn folder_of(file: &Utf8Path) -> Utf8PathBuf {
    file.parent().map(Utf8Path::to_owned).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_kinds_of_files_look_in_the_right_folders() {
        let root = Place::owner("/w/src/lib.rs".into());
        assert_eq!(root.usual("a")[0].0, "/w/src/a.rs");
        let a = Place::beside("/w/src/a.rs".into());
        assert_eq!(a.usual("b")[1].0, "/w/src/a/b/mod.rs");
        assert_eq!(a.paths, "/w/src");
        assert_eq!(a.inline("c", None).usual("d")[0].0, "/w/src/a/c/d.rs");
        assert_eq!(root.inline("c", Some("x")).usual("d")[0].0, "/w/src/x/d.rs");
    }
}
