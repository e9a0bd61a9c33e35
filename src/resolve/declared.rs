//! What invocations of local macros declare where items stand.
//!
//! A macro's body says `fn $name` or `mod health;`, an invocation hands in the names. Such a name leads to
//! the invocation, and with it to the whole body; a `mod` to its file. Names that are found in any other
//! way come first.

use std::{collections::BTreeSet, rc::Rc};

use super::{Found, ItemId, ModuleId, Res, Space, World, solving::Task};
use crate::source::{ExprKind, ItemKind, MacroCall, Module as ModDecl, Name, Path, TypeKind};

/// Through how many macros an invocation is followed.
const DEPTH: usize = 8;

/// What an invocation declares.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    list: Vec<Declaration>,
    /// The words among its tokens, where some of them may be names.
    words: BTreeSet<Name>,
}

/// What the body of a macro calls by names that an invocation gives.
#[derive(Debug, Default)]
pub struct OpenNames {
    /// Members of a type that is given: `check` of `$type::check()`.
    pub members: BTreeSet<Name>,
    /// Whether a method's name is given: `$value.$method()`.
    pub methods: bool,
    /// Paths of which a later segment is given: `$crate::checks::$name`.
    pub paths: BTreeSet<Vec<Name>>,
}

/// Something that a macro's body declares.
#[derive(Debug)]
struct Declaration {
    item: ItemId,
    /// As the body spells it: `$name` where the invocation gives the name.
    name: Name,
}

