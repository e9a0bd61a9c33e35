//! `map`: the lease path as a picture.

use std::io::Write;

use anyhow::Context as _;

use super::{
    check::{prepared, refuse},
    outlet::deliver,
};
use crate::{
    cli::{Map, MapFormat, Screen},
    finding::Verdict,
    map::{dot, gather, html, mermaid, svg},
    run::{check_and, on_deep_stack},
};

/// Draws. 0 where it could be drawn, whatever it shows; 2 where something could not be looked at, for
/// a picture with a part missing would look like a clean one.
///
/// # Errors
/// Where the picture cannot be written.
pub(super) fn map(asked: &Map, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let prepared = match prepared(&asked.scope, &asked.project)? {
        Ok(prepared) => prepared,
        Err(failed) => return refuse(&failed.problems, &failed.files, screen),
    };
    let drawn = on_deep_stack(|| {
        check_and(&prepared, |looked| {
            if looked.report.errors.is_empty() { Ok(gather(&prepared, looked)) } else { Err(looked.report.errors) }
        })
    });
    let map = match drawn {
        Ok(Ok(map)) => map,
        Ok(Err(problems)) => return refuse(&problems, &prepared.files, screen),
        Err(problem) => return refuse(&[problem], &prepared.files, screen),
    };
    let names: Vec<&str> = map.leases.iter().map(|lease| lease.name.as_str()).collect();
    let title = format!("Lease map: {}", names.join(", "));
    let text = match asked.format {
        MapFormat::Html => html(&map, &title, &prepared.files).context("the page could not be made")?,
        MapFormat::Svg => svg(&map, &title),
        MapFormat::Dot => dot(&map, &title),
        MapFormat::Mermaid => mermaid(&map, &title),
    };
    deliver(text.as_bytes(), asked.output.as_deref(), screen, out)?;
    Ok(Verdict::Clean)
}
