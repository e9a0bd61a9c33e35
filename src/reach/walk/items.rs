//! What counts of an item when a route comes to it.

use super::walker::Walker;
use crate::{
    base::Span,
    finding::HopKind,
    reach::{Event, EventKind, Role, Target},
    resolve::{Found, ItemId, ModuleId, Res, Space},
    source::{Attr, ExprIx, Fields, Generics, ItemKind, MacroBody, Path},
    types::{Code, Context, Reader, Ty},
};

/// Keys of attributes whose string names a function, a module or a type. Those of serde are listed
/// at <https://serde.rs/attributes.html>.
const PATH_KEYS: [&str; 14] = [
    "with",
    "serialize_with",
    "deserialize_with",
    "default",
    "skip_serializing_if",
    "getter",
    "from",
    "try_from",
    "into",
    "remote",
    "function",
    "custom",
    "default_value_t",
    "as",
];

/// How deep the items that a macro's body declares lie in each other.
const MOST_NESTED: usize = 16;

/// What a target does, in source order.
pub fn walk(reader: &mut Reader<'_>, target: &Target) -> Vec<Event> {
    match target {
        Target::Item(item) => walk_item(reader, *item, None, None),
        Target::Default(method, this) => {
            let this = Ty::Local(*this, Vec::new());
            walk_item(reader, *method, Some(this), None)
        }
        Target::Field(item, variant, field) => walk_field(reader, *item, *variant, *field),
        Target::Derived(item) => walk_derived(reader, *item),
        Target::Macro(item, module) => walk_macro(reader, *item, *module),
        Target::Scanned(module) => walk_scanned(reader, *module),
        Target::Import(by) => {
            let span = reader.use_of(*by).span;
            let mut events = Vec::new();
            for found in reader.resolve_use(*by).iter() {
                let uses = found.uses.clone().into();
                if let Res::Outside(path) = &found.res {
                    let path = path.clone();
                    events.push(Event { span, kind: EventKind::Outside { path, uses, role: Role::Import } });
                } else if let Some(&package) = found.crates.first() {
                    events.push(Event { span, kind: EventKind::LocalCrate { package, uses } });
                }
            }
            events
        }
        Target::Piece(item, span) => {
            let within = |inner: Span| inner.file == span.file && span.start <= inner.start && inner.end <= span.end;
            let events = match &reader.item(*item).kind {
                ItemKind::MacroRules { .. } => walk_macro(reader, *item, reader.module_of(*item)),
                _ => walk_item(reader, *item, None, None),
            };
            events.into_iter().filter(|event| within(event.span)).collect()
        }
        // What a table of functions holds counts whole.
        Target::MadeBy(item) if !matches!(reader.item(*item).kind, ItemKind::Fn(_)) => {
            walk_item(reader, *item, None, None)
        }
        Target::MadeBy(item) => {
            let closures = closures_in(reader, *item);
            let within = |inner: Span| {
                closures.iter().any(|c| c.file == inner.file && c.start <= inner.start && inner.end <= c.end)
            };
            let (events, returned) = walk_code(reader, *item, None, None);
            let given = |code: Code| returned.iter().any(|returned| *returned.bare() == code);
            let mut found = Vec::new();
            for mut event in events {
                if let EventKind::To { target, .. } = &mut event.kind
                    && let Target::Item(item) = *target
                {
                    if given(Code::Function(item)) {
                        found.push(event);
                        continue;
                    }
                    // What a function of its own made, it hands on.
                    if !within(event.span) && given(Code::MadeBy(item)) {
                        *target = Target::MadeBy(item);
                        found.push(event);
                        continue;
                    }
                }
                if within(event.span) {
                    found.push(event);
                }
            }
            found
        }
    }
}

fn closures_in(reader: &Reader<'_>, item: ItemId) -> Vec<Span> {
    let facts = reader.facts_of(item);
    let body = reader.item(item).span;
    let closures = facts.exprs.iter().filter(|expr| match expr.kind {
        crate::source::ExprKind::Closure { .. } => true,
        crate::source::ExprKind::Block { is_async, .. } => is_async,
        _ => false,
    });
    closures.map(|expr| expr.span).filter(|span| body.start <= span.start && span.end <= body.end).collect()
}

