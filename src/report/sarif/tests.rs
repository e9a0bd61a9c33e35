use serde_json::Value;

use super::{FORMAT, fingerprint, text};
use crate::report::{
    Options,
    sample::{self, Sample},
};

fn read(sample: &Sample) -> Value {
    serde_json::from_str(&sample::printed(&FORMAT, sample)).expect("JSON")
}

fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A location's path and region, as a reader of the standard takes them.
fn region(location: &Value) -> (String, [usize; 4]) {
    let physical = &location["physicalLocation"];
    assert_eq!(physical["artifactLocation"]["uriBaseId"], "SRCROOT");
    let uri = physical["artifactLocation"]["uri"].as_str().expect("a URI");
    let path = percent_encoding::percent_decode_str(uri).decode_utf8().expect("UTF-8").into_owned();
    let number = |name: &str| physical["region"][name].as_u64().expect("a number") as usize;
    (path, ["startLine", "startColumn", "endLine", "endColumn"].map(number))
}

#[test]
fn the_log() {
    insta::assert_snapshot!("sarif", sample::printed(&FORMAT, &sample::offending()));
    insta::assert_snapshot!("sarif_cannot_check", sample::printed(&FORMAT, &sample::broken()));
}

#[test]
fn it_is_valid_by_the_schema() {
    let schema = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sarif-schema-2.1.0.json"));
    let schema: Value = serde_json::from_str(&schema.expect("the schema is there")).expect("JSON");
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema");
    for sample in [sample::offending(), sample::clean(), sample::broken(), sample::hostile()] {
        let log = read(&sample);
        let errors: Vec<String> = validator.iter_errors(&log).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    let mut broken = read(&sample::offending());
    broken["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!validator.is_valid(&broken), "the validator looks");
}

#[test]
fn every_place_maps_back_to_its_text() {
    let sample = sample::offending();
    let log = read(&sample);
    let forgiven = sample.report.forgiven.iter().map(|(finding, _)| finding);
    let findings: Vec<_> = sample.report.findings.iter().chain(forgiven).collect();
    let results = list(&log, "/runs/0/results");
    assert_eq!(results.len(), findings.len());
    for (finding, result) in findings.into_iter().zip(results) {
        let links = finding.chain.iter().filter_map(|link| link.place);
        let related: Vec<_> = finding.also.iter().map(|also| also.span).chain(links).collect();
        let arrival = (!finding.route.is_empty()).then_some(finding.primary);
        let steps: Vec<_> = finding.route.iter().map(|hop| hop.place).chain(arrival).collect();
        let flow = list(result, "/codeFlows/0/threadFlows/0/locations");
        assert_eq!(list(result, "/relatedLocations").len(), related.len());
        assert_eq!(flow.len(), steps.len());
        let pairs = std::iter::once((finding.primary, &result["locations"][0]))
            .chain(related.into_iter().zip(list(result, "/relatedLocations")))
            .chain(steps.into_iter().zip(flow.iter().map(|step| &step["location"])));
        for (span, location) in pairs {
            let (path, range) = region(location);
            sample.assert_region(span, &path, range);
        }
    }
}

#[test]
fn rules_fingerprints_and_suppressions_hang_together() {
    let sample = sample::offending();
    let log = read(&sample);
    let rules = list(&log, "/runs/0/tool/driver/rules");
    assert_eq!(rules[0]["help"]["markdown"], *sample::LINTS[0].markdown);
    for result in list(&log, "/runs/0/results") {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(result["partialFingerprints"][fingerprint::NAME].is_string());
    }
    let suppressed: Vec<&Value> =
        list(&log, "/runs/0/results").iter().filter(|result| !list(result, "/suppressions").is_empty()).collect();
    assert_eq!(suppressed.len(), 1);
    assert_eq!(suppressed[0]["suppressions"][0]["justification"], sample.report.exceptions[0].reason);
}

#[test]
fn a_run_that_could_not_check_did_not_succeed() {
    let log = read(&sample::broken());
    let run = &log["runs"][0]["invocations"][0];
    assert_eq!(run["executionSuccessful"], false);
    assert_eq!(list(run, "/toolExecutionNotifications").iter().filter(|n| n["level"] == "error").count(), 2);
    assert_eq!(read(&sample::clean())["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn hostile_text_is_shown_and_not_obeyed() {
    fn walk(value: &Value) {
        match value {
            Value::String(text) => sample::assert_no_controls(text),
            Value::Array(list) => list.iter().for_each(walk),
            Value::Object(map) => map.values().for_each(walk),
            _ => {}
        }
    }
    let sample = sample::hostile();
    sample::assert_no_controls(&sample::printed(&FORMAT, &sample));
    walk(&read(&sample));
    assert_eq!(text("see [here](http://x)").text, "see \\[here\\](http://x)");
    assert_eq!(text("a[0] (b)").text, "a[0] (b)");
}

#[test]
fn paths_start_at_the_repository() {
    let sample = sample::offending();
    let options = Options { prefix: "rust/my server", ..sample.options() };
    let log: Value = serde_json::from_str(&sample::printed_with(&FORMAT, &sample, &options)).expect("JSON");
    let uri = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "rust/my%20server/Cargo.toml");
}
