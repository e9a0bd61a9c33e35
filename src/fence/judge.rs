//! One text of SQL, judged.

use std::{collections::BTreeSet, ops::ControlFlow};

use sqlparser::{
    ast::{CopySource, Query, SetExpr, Statement, Visit, Visitor},
    dialect::PostgreSqlDialect,
    parser::Parser,
    tokenizer::{Token, TokenWithSpan},
};

use super::{
    analysis::Analysis,
    finding::{SqlFinding, SqlKind},
    lexical,
    rules::FenceRules,
    text::Text,
};
use crate::source::deep;

/// Judges a text of SQL: one statement or several. Text that is no SQL, or names none of the tables, gives nothing.
/// The findings are sorted.
pub fn judge(sql: &str, rules: &FenceRules) -> Vec<SqlFinding> {
    if !lexical::is_worth_parsing(sql, rules) {
        return Vec::new();
    }
    let text = Text::new(sql);
    let mut findings = BTreeSet::new();
    match text.statements() {
        Some(statements) => {
            for tokens in statements {
                findings.extend(one(tokens, &text, rules));
            }
        }
        None => findings.extend(unparsed(sql, 0, rules)),
    }
    findings.into_iter().collect()
}

/// The longest statement that is parsed, in tokens. Chains of operators nest as deep as they are long, and parsing,
/// walking and dropping them takes stack.
const LONGEST: usize = 20_000;

fn one(tokens: Vec<TokenWithSpan>, text: &Text<'_>, rules: &FenceRules) -> BTreeSet<SqlFinding> {
    if tokens.len() > LONGEST {
        return unread(&tokens, text, rules);
    }
    deep(|| parsed(tokens, text, rules))
}

fn parsed(tokens: Vec<TokenWithSpan>, text: &Text<'_>, rules: &FenceRules) -> BTreeSet<SqlFinding> {
    let dialect = PostgreSqlDialect {};
    let mut parser = Parser::new(&dialect).with_tokens_with_locations(tokens.clone());
    let Ok(statement) = parser.parse_statement() else { return unread(&tokens, text, rules) };
    if parser.peek_token().token != Token::EOF {
        return unread(&tokens, text, rules);
    }
    let mut analysis = Analysis::new(rules, text);
    if !analysis.statement(&statement) {
        return unread(&tokens, text, rules);
    }
    analysis.others(&statement);
    analysis.findings
}

/// What a statement that is not understood writes, by its words.
fn unread(tokens: &[TokenWithSpan], text: &Text<'_>, rules: &FenceRules) -> BTreeSet<SqlFinding> {
    let range = |token: Option<&TokenWithSpan>| token.and_then(|token| text.range(token.span));
    let (Some(first), Some(last)) = (range(tokens.first()), range(tokens.last())) else { return BTreeSet::new() };
    text.slice(first.start..last.end).map(|sql| unparsed(sql, first.start, rules)).unwrap_or_default()
}

fn unparsed(sql: &str, start: usize, rules: &FenceRules) -> BTreeSet<SqlFinding> {
    let finding = |(table, range): (&super::rules::TableName, std::ops::Range<usize>)| SqlFinding {
        kind: SqlKind::Unparsed,
        range: (range.start + start..range.end + start).into(),
        table: table.written.clone(),
        why: "this SQL writes to the table and could not be read, so that nothing is known of its fence".to_owned(),
    };
    lexical::writes(sql, rules).into_iter().map(finding).collect()
}

impl<'a> Analysis<'a, '_> {
    /// Judges a statement. `false` if it is of a kind that may hold SQL in a string.
    fn statement(&mut self, statement: &'a Statement) -> bool {
        match statement {
            Statement::Query(query) => self.judge_query(query),
            Statement::Insert(insert) => {
                if let Some(source) = &insert.source {
                    self.judge_query(source);
                }
                self.judge_insert(insert);
            }
            Statement::Update(update) => self.judge_update(update),
            Statement::Delete(delete) => self.judge_delete(delete),
            Statement::Merge(merge) => self.judge_merge(merge),
            Statement::Copy { source: CopySource::Table { table_name, .. }, to: false, .. } => {
                self.judge_bare("COPY", table_name);
            }
            Statement::Copy { source: CopySource::Query(query), .. } => self.judge_query(query),
            Statement::Truncate(truncate) => {
                for table in &truncate.table_names {
                    self.judge_bare("TRUNCATE", &table.name);
                }
            }
            // Without ANALYZE it is planned and not run.
            Statement::Explain { statement, analyze: true, .. } | Statement::Prepare { statement, .. } => {
                return self.statement(statement);
            }
            Statement::Explain { options: Some(options), statement, .. } if options.iter().any(is_analyze) => {
                return self.statement(statement);
            }
            Statement::Explain { .. } => {}
            _ => return false,
        }
        true
    }

    /// Judges what is written within a query.
    fn judge_query(&mut self, query: &'a Query) {
        let outer = self.ctes.len();
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.judge_query(&cte.query);
            self.with_one(cte);
        }
        match &*query.body {
            SetExpr::Insert(statement)
            | SetExpr::Update(statement)
            | SetExpr::Delete(statement)
            | SetExpr::Merge(statement) => {
                self.statement(statement);
            }
            SetExpr::Query(inner) => self.judge_query(inner),
            _ => {
                self.query(query);
            }
        }
        self.ctes.truncate(outer);
    }

    /// Looks at the queries that were not come by, for whose clock they ask.
    fn others(&mut self, statement: &Statement) {
        struct Others<'x, 'a, 'r> {
            analysis: &'x Analysis<'a, 'r>,
            findings: BTreeSet<SqlFinding>,
        }
        impl Visitor for Others<'_, '_, '_> {
            type Break = ();

            fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
                if !self.analysis.seen.contains_key(&std::ptr::from_ref(query)) {
                    let mut analysis = Analysis::new(self.analysis.rules, self.analysis.text);
                    analysis.query(query);
                    self.findings.extend(analysis.findings);
                }
                ControlFlow::Continue(())
            }
        }
        let mut others = Others { analysis: self, findings: BTreeSet::new() };
        // It never breaks off.
        let _ = statement.visit(&mut others);
        let found = others.findings;
        self.findings.extend(found);
    }
}

fn is_analyze(option: &sqlparser::ast::UtilityOption) -> bool {
    option.name.value.eq_ignore_ascii_case("analyze")
}
