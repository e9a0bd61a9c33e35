//! From what a lease selects to all that it reaches, shortest route first.
//!
//! A breadth-first search over [`Target`]s; ties are broken in source order. What cannot be decided
//! at once (see `waiting`) waits for the set of reached types, until nothing new turns up.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
};

use super::{
    Anchor, Event, EventKind, Selection, Target,
    waiting::{Waiting, Waits},
    walk,
};
use crate::{
    base::Span,
    finding::{Certainty, HopKind},
    project::PackageId,
    resolve::{ItemId, Kept, ModuleId, Res, UseRef},
    source::{ItemKind, Name},
    types::{Callee, Code, Reader, is_language_trait},
};

/// A node of the tree of routes, by its number.
pub type NodeId = usize;

/// Something on the lease path, and how it came there.
#[derive(Debug)]
pub struct Node {
    /// What it is.
    pub target: Target,
    /// The step that led to it; none for what is selected.
    pub step: Option<Step>,
    /// The local coordinator that its route passes, by its number.
    pub behind: Option<usize>,
    /// What it does.
    pub events: Rc<[Event]>,
    /// The module that it stands in.
    pub module: ModuleId,
}

/// One step of a route.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it comes from.
    pub from: NodeId,
    /// What it is.
    pub hop: HopKind,
    /// How sure it is.
    pub certainty: Certainty,
    /// Where it is written.
    pub span: Span,
    /// The imports that its name came through.
    pub uses: Rc<[UseRef]>,
    /// For what is handed in: the path that would declare it a workload.
    pub workload: Option<Rc<str>>,
}

/// All that a lease reaches.
#[derive(Debug)]
pub struct Reached {
    /// The tree of routes; a node's step comes from a node before it.
    pub nodes: Vec<Node>,
    /// Local types that are named, made or handed in.
    pub types: BTreeSet<ItemId>,
    /// Places where a route was cut at a workload, by its number.
    pub workload_cuts: BTreeMap<usize, BTreeSet<Span>>,
    /// Places where a route entered a local coordinator, by its number.
    pub coordinator_cuts: BTreeMap<usize, BTreeSet<Span>>,
}

/// What is on the path, for looking it up.
pub struct NodeIndex<'n>(HashMap<&'n Target, NodeId>);

impl<'n> NodeIndex<'n> {
    /// Of all nodes.
    pub fn new(reached: &'n Reached) -> Self {
        Self(reached.nodes.iter().enumerate().rev().map(|(id, node)| (&node.target, id)).collect())
    }

    /// Whether a target is on the path.
    pub fn has(&self, target: &Target) -> bool {
        self.0.contains_key(target)
    }

    /// The first node of a target.
    pub fn get(&self, target: &Target) -> Option<NodeId> {
        self.0.get(target).copied()
    }
}

/// What one walk said, kept over leases.
pub type Walks = HashMap<Target, Kept<Rc<[Event]>>>;

/// What a target does, worked out once. What could not be seen on the way is told each time.
pub(super) fn walked(reader: &mut Reader<'_>, walks: &mut Walks, target: &Target) -> Rc<[Event]> {
    if let Some(known) = walks.get(target).and_then(|kept| reader.recall(kept)) {
        return known;
    }
    let kept = reader.remember(|reader| walk(reader, target).into());
    let events = reader.recall(&kept);
    walks.insert(target.clone(), kept);
    events.unwrap_or_else(|| Rc::from([]))
}

/// Follows what a lease selects. `linked` tells whether some build links a package with the lease.
pub fn follow(
    reader: &mut Reader<'_>,
    selection: &Selection,
    linked: &dyn Fn(PackageId) -> bool,
    walks: &mut Walks,
) -> Reached {
    let reached = Reached {
        nodes: Vec::new(),
        types: BTreeSet::new(),
        workload_cuts: BTreeMap::new(),
        coordinator_cuts: BTreeMap::new(),
    };
    let mut follower = Follower {
        reader,
        selection,
        linked,
        walks,
        reached,
        known: HashMap::new(),
        done: 0,
        waits: Waits::default(),
        kept: Vec::new(),
    };
    for target in &selection.targets {
        follower.enter(target.clone(), None, None);
    }
    follower.run();
    follower.handed_in();
    follower.run();
    while follower.touched() {
        follower.run();
    }
    follower.reached
}

