//! Keeping the command: starting it, handing signals on, reaping, and leaving nothing behind.

use std::{
    ffi::OsString,
    fs,
    os::unix::process::CommandExt as _,
    path::Path,
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, wait};

use super::{
    control::Control,
    messages::{ToInside, ToOutside},
};

/// How what the command leaves behind is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remains {
    /// By the kernel, for this is the first process of a process namespace.
    EndWithUs,
    /// By us, who are everybody's heir.
    AreKilled,
}

/// The command, while it runs.
type Running = Arc<Mutex<Option<Pid>>>;

/// Runs the command to its end and tells outside. What it left behind is dead then, or dies with this process.
pub(super) fn keep(
    mut control: Control,
    command: &[OsString],
    changes: impl IntoIterator<Item = (String, Option<String>)>,
    remains: Remains,
) -> std::io::Result<()> {
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let mut start = Command::new(program);
    start.args(arguments);
    for (name, value) in changes {
        match value {
            Some(value) => start.env(name, value),
            None => start.env_remove(name),
        };
    }
    let child = match start.spawn() {
        Ok(child) => child,
        Err(e) => return control.send(&ToOutside::NotStarted(e.to_string())),
    };
    let running: Running = Arc::new(Mutex::new(Some(Pid::from_child(&child))));
    listen(control.try_clone()?, &running, remains)?;
    let ended = reap(&running);
    if remains == Remains::AreKilled {
        kill_all();
    }
    control.send(&ended)
}

/// Obeys what comes from outside. Where outside is gone, nothing may go on here either.
#[expect(clippy::exit, reason = "the other thread waits for a command that has just been killed with everyone")]
fn listen(mut control: Control, running: &Running, remains: Remains) -> std::io::Result<()> {
    let running = Arc::clone(running);
    control.patience(None)?;
    thread::Builder::new().name("listen".to_owned()).spawn(move || {
        loop {
            let message = control.receive::<ToInside>();
            let running = *running.lock().unwrap_or_else(PoisonError::into_inner);
            match (message, running) {
                (Ok(ToInside::Signal(number)), Some(pid)) => {
                    if let Some(signal) = Signal::from_named_raw(number) {
                        let _ = kill_process(pid, signal);
                    }
                }
                (Ok(ToInside::End), Some(pid)) => {
                    let _ = kill_process(pid, Signal::KILL);
                }
                (Ok(_), _) => {}
                (Err(_), _) => {
                    if remains == Remains::AreKilled {
                        kill_all();
                    }
                    std::process::exit(2);
                }
            }
        }
    })?;
    Ok(())
}

/// Waits for the command, and meanwhile for all who were left to this process.
fn reap(running: &Running) -> ToOutside {
    let of =
        |status: WaitStatus| ToOutside::Ended { status: status.exit_status(), signal: status.terminating_signal() };
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) => {
                let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
                if *running == Some(pid) {
                    *running = None;
                    return of(status);
                }
            }
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            // There is no child: that cannot be before the command was reaped.
            Err(_) => return ToOutside::Ended { status: None, signal: None },
        }
    }
}

/// Kills every descendant: the children, then those that are left to us by their death, until there is none.
fn kill_all() {
    loop {
        let children = children();
        for child in &children {
            let _ = kill_process(*child, Signal::KILL);
        }
        match wait(WaitOptions::empty()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) if children.is_empty() => return,
            Err(_) => thread::yield_now(),
        }
    }
}

/// The processes whose parent this one is: the fourth field of `/proc/PID/stat`, behind the name in brackets.
fn children() -> Vec<Pid> {
    let own = getpid().as_raw_nonzero().get();
    let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let is_ours = |folder: &Path| {
        let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_ascii_whitespace().nth(1)?.parse().ok());
        parent == Some(own)
    };
    entries
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
        .filter(|(_, folder)| is_ours(folder))
        .filter_map(|(pid, _)| Pid::from_raw(pid))
        .collect()
}

/// For a process that only waits for another: starts it in its own process's place.
pub(super) fn again(stage: &str, control: &Path, command: &[OsString]) -> std::io::Result<Command> {
    let mut again = Command::new(std::env::current_exe()?);
    again.arg0("cargo-lease-guard").arg(super::inside::WORD).arg(stage).arg(control).arg("--").args(command);
    Ok(again)
}
