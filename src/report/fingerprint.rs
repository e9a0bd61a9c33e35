//! What makes two findings of two runs the same one.
//!
//! No line number goes in, so that a finding keeps its fingerprint when code moves; what goes in is
//! what the user sees it by. The hash is FNV-1a (64 bits), which is fixed for good, unlike the
//! standard library's.

use std::hash::Hasher;

use fnv::FnvHasher;

use crate::{base::Files, finding::Finding};

/// The fingerprint's name in formats that want one; the number changes with what goes in.
pub(super) const NAME: &str = "leaseGuard/v1";

/// 16 hexadecimal digits out of lint, lease, subject, file and the items of the route.
pub(super) fn of(finding: &Finding, files: &Files) -> String {
    let file = files.get(finding.primary.file);
    let parts = [finding.lint, &finding.lease, &finding.subject, &file.path];
    hash(parts.into_iter().chain(finding.route.iter().map(|hop| hop.item.as_str())))
}

/// 16 hexadecimal digits out of a text.
pub(super) fn of_text(text: &str) -> String {
    hash([text])
}

fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = FnvHasher::default();
    for part in parts {
        // With its length before it, no part can run into the next.
        hasher.write(&(part.len() as u64).to_le_bytes());
        hasher.write(part.as_bytes());
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::of;

    #[test]
    fn a_fingerprint_outlives_moved_lines_and_tells_findings_apart() {
        let sample = sample::offending();
        let found = &sample.report.findings;
        let all: std::collections::BTreeSet<String> = found.iter().map(|finding| of(finding, &sample.files)).collect();
        assert_eq!(all.len(), found.len());
        for finding in found {
            let mut moved = finding.clone();
            moved.primary.start = 0;
            moved.primary.end = 1;
            moved.route.iter_mut().for_each(|hop| hop.place.start = hop.place.end);
            assert_eq!(of(&moved, &sample.files), of(finding, &sample.files));
            moved.lease.push('x');
            assert_ne!(of(&moved, &sample.files), of(finding, &sample.files));
        }
    }

    #[test]
    fn the_hash_is_fixed() {
        let sample = sample::offending();
        let found = sample.report.findings.iter().find(|finding| finding.subject == "reqwest").expect("there");
        assert_eq!(of(found, &sample.files), "e4fd31abb5125db9");
    }
}
