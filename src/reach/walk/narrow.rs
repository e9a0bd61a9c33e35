//! Which of several candidates a call means, once it shows what is given.
//!
//! A path call is written down as it is named: `Store::put(x)` as a dispatch, `Error::from(x)` as every
//! `From`. The first argument often says more. Where it does not, all candidates stay.

use std::ops::Range;

use super::walker::Walker;
use crate::{
    finding::HopKind,
    reach::{Event, EventKind, Target},
    resolve::{ItemId, Res, Space},
    source::Path,
    types::{Callee, Ty, pointee},
};

impl Walker<'_, '_> {
    /// Of the candidates that a call's path named, those that take what is given. `named` are the
    /// events of the path.
    pub(super) fn narrow(&mut self, named: Range<usize>, callees: Vec<Callee>, given: &[Ty]) -> Vec<Callee> {
        let Some(source) = given.first().and_then(local_behind) else { return callees };
        let others = self.other_conversions(&named, source);
        let mut at = 0;
        self.events.retain(|_| {
            at += 1;
            others.as_ref().is_none_or(|others| !others.contains(&(at - 1)))
        });
        let callees = match others {
            Some(others) => self.callees_in(named.start..named.end - others.len()),
            None => callees,
        };
        callees.into_iter().flat_map(|callee| self.dispatched_on(named.start, callee, source)).collect()
    }

    /// Of several impls of one trait (`From<A>`, `From<B>`), the events of those that take something
    /// else than what is given.
    fn other_conversions(&mut self, named: &Range<usize>, source: ItemId) -> Option<Vec<usize>> {
        let candidates: Vec<(usize, ItemId)> = named
            .clone()
            .filter_map(|at| match &self.events[at].kind {
                EventKind::To { target: Target::Item(item), hop: HopKind::Call, .. } => Some((at, *item)),
                _ => None,
            })
            .filter(|(_, item)| matches!(&*self.reader.item(*item).name, "from" | "try_from"))
            .collect();
        if candidates.len() < 2 {
            return None;
        }
        let takes = |walker: &mut Self, item| {
            let signature = walker.reader.signature(item);
            matches!(signature.params.first().map(Ty::peel), Some(Ty::Local(wanted, _)) if *wanted == source)
        };
        let (fit, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|(_, item)| takes(self, *item));
        (!fit.is_empty()).then(|| others.into_iter().map(|(at, _)| at).collect())
    }

    /// `Trait::method(value)`: the implementation of the value's type, where that shows.
    fn dispatched_on(&mut self, from: usize, callee: Callee, source: ItemId) -> Vec<Callee> {
        let Callee::Dispatch(method) = callee else { return vec![callee] };
        let Some(of_trait) = self.reader.owner(method) else { return vec![callee] };
        if self.reader.signature(method).receiver.is_none() {
            return vec![callee];
        }
        let name = self.reader.item(method).name.clone();
        let mut meant = self.reader.of_local(source, &name, false);
        meant.retain(|callee| self.reader.trait_of(callee) == Some(of_trait));
        if meant.is_empty() {
            return vec![callee];
        }
        let is_it = |event: &Event| matches!(event.kind, EventKind::Dispatch { method: m } if m == method);
        let Some(at) = self.events[from..].iter().position(is_it).map(|at| from + at) else { return vec![callee] };
        let span = self.events[at].span;
        self.events.remove(at);
        for callee in &meant {
            self.callee(callee, span, HopKind::Method);
        }
        meant
    }

    /// The local trait that a qualified path names: `<Type as Trait>::method`.
    pub(super) fn qualified_trait(&mut self, path: &Path) -> Option<ItemId> {
        let qself = path.qself.filter(|qself| qself.trait_segments > 0)?;
        let mut of_trait = path.clone();
        of_trait.segments.truncate(qself.trait_segments);
        of_trait.qself = None;
        let found = self.resolve(&of_trait, Space::Type);
        found.into_iter().find_map(|(found, _)| match found.res {
            Res::Item(item) => Some(item),
            _ => None,
        })
    }
}

/// The local type that a value is, or points to.
fn local_behind(ty: &Ty) -> Option<ItemId> {
    let mut at = ty.peel();
    while let Some(inner) = pointee(at) {
        at = inner.peel();
    }
    match at {
        Ty::Local(item, _) => Some(*item),
        _ => None,
    }
}
