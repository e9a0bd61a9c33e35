//! What is being worked out at the moment, and for how long an answer holds.
//!
//! Imports lead to names and names to imports, in rings. Whoever asks for something that is being worked
//! out gets what is known of it so far; an answer that leans on that holds only until more is known. All
//! others hold for good. Without keeping both, every way through a ring of globs would be walked, and
//! there are as many as there are orders of the globs.
//!
//! What an answer came across on its way (a module whose file is missing) is told again whenever the answer is.
//!
//! To keep the answers to another question: a table of [`Kept`] in the world, and where it can come back
//! to itself, a [`Task`].

use std::collections::HashMap;

use super::{ItemId, ModuleId, Space};
use crate::source::Name;

/// Something that may be asked for again while it is being worked out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    /// What an import means, in whichever namespace: by module, part and number.
    Import(ModuleId, usize, usize),
    /// What the globs of a module open.
    Globs(ModuleId),
    /// What a name means behind the globs of a module, to code within it or to others.
    Through(ModuleId, Name, Space, bool),
    /// What an invocation declares.
    Declares(ItemId),
}

/// A task that an answer leans on: its place among the open ones, and its state at that time.
type Lean = (usize, u64);

/// Something that an answer came across.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Note {
    /// A name led into a module that could not be read.
    Broken(ModuleId),
    /// A name was not found in a module with generated code.
    Opaque(ModuleId),
}

/// An answer, what it leans on, and what it came across.
#[derive(Debug)]
pub struct Kept<T> {
    value: T,
    leans: Box<[Lean]>,
    notes: Box<[Note]>,
}

/// What is gathered for the answer at hand, in order.
#[derive(Debug, Default)]
pub struct Gathered {
    leans: Vec<Lean>,
    notes: Vec<Note>,
}

/// The tasks that are open, each begun by the one before it.
#[derive(Debug, Default)]
pub(super) struct Solving {
    open: Vec<Open>,
    places: HashMap<Task, usize>,
    gathered: Gathered,
    states: u64,
}

#[derive(Debug)]
struct Open {
    task: Task,
    state: u64,
    asked: bool,
}

impl Solving {
    /// The answer that was kept, if it still holds.
    pub(super) fn recall<T: Clone>(&mut self, kept: &Kept<T>) -> Option<T> {
        let holds = |&(place, state): &Lean| self.open.get(place).is_some_and(|open| open.state == state);
        if !kept.leans.iter().all(holds) {
            return None;
        }
        kept.leans.iter().for_each(|&lean| self.lean(lean));
        kept.notes.iter().for_each(|&note| self.note(note));
        Some(kept.value.clone())
    }

    /// Begins an answer; what comes back goes to [`Solving::keep`].
    pub(super) fn start(&mut self) -> Gathered {
        std::mem::take(&mut self.gathered)
    }

    /// An answer that was begun, ready to be kept.
    pub(super) fn keep<T>(&mut self, before: Gathered, value: T) -> Kept<T> {
        let Gathered { leans, notes } = std::mem::replace(&mut self.gathered, before);
        leans.iter().for_each(|&lean| self.lean(lean));
        notes.iter().for_each(|&note| self.note(note));
        Kept { value, leans: leans.into(), notes: notes.into() }
    }

    /// Ends what was begun, as if nothing had been come across.
    pub(super) fn forget(&mut self, before: Gathered) {
        let Gathered { leans, .. } = std::mem::replace(&mut self.gathered, before);
        leans.iter().for_each(|&lean| self.lean(lean));
    }

    /// Notes what the answer at hand came across.
    pub(super) fn note(&mut self, note: Note) {
        if let Err(at) = self.gathered.notes.binary_search(&note) {
            self.gathered.notes.insert(at, note);
        }
    }

    /// Whether the answer at hand came across anything.
    pub(super) fn has_notes(&self) -> bool {
        !self.gathered.notes.is_empty()
    }