pub(super) struct Follower<'r, 'a> {
    pub(super) reader: &'r mut Reader<'a>,
    pub(super) selection: &'r Selection,
    pub(super) linked: &'r dyn Fn(PackageId) -> bool,
    pub(super) walks: &'r mut Walks,
    pub(super) reached: Reached,
    /// The node of a target, with and without a coordinator on its route.
    known: HashMap<(Target, bool), NodeId>,
    done: NodeId,
    pub(super) waits: Waits,
    /// Code that handed-in values keep in fields that nothing has touched yet.
    pub(super) kept: Vec<(Code, Step)>,
}

impl Follower<'_, '_> {
    pub(super) fn run(&mut self) {
        loop {
            while self.done < self.reached.nodes.len() {
                let node = self.done;
                self.done += 1;
                self.expand(node);
            }
            if !self.settle() {
                return;
            }
        }
    }

    /// Puts a target on the path, unless it is there already by a way as good.
    pub(super) fn enter(&mut self, target: Target, step: Option<Step>, behind: Option<usize>) {
        let mut behind = behind;
        let anchor = self.anchor_of(&target);
        if let Some(step) = &step {
            if let Some(workload) = self.workload_at(&anchor) {
                self.reached.workload_cuts.entry(workload).or_default().insert(step.span);
                return;
            }
            if let Some(coordinator) = self.coordinator_at(&anchor) {
                let from_outside = self.reached.nodes[step.from].behind.is_none();
                if from_outside {
                    self.reached.coordinator_cuts.entry(coordinator).or_default().insert(step.span);
                }
                behind = behind.or(Some(coordinator));
            }
        }
        if self.known.contains_key(&(target.clone(), false))
            || (behind.is_some() && self.known.contains_key(&(target.clone(), true)))
        {
            return;
        }
        if let Target::Item(item) | Target::Field(item, ..) | Target::Derived(item) = &target
            && matches!(self.reader.item(*item).kind, ItemKind::Struct(_) | ItemKind::Enum(_))
        {
            self.reached.types.insert(*item);
        }
        let events = self.walked(&target);
        let module = self.module_of(&target);
        self.known.insert((target.clone(), behind.is_some()), self.reached.nodes.len());
        self.reached.nodes.push(Node { target, step, behind, events, module });
    }

    fn walked(&mut self, target: &Target) -> Rc<[Event]> {
        walked(self.reader, self.walks, target)
    }

    /// What code does that is not on the path so far: what could not be seen on the way is not told.
    pub(super) fn looked_at(&mut self, target: &Target) -> Rc<[Event]> {
        let walks = &mut *self.walks;
        self.reader.aside(|reader| walked(reader, walks, target))
    }

    fn module_of(&self, target: &Target) -> ModuleId {
        match target {
            Target::Item(item)
            | Target::Field(item, ..)
            | Target::Default(item, _)
            | Target::Derived(item)
            | Target::Macro(item, _)
            | Target::Piece(item, _)
            | Target::MadeBy(item) => self.reader.module_of(*item),
            Target::Scanned(module) => *module,
            Target::Import(by) => by.module,
        }
    }

    fn anchor_of(&self, target: &Target) -> Anchor {
        match target {
            Target::Field(item, variant, field) => Anchor::Field(*item, *variant, *field),
            Target::Item(item)
            | Target::Default(item, _)
            | Target::Derived(item)
            | Target::Macro(item, _)
            | Target::Piece(item, _)
            | Target::MadeBy(item) => Anchor::Item(*item),
            Target::Scanned(module) => Anchor::Module(*module),
            Target::Import(by) => Anchor::Module(by.module),
        }
    }

    fn coordinator_at(&mut self, anchor: &Anchor) -> Option<usize> {
        for (index, coordinator) in self.selection.coordinators.iter().enumerate() {
            for place in &coordinator.at {
                if self.reader.holds(place, anchor) {
                    return Some(index);
                }
            }
        }
        None
    }