fn walk_item(reader: &mut Reader<'_>, item: ItemId, this: Option<Ty>, fallback: Option<ModuleId>) -> Vec<Event> {
    walk_code(reader, item, this, fallback).0
}

/// The same, and the code that a function returns.
fn walk_code(
    reader: &mut Reader<'_>,
    item: ItemId,
    this: Option<Ty>,
    fallback: Option<ModuleId>,
) -> (Vec<Event>, Vec<Code>) {
    let mut cx = Context::new(reader, item, this);
    cx.fallback = fallback;
    let facts = reader.facts_of(item);
    let fact = &facts[reader.item_ix(item)];
    let mut walker = Walker::new(reader, cx);
    walker.attrs(&fact.attrs, matches!(fact.kind, ItemKind::Fn(_) | ItemKind::Impl { .. }));
    walker.generics(&fact.generics);
    match &fact.kind {
        ItemKind::Fn(function) => {
            walker.function(function);
        }
        ItemKind::Const { of, value } | ItemKind::Static { of, value, .. } => {
            walker.type_(*of);
            if let Some(value) = value {
                let want = walker.cx.lower(walker.reader, *of);
                walker.expr(*value, Some(&want));
            }
        }
        ItemKind::Alias { of, bounds } => of.iter().chain(bounds).for_each(|&ty| walker.type_(ty)),
        ItemKind::Names { types } => types.iter().for_each(|&ty| walker.type_(ty)),
        ItemKind::Enum(variants) => {
            for discriminant in variants.iter().filter_map(|variant| variant.discriminant) {
                walker.expr(discriminant, None);
            }
        }
        ItemKind::Trait { supertraits, .. } => supertraits.iter().for_each(|&ty| walker.type_(ty)),
        ItemKind::Impl { of, self_type, .. } => of.iter().chain([self_type]).for_each(|&ty| walker.type_(ty)),
        ItemKind::MacroCall(call) => {
            walker.macro_call(call, None);
        }
        ItemKind::ExternCrate { .. } => {
            let path = walker.text_path(&fact.name, fact.span);
            let found = path.map(|path| walker.resolve(&path, Space::Type)).unwrap_or_default();
            for (found, _) in found {
                if let Res::Outside(path) = found.res {
                    walker.say(fact.span, EventKind::Outside { path, uses: std::rc::Rc::from([]), role: Role::Import });
                }
            }
        }
        ItemKind::MacroRules { .. } | ItemKind::Module(_) | ItemKind::Struct(_) => {}
    }
    (walker.events, walker.returned)
}

fn walk_field(reader: &mut Reader<'_>, item: ItemId, variant: Option<u32>, field: u32) -> Vec<Event> {
    let cx = Context::new(reader, item, None);
    let facts = reader.facts_of(item);
    let fields: Option<&Fields> = match (&facts[reader.item_ix(item)].kind, variant) {
        (ItemKind::Struct(fields), _) => Some(fields),
        (ItemKind::Enum(variants), Some(variant)) => variants.get(variant as usize).map(|variant| &variant.fields),
        _ => None,
    };
    let Some(field) = fields.and_then(|fields| fields.fields.get(field as usize)) else { return Vec::new() };
    let mut walker = Walker::new(reader, cx);
    walker.type_(field.of);
    walker.events
}

/// What serde and the like call because of a type's attributes.
fn walk_derived(reader: &mut Reader<'_>, item: ItemId) -> Vec<Event> {
    let cx = Context::new(reader, item, None);
    let facts = reader.facts_of(item);
    let fact = &facts[reader.item_ix(item)];
    let mut walker = Walker::new(reader, cx);
    walker.attr_strings(&fact.attrs);
    let fields = |walker: &mut Walker<'_, '_>, fields: &Fields| {
        for field in &fields.fields {
            walker.attr_strings(&field.attrs);
            let mut inner = Vec::new();
            walker.cx.lower(walker.reader, field.of).locals(&mut inner);
            let span = facts[field.of].span;
            for inner in inner {
                walker.to(span, Target::Derived(inner), HopKind::Implicit);
                for of in ["Serialize", "Deserialize"] {
                    if walker.reader.derives(item, of) {
                        walker.own_impl(inner, of, span);
                    }
                }
            }
        }
    };
    walker.serde_conversions(item, &fact.attrs);
    match &fact.kind {
        ItemKind::Struct(of) => fields(&mut walker, of),
        ItemKind::Enum(variants) => {
            for variant in variants {
                walker.attr_strings(&variant.attrs);
                fields(&mut walker, &variant.fields);
            }
        }
        _ => {}
    }
    walker.events
}

