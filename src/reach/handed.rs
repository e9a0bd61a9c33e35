//! Code handed in: closures, functions and values that callers anywhere give to selected items.
//!
//! The callers are found by a byte search for the name of each selected function that can take code
//! (and of each selected type that can keep some), and for every name that it is imported as.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use camino::Utf8PathBuf;

use super::{
    Anchor, EventKind, Target,
    follow::{Follower, Step, within},
    mentions::{Mentions, Sought},
};
use crate::{
    base::Span,
    finding::{Certainty, HopKind},
    project::PackageId,
    resolve::{ImplFor, ItemId, Res},
    source::{ExprKind, ItemKind, Name},
    types::{Callee, Code, Ty},
};

/// Bounds that no code comes in by.
const DATA_BOUNDS: [&str; 16] = [
    "Into",
    "AsRef",
    "AsMut",
    "ToString",
    "Borrow",
    "Copy",
    "Clone",
    "Send",
    "Sync",
    "Sized",
    "Unpin",
    "Debug",
    "From",
    "Serialize",
    "DeserializeOwned",
    "Default",
];

/// Through how many functions that only hand on what they are given code is followed.
const MOST_ROUNDS: usize = 8;

/// Who takes code.
#[derive(Default)]
struct Search {
    /// Selected functions.
    takers: BTreeSet<ItemId>,
    /// Selected types.
    keepers: BTreeSet<ItemId>,
    /// Parameters of other functions that are handed on to one of those.
    forwarders: BTreeMap<(ItemId, usize), Hands>,
    /// Macros whose bodies hand something to one of those, with the code that they hand over.
    macros: BTreeMap<ItemId, Vec<(Hands, Vec<Code>)>>,
}

impl Search {
    /// How much was found so far.
    fn fresh(&self) -> (usize, usize) {
        (self.forwarders.len(), self.macros.len())
    }
}

/// Where code is handed in in the end.
#[derive(Clone)]
struct Hands {
    /// The selected function.
    to: ItemId,
    /// As what a rules file can declare the code to be a workload.
    anchors: Vec<Anchor>,
}

impl Follower<'_, '_> {
    /// Finds what is handed in, and puts it on the path.
    pub(super) fn handed_in(&mut self) {
        let mut takers: BTreeSet<ItemId> = BTreeSet::new();
        let mut keepers: BTreeSet<ItemId> = BTreeSet::new();
        let mut names: BTreeMap<String, Option<String>> = BTreeMap::new();
        for &item in &self.selection.items {
            if self.is_inner(item) {
                continue;
            }
            let name = self.reader.item(item).name.to_string();
            match &self.reader.item(item).kind {
                ItemKind::Fn(_) => {
                    if !self.takes_code(item) {
                        continue;
                    }
                    takers.insert(item);
                    let of_type = self.type_name(item);
                    let signature = self.reader.signature(item);
                    // Without a receiver, a caller must write the type's name as well.
                    names.insert(name, of_type.filter(|_| signature.receiver.is_none()));
                }
                ItemKind::Static { of, .. } => {
                    let of = *of;
                    let ty = crate::types::Context::new(self.reader, item, None).lower(self.reader, of);
                    if self.may_be_code(&ty, 2) {
                        takers.insert(item);
                        names.insert(name, None);
                    }
                }
                ItemKind::Struct(_) | ItemKind::Enum(_) => {
                    let fields = self.reader.field_types(item);
                    if fields.iter().any(|ty| self.may_be_code(ty, 2)) {
                        keepers.insert(item);
                        names.insert(name, None);
                    }
                }
                _ => {}
            }
        }
        if takers.is_empty() && keepers.is_empty() {
            return;
        }
        // What could not be seen among the callers is not on the path, unless they hand it in.
        let before = self.reader.begin();
        self.search(names, Search { takers, keepers, ..Search::default() });
        self.reader.forget(before);
    }

