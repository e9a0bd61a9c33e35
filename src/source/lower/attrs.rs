//! Attributes, as far as they name something.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::{Attribute, Expr, Meta, parse::Parser as _, punctuated::Punctuated};

use super::{Lower, cfg};
use crate::source::facts::{Attr, Name, Path};

/// Built-in attributes of a single name that name nothing themselves (the reference's list of built-in
/// attributes, and the unstable ones met in practice).
const INERT: [&str; 66] = [
    "allow",
    "automatically_derived",
    "bench",
    "cfg",
    "cfg_attr",
    "cold",
    "coverage",
    "crate_name",
    "crate_type",
    "debugger_visualizer",
    "default",
    "deny",
    "deprecated",
    "derive",
    "derive_const",
    "doc",
    "expect",
    "export_name",
    "feature",
    "forbid",
    "fundamental",
    "global_allocator",
    "ignore",
    "inline",
    "instruction_set",
    "link",
    "link_name",
    "link_ordinal",
    "link_section",
    "macro_export",
    "macro_use",
    "marker",
    "may_dangle",
    "must_use",
    "naked",
    "no_builtins",
    "no_core",
    "no_implicit_prelude",
    "no_link",
    "no_main",
    "no_mangle",
    "no_std",
    "non_exhaustive",
    "optimize",
    "panic_handler",
    "path",
    "pin_v2",
    "prelude_import",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
    "recursion_limit",
    "repr",
    "rustc_const_stable",
    "should_panic",
    "stable",
    "target_feature",
    "test",
    "track_caller",
    "type_length_limit",
    "type_const",
    "unsafe",
    "unstable",
    "used",
    "warn",
    "windows_subsystem",
];

/// Namespaces of tools.
const TOOLS: [&str; 5] = ["clippy", "diagnostic", "miri", "rust_analyzer", "rustfmt"];

/// What is asked of a module's and a macro's attributes.
#[derive(Default)]
pub(super) struct Marks {
    /// Every `#[path]`, and whether each stands there without a condition.
    pub(super) paths: Vec<(String, bool)>,
    pub(super) macro_use: bool,
    pub(super) macro_export: bool,
}

impl Lower<'_> {
    /// What attributes say. Inert ones are left out, `cfg_attr` is opened.
    pub(super) fn attrs(&mut self, attrs: Vec<Attribute>) -> Vec<Attr> {
        let mut out = Vec::new();
        for attr in attrs {
            self.meta(attr.meta, &mut out);
        }
        out
    }

    fn meta(&mut self, meta: Meta, out: &mut Vec<Attr>) {
        if let Meta::List(list) = &meta {
            if list.path.is_ident("cfg_attr") {
                if let Some((on, metas)) = cfg::opened(list.tokens.clone())
                    && on != cfg::Condition::Off
                {
                    metas.into_iter().for_each(|meta| self.meta(meta, out));
                }
                return;
            }
            if list.path.is_ident("derive") || list.path.is_ident("derive_const") {
                return self.derives(list.tokens.clone(), out);
            }
        }
        if is_inert(meta.path()) {
            return;
        }
        match meta {
            Meta::Path(path) => {
                let path = self.path(path);
                out.push(Attr { path, derive: false, paths: Vec::new(), strings: Vec::new() });
            }
            Meta::List(list) => {
                let path = self.path(list.path);
                let mut attr = Attr { path, derive: false, paths: Vec::new(), strings: Vec::new() };
                self.attr_tokens(list.tokens, &mut attr);
                out.push(attr);
            }
            Meta::NameValue(pair) => {
                let path = self.path(pair.path);
                let key = path.segments.last().map(|last| last.name.clone());
                let mut attr = Attr { path, derive: false, paths: Vec::new(), strings: Vec::new() };
                self.attr_value(key, pair.value, &mut attr);
                out.push(attr);
            }
        }
    }

    fn derives(&mut self, tokens: TokenStream, out: &mut Vec<Attr>) {
        let paths = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated.parse2(tokens);
        for path in paths.into_iter().flatten() {
            let path = self.path(path);
            out.push(Attr { path, derive: true, paths: Vec::new(), strings: Vec::new() });
        }
    }

    fn attr_value(&mut self, key: Option<Name>, value: Expr, attr: &mut Attr) {
        match value {
            Expr::Lit(lit) => {
                if let (Some(key), syn::Lit::Str(text)) = (key, &lit.lit) {
                    let span = self.places.span(text.span());
                    attr.strings.push((key, text.value(), span));
                }
            }
            Expr::Path(path) => {
                let path = self.path(path.path);
                attr.paths.push(path);
            }
            Expr::Call(call) => {
                self.attr_value(None, *call.func, attr);
                for arg in call.args {
                    self.attr_value(None, arg, attr);
                }
            }
            Expr::Macro(mac) => {
                let path = self.path(mac.mac.path);
                attr.paths.push(path);
                self.attr_tokens(mac.mac.tokens, attr);
            }
            Expr::Reference(of) => self.attr_value(key, *of.expr, attr),
            _ => {}
        }
    }

    /// Walks the tokens of an attribute, groups within groups without recursion, for paths of two or
    /// more segments, single names that are called, and strings that a key is given. What looks like a
    /// call (`custom(...)`) is one only as a value, or where a message with its arguments is given.
    fn attr_tokens(&mut self, tokens: TokenStream, attr: &mut Attr) {
        let mut levels = vec![Level::new(tokens)];
        let message = matches!(levels[0].trees.first(), Some(TokenTree::Literal(_)));
        let mut key: Option<Name> = None;
        let mut expects = false;
        while let Some(level) = levels.last_mut() {
            let Some(token) = level.next() else {
                levels.pop();
                continue;
            };
            match token {
                TokenTree::Ident(first) => {
                    let mut path = vec![first];
                    while let Some(next) = level.segment() {
                        path.push(next);
                    }
                    let called = matches!(level.trees.get(level.at), Some(TokenTree::Group(group))
                        if group.delimiter() == Delimiter::Parenthesis);
                    if path.len() > 1 || (called && (expects || message)) {
                        let path = self.idents(&path);
                        attr.paths.push(path);
                    }
                    key = path.last().map(|last| self.name(last).0);
                    expects = false;
                }
                TokenTree::Punct(punct) => {
                    expects = punct.as_char() == '=';
                    if !expects && punct.as_char() != '&' {
                        key = None;
                    }
                }
                TokenTree::Literal(literal) => {
                    let lit = syn::Lit::new(literal);
                    if let (true, Some(key), syn::Lit::Str(text)) = (expects, key.take(), &lit) {
                        let span = self.places.span(text.span());
                        attr.strings.push((key, text.value(), span));
                    }
                }
                TokenTree::Group(group) => {
                    key = None;
                    expects = false;
                    levels.push(Level::new(group.stream()));
                }
            }
        }
    }

    /// A path of bare names.
    pub(super) fn idents(&mut self, idents: &[Ident]) -> Path {
        let mut segments = Vec::with_capacity(idents.len());
        for ident in idents {
            let (name, span) = self.name(ident);
            segments.extend(self.single(name, span).segments);
        }
        let start = segments.first().map_or(0, |first| first.span.start);
        let end = segments.last().map_or(0, |last| last.span.end);
        Path { global: false, qself: None, segments, span: self.places.range(start, end) }
    }
}

