//! Paths and types among tokens that do not parse.

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use syn::buffer::{Cursor, TokenBuffer};

use super::{Lower, scan::KEYWORDS};
use crate::source::facts::{Path, Segment, TypeIx, TypeKind};

/// Among how many tokens the end of generic arguments is looked for.
const ANGLES: usize = 512;

impl Lower<'_> {
    /// All paths among some tokens, as types.
    pub(super) fn scan_types(&mut self, tokens: TokenStream) -> Vec<TypeIx> {
        let buffer = TokenBuffer::new2(tokens);
        let mut out = Vec::new();
        self.walk_types(buffer.begin(), &mut out);
        out
    }

    /// A path of names, with generic arguments where a turbofish gives them, and where it ends.
    pub(super) fn bare_path<'c>(&mut self, mut cursor: Cursor<'c>, global: bool) -> Option<(Path, u32, Cursor<'c>)> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut end = 0;
        while let Some((ident, rest)) = cursor.ident() {
            if KEYWORDS.iter().any(|word| ident == word) {
                break;
            }
            let segment = self.bare_segment(&ident);
            end = segment.span.end;
            segments.push(segment);
            cursor = rest;
            let Some(behind) = colons(rest) else { break };
            match self.scan_angles(behind) {
                Some((after, args, close)) => {
                    if let Some(last) = segments.last_mut() {
                        last.args = args;
                    }
                    (cursor, end) = (after, close);
                    let Some(behind) = colons(after) else { break };
                    cursor = behind;
                }
                None if behind.ident().is_some() => cursor = behind,
                None => break,
            }
        }
        let (start, last) = (segments.first()?.span.start, segments.last()?.span.end);
        let path = Path { global, qself: None, segments, span: self.places.range(start, last) };
        Some((path, end, cursor))
    }

    fn bare_segment(&mut self, ident: &Ident) -> Segment {
        let (name, span) = self.name(ident);
        Segment { name, span, args: Vec::new(), bindings: Vec::new() }
    }

    /// `<...>` at the cursor: what is behind it, the paths in it, and where it ends.
    pub(super) fn scan_angles<'c>(&mut self, cursor: Cursor<'c>) -> Option<(Cursor<'c>, Vec<TypeIx>, u32)> {
        let mut open = 0_u32;
        let mut at = cursor;
        let mut arrow = false;
        let mut tokens: Vec<TokenTree> = Vec::new();
        while let Some((tree, rest)) = at.token_tree() {
            match &tree {
                TokenTree::Punct(punct) => match punct.as_char() {
                    '<' => open += 1,
                    '>' if arrow => {}
                    '>' if open == 1 => {
                        tokens.push(tree.clone());
                        let end = self.places.end(punct.span());
                        let types = self.scan_types(tokens.into_iter().collect());
                        return Some((rest, types, end));
                    }
                    '>' => open = open.checked_sub(1)?,
                    ';' => return None,
                    _ => {}
                },
                _ if open == 0 => return None,
                _ => {}
            }
            if open == 0 || tokens.len() > ANGLES {
                return None;
            }
            arrow = matches!(&tree, TokenTree::Punct(punct)
                if punct.as_char() == '-' && punct.spacing() == Spacing::Joint);
            tokens.push(tree);
            at = rest;
        }
        None
    }

    fn walk_types(&mut self, mut cursor: Cursor<'_>, out: &mut Vec<TypeIx>) {
        while !cursor.eof() {
            if let Some((ident, rest)) = cursor.ident() {
                if KEYWORDS.iter().any(|word| ident == word) {
                    cursor = rest;
                    continue;
                }
                // Nested arguments follow as paths of their own.
                let mut idents = vec![ident];
                cursor = rest;
                while let Some(behind) = colons(cursor)
                    && let Some((next, rest)) = behind.ident()
                {
                    idents.push(next);
                    cursor = rest;
                }
                let path = self.idents(&idents);
                let span = path.span;
                out.push(self.add_type(TypeKind::Path(path), span));
            } else if let Some((_, rest)) = cursor.lifetime() {
                cursor = rest;
            } else if let Some((inside, _, _, rest)) = cursor.any_group() {
                self.walk_types(inside, out);
                cursor = rest;
            } else {
                let Some((_, rest)) = cursor.token_tree() else { return };
                cursor = rest;
            }
        }
    }
}

/// What is behind `::`.
pub(super) fn colons(cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    let (first, rest) = cursor.punct()?;
    let (second, rest) = rest.punct()?;
    (first.as_char() == ':' && first.spacing() == Spacing::Joint && second.as_char() == ':').then_some(rest)
}
