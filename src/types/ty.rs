//! Types as far as they show.

use std::rc::Rc;

use crate::{
    base::Span,
    resolve::{ItemId, ModuleId, Outside},
    source::Name,
};

/// A type as far as the source shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// Does not show: methods go by name.
    Unknown,
    /// Of a crate that is not read, or primitive; with its path where that shows, and its arguments.
    Outside(Option<Rc<Outside>>, Vec<Ty>),
    /// A local struct, enum or union, with its arguments; behind them, the code that the value keeps.
    Local(ItemId, Vec<Ty>),
    /// A generic parameter, `impl Trait` or `dyn Trait`.
    Bound(Rc<Bounds>),
    /// A reference or raw pointer.
    Ref(Box<Ty>),
    /// A tuple.
    Tuple(Vec<Ty>),
    /// A slice or array.
    Slice(Box<Ty>),
    /// A function pointer: parameters, result.
    Fn(Vec<Ty>, Box<Ty>),
    /// A piece of code: a closure, a function's name, an async block; and what running it gives.
    Code(Code, Box<Ty>),
    /// What awaiting gives, and the code that runs, where it is known.
    Future(Box<Ty>, Option<Code>),
}

/// A piece of code that can be handed on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A closure or async block, in the body of an item that stands in a module.
    Piece {
        /// The item whose body holds it.
        within: ItemId,
        /// All of it.
        span: Span,
    },
    /// A function by its name.
    Function(ItemId),
    /// What a local function returned as `impl Fn`, `Box<dyn Fn>` or a future: the closures in its body.
    MadeBy(ItemId),
    /// Code that a value keeps in a field, of a variant or not; in any of its fields where that does not
    /// show. It runs only where the field is touched.
    Kept {
        /// The value's type.
        of: ItemId,
        /// The variant and the field's number.
        field: Option<(Option<u32>, u32)>,
        /// The code.
        code: Box<Code>,
    },
}

/// A bound on a trait of another crate: the trait, its arguments, and its `Item = T` bindings.
pub type OutsideBound = (Rc<Outside>, Vec<Ty>, Vec<(Name, Ty)>);

/// What is known of a parameter or trait object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The generic parameter's name.
    pub name: Option<Name>,
    /// Local traits.
    pub local: Vec<(ItemId, Vec<Ty>)>,
    /// Traits of other crates, with arguments and `Item = T` bindings.
    pub outside: Vec<OutsideBound>,
    /// What a `where` clause says of associated types: `S::Conn: Ping`.
    pub assoc: Vec<(Name, Rc<Bounds>)>,
    /// Where it was written, to look up traits in scope.
    pub module: Option<ModuleId>,
}

impl Ty {
    /// A type from outside of which nothing more is known.
    pub const EXTERNAL: Self = Self::Outside(None, Vec::new());

    /// A type of the standard library.
    pub fn std(path: &str, args: Vec<Self>) -> Self {
        Self::Outside(Some(Rc::new(Outside::std(path))), args)
    }

    /// `()`.
    pub fn unit() -> Self {
        Self::Tuple(Vec::new())
    }

    /// References taken off.
    pub fn peel(&self) -> &Self {
        let mut at = self;
        while let Self::Ref(inner) = at {
            at = inner;
        }
        at
    }

    /// Whether a local type, a parameter, code, or something unknown is anywhere in it: then what is
    /// got out of it may be local.
    pub fn may_hold_local(&self) -> bool {
        match self {
            Self::Unknown | Self::Local(..) | Self::Code(..) => true,
            Self::Bound(bounds) => !bounds.local.is_empty() || bounds.name.is_some(),
            Self::Ref(inner) | Self::Slice(inner) | Self::Future(inner, None) => inner.may_hold_local(),
            Self::Future(_, Some(_)) => true,
            Self::Fn(_, ret) => ret.may_hold_local(),
            Self::Outside(_, args) | Self::Tuple(args) => args.iter().any(Self::may_hold_local),
        }
    }

    /// Every piece of code in it, through containers.
    pub fn codes(&self, out: &mut Vec<Code>) {
        match self {
            Self::Code(code, ret) => {
                out.push(code.clone());
                if let Self::Code(..) = **ret {
                    ret.codes(out);
                }
            }
            Self::Future(_, Some(code)) => out.push(code.clone()),
            Self::Future(inner, None) | Self::Ref(inner) | Self::Slice(inner) => inner.codes(out),
            Self::Outside(_, args) | Self::Tuple(args) => args.iter().for_each(|arg| arg.codes(out)),
            Self::Local(_, args) => args.iter().for_each(|arg| arg.codes(out)),
            _ => {}
        }
    }

    /// Every local type in it, through containers, its own first.
    pub fn locals(&self, out: &mut Vec<ItemId>) {
        match self {
            Self::Local(item, args) => {
                out.push(*item);
                args.iter().for_each(|arg| arg.locals(out));
            }
            Self::Ref(inner) | Self::Slice(inner) | Self::Future(inner, _) => inner.locals(out),
            Self::Outside(_, args) | Self::Tuple(args) => args.iter().for_each(|arg| arg.locals(out)),
            _ => {}
        }
    }

