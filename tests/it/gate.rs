//! The built binary, run in an environment that holds nothing by chance.

use std::{
    ffi::OsStr,
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What a run may inherit: where the programs, the home and the registries are, and whom to trust.
/// Everything else (`GITHUB_ACTIONS`, `NO_COLOR`, `CARGO_*`, a language) would be an accident.
const INHERITED: [&str; 12] = [
    "PATH",
    "HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "TMPDIR",
    "SYSTEMROOT",
    "USERPROFILE",
    "TEMP",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
];

/// 2026-12-01, in seconds since 1970.
const DAY: &str = "1796083200";

/// A hang is an answer too, a wrong one. No run of the binary comes near this on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a run said.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    /// The exit status; none where a signal or our patience ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A command that sees only [`INHERITED`].
pub(crate) fn scrubbed(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().stdin(Stdio::null());
    command.envs(INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.env("CARGO_TERM_COLOR", "never");
    command
}

/// The binary under test, as cargo calls it, in a folder.
pub(crate) fn gate(folder: &Path) -> Command {
    let mut command = scrubbed(env!("CARGO_BIN_EXE_cargo-lease-guard"));
    // The day is always the same one, so that no report changes as time goes by.
    command.arg("lease-guard").current_dir(folder).env("SOURCE_DATE_EPOCH", DAY);
    command
}

/// The binary without a network, with these arguments.
pub(crate) fn offline(folder: &Path, arguments: &[&str]) -> Said {
    run(gate(folder).args(arguments).arg("--offline").env("CARGO_NET_OFFLINE", "true"))
}

/// The report of a check without a network.
pub(crate) fn json(folder: &Path) -> Said {
    offline(folder, &["--format", "json"])
}

/// Runs a command to its end, or to the end of our patience.
pub(crate) fn run(command: &mut Command) -> Said {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it cannot be started");
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let stdout = thread::spawn(move || text(&mut out));
    let stderr = thread::spawn(move || text(&mut err));
    let code = end(&mut child);
    Said { code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

fn end(child: &mut Child) -> Option<i32> {
    let began = Instant::now();
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.code();
        }
        if began.elapsed() > PATIENCE {
            child.kill().expect("it can be stopped");
            child.wait().expect("it can be waited for");
            return None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn text(from: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).expect("the output can be read");
    String::from_utf8(bytes).expect("the output is UTF-8")
}
