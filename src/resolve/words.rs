//! What the text of the local packages says, word by word, gathered in one pass over each file.
//!
//! Parsing a file costs several hundred times what reading its words does. So the words tell which
//! files may hold an impl, a macro or a caller, and only those are parsed. A word found is never
//! proof, it is a reason to look; a word that is not there is proof that looking is idle. To find
//! code by another trait of its text, gather that here, in [`FileWords::of`].

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;

use super::{
    expand::{has_word_before, is_word},
    impls::POINTERS,
};

/// Names that associated types of everyday traits have: no alias that anyone calls by its name.
const ASSOCIATED: [&str; 4] = ["Target", "Output", "Item", "Error"];

/// Types of the standard library that are not what they hold: nobody calls that by the name of an alias for them.
const CONTAINERS: [&str; 14] = [
    "BTreeMap", "BTreeSet", "Cell", "HashMap", "HashSet", "LazyLock", "Mutex", "OnceLock", "Option", "RefCell",
    "Result", "RwLock", "Vec", "VecDeque",
];

/// How far behind `impl` its header can reach, in bytes. A header without an end within that ends there.
const LONGEST_HEADER: usize = 4096;

/// How far behind `type` the aliased type can reach, in bytes.
const LONGEST_ALIAS: usize = 400;

/// The words of all files.
#[derive(Debug, Default)]
pub(super) struct WordIndex {
    /// The files, by path.
    pub(super) files: Vec<Utf8PathBuf>,
    headers: BTreeMap<Box<str>, Vec<usize>>,
    aliases: BTreeMap<Box<str>, BTreeSet<Box<str>>>,
}

/// The words of one file.
#[derive(Debug, Default)]
pub(super) struct FileWords {
    headers: BTreeSet<Box<str>>,
    aliases: BTreeSet<(Box<str>, Box<str>)>,
}

impl WordIndex {
    pub(super) fn new(files: Vec<Utf8PathBuf>, words: Vec<FileWords>) -> Self {
        let mut index = Self { files, ..Self::default() };
        for (file, words) in words.into_iter().enumerate() {
            for word in words.headers {
                index.headers.entry(word).or_default().push(file);
            }
            for (word, alias) in words.aliases {
                index.aliases.entry(word).or_default().insert(alias);
            }
        }
        index
    }

    /// Files with an impl whose header has a word, by number.
    pub(super) fn with_header(&self, word: &str) -> impl Iterator<Item = usize> + '_ {
        self.headers.get(word).into_iter().flatten().copied()
    }

    /// Names that a name is imported or aliased as, anywhere: `X as Y`, `type Y = ... X`.
    pub(super) fn aliases(&self, name: &str) -> impl Iterator<Item = &str> {
        self.aliases.get(name).into_iter().flatten().map(|alias| &**alias)
    }
}

impl FileWords {
    /// Of a file's text.
    pub(super) fn of(text: &str) -> Self {
        let text = text.as_bytes();
        let mut words = Self::default();
        has_word_before(text, b"impl", |rest| {
            words.headers.extend(each_word(header(&rest[..rest.len().min(LONGEST_HEADER)])).map(Box::from));
            false
        });
        has_word_before(text, b"as", |rest| {
            let before = &text[..text.len() - rest.len() - b"as".len()];
            if let (Some(word), Some(alias)) = (word_before(before), imported_as(rest))
                && !is_comment(before)
            {
                words.alias(word, alias);
            }
            false
        });
        has_word_before(text, b"type", |rest| {
            let rest = &rest[..rest.len().min(LONGEST_ALIAS)];
            if let Some((alias, behind)) = split_word(skip_blank(rest))
                && !ASSOCIATED.contains(&alias)
                && let Some(of) = aliased(behind)
            {
                heads(of, &mut |word| words.alias(word, alias));
            }
            false
        });
        words
    }

    fn alias(&mut self, word: &str, alias: &str) {
        // `x as u64` is a cast, and no type of a workspace is called so.
        let idle = alias == "_" || alias == word || super::outside::is_primitive(alias);
        if !idle {
            self.aliases.insert((word.into(), alias.into()));
        }
    }
}

/// The name behind `as`, where an import may end: in a list, at its end, or before a comment.
fn imported_as(rest: &[u8]) -> Option<&str> {
    let (name, behind) = split_word(skip_blank(rest))?;
    let behind = skip_blank(behind).first();
    behind.is_none_or(|c| b",;})".contains(c)).then_some(name)
}

