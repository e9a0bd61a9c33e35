//! Macro invocations: the macro itself, and what its tokens say.

use std::{mem, sync::Arc};

use super::{exprs::many, walker::Walker};
use crate::{
    finding::HopKind,
    reach::{EventKind, Role, Target},
    resolve::{ItemId, Res, Space},
    source::{ExprKind, Include, MacroCall},
    types::Ty,
};

impl Walker<'_, '_> {
    /// `name!(tokens)`.
    pub(super) fn macro_call(&mut self, call: &MacroCall, want: Option<&Ty>) -> Ty {
        let found = self.resolve(&call.path, Space::Macro);
        for (found, _) in &found {
            self.name(&call.path, found, Role::Macro);
        }
        match &call.include {
            Some(Include::Opaque(text)) => self.say(call.span, EventKind::Opaque(text.clone())),
            Some(include) => {
                let include = include.clone();
                self.include(call, &include);
            }
            None => {}
        }
        let outer = self.cx.module;
        if let Some(scope) = call.body.scope {
            self.cx.module = self.reader.block(outer, self.cx.facts_id, scope);
        }
        let wants = want.map(crate::types::element);
        let types = self.scoped(|walker| {
            for &pat in &call.body.pats {
                walker.pattern(pat, &Ty::Unknown);
            }
            walker.macro_types(&call.body);
            let mut types = Vec::new();
            for &expr in &call.body.exprs {
                let ty = walker.expr(expr, wants.as_ref());
                walker.types.insert(expr, ty.clone());
                types.push(ty);
            }
            types
        });
        self.formatted(&call.body);
        for (found, _) in &found {
            if let Res::Item(of) = found.res {
                self.open_names(of, call);
            }
        }
        self.cx.module = outer;
        let is_local = found.iter().any(|(found, _)| matches!(found.res, Res::Item(_)));
        self.macro_type(call, &types, is_local)
    }

    /// What a macro's body makes of names that it is given: `$type::check()`, `$value.$method()`.
    fn open_names(&mut self, of: ItemId, call: &MacroCall) {
        let open = self.reader.open_names(of);
        if open.members.is_empty() && open.paths.is_empty() && !open.methods {
            return;
        }
        let span = crate::base::Span { start: call.path.span.end, ..call.span };
        let words = self.reader.token_words(span);
        let facts = Arc::clone(&self.cx.facts);
        let paths = call.body.exprs.iter().filter_map(|&expr| match &facts[expr].kind {
            ExprKind::Path(path) => Some(path),
            _ => None,
        });
        for path in paths {
            let of_type = self.resolve(path, Space::Type).into_iter().find_map(|(found, consumed)| match found.res {
                Res::Item(item) if consumed == path.segments.len() => Some(item),
                _ => None,
            });
            if let Some(item) = of_type {
                for name in &open.members {
                    let ty = self.cx.lower_item(self.reader, item);
                    for callee in self.associated_callees(&ty, name) {
                        self.callee(&callee, path.span, HopKind::Macro);
                    }
                }
            }
        }
        if open.methods {
            for name in words.iter().cloned() {
                self.say(call.span, EventKind::ByName { name, field: false });
            }
        }
        let own = Some(self.reader.module_of(of)).filter(|own| *own != self.cx.module);
        let outer = mem::replace(&mut self.cx.fallback, own);
        for names in &open.paths {
            for word in &words {
                let is_open = |name: &str| name.starts_with('$') && name != "$crate";
                let full: Vec<&str> = names.iter().map(|name| if is_open(name) { word } else { &**name }).collect();
                if let Some(path) = self.text_path(&full.join("::"), call.span) {
                    self.value(&path);
                }
            }
        }
        self.cx.fallback = outer;
    }

    fn macro_type(&self, call: &MacroCall, types: &[Ty], is_local: bool) -> Ty {
        let name = call.path.segments.last().map_or("", |segment| &*segment.name);
        match name {
            _ if is_local => Ty::Unknown,
            "vec" => Ty::std("std::vec::Vec", vec![many(types.to_vec())]),
            "format" | "concat" | "stringify" | "env" => Ty::std("std::string::String", Vec::new()),
            "join" => Ty::Tuple(types.iter().map(|ty| self.awaited_type(ty)).collect()),
            "try_join" => {
                let each = types.iter().map(|ty| crate::types::open_result(&self.awaited_type(ty), false)).collect();
                Ty::std("std::result::Result", vec![Ty::Tuple(each), Ty::Unknown])
            }
            "matches" => Ty::EXTERNAL,
            "pin" | "dbg" | "black_box" => types.first().cloned().unwrap_or(Ty::Unknown),
            _ if types.iter().any(Ty::may_hold_local) => Ty::Unknown,
            _ => Ty::EXTERNAL,
        }
    }

    fn awaited_type(&self, ty: &Ty) -> Ty {
        match ty.peel() {
            Ty::Future(inner, _) => (**inner).clone(),
            other => other.clone(),
        }
    }

    /// An `include!` among expressions: its tokens are read as a file of their own.
    fn include(&mut self, call: &MacroCall, include: &Include) {
        let from = self.cx.facts.file;
        let Some(path) = self.reader.included_path(self.cx.module, from, include) else { return };
        if let Some(module) = self.reader.included(self.cx.module, &path) {
            self.to(call.span, Target::Scanned(module), HopKind::Include);
        }
    }
}
