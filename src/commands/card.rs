//! `card`: the stop/go card of a review.

use std::io::Write;

use crate::{
    cli::{Card, Screen},
    finding::Verdict,
};

pub(super) fn card(_asked: &Card, _screen: Screen, _out: &mut dyn Write) -> anyhow::Result<Verdict> {
    anyhow::bail!("not yet")
}
