//! Real files: set `LEASE_GUARD_CORPUS` to a folder and every `.rs` file below it is read and checked.

use std::time::Instant;

use super::check::check;
use crate::{
    base::Files,
    source::{ExprKind, Facts, read_all},
};

#[test]
fn every_file_below_a_folder_keeps_its_places() {
    let Ok(folder) = std::env::var("LEASE_GUARD_CORPUS") else { return };
    let files = Files::new("/");
    let mut ids = Vec::new();
    let mut bytes = 0;
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten() {
        let path = camino::Utf8Path::from_path(entry.path()).expect("utf-8");
        if path.extension() == Some("rs")
            && entry.file_type().is_file()
            && let Ok(id) = files.load(path)
        {
            ids.push(id);
            bytes += files.get(id).text.len();
        }
    }
    let started = Instant::now();
    let all = read_all(&files, &ids);
    let took = started.elapsed();
    let (mut errors, mut unread, mut scanned, mut macros) = (0, 0, 0, 0);
    for (&id, facts) in ids.iter().zip(&all) {
        let source = files.get(id);
        match facts {
            Ok(facts) => {
                check(facts, &source);
                scanned += facts.macros_scanned;
                macros += invocations(facts);
                if let Some(error) = &facts.error {
                    errors += 1;
                    let at = source.line_column(error.span.start);
                    println!("error {}:{}:{}: {}", source.path, at.line, at.column, error.message);
                }
            }
            Err(error) => {
                unread += 1;
                println!("unread {}: {}", source.path, error.message);
            }
        }
    }
    let mb = bytes as f64 / 1e6;
    println!("{} files, {mb:.1} MB in {took:?}: {:.1} MB/s", ids.len(), mb / took.as_secs_f64());
    println!("{errors} do not parse, {unread} do not tokenise, {scanned} of {macros} invocations in code scanned");
}

fn invocations(facts: &Facts) -> usize {
    facts.exprs.iter().filter(|expr| matches!(expr.kind, ExprKind::Macro(_))).count()
}
