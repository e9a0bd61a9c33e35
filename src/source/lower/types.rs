//! Types.

use syn::{ReturnType, Type, spanned::Spanned as _};

use super::{Lower, macros::Position};
use crate::{
    base::Span,
    source::facts::{TypeIx, TypeKind},
};

impl Lower<'_> {
    /// A type. Parentheses and groups go.
    pub(super) fn ty(&mut self, ty: Type) -> TypeIx {
        match ty {
            Type::Array(array) => {
                let span = self.places.span(array.bracket_token.span.join());
                let of = self.ty(*array.elem);
                let len = self.expr(array.len);
                self.add_type(TypeKind::Slice(of, Some(len)), span)
            }
            Type::FnPtr(pointer) => self.fn_pointer(pointer),
            Type::Group(group) => self.ty(*group.elem),
            Type::ImplTrait(of) => {
                let start = self.places.span(of.impl_token.span);
                let (bounds, end) = self.bounds(of.bounds);
                self.add_type(TypeKind::Impl(bounds), Span { end: end.unwrap_or(start.end), ..start })
            }
            Type::Infer(infer) => {
                let span = self.places.span(infer.underscore_token.spans[0]);
                self.add_type(TypeKind::Other, span)
            }
            Type::Macro(mac) => {
                let call = self.macro_call(mac.mac, Position::Type);
                let span = call.span;
                self.add_type(TypeKind::Macro(call), span)
            }
            Type::Never(never) => {
                let span = self.places.span(never.bang_token.span);
                self.add_type(TypeKind::Other, span)
            }
            Type::Paren(paren) => self.ty(*paren.elem),
            Type::Path(path) => {
                let (path, span) = self.qualified(path.qself, path.path);
                self.add_type(TypeKind::Path(path), span)
            }
            Type::Ptr(pointer) => {
                let start = self.places.span(pointer.star_token.span);
                let of = self.ty(*pointer.elem);
                self.reference(start, of)
            }
            Type::Reference(reference) => {
                let start = self.places.span(reference.and_token.span);
                let of = self.ty(*reference.elem);
                self.reference(start, of)
            }
            Type::Slice(slice) => {
                let span = self.places.span(slice.bracket_token.span.join());
                let of = self.ty(*slice.elem);
                self.add_type(TypeKind::Slice(of, None), span)
            }
            Type::TraitObject(object) => {
                let token = object.dyn_token.map(|token| self.places.span(token.span));
                let (bounds, end) = self.bounds(object.bounds);
                let first = bounds.first().map(|&bound| self.facts[bound].span);
                let start = token.or(first).unwrap_or_else(|| self.places.range(0, 0));
                self.add_type(TypeKind::Dyn(bounds), Span { end: end.unwrap_or(start.end), ..start })
            }
            Type::Tuple(tuple) => {
                let span = self.places.span(tuple.paren_token.span.join());
                let of = tuple.elems.into_iter().map(|elem| self.ty(elem)).collect();
                self.add_type(TypeKind::Tuple(of), span)
            }
            Type::Verbatim(tokens) => {
                let span = self.places.span(tokens.span());
                let found = self.scan_types(tokens);
                self.add_type(TypeKind::Tuple(found), span)
            }
            _ => self.add_type(TypeKind::Other, self.places.range(0, 0)),
        }
    }

    fn reference(&mut self, start: Span, of: TypeIx) -> TypeIx {
        let end = self.facts[of].span.end;
        self.add_type(TypeKind::Ref(of), Span { end, ..start })
    }

    fn fn_pointer(&mut self, pointer: syn::TypeFnPtr) -> TypeIx {
        let first = pointer.lifetimes.as_ref().map(|lifetimes| lifetimes.for_token.span);
        let first = first.or(pointer.unsafety.map(|token| token.span));
        let first = first.or(pointer.abi.as_ref().map(|abi| abi.extern_token.span));
        let start = self.places.start(first.unwrap_or(pointer.fn_token.span));
        let close = self.places.end(pointer.paren_token.span.close());
        let params = pointer.inputs.into_iter().map(|arg| self.ty(arg.ty)).collect();
        let ret = self.output(pointer.output);
        let end = ret.map_or(close, |ret| self.facts[ret].span.end);
        self.add_type(TypeKind::Fn { params, ret }, self.places.range(start, end))
    }

    /// What stands behind `->`.
    pub(super) fn output(&mut self, output: ReturnType) -> Option<TypeIx> {
        match output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(self.ty(*ty)),
        }
    }
}
