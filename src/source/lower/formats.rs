//! Which arguments of a macro are printed, and by `Display` or `Debug`.

use super::{
    Lower,
    captures::{Argument, Placeholder, placeholders},
    shapes::Sigil,
};
use crate::{
    base::Span,
    source::facts::{ExprIx, ExprKind, MacroBody, Name},
};

/// An argument that may be printed.
pub(super) struct Printed {
    pub(super) key: Option<Name>,
    pub(super) sigil: Option<Sigil>,
    pub(super) at: ExprIx,
}

impl Lower<'_> {
    /// Finds out what is printed. Any macro counts whose arguments hold a string that reads like a format
    /// string, wherever it stands (an event has its fields before it): a name that is found too many
    /// resolves to a local value or to nothing.
    pub(super) fn formats(&mut self, name: &str, args: &[Printed], body: &mut MacroBody) {
        for arg in args {
            if let Some(sigil) = arg.sigil {
                body.formatted.push((arg.at, sigil == Sigil::Debug));
            }
        }
        let compared = match name {
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => 2,
            "dbg" => args.len(),
            _ => 0,
        };
        body.formatted.extend(args.iter().take(compared).map(|arg| (arg.at, true)));
        for (place, arg) in args.iter().enumerate().skip(compared).filter(|(_, arg)| arg.key.is_none()) {
            let Some((value, span)) = self.format_string(arg.at) else { continue };
            let Some(found) = placeholders(&value) else { continue };
            if !found.is_empty() {
                self.print(&found, &value, span, &args[place + 1..], body);
            }
            return;
        }
    }

    /// The value and the place of a string literal, or of a `concat!`, that holds a brace.
    fn format_string(&self, at: ExprIx) -> Option<(String, Span)> {
        let inner = match &self.facts[at].kind {
            ExprKind::Macro(call) if call.path.segments.last().is_some_and(|last| &*last.name == "concat") => {
                *call.body.exprs.first()?
            }
            _ => at,
        };
        match &self.facts[inner].kind {
            ExprKind::Str(value) if value.contains('{') => Some((value.clone(), self.facts[inner].span)),
            _ => None,
        }
    }

    fn print(&mut self, found: &[Placeholder<'_>], value: &str, literal: Span, args: &[Printed], body: &mut MacroBody) {
        let exact = self.exact(value, literal);
        let known = body.exprs.len();
        let mut next = 0;
        for placeholder in found {
            for width in &placeholder.widths {
                match width {
                    Argument::Name(name, at) => {
                        self.captured(name, *at, &exact, literal, args, body);
                    }
                    Argument::Next => next += 1,
                    Argument::Number(_) => {}
                }
            }
            let printed = match placeholder.argument {
                Argument::Next => {
                    next += 1;
                    args.get(next - 1).map(|arg| arg.at)
                }
                Argument::Number(number) => args.get(number).map(|arg| arg.at),
                Argument::Name(name, at) => Some(self.captured(name, at, &exact, literal, args, body)),
            };
            body.formatted.extend(printed.map(|at| (at, placeholder.debug)));
        }
        if body.exprs.len() > known {
            body.exprs.sort_by_key(|&at| self.facts[at].span.start);
        }
    }

    /// The argument of that name, or a name of the surrounding code.
    fn captured(
        &mut self,
        name: &str,
        at: usize,
        exact: &Exact,
        literal: Span,
        args: &[Printed],
        body: &mut MacroBody,
    ) -> ExprIx {
        if let Some(arg) = args.iter().find(|arg| arg.key.as_deref() == Some(name)) {
            return arg.at;
        }
        let span = match exact.length >= at + name.len() {
            true => {
                let start = exact.start + u32::try_from(at).unwrap_or_default();
                self.places.range(start, start + u32::try_from(name.len()).unwrap_or_default())
            }
            false => literal,
        };
        let name = self.made_name(name);
        let path = self.single(name, span);
        let at = self.add_expr(ExprKind::Path(path), span);
        body.exprs.push(at);
        at
    }

    /// How much of a literal's value stands in the text as it is.
    fn exact(&self, value: &str, literal: Span) -> Exact {
        let text = self.places.slice(literal);
        let quote = text.find('"').filter(|&at| text[..at].bytes().all(|b| matches!(b, b'r' | b'b' | b'c' | b'#')));
        let Some(quote) = quote else { return Exact { start: literal.start, length: 0 } };
        let content = &text.as_bytes()[quote + 1..];
        let length = content.iter().zip(value.as_bytes()).take_while(|(a, b)| a == b).count();
        Exact { start: literal.start + u32::try_from(quote + 1).unwrap_or_default(), length }
    }
}

/// The part of a literal whose value is its text.
struct Exact {
    /// Where its value begins.
    start: u32,
    /// How many bytes are the same.
    length: usize,
}
