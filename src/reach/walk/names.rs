//! Paths to events.

use std::rc::Rc;

use super::walker::Walker;
use crate::{
    base::Span,
    finding::{Certainty, HopKind},
    reach::{EventKind, Role, Target},
    resolve::{Found, Res, Space},
    source::{ItemKind, MacroBody, Name, Path, TypeIx, TypeKind},
};

impl Walker<'_, '_> {
    /// What a path means from here, and how many of its segments that took.
    pub(super) fn resolve(&mut self, path: &Path, space: Space) -> Vec<(Found, usize)> {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name.clone()).collect();
        for module in self.cx.scopes(&names) {
            let found = self.reader.resolve_names(module, &names, path.global, space, false);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Writes down what a path was found to mean, apart from functions, whose callers say more.
    pub(super) fn name(&mut self, path: &Path, found: &Found, role: Role) {
        let uses: Rc<[_]> = found.uses.clone().into();
        for &package in &found.crates {
            self.say(path.span, EventKind::LocalCrate { package, uses: Rc::clone(&uses) });
        }
        match &found.res {
            Res::Outside(outside) => {
                self.say(path.span, EventKind::Outside { path: outside.clone(), uses, role });
            }
            Res::Item(item) => {
                let hop = match &self.reader.item(*item).kind {
                    ItemKind::Fn(_) => HopKind::Call,
                    ItemKind::MacroRules { .. } | ItemKind::MacroCall(_) => HopKind::Macro,
                    _ => HopKind::Type,
                };
                let target = match &self.reader.item(*item).kind {
                    ItemKind::MacroRules { .. } => Target::Macro(*item, self.cx.fallback.unwrap_or(self.cx.module)),
                    _ => Target::Item(*item),
                };
                self.lead(path.span, target, hop, Certainty::Resolved, uses);
            }
            Res::Variant(item, _) => {
                self.lead(path.span, Target::Item(*item), HopKind::Type, Certainty::Resolved, uses)
            }
            Res::Scanned(module) => {
                self.lead(path.span, Target::Scanned(*module), HopKind::Call, Certainty::Resolved, uses)
            }
            Res::Module(_) | Res::Primitive(_) => {}
        }
    }

    /// A type, with all that it names.
    pub(super) fn type_(&mut self, of: TypeIx) {
        let facts = std::sync::Arc::clone(&self.cx.facts);
        match &facts[of].kind {
            TypeKind::Path(path) => self.type_path(path),
            TypeKind::Ref(inner) => self.type_(*inner),
            TypeKind::Slice(inner, len) => {
                self.type_(*inner);
                if let Some(len) = len {
                    self.expr(*len, None);
                }
            }
            TypeKind::Tuple(elems) | TypeKind::Impl(elems) | TypeKind::Dyn(elems) => {
                elems.iter().for_each(|&elem| self.type_(elem))
            }
            TypeKind::Fn { params, ret } => params.iter().chain(ret).for_each(|&ty| self.type_(ty)),
            TypeKind::Macro(call) => {
                self.macro_call(call, None);
            }
            TypeKind::Other => {}
        }
    }

    /// A path in type position.
    pub(super) fn type_path(&mut self, path: &Path) {
        if let Some(qself) = path.qself {
            self.type_(qself.of);
            if qself.trait_segments == 0 {
                self.path_args(path);
                return;
            }
            let mut of_trait = path.clone();
            of_trait.segments.truncate(qself.trait_segments);
            of_trait.qself = None;
            self.type_path(&of_trait);
            return;
        }
        let first = path.segments.first().map(|segment| segment.name.clone());
        let is_generic = first.as_deref().is_some_and(|name| name == "Self" || self.cx.generic(name).is_some());
        if !is_generic || path.global {
            for (found, _) in self.resolve(path, Space::Type) {
                self.name(path, &found, Role::Code);
            }
        }
        self.path_args(path);
    }

    /// The type arguments in a path.
    pub(super) fn path_args(&mut self, path: &Path) {
        for segment in &path.segments {
            segment.args.iter().for_each(|&arg| self.type_(arg));
            segment.bindings.iter().for_each(|(_, ty)| self.type_(*ty));
        }
    }

    /// Types found among a macro's tokens.
    pub(super) fn macro_types(&mut self, body: &MacroBody) {
        body.types.iter().for_each(|&ty| self.type_(ty));
    }

    /// A path given as text, as in `#[serde(with = "crate::codec")]`.
    pub(super) fn text_path(&self, text: &str, span: Span) -> Option<Path> {
        let names: Vec<&str> = text.split("::").map(str::trim).collect();
        let is_ident = |name: &&str| {
            let name = name.strip_prefix("r#").unwrap_or(name);
            name == "$crate"
                || !name.is_empty()
                    && !name.starts_with(|c: char| c.is_ascii_digit())
                    && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        let global = names.first() == Some(&"") && names.len() > 1;
        let names = &names[usize::from(global)..];
        names.iter().all(is_ident).then(|| Path {
            global,
            qself: None,
            segments: names
                .iter()
                .map(|name| crate::source::Segment {
                    name: name.strip_prefix("r#").unwrap_or(name).into(),
                    span,
                    args: Vec::new(),
                    bindings: Vec::new(),
                })
                .collect(),
            span,
        })
    }
}
