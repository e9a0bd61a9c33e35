use cargo_metadata::{CompilerMessage, Message, diagnostic::DiagnosticSpan};

use super::FORMAT;
use crate::report::sample::{self, Sample};

/// Reads the lines back with the types that others wrote.
fn read(sample: &Sample) -> (Vec<CompilerMessage>, bool) {
    let text = sample::printed(&FORMAT, sample);
    let mut messages = Vec::new();
    let mut finished = None;
    for message in Message::parse_stream(text.as_bytes()) {
        match message.expect("a line") {
            Message::CompilerMessage(message) => messages.push(message),
            Message::BuildFinished(end) => finished = Some(end.success),
            other => panic!("cargo would take this for something else: {other:?}"),
        }
    }
    (messages, finished.expect("the last line"))
}

#[test]
fn the_lines() {
    insta::assert_snapshot!("cargo_json", sample::printed(&FORMAT, &sample::offending()));
    insta::assert_snapshot!("cargo_json_cannot_check", sample::printed(&FORMAT, &sample::broken()));
}

#[test]
fn every_place_maps_back_to_its_text() {
    let sample = sample::offending();
    let (messages, success) = read(&sample);
    assert!(!success);
    assert_eq!(messages.len(), sample.report.findings.len());
    let check = |span, seen: &DiagnosticSpan| {
        let range = [seen.line_start, seen.column_start, seen.line_end, seen.column_end];
        sample.assert_region(span, &seen.file_name, range);
        assert_eq!((seen.byte_start, seen.byte_end), (span.start, span.end));
        let line = &seen.text[0];
        let cut: String =
            line.text.chars().skip(line.highlight_start - 1).take(line.highlight_end - line.highlight_start).collect();
        assert_eq!(cut, sample.files.text(span));
    };
    for (finding, message) in sample.report.findings.iter().zip(&messages) {
        let message = &message.message;
        assert_eq!(message.code.as_ref().expect("a code").code, finding.lint);
        check(finding.primary, &message.spans[0]);
        assert!(message.spans[0].is_primary);
        for (also, seen) in finding.also.iter().zip(&message.spans[1..]) {
            assert!(!seen.is_primary);
            check(also.span, seen);
        }
        for (hop, child) in finding.route.iter().zip(&message.children) {
            assert!(child.message.contains(&hop.item));
            check(hop.place, &child.spans[0]);
        }
        assert!(message.rendered.as_ref().expect("text").contains(&finding.message));
    }
}

#[test]
fn a_file_belongs_to_the_package_that_holds_it() {
    let mut sample = sample::offending();
    let mut inner = sample.packages[0].clone();
    inner.id = "inner".into();
    inner.manifest = "/w/src/Cargo.toml".into();
    sample.packages.push(inner);
    let (messages, _) = read(&sample);
    for (finding, message) in sample.report.findings.iter().zip(&messages) {
        let inner = sample.files.get(finding.primary.file).path.starts_with("src/");
        assert_eq!(message.package_id.repr == "inner", inner);
    }
}

#[test]
fn a_problem_always_has_a_span_that_an_editor_can_show() {
    let (messages, success) = read(&sample::broken());
    assert!(!success);
    assert_eq!(messages.len(), 2);
    assert!(messages.iter().all(|message| message.message.spans[0].is_primary));
    assert_eq!(read(&sample::clean()), (Vec::new(), true));
}

#[test]
fn hostile_text_stays_on_its_line() {
    let sample = sample::hostile();
    sample::assert_no_controls(&sample::printed(&FORMAT, &sample));
    let (messages, _) = read(&sample);
    assert_eq!(messages.len(), 2);
    for message in messages {
        sample::assert_no_controls(&message.message.message);
        sample::assert_no_controls(message.message.rendered.as_ref().expect("text"));
        message.message.children.iter().for_each(|child| sample::assert_no_controls(&child.message));
    }
}
