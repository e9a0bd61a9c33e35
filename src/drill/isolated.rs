//! What the drill asks of the system it runs on: to run the command isolated.
//!
//! On Linux that is `linux`; a system that can do it, too, gets a module beside it with the same two names.

use std::{ffi::OsString, process::ExitCode};

use super::{Ended, Isolation};

#[cfg(target_os = "linux")]
pub(super) use super::linux::Isolator;
#[cfg(not(target_os = "linux"))]
pub(super) use super::nowhere::Isolator;

/// What came of one run.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) ended: Ended,
    pub(super) asked: usize,
    pub(super) requests: Vec<String>,
    /// The signal that this process got meanwhile and that asks it to end.
    pub(super) signalled: Option<i32>,
    pub(super) isolation: Isolation,
}

/// The first thing that `main` does, before any thread is started: where the arguments say that this process
/// was called by a drill, it becomes the inside of the isolation, and its end is the process's end. None
/// for every other call.
pub fn inside(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    return super::linux::inside(arguments);
    #[cfg(not(target_os = "linux"))]
    {
        drop(arguments.into_iter());
        None
    }
}
