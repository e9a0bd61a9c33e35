//! What holds of the facts of any file.

use crate::{
    base::{SourceFile, Span},
    source::*,
};

/// Fails unless every place lies in the file, on the borders of characters, and every name stands at
/// its place.
pub(super) fn check(facts: &Facts, source: &SourceFile) {
    let mut check = Check { facts, text: &source.text, path: &source.path };
    check.all();
}

struct Check<'f> {
    facts: &'f Facts,
    text: &'f str,
    path: &'f str,
}

impl Check<'_> {
    fn all(&mut self) {
        for item in &self.facts.items {
            self.span(item.span);
            self.name(&item.name, item.name_span);
            self.attrs(&item.attrs);
            match &item.kind {
                ItemKind::Struct(fields) => self.fields(fields),
                ItemKind::Enum(variants) => {
                    for variant in variants {
                        self.name(&variant.name, variant.span);
                        self.fields(&variant.fields);
                        self.attrs(&variant.attrs);
                    }
                }
                ItemKind::MacroCall(call) => self.call(call, None),
                ItemKind::Fn(function) => {
                    if let Some(receiver) = &function.receiver {
                        assert!(self.span(receiver.span).contains("self"), "{}", self.path);
                    }
                }
                _ => {}
            }
        }
        for scope in &self.facts.scopes {
            for import in &scope.uses {
                self.span(import.span);
                for (name, span) in &import.segments {
                    self.name(name, *span);
                }
                if let UseBinding::Name(name) = &import.binds {
                    assert!(import.binds_in(self.span(import.span)), "{}: `{name}`", self.path);
                }
            }
        }
        for (number, expr) in self.facts.exprs.iter().enumerate() {
            self.span(expr.span);
            self.expr(&expr.kind, u32::try_from(number).expect("few"));
        }
        for pat in &self.facts.pats {
            self.span(pat.span);
            match &pat.kind {
                PatKind::Name(name, _) => assert!(self.slice(pat.span).contains(&**name), "{}: {name}", self.path),
                PatKind::Path(path) | PatKind::TupleStruct { path, .. } => self.path(path),
                PatKind::Struct { path, fields } => {
                    self.path(path);
                    fields.iter().for_each(|(name, span, _)| self.name(name, *span));
                }
                PatKind::Macro(call) => self.call(call, None),
                _ => {}
            }
        }
        for ty in &self.facts.types {
            self.span(ty.span);
            match &ty.kind {
                TypeKind::Path(path) => self.path(path),
                TypeKind::Macro(call) => self.call(call, None),
                _ => {}
            }
        }
        for &at in &self.facts.scan {
            assert!((at.0 as usize) < self.facts.exprs.len());
        }
    }

    fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_else(|| panic!("{}: {span:?}", self.path))
    }

    fn span(&self, span: Span) -> &str {
        assert_eq!(span.file, self.facts.file);
        self.slice(span)
    }

    fn name(&self, name: &str, span: Span) {
        let text = self.span(span);
        // A number for a name stands at its type, a macro's name is its path's; a captured name may
        // only have its literal's place.
        let elsewhere = name.is_empty() || name.parse::<u32>().is_ok() || text.contains('"');
        let plain: String = text.strip_prefix("r#").unwrap_or(text).split_whitespace().collect();
        assert!(elsewhere || plain == name, "{}: `{name}` at {span:?} is `{text}`", self.path);
    }

    fn path(&self, path: &Path) {
        self.span(path.span);
        assert!(!path.segments.is_empty());
        path.segments.iter().for_each(|segment| self.name(&segment.name, segment.span));
    }

    fn attrs(&self, attrs: &[Attr]) {
        for attr in attrs {
            self.path(&attr.path);
            attr.paths.iter().for_each(|path| self.path(path));
            attr.strings.iter().for_each(|(.., span)| assert!(self.span(*span).ends_with(['"', '#'])));
        }
    }

    fn fields(&self, fields: &Fields) {
        for field in &fields.fields {
            self.name(&field.name, field.span);
            self.attrs(&field.attrs);
        }
    }

    fn call(&self, call: &MacroCall, parent: Option<u32>) {
        self.span(call.span);
        self.path(&call.path);
        let parts = call.body.exprs.iter().chain(call.body.formatted.iter().map(|(at, _)| at));
        if let Some(parent) = parent {
            parts.for_each(|at| assert!(at.0 < parent));
        }
    }

    fn expr(&self, kind: &ExprKind, number: u32) {
        let below = |at: &ExprIx| assert!(at.0 < number, "{}: {number}", self.path);
        match kind {
            ExprKind::Path(path) => self.path(path),
            ExprKind::Call { callee, args } => {
                below(callee);
                args.iter().for_each(below);
            }
            ExprKind::Method { receiver, name, name_span, args, .. } => {
                below(receiver);
                args.iter().for_each(below);
                self.name(name, *name_span);
            }
            ExprKind::Field { base, name, name_span } => {
                below(base);
                self.name(name, *name_span);
            }
            ExprKind::Struct { path, fields, .. } => {
                self.path(path);
                fields.iter().for_each(|field| self.name(&field.name, field.span));
            }
            ExprKind::Try(of, mark) => {
                below(of);
                assert_eq!(self.span(*mark), "?");
            }
            ExprKind::Await(of, word) => {
                below(of);
                assert_eq!(self.span(*word), "await");
            }
            ExprKind::Binary { left, right, op_span, .. } => {
                below(left);
                below(right);
                assert!(self.span(*op_span).bytes().all(|b| b.is_ascii_punctuation() || b == b' '));
            }
            ExprKind::Macro(call) => self.call(call, Some(number)),
            _ => {}
        }
    }
}

impl Use {
    /// Whether what is bound is written in the leaf, or is the segment that `self` stands for.
    fn binds_in(&self, leaf: &str) -> bool {
        match &self.binds {
            UseBinding::Name(name) => leaf.contains(&**name) || leaf.starts_with("self") || leaf.contains('$'),
            _ => true,
        }
    }
}
