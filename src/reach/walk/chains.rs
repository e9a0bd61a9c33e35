//! Calls as chains of segments, for the fragments that `forbidden-call` looks for.

use std::sync::Arc;

use super::walker::Walker;
use crate::{
    reach::{Chain, ChainSegment, EventKind},
    resolve::{Res, Space},
    source::{ExprIx, ExprKind, Path},
};

impl Walker<'_, '_> {
    /// At the outermost call of a chain: says the chain.
    pub(super) fn finish_chain(&mut self, expr: ExprIx, inner: bool, awaited: bool) {
        if inner {
            return;
        }
        let span = self.cx.facts[expr].span;
        let mut segments = Vec::new();
        let mut heads = Vec::new();
        self.flatten(expr, false, &mut segments, &mut heads);
        if let Some(path) = heads.first() {
            self.say_resolved(path, &segments, awaited, span);
        }
        if segments.len() > 1 {
            self.say(span, EventKind::Chain(Chain { segments, awaited }));
        }
    }

    fn flatten(&self, expr: ExprIx, called: bool, out: &mut Vec<ChainSegment>, heads: &mut Vec<Path>) {
        let facts = Arc::clone(&self.cx.facts);
        // Chains are as long as their source; a list of the links keeps the stack out of it.
        let mut links = Vec::new();
        let mut at = expr;
        let mut called = called;
        loop {
            match &facts[at].kind {
                ExprKind::Method { receiver, name, name_span, .. } => {
                    let local_receiver = self.local_receivers.get(&at).copied().unwrap_or(false);
                    links.push(ChainSegment { name: name.clone(), span: *name_span, called: true, local_receiver });
                    called = false;
                    at = *receiver;
                }
                ExprKind::Field { base, name, name_span } => {
                    links.push(ChainSegment { name: name.clone(), span: *name_span, called, local_receiver: false });
                    called = false;
                    at = *base;
                }
                ExprKind::Call { callee, .. } => {
                    called = true;
                    at = *callee;
                }
                ExprKind::Try(inner, _) | ExprKind::Await(inner, _) | ExprKind::Ref(inner) | ExprKind::Deref(inner) => {
                    at = *inner
                }
                ExprKind::Index { base, .. } => at = *base,
                ExprKind::Path(path) => {
                    for (index, segment) in path.segments.iter().enumerate().rev() {
                        let called = called && index + 1 == path.segments.len();
                        let (name, span) = (segment.name.clone(), segment.span);
                        links.push(ChainSegment { name, span, called, local_receiver: false });
                    }
                    heads.push(path.clone());
                    break;
                }
                _ => break,
            }
        }
        links.reverse();
        out.extend(links);
    }

    /// The same chain with the head's full path, where an import or an alias shortened it.
    fn say_resolved(&mut self, path: &Path, segments: &[ChainSegment], awaited: bool, span: crate::base::Span) {
        let is_local = path.segments.len() == 1 && self.local(&path.segments[0].name).is_some();
        if is_local || path.qself.is_some() {
            return;
        }
        for (found, consumed) in self.resolve(path, Space::Value) {
            let full = match &found.res {
                Res::Outside(outside) => outside.to_string(),
                Res::Item(item) => self.reader.item_path(*item),
                _ => continue,
            };
            let mut names: Vec<&str> = full.split("::").collect();
            names.extend(path.segments[consumed.min(path.segments.len())..].iter().map(|segment| &*segment.name));
            let written: Vec<&str> = path.segments.iter().map(|segment| &*segment.name).collect();
            if names.ends_with(&written) && names.len() == written.len() {
                continue;
            }
            let head = segments.get(path.segments.len() - 1);
            let called = head.is_some_and(|segment| segment.called);
            let last = names.len() - 1;
            let full = names.iter().enumerate().map(|(at, name)| ChainSegment {
                name: (*name).into(),
                span: path.span,
                called: called && at == last,
                local_receiver: false,
            });
            let segments: Vec<ChainSegment> =
                full.chain(segments[path.segments.len().min(segments.len())..].iter().cloned()).collect();
            if segments.len() > 1 {
                self.say(span, EventKind::Chain(Chain { segments, awaited }));
            }
        }
    }
}
