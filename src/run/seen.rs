//! What a run saw, counted.

use std::collections::BTreeSet;

use super::LeaseView;
use crate::{
    finding::{LeaseSeen, Seen},
    project::Workspace,
    reach::{EventKind, Role, Target},
    resolve::OutsideCrate,
    types::Reader,
};

/// Counts one lease.
pub(super) fn lease_seen(name: &str, view: &LeaseView) -> LeaseSeen {
    let is_item = |target: &Target| !matches!(target, Target::Field(..) | Target::Derived(_) | Target::Import(_));
    let items = view.reached.nodes.iter().filter(|node| is_item(&node.target));
    let reached: BTreeSet<&Target> = items.clone().map(|node| &node.target).collect();
    let selected = items.filter(|node| node.step.is_none()).count();
    LeaseSeen {
        name: name.to_owned(),
        files: view.selection.files.len(),
        items: selected,
        reached_items: reached.len(),
    }
}

/// What the views of all leases saw together.
pub(super) fn seen(reader: &Reader<'_>, workspace: &Workspace, views: &[LeaseView]) -> Seen {
    let (files_parsed, _) = reader.counted();
    let mut proc_macros = BTreeSet::new();
    let mut opaque = BTreeSet::new();
    let mut scanned = BTreeSet::new();
    let mut orphans = BTreeSet::new();
    let mut files = BTreeSet::new();
    for view in views {
        orphans.extend(view.selection.orphans.iter().cloned());
        opaque.extend(view.selection.opaque.iter().copied());
        opaque.extend(view.opaque.iter().flat_map(|&module| reader.module(module).opaque.iter().copied()));
        for node in &view.reached.nodes {
            if let Target::Scanned(module) = node.target
                && let Some(path) = reader.module(module).file()
                && reader.is_scanned(module)
            {
                scanned.insert(reader.files.shown(path));
            }
            files.extend(reader.module(node.module).parts().iter().map(|part| part.facts));
            for event in node.events.iter() {
                match &event.kind {
                    EventKind::Opaque(_) => {
                        opaque.insert(event.span);
                    }
                    EventKind::Outside { path, role: Role::Macro, .. } => {
                        if let OutsideCrate::Package(name, Some(id)) = &path.krate
                            && workspace.package(*id).is_proc_macro()
                        {
                            proc_macros.insert(name.to_string());
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    let macros_scanned = files.iter().map(|&facts| reader.facts(facts).macros_scanned as usize).sum();
    Seen {
        files_parsed,
        macros_scanned,
        files_scanned: scanned.into_iter().collect(),
        proc_macros: proc_macros.into_iter().collect(),
        opaque_includes: opaque.len(),
        orphan_files: orphans.into_iter().collect(),
    }
}
