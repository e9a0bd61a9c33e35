//! The forbidden literals, and where a text holds one.
//!
//! All literals are searched at once. A hit counts only where the literal stands alone: where it
//! begins or ends with a letter or digit, no further letter or digit may adjoin it. `.`, `-` and `_`
//! separate, because hosts and key names are put together with them: `eu.api.openai.com`,
//! `us-central1-aiplatform.googleapis.com` and `MY_OPENAI_API_KEY_2` mean what they hold. Behind a URL
//! path, though, `-` and `_` go on with the same segment: `/v1/rerank-jobs` is another path.

use aho_corasick::AhoCorasick;

use super::PackName;

/// A forbidden literal and where it comes from.
#[derive(Debug)]
pub(super) struct Entry {
    /// The pack, or none for `[forbid] strings`.
    pub(super) pack: Option<PackName>,
    pub(super) literal: String,
    pub(super) why: String,
}

/// The literals that are in force.
#[derive(Debug)]
pub(super) struct Literals {
    entries: Vec<Entry>,
    /// None only where the automaton could not be built, for want of room: then each is searched alone.
    automaton: Option<AhoCorasick>,
}

impl Literals {
    /// Takes the literals in; an empty one, which every text holds, is left out.
    pub(super) fn new(mut entries: Vec<Entry>) -> Self {
        entries.retain(|entry| !entry.literal.is_empty());
        let automaton = AhoCorasick::new(entries.iter().map(|entry| &entry.literal)).ok();
        Self { entries, automaton }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The longest literal that the text holds; of two as long, the one that the text holds first.
    pub(super) fn longest_in(&self, text: &str) -> Option<&Entry> {
        match &self.automaton {
            Some(automaton) => {
                let hits = automaton.find_overlapping_iter(text);
                self.longest(text, hits.map(|hit| (hit.pattern().as_usize(), hit.start())))
            }
            None => {
                let places = |(at, entry): (usize, &Entry)| {
                    text.match_indices(&entry.literal).map(|(start, _)| (at, start)).collect::<Vec<_>>()
                };
                self.longest(text, self.entries.iter().enumerate().flat_map(places))
            }
        }
    }

    fn longest(&self, text: &str, hits: impl Iterator<Item = (usize, usize)>) -> Option<&Entry> {
        let hits = hits.filter_map(|(at, start)| Some((self.entries.get(at)?, at, start)));
        hits.filter(|(entry, _, start)| stands_alone(text, *start, &entry.literal))
            .min_by_key(|(entry, at, start)| (usize::MAX - entry.literal.len(), *start, *at))
            .map(|(entry, ..)| entry)
    }
}

/// Whether the literal that begins at byte `start` of the text is no part of a longer word.
fn stands_alone(text: &str, start: usize, literal: &str) -> bool {
    let before = text.get(..start).and_then(|before| before.chars().next_back());
    let after = text.get(start + literal.len()..).and_then(|after| after.chars().next());
    let is_path = literal.contains('/');
    let letter = |c: char| c.is_alphanumeric();
    let goes_on = |c: char| letter(c) || (is_path && matches!(c, '-' | '_'));
    let part_of_more = (literal.starts_with(letter) && before.is_some_and(letter))
        || (literal.ends_with(letter) && after.is_some_and(goes_on));
    !part_of_more
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn literals(of: &[&str]) -> Literals {
        let entry = |literal: &&str| Entry { pack: None, literal: (*literal).to_owned(), why: String::new() };
        Literals::new(of.iter().map(entry).collect())
    }

    fn found<'a>(of: &[&'a str], text: &str) -> Option<&'a str> {
        let literals = literals(of);
        let hit = literals.longest_in(text)?.literal.clone();
        of.iter().copied().find(|literal| *literal == hit)
    }

    #[test]
    fn a_host_counts_with_what_stands_before_and_behind_it() {
        for text in
            ["api.x.ai", "https://api.x.ai/v1", "Host: api.x.ai\r\n", "eu.api.x.ai", "eu-api.x.ai", "(api.x.ai)"]
        {
            assert_eq!(found(&["api.x.ai"], text), Some("api.x.ai"), "{text}");
        }
        for text in ["myapi.x.ai", "api.x.aims", "api.x.ai2", "api-x-ai", "éapi.x.ai", "api.x.aié"] {
            assert_eq!(found(&["api.x.ai"], text), None, "{text}");
        }
    }

    #[test]
    fn a_key_name_may_be_part_of_a_longer_key_name() {
        for text in ["OPENAI_API_KEY", "MY_OPENAI_API_KEY_2", "${OPENAI_API_KEY}", "OPENAI_API_KEY-FILE"] {
            assert_eq!(found(&["OPENAI_API_KEY"], text), Some("OPENAI_API_KEY"), "{text}");
        }
        for text in ["XOPENAI_API_KEY", "OPENAI_API_KEYS", "openai_api_key"] {
            assert_eq!(found(&["OPENAI_API_KEY"], text), None, "{text}");
        }
    }

    #[test]
    fn a_url_path_ends_where_its_segment_ends() {
        for text in ["/v1/rerank", "http://h/v1/rerank?top=3", "/v1/rerank/", "POST /v1/rerank HTTP/1.1", "x/v1/rerank"]
        {
            assert_eq!(found(&["/v1/rerank"], text), Some("/v1/rerank"), "{text}");
        }
        for text in ["/v1/reranks", "/v1/rerank-jobs", "/v1/rerank_jobs"] {
            assert_eq!(found(&["/v1/rerank"], text), None, "{text}");
        }
    }

    #[test]
    fn the_longest_is_reported_though_a_shorter_one_comes_first() {
        let of = ["/chat/completions", "/v1/chat/completions", ":11434", "localhost:11434"];
        assert_eq!(found(&of, "x:11434 http://api/v1/chat/completions"), Some("/v1/chat/completions"));
        assert_eq!(found(&of, "http://localhost:11434"), Some("localhost:11434"));
        assert_eq!(found(&of, "http://10.0.0.9:11434/"), Some(":11434"));
        assert_eq!(found(&of, "localhost:114345"), None);
        assert_eq!(found(&["ab", "cd"], "cd ab"), Some("cd"), "of two as long, the first in the text");
    }

    #[test]
    fn an_empty_literal_is_in_no_text() {
        assert_eq!(found(&[""], "anything"), None);
        assert_eq!(found(&[], "anything"), None);
    }

    proptest! {
        #[test]
        fn what_is_found_is_in_the_text(text in "(?s).{0,40}", of in proptest::collection::vec("[a-cé./_-]{0,4}", 0..6)) {
            let of: Vec<&str> = of.iter().map(String::as_str).collect();
            if let Some(entry) = literals(&of).longest_in(&text) {
                prop_assert!(text.contains(&entry.literal));
            }
        }

        #[test]
        fn both_searches_find_the_same(text in "[a-cé./_-]{0,30}", of in proptest::collection::vec("[a-cé./_-]{1,4}", 0..6)) {
            let of: Vec<&str> = of.iter().map(String::as_str).collect();
            let all = literals(&of);
            let alone = Literals { automaton: None, ..literals(&of) };
            let literal = |found: Option<&Entry>| found.map(|entry| entry.literal.clone());
            prop_assert_eq!(literal(all.longest_in(&text)), literal(alone.longest_in(&text)));
        }

        #[test]
        fn a_literal_between_blanks_is_found(before in "[a-c ]{0,6}", literal in "[a-cA-C0-9./_:-]{1,8}", after in "[a-c ]{0,6}") {
            let text = format!("{before} {literal} {after}");
            prop_assert!(found(&[&literal], &text).is_some());
        }
    }
}
