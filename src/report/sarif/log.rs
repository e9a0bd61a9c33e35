//! The part of SARIF 2.1.0 that we write, named as the standard names it.
//!
//! Types of our own, because the crate that has them all generates them in a build script and would
//! be our largest dependency; a test holds the output against the standard's schema.

use std::collections::BTreeMap;

use serde::Serialize;

/// `sarifLog`.
#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run; 1],
}

/// `run`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) invocations: [Invocation; 1],
    pub(super) original_uri_base_ids: UriBases,
    pub(super) column_kind: &'static str,
    pub(super) results: Vec<SarifResult>,
}

/// `run.originalUriBaseIds`.
#[derive(Serialize)]
pub(super) struct UriBases {
    #[serde(rename = "SRCROOT")]
    pub(super) root: UriBase,
}

/// An `artifactLocation` that says what a base is, and leaves to the reader where it lies.
#[derive(Serialize)]
pub(super) struct UriBase {
    pub(super) description: Text,
}

/// `tool`.
#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

/// `toolComponent`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) rules: Vec<Rule>,
}

/// `reportingDescriptor`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) short_description: Text,
    pub(super) full_description: Text,
    pub(super) help: Help,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default_configuration: Option<Configuration>,
}

/// `reportingConfiguration`.
#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) enabled: bool,
    pub(super) level: &'static str,
}

/// `multiformatMessageString`.
#[derive(Serialize)]
pub(super) struct Help {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) markdown: Option<String>,
}

/// `message`.
#[derive(Serialize)]
pub(super) struct Text {
    pub(super) text: String,
}

/// `invocation`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) exit_code: u8,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

/// `notification`.
#[derive(Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) locations: Vec<Location>,
}

/// `result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) code_flows: Vec<CodeFlow>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, String>,
    pub(super) suppressions: Vec<Suppression>,
    pub(super) properties: Properties,
}

/// The property bag of a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Properties {
    pub(super) lease: String,
    pub(super) subject: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) dependency_chain: Vec<String>,
}

/// `suppression`.
#[derive(Serialize)]
pub(super) struct Suppression {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: String,
}

/// `codeFlow`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow {
    pub(super) message: Text,
    pub(super) thread_flows: [ThreadFlow; 1],
}

/// `threadFlow`.
#[derive(Serialize)]
pub(super) struct ThreadFlow {
    pub(super) locations: Vec<FlowStep>,
}

/// `threadFlowLocation`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FlowStep {
    pub(super) execution_order: usize,
    pub(super) importance: &'static str,
    pub(super) location: Location,
}

/// `location`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Text>,
}

/// `physicalLocation`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) region: Region,
}

/// `artifactLocation`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    pub(super) uri_base_id: &'static str,
}

/// `region`; the end column is behind the last character, as the standard wants it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u32,
    pub(super) start_column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}
