//! Systems on which no isolation is known: there is no drill on them, and that is what it says.

use super::{BaseUrls, Condition, DrillError, DrillOptions, isolated::Outcome};

/// Isolates nothing.
#[derive(Debug)]
pub(super) struct Isolator {}

impl Isolator {
    pub(super) fn new(_: &DrillOptions) -> Result<Self, DrillError> {
        Err(DrillError::NotLinux)
    }

    pub(super) fn run(&mut self, _: Condition, _: &BaseUrls) -> Result<Outcome, DrillError> {
        Err(DrillError::NotLinux)
    }

    pub(super) fn allowed(&self) -> Vec<String> {
        Vec::new()
    }
}