    /// Generic parameters replaced by what they stand for.
    pub fn replace(&self, with: &[(Name, Self)]) -> Self {
        if with.is_empty() {
            return self.clone();
        }
        let all = |args: &[Self]| args.iter().map(|arg| arg.replace(with)).collect();
        match self {
            Self::Bound(bounds) => {
                let known = bounds.name.as_ref().and_then(|name| with.iter().find(|(n, _)| n == name));
                known.map_or_else(|| Self::Bound(Rc::new(bounds.replace(with))), |(_, ty)| ty.clone())
            }
            Self::Outside(path, args) => Self::Outside(path.clone(), all(args)),
            Self::Local(item, args) => Self::Local(*item, all(args)),
            Self::Ref(inner) => Self::Ref(Box::new(inner.replace(with))),
            Self::Slice(inner) => Self::Slice(Box::new(inner.replace(with))),
            Self::Future(inner, code) => Self::Future(Box::new(inner.replace(with)), code.clone()),
            Self::Tuple(args) => Self::Tuple(all(args)),
            Self::Fn(params, ret) => Self::Fn(all(params), Box::new(ret.replace(with))),
            Self::Code(code, ret) => Self::Code(code.clone(), Box::new(ret.replace(with))),
            Self::Unknown => Self::Unknown,
        }
    }

    /// What generic parameters of a declared type must be for an actual type to fit it.
    pub fn bind(&self, actual: &Self, into: &mut Vec<(Name, Self)>) {
        match (self, actual) {
            (_, Self::Unknown) => {}
            (Self::Bound(bounds), actual) => {
                if let Some(name) = &bounds.name
                    && !into.iter().any(|(known, _)| known == name)
                {
                    into.push((name.clone(), actual.clone()));
                }
                // `F: Fn() -> T` given a closure tells T.
                for (path, _, bindings) in &bounds.outside {
                    if let ("Fn" | "FnMut" | "FnOnce", Self::Code(_, ret)) = (path.last(), actual)
                        && let Some((_, output)) = bindings.iter().find(|(name, _)| &**name == "Output")
                    {
                        output.bind(ret, into);
                    }
                    if let ("Future", Self::Future(ret, _)) = (path.last(), actual)
                        && let Some((_, output)) = bindings.iter().find(|(name, _)| &**name == "Output")
                    {
                        output.bind(ret, into);
                    }
                }
            }
            (Self::Ref(a), b) => a.bind(b.peel(), into),
            (a, Self::Ref(b)) => a.bind(b, into),
            (Self::Outside(a, xs), Self::Outside(b, ys))
                if a.as_ref().map(|p| p.last()) == b.as_ref().map(|p| p.last()) =>
            {
                xs.iter().zip(ys).for_each(|(x, y)| x.bind(y, into));
            }
            (Self::Local(a, xs), Self::Local(b, ys)) if a == b => xs.iter().zip(ys).for_each(|(x, y)| x.bind(y, into)),
            (Self::Tuple(xs), Self::Tuple(ys)) => xs.iter().zip(ys).for_each(|(x, y)| x.bind(y, into)),
            (Self::Slice(a), Self::Slice(b)) => a.bind(b, into),
            (Self::Slice(a), Self::Outside(_, args)) if args.len() == 1 => a.bind(&args[0], into),
            (Self::Fn(_, a), Self::Code(_, b)) => a.bind(b, into),
            (Self::Future(a, _), Self::Future(b, _)) => a.bind(b, into),
            _ => {}
        }
    }
}

impl Bounds {
    /// Generic parameters among its arguments replaced by what they stand for.
    pub(super) fn replace(&self, with: &[(Name, Ty)]) -> Self {
        let all = |args: &[Ty]| args.iter().map(|arg| arg.replace(with)).collect();
        let local = self.local.iter().map(|(of, args)| (*of, all(args))).collect();
        let outside = self.outside.iter().map(|(of, args, bindings)| {
            let bindings = bindings.iter().map(|(name, ty)| (name.clone(), ty.replace(with))).collect();
            (Rc::clone(of), all(args), bindings)
        });
        let assoc = self.assoc.clone();
        Self { name: self.name.clone(), local, outside: outside.collect(), assoc, module: self.module }
    }

    /// These bounds and more.
    pub(super) fn and(mut self, more: &Self) -> Self {
        self.local.extend(more.local.iter().cloned());
        self.outside.extend(more.outside.iter().cloned());
        self.assoc.extend(more.assoc.iter().cloned());
        self
    }

    /// The parameters and the result of an `Fn` bound.
    pub fn callable(&self) -> Option<(&[Ty], Ty)> {
        let (_, args, bindings) = self.outside.iter().find(|(path, ..)| {
            matches!(path.last(), "Fn" | "FnMut" | "FnOnce" | "AsyncFn" | "AsyncFnMut" | "AsyncFnOnce")
        })?;
        let output = bindings.iter().find(|(name, _)| &**name == "Output").map_or_else(Ty::unit, |(_, ty)| ty.clone());
        Some((args, output))
    }

    /// `Item = T` of a bound on the trait of this name.
    pub fn binding(&self, of: &str, name: &str) -> Option<&Ty> {
        let (.., bindings) = self.outside.iter().find(|(path, ..)| path.last() == of)?;
        bindings.iter().find(|(bound, _)| &**bound == name).map(|(_, ty)| ty)
    }
}