fn walk_macro(reader: &mut Reader<'_>, item: ItemId, module: ModuleId) -> Vec<Event> {
    let mut cx = Context::new(reader, item, None);
    // Names of items are not hygienic: they mean what they mean where the macro is invoked.
    cx.fallback = Some(std::mem::replace(&mut cx.module, module)).filter(|own| *own != module);
    let facts = reader.facts_of(item);
    let ItemKind::MacroRules { body, .. } = &facts[reader.item_ix(item)].kind else { return Vec::new() };
    let mut walker = Walker::new(reader, cx);
    walker.macro_body(body);
    let mut events = walker.events;
    for item in reader.macro_items(item) {
        walk_declared(reader, item, module, MOST_NESTED, &mut events);
    }
    events
}

/// All of an item that a macro's body declares: the whole body counts.
fn walk_declared(reader: &mut Reader<'_>, item: ItemId, module: ModuleId, left: usize, events: &mut Vec<Event>) {
    events.extend(walk_item(reader, item, None, Some(module)));
    let mut inner = reader.members(item);
    match &reader.item(item).kind {
        ItemKind::Struct(fields) => {
            for field in (0..).take(fields.fields.len()) {
                events.extend(walk_field(reader, item, None, field));
            }
        }
        ItemKind::Enum(variants) => {
            let counts: Vec<usize> = variants.iter().map(|variant| variant.fields.fields.len()).collect();
            for (variant, count) in (0..).zip(counts) {
                for field in (0..).take(count) {
                    events.extend(walk_field(reader, item, Some(variant), field));
                }
            }
        }
        ItemKind::Module(crate::source::Module::Inline { .. }) => {
            for child in reader.children_of(item).to_vec() {
                inner.extend(reader.table(child).items.iter().copied());
            }
        }
        _ => {}
    }
    if left > 0 {
        inner.into_iter().for_each(|inner| walk_declared(reader, inner, module, left - 1, events));
    }
}

fn walk_scanned(reader: &mut Reader<'_>, module: ModuleId) -> Vec<Event> {
    reader.load(module);
    let parts: Vec<_> = reader.module(module).parts().iter().map(|part| part.facts).collect();
    let mut events = Vec::new();
    for facts_id in parts {
        let facts = reader.facts(facts_id).clone();
        let cx = Context {
            item: None,
            facts: facts.clone(),
            facts_id,
            module,
            fallback: None,
            self_ty: None,
            generics: Vec::new(),
            owner: None,
        };
        let mut walker = Walker::new(reader, cx);
        for &expr in &facts.scan {
            walker.expr(expr, None);
        }
        events.extend(walker.events);
    }
    events
}

impl Walker<'_, '_> {
    fn function(&mut self, function: &crate::source::Function) {
        if let Some(receiver) = &function.receiver {
            if let Some(of) = receiver.of {
                self.type_(of);
            }
            let ty = self.cx.self_ty.clone().unwrap_or(Ty::Unknown);
            let ty = if receiver.by_ref || receiver.of.is_some() { Ty::Ref(Box::new(ty)) } else { ty };
            self.bind_name("self".into(), ty, receiver.span);
        }
        for param in &function.params {
            self.type_(param.of);
            let ty = self.cx.lower(self.reader, param.of);
            self.pattern(param.pat, &ty);
        }
        if let Some(ret) = function.ret {
            self.type_(ret);
            self.returns = self.cx.lower(self.reader, ret);
        } else {
            self.returns = Ty::unit();
        }
        if let Some(body) = function.body {
            let want = self.returns.clone();
            let given = self.tail(body, Some(&want));
            given.codes(&mut self.returned);
        }
        self.end_locals(0);
    }

    fn generics(&mut self, generics: &Generics) {
        for param in &generics.params {
            param.bounds.iter().chain(&param.default).for_each(|&ty| self.type_(ty));
        }
        for (of, bounds) in &generics.wheres {
            self.type_(*of);
            bounds.iter().for_each(|&ty| self.type_(ty));
        }
    }

