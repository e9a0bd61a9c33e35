//! SQL looked at word by word, where it is no use or not possible to parse it.
//!
//! Two questions are answered: whether a text is worth parsing at all (most string literals of a
//! program are not SQL, and most SQL names none of the tables), and whether a text that does not parse
//! writes to one of them. Quotes are no boundary here: the body of a `DO` block or a function is a
//! string, and what is in it is run.

use std::ops::Range;

use super::rules::{FenceRules, TableName, fold};

/// A word, a name in double quotes, or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lexeme<'a> {
    text: &'a str,
    start: usize,
}

impl Lexeme<'_> {
    fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| (is_letter(c) && c != '$') || c == '"')
    }
}

const fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii()
}

/// Whether the text names one of the tables and holds a word that SQL of interest has.
pub(super) fn is_worth_parsing(sql: &str, rules: &FenceRules) -> bool {
    let words = lexemes(sql);
    let verbs = ["select", "insert", "update", "delete", "merge", "copy", "truncate", "table"];
    words.iter().any(|word| verbs.iter().any(|verb| word.is(verb)))
        && std::iter::once(&rules.table).chain(&rules.protects).any(|table| table.is_named_in(sql))
}

impl TableName {
    /// Whether a text names the table.
    pub fn is_named_in(&self, sql: &str) -> bool {
        names_word(sql, self.last())
    }
}

/// Whether a text has a name, quoted or not, in letters of any case.
pub fn names_word(sql: &str, name: &str) -> bool {
    let name = fold(name);
    lexemes(sql).iter().any(|word| fold(word.text) == name)
}

/// The writes to one of the tables in a text that does not parse, with the place of the table's name.
///
/// A verb counts where SQL can begin with it: at the start, behind a sign, or behind the few words that a
/// statement can follow. "could not delete from orders" is a message.
pub(super) fn writes<'r>(sql: &str, rules: &'r FenceRules) -> Vec<(&'r TableName, Range<usize>)> {
    let words = lexemes(sql);
    let mut found = Vec::new();
    for at in 0..words.len() {
        if !may_begin(words.get(..at).unwrap_or_default()) {
            continue;
        }
        let Some((name, range)) = target(words.get(at..).unwrap_or_default()) else { continue };
        if let Some(table) = rules.concerned(&name) {
            found.push((table, range));
        }
    }
    found
}

fn may_begin(before: &[Lexeme<'_>]) -> bool {
    const BEFORE: [&str; 14] = [
        "query",
        "in",
        "as",
        "then",
        "do",
        "also",
        "instead",
        "analyze",
        "verbose",
        "begin",
        "loop",
        "else",
        "materialized",
        "atomic",
    ];
    before.last().is_none_or(|last| !last.is_name() || BEFORE.iter().any(|word| last.is(word)))
}

/// The table that a statement which begins with these words writes to.
fn target(words: &[Lexeme<'_>]) -> Option<(Vec<String>, Range<usize>)> {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|w| w.is(word));
    let mut at = match words.first()?.text.to_ascii_lowercase().as_str() {
        "insert" | "merge" if is(1, "into") => 2,
        "delete" if is(1, "from") => 2,
        "update" | "copy" => 1,
        "truncate" if is(1, "table") => 2,
        "truncate" => 1,
        _ => return None,
    };
    if is(at, "only") {
        at += 1;
    }
    let first = name_at(words, at)?;
    let (mut name, mut last) = (vec![fold(first.name)], first.range.clone());
    at += first.words;
    while let (true, Some(part)) = (is(at, "."), name_at(words, at + 1)) {
        name.push(fold(part.name));
        last = part.range;
        at += 1 + part.words;
    }
    let follows = |word: &str| words.get(at..).is_some_and(|rest| rest.iter().any(|w| w.is(word)));
    let is_write = match words.first()?.text.to_ascii_lowercase().as_str() {
        // A query builder may push the rest; a sentence has more words and no SET.
        "update" => follows("set") || words.len() == at,
        "copy" => follows("from"),
        _ => true,
    };
    is_write.then_some((name, first.range.start..last.end))
}

/// A name, or the hole of a `format!` that stands for one.
struct NameAt<'a> {
    name: &'a str,
    range: Range<usize>,
    /// How many lexemes it takes.
    words: usize,
}

fn name_at<'a>(words: &[Lexeme<'a>], at: usize) -> Option<NameAt<'a>> {
    let first = words.get(at)?;
    let end = |word: &Lexeme<'_>| word.start + word.text.len();
    if first.is_name() {
        return Some(NameAt { name: first.text, range: first.start..end(first), words: 1 });
    }
    if !first.is("{") {
        return None;
    }
    let close = words.get(at + 1..)?.iter().take(3).position(|word| word.is("}"))?;
    let name = words.get(at + 1).filter(|word| close > 0 && word.is_name()).map_or("", |word| word.text);
    let last = words.get(at + 1 + close)?;
    Some(NameAt { name, range: first.start..end(last), words: close + 2 })
}

