//! How deep a parser would have to go into some tokens, told without recursion.
//!
//! `syn` recurses, and an overflow of the stack cannot be caught. It goes one step deeper for a nested
//! group, and at most one for each token that follows another within one statement, element or argument:
//! `!!!!x`, `&&&&T`, `|| || x`, `a = b = c`, `fn() -> fn() -> T`, `Vec<Vec<T>>`, `a::b::c` in a `use`,
//! `a.b().c()` and `a + b + c` (whose trees are as deep as they are long). A `;`, a `,` and the end of
//! a statement in braces end such a run, with three exceptions: the `,` between generic arguments, any
//! behind the start of a closure, and braces which something continues (`else`, `.`, an operator).
//! Where the tokens alone do not tell, the run goes on: the estimate may be too high, never too low.
//!
//! The tokens of a macro invocation are not parsed with what surrounds them, so they count only when
//! they are parsed themselves, on top of what was used up to there.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// How many groups may lie within each other. `syn` and the scanner take a step for each, macros included.
pub(super) const MAX_NEST: u32 = 400;

/// How far down one parse may go. A unit costs up to 3 KiB of stack (31 KiB without optimisation: the
/// worst is `&&&&T`), as the tests of `hostile` can measure.
pub(super) const MAX_WEIGHT: u32 = 12_000;

/// How far down a parse within a parse may go in all, macros within macros. [`super::read`] gives the
/// threads a stack that holds this.
pub(super) const MAX_TOTAL: u32 = 2 * MAX_WEIGHT;

/// What a nested group weighs, in tokens of a run.
const GROUP: u32 = 2;

/// What `box` and `become` weigh: the parser copies all that follows, at each of them.
const COPYING: u32 = 16;

/// What was found out about some tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Depth {
    /// Groups within groups.
    pub(super) nest: u32,
    /// The longest way down, in tokens; a macro invocation counts without what is in it.
    pub(super) weight: u32,
    /// How many tokens there are in all.
    pub(super) tokens: u32,
}

/// Measures tokens. They are taken apart and put together again, which is cheap where nobody else holds
/// them (a stream that is shared would be copied).
pub(super) fn measure(stream: TokenStream) -> (TokenStream, Depth) {
    let mut depth = Depth::default();
    let mut level = Level::new(stream, Run::default());
    let mut outer: Vec<(Group, Level)> = Vec::new();
    loop {
        match level.left.next() {
            Some(TokenTree::Group(group)) => {
                depth.tokens += 1;
                let inside = level.run.group(group.delimiter());
                depth.nest = depth.nest.max(clamp(outer.len() + 1));
                depth.weight = depth.weight.max(inside.base).max(level.run.weight());
                let stream = group.stream();
                // Only the delimiters and the place are needed on the way back.
                let mut shell = Group::new(group.delimiter(), TokenStream::new());
                shell.set_span(group.span());
                drop(group);
                outer.push((shell, std::mem::replace(&mut level, Level::new(stream, inside))));
            }
            Some(token) => {
                depth.tokens += 1;
                level.run.token(&token, level.seen.last());
                depth.weight = depth.weight.max(level.run.weight());
                level.seen.push(token);
            }
            None => {
                let stream = level.seen.into_iter().collect();
                let Some((shell, parent)) = outer.pop() else { return (stream, depth) };
                let mut group = Group::new(shell.delimiter(), stream);
                group.set_span(shell.span());
                level = parent;
                level.seen.push(TokenTree::Group(group));
            }
        }
    }
}

struct Level {
    left: proc_macro2::token_stream::IntoIter,
    seen: Vec<TokenTree>,
    run: Run,
}

impl Level {
    fn new(stream: TokenStream, run: Run) -> Self {
        let left = stream.into_iter();
        Self { seen: Vec::with_capacity(left.size_hint().0), left, run }
    }
}

/// What the token before means for the one that comes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    /// Nothing, or something that an expression may follow.
    #[default]
    Start,
    /// The end of an operand: a `|` here is an operator.
    Operand,
    /// A word: the end of an operand, the name of a macro, or a keyword.
    Word,
    /// `>`, which may end generic arguments or be an operator.
    Angle,
    /// `<`, with more of the same operator to come.
    Less,
    /// A group in braces, perhaps the end of a statement.
    Braces,
    /// `'`.
    Quote,
    /// `#` or `#!`.
    Hash,
    /// `name!`: a group now holds a macro's tokens.
    Bang,
    /// `name! name`, as in `macro_rules! name`.
    BangWord,
    /// `-` or `=`, with more of the same operator to come.
    Minus,
    Equal,
    /// The first `|` of an operator `||`.
    Or,
}

/// One run of tokens within a group.
#[derive(Default)]
struct Run {
    /// What lies above the group.
    base: u32,
    /// Tokens since the last end of a statement or element.
    length: u32,
    /// The length of the run at each `<` that is open.
    angles: Vec<u32>,
    /// Whether a closure may have begun, so that a `,` may stand between its parameters.
    closure: bool,
    /// Whether the tokens belong to a macro and are not parsed from here.
    opaque: bool,
    before: Before,
}

