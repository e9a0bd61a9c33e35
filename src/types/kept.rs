//! Code that a value of a local type keeps in its fields: `Table { check: ask }`, `Table::new(ask)`.
//!
//! It travels with the value's type, behind the type's own arguments, as [`Code::Kept`]. It is code that
//! is handed in wherever the value is, but only once a reached item touches the field: a lease that is
//! given all of an application and reads its database runs none of the application's closures.

use super::{Code, Reader, Ty};
use crate::{resolve::ItemId, source::Name};

/// Through how many types in fields code is looked for.
const DEPTH: usize = 2;

/// How much code one value is taken to keep.
const MOST_KEPT: usize = 64;

impl Code {
    /// The code itself, without the field that keeps it.
    pub fn bare(&self) -> &Self {
        let mut at = self;
        while let Self::Kept { code, .. } = at {
            at = code;
        }
        at
    }
}

impl Ty {
    /// Whether a value is code, or holds some that is no more than a field's.
    pub fn has_code(&self) -> bool {
        let mut codes = Vec::new();
        self.codes(&mut codes);
        codes.iter().any(|code| !matches!(code, Code::Kept { .. }))
    }

    /// Whether some value in it keeps code.
    pub fn has_kept(&self) -> bool {
        let mut codes = Vec::new();
        self.codes(&mut codes);
        codes.iter().any(|code| matches!(code, Code::Kept { .. }))
    }

    /// The type with what another value of it keeps as well.
    pub fn joined(self, other: &Self) -> Self {
        let all = |mine: Vec<Self>, theirs: &[Self]| {
            if mine.len() != theirs.len() {
                return mine;
            }
            mine.into_iter().zip(theirs).map(|(mine, theirs)| mine.joined(theirs)).collect()
        };
        match (self, other) {
            (Self::Local(item, mut args), Self::Local(of, more)) if item == *of => {
                let kept = more.iter().filter(|arg| matches!(arg, Self::Code(Code::Kept { .. }, _)));
                for arg in kept.take(MOST_KEPT) {
                    if !args.contains(arg) {
                        args.push(arg.clone());
                    }
                }
                Self::Local(item, args)
            }
            (Self::Ref(mine), Self::Ref(theirs)) => Self::Ref(Box::new(mine.joined(theirs))),
            (Self::Slice(mine), Self::Slice(theirs)) => Self::Slice(Box::new(mine.joined(theirs))),
            (Self::Outside(path, mine), Self::Outside(_, theirs)) => Self::Outside(path, all(mine, theirs)),
            (Self::Tuple(mine), Self::Tuple(theirs)) => Self::Tuple(all(mine, theirs)),
            (mine, _) => mine,
        }
    }
}

