//! What the process stands in, as far as it changes what the flags mean.

use std::{env, ffi::OsString, path::PathBuf};

use camino::Utf8PathBuf;

/// The part of the environment that defaults depend on. Read once, in `main`, so that everything
/// behind it can be tested without touching the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// `GITHUB_ACTIONS` is set to something: the run is a step of a GitHub job.
    pub github_actions: bool,
    /// Standard output is a regular file.
    pub stdout_is_file: bool,
    /// The terminal behind standard output follows links (OSC 8).
    pub hyperlinks: bool,
    /// `CARGO_TERM_COLOR`, which cargo's users set for all its commands.
    pub cargo_term_color: Option<String>,
    /// `GITHUB_WORKSPACE` or GitLab's `CI_PROJECT_DIR`: where the job's checkout lies, which has no `.git`
    /// where the job's container has no git.
    pub repository: Option<Utf8PathBuf>,
}

impl Surroundings {
    /// Those of this process.
    pub fn of_this_process() -> Self {
        Self {
            github_actions: env::var_os("GITHUB_ACTIONS").is_some_and(|value| !value.is_empty()),
            stdout_is_file: stdout_is_file(),
            hyperlinks: supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
            repository: ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"]
                .into_iter()
                .filter_map(env::var_os)
                .filter_map(|path| Utf8PathBuf::from_path_buf(PathBuf::from(path)).ok())
                .find(|path| path.is_absolute()),
            cargo_term_color: env::var_os("CARGO_TERM_COLOR").map(OsString::into_string).and_then(Result::ok),
        }
    }
}

/// Whether standard output goes to a regular file. A closed output is none.
#[cfg(unix)]
fn stdout_is_file() -> bool {
    use std::os::fd::AsFd;
    let handle = std::io::stdout().as_fd().try_clone_to_owned();
    handle.and_then(|fd| std::fs::File::from(fd).metadata()).is_ok_and(|meta| meta.is_file())
}

/// Whether standard output goes to a regular file. A closed output is none.
#[cfg(windows)]
fn stdout_is_file() -> bool {
    use std::os::windows::io::AsHandle;
    let handle = std::io::stdout().as_handle().try_clone_to_owned();
    handle.and_then(|handle| std::fs::File::from(handle).metadata()).is_ok_and(|meta| meta.is_file())
}

/// Whether standard output goes to a regular file: it cannot be told on this platform.
#[cfg(not(any(unix, windows)))]
fn stdout_is_file() -> bool {
    false
}
