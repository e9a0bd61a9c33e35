//! Signals that the drill gets while a command runs.

use std::{
    fs::{self, File},
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2},
    iterator::{Handle, Signals},
};

/// What is handed on to the command.
const HANDED_ON: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];

/// Those of them that this process was not started to ignore, as `nohup` has it.
fn handed_on() -> Vec<i32> {
    let ignored = ignored(&fs::read_to_string("/proc/self/status").unwrap_or_default());
    HANDED_ON.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0).collect()
}

/// The mask of ignored signals of a `/proc/PID/status`: the lowest bit is signal 1.
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Listens until it is dropped; then each signal does again what it does by default.
#[derive(Debug)]
pub(super) struct Listening {
    received: mpsc::Receiver<i32>,
    handle: Handle,
    by_default: Arc<AtomicBool>,
}

impl Listening {
    pub(super) fn start() -> io::Result<Self> {
        let by_default = Arc::new(AtomicBool::new(false));
        let handed_on = handed_on();
        for signal in &handed_on {
            signal_hook::flag::register_conditional_default(*signal, Arc::clone(&by_default))?;
        }
        let mut signals = Signals::new(&handed_on)?;
        let handle = signals.handle();
        let (send, received) = mpsc::channel();
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if send.send(signal).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { received, handle, by_default })
    }

    /// The next one that has come.
    pub(super) fn next(&self) -> Option<i32> {
        self.received.try_recv().ok()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.handle.close();
        self.by_default.store(true, Ordering::SeqCst);
    }
}

/// Whether a signal asks a program to end.
pub(super) fn ends(signal: i32) -> bool {
    !matches!(signal, SIGUSR1 | SIGUSR2)
}

/// Whether the command has the signal already: what is typed at the terminal goes to every process in front.
pub(super) fn came_from_the_terminal(signal: i32) -> bool {
    matches!(signal, SIGINT | SIGQUIT)
        && File::open("/dev/tty")
            .ok()
            .and_then(|terminal| rustix::termios::tcgetpgrp(&terminal).ok())
            .is_some_and(|front| front == rustix::process::getpgrp())
}

/// For a process that must outlive what is typed at the terminal, without ever being asked.
pub(super) fn ignore() -> io::Result<()> {
    let unused = Arc::new(AtomicBool::new(false));
    handed_on().iter().try_for_each(|signal| signal_hook::flag::register(*signal, Arc::clone(&unused)).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        let status = "Name:\tdrill\nSigBlk:\t0000000000000002\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000000\n";
        assert_eq!(ignored(status), 1 | 1 << 12);
        assert_eq!(ignored(""), 0);
    }
}
