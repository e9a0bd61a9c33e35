//! Text from the checked workspace, made harmless to look at.

use std::borrow::Cow;

/// Replaces what could drive a terminal or hide text (control characters, escapes, bidirectional
/// overrides, invisible format characters) by a visible escape such as `\u{1b}`. Tabs become a space.
///
/// The list of bidirectional controls is that of Unicode Annex 9; those of the "Trojan Source"
/// report (CVE-2021-42574) are among them.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c == '\t' || is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The one visible character that stands for one which could drive a terminal or hide text, so that
/// columns stay those of the file; every other, and the tab, stands for itself.
pub fn in_place(c: char) -> char {
    match c {
        '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    }
}

/// Whether a character could drive a terminal or hide text; see [`visible`].
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn escapes_are_shown_not_sent() {
        assert_eq!(visible("a\u{1b}[31mb\n\u{202e}"), "a\\u{1b}[31mb\\u{a}\\u{202e}");
        assert!(matches!(visible("plain é"), std::borrow::Cow::Borrowed(_)));
    }
}
