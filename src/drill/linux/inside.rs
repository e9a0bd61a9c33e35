//! The inside of the isolation: this program, called again by the drill.

use std::{
    ffi::OsString,
    io,
    net::TcpListener,
    os::fd::AsFd as _,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use rustix::process::{Signal, set_child_subreaper, set_parent_process_death_signal};

use super::{
    control::Control,
    filter::{self, Sockets},
    keeper::{self, Remains},
    landlocked, loopback,
    messages::{Plan, Ready, ToInside, ToOutside},
    mounts, namespaces, privileges, probe, signals, words,
};

/// The argument by which such a call is known.
pub(super) const WORD: &str = "__drill-inside";
/// The stages: the argument behind it.
pub(super) const NAMESPACES: &str = "namespaces";
const FIRST: &str = "first";
pub(super) const LANDLOCK: &str = "landlock";

/// How long outside may take to say something.
const PATIENCE: Duration = Duration::from_secs(60);

pub(in crate::drill) fn inside(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    if arguments.next()? != WORD {
        return None;
    }
    let stage = arguments.next().unwrap_or_default();
    let control = PathBuf::from(arguments.next().unwrap_or_default());
    let command: Vec<_> = arguments.skip(1).collect();
    // Outside hears of every failure over the line, or else that the line is broken.
    let done = match stage.to_str() {
        Some(NAMESPACES) => unshared(&control, &command),
        Some(FIRST) => kept(&control, &command, &in_namespaces, Remains::EndWithUs),
        Some(LANDLOCK) => kept(&control, &command, &under_landlock, Remains::AreKilled),
        _ => Err(io::Error::other("called by hand")),
    };
    Some(if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// The first stage in namespaces: enters them, and waits for the second, which is the first process there.
fn unshared(path: &Path, command: &[OsString]) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let mut control = Control::connect(path)?;
    control.patience(Some(PATIENCE))?;
    if let Err(e) = namespaces::enter() {
        return control.send(&ToOutside::Failed(format!("new namespaces are not permitted: {e}")));
    }
    control.send(&ToOutside::Unshared)?;
    let ToInside::Mapped = control.receive()? else { return Err(io::Error::other("no ids")) };
    let started = privileges::hand_on().and_then(|()| keeper::again(FIRST, path, command)?.spawn());
    match started {
        Ok(mut first) => {
            signals::ignore()?;
            first.wait()?;
            Ok(())
        }
        Err(e) => control.send(&ToOutside::Failed(format!("no process can be started in the namespaces: {e}"))),
    }
}

/// Arranges the isolation, and keeps the command in it.
fn kept(
    path: &Path,
    command: &[OsString],
    arrange: &dyn Fn(&mut Plan, &mut Ready) -> io::Result<Vec<TcpListener>>,
    remains: Remains,
) -> io::Result<()> {
    let mut control = Control::connect(path)?;
    control.patience(Some(PATIENCE))?;
    if remains == Remains::EndWithUs {
        set_parent_process_death_signal(Some(Signal::KILL))?;
    } else {
        // By name or by number: whatever loses its parent is left to this process.
        set_child_subreaper(Some(rustix::process::getpid()))?;
        signals::ignore()?;
    }
    let ToInside::Plan(mut plan) = control.receive()? else { return Err(io::Error::other("no plan")) };
    let mut ready = Ready::default();
    match arrange(&mut plan, &mut ready).and_then(|listeners| {
        probe::nothing_is_reached(&plan.canaries)?;
        Ok(listeners)
    }) {
        Ok(listeners) => {
            ready.listeners = listeners.len();
            control.send(&ToOutside::Ready(ready))?;
            control.hand_over(listeners.iter().map(|listener| listener.as_fd()))?;
        }
        Err(e) => return control.send(&ToOutside::Failed(e.to_string())),
    }
    let ToInside::Go(changes) = control.receive()? else { return Err(io::Error::other("no start")) };
    keeper::keep(control, command, changes, remains)
}

/// Arranges the namespaces that this process is the first in.
fn in_namespaces(plan: &mut Plan, ready: &mut Ready) -> io::Result<Vec<TcpListener>> {
    let context = |what: String| move |e: io::Error| io::Error::new(e.kind(), format!("{what}: {e}"));
    loopback::up().map_err(context("the loopback device cannot be brought up".to_owned()))?;
    for address in &plan.addresses {
        loopback::add(*address).map_err(context(format!("the address {address} cannot be had inside")))?;
    }
    let stand_in = plan.stand_in.then(|| ([127, 0, 0, 1], 0).into());
    let listeners =
        plan.listen.iter().copied().chain(stand_in).map(|address| {
            TcpListener::bind(address).map_err(context(format!("{address} cannot be listened at inside")))
        });
    let listeners = listeners.collect::<io::Result<Vec<_>>>()?;
    words::namespaces(ready);
    mounts::arrange(plan, ready)?;
    privileges::withhold().map_err(context("privileges cannot be given up".to_owned()))?;
    match filter::enforce(Sockets::Namespaced) {
        Ok(()) => ready.stops.push(words::FILTERED.to_owned()),
        Err(e) => ready.does_not_stop.push(format!("{}: seccomp cannot be used here: {e}", words::NOT_FILTERED)),
    }
    Ok(listeners)
}

/// Puts this process under Landlock and seccomp.
fn under_landlock(plan: &mut Plan, ready: &mut Ready) -> io::Result<Vec<TcpListener>> {
    let unix = !plan.unix.is_empty();
    let confined = landlocked::enforce(plan.ports.iter().copied().chain(plan.stand_in_port))?;
    filter::enforce(Sockets::OnlyTcp { unix })
        .map_err(|e| io::Error::other(format!("seccomp cannot confine what Landlock does not: {e}")))?;
    if unix {
        // They can be reached, and the report says so.
        plan.canaries.unix_path.clear();
        if !confined.abstract_sockets {
            plan.canaries.unix_abstract.clear();
        }
    }
    words::landlock(ready, &plan.ports, unix, confined.abstract_sockets);
    Ok(Vec::new())
}
