//! The source lines that the page quotes: those around each place, and no others.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::model::Place;
use crate::base::{Files, in_place};

/// How many lines are quoted before and behind a place.
const AROUND: u32 = 2;
/// How many lines of one place are quoted: what is longer is a body, whose head tells enough.
const TALLEST: u32 = 12;
/// How many characters of a line are quoted.
const WIDEST: usize = 1000;

/// Quoted lines, by file.
#[derive(Debug, Default)]
pub(super) struct Sources {
    wanted: BTreeMap<String, BTreeSet<u32>>,
}

/// One file's quoted lines.
#[derive(Debug, Serialize)]
pub(super) struct Quoted {
    path: String,
    lines: BTreeMap<u32, String>,
}

impl Sources {
    /// Asks for the lines around a place.
    pub(super) fn want(&mut self, place: &Place) {
        let last = place.end_line.clamp(place.line, place.line + TALLEST) + AROUND;
        let first = place.line.saturating_sub(AROUND).max(1);
        self.wanted.entry(place.file.clone()).or_default().extend(first..=last);
    }

    /// The number of a file in what [`Sources::quote`] gives.
    pub(super) fn number(&self, file: &str) -> usize {
        self.wanted.range::<str, _>((std::ops::Bound::Unbounded, std::ops::Bound::Excluded(file))).count()
    }

    /// The lines. A character that could drive a terminal or hide text is replaced by one that shows,
    /// so that columns stay those of the file.
    pub(super) fn quote(&self, files: &Files) -> Vec<Quoted> {
        let quote = |(path, wanted): (&String, &BTreeSet<u32>)| {
            let file = files.known(&files.root().join(path)).map(|id| files.get(id));
            let text = file.as_ref().map_or("", |file| file.text.strip_prefix('\u{feff}').unwrap_or(&file.text));
            let all = (1u32..).zip(text.split('\n'));
            let lines = all.filter(|(number, _)| wanted.contains(number)).map(|(number, line)| {
                let line = line.strip_suffix('\r').unwrap_or(line);
                let mut shown: String = line.chars().take(WIDEST).map(in_place).collect();
                if line.chars().nth(WIDEST).is_some() {
                    shown.push('…');
                }
                (number, shown)
            });
            Quoted { path: path.clone(), lines: lines.collect() }
        };
        self.wanted.iter().map(quote).collect()
    }
}
