//! Which Unix sockets with a path there are outside.
//!
//! A network namespace does not confine them: whoever sees the path can connect. There is no complete list:
//! the kernel names those of this network namespace, the mounts those that were handed into a container, and
//! a bounded look into the usual folders the rest.

use std::{
    collections::BTreeSet,
    env, fs,
    os::unix::fs::FileTypeExt as _,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

/// How many files the look into folders sees at most.
const MOST_FILES: usize = 20_000;
/// How deep it goes.
const DEPTH: usize = 4;
/// Where programs put sockets, beside `/run`, which is dealt with as a whole.
const FOLDERS: [&str; 4] = ["/tmp", "/var/tmp", "/var/run", "/dev/shm"];

/// All that can be found.
pub(super) fn known() -> Vec<PathBuf> {
    let mut all: BTreeSet<PathBuf> = BTreeSet::new();
    if let Ok(table) = fs::read_to_string("/proc/net/unix") {
        all.extend(bound(&table));
    }
    if let Ok(mounts) = fs::read_to_string("/proc/self/mountinfo") {
        all.extend(mount_points(&mounts));
    }
    all.extend(named());
    let folders = FOLDERS.iter().map(PathBuf::from).chain(env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from));
    let walks = folders.flat_map(|folder| WalkDir::new(folder).max_depth(DEPTH).same_file_system(true));
    let found = walks.take(MOST_FILES).filter_map(Result::ok).filter(|entry| entry.file_type().is_socket());
    all.extend(found.map(walkdir::DirEntry::into_path));
    all.into_iter().filter(|path| is_socket(path)).collect()
}

fn is_socket(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.file_type().is_socket())
}

/// The paths in `/proc/net/unix`: the eighth field, up to the end of the line.
fn bound(table: &str) -> impl Iterator<Item = PathBuf> {
    table.lines().skip(1).filter_map(|line| {
        let mut rest = line.trim_start();
        for _ in 0..7 {
            rest = rest.split_once(' ')?.1.trim_start();
        }
        rest.starts_with('/').then(|| PathBuf::from(rest))
    })
}

/// The mount points in `/proc/self/mountinfo`: the fifth field, with blanks as `\040`.
fn mount_points(mounts: &str) -> impl Iterator<Item = PathBuf> {
    mounts.lines().filter_map(|line| {
        let field = line.split(' ').nth(4)?;
        Some(PathBuf::from(field.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")))
    })
}

/// Those that the environment names.
fn named() -> impl Iterator<Item = PathBuf> {
    let value = |name: &str| env::var(name).ok();
    let agent = value("SSH_AUTH_SOCK");
    let docker = value("DOCKER_HOST").and_then(|host| host.strip_prefix("unix://").map(str::to_owned));
    agent.into_iter().chain(docker).map(PathBuf::from)
}

/// Whether a path is one of those that stay reachable, or below one.
pub(super) fn is_allowed(path: &Path, allowed: &[PathBuf]) -> bool {
    allowed.iter().any(|kept| path.starts_with(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_tables_are_read() {
        let table = "Num       RefCount Protocol Flags    Type St Inode Path\n\
                     0000000000000000: 00000002 00000000 00010000 0001 01 27 /run/my app/x.sock\n\
                     0000000000000000: 00000003 00000000 00000000 0001 03 28\n\
                     0000000000000000: 00000002 00000000 00010000 0001 01 29 @abstract\n";
        assert_eq!(bound(table).collect::<Vec<_>>(), [PathBuf::from("/run/my app/x.sock")]);
        let mounts = "36 35 98:0 /a /mnt\\0402 rw,noatime master:1 - ext3 /dev/root rw\n";
        assert_eq!(mount_points(mounts).collect::<Vec<_>>(), [PathBuf::from("/mnt 2")]);
    }

    #[test]
    fn a_socket_that_listens_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("here.sock");
        let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(known().contains(&path));
        assert!(is_allowed(&path, &[folder.path().to_owned()]));
        assert!(!is_allowed(&path, &[folder.path().join("here")]), "whole names count");
    }
}