impl World<'_> {
    fn invocations(&mut self, module: ModuleId) -> Vec<ItemId> {
        let items = &self.table(module).items;
        items.iter().copied().filter(|&item| matches!(self.item(item).kind, ItemKind::MacroCall(_))).collect()
    }

    /// What a name means in a module if only an invocation there can have declared it.
    pub(super) fn macro_declared(&mut self, module: ModuleId, name: &Name) -> Vec<Found> {
        let mut found = Vec::new();
        for call in self.invocations(module) {
            let declarations = self.declarations(call);
            for declaration in &declarations.list {
                let given = declaration.name.starts_with('$') && declarations.words.contains(name);
                if !given && declaration.name != *name {
                    continue;
                }
                match &self.item(declaration.item).kind {
                    ItemKind::Module(ModDecl::File { .. }) => {
                        found.extend(self.macro_module(module, call, name).map(|child| Found::of(Res::Module(child))));
                    }
                    ItemKind::Impl { .. } | ItemKind::MacroCall(_) => {}
                    _ => found.push(Found::of(Res::Item(call))),
                }
            }
        }
        found.dedup_by(|a, b| a.res == b.res);
        found
    }

    /// The modules in files of their own that an invocation declares.
    pub fn macro_modules(&mut self, call: ItemId) -> Vec<ModuleId> {
        let module = self.module_of(call);
        let mut found = Vec::new();
        let declarations = self.declarations(call);
        for declaration in &declarations.list {
            if !matches!(self.item(declaration.item).kind, ItemKind::Module(ModDecl::File { .. })) {
                continue;
            }
            let names: Vec<Name> = match declaration.name.starts_with('$') {
                true => declarations.words.iter().cloned().collect(),
                false => vec![declaration.name.clone()],
            };
            found.extend(names.iter().filter_map(|name| self.macro_module(module, call, name)).collect::<Vec<_>>());
        }
        found
    }

    /// Impls in the bodies of macros that are invoked beside a type, with the type's name among the
    /// tokens, for whatever type they are given.
    pub(super) fn macro_impls(&mut self, of: ItemId) -> Vec<ItemId> {
        let (module, name) = (self.module_of(of), self.item(of).name.clone());
        let mut found = Vec::new();
        for call in self.invocations(module) {
            let declarations = self.declarations(call);
            for declaration in declarations.list.iter().filter(|_| declarations.words.contains(&name)) {
                let ItemKind::Impl { self_type, .. } = &self.item(declaration.item).kind else { continue };
                let facts = self.facts_of(declaration.item);
                if let TypeKind::Path(path) = &facts[*self_type].kind
                    && path
                        .segments
                        .first()
                        .is_some_and(|segment| segment.name.starts_with('$') && &*segment.name != "$crate")
                {
                    found.push(declaration.item);
                }
            }
        }
        found
    }

    /// What the bodies of the macro that an invocation names declare, macros invoked in them included.
    fn declarations(&mut self, call: ItemId) -> Rc<Declarations> {
        if let Some(known) = self.declarations.get(&call).and_then(|kept| self.solving.recall(kept)) {
            return known;
        }
        // Whoever asks again on the way gets nothing.
        if !self.solving.open(Task::Declares(call)) {
            return Rc::default();
        }
        let before = self.solving.start();
        let mut list = Vec::new();
        self.collect_declarations(call, DEPTH, &mut BTreeSet::new(), &mut list);
        let words = if list.is_empty() { BTreeSet::new() } else { self.tokens_of(call) };
        let found = Rc::new(Declarations { list, words });
        self.solving.close();
        let kept = self.solving.keep(before, Rc::clone(&found));
        self.declarations.insert(call, kept);
        found
    }

    fn collect_declarations(
        &mut self,
        call: ItemId,
        left: usize,
        seen: &mut BTreeSet<ItemId>,
        found: &mut Vec<Declaration>,
    ) {
        let facts = self.facts_of(call);
        let ItemKind::MacroCall(invocation) = &facts[self.item_ix(call)].kind else { return };
        let names: Vec<Name> = invocation.path.segments.iter().map(|segment| segment.name.clone()).collect();
        let module = self.module_of(call);
        for (of, _) in self.resolve_names(module, &names, invocation.path.global, Space::Macro, false) {
            let Res::Item(of) = of.res else { continue };
            if !seen.insert(of) {
                continue;
            }
            for item in self.macro_items(of) {
                let name = self.item(item).name.clone();
                if matches!(self.item(item).kind, ItemKind::MacroCall(_)) {
                    if left > 0 {
                        self.collect_declarations(item, left - 1, seen, found);
                    }
                } else {
                    found.push(Declaration { item, name });
                }
            }
        }
    }

    /// The items that the bodies of a macro declare.
    pub fn macro_items(&mut self, of: ItemId) -> Vec<ItemId> {
        let (module, facts) = (self.module_of(of), self.facts_id(of));
        let ItemKind::MacroRules { body, .. } = &self.item(of).kind else { return Vec::new() };
        let Some(scope) = body.scope else { return Vec::new() };
        let inside = self.block(module, facts, scope);
        self.table(inside).items.clone()
    }

    /// What the body of a macro calls by names that an invocation gives.
    pub fn open_names(&mut self, of: ItemId) -> Rc<OpenNames> {
        if let Some(known) = self.open_names.get(&of) {
            return Rc::clone(known);
        }
        let span = self.item(of).span;
        let mut open = OpenNames::default();
        let facts = self.facts_of(of);
        let given = |path: &Path| {
            path.segments.first().is_some_and(|first| first.name.starts_with('$') && &*first.name != "$crate")
        };
        for expr in &facts.exprs {
            if expr.span.start < span.start || expr.span.end > span.end {
                continue;
            }
            match &expr.kind {
                ExprKind::Method { name, .. } => open.methods |= name.starts_with('$'),
                ExprKind::Path(path) => {
                    let of_given = match path.qself.map(|qself| &facts[qself.of].kind) {
                        Some(TypeKind::Path(of)) => given(of),
                        Some(_) => false,
                        None => path.segments.len() > 1 && given(path),
                    };
                    let later = path.segments.iter().skip(1).any(|segment| segment.name.starts_with('$'));
                    if let (true, Some(last)) = (of_given, path.segments.last()) {
                        open.members.insert(last.name.clone());
                    } else if later && path.qself.is_none() {
                        open.paths.insert(path.segments.iter().map(|segment| segment.name.clone()).collect());
                    }
                }
                _ => {}
            }
        }
        let open = Rc::new(open);
        self.open_names.insert(of, Rc::clone(&open));
        open
    }

    fn tokens_of(&self, call: ItemId) -> BTreeSet<Name> {
        let ItemKind::MacroCall(MacroCall { path, span, .. }) = &self.item(call).kind else { return BTreeSet::new() };
        self.token_words(crate::base::Span { start: path.span.end, ..*span })
    }

    /// The words in a piece of text.
    pub fn token_words(&self, span: crate::base::Span) -> BTreeSet<Name> {
        let tokens = self.files.text(span);
        let words = tokens.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty()).map(Name::from).collect()
    }
}
