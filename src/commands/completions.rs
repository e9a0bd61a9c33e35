//! `completions SHELL`: what a shell needs to complete the command line.

use std::io::Write;

use crate::{
    cli::{self, Shell},
    finding::Verdict,
    lints,
};

pub(super) fn completions(shell: Shell, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let lints: Vec<&'static str> = lints::names().collect();
    cli::completions(shell, &super::formats(), &lints, out)?;
    Ok(Verdict::Clean)
}
