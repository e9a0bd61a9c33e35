//! `explain LINT`: the lint's own documentation.

use std::io::Write;

use crate::{finding::Verdict, lints};

pub(super) fn explain(name: &str, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let lint = lints::find(name)?;
    out.write_all(lint.text(1).as_bytes())?;
    Ok(Verdict::Clean)
}
