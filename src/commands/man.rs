//! `man [COMMAND]`: the manual page.

use std::io::Write;

use crate::{cli, finding::Verdict};

pub(super) fn man(command: Option<&str>, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    cli::manual(command, &super::formats(), out)?;
    Ok(Verdict::Clean)
}
