//! The state of one walk.

use std::{collections::HashMap, rc::Rc};

use crate::{
    base::Span,
    finding::{Certainty, HopKind},
    reach::{Event, EventKind, Target},
    resolve::UseRef,
    source::{ExprIx, Name},
    types::{Code, Context, Reader, Ty},
};

/// Goes through one piece of code and writes down what it does.
pub(super) struct Walker<'r, 'a> {
    pub reader: &'r mut Reader<'a>,
    pub cx: Context,
    pub events: Vec<Event>,
    pub locals: Vec<Local>,
    /// What `return` and `?` leave: the type, where it shows.
    pub returns: Ty,
    /// The first local variable of the function or closure around.
    pub frame: usize,
    /// The code that the function returns.
    pub returned: Vec<Code>,
    /// The errors that `?` converts into what does not show yet, and where.
    pub questions: Vec<(Ty, Span)>,
    /// How many branches deep the code stands.
    pub branch: Vec<u32>,
    pub branches: u32,
    /// Whether the expression at hand is a part of a longer chain.
    pub in_chain: bool,
    /// Whether the chain at hand is awaited.
    pub awaited: bool,
    /// Methods whose receiver is plainly local.
    pub local_receivers: HashMap<ExprIx, bool>,
    /// The types of expressions that macros print.
    pub types: HashMap<ExprIx, Ty>,
}

/// A local variable.
pub(super) struct Local {
    pub name: Name,
    pub ty: Ty,
    /// Where it was bound.
    pub span: Span,
    /// The branch that it was bound in, by depth.
    pub depth: usize,
    /// The branches in which it was moved.
    pub moves: Vec<Vec<u32>>,
    /// Whether code left the function while it was there.
    pub left: bool,
}

impl<'r, 'a> Walker<'r, 'a> {
    pub(super) fn new(reader: &'r mut Reader<'a>, cx: Context) -> Self {
        Self {
            reader,
            cx,
            events: Vec::new(),
            locals: Vec::new(),
            returns: Ty::Unknown,
            returned: Vec::new(),
            questions: Vec::new(),
            frame: 0,
            branch: Vec::new(),
            branches: 0,
            in_chain: false,
            awaited: false,
            local_receivers: HashMap::new(),
            types: HashMap::new(),
        }
    }

    pub(super) fn say(&mut self, span: Span, kind: EventKind) {
        self.events.push(Event { span, kind });
    }

    pub(super) fn to(&mut self, span: Span, target: Target, hop: HopKind) {
        self.lead(span, target, hop, Certainty::Resolved, Rc::from([]));
    }

    pub(super) fn lead(&mut self, span: Span, target: Target, hop: HopKind, certainty: Certainty, uses: Rc<[UseRef]>) {
        self.say(span, EventKind::To { target, hop, certainty, uses });
    }

    /// Runs a walk one branch deeper.
    pub(super) fn branch<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.branches += 1;
        self.branch.push(self.branches);
        let result = walk(self);
        self.branch.pop();
        result
    }

    /// Runs a walk whose variables end with it.
    pub(super) fn scoped<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.locals.len();
        let result = walk(self);
        self.end_locals(before);
        result
    }
}
