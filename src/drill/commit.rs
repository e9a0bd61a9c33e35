//! Which commit is checked out, read from the files of the repository: no git is run, for that would obey
//! the repository's own configuration.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// No file that is read here is longer, except packed references.
const LONGEST_LINE: u64 = 4096;
/// Half a million references.
const LONGEST_PACK: u64 = 64 * 1024 * 1024;

/// The commit of the repository that holds a folder, as its hash. None where there is no repository, no
/// commit yet, or a way of keeping references that is not known here (reftable).
///
/// Whether anything was changed since is not told.
pub fn commit_of(folder: &Path) -> Option<String> {
    let git = folder.ancestors().find_map(git_folder)?;
    let head = line(&git.join("HEAD"))?;
    let Some(name) = head.strip_prefix("ref: ") else { return hash(&head) };
    // A name that leads elsewhere is none.
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if !is_plain || !name.starts_with("refs/") {
        return None;
    }
    // A worktree keeps its own HEAD, and its branches with the repository.
    let common = line(&git.join("commondir")).map_or_else(|| git.clone(), |common| git.join(common));
    let loose = [&git, &common].into_iter().find_map(|folder| line(&folder.join(name)));
    match loose {
        Some(text) => hash(&text),
        None => packed(&common, name),
    }
}

/// `.git` as a folder, or the folder that a file of that name leads to.
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = line(&git)?;
    Some(folder.join(text.strip_prefix("gitdir: ")?))
}

fn line(path: &Path) -> Option<String> {
    let text = bounded(path, LONGEST_LINE)?;
    Some(text.lines().next()?.trim_end().to_owned())
}

fn bounded(path: &Path, longest: u64) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > longest {
        return None;
    }
    fs::read_to_string(path).ok()
}

fn packed(common: &Path, name: &str) -> Option<String> {
    let text = bounded(&common.join("packed-refs"), LONGEST_PACK)?;
    text.lines().find_map(|line| hash(line.strip_suffix(name)?.strip_suffix(' ')?))
}

/// SHA-1 or SHA-256, in lower case.
fn hash(text: &str) -> Option<String> {
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_hash.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "1111111111111111111111111111111111111111";
    const B: &str = "2222222222222222222222222222222222222222";

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn commit(files: &[(&str, &str)], below: &str) -> Option<String> {
        commit_of(&folder(files).path().join(below))
    }

    #[test]
    fn a_branch_a_bare_hash_and_a_packed_branch_are_read() {
        let head = (".git/HEAD", "ref: refs/heads/a/b\n");
        assert_eq!(commit(&[head, (".git/refs/heads/a/b", &format!("{A}\n"))], "x/y"), Some(A.into()));
        assert_eq!(commit(&[(".git/HEAD", &format!("{B}\n"))], ""), Some(B.into()));
        let pack = format!("# pack-refs\n{B} refs/heads/x/a/b\n{A} refs/heads/a/b\n^{B}\n");
        assert_eq!(commit(&[head, (".git/packed-refs", &pack)], ""), Some(A.into()));
    }

    #[test]
    fn a_worktree_finds_its_branch_with_the_repository() {
        let files = [
            ("tree/.git", "gitdir: ../main/.git/worktrees/tree\n"),
            ("main/.git/worktrees/tree/HEAD", "ref: refs/heads/w\n"),
            ("main/.git/worktrees/tree/commondir", "../..\n"),
            ("main/.git/refs/heads/w", A),
        ];
        assert_eq!(commit(&files, "tree/src"), Some(A.into()));
    }

    #[test]
    fn what_is_no_commit_is_none() {
        assert_eq!(commit(&[(".git/HEAD", "ref: refs/heads/none\n")], ""), None);
        assert_eq!(commit(&[(".git/HEAD", "ref: refs/../../secret\n"), ("secret", A)], ""), None);
        assert_eq!(commit(&[(".git/HEAD", "ref: /etc/passwd\n")], ""), None);
        assert_eq!(commit(&[(".git/HEAD", "deadbeef\n")], ""), None);
        assert_eq!(commit(&[(".git", "gitdir: .\n")], ""), None);
    }

    #[test]
    fn this_repository_has_one_as_git_itself_says() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let said = std::process::Command::new("git").args(["rev-parse", "HEAD"]).current_dir(here).output();
        let Some(said) = said.ok().filter(|said| said.status.success()) else { return };
        assert_eq!(commit_of(here).as_deref(), Some(String::from_utf8(said.stdout).unwrap().trim()));
    }
}
