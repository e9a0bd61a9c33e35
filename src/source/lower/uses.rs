//! Imports: one [`Use`] for each leaf of each tree.

use syn::UseTree;

use super::Lower;
use crate::{
    base::Span,
    source::facts::{Name, ParseError, ScopeIx, Use, UseBinding},
};

impl Lower<'_> {
    /// Enters the leaves of a `use` declaration into a scope.
    pub(super) fn import(&mut self, item: syn::ItemUse, scope: ScopeIx) {
        let mut tree = Tree {
            scope,
            public: !matches!(item.vis, syn::Visibility::Inherited),
            global: item.leading_colon.is_some(),
            segments: Vec::new(),
        };
        self.use_tree(item.tree, &mut tree, None);
    }

    /// `start` is where the leaf at hand begins, once a token of its own was seen.
    fn use_tree(&mut self, mut node: UseTree, tree: &mut Tree, mut start: Option<u32>) {
        let above = tree.segments.len();
        while let UseTree::Path(path) = node {
            let segment = self.name(&path.ident);
            start = start.or(Some(segment.1.start));
            tree.segments.push(segment);
            node = *path.tree;
        }
        match node {
            UseTree::Name(leaf) => {
                let (name, span) = self.name(&leaf.ident);
                let binds = self.leaf(name, span, tree);
                self.enter_use(tree, binds, start, span);
            }
            UseTree::Rename(leaf) => {
                let (name, span) = self.name(&leaf.ident);
                self.leaf(name, span, tree);
                let (alias, end) = self.name(&leaf.rename);
                let binds = if &*alias == "_" { UseBinding::Underscore } else { UseBinding::Name(alias) };
                self.enter_use(tree, binds, start.or(Some(span.start)), end);
            }
            UseTree::Glob(glob) => {
                let span = self.places.span(glob.star_token.span);
                self.enter_use(tree, UseBinding::Glob, start, span);
            }
            UseTree::Group(group) => {
                for node in group.items {
                    self.use_tree(node, tree, None);
                }
            }
            UseTree::Path(_) => {}
        }
        tree.segments.truncate(above);
    }

    /// Adds the last segment, unless it is a `self` that stands for the path before it, and says what
    /// it binds.
    fn leaf(&mut self, name: Name, span: Span, tree: &mut Tree) -> UseBinding {
        if &*name != "self" || tree.segments.is_empty() {
            tree.segments.push((name.clone(), span));
            return UseBinding::Name(name);
        }
        let last = tree.segments.last().map(|(name, _)| name.clone());
        UseBinding::Name(last.unwrap_or(name))
    }

    fn enter_use(&mut self, tree: &Tree, binds: UseBinding, start: Option<u32>, last: Span) {
        let span = Span { start: start.unwrap_or(last.start), ..last };
        // A long path before many leaves multiplies; no tree that anyone wrote comes near.
        let Some(left) = self.segments.checked_sub(tree.segments.len() as u64) else {
            let message = "the imports of this file are too many and too deep to be kept".to_owned();
            self.facts.error.get_or_insert(ParseError { message, span });
            return;
        };
        self.segments = left;
        self.facts.scopes[tree.scope.0 as usize].uses.push(Use {
            public: tree.public,
            global: tree.global,
            segments: tree.segments.clone(),
            binds,
            span,
        });
    }
}

/// The tree at hand, and the path to where it is being walked.
struct Tree {
    scope: ScopeIx,
    public: bool,
    global: bool,
    segments: Vec<(Name, Span)>,
}
