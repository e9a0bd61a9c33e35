//! The files as the command sees them: the same, but for what leads out.
//!
//! A Unix socket is found by its inode. `/run` is laid over itself with an overlay: its files are all there,
//! and its sockets are other inodes, behind which nobody listens, also those that are made later. Sockets
//! elsewhere are each covered with an empty file. What `allow` names is bound back.

use std::{
    fs, io,
    net::IpAddr,
    path::{Path, PathBuf},
};

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind, mount_bind_recursive, mount_change};

use super::{
    messages::{Plan, Ready},
    sockets::is_allowed,
};

const RUN: &str = "/run";
const HOSTS: &str = "/etc/hosts";
const INERT: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

/// Arranges the mounts of this mount namespace.
///
/// # Errors
/// Where something cannot be hidden that must be. What is merely less than perfect is told in `ready`.
pub(super) fn arrange(plan: &Plan, ready: &mut Ready) -> io::Result<()> {
    let failed = |what: &str| {
        let what = what.to_owned();
        move |e: rustix::io::Errno| io::Error::other(format!("{what}: {}", io::Error::from(e)))
    };
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .map_err(failed("the mounts cannot be made private"))?;
    if mount("proc", "/proc", "proc", INERT | MountFlags::NOEXEC, None).is_err() {
        ready.does_not_stop.push(
            "a look at /proc, where the processes outside are seen: a fresh one cannot be mounted here".to_owned(),
        );
    }
    let scratch = &plan.scratch;
    mount("tmpfs", scratch, "tmpfs", INERT, None).map_err(failed("a tmpfs cannot be mounted"))?;
    let kept = keep(plan, scratch)?;
    let run = Path::new(RUN);
    let is_overlaid = run.is_dir() && overlay(run, &scratch.join("run")).is_ok();
    if is_overlaid {
        ready.stops.push("Unix sockets below /run, whenever they are made".to_owned());
    } else if run.is_dir() {
        ready.does_not_stop.push("a Unix socket below /run that is made after the run began".to_owned());
    }
    hide(plan, scratch, is_overlaid, ready)?;
    for (copy, path) in kept {
        mount_bind_recursive(&copy, &path).map_err(failed(&format!("{} cannot be let through", path.display())))?;
    }
    if !plan.names.is_empty() {
        let hosts = scratch.join("hosts");
        fs::write(&hosts, names(&plan.names))?;
        mount_bind(&hosts, HOSTS).map_err(failed("the names of `allow` cannot be written to /etc/hosts"))?;
    }
    Ok(())
}

/// Binds what stays reachable to a place where nothing will cover it. Returns those places, with the paths
/// that they belong to.
fn keep(plan: &Plan, scratch: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let folder = scratch.join("kept");
    fs::create_dir(&folder)?;
    let mut kept = Vec::new();
    for (number, path) in plan.unix.iter().enumerate() {
        let copy = folder.join(number.to_string());
        let about = fs::metadata(path)
            .map_err(|e| io::Error::other(format!("{} of `allow` is not there: {e}", path.display())))?;
        if about.is_dir() {
            fs::create_dir(&copy)?;
        } else {
            fs::write(&copy, "")?;
        }
        mount_bind_recursive(path, &copy)?;
        kept.push((copy, path.clone()));
    }
    Ok(kept)
}

fn overlay(folder: &Path, scratch: &Path) -> io::Result<()> {
    let (upper, work) = (scratch.join("upper"), scratch.join("work"));
    fs::create_dir_all(&upper)?;
    fs::create_dir_all(&work)?;
    let options =
        format!("lowerdir={},upperdir={},workdir={},userxattr", folder.display(), upper.display(), work.display());
    let options = std::ffi::CString::new(options)?;
    mount("overlay", folder, "overlay", INERT, Some(options.as_c_str()))?;
    Ok(())
}

fn hide(plan: &Plan, scratch: &Path, is_overlaid: bool, ready: &mut Ready) -> io::Result<()> {
    let empty = scratch.join("empty");
    fs::write(&empty, "")?;
    let mut hidden = 0;
    for path in plan.hide.iter().filter(|path| !is_allowed(path, &plan.unix)) {
        if is_overlaid && path.canonicalize().is_ok_and(|path| path.starts_with(RUN)) {
            continue;
        }
        match mount_bind(&empty, path).map_err(io::Error::from) {
            Ok(()) => hidden += 1,
            // Gone, or out of reach for this user and so for the command.
            Err(e)
                if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) && !path.exists() => {}
            Err(e) => {
                ready.does_not_stop.push(format!("the Unix socket {}, which cannot be covered: {e}", path.display()))
            }
        }
    }
    ready.stops.push(format!("Unix sockets with a path elsewhere: the {hidden} that there are"));
    Ok(())
}

/// The known names, before what `/etc/hosts` says.
fn names(names: &[(IpAddr, String)]) -> String {
    let mut text: String = names.iter().map(|(address, name)| format!("{address}\t{name}\n")).collect();
    text.push_str(&fs::read_to_string(HOSTS).unwrap_or_else(|_| "127.0.0.1\tlocalhost\n::1\tlocalhost\n".to_owned()));
    text
}