impl Run {
    fn weight(&self) -> u32 {
        if self.opaque { self.base } else { self.base.saturating_add(self.length) }
    }

    fn end(&mut self) {
        self.length = 0;
        self.angles.clear();
        self.closure = false;
    }

    fn group(&mut self, delimiter: Delimiter) -> Run {
        let attribute = self.before == Before::Hash;
        let opaque = self.opaque || matches!(self.before, Before::Bang | Before::BangWord);
        if !attribute {
            self.length += 1;
        }
        self.before = match delimiter {
            Delimiter::Brace => Before::Braces,
            _ if attribute => Before::Start,
            _ => Before::Operand,
        };
        let base = if opaque { self.weight() } else { self.weight().saturating_add(GROUP) };
        Run { base, opaque, ..Run::default() }
    }

    fn token(&mut self, token: &TokenTree, last: Option<&TokenTree>) {
        match token {
            TokenTree::Punct(punct) => self.punct(punct.as_char(), punct.spacing() == Spacing::Joint, last),
            TokenTree::Ident(ident) => {
                if self.before == Before::Braces && !CONTINUING.iter().any(|word| ident == word) {
                    self.end();
                }
                self.length += if ident == "box" || ident == "become" { COPYING } else { 1 };
                self.before = match self.before {
                    Before::Bang => Before::BangWord,
                    Before::Quote => Before::Start,
                    _ => Before::Word,
                };
            }
            _ => {
                if self.before == Before::Braces {
                    self.end();
                }
                self.length += 1;
                self.before = Before::Operand;
            }
        }
    }

    fn punct(&mut self, c: char, joint: bool, last: Option<&TokenTree>) {
        let mut before = std::mem::take(&mut self.before);
        if before == Before::Word && matches!(c, '|' | '!') && is_keyword(last) {
            before = Before::Start;
        }
        if before == Before::Braces && matches!(c, '#' | '\'') {
            self.end();
        }
        match c {
            '#' => {
                self.before = Before::Hash;
                return;
            }
            ';' => return self.end(),
            ',' if self.closure => {}
            ',' => self.length = self.angles.last().copied().unwrap_or(0),
            '<' => {
                self.angles.push(self.length);
                self.before = if joint { Before::Less } else { Before::Start };
            }
            '=' if before == Before::Less => {
                self.angles.pop();
            }
            '=' if joint => self.before = Before::Equal,
            '-' if joint => self.before = Before::Minus,
            '>' if matches!(before, Before::Equal | Before::Minus) => {}
            '>' => {
                self.angles.pop();
                self.before = Before::Angle;
            }
            '|' => match before {
                Before::Or => {}
                Before::Operand | Before::Word | Before::Braces if joint => self.before = Before::Or,
                Before::Operand | Before::Word | Before::Braces => {}
                _ => self.closure = true,
            },
            '?' => self.before = Before::Operand,
            '!' if before == Before::Word => self.before = Before::Bang,
            '!' if before == Before::Hash => self.before = Before::Hash,
            '\'' => self.before = Before::Quote,
            _ => {}
        }
        self.length += 1;
    }
}

/// Words that go on with what ended in braces.
const CONTINUING: [&str; 3] = ["else", "as", "in"];

/// Words that are no operand and name no macro, so that an expression may follow them.
const KEYWORDS: [&str; 44] = [
    "abstract", "as", "async", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern",
    "final", "fn", "for", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override",
    "priv", "pub", "ref", "return", "static", "struct", "trait", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

fn is_keyword(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if KEYWORDS.iter().any(|word| ident == word))
}

fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Depth {
        let tokens: TokenStream = text.parse().expect("tokens");
        let whole = tokens.to_string();
        let (tokens, depth) = measure(tokens);
        assert_eq!(tokens.to_string(), whole);
        depth
    }

    #[test]
    fn statements_elements_and_macros_do_not_add_up() {
        let one = of("fn f() { a(b, c); }");
        for many in ["a(b, c); ", "a(d, e); let x = y; ", "if a {} ", "m!(x); ", "#[doc = \"a\"] ", "[a, b, c]; "] {
            let text = format!("fn f() {{ {} }}", many.repeat(50));
            assert!(of(&text).weight <= one.weight + 8, "{many}: {:?}", of(&text));
        }
        assert!(of(&format!("m!({})", "!".repeat(100))).weight < 10);
    }

    #[test]
    fn what_the_parser_recurses_on_adds_up() {
        for step in [
            "!",
            "|| ",
            "|a, b| ",
            "a = ",
            "fn(u8) -> ",
            "for<'a, 'b> fn() -> ",
            "V<u8, ",
            "if a {} else ",
            "x.a().",
            "for S {} in ",
            "a::<T> | |x, y| ",
            "let | A = |x, y| ",
            "break 'a |x, y| ",
            "S {} . ",
        ] {
            assert!(of(&step.repeat(100)).weight >= 100, "{step}: {:?}", of(&step.repeat(100)));
        }
        assert_eq!(of("((()))").nest, 3);
        assert!(of("if !(a) {}").weight > of("a!(a)").weight);
    }
}
