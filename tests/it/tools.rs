//! Programs that others wrote, which tests ask.
//!
//! `.ci/run` installs them all. One that is missing fails its tests, unless `LEASE_GUARD_NO_TOOLS` is set outside
//! of CI, or the tests run in the package that cargo makes: then they say what was not looked at.

use std::{
    io::Write as _,
    process::{Command, Stdio},
    thread,
};

use super::{
    gate::{Said, run, scrubbed},
    workspace::{is_packaged, project},
};

/// A program on the path, in a scrubbed environment; `package` is Debian's that holds it.
pub(crate) fn program(name: &str, package: &str) -> Option<Command> {
    let found = std::env::split_paths(&std::env::var_os("PATH")?).any(|folder| folder.join(name).is_file());
    (found || missing(name, &format!("apt-get install {package}"))).then(|| scrubbed(name))
}

/// A program of tests/validators/requirements.txt.
pub(crate) fn validator(name: &str) -> Option<Command> {
    let path = project().join("tests/validators/venv/bin").join(name);
    let ready = "python3 -m venv tests/validators/venv && \
        tests/validators/venv/bin/pip install --require-hashes -r tests/validators/requirements.txt";
    (path.is_file() || missing(name, ready)).then(|| scrubbed(path))
}

/// One of the scripts of tests/validators, as an argument of its Python.
pub(crate) fn script(name: &str) -> Option<Command> {
    let mut python = validator("python")?;
    python.arg(project().join("tests/validators").join(name));
    Some(python)
}

/// Never true: there is no such program. Fails where that is not excused.
fn missing(name: &str, ready: &str) -> bool {
    let excused = std::env::var_os("LEASE_GUARD_NO_TOOLS").is_some() && std::env::var_os("CI").is_none();
    assert!(excused || is_packaged(), "{name} is missing: {ready} (or set LEASE_GUARD_NO_TOOLS=1)");
    println!("{name} is missing: what it would judge was not looked at");
    false
}

/// Runs a command that reads this text.
pub(crate) fn fed(command: &mut Command, text: &str) -> Said {
    // A pipe holds less than a long text, so that it must be written while the command reads.
    let (reader, mut writer) = std::io::pipe().unwrap();
    let text = text.to_owned();
    let feeding = thread::spawn(move || drop(writer.write_all(text.as_bytes())));
    let said = run(command.stdin(Stdio::from(reader)));
    feeding.join().unwrap();
    said
}
