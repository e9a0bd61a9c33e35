//! What a string literal says.

use syn::Lit;

/// The value of a string, byte string or C string; bytes that are no UTF-8 are replaced.
pub(super) fn string(lit: &Lit) -> Option<String> {
    match lit {
        Lit::Str(lit) => Some(lit.value()),
        Lit::ByteStr(lit) => Some(String::from_utf8_lossy(&lit.value()).into_owned()),
        Lit::CStr(lit) => Some(lit.value().to_string_lossy().into_owned()),
        _ => None,
    }
}

/// What `concat!` makes of a literal among tokens.
pub(in crate::source) fn of_token(literal: proc_macro2::Literal) -> Option<String> {
    joined(&Lit::new(literal))
}

/// What `concat!` makes of a literal.
pub(super) fn joined(lit: &Lit) -> Option<String> {
    match lit {
        Lit::Str(lit) => Some(lit.value()),
        Lit::Char(lit) => Some(lit.value().to_string()),
        Lit::Int(lit) => Some(lit.base10_digits().to_owned()),
        Lit::Float(lit) => Some(lit.base10_digits().to_owned()),
        Lit::Bool(lit) => Some(lit.value.to_string()),
        _ => None,
    }
}