    /// Attributes: the macros that they are, and the paths among their tokens.
    pub(super) fn attrs(&mut self, attrs: &[Attr], strings: bool) {
        for attr in attrs {
            for (found, _) in self.resolve(&attr.path, Space::Macro) {
                if matches!(found.res, Res::Outside(_)) {
                    self.name(&attr.path, &found, Role::Macro);
                }
            }
            for path in &attr.paths {
                self.attr_path(path);
            }
        }
        if strings {
            self.attr_strings(attrs);
        }
    }

    fn attr_path(&mut self, path: &Path) {
        for space in [Space::Value, Space::Type] {
            let found = self.resolve(path, space);
            for (found, _) in &found {
                self.name(path, found, Role::Code);
            }
            if !found.is_empty() {
                break;
            }
        }
    }

    /// Strings of attributes that name code: functions are called, of a module what serde calls.
    pub(super) fn attr_strings(&mut self, attrs: &[Attr]) {
        for attr in attrs {
            for (key, text, span) in &attr.strings {
                if !PATH_KEYS.contains(&&**key) {
                    continue;
                }
                let Some(path) = self.text_path(text, *span) else { continue };
                let mut found = self.resolve(&path, Space::Value);
                // A glob import of a crate may seem to have everything; what is local comes first.
                let guessed = |found: &Found| matches!(&found.res, Res::Outside(path) if path.guessed);
                found.retain(|(found, consumed)| *consumed == path.segments.len() && !guessed(found));
                if found.is_empty() {
                    found = self.resolve(&path, Space::Type);
                }
                for (found, consumed) in found {
                    match &found.res {
                        Res::Module(module) => self.serde_module(*module, *span),
                        Res::Item(item) if consumed < path.segments.len() => {
                            let name = path.segments[consumed].name.clone();
                            let callees = self.reader.of_local(*item, &name, false);
                            callees.iter().for_each(|callee| self.callee(callee, *span, HopKind::Call));
                        }
                        _ => self.name(&path, &found, Role::Code),
                    }
                }
            }
        }
    }

    /// A local type's own impl of one of serde's traits.
    fn own_impl(&mut self, item: ItemId, of: &str, span: Span) {
        for method in self.reader.language_impl(item, of, None) {
            self.to(span, Target::Item(method), HopKind::Implicit);
        }
    }

    /// `#[serde(from = "Raw")]`, `try_from` and `into` convert from and into another type.
    fn serde_conversions(&mut self, item: ItemId, attrs: &[Attr]) {
        for (key, text, span) in attrs.iter().flat_map(|attr| &attr.strings) {
            let last = text.split('<').next().and_then(|head| head.rsplit("::").next()).unwrap_or_default().trim();
            let is_named = |reader: &Reader<'_>, ty: &Ty| match ty.peel() {
                Ty::Local(of, _) => *reader.item(*of).name == *last,
                Ty::Outside(Some(path), _) => path.last() == last,
                _ => true,
            };
            let methods: Vec<ItemId> = match &**key {
                "from" | "try_from" => {
                    let all = self.reader.conversions_into(item);
                    all.into_iter().filter(|(_, ty)| is_named(self.reader, ty)).map(|(method, _)| method).collect()
                }
                "into" => self.reader.conversions_from(item),
                _ => continue,
            };
            for method in methods {
                self.to(*span, Target::Item(method), HopKind::Implicit);
            }
        }
    }

    /// `#[serde(with = "module")]` calls `serialize` and `deserialize` there.
    fn serde_module(&mut self, module: ModuleId, span: Span) {
        for name in ["serialize", "deserialize"] {
            for found in self.reader.lookup(module, &name.into(), Space::Value).iter() {
                if let Res::Item(item) = found.res {
                    self.to(span, Target::Item(item), HopKind::Call);
                }
            }
        }
    }

    /// The tokens of a macro: what its expressions, types and items say.
    pub(super) fn macro_body(&mut self, body: &MacroBody) {
        let outer = self.cx.module;
        if let Some(scope) = body.scope {
            self.cx.module = self.reader.block(outer, self.cx.facts_id, scope);
        }
        self.scoped(|walker| {
            for &pat in &body.pats {
                walker.pattern(pat, &Ty::Unknown);
            }
            walker.macro_types(body);
            let exprs: Vec<ExprIx> = body.exprs.clone();
            for expr in exprs {
                walker.expr(expr, None);
            }
        });
        self.formatted(body);
        self.cx.module = outer;
    }
}
