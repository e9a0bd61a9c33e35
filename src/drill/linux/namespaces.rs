//! New namespaces: made inside, and given their user ids from outside.

use std::{fs, io, process::Child};

use nix::sched::{CloneFlags, unshare};

/// Puts this process, which must have one thread, into namespaces of its own; its children, too, into a
/// process namespace.
pub(super) fn enter() -> io::Result<()> {
    let flags = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWPID;
    Ok(unshare(flags)?)
}

/// Gives a process that has entered a user namespace its ids: each id is itself. Where that is permitted (to
/// root) all ids, so that the command may become another user; else this user's alone.
pub(super) fn map_ids(child: &Child) -> io::Result<()> {
    let of = |file: &str| format!("/proc/{}/{file}", child.id());
    let write = |file: &str, text: &str| fs::write(of(file), text);
    let all = |file: &str| -> io::Result<String> {
        let own = fs::read_to_string(format!("/proc/self/{file}"))?;
        let extents = own.lines().filter_map(|line| {
            let mut fields = line.split_ascii_whitespace();
            let (inside, _, count) = (fields.next()?, fields.next()?, fields.next()?);
            Some(format!("{inside} {inside} {count}\n"))
        });
        Ok(extents.collect())
    };
    if rustix::process::geteuid().is_root()
        && write("gid_map", &all("gid_map")?).and_then(|()| write("uid_map", &all("uid_map")?)).is_ok()
    {
        return Ok(());
    }
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    // Without this an unprivileged process may not map a group at all. Older kernels have no such file.
    match write("setgroups", "deny") {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    write("gid_map", &format!("{group} {group} 1\n"))?;
    write("uid_map", &format!("{user} {user} 1\n"))
}