/// Whether the line that a text ends with is a comment's. One that seems so and imports may as well be the end of
/// a string or of another comment.
fn is_comment(text: &[u8]) -> bool {
    let line = &text[memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)..];
    line.trim_ascii_start().starts_with(b"//") && !each_word(line).any(|word| matches!(word, "use" | "extern"))
}

/// What is behind blanks and comments.
fn skip_blank(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        let end = match text {
            [b'/', b'/', ..] => memchr::memchr(b'\n', text),
            [b'/', b'*', ..] => memchr::memmem::find(text, b"*/").map(|at| at + 2),
            _ => return text,
        };
        text = &text[end.unwrap_or(text.len())..];
    }
}

/// The header that stands behind `impl`: up to the first `{` or `;` that is in no brackets and no comment.
fn header(text: &[u8]) -> &[u8] {
    let (mut at, mut depth) = (0, 0usize);
    while let Some(byte) = text.get(at) {
        match byte {
            b'/' => {
                at = (text.len() - skip_blank(&text[at..]).len()).max(at + 1);
                continue;
            }
            b'<' | b'(' | b'[' => depth += 1,
            b'>' if at > 0 && text[at - 1] == b'-' => {}
            b'>' | b')' | b']' => depth = depth.saturating_sub(1),
            b'{' | b';' if depth == 0 => return &text[..at],
            _ => {}
        }
        at += 1;
    }
    text
}

/// The type that an alias is for, whose name stands before this text: behind the `=`, parameters with theirs passed
/// over.
fn aliased(text: &[u8]) -> Option<&[u8]> {
    let text = skip_blank(text);
    if !text.starts_with(b"where") && !text.first().is_some_and(|c| b"<=:".contains(c)) {
        return None;
    }
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if at > 0 && text[at - 1] != b'-' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 => {
                let of = &text[at + 1..];
                return Some(&of[..memchr::memchr2(b';', b'{', of).unwrap_or(of.len())]);
            }
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The names whose own items can be called through an alias for a type: the last of its path, and that of what a
/// pointer points to, or what a type that is not known may be an alias of. All words of anything that is no path.
fn heads(of: &[u8], each: &mut impl FnMut(&str)) {
    let (mut rest, mut head) = (of, None);
    loop {
        let signs = |text: &[u8]| text.iter().take_while(|c| b"&:,".contains(c)).count();
        while rest.len() != skip_blank(rest).len() || signs(rest) > 0 {
            rest = skip_blank(rest);
            rest = &rest[signs(rest)..];
        }
        rest = match (rest.strip_prefix(b"'"), split_word(rest)) {
            (Some(lifetime), _) => split_word(lifetime).map_or(lifetime, |(_, behind)| behind),
            (None, Some(("dyn" | "impl", _))) => return each_word(of).for_each(each),
            (None, Some((word, behind))) => {
                head = Some(word);
                behind
            }
            (None, None) => break,
        };
    }
    let Some(head) = head else { return each_word(of).for_each(each) };
    each(head);
    match rest.strip_prefix(b"<") {
        Some(within) if POINTERS.contains(&head) => heads(within, each),
        Some(within) if !CONTAINERS.contains(&head) => each_word(within).for_each(each),
        _ => {}
    }
}

/// The words of a piece of text, numbers among them.
pub fn each_word(text: &[u8]) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(*c)).filter(|word| !word.is_empty()).filter_map(|word| std::str::from_utf8(word).ok())
}

/// The word that text begins with.
pub(super) fn word_at(text: &[u8]) -> Option<&str> {
    split_word(text).map(|(word, _)| word)
}

/// The word that text begins with, and what is behind it.
fn split_word(text: &[u8]) -> Option<(&str, &[u8])> {
    let text = text.strip_prefix(b"r#").unwrap_or(text);
    let (word, behind) = text.split_at(text.iter().take_while(|c| is_word(**c)).count());
    std::str::from_utf8(word).ok().filter(|word| !word.is_empty()).map(|word| (word, behind))
}