fn lexemes(sql: &str) -> Vec<Lexeme<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = sql.get(at..).filter(|rest| !rest.is_empty()) {
        let length = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let length = lexeme(rest);
            if !rest.starts_with(char::is_whitespace) {
                found.push(Lexeme { text: rest.get(..length).unwrap_or_default(), start: at });
            }
            length
        };
        at += length;
    }
    found
}

/// The length of what stands at the start.
fn lexeme(rest: &str) -> usize {
    let first = rest.chars().next().map_or(1, char::len_utf8);
    if rest.starts_with('"') {
        return rest.get(1..).and_then(|name| name.find('"')).map_or(first, |end| end + 2);
    }
    // A dollar alone quotes a body: `$$` and `$tag$` are signs.
    if rest.starts_with('$') {
        let tag = rest.get(1..).unwrap_or_default().find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        return match tag {
            Some(end) if rest.get(1 + end..).is_some_and(|r| r.starts_with('$')) => end + 2,
            Some(end) => (end + 1).max(1),
            None => rest.len(),
        };
    }
    if rest.starts_with(is_letter) {
        return rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
    }
    first
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::EpochRises;

    fn rules() -> FenceRules {
        FenceRules::new("ops.worker_leases", ["holder", "epoch", "expires_at"], EpochRises::Grant, &["orders"])
    }

    fn tables(sql: &str) -> Vec<String> {
        let rules = rules();
        writes(sql, &rules).into_iter().map(|(_, range)| sql[range].to_owned()).collect()
    }

    #[test]
    fn writes_are_seen_in_what_does_not_parse() {
        for (sql, table) in [
            ("UPDATE orders SET {columns} WHERE", "orders"),
            ("insert\n into public.\"Orders\" (", "public.\"Orders\""),
            ("WITH x AS (DELETE FROM ONLY orders", "orders"),
            ("DO $$ BEGIN UPDATE orders SET a = 1; END $$", "orders"),
            ("DO $body$UPDATE orders SET a = 1$body$", "orders"),
            ("EXECUTE 'TRUNCATE TABLE orders", "orders"),
            ("/* a; b */ COPY orders (a) FROM stdin WITH (weird", "orders"),
            ("MERGE INTO worker_leases USING", "worker_leases"),
            ("UPDATE orders ", "orders"),
            ("BEGIN RETURN QUERY UPDATE orders SET a = 1 RETURNING *; END", "orders"),
            ("FOR r IN DELETE FROM orders RETURNING * LOOP", "orders"),
            ("with j as (select 1 {clause}) update {orders} as o set a = 1 {rest}", "{orders}"),
            ("INSERT INTO {schema}.orders ({columns}) VALUES {rows}", "{schema}.orders"),
            ("DELETE FROM {}.orders WHERE {} {}", "{}.orders"),
        ] {
            assert_eq!(tables(sql), [table], "{sql}");
        }
    }

    #[test]
    fn sentences_and_other_tables_are_left_alone() {
        for sql in [
            "could not delete from orders",
            "failed to update orders: {}",
            "please Update orders when set",
            "-- DELETE FROM orders\nSELECT 1",
            "UPDATE orders_archive SET a = 1",
            "UPDATE archive SET orders = 1",
            "COPY orders TO stdout",
            "SELECT * FROM orders FOR UPDATE",
            "INSERT INTO audit.worker_leases",
        ] {
            assert_eq!(tables(sql), [""; 0], "{sql}");
        }
    }

    #[test]
    fn most_text_is_not_worth_parsing() {
        assert!(is_worth_parsing("select 1 from Worker_Leases", &rules()));
        assert!(is_worth_parsing("INSERT INTO \"orders\"", &rules()));
        assert!(!is_worth_parsing("orders", &rules()));
        assert!(!is_worth_parsing("SELECT * FROM order_lines", &rules()));
        assert!(!is_worth_parsing("", &rules()));
    }

    proptest! {
        #[test]
        fn ranges_are_within_the_text(sql in "(UPDATE |orders| SET |[$]|'|\"|\\.|é|--|/\\*|\n|INSERT INTO ){0,12}") {
            for (_, range) in writes(&sql, &rules()) {
                prop_assert!(sql.get(range).is_some());
            }
            let whole: usize = lexemes(&sql).iter().map(|l| l.text.len()).sum();
            prop_assert!(whole <= sql.len());
        }
    }
}
