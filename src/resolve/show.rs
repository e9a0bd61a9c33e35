//! Items as people write them.

use super::{ItemId, ModuleId, World};
use crate::source::{ItemKind, TypeKind};

impl World<'_> {
    /// A module's path from the crate's name; a block is called after what is around it.
    pub fn module_path(&self, module: ModuleId) -> String {
        let mut names = Vec::new();
        let mut at = Some(module);
        while let Some(id) = at {
            if !self.module(id).block {
                names.push(&*self.module(id).name);
            }
            at = self.module(id).parent;
        }
        names.reverse();
        names.join("::")
    }

    /// An item's path from the crate's name: `orders::health::probe`, `orders::Lease::renew`.
    pub fn item_path(&self, id: ItemId) -> String {
        let item = self.item(id);
        let module = self.module_path(self.module_of(id));
        let facts = self.facts_of(id);
        let owner =
            item.owner.map(|owner| &facts[owner]).or(Some(item).filter(|i| matches!(i.kind, ItemKind::Impl { .. })));
        let owner_name = owner.map(|owner| match &owner.kind {
            ItemKind::Impl { self_type, .. } => match &facts[*self_type].kind {
                TypeKind::Path(path) => {
                    path.segments.last().map_or_else(String::new, |segment| segment.name.to_string())
                }
                _ => self.files.text(facts[*self_type].span),
            },
            _ => owner.name.to_string(),
        });
        let mut path = module;
        for part in owner_name.iter().map(String::as_str).chain([&*item.name]).filter(|part| !part.is_empty()) {
            path.push_str("::");
            path.push_str(part);
        }
        path
    }
}