    fn workload_at(&mut self, anchor: &Anchor) -> Option<usize> {
        self.selection.workloads.iter().position(|workload| workload.at.contains(anchor))
    }

    fn expand(&mut self, id: NodeId) {
        let events = Rc::clone(&self.reached.nodes[id].events);
        let behind = self.reached.nodes[id].behind;
        let cut = self.cut_pieces(id, &events);
        for event in events.iter() {
            if cut.iter().any(|piece| within(event.span, *piece)) {
                continue;
            }
            let step = |hop, certainty, uses: Rc<[UseRef]>| Step {
                from: id,
                hop,
                certainty,
                span: event.span,
                uses,
                workload: None,
            };
            match &event.kind {
                EventKind::To { target, hop, certainty, uses } => {
                    self.enter(target.clone(), Some(step(*hop, *certainty, Rc::clone(uses))), behind);
                }
                EventKind::Dispatch { method } => self.dispatch(id, event.span, *method),
                EventKind::EndsBound { of } => {
                    for method in self.drops_behind(*of) {
                        let step = step(HopKind::Implicit, Certainty::Resolved, Rc::from([]));
                        self.enter(Target::Item(method), Some(step), behind);
                    }
                }
                EventKind::OutsideTrait { of, method } => {
                    self.waits.ask(id, event.span, Waiting::OutsideTrait(of.last().into(), method.clone()));
                }
                EventKind::ByName { name, field } => {
                    let what = if *field { Waiting::Field } else { Waiting::Method };
                    self.waits.ask(id, event.span, what(name.clone()));
                }
                EventKind::GivenAway { of } => {
                    for method in self.given_away(*of) {
                        self.enter(
                            Target::Item(method),
                            Some(step(HopKind::Dispatch, Certainty::Resolved, Rc::from([]))),
                            behind,
                        );
                    }
                    if self.reader.derives(*of, "Serialize") || self.reader.derives(*of, "Deserialize") {
                        self.enter(
                            Target::Derived(*of),
                            Some(step(HopKind::Implicit, Certainty::Resolved, Rc::from([]))),
                            behind,
                        );
                    }
                }
                _ => {}
            }
        }
    }

    /// The code that this node hands to a workload: what it does there is not the lease's.
    fn cut_pieces(&mut self, id: NodeId, events: &[Event]) -> Vec<Span> {
        let mut cut = Vec::new();
        if self.selection.workloads.is_empty() {
            return cut;
        }
        for event in events {
            let (anchors, codes) = match &event.kind {
                EventKind::Handing { codes, types, .. } if codes.is_empty() && types.is_empty() => continue,
                EventKind::Handing { callee, parameter, codes, .. } => {
                    (self.parameter_anchors(callee, *parameter), codes)
                }
                EventKind::Keeping { of, variant, field, codes, .. } => {
                    (vec![Anchor::Field(*of, *variant, *field)], codes)
                }
                _ => continue,
            };
            for anchor in anchors {
                if let Some(workload) = self.workload_at(&anchor) {
                    self.reached.workload_cuts.entry(workload).or_default().insert(event.span);
                    cut.push(event.span);
                    cut.extend(codes.iter().filter_map(|code| match code.bare() {
                        Code::Piece { span, .. } => Some(*span),
                        _ => None,
                    }));
                }
            }
        }
        let _ = id;
        cut
    }

    /// The places that a parameter can be declared as: of the function, of the trait's method that it
    /// implements, and the field of the same name that a constructor fills.
    pub(super) fn parameter_anchors(&mut self, callee: &Callee, parameter: usize) -> Vec<Anchor> {
        let (Callee::Item(item) | Callee::Default { method: item, .. } | Callee::Dispatch(item)) = callee else {
            return Vec::new();
        };
        let mut anchors = vec![Anchor::Parameter(*item, parameter)];
        if let Some(owner) = self.reader.owner(*item) {
            let name = self.reader.item(*item).name.clone();
            if let Some(Res::Item(of_trait)) = self.reader.impl_trait(owner)
                && let Some(member) = self.reader.trait_member(of_trait, &name)
            {
                anchors.push(Anchor::Parameter(member, parameter));
            }
            if let crate::resolve::ImplFor::Local(of) = self.reader.impl_for(owner)
                && let Some(name) = self.parameter_name(*item, parameter)
            {
                let ty = crate::types::Ty::Local(of, Vec::new());
                anchors.extend(
                    self.reader.field(&ty, None, &name).map(|(item, field, _)| Anchor::Field(item, None, field)),
                );
            }
        }
        anchors
    }

