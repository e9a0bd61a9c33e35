//! Paths, their generic arguments, and bounds.

use syn::{
    AngleBracketedGenericArguments, GenericArgument, Ident, ParenthesizedGenericArguments, PathArguments,
    TypeParamBound, punctuated::Punctuated, spanned::Spanned as _,
};

use super::Lower;
use crate::{
    base::Span,
    source::facts::{ExprKind, Name, Path, QSelf, Segment, Stmt, TypeIx, TypeKind},
};

impl Lower<'_> {
    /// A path without a self type.
    pub(super) fn path(&mut self, path: syn::Path) -> Path {
        self.qualified(None, path).0
    }

    /// A path, perhaps with a self type, and all of it, generic arguments included.
    pub(super) fn qualified(&mut self, qself: Option<syn::QSelf>, path: syn::Path) -> (Path, Span) {
        // In `<T>::f` the parser takes the colons behind `>` for leading ones.
        let bare = qself.as_ref().is_some_and(|qself| qself.position == 0);
        let global = path.leading_colon.is_some() && !bare;
        let mut start = path.leading_colon.map(|colons| self.places.start(colons.spans[0]));
        let first = qself.as_ref().map(|qself| self.places.start(qself.lt_token.span));
        let qself = qself.map(|qself| {
            let angle = self.places.end(qself.gt_token.span);
            (QSelf { of: self.ty(*qself.ty), trait_segments: qself.position }, angle)
        });
        let mut end = qself.as_ref().map_or(0, |(_, angle)| *angle);
        let mut whole = end;
        let mut segments = Vec::with_capacity(path.segments.len());
        for segment in path.segments {
            let (segment, behind) = self.segment(segment);
            // In `<T as Trait>::f` the trait's segments lie before `>`.
            end = end.max(segment.span.end);
            whole = whole.max(behind);
            segments.push(segment);
        }
        let from = first.or_else(|| segments.first().map(|s| s.span.start)).unwrap_or_default();
        let start = first.or(start.take()).unwrap_or(from);
        let path = Path { global, qself: qself.map(|(q, _)| q), segments, span: self.places.range(from, end) };
        (path, self.places.range(start, whole))
    }

    /// A path that is a single name.
    pub(super) fn single(&self, name: Name, span: Span) -> Path {
        let segment = Segment { name, span, args: Vec::new(), bindings: Vec::new() };
        Path { global: false, qself: None, segments: vec![segment], span }
    }

    fn segment(&mut self, segment: syn::PathSegment) -> (Segment, u32) {
        let (name, span) = self.name(&segment.ident);
        let mut segment_facts = Segment { name, span, args: Vec::new(), bindings: Vec::new() };
        let end = match segment.arguments {
            PathArguments::None => span.end,
            PathArguments::AngleBracketed(args) => self.angles(args, &mut segment_facts),
            PathArguments::Parenthesized(args) => self.signature_args(args, &mut segment_facts),
        };
        (segment_facts, end)
    }

    /// `::<T>` of a method.
    pub(super) fn turbofish(&mut self, args: AngleBracketedGenericArguments) -> Vec<TypeIx> {
        let span = self.places.span(args.gt_token.span);
        let mut segment = Segment { name: self.nameless(), span, args: Vec::new(), bindings: Vec::new() };
        self.angles(args, &mut segment);
        segment.args
    }

    fn angles(&mut self, args: AngleBracketedGenericArguments, into: &mut Segment) -> u32 {
        let end = self.places.end(args.gt_token.span);
        for arg in args.args {
            self.generic_arg(arg, into);
        }
        end
    }

    fn generic_arg(&mut self, arg: GenericArgument, into: &mut Segment) {
        match arg {
            GenericArgument::Type(ty) => into.args.push(self.ty(ty)),
            GenericArgument::Const(value) => into.args.push(self.const_arg(value)),
            GenericArgument::AssocType(binding) => {
                let of = self.ty(binding.ty);
                self.binding(&binding.ident, binding.generics, of, into);
            }
            GenericArgument::AssocConst(binding) => {
                let of = self.const_arg(binding.value);
                self.binding(&binding.ident, binding.generics, of, into);
            }
            GenericArgument::Constraint(constraint) => {
                let (bounds, end) = self.bounds(constraint.bounds);
                let start = self.places.start(constraint.colon_token.span);
                let span = self.places.range(start, end.unwrap_or(start));
                let of = self.add_type(TypeKind::Impl(bounds), span);
                self.binding(&constraint.ident, constraint.generics, of, into);
            }
            // Lifetimes name nothing.
            _ => {}
        }
    }

    fn binding(
        &mut self,
        ident: &Ident,
        generics: Option<AngleBracketedGenericArguments>,
        of: TypeIx,
        into: &mut Segment,
    ) {
        let (name, _) = self.name(ident);
        into.bindings.push((name, of));
        if let Some(generics) = generics {
            self.angles(generics, into);
        }
    }

    fn signature_args(&mut self, args: ParenthesizedGenericArguments, into: &mut Segment) -> u32 {
        let mut end = self.places.end(args.paren_token.span.close());
        into.args = args.inputs.into_iter().map(|arg| self.ty(arg.ty)).collect();
        if let syn::ReturnType::Type(_, ty) = args.output {
            let output = self.ty(*ty);
            end = self.facts[output].span.end;
            let name = self.made_name("Output");
            into.bindings.push((name, output));
        }
        end
    }

    /// A const argument: a type where it is a plain path; else it is kept as the length of an array
    /// of nothing, so that what it names is not lost.
    pub(super) fn const_arg(&mut self, value: syn::Expr) -> TypeIx {
        let at = self.expr(value);
        let mut inner = at;
        while let ExprKind::Block { scope: None, stmts, is_async: false } = &self.facts[inner].kind {
            match stmts.as_slice() {
                [Stmt::Expr(value, false)] => inner = *value,
                _ => break,
            }
        }
        let span = self.facts[at].span;
        if let ExprKind::Path(path) = &self.facts[inner].kind {
            let path = path.clone();
            return self.add_type(TypeKind::Path(path), span);
        }
        let other = self.add_type(TypeKind::Other, span);
        if matches!(self.facts[inner].kind, ExprKind::Other) {
            return other;
        }
        self.add_type(TypeKind::Slice(other, Some(at)), span)
    }

    /// Bounds as path types, and where they end.
    pub(super) fn bounds<P>(&mut self, bounds: Punctuated<TypeParamBound, P>) -> (Vec<TypeIx>, Option<u32>) {
        let mut types = Vec::with_capacity(bounds.len());
        let mut end = None;
        for bound in bounds {
            match bound {
                TypeParamBound::Trait(bound) => {
                    let close = bound.paren_token.map(|paren| self.places.end(paren.span.close()));
                    let (path, span) = self.qualified(None, bound.path);
                    end = close.or(Some(span.end));
                    types.push(self.add_type(TypeKind::Path(path), span));
                }
                TypeParamBound::Lifetime(lifetime) => end = Some(self.places.end(lifetime.ident.span())),
                TypeParamBound::PreciseCapture(capture) => end = Some(self.places.end(capture.gt_token.span)),
                // `[const] Trait`, `async Fn()` and what else is not settled yet.
                TypeParamBound::Verbatim(tokens) => {
                    end = Some(self.places.end(tokens.span())).or(end);
                    types.extend(self.scan_types(tokens));
                }
                _ => {}
            }
        }
        (types, end)
    }
}