impl Reader<'_> {
    /// A value of this type that keeps some code, in one field (a variant's, with its number) or in any.
    pub fn keeping(&mut self, ty: Ty, codes: &[Code], field: Option<(Option<u32>, u32)>) -> Ty {
        if codes.is_empty() {
            return ty;
        }
        match ty {
            Ty::Local(of, mut args) => {
                // Arguments that are not known leave no place to tell code from them.
                if args.len() >= self.item(of).generics.params.len() && self.keeps_code(of) {
                    for code in codes.iter().take(MOST_KEPT) {
                        let kept = match code {
                            Code::Kept { .. } => code.clone(),
                            plain => Code::Kept { of, field, code: Box::new(plain.clone()) },
                        };
                        let kept = Ty::Code(kept, Box::new(Ty::Unknown));
                        if !args.contains(&kept) {
                            args.push(kept);
                        }
                    }
                }
                Ty::Local(of, args)
            }
            Ty::Ref(inner) => Ty::Ref(Box::new(self.keeping(*inner, codes, field))),
            Ty::Slice(inner) => Ty::Slice(Box::new(self.keeping(*inner, codes, field))),
            Ty::Future(inner, code) => Ty::Future(Box::new(self.keeping(*inner, codes, field)), code),
            Ty::Outside(path, args) => {
                Ty::Outside(path, args.into_iter().map(|arg| self.keeping(arg, codes, field)).collect())
            }
            Ty::Tuple(args) => Ty::Tuple(args.into_iter().map(|arg| self.keeping(arg, codes, field)).collect()),
            other => other,
        }
    }

    /// A value made of these fields, of a type whose arguments are not written: a closure among them is one.
    pub fn holding(&mut self, ty: Ty, with: &[(Name, Ty)]) -> Ty {
        let Ty::Local(of, args) = &ty else { return ty };
        let params = &self.item(*of).generics.params;
        if params.len() <= args.len() || !with.iter().any(|(_, ty)| ty.has_code()) {
            return ty;
        }
        let known = |name: &Name| with.iter().find(|(known, _)| known == name).map(|(_, ty)| ty.clone());
        let bound: Option<Vec<Ty>> = params.iter().map(|param| known(&param.name)).collect();
        match bound {
            Some(bound) => Ty::Local(*of, bound),
            None => ty,
        }
    }

    /// Whether a value of a type may keep code.
    pub fn keeps_code(&mut self, item: ItemId) -> bool {
        self.fields_keep(item, DEPTH)
    }

    fn fields_keep(&mut self, item: ItemId, left: usize) -> bool {
        if let Some(known) = self.keepers.get(&(item, left)).and_then(|kept| self.world.recall(kept)) {
            return known;
        }
        let before = self.world.begin();
        let keep = self.field_types(item).iter().any(|ty| self.holds_code(ty, left));
        let kept = self.world.keep(before, keep);
        self.keepers.insert((item, left), kept);
        keep
    }

    /// Whether a field of this type may hold code.
    pub fn holds_code(&mut self, ty: &Ty, left: usize) -> bool {
        match ty {
            Ty::Fn(..) | Ty::Code(..) | Ty::Future(..) => true,
            Ty::Bound(bounds) => bounds.callable().is_some() || bounds.local.is_empty() && bounds.outside.is_empty(),
            Ty::Ref(inner) | Ty::Slice(inner) => self.holds_code(inner, left),
            Ty::Outside(_, args) | Ty::Tuple(args) => args.iter().any(|arg| self.holds_code(arg, left)),
            Ty::Local(item, _) => left > 0 && self.fields_keep(*item, left - 1),
            Ty::Unknown => false,
        }
    }

    /// What a constant or static of this type holds: the code in it stands there.
    pub fn from_table(&mut self, ty: Ty, table: ItemId) -> Ty {
        let made = |ret: Ty| Ty::Code(Code::MadeBy(table), Box::new(ret));
        match ty {
            Ty::Fn(_, ret) => made(*ret),
            Ty::Bound(bounds) => match bounds.callable() {
                Some((_, ret)) => made(ret),
                None => Ty::Bound(bounds),
            },
            Ty::Ref(inner) => Ty::Ref(Box::new(self.from_table(*inner, table))),
            Ty::Slice(inner) => Ty::Slice(Box::new(self.from_table(*inner, table))),
            Ty::Outside(path, args) => {
                Ty::Outside(path, args.into_iter().map(|arg| self.from_table(arg, table)).collect())
            }
            Ty::Tuple(args) => Ty::Tuple(args.into_iter().map(|arg| self.from_table(arg, table)).collect()),
            local @ Ty::Local(..) => self.keeping(local, &[Code::MadeBy(table)], None),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_different_types_keep_apart() {
        let option = |inner| Ty::std("std::option::Option", vec![inner]);
        assert_eq!(option(Ty::unit()).joined(&option(Ty::EXTERNAL)), option(Ty::unit()));
        assert_eq!(Ty::Unknown.joined(&Ty::unit()), Ty::Unknown);
    }

    #[test]
    fn a_function_pointer_is_no_code_of_its_own() {
        let pointer = Ty::Fn(Vec::new(), Box::new(Ty::unit()));
        assert!(!Ty::Tuple(vec![pointer]).has_code());
        assert!(!Ty::Unknown.has_kept());
    }
}
