//! Places as links (OSC 8), for terminals that follow them.
//!
//! The renderer writes `--> path:line:column`; the path becomes a link to the file. Only a path that is
//! shown just as it is, of a file that was read, becomes one, so that no text of the workspace can make a link.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::base::Files;

/// What stays as it is in the path of a URL.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// What stands before a place.
const ARROWS: [&str; 2] = ["--> ", "::: "];
/// What ends the colour of an arrow.
const RESET: &str = "\u{1b}[0m";

/// The same text with the places in it as links.
pub(super) fn linked(text: &str, files: &Files) -> String {
    text.lines().map(|line| link(line, files).unwrap_or_else(|| line.to_owned())).collect::<Vec<_>>().join("\n")
}

fn link(line: &str, files: &Files) -> Option<String> {
    let (arrow, at) = ARROWS.iter().find_map(|arrow| Some((arrow, line.find(arrow)?)))?;
    let (before, behind) = line.split_at(at + arrow.len());
    let place = behind.strip_prefix(RESET).unwrap_or(behind);
    let reset = behind.strip_suffix(place)?;
    let (rest, _column) = place.rsplit_once(':')?;
    let (path, _line) = rest.rsplit_once(':')?;
    let file = files.get(files.known(&files.root().join(path))?);
    let url = (file.path == path).then(|| utf8_percent_encode(file.absolute.as_str(), PATH))?;
    Some(format!("{before}{reset}\u{1b}]8;;file://{url}\u{1b}\\{place}\u{1b}]8;;\u{1b}\\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_of_a_file_that_was_read_is_a_link_and_nothing_else_is() {
        let files = Files::new("/w/my ws");
        files.add("/w/my ws/src/a.rs".into(), "fn a() {}".into());
        let shown =
            linked("  --> src/a.rs:1:4\n \u{1b}[1m::: \u{1b}[0msrc/a.rs:9:1\nx --> src/b.rs:1:1\n1 | a --> b", &files);
        let to = "\u{1b}]8;;file:///w/my%20ws/src/a.rs\u{1b}\\";
        let end = "\u{1b}]8;;\u{1b}\\";
        assert_eq!(
            shown,
            format!(
                "  --> {to}src/a.rs:1:4{end}\n \u{1b}[1m::: \u{1b}[0m{to}src/a.rs:9:1{end}\nx --> src/b.rs:1:1\n1 | a --> b"
            )
        );
    }
}