/// The tokens of a group, and how far they were read.
struct Level {
    trees: Vec<TokenTree>,
    at: usize,
}

impl Level {
    fn new(tokens: TokenStream) -> Self {
        Self { trees: tokens.into_iter().collect(), at: 0 }
    }

    fn next(&mut self) -> Option<TokenTree> {
        let token = self.trees.get(self.at).cloned();
        self.at += 1;
        token
    }

    /// The segment behind `::`, which is taken only together with it.
    fn segment(&mut self) -> Option<Ident> {
        match self.trees.get(self.at..self.at + 3)? {
            [TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(ident)]
                if a.as_char() == ':' && b.as_char() == ':' =>
            {
                self.at += 3;
                Some(ident.clone())
            }
            _ => None,
        }
    }
}

/// What is asked of a module's and a macro's attributes, those in `cfg_attr` included.
pub(super) fn marks(attrs: &[Attribute]) -> Marks {
    let mut marks = Marks::default();
    attrs.iter().for_each(|attr| mark(&attr.meta, true, &mut marks));
    marks
}

fn mark(meta: &Meta, always: bool, marks: &mut Marks) {
    let path = meta.path();
    if path.is_ident("macro_use") {
        marks.macro_use = true;
    } else if path.is_ident("macro_export") {
        marks.macro_export = true;
    } else if path.is_ident("path") {
        if let Meta::NameValue(pair) = meta
            && let Expr::Lit(lit) = &pair.value
            && let syn::Lit::Str(text) = &lit.lit
        {
            marks.paths.push((text.value(), always));
        }
    } else if let Meta::List(list) = meta
        && path.is_ident("cfg_attr")
        && let Some((on, metas)) = cfg::opened(list.tokens.clone())
        && on != cfg::Condition::Off
    {
        metas.iter().for_each(|meta| mark(meta, always && on == cfg::Condition::On, marks));
    }
}

fn is_inert(path: &syn::Path) -> bool {
    match path.get_ident() {
        Some(ident) => INERT.iter().any(|name| ident == name),
        None => path.segments.first().is_some_and(|first| TOOLS.iter().any(|name| first.ident == name)),
    }
}
