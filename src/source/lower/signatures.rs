//! Parts that several items share: signatures, fields, generic parameters.

use super::Lower;
use crate::source::facts::{Field, Fields, Function, GenericParam, Generics, Param, Receiver};

impl Lower<'_> {
    /// A signature, with or without a body.
    pub(super) fn function(
        &mut self,
        sig: syn::Signature,
        body: Option<syn::Block>,
        foreign: bool,
    ) -> (Function, Generics) {
        let is_async = sig.asyncness.is_some();
        let generics = self.generics(sig.generics);
        let mut receiver = None;
        let mut params = Vec::with_capacity(sig.inputs.len());
        for input in sig.inputs {
            match input {
                syn::FnArg::Receiver(of) => receiver = Some(self.receiver(of)),
                syn::FnArg::Typed(typed) => {
                    if !self.is_off(&typed.attrs) {
                        let pat = self.pat(*typed.pat);
                        params.push(Param { pat, of: self.ty(*typed.ty) });
                    }
                }
            }
        }
        let ret = self.output(sig.output);
        let body = body.map(|body| self.block(body, false));
        (Function { receiver, params, ret, body, is_async, foreign }, generics)
    }

    fn receiver(&mut self, of: syn::Receiver) -> Receiver {
        let word = self.places.span(of.self_token.span);
        let by_mut = of.mutability.map(|token| self.places.start(token.span));
        let (start, end, ty, by_ref) = match of.kind {
            syn::ReceiverKind::Reference(and, ..) => (self.places.start(and.span), word.end, None, true),
            syn::ReceiverKind::Typed(_, ty) => {
                let by_ref = matches!(*ty, syn::Type::Reference(_));
                let ty = self.ty(*ty);
                (by_mut.unwrap_or(word.start), self.facts[ty].span.end, Some(ty), by_ref)
            }
            _ => (by_mut.unwrap_or(word.start), word.end, None, false),
        };
        Receiver { span: self.places.range(start, end), by_ref, of: ty }
    }

    pub(super) fn fields(&mut self, fields: syn::Fields) -> Fields {
        let (tuple, list) = match fields {
            syn::Fields::Named(fields) => (false, fields.named),
            syn::Fields::Unnamed(fields) => (true, fields.unnamed),
            syn::Fields::Unit => return Fields::default(),
        };
        let mut out = Vec::with_capacity(list.len());
        for field in list {
            if self.is_off(&field.attrs) {
                continue;
            }
            let named = field.ident.map(|ident| self.name(&ident));
            let of = self.ty(field.ty);
            let (name, span) = match named {
                Some(named) => named,
                None => (self.number(out.len()), self.facts[of].span),
            };
            out.push(Field { name, span, of, attrs: self.attrs(field.attrs) });
        }
        Fields { tuple, fields: out }
    }

    pub(super) fn generics(&mut self, generics: syn::Generics) -> Generics {
        let mut out = Generics::default();
        for param in generics.params {
            match param {
                syn::GenericParam::Type(param) => {
                    if self.is_off(&param.attrs) {
                        continue;
                    }
                    let (name, _) = self.name(&param.ident);
                    let (bounds, _) = self.bounds(param.bounds);
                    let default = param.default.map(|(_, ty)| self.ty(ty));
                    out.params.push(GenericParam { name, bounds, default });
                }
                syn::GenericParam::Const(param) => {
                    if self.is_off(&param.attrs) {
                        continue;
                    }
                    let (name, _) = self.name(&param.ident);
                    let of = self.ty(param.ty);
                    // A const parameter has no bounds; its default stands there, for what it names.
                    let bounds = param.default.map(|(_, value)| self.const_arg(value)).into_iter().collect();
                    out.params.push(GenericParam { name, bounds, default: Some(of) });
                }
                syn::GenericParam::Lifetime(_) => {}
            }
        }
        for predicate in generics.where_clause.into_iter().flat_map(|clause| clause.predicates) {
            if let syn::WherePredicate::Type(predicate) = predicate {
                let of = self.ty(predicate.bounded_ty);
                let (bounds, _) = self.bounds(predicate.bounds);
                out.wheres.push((of, bounds));
            }
        }
        out
    }
}

/// The first word of a signature.
pub(super) fn fn_token(sig: &syn::Signature) -> proc_macro2::Span {
    let word = sig.constness.map(|token| token.span).or(sig.asyncness.map(|token| token.span));
    let word = word.or(match &sig.safety {
        syn::Safety::Safe(token) => Some(token.span),
        syn::Safety::Unsafe(token) => Some(token.span),
        syn::Safety::Default => None,
    });
    word.or(sig.abi.as_ref().map(|abi| abi.extern_token.span)).unwrap_or(sig.fn_token.span)
}