    pub(super) fn parameter_name(&self, item: ItemId, parameter: usize) -> Option<Name> {
        let facts = self.reader.facts_of(item);
        let ItemKind::Fn(function) = &facts[self.reader.item_ix(item)].kind else { return None };
        match &facts[function.params.get(parameter)?.pat].kind {
            crate::source::PatKind::Name(name, _) => Some(name.clone()),
            _ => None,
        }
    }

    /// A call through a local trait: every implementation in packages linked with the lease, and the
    /// default body where one of them keeps it.
    fn dispatch(&mut self, id: NodeId, span: Span, method: ItemId) {
        let Some(of_trait) = self.reader.owner(method) else { return };
        let behind = self.reached.nodes[id].behind;
        let name = self.reader.item(method).name.clone();
        let step = |uses| Step {
            from: id,
            hop: HopKind::Dispatch,
            certainty: Certainty::Resolved,
            span,
            uses,
            workload: None,
        };
        if let Some(workload) = self.workload_at(&Anchor::Item(method)) {
            self.reached.workload_cuts.entry(workload).or_default().insert(span);
            return;
        }
        let mut kept_default = true;
        for &one in self.reader.impls_naming(of_trait).iter() {
            if self.reader.impl_trait(one) != Some(Res::Item(of_trait)) {
                continue;
            }
            let package = self.reader.package_of(self.reader.module_of(one));
            if !(self.linked)(package) {
                continue;
            }
            let member = self.reader.members(one).into_iter().find(|&member| self.reader.item(member).name == name);
            match (member, self.reader.impl_for(one)) {
                (Some(member), _) => self.enter(Target::Item(member), Some(step(Rc::from([]))), behind),
                (None, crate::resolve::ImplFor::Local(this)) if self.reader.has_body(method) => {
                    kept_default = false;
                    self.enter(Target::Default(method, this), Some(step(Rc::from([]))), behind);
                }
                _ => {}
            }
        }
        if kept_default && self.reader.has_body(method) {
            self.enter(Target::Item(method), Some(step(Rc::from([]))), behind);
        }
    }

    /// The `Drop`s of all types that implement a local trait, in packages linked with the lease.
    fn drops_behind(&mut self, of_trait: ItemId) -> Vec<ItemId> {
        let mut methods = Vec::new();
        for &one in self.reader.impls_naming(of_trait).iter() {
            if self.reader.impl_trait(one) == Some(Res::Item(of_trait))
                && let crate::resolve::ImplFor::Local(this) = self.reader.impl_for(one)
                && (self.linked)(self.reader.package_of(self.reader.module_of(one)))
            {
                methods.extend(self.reader.language_impl(this, "Drop", Some("drop")));
            }
        }
        methods
    }

    /// What code outside may call of a local type: its impls of other crates' traits.
    fn given_away(&mut self, of: ItemId) -> Vec<ItemId> {
        let mut methods = Vec::new();
        for &one in self.reader.impls_naming(of).iter() {
            if !self.reader.is_impl_for(one, of) {
                continue;
            }
            if let Some(Res::Outside(path)) = self.reader.impl_trait(one)
                && !is_language_trait(&path)
            {
                let members = self.reader.members(one).into_iter();
                methods.extend(members.filter(|&member| matches!(self.reader.item(member).kind, ItemKind::Fn(_))));
            }
        }
        methods
    }

    /// Whether a field is touched on the path.
    pub(super) fn touches(&self, of: ItemId, variant: Option<u32>, field: u32) -> bool {
        let target = Target::Field(of, variant, field);
        [false, true].into_iter().any(|behind| self.known.contains_key(&(target.clone(), behind)))
    }

    /// The node of a selected item.
    pub(super) fn node_of(&self, item: ItemId) -> Option<NodeId> {
        self.known.get(&(Target::Item(item), false)).copied()
    }
}

pub(super) fn within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}
