//! The binary: reads the command line, runs the command, tells the exit status.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Context as _;
use lease_guard::{
    cli::{self, Meaning, Surroundings},
    commands::{self, Outlet},
    drill,
};

fn main() -> ExitCode {
    // A drill calls this program again, to be the inside of its isolation; there is one thread yet.
    if let Some(ended) = drill::inside(std::env::args_os()) {
        return ended;
    }
    let formats = commands::formats();
    let meaning = match cli::read(std::env::args_os(), &Surroundings::of_this_process(), &formats) {
        Ok(meaning) => meaning,
        Err(usage) => {
            // Nothing better is at hand where even the help cannot be printed.
            let _ = usage.0.print();
            return ExitCode::from(u8::try_from(usage.0.exit_code()).unwrap_or(2));
        }
    };
    match run(&meaning) {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            let mut stderr = anstream::AutoStream::new(io::stderr(), meaning.screen.color);
            let _ = writeln!(stderr, "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(meaning: &Meaning) -> anyhow::Result<u8> {
    let mut out = Outlet::new(anstream::AutoStream::new(io::stdout().lock(), meaning.screen.color));
    let status = commands::dispatch(meaning, &mut out)?;
    out.flush().context("the report could not be written")?;
    Ok(status)
}