fn word_before(text: &[u8]) -> Option<&str> {
    let text = text.trim_ascii_end();
    let start = text.len() - text.iter().rev().take_while(|c| is_word(**c)).count();
    std::str::from_utf8(&text[start..]).ok().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aliases(text: &str, name: &str) -> Vec<String> {
        let index = WordIndex::new(vec!["a.rs".into()], vec![FileWords::of(text)]);
        index.aliases(name).map(str::to_owned).collect()
    }

    #[test]
    fn a_name_leads_to_what_it_is_called_elsewhere() {
        let text = "use a::{Keeper\n  as Holder, b::Keeper as r#type}; type Shared = Arc<Keeper>; fn f(Keeper: X) {}";
        assert_eq!(aliases(text, "Keeper"), ["Holder", "Shared", "type"]);
        assert_eq!(aliases(text, "Arc"), ["Shared"]);
        assert!(aliases(text, "Holder").is_empty());
    }

    #[test]
    fn a_header_ends_at_the_brace_that_is_in_no_brackets() {
        let of = |text: &str| String::from_utf8_lossy(header(text.as_bytes())).into_owned();
        for whole in ["From<[u8; 4]> for Key ", "<T: Fn() -> [u8; 2]> A<{ 2 + 2 }> for /* { */ Key // ;\n"] {
            assert_eq!(of(&format!("{whole}{{ fn f() {{}} }}")), whole);
        }
        assert_eq!([of("> for { }"), of("/"), of("/ x; y"), of("[(<")], ["> for ", "/", "/ x", "[(<"]);
    }

    #[test]
    fn an_alias_leads_to_what_its_own_items_are_called_through() {
        let of = |text: &str| {
            let mut found = Vec::new();
            heads(text.as_bytes(), &mut |word| found.push(word.to_owned()));
            found
        };
        assert_eq!(of(" a::Keeper<'a, Other>"), ["Keeper", "a", "Other"]);
        assert_eq!(of(" Arc < Box<r#type::Keeper>>"), ["Arc", "Box", "Keeper"]);
        assert_eq!(of("std::borrow::Cow<'a, Keeper>"), ["Cow", "Keeper"]);
        assert_eq!(of("&'static Keeper"), ["Keeper"]);
        assert_eq!(of("Result<Other, Keeper>"), ["Result"]);
        assert_eq!(of("Id<a:: /* the usual */ Keeper>"), ["Id", "a", "the", "usual", "Keeper"]);
        assert_eq!(of("a:: // c\n Keeper"), ["Keeper"]);
        assert_eq!(of("Arc<dyn Send + a::Keeper>"), ["Arc", "dyn", "Send", "a", "Keeper"]);
        assert_eq!(of("<Keeper as Trait>::Out"), ["Keeper", "as", "Trait", "Out"]);
        let default = "type Shared<T: Fn() -> A = B> = Keeper<T>;";
        assert_eq!(aliases(default, "Keeper"), ["Shared"]);
        assert!(aliases(default, "B").is_empty());
    }

    #[test]
    fn what_is_said_of_a_name_in_a_comment_gives_it_no_other() {
        assert!(
            aliases("/// Keeper as to its time, Keeper as of\n/// today\n// the type of x = Keeper;", "Keeper")
                .is_empty()
        );
        assert_eq!(aliases("use a::{Keeper as Holder // the old name\n, b}", "Keeper"), ["Holder"]);
        assert_eq!(aliases("// */ use a::{Keeper as /* new */ Error};", "Keeper"), ["Error"]);
        assert_eq!(
            aliases("type Short /* c */ = Keeper; type Other where u8: Copy = Keeper;", "Keeper"),
            ["Other", "Short"]
        );
    }

    #[test]
    fn a_cast_and_an_associated_type_give_no_name() {
        let text = "fn f() { count as u64; } impl Deref for A { type Target = Keeper; } use Keeper as _; was type";
        assert!(aliases(text, "count").is_empty());
        assert!(aliases(text, "Keeper").is_empty());
        assert!(aliases(text, "w").is_empty());
    }

    #[test]
    fn a_file_is_found_by_each_word_of_its_headers_and_by_no_other() {
        let text = "impl<T: Bound> a::Trait for Box<Keeper<T>> where T: Send { fn held(&self) {} }\nstruct Other;";
        let index = WordIndex::new(vec!["a.rs".into()], vec![FileWords::of(text)]);
        for word in ["Bound", "Trait", "Keeper", "Send"] {
            assert_eq!(index.with_header(word).collect::<Vec<_>>(), [0], "{word}");
        }
        assert_eq!(index.with_header("Other").count() + index.with_header("held").count(), 0);
    }
}
