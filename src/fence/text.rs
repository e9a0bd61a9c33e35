//! A text of SQL as statements, and places in it as bytes.
//!
//! What drivers and `format!` add to SQL is made into plain SQL before it is parsed: `?` and `{name}`
//! become placeholders where a value is due, `{name}` a name where a name is due, and the row locks that
//! the parser does not know (`FOR NO KEY UPDATE`) those that it does. The places stay those of the text.

use std::ops::Range;

use sqlparser::{
    dialect::PostgreSqlDialect,
    keywords::Keyword,
    tokenizer::{Location, Span, Token, TokenWithSpan, Tokenizer, Word},
};

/// The placeholder of a driver that counts them (`?`): two of them may stand for the same value or not.
pub(super) const ANONYMOUS: &str = "?";

/// A text, with the starts of its lines.
pub(super) struct Text<'a> {
    sql: &'a str,
    lines: Vec<usize>,
}

impl<'a> Text<'a> {
    pub(super) fn new(sql: &'a str) -> Self {
        let lines = std::iter::once(0).chain(sql.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { sql, lines }
    }

    /// The text of a range.
    pub(super) fn slice(&self, range: Range<usize>) -> Option<&'a str> {
        self.sql.get(range)
    }

    /// The bytes of a span; `None` where the parser has no place for a thing.
    pub(super) fn range(&self, span: Span) -> Option<Range<usize>> {
        let (start, end) = (self.byte(span.start)?, self.byte(span.end)?);
        (start < end).then_some(start..end)
    }

    /// Lines and columns count from 1, columns in characters.
    fn byte(&self, place: Location) -> Option<usize> {
        let line = usize::try_from(place.line).ok()?.checked_sub(1)?;
        let start = *self.lines.get(line)?;
        let skip = usize::try_from(place.column).ok()?.checked_sub(1)?;
        let rest = self.sql.get(start..)?;
        Some(rest.char_indices().nth(skip).map_or(self.sql.len(), |(at, _)| start + at))
    }

    /// The tokens of each statement. `None` if the text does not tokenise.
    pub(super) fn statements(&self) -> Option<Vec<Vec<TokenWithSpan>>> {
        let tokens = Tokenizer::new(&PostgreSqlDialect {}, self.sql).tokenize_with_location().ok()?;
        let mut statements = vec![Vec::new()];
        for token in tokens {
            match token.token {
                Token::SemiColon => statements.push(Vec::new()),
                Token::Whitespace(_) | Token::EOF => {}
                _ => statements.last_mut()?.push(token),
            }
        }
        statements.retain(|statement| !statement.is_empty());
        Some(statements.into_iter().map(plain).collect())
    }
}

/// The tokens of one statement, made plain.
fn plain(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    while let [first, behind @ ..] = rest {
        let value_is_due = out.last().is_none_or(|last| is_value_due(&last.token));
        let (token, used) = match (&first.token, behind) {
            // `?1`, and `?` alone.
            (Token::Question, [number, ..])
                if value_is_due && is_number(number) && number.span.start == first.span.end =>
            {
                (Token::Placeholder(format!("?{}", number.token)), 2)
            }
            (Token::Question, _) if value_is_due => (Token::Placeholder(ANONYMOUS.to_owned()), 1),
            (Token::LBrace, _) => match hole(rest) {
                Some((name, used)) if out.last().is_some_and(|last| is_name_due(&last.token)) => {
                    (Token::Word(Word { value: name, quote_style: Some('"'), keyword: Keyword::NoKeyword }), used)
                }
                Some((name, used)) if value_is_due => (Token::Placeholder(format!("{{{name}}}")), used),
                _ => (first.token.clone(), 1),
            },
            (Token::Word(word), _) if is_lock_detail(word, &out, behind) => {
                rest = behind;
                continue;
            }
            _ => (first.token.clone(), 1),
        };
        let last = rest.get(used.saturating_sub(1)).unwrap_or(first);
        out.push(TokenWithSpan { token, span: Span::new(first.span.start, last.span.end) });
        rest = rest.get(used..).unwrap_or_default();
    }
    out
}

const fn is_number(token: &TokenWithSpan) -> bool {
    matches!(token.token, Token::Number(..))
}

/// `{}`, `{name}`, `{0}` or `{name:?}`, without blanks: the name and how many tokens it takes.
fn hole(tokens: &[TokenWithSpan]) -> Option<(String, usize)> {
    const LONGEST: usize = 8;
    let end = tokens.iter().take(LONGEST).position(|token| token.token == Token::RBrace)?;
    let inside = tokens.get(1..end)?;
    let is_tight = tokens.get(..=end)?.windows(2).all(|pair| match pair {
        [a, b] => a.span.end == b.span.start,
        _ => true,
    });
    let name = match inside.first().map(|token| &token.token) {
        None | Some(Token::Colon) => String::new(),
        Some(Token::Word(word)) if word.quote_style.is_none() => word.value.clone(),
        Some(Token::Number(number, _)) => number.clone(),
        Some(_) => return None,
    };
    is_tight.then_some((name, end + 1))
}

