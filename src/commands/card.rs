//! `card`: the stop/go card of a review.

use std::io::Write;

use super::{
    check::{prepared, refuse},
    outlet::deliver,
    page::Page,
};
use crate::{
    base::counted,
    card::{Answer, Card, Drilled, gather, html, markdown},
    cli::{Card as Asked, CardFormat, Screen},
    drill::{commit_of, read_record},
    finding::Verdict,
    run::{check_and, on_deep_stack},
};

/// Prints the card. 0 where every lease may go, 1 where a row stops one, 2 where it could not be looked at.
///
/// # Errors
/// Where the card cannot be written.
pub(super) fn card(asked: &Asked, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let prepared = match prepared(&asked.scope, &asked.project)? {
        Ok(prepared) => prepared,
        Err(failed) => return refuse(&failed.problems, &failed.files, screen),
    };
    let workspace = &prepared.workspace;
    let drilled = Drilled {
        record: read_record(workspace.target.as_std_path()),
        commit: commit_of(workspace.root.as_std_path()),
    };
    let card = match on_deep_stack(|| check_and(&prepared, |looked| gather(&prepared, looked, &drilled))) {
        Ok(Ok(card)) => card,
        Ok(Err(problems)) => return refuse(&problems, &prepared.files, screen),
        Err(problem) => return refuse(&[problem], &prepared.files, screen),
    };
    match &asked.output {
        None => write(&card, asked.format, out)?,
        Some(file) => {
            let mut text = anstream::StripStream::new(Vec::new());
            write(&card, asked.format, &mut text)?;
            deliver(&text.into_inner(), Some(file), screen, out)?;
        }
    }
    Ok(if card.stops() { Verdict::Offends } else { Verdict::Clean })
}

fn write(card: &Card, format: CardFormat, out: &mut dyn Write) -> anyhow::Result<()> {
    match format {
        CardFormat::Human => tell(card, &mut Page::new(out)),
        CardFormat::Markdown => Ok(out.write_all(markdown(card).as_bytes())?),
        CardFormat::Html => Ok(out.write_all(html(card).as_bytes())?),
    }
}

fn tell(card: &Card, page: &mut Page<'_>) -> anyhow::Result<()> {
    for lease in &card.leases {
        page.heading(&format!("lease `{}`", lease.name))?;
        for row in &lease.rows {
            page.answer(row.answer.word(), row.question)?;
            for evidence in &row.evidence {
                let place = evidence.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
                page.text(8, &format!("{}{place}", evidence.text))?;
            }
        }
        page.blank()?;
    }
    let stopped: Vec<&str> =
        card.leases.iter().filter(|lease| lease.answer() == Answer::Stop).map(|l| &*l.name).collect();
    let rows = card.leases.iter().flat_map(|lease| &lease.rows).filter(|row| row.answer == Answer::Stop).count();
    if stopped.is_empty() {
        page.text(0, "GO: no row stops")?;
    } else {
        page.text(0, &format!("STOP: {} of {}", counted(rows, "row"), stopped.join(", ")))?;
    }
    Ok(())
}
