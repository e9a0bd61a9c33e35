//! The grammar of format strings (that of `std::fmt`), as far as it names arguments.

/// `{...}`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Placeholder<'v> {
    /// What is printed.
    pub(super) argument: Argument<'v>,
    /// Whether by `Debug`.
    pub(super) debug: bool,
    /// Arguments that say how wide or how precise.
    pub(super) widths: Vec<Argument<'v>>,
}

/// An argument, as a placeholder names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument<'v> {
    /// The next one.
    Next,
    /// By its number.
    Number(usize),
    /// By its name, which stands at that byte of the value.
    Name(&'v str, usize),
}

/// The placeholders of a string; none if it is no format string.
pub(super) fn placeholders(value: &str) -> Option<Vec<Placeholder<'_>>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = value[at..].find(['{', '}']) {
        let brace = at + found;
        if value[brace + 1..].starts_with(&value[brace..=brace]) {
            at = brace + 2;
            continue;
        }
        if value[brace..].starts_with('}') {
            return None;
        }
        let end = brace + value[brace..].find('}')?;
        out.push(placeholder(value, brace + 1, end)?);
        at = end + 1;
    }
    Some(out)
}

fn placeholder(value: &str, start: usize, end: usize) -> Option<Placeholder<'_>> {
    let inner = &value[start..end];
    let (name, spec) = inner.split_once(':').unwrap_or((inner, ""));
    let argument = argument(name.trim(), start + name.len() - name.trim_start().len())?;
    let mut widths = Vec::new();
    let spec_at = end - spec.len();
    if spec.contains(".*") {
        widths.push(Argument::Next);
    }
    for (dollar, _) in spec.match_indices('$') {
        let word = spec[..dollar]
            .rfind(|c| !is_word(c))
            .map_or(0, |before| before + spec[before..].chars().next().map_or(1, char::len_utf8));
        // `0width$` fills with zeros.
        let zero = usize::from(spec[word..dollar].starts_with('0') && dollar - word > 1);
        let word = word + zero;
        if word < dollar {
            widths.extend(self::argument(&spec[word..dollar], spec_at + word));
        }
    }
    Some(Placeholder { argument, debug: spec.trim_end().ends_with('?'), widths })
}

fn argument(text: &str, at: usize) -> Option<Argument<'_>> {
    if text.is_empty() {
        return Some(Argument::Next);
    }
    if let Ok(number) = text.parse() {
        return Some(Argument::Number(number));
    }
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (starts && text.chars().all(is_word)).then_some(Argument::Name(text, at))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{Argument, placeholders};

    #[test]
    fn placeholders_name_their_arguments() {
        let found = placeholders("a {} {{x}} {1:?} {host:>width$} {:08.*} {n:#x?}").expect("a format string");
        let args: Vec<_> = found.iter().map(|p| (p.argument, p.debug)).collect();
        assert_eq!(
            args,
            [
                (Argument::Next, false),
                (Argument::Number(1), true),
                (Argument::Name("host", 18), false),
                (Argument::Next, false),
                (Argument::Name("n", 41), true),
            ]
        );
        assert_eq!(found[2].widths, [Argument::Name("width", 24)]);
        assert_eq!(found[3].widths, [Argument::Next]);
    }

    #[test]
    fn what_is_no_format_string_has_none() {
        for text in ["{\"a\": 1}", "{", "}", "{a b}", "fn x() { }}"] {
            assert_eq!(placeholders(text), None, "{text}");
        }
        assert_eq!(placeholders("{{}}"), Some(Vec::new()));
    }
}
