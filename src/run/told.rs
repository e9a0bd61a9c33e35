//! What a renderer is told beside the report: the lints and their pages, the local packages, and from
//! where its reader looks at the files.

use std::borrow::Cow;

use camino::{Utf8Path, Utf8PathBuf};

use crate::{
    lints::LINTS,
    project::{TargetKind, Workspace},
    report::{EditorPackage, EditorTarget, LintDoc, Options},
};

/// Everything that [`Options`] points at.
#[derive(Clone, Debug)]
pub struct Told {
    lints: Vec<LintDoc>,
    packages: Vec<EditorPackage>,
    prefix: String,
    absolute: bool,
}

impl Told {
    /// For a workspace at `root`; none where the run did not come as far as its packages. `cwd` is where
    /// the reader starts; `repository` is where a checkout without a `.git` lies, if anyone knows.
    pub fn new(root: &Utf8Path, workspace: Option<&Workspace>, cwd: &Utf8Path, repository: Option<&Utf8Path>) -> Self {
        Self {
            lints: LINTS
                .iter()
                .map(|lint| LintDoc {
                    name: lint.name,
                    default_level: lint.level,
                    summary: Cow::Owned(lint.docs.summary.split_whitespace().collect::<Vec<_>>().join(" ")),
                    markdown: Cow::Owned(lint.text(1)),
                })
                .collect(),
            packages: workspace.map(editor_packages).unwrap_or_default(),
            prefix: prefix(root, repository),
            absolute: cwd != root,
        }
    }

    /// The options with all of it, and otherwise as usual.
    pub fn options(&self) -> Options<'_> {
        Options {
            prefix: &self.prefix,
            lints: &self.lints,
            packages: &self.packages,
            absolute: self.absolute,
            ..Options::default()
        }
    }
}

/// The local packages by manifest, which puts the workspace root's own first.
fn editor_packages(workspace: &Workspace) -> Vec<EditorPackage> {
    let mut packages: Vec<EditorPackage> = workspace
        .local()
        .map(|(_, package)| EditorPackage {
            id: package.cargo_id.clone(),
            manifest: package.manifest.clone(),
            targets: package
                .targets
                .iter()
                .map(|target| EditorTarget {
                    kind: match target.kind {
                        TargetKind::Library => "lib",
                        TargetKind::ProcMacro => "proc-macro",
                        TargetKind::Binary => "bin",
                    },
                    name: target.name.clone(),
                    root: target.root.clone(),
                    edition: target.edition,
                })
                .collect(),
        })
        .collect();
    packages.sort_by(|a, b| a.manifest.cmp(&b.manifest));
    packages
}

/// Where the workspace stands in its repository: below the nearest folder that holds `.git` (a folder,
/// or a file in a submodule and a further work tree), else below the one that was named.
fn prefix(root: &Utf8Path, repository: Option<&Utf8Path>) -> String {
    let holds_git = |folder: &&Utf8Path| folder.join(".git").exists();
    let top = root.ancestors().find(holds_git).or(repository);
    let below: Option<Utf8PathBuf> = top.and_then(|top| root.strip_prefix(top).ok()).map(Utf8Path::to_owned);
    below.map(|path| path.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_prefix_starts_at_the_nearest_repository_or_at_the_one_named() {
        let folder = tempfile::tempdir().unwrap();
        let top = Utf8Path::from_path(folder.path()).unwrap();
        let root = top.join("rust/server");
        fs::create_dir_all(&root).unwrap();
        assert_eq!(prefix(&root, Some(top)), "rust/server");
        assert_eq!(prefix(&root, Some(Utf8Path::new("/somewhere/else"))), "");
        assert_eq!(prefix(&root, Some(&root)), "");
        fs::create_dir(top.join(".git")).unwrap();
        assert_eq!(prefix(&root, None), "rust/server");
        // A submodule holds a file.
        fs::write(top.join("rust/.git"), "gitdir: ../.git/modules/rust\n").unwrap();
        assert_eq!(prefix(&root, Some(top)), "server");
        fs::write(root.join(".git"), "").unwrap();
        assert_eq!(prefix(&root, Some(top)), "");
    }
}