    /// All notes since the last call.
    pub(super) fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.gathered.notes)
    }

    /// Opens a task; says no where it is open, and notes that the answer at hand leans on it.
    pub(super) fn open(&mut self, task: Task) -> bool {
        if let Some(&place) = self.places.get(&task) {
            self.open[place].asked = true;
            self.lean((place, self.open[place].state));
            return false;
        }
        self.places.insert(task.clone(), self.open.len());
        let state = self.next_state();
        self.open.push(Open { task, state, asked: false });
        true
    }

    /// Closes the task that was opened last. What its answer asked of itself is settled with it.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.places.remove(&open.task);
        }
        let place = self.open.len();
        self.gathered.leans.retain(|lean| lean.0 < place);
    }

    /// Whether the task that was opened last was asked for while it was open.
    pub(super) fn was_asked(&self) -> bool {
        self.open.last().is_some_and(|open| open.asked)
    }

    /// More is known of the task that was opened last: answers that lean on it do not hold any more.
    pub(super) fn learnt(&mut self) {
        let state = self.next_state();
        if let Some(open) = self.open.last_mut() {
            (open.state, open.asked) = (state, false);
        }
    }

    fn next_state(&mut self) -> u64 {
        self.states += 1;
        self.states
    }

    fn lean(&mut self, lean: Lean) {
        if let Err(at) = self.gathered.leans.binary_search(&lean) {
            self.gathered.leans.insert(at, lean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(of: usize) -> Task {
        Task::Globs(ModuleId::next(of))
    }

    #[test]
    fn what_leans_on_nothing_holds_for_good() {
        let mut solving = Solving::default();
        assert!(solving.open(globs(0)));
        let before = solving.start();
        let kept = solving.keep(before, 7);
        solving.close();
        assert_eq!(solving.recall(&kept), Some(7));
    }

    #[test]
    fn what_leans_on_an_open_task_holds_until_more_is_known() {
        let mut solving = Solving::default();
        assert!(solving.open(globs(0)));
        let before = solving.start();
        assert!(!solving.open(globs(0)));
        let kept = solving.keep(before, 7);
        assert!(solving.was_asked());
        assert_eq!(solving.recall(&kept), Some(7));
        solving.learnt();
        assert_eq!(solving.recall(&kept), None);
    }

    #[test]
    fn a_ring_is_settled_where_it_began_and_not_before() {
        let mut solving = Solving::default();
        let before = solving.start();
        assert!(solving.open(globs(0)));
        let within = solving.start();
        assert!(solving.open(globs(1)));
        assert!(!solving.open(globs(0)));
        solving.close();
        let inner = solving.keep(within, 1);
        assert_eq!(solving.recall(&inner), Some(1));
        solving.close();
        let outer = solving.keep(before, 2);
        assert_eq!(solving.recall(&outer), Some(2));
        assert_eq!(solving.recall(&inner), None);
    }

    #[test]
    fn what_recalls_a_leaning_answer_leans_as_well() {
        let mut solving = Solving::default();
        assert!(solving.open(globs(0)));
        let before = solving.start();
        assert!(!solving.open(globs(0)));
        let first = solving.keep(before, 1);
        solving.gathered.leans.clear();
        let before = solving.start();
        assert_eq!(solving.recall(&first), Some(1));
        let second = solving.keep(before, 2);
        solving.close();
        assert_eq!(solving.recall(&second), None);
    }
    #[test]
    fn what_was_come_across_is_told_with_each_answer_but_not_where_it_was_to_be_forgotten() {
        let mut solving = Solving::default();
        let note = Note::Broken(ModuleId::next(0));
        let before = solving.start();
        solving.note(note);
        let kept = solving.keep(before, 1);
        assert_eq!(solving.take_notes(), [note]);
        assert_eq!(solving.recall(&kept), Some(1));
        assert_eq!(solving.take_notes(), [note]);
        let before = solving.start();
        assert_eq!(solving.recall(&kept), Some(1));
        solving.forget(before);
        assert_eq!(solving.take_notes(), []);
    }
}
