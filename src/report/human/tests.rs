use proptest::prelude::*;

use super::{FORMAT, render_problems};
use crate::{
    base::{Files, Span},
    report::{
        Options,
        sample::{self, Sample},
    },
};

fn screen(sample: &Sample, colour: bool, width: usize, verbose: bool) -> String {
    sample::printed_with(&FORMAT, sample, &Options { colour, width, verbose, ..Options::default() })
}

fn problems(sample: &Sample, colour: bool) -> String {
    let mut out = Vec::new();
    let options = Options { colour, ..Options::default() };
    render_problems(&sample.report.errors, &sample.files, &options, &mut out).expect("a vector takes all");
    String::from_utf8(out).expect("UTF-8")
}

/// Without escapes, which the colours need and nothing else may bring.
fn without_colours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        let end = behind.find(|c: char| !c.is_ascii_digit() && c != ';').expect("an escape ends");
        assert_eq!(&behind[end..=end], "m", "only colours");
        rest = &behind[end + 1..];
    }
    out + rest
}

#[test]
fn the_screen() {
    let sample = sample::offending();
    insta::assert_snapshot!("human_80", screen(&sample, false, 80, false));
    insta::assert_snapshot!("human_140", screen(&sample, false, 140, false));
    insta::assert_snapshot!("human_80_colour", screen(&sample, true, 80, false).replace('\u{1b}', "␛"));
    insta::assert_snapshot!("human_140_verbose", screen(&sample, false, 140, true));
    insta::assert_snapshot!("human_clean", screen(&sample::clean(), false, 80, false));
    insta::assert_snapshot!("human_cannot_check", screen(&sample::broken(), false, 80, false));
    insta::assert_snapshot!("human_problems", problems(&sample::broken(), false));
}

#[test]
fn colours_change_no_word() {
    let sample = sample::offending();
    for width in [80, 140] {
        assert_eq!(without_colours(&screen(&sample, true, width, false)), screen(&sample, false, width, false));
    }
}

#[test]
fn a_clean_run_is_short() {
    let text = screen(&sample::clean(), false, 80, false);
    assert!((2..=4).contains(&text.lines().count()), "{text}");
}

#[test]
fn hostile_text_is_shown_and_not_obeyed() {
    let sample = sample::hostile();
    sample::assert_no_controls(&screen(&sample, false, 80, true));
    sample::assert_no_controls(&problems(&sample, false));
    sample::assert_no_controls(&without_colours(&screen(&sample, true, 80, true)));
    sample::assert_no_controls(&without_colours(&problems(&sample, true)));
}

#[test]
fn the_places_are_those_of_the_wire_formats() {
    let mut sample = sample::offending();
    // Behind a byte-order mark.
    sample.report.findings[0].primary = sample.at("src/health.rs", "Gesundheitsprüfung", 0);
    let text = screen(&sample, false, 140, true);
    for finding in &sample.report.findings {
        let place = super::Place::of(finding.primary, &sample.files);
        assert!(text.contains(&format!("--> {}\n", place.point())), "{place:?} in {text}");
    }
}

#[test]
fn a_very_long_line_is_cut_to_the_width() {
    let mut sample = sample::offending();
    let text = format!("{}reqwest{}", "a ".repeat(100_000), " b".repeat(100_000));
    let file = sample.files.add("/w/src/long.rs".into(), text);
    sample.report.findings.truncate(1);
    sample.report.findings[0].primary = Span { file, start: 200_000, end: 200_007 };
    let text = screen(&sample, false, 80, false);
    assert!(text.contains("reqwest"));
    assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
}

proptest! {
    #[test]
    fn no_text_and_no_place_panics(
        text in "[ab \t\r\n\u{feff}\u{1b}\u{9b}ü語\u{202e}\u{1f600}\u{300}]{0,60}",
        spans in prop::collection::vec((0u32..80, 0u32..80), 1..6),
        colour: bool,
    ) {
        let mut sample = sample::offending();
        sample.files = Files::new("/w");
        let file = sample.files.add("/w/src/any.rs".into(), text);
        let mut spans = spans.into_iter().map(|(start, end)| Span { file, start, end }).cycle();
        let mut next = || spans.next().expect("a cycle");
        for finding in &mut sample.report.findings {
            finding.primary = next();
            finding.also.iter_mut().for_each(|also| also.span = next());
            finding.route.iter_mut().for_each(|hop| hop.place = next());
            finding.chain.iter_mut().filter_map(|link| link.place.as_mut()).for_each(|place| *place = next());
        }
        let text = screen(&sample, colour, 80, true);
        sample::assert_no_controls(&without_colours(&text));
    }
}
