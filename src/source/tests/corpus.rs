//! Real files: set `LEASE_GUARD_SOURCES` to a folder and every `.rs` file below it is read and checked.
#![expect(clippy::print_stdout, reason = "what was measured is for whoever asked for it")]

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::check::check;
use crate::{
    base::Files,
    source::{ExprKind, Facts, ItemKind, MacroCall, read_all},
};

/// How many files are held at a time.
const BATCH: usize = 400;

#[derive(Debug, Default)]
struct Seen {
    files: usize,
    bytes: usize,
    took: Duration,
    /// Files that do not parse, and files that are not even tokens.
    errors: usize,
    unread: usize,
    /// Invocations, and those that were scanned, those in types and patterns included.
    macros: usize,
    scanned: u32,
    /// How often the tokens of which macro were scanned.
    names: BTreeMap<String, usize>,
}

#[test]
fn every_file_below_a_folder_keeps_its_places() {
    let Ok(folder) = std::env::var("LEASE_GUARD_SOURCES") else { return };
    let paths: Vec<_> = walkdir::WalkDir::new(folder)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file() && entry.path().extension().is_some_and(|end| end == "rs"))
        .filter_map(|entry| camino::Utf8PathBuf::from_path_buf(entry.into_path()).ok())
        .collect();
    let mut seen = Seen::default();
    for batch in paths.chunks(BATCH) {
        batch_of(batch, &mut seen);
    }
    let mut names: Vec<_> = std::mem::take(&mut seen.names).into_iter().collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!("scanned most: {:?}", &names[..names.len().min(60)]);
    let mb = seen.bytes as f64 / 1e6;
    println!("{seen:?}: {mb:.1} MB, {:.1} MB/s", mb / seen.took.as_secs_f64());
}

fn batch_of(paths: &[camino::Utf8PathBuf], seen: &mut Seen) {
    let files = Files::new("/");
    let ids: Vec<_> = paths.iter().filter_map(|path| files.load(path).ok()).collect();
    seen.files += ids.len();
    seen.bytes += ids.iter().map(|&id| files.get(id).text.len()).sum::<usize>();
    let started = Instant::now();
    let all = read_all(&files, &ids);
    seen.took += started.elapsed();
    for (&id, facts) in ids.iter().zip(&all) {
        let source = files.get(id);
        match facts {
            Ok(facts) => {
                check(facts, &source);
                seen.scanned += facts.macros_scanned;
                for call in invocations(facts) {
                    seen.macros += 1;
                    if call.body.scanned {
                        let name = call.path.segments.last().map_or("", |last| &*last.name);
                        *seen.names.entry(name.to_owned()).or_default() += 1;
                    }
                }
                if let Some(error) = &facts.error {
                    seen.errors += 1;
                    let at = source.line_column(error.span.start);
                    println!("error {}:{}:{}: {}", source.path, at.line, at.column, error.message);
                }
            }
            Err(error) => {
                seen.unread += 1;
                println!("unread {}: {}", source.path, error.message);
            }
        }
    }
}

fn invocations(facts: &Facts) -> impl Iterator<Item = &MacroCall> {
    let in_code = facts.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Macro(call) => Some(call),
        _ => None,
    });
    let items = facts.items.iter().filter_map(|item| match &item.kind {
        ItemKind::MacroCall(call) => Some(call),
        _ => None,
    });
    in_code.chain(items)
}
