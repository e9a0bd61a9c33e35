//! What may stand before the first token of a file and is none: a byte-order mark, a shebang line, and
//! the frontmatter of a cargo script.

/// How many bytes of the text come before what the tokeniser may see.
pub(super) fn length(text: &str) -> usize {
    let mut at = 0;
    if text.starts_with('\u{feff}') {
        at += '\u{feff}'.len_utf8();
    }
    let rest = &text[at..];
    // `#![attribute]` begins like a shebang; rustc looks past blanks and comments for the bracket.
    if rest.starts_with("#!") && !past_blanks(&rest[2..]).starts_with('[') {
        at += rest.find('\n').unwrap_or(rest.len());
    }
    at + frontmatter(&text[at..])
}

/// A block between two fences of three or more dashes, which only blank lines may precede.
fn frontmatter(text: &str) -> usize {
    let body = text.trim_start();
    let dashes = body.len() - body.trim_start_matches('-').len();
    let start = text.len() - body.len();
    if dashes < 3 || !(start == 0 || text[..start].contains('\n')) {
        return 0;
    }
    let fence = &body[..dashes];
    let Some(first) = body.find('\n') else { return 0 };
    // `---` opens frontmatter only where the rest of the line is a bare word, if anything.
    if !body[dashes..first].trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) {
        return 0;
    }
    let mut at = first + 1;
    for line in body[at..].split_inclusive('\n') {
        at += line.len();
        if line.strip_prefix(fence).is_some_and(|rest| rest.trim().is_empty()) {
            return start + at;
        }
    }
    0
}

fn past_blanks(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if text.starts_with("//") {
            text = text.find('\n').map_or("", |end| &text[end..]);
        } else if text.starts_with("/*") {
            let Some(rest) = past_comment(text) else { return text };
            text = rest;
        } else {
            return text;
        }
    }
}

fn past_comment(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return text.get(at..);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::length;

    fn rest(text: &str) -> &str {
        &text[length(text)..]
    }

    #[test]
    fn marks_shebangs_and_frontmatter_go_and_nothing_else() {
        assert_eq!(rest("\u{feff}fn a() {}"), "fn a() {}");
        assert_eq!(rest("#!/usr/bin/env cargo\r\nfn a() {}"), "\nfn a() {}");
        assert_eq!(rest("#!/usr/bin/env cargo"), "");
        assert_eq!(rest("#! /* c */ // d\n [allow(x)]"), "#! /* c */ // d\n [allow(x)]");
        assert_eq!(rest("#!/x\n---cargo\n[package]\n---\nfn a() {}"), "fn a() {}");
        assert_eq!(rest("---\nnever closed"), "---\nnever closed");
        assert_eq!(rest("#! /* open"), "");
        assert_eq!(rest(""), "");
        assert_eq!(rest("-- x"), "-- x");
    }
}