/// Whether a value follows: behind a sign that is no end of an operand, and behind most keywords.
fn is_value_due(last: &Token) -> bool {
    match last {
        Token::Word(word) => {
            word.quote_style.is_none()
                && matches!(
                    word.keyword,
                    Keyword::SELECT
                        | Keyword::WHERE
                        | Keyword::AND
                        | Keyword::OR
                        | Keyword::NOT
                        | Keyword::ON
                        | Keyword::IN
                        | Keyword::LIKE
                        | Keyword::ILIKE
                        | Keyword::BETWEEN
                        | Keyword::LIMIT
                        | Keyword::OFFSET
                        | Keyword::FIRST
                        | Keyword::NEXT
                        | Keyword::CASE
                        | Keyword::WHEN
                        | Keyword::THEN
                        | Keyword::ELSE
                        | Keyword::BY
                        | Keyword::HAVING
                        | Keyword::RETURNING
                        | Keyword::DISTINCT
                        | Keyword::INTERVAL
                        | Keyword::ZONE
                        | Keyword::FROM
                        | Keyword::ANY
                        | Keyword::ALL
                )
        }
        Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::EscapedStringLiteral(_)
        | Token::DollarQuotedString(_)
        | Token::Placeholder(_)
        | Token::RParen
        | Token::RBracket
        | Token::RBrace => false,
        _ => true,
    }
}

/// Whether a table's or column's name follows.
fn is_name_due(last: &Token) -> bool {
    match last {
        Token::Period => true,
        Token::Word(word) => matches!(
            word.keyword,
            Keyword::FROM
                | Keyword::INTO
                | Keyword::UPDATE
                | Keyword::JOIN
                | Keyword::TABLE
                | Keyword::ONLY
                | Keyword::USING
                | Keyword::COPY
                | Keyword::SET
        ),
        _ => false,
    }
}

/// `NO` and `KEY` in `FOR NO KEY UPDATE`, `KEY` in `FOR KEY SHARE`.
fn is_lock_detail(word: &Word, before: &[TokenWithSpan], behind: &[TokenWithSpan]) -> bool {
    let keyword = |token: Option<&TokenWithSpan>| match token.map(|token| &token.token) {
        Some(Token::Word(word)) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    };
    if word.quote_style.is_some() || keyword(before.last()) != Some(Keyword::FOR) {
        return false;
    }
    let next = keyword(behind.first());
    match word.keyword {
        Keyword::NO => next == Some(Keyword::KEY),
        Keyword::KEY => matches!(next, Some(Keyword::UPDATE | Keyword::SHARE)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sqlparser::parser::Parser;

    use super::*;

    fn shown(sql: &str) -> String {
        let statements = Text::new(sql).statements().unwrap();
        let parsed = statements.into_iter().map(|tokens| {
            let mut parser = Parser::new(&PostgreSqlDialect {}).with_tokens_with_locations(tokens);
            parser.parse_statement().unwrap().to_string()
        });
        parsed.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn placeholders_of_all_drivers_become_placeholders() {
        assert_eq!(shown("select a from t where b = ? and c=?2"), "SELECT a FROM t WHERE b = ? AND c = ?2");
        assert_eq!(shown("select a from t where b = $1 and c = :name"), "SELECT a FROM t WHERE b = $1 AND c = :name");
        assert_eq!(shown("select a from t where b in (?, ?) limit ?"), "SELECT a FROM t WHERE b IN (?, ?) LIMIT ?");
        assert_eq!(shown("select a from t where doc ? 'key'"), "SELECT a FROM t WHERE doc ? 'key'");
        assert_eq!(shown("select a[1:2], b::int from t"), "SELECT a[1:2], b::INT FROM t");
    }

    #[test]
    fn the_holes_of_format_become_placeholders_and_names() {
        assert_eq!(
            shown("update {schema}.orders set a = {} where b = {b:?}"),
            "UPDATE \"schema\".orders SET a = {} WHERE b = {b}"
        );
        assert_eq!(shown("select {columns} from {}"), "SELECT {columns} FROM \"\"");
    }

    #[test]
    fn row_locks_that_the_parser_does_not_know_become_those_it_does() {
        assert_eq!(shown("select 1 from t for no key update skip locked"), "SELECT 1 FROM t FOR UPDATE SKIP LOCKED");
        assert_eq!(shown("select 1 from t for key share"), "SELECT 1 FROM t FOR SHARE");
    }

    #[test]
    fn statements_are_told_apart_and_keep_their_places() {
        let sql = "-- ä;\nselect 'é;', x\nfrom t; ;\nselect 2";
        let text = Text::new(sql);
        let statements = text.statements().unwrap();
        assert_eq!(statements.len(), 2);
        let places: Vec<_> = statements[0].iter().map(|t| &sql[text.range(t.span).unwrap()]).collect();
        assert_eq!(places, ["select", "'é;'", ",", "x", "from", "t"]);
        assert_eq!(text.range(Span::empty()), None);
    }

    proptest! {
        #[test]
        fn no_text_panics(sql in ".{0,60}", parts in "(\\{|\\}|\\?|1| |:|a|'|\\$|;|\n|é|FOR NO KEY UPDATE){0,20}") {
            for sql in [sql, parts] {
                let text = Text::new(&sql);
                for token in text.statements().unwrap_or_default().into_iter().flatten() {
                    if let Some(range) = text.range(token.span) {
                        prop_assert!(sql.get(range).is_some());
                    }
                }
            }
        }
    }
}
