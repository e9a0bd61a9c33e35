//! A file's text to its [`Facts`], on a thread whose stack is large enough.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    str::FromStr,
    sync::LazyLock,
};

use proc_macro2::TokenStream;
use rayon::prelude::*;

use super::{
    depth::{self, MAX_NEST, MAX_WEIGHT},
    facts::{Facts, ParseError},
    lower::Lower,
    places::Places,
    prologue,
};
use crate::base::{FileId, Files};

/// The stack of a parsing thread, in bytes: address space, of which only what is used becomes memory.
/// Without optimisation a step of the parser takes several times as much.
const STACK: usize = if cfg!(debug_assertions) { 1 << 30 } else { 256 << 20 };

static POOL: LazyLock<Option<rayon::ThreadPool>> = LazyLock::new(|| {
    let pool = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .thread_name(|n| format!("source-{n}"))
            .build()
    };
    // Where the address space is scarce, one thread may still be had.
    pool(0).or_else(|_| pool(1)).ok()
});

/// Runs `work` on a thread with a stack that whatever walks down [`Facts`] can rely on. Work that goes
/// side by side within it stays on such threads.
pub fn deep<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Parses a file that is in `files`. What does not parse is scanned ([`Facts::error`] says where and why).
///
/// # Errors
/// The file does not even tokenise, or nests deeper than can be parsed safely.
pub fn read(files: &Files, file: FileId) -> Result<Facts, ParseError> {
    let source = files.get(file);
    deep(|| parse(file, &source.text))
}

/// The same for many files side by side, in the order given.
pub fn read_all(files: &Files, ids: &[FileId]) -> Vec<Result<Facts, ParseError>> {
    deep(|| ids.par_iter().with_max_len(1).map(|&id| parse(id, &files.get(id).text)).collect())
}

/// Lets go of the thread's span table, however the work ends.
pub(super) struct Spans;

impl Drop for Spans {
    fn drop(&mut self) {
        proc_macro2::extra::invalidate_current_thread_spans();
    }
}

pub(super) fn parse(file: FileId, text: &str) -> Result<Facts, ParseError> {
    let _spans = Spans;
    let skipped = prologue::length(text);
    let places = Places::new(file, text, skipped);
    if POOL.is_none() {
        let message = "no thread with a stack of its own can be started to parse this file".to_owned();
        return Err(ParseError { message, span: places.range(0, 0) });
    }
    let tokens = match TokenStream::from_str(&text[skipped..]) {
        Ok(tokens) => tokens,
        Err(error) => return Err(no_tokens(&places, error.span())),
    };
    let (tokens, depth) = depth::measure(tokens);
    if depth.nest > MAX_NEST {
        let message = format!("brackets lie {} deep within each other here; at most {MAX_NEST} are read", depth.nest);
        return Err(ParseError { message, span: places.range(0, 0) });
    }
    // A panic of the parser must not be one of the check: such a file does not parse.
    let parsed = if depth.weight > MAX_WEIGHT {
        let message =
            format!("an expression or type is too long to be parsed: {} steps, at most {MAX_WEIGHT}", depth.weight);
        Err(ParseError { message, span: places.range(0, 0) })
    } else {
        match catch_unwind(AssertUnwindSafe(|| syn::parse2::<syn::File>(tokens.clone()))) {
            Ok(Ok(tree)) => Ok(tree),
            Ok(Err(error)) => Err(no_tree(&places, &error)),
            Err(_) => Err(ParseError { message: "the parser failed".to_owned(), span: places.range(0, 0) }),
        }
    };
    let mut lower = Lower::new(file, places, depth);
    match parsed {
        Ok(tree) => {
            // What is held once only need not be copied to be taken apart.
            drop(tokens);
            lower.file(tree);
        }
        Err(error) => lower.scan_file(error, tokens),
    }
    Ok(lower.finish())
}

/// Why and where the text is no Rust tokens; the tokeniser itself says only where.
fn no_tokens(places: &Places<'_>, at: proc_macro2::Span) -> ParseError {
    let start = places.start(at);
    let rest = places.text().get(start as usize..).unwrap_or_default();
    let mut span = places.range(start, start);
    let message = match rest.chars().next() {
        Some(c) => {
            span.end += u32::try_from(c.len_utf8()).unwrap_or(1);
            match c {
                '(' | '[' | '{' => format!("`{c}` is never closed"),
                ')' | ']' | '}' => format!("`{c}` closes nothing"),
                '"' | '\'' | 'b' | 'c' | 'r' => "a literal is not terminated or not valid".to_owned(),
                '/' => "a comment is not terminated".to_owned(),
                _ => "no token of Rust begins here".to_owned(),
            }
        }
        None => "the file ends too early".to_owned(),
    };
    ParseError { message, span }
}

fn no_tree(places: &Places<'_>, error: &syn::Error) -> ParseError {
    let at = error.span();
    // An error at the very end has no place of its own.
    let span = if at.byte_range() == (0..0) { places.bottom() } else { places.span(at) };
    ParseError { message: error.to_string(), span }
}
