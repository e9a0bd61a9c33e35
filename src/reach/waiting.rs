//! What cannot be decided where it is written, and waits for the set of reached types: methods and
//! fields of values whose type does not show, and methods of another crate's traits.
//!
//! Each type is asked once what it answers to; from then on a question goes only to the types that
//! have an answer. For a new kind of question: a variant of [`Waiting`], its names in
//! [`Follower::learn`], its answer in [`Follower::answer`].

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    rc::Rc,
};

use super::{NodeId, Step, Target, follow::Follower};
use crate::{
    base::Span,
    finding::{Certainty, HopKind},
    resolve::{ImplFor, ItemId, Res},
    source::{ItemKind, Name},
    types::{Callee, Ty},
};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Waiting {
    /// Who has a field of this name?
    Field(Name),
    /// Who has a method of this name?
    Method(Name),
    /// Who implements this method, or any, of a trait of another crate? The trait by its last name.
    OutsideTrait(Name, Option<Name>),
}

/// Questions in the order in which they came up, and the types that were asked.
#[derive(Debug, Default)]
pub(super) struct Waits {
    questions: Vec<(NodeId, Span, Waiting)>,
    known: HashSet<(NodeId, Span, Waiting)>,
    /// How many of the questions every asked type has answered.
    answered: usize,
    types: BTreeSet<ItemId>,
    fields: HashMap<Name, BTreeSet<ItemId>>,
    methods: HashMap<Name, BTreeSet<ItemId>>,
    traits: HashMap<Name, BTreeSet<ItemId>>,
}

impl Waits {
    /// Puts a question, once.
    pub(super) fn ask(&mut self, node: NodeId, span: Span, what: Waiting) {
        if self.known.insert((node, span, what.clone())) {
            self.questions.push((node, span, what));
        }
    }

    /// Types that have an answer, by what they are called.
    fn with_answer(&self, what: &Waiting) -> Option<&BTreeSet<ItemId>> {
        match what {
            Waiting::Field(name) => self.fields.get(name),
            Waiting::Method(name) => self.methods.get(name),
            Waiting::OutsideTrait(of, _) => self.traits.get(of),
        }
    }
}

impl Follower<'_, '_> {
    /// Answers what waits, from every reached type that was not asked yet. Says whether anything new
    /// came of it.
    pub(super) fn settle(&mut self) -> bool {
        let before = self.reached.nodes.len();
        if self.waits.questions.is_empty() {
            return false;
        }
        let fresh: BTreeSet<ItemId> = self.reached.types.difference(&self.waits.types).copied().collect();
        fresh.iter().for_each(|&ty| self.learn(ty));
        let questions = self.waits.questions.clone();
        let answered = std::mem::replace(&mut self.waits.answered, questions.len());
        for (at, (node, span, what)) in questions.iter().enumerate() {
            let asked = |ty: &&ItemId| at >= answered || fresh.contains(*ty);
            let types: Vec<ItemId> =
                self.waits.with_answer(what).into_iter().flatten().filter(asked).copied().collect();
            for ty in types {
                self.answer(*node, *span, what, ty);
            }
        }
        self.reached.nodes.len() > before
    }

    /// Asks a type what it is able to answer.
    fn learn(&mut self, ty: ItemId) {
        self.waits.types.insert(ty);
        let (mut methods, mut traits) = (BTreeSet::new(), BTreeSet::new());
        for &one in self.reader.impls_naming(ty).iter() {
            if self.reader.impl_for(one) != ImplFor::Local(ty) {
                continue;
            }
            methods.extend(self.names_of_members(one));
            match self.reader.impl_trait(one) {
                Some(Res::Outside(path)) => traits.extend([Name::from(path.last())]),
                Some(Res::Item(of)) => {
                    for of in self.reader.with_supertraits(of) {
                        methods.extend(self.names_of_members(of));
                    }
                }
                _ => {}
            }
        }
        let fields: BTreeSet<Name> = match &self.reader.item(ty).kind {
            ItemKind::Struct(fields) => fields.fields.iter().map(|field| field.name.clone()).collect(),
            _ => BTreeSet::new(),
        };
        let waits = &mut self.waits;
        for (names, into) in [(fields, &mut waits.fields), (methods, &mut waits.methods), (traits, &mut waits.traits)] {
            for name in names {
                into.entry(name).or_default().insert(ty);
            }
        }
    }

    fn names_of_members(&mut self, of: ItemId) -> Vec<Name> {
        let members = self.reader.members(of);
        members.into_iter().map(|member| self.reader.item(member).name.clone()).collect()
    }

    fn answer(&mut self, node: NodeId, span: Span, what: &Waiting, ty: ItemId) {
        let behind = self.reached.nodes[node].behind;
        let step = |hop, certainty| Step { from: node, hop, certainty, span, uses: Rc::from([]), workload: None };
        match what {
            Waiting::Field(name) => {
                if let Some((item, field, _)) = self.reader.field(&Ty::Local(ty, Vec::new()), None, name) {
                    let target = Target::Field(item, None, field);
                    self.enter(target, Some(step(HopKind::Field, Certainty::ByName)), behind);
                }
            }
            Waiting::Method(name) => {
                for callee in self.reader.of_local(ty, name, false) {
                    let target = match callee {
                        Callee::Item(item) if self.takes_self(item) => Target::Item(item),
                        Callee::Default { method, this } => Target::Default(method, this),
                        _ => continue,
                    };
                    self.enter(target, Some(step(HopKind::Method, Certainty::ByName)), behind);
                }
            }
            Waiting::OutsideTrait(of, method) => {
                for method in self.reader.language_impl(ty, of, method.as_deref()) {
                    self.enter(Target::Item(method), Some(step(HopKind::Dispatch, Certainty::Resolved)), behind);
                }
            }
        }
    }

    fn takes_self(&self, item: ItemId) -> bool {
        matches!(&self.reader.item(item).kind, ItemKind::Fn(function) if function.receiver.is_some())
    }
}