    fn search(&mut self, mut names: BTreeMap<String, Option<String>>, mut search: Search) {
        // Each round looks for who calls what the last has found to hand code on.
        for _ in 0..MOST_ROUNDS {
            let macros = self.macros_naming(&names, &mut search);
            names.extend(macros.into_iter().map(|name| (name, None)));
            let fresh = search.fresh();
            let sought = self.sought(&search);
            for (path, words) in self.files_naming(&names, &search) {
                self.callers_in(&path, &words, &sought, &mut search);
            }
            if search.fresh() == fresh {
                return;
            }
            names = self.names_of(&search);
        }
    }

    /// Macros, other than selected ones, in files that have one of the names: what their bodies hand in.
    fn macros_naming(&mut self, names: &BTreeMap<String, Option<String>>, search: &mut Search) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (path, words) in self.files_naming(names, search) {
            for item in self.reader.items_of_file(&path, |kind| matches!(kind, ItemKind::MacroRules { .. })) {
                let text = self.reader.files.text(self.reader.item(item).span);
                if !words.iter().any(|word| text.contains(word.as_str())) {
                    continue;
                }
                let module = self.reader.module_of(item);
                for event in self.looked_at(&Target::Macro(item, module)).iter() {
                    let EventKind::Handing { callee, parameter, codes, .. } = &event.kind else { continue };
                    for hands in self.handed_to(callee, *parameter, search) {
                        found.insert(self.reader.item(item).name.to_string());
                        let selected = self.selection.items.contains(&item);
                        let codes = if selected { Vec::new() } else { codes.clone() };
                        search.macros.entry(item).or_default().push((hands, codes));
                    }
                }
            }
        }
        found
    }

    /// What callers name: all that takes code or hands it on, and what that belongs to.
    fn sought(&mut self, search: &Search) -> Sought {
        let functions: BTreeSet<ItemId> =
            search.takers.iter().chain(search.forwarders.keys().map(|(item, _)| item)).copied().collect();
        let mut sought = Sought { items: search.keepers.union(&functions).copied().collect(), ..Sought::default() };
        for item in functions {
            let Some(owner) = self.reader.owner(item) else { continue };
            if let ImplFor::Local(of) = self.reader.impl_for(owner) {
                sought.items.insert(of);
            }
            let of_trait = match self.reader.impl_trait(owner) {
                Some(Res::Item(of_trait)) => of_trait,
                Some(_) => continue,
                None if matches!(self.reader.item(owner).kind, ItemKind::Trait { .. }) => owner,
                None => continue,
            };
            sought.items.insert(of_trait);
            sought.of_traits.insert(self.reader.item(item).name.clone());
        }
        for &keeper in &search.keepers {
            let fields: Vec<Name> = match &self.reader.item(keeper).kind {
                ItemKind::Struct(fields) => fields.fields.iter().map(|field| field.name.clone()).collect(),
                _ => Vec::new(),
            };
            let types = self.reader.field_types(keeper);
            let keeping = fields.into_iter().zip(types.iter()).filter(|(_, ty)| self.may_be_code(ty, 2));
            sought.fields.extend(keeping.map(|(name, _)| name));
        }
        sought
    }

    /// The names of the functions that were found to hand their parameters on.
    fn names_of(&mut self, search: &Search) -> BTreeMap<String, Option<String>> {
        let mut names = BTreeMap::new();
        for &(item, _) in search.forwarders.keys() {
            names.insert(self.reader.item(item).name.to_string(), None);
        }
        names
    }

    /// The name of the type that an associated function belongs to.
    fn type_name(&mut self, item: ItemId) -> Option<String> {
        let owner = self.reader.owner(item)?;
        match self.reader.impl_for(owner) {
            ImplFor::Local(of) => Some(self.reader.item(of).name.to_string()),
            _ => None,
        }
    }

    fn takes_code(&mut self, item: ItemId) -> bool {
        let signature = self.reader.signature(item);
        signature.params.iter().any(|param| self.may_be_code(param, 2))
    }

    /// Whether code, or a value whose methods the lease may call, can come in by a type.
    fn may_be_code(&mut self, ty: &Ty, depth: usize) -> bool {
        match ty {
            Ty::Bound(bounds) => {
                // `impl Into<Hook>` takes a closure where a hook is made of one.
                let mut data = true;
                for (path, args, _) in &bounds.outside {
                    let into = path.last() == "Into" && args.iter().any(|arg| self.may_be_code(arg, depth));
                    data &= DATA_BOUNDS.contains(&path.last()) && !into;
                }
                !data || !bounds.local.is_empty() || bounds.outside.is_empty()
            }
            Ty::Fn(..) | Ty::Code(..) | Ty::Unknown => true,
            Ty::Future(..) => true,
            Ty::Ref(inner) | Ty::Slice(inner) => self.may_be_code(inner, depth),
            Ty::Outside(_, args) | Ty::Tuple(args) => args.iter().any(|arg| self.may_be_code(arg, depth)),
            Ty::Local(item, args) => {
                args.iter().any(|arg| self.may_be_code(arg, depth))
                    || (depth > 0
                        && self.reader.field_types(*item).iter().any(|field| self.may_be_code(field, depth - 1)))
            }
        }
    }

    /// Files of linked packages that have one of the names, with the names that each has.
    fn files_naming(
        &mut self,
        names: &BTreeMap<String, Option<String>>,
        search: &Search,
    ) -> Vec<(Utf8PathBuf, BTreeSet<String>)> {
        let packages = self.packages_calling(search);
        let mut all: BTreeMap<String, Option<String>> = names.clone();
        for name in names.keys().chain(names.values().flatten()) {
            for alias in self.reader.names_for(name, &packages) {
                if alias != *name {
                    all.insert(alias, None);
                }
            }
        }
        let files = self.reader.files_with_words(&all, &packages);
        self.reader.parse_ahead(files.iter().map(|(path, _)| path.clone()));
        files
    }

    /// The linked packages in which something can be called that takes code or hands it on, by its own name or
    /// as what it implements.
    fn packages_calling(&mut self, search: &Search) -> Vec<PackageId> {
        let handing = search.forwarders.keys().map(|(item, _)| item);
        let called: BTreeSet<ItemId> =
            search.takers.iter().chain(&search.keepers).chain(handing).chain(search.macros.keys()).copied().collect();
        let mut found = BTreeSet::new();
        for item in called {
            found.extend(self.reader.packages_naming(item).iter());
            if let Some(owner) = self.reader.owner(item)
                && let Some(Res::Item(of_trait)) = self.reader.impl_trait(owner)
            {
                found.extend(self.reader.packages_naming(of_trait).iter());
            }
        }
        found.into_iter().filter(|&package| (self.linked)(package)).collect()
    }

    /// Whether only code that is selected as well can name a selected item.
    fn is_inner(&mut self, item: ItemId) -> bool {
        let module = self.reader.real_module(self.reader.module_of(item));
        if self.reader.item(item).public || !self.selection.whole.contains(&module) {
            return false;
        }
        match self.reader.owner(item) {
            Some(owner) => matches!(self.reader.item(owner).kind, ItemKind::Impl { of: None, .. }),
            None => true,
        }
    }

    fn callers_in(&mut self, path: &Utf8PathBuf, words: &BTreeSet<String>, sought: &Sought, search: &mut Search) {
        let has_body = |kind: &ItemKind| {
            matches!(kind, ItemKind::Fn(_) | ItemKind::Const { .. } | ItemKind::Static { .. } | ItemKind::MacroCall(_))
        };
        let items = self.reader.items_of_file(path, has_body);
        let Some(facts) = items.first().map(|&item| self.reader.facts_of(item)) else { return };
        let mentions = Mentions::of(&facts, words, sought);
        for item in items {
            if self.selection.items.contains(&item) || !self.means(item, &mentions, sought) {
                continue;
            }
            for event in self.looked_at(&Target::Item(item)).iter() {
                match &event.kind {
                    EventKind::Handing { callee, parameter, codes, types } => {
                        for hands in self.handed_to(callee, *parameter, search) {
                            self.hand(hands.to, event.span, codes, types, &hands.anchors);
                            for own in self.parameters_in(item, event.span) {
                                search.forwarders.entry((item, own)).or_insert_with(|| hands.clone());
                            }
                        }
                    }
                    EventKind::Keeping { of, variant, field, codes, types } if search.keepers.contains(of) => {
                        self.hand(*of, event.span, codes, types, &[Anchor::Field(*of, *variant, *field)]);
                    }
                    EventKind::To { target: Target::Macro(of, _), .. } => {
                        for (hands, codes) in search.macros.get(of).cloned().unwrap_or_default() {
                            let tokens = self.invocation(item, event.span);
                            let tokens = Code::Piece { within: item, span: tokens };
                            let codes: Vec<Code> = codes.into_iter().chain([tokens]).collect();
                            self.hand(hands.to, event.span, &codes, &[], &hands.anchors);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// All of the invocation whose macro is named there.
    fn invocation(&self, item: ItemId, path: Span) -> Span {
        let facts = self.reader.facts_of(item);
        if let ItemKind::MacroCall(call) = &self.reader.item(item).kind
            && call.path.span == path
        {
            return call.span;
        }
        let mut calls = facts.exprs.iter().rev().filter_map(|expr| match &expr.kind {
            ExprKind::Macro(call) if call.path.span == path => Some(call.span),
            _ => None,
        });
        calls.next().unwrap_or(path)
    }

    /// What takes the code that a call hands over: selected functions, and those that hand it on to one.
    fn handed_to(&mut self, callee: &Callee, parameter: usize, search: &Search) -> Vec<Hands> {
        let mut found = Vec::new();
        for taker in self.taken_by(callee, &search.takers) {
            let anchors = self.parameter_anchors(&Callee::Item(taker), parameter);
            found.push(Hands { to: taker, anchors });
        }
        if let Callee::Item(item) | Callee::Default { method: item, .. } = callee {
            found.extend(search.forwarders.get(&(*item, parameter)).cloned());
        }
        found
    }

    /// The parameters of a function that are named in a place within it and that code can come in by.
    fn parameters_in(&mut self, item: ItemId, place: Span) -> Vec<usize> {
        let ItemKind::Fn(function) = &self.reader.item(item).kind else { return Vec::new() };
        let count = function.params.len();
        let facts = self.reader.facts_of(item);
        let signature = self.reader.signature(item);
        let named = |name: &Name| {
            facts.exprs.iter().any(|expr| match &expr.kind {
                ExprKind::Path(path) => {
                    within(expr.span, place) && path.segments.len() == 1 && path.segments[0].name == *name
                }
                _ => false,
            })
        };
        let mut found = Vec::new();
        for at in 0..count {
            if self.parameter_name(item, at).is_some_and(|name| named(&name))
                && signature.params.get(at).is_some_and(|ty| self.may_be_code(ty, 0))
            {
                found.push(at);
            }
        }
        found
    }

    /// The selected functions that a call leads to: itself, or the impls of the trait's method.
    fn taken_by(&mut self, callee: &Callee, takers: &BTreeSet<ItemId>) -> Vec<ItemId> {
        match callee {
            Callee::Item(item) | Callee::Default { method: item, .. } if takers.contains(item) => vec![*item],
            Callee::Dispatch(method) => {
                let name = self.reader.item(*method).name.clone();
                let Some(of_trait) = self.reader.owner(*method) else { return Vec::new() };
                let mut found = Vec::new();
                for &one in self.reader.impls_naming(of_trait).iter() {
                    let members = self.reader.members(one);
                    found.extend(
                        members.into_iter().filter(|m| takers.contains(m) && self.reader.item(*m).name == name),
                    );
                }
                if takers.contains(method) {
                    found.push(*method);
                }
                found
            }
            _ => Vec::new(),
        }
    }

    fn hand(&mut self, to: ItemId, span: Span, codes: &[Code], types: &[ItemId], anchors: &[Anchor]) {
        let workload =
            anchors.iter().find_map(|anchor| self.selection.workloads.iter().position(|w| w.at.contains(anchor)));
        if let Some(workload) = workload {
            if !codes.is_empty() || !types.is_empty() {
                self.reached.workload_cuts.entry(workload).or_default().insert(span);
            }
            return;
        }
        let Some(from) = self.node_of(to) else { return };
        let behind = self.reached.nodes[from].behind;
        let workload_path: Option<Rc<str>> = anchors.first().and_then(|anchor| self.anchor_path(anchor)).map(Rc::from);
        for code in codes {
            let step = Step {
                from,
                hop: HopKind::Callback,
                certainty: Certainty::Resolved,
                span,
                uses: Rc::from([]),
                workload: workload_path.clone(),
            };
            match code {
                // A value of the lease's own is made where its fields' code is handed in as well.
                Code::Kept { of, .. } if self.selection.items.contains(of) => {}
                Code::Kept { .. } => self.kept.push((code.clone(), step)),
                _ => self.enter(target_of(code), Some(step), behind),
            }
        }
        self.reached.types.extend(types);
    }

    /// Puts the code on the path that handed-in values keep in fields which are touched by now. Says
    /// whether there was any.
    pub(super) fn touched(&mut self) -> bool {
        let before = self.reached.nodes.len();
        for (code, step) in std::mem::take(&mut self.kept) {
            let Code::Kept { of, field, .. } = &code else { continue };
            if self.is_touched(*of, *field) {
                let behind = self.reached.nodes[step.from].behind;
                self.enter(target_of(&code), Some(step), behind);
            } else {
                self.kept.push((code, step));
            }
        }
        self.reached.nodes.len() > before
    }

    /// Whether a field is touched, or any that can keep code where it does not show which.
    fn is_touched(&mut self, of: ItemId, field: Option<(Option<u32>, u32)>) -> bool {
        let workload = |follower: &Self, variant, field| {
            follower.selection.workloads.iter().position(|w| w.at.contains(&Anchor::Field(of, variant, field)))
        };
        if let Some((variant, field)) = field {
            return workload(self, variant, field).is_none() && self.touches(of, variant, field);
        }
        let counts: Vec<(Option<u32>, usize)> = match &self.reader.item(of).kind {
            ItemKind::Struct(fields) => vec![(None, fields.fields.len())],
            ItemKind::Enum(variants) => {
                (0..).zip(variants).map(|(at, variant)| (Some(at), variant.fields.fields.len())).collect()
            }
            _ => Vec::new(),
        };
        let fields = counts.iter().flat_map(|&(variant, count)| (0..).take(count).map(move |field| (variant, field)));
        let types = self.reader.field_types(of);
        fields.zip(types.iter()).any(|((variant, field), ty)| {
            self.reader.holds_code(ty, 1)
                && workload(self, variant, field).is_none()
                && self.touches(of, variant, field)
        })
    }

    /// How a rules file writes a parameter or field.
    fn anchor_path(&self, anchor: &Anchor) -> Option<String> {
        match anchor {
            Anchor::Parameter(item, at) => {
                Some(format!("{}::{}", self.reader.item_path(*item), self.parameter_name(*item, *at)?))
            }
            Anchor::Field(item, variant, field) => {
                let trail = super::Trail { reader: self.reader, selection: self.selection, reached: &self.reached };
                Some(trail.name(&Target::Field(*item, *variant, *field)))
            }
            Anchor::Item(item) => Some(self.reader.item_path(*item)),
            Anchor::Module(_) => None,
        }
    }
}

/// Where a piece of code stands.
fn target_of(code: &Code) -> Target {
    match code.bare() {
        Code::Piece { within, span } => Target::Piece(*within, *span),
        Code::Function(item) => Target::Item(*item),
        Code::MadeBy(item) | Code::Kept { of: item, .. } => Target::MadeBy(*item),
    }
}
