//! What well-known types of other crates hand out: containers, locks, iterators, adaptors.
//!
//! Types are known by their last name, whatever the crate (`Mutex` of std, tokio or parking_lot,
//! `Stream` and `Iterator`): what matters is only which local type comes out, and for that they agree.

use std::rc::Rc;

use super::Ty;
use crate::resolve::Outside;

/// What a method does with what it is called on.
#[derive(Clone, Debug, PartialEq)]
pub struct Adapted {
    /// What a closure argument is called with.
    pub params: Vec<Ty>,
    /// How the result comes about.
    pub gives: Gives,
}

/// How the result of an adaptor comes about.
#[derive(Clone, Debug, PartialEq)]
pub enum Gives {
    /// This type.
    Type(Ty),
    /// What the closure returns.
    Closure,
    /// A container of what the closure returns.
    Wrapped(Family),
    /// A `Result` of what the closure returns, with this error.
    Mapped(Ty),
    /// A container of what is in what the closure returns.
    Flattened(Family),
    /// Something from outside, which may carry what the closure returns.
    Carried(Ty),
}

/// The kinds of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `Option`, `Result`, `Poll`.
    Maybe,
    /// Iterators and streams.
    Iterator,
}

impl Family {
    fn of(self, inner: Ty) -> Ty {
        match self {
            Self::Maybe => Ty::std("std::option::Option", vec![inner]),
            Self::Iterator => iterator(inner),
        }
    }
}

impl Adapted {
    /// The result, given what the closure returns, where there is one.
    pub fn result(&self, closure: Option<&Ty>) -> Ty {
        if let Gives::Carried(of) = &self.gives {
            return match closure.filter(|made| made.may_hold_local()) {
                Some(made) if *of == Ty::EXTERNAL => Ty::Outside(None, vec![made.clone()]),
                _ => of.clone(),
            };
        }
        let closure = closure.unwrap_or(&Ty::Unknown);
        match &self.gives {
            Gives::Type(ty) | Gives::Carried(ty) => ty.clone(),
            Gives::Closure => closure.clone(),
            Gives::Wrapped(family) => family.of(closure.clone()),
            Gives::Mapped(error) => Ty::std("std::result::Result", vec![closure.clone(), error.clone()]),
            Gives::Flattened(family) => family.of(element(closure)),
        }
    }
}

fn iterator(inner: Ty) -> Ty {
    Ty::std("std::iter::Iterator", vec![inner])
}

fn maybe(inner: Ty) -> Ty {
    Ty::std("std::option::Option", vec![inner])
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Maybe,
    Many,
    Map,
    Iterator,
    Lock,
    Locked,
    Pointer,
    Join,
    Other,
}

pub(super) fn kind(path: &Outside) -> Kind {
    match path.last() {
        "Option" | "Result" | "Poll" => Kind::Maybe,
        "Vec" | "VecDeque" | "HashSet" | "BTreeSet" | "LinkedList" | "BinaryHeap" | "SmallVec" | "ArrayVec"
        | "IndexSet" => Kind::Many,
        "HashMap" | "BTreeMap" | "IndexMap" | "DashMap" | "FxHashMap" | "AHashMap" | "LruCache" => Kind::Map,
        "Iterator"
        | "IntoIterator"
        | "DoubleEndedIterator"
        | "ExactSizeIterator"
        | "Stream"
        | "FuturesUnordered"
        | "FuturesOrdered"
        | "Receiver"
        | "UnboundedReceiver"
        | "ReceiverStream"
        | "BoxStream"
        | "JoinSet"
        | "Drain"
        | "Iter" => Kind::Iterator,
        "Mutex" | "RwLock" | "RefCell" | "Cell" | "OnceCell" | "OnceLock" | "ArcSwap" | "ArcSwapOption"
        | "ReentrantMutex" | "FairMutex" => Kind::Lock,
        "Locked" => Kind::Locked,
        "Box" | "Arc" | "Rc" | "Pin" | "Cow" | "ManuallyDrop" | "Ref" | "RefMut" | "MutexGuard" | "RwLockReadGuard"
        | "RwLockWriteGuard" | "OwnedMutexGuard" | "Guard" | "LazyLock" | "LazyCell" | "Lazy" | "CachePadded"
        | "AssertUnwindSafe" | "Reverse" | "Wrapping" => Kind::Pointer,
        "JoinHandle" | "AbortOnDropHandle" => Kind::Join,
        _ => Kind::Other,
    }
}

/// What a smart pointer or guard dereferences to.
pub(crate) fn pointee(ty: &Ty) -> Option<&Ty> {
    match ty {
        Ty::Outside(Some(path), args) if matches!(kind(path), Kind::Pointer | Kind::Locked) => args.first(),
        _ => None,
    }
}

fn holds_lock(inner: &Ty) -> bool {
    matches!(inner, Ty::Outside(Some(path), _) if kind(path) == Kind::Lock)
}

/// What iterating, indexing or opening a container gives.
pub fn element(ty: &Ty) -> Ty {
    match ty.peel() {
        Ty::Slice(inner) => (**inner).clone(),
        Ty::Outside(Some(path), args) => match (kind(path), args.as_slice()) {
            (Kind::Map, [key, value, ..]) => Ty::Tuple(vec![key.clone(), value.clone()]),
            (Kind::Pointer, [inner, ..]) => element(inner),
            (Kind::Maybe | Kind::Many | Kind::Iterator | Kind::Join, [inner, ..]) => inner.clone(),
            _ => opaque(ty),
        },
        Ty::Bound(bounds) => {
            let item = ["Iterator", "IntoIterator", "Stream", "DoubleEndedIterator", "ExactSizeIterator"];
            item.iter().find_map(|of| bounds.binding(of, "Item")).cloned().unwrap_or_else(|| opaque(ty))
        }
        other => opaque(other),
    }
}

/// What comes out of something by a way that is not known: outside things stay outside.
fn opaque(ty: &Ty) -> Ty {
    if ty.may_hold_local() { Ty::Unknown } else { Ty::EXTERNAL }
}

/// What `?`, `unwrap` or a pattern `Some(x)`, `Ok(x)` gives; with `err`, what `Err(e)` gives.
pub fn open_result(ty: &Ty, err: bool) -> Ty {
    match ty.peel() {
        Ty::Outside(Some(path), args) => match (kind(path), args.as_slice()) {
            (Kind::Maybe, [ok, ..]) if !err => ok.clone(),
            (Kind::Maybe, [_, error, ..]) if err => error.clone(),
            (Kind::Maybe, _) if err => Ty::EXTERNAL,
            (Kind::Locked, [inner, ..]) if !err => Ty::std("std::Guard", vec![inner.clone()]),
            (Kind::Pointer, [inner, ..]) => open_result(inner, err),
            _ => opaque(ty),
        },
        other => opaque(other),
    }
}

/// What a method of an outside type does; none where the method is not known and the type is a
/// pointer, so that the one it points to must be asked.
pub fn adapt(receiver: &Ty, method: &str) -> Option<Adapted> {
    let plain = |ty: Ty| Some(Adapted { params: Vec::new(), gives: Gives::Type(ty) });
    match receiver {
        Ty::Slice(inner) => many((**inner).clone(), receiver, method).or_else(|| plain(opaque(receiver))),
        Ty::Tuple(_) | Ty::Fn(..) => plain(opaque(receiver)),
        Ty::Outside(None, _) => Some(carried(receiver)),
        Ty::Outside(Some(path), args) => {
            let first = args.first().cloned().unwrap_or_else(|| opaque(receiver));
            match kind(path) {
                Kind::Maybe => maybe_method(first, args.get(1).cloned(), receiver, method),
                Kind::Many => many(first, receiver, method),
                Kind::Map => map(&first, args.get(1).unwrap_or(&Ty::EXTERNAL), receiver, method),
                Kind::Iterator => iterator_method(&first, receiver, method),
                Kind::Lock => lock(&first, receiver, method),
                Kind::Locked => match method {
                    "unwrap" | "expect" | "unwrap_or_else" | "unwrap_or_default" | "map_err" => {
                        plain(Ty::std("std::Guard", vec![first]))
                    }
                    "ok" => plain(maybe(Ty::std("std::Guard", vec![first]))),
                    _ => None,
                },
                Kind::Pointer => match method {
                    // A `RefCell` behind it has a `borrow` of its own.
                    "borrow" if !holds_lock(&first) && path.last() != "Guard" => plain(receiver.clone()),
                    "clone" | "as_ref" | "as_mut" if path.last() != "Guard" => plain(receiver.clone()),
                    "into_inner" | "into_owned" | "to_owned" | "get_mut" | "as_deref" => plain(first),
                    _ => None,
                },
                Kind::Join => plain(opaque(receiver)),
                Kind::Other => None,
            }
            .or_else(|| (!matches!(kind(path), Kind::Pointer | Kind::Locked)).then(|| carried(receiver)))
        }
        _ => None,
    }
}

/// A method that is not known: what comes out of the receiver, and what a closure is called with, is
/// from outside like the receiver, unless that holds something local.
fn carried(receiver: &Ty) -> Adapted {
    let of = match receiver {
        Ty::Outside(None, args) if args.len() == 1 => args[0].clone(),
        other => opaque(other),
    };
    Adapted {
        params: vec![of.clone(); 4],
        gives: Gives::Carried(if of == Ty::EXTERNAL { of } else { receiver.clone() }),
    }
}

fn maybe_method(inner: Ty, error: Option<Ty>, receiver: &Ty, method: &str) -> Option<Adapted> {
    let made = |params: Vec<Ty>, gives: Gives| Some(Adapted { params, gives });
    let has_error = error.is_some();
    let error = error.unwrap_or(Ty::EXTERNAL);
    match method {
        "clone" | "cloned" | "copied" | "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "take" | "or" | "xor"
        | "context" | "wrap_err" | "replace" | "ok" | "fuse" => made(Vec::new(), Gives::Type(receiver.clone())),
        "ok_or" | "ok_or_else" => made(Vec::new(), Gives::Type(maybe(inner))),
        "filter" | "inspect" | "take_if" => made(vec![inner], Gives::Type(receiver.clone())),
        "or_else" | "map_err" | "inspect_err" | "with_context" => made(vec![error], Gives::Type(receiver.clone())),
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "get_or_insert" | "insert" | "flatten"
        | "unwrap_unchecked" | "or_insert" | "insert_entry" => made(Vec::new(), Gives::Type(inner)),
        // A map's entry.
        "or_insert_with" | "or_insert_with_key" => made(Vec::new(), Gives::Type(inner)),
        "and_modify" => made(vec![inner], Gives::Type(receiver.clone())),
        "unwrap_or_else" | "get_or_insert_with" => made(vec![error], Gives::Type(inner)),
        "unwrap_err" | "expect_err" => made(Vec::new(), Gives::Type(error)),
        "err" => made(Vec::new(), Gives::Type(maybe(error))),
        "map" if has_error => made(vec![inner], Gives::Mapped(error)),
        "map" => made(vec![inner], Gives::Wrapped(Family::Maybe)),
        "and_then" | "map_or" | "map_or_else" | "is_some_and" | "is_ok_and" | "is_none_or" => {
            made(vec![inner], Gives::Closure)
        }
        "iter" | "iter_mut" | "into_iter" => made(Vec::new(), Gives::Type(iterator(inner))),
        _ => None,
    }
}

fn iterator_method(inner: &Ty, receiver: &Ty, method: &str) -> Option<Adapted> {
    let made = |params: Vec<Ty>, gives: Gives| Some(Adapted { params, gives });
    let item = || vec![inner.clone()];
    match method {
        "rev" | "skip" | "take" | "chain" | "peekable" | "step_by" | "cloned" | "copied" | "by_ref" | "fuse"
        | "cycle" | "iter" | "into_iter" | "iter_mut" | "boxed" | "sorted" | "unique" | "dedup" | "fused" => {
            made(Vec::new(), Gives::Type(iterator(inner.clone())))
        }
        "filter" | "skip_while" | "take_while" | "inspect" | "sorted_by_key" | "unique_by" => {
            made(item(), Gives::Type(iterator(inner.clone())))
        }
        "map" | "then" | "map_while" => made(item(), Gives::Wrapped(Family::Iterator)),
        "flat_map" | "filter_map" => made(item(), Gives::Flattened(Family::Iterator)),
        "flatten" => made(Vec::new(), Gives::Type(iterator(element(inner)))),
        "enumerate" => made(Vec::new(), Gives::Type(iterator(Ty::Tuple(vec![Ty::EXTERNAL, inner.clone()])))),
        "next" | "last" | "nth" | "peek" | "next_back" | "recv" | "try_recv" | "join_next" | "max" | "min"
        | "try_next" | "blocking_recv" => made(Vec::new(), Gives::Type(maybe(inner.clone()))),
        "find" | "max_by_key" | "min_by_key" | "max_by" | "min_by" | "reduce" | "rfind" => {
            made(item(), Gives::Type(maybe(inner.clone())))
        }
        "find_map" => made(item(), Gives::Closure),
        "any" | "all" | "position" | "for_each" | "try_for_each" | "for_each_concurrent" | "buffer_unordered" => {
            made(item(), Gives::Type(Ty::EXTERNAL))
        }
        "fold" | "try_fold" | "scan" => made(vec![Ty::Unknown, inner.clone()], Gives::Type(Ty::Unknown)),
        "collect" | "collect_vec" | "try_collect" => made(Vec::new(), Gives::Type(Ty::std("std::vec::Vec", item()))),
        "partition" => {
            let half = Ty::std("std::vec::Vec", item());
            made(item(), Gives::Type(Ty::Tuple(vec![half.clone(), half])))
        }
        "count" | "sum" | "product" | "size_hint" | "len" => made(Vec::new(), Gives::Type(Ty::EXTERNAL)),
        _ => Some(carried(receiver)),
    }
}

fn many(inner: Ty, receiver: &Ty, method: &str) -> Option<Adapted> {
    let made = |params: Vec<Ty>, gives: Gives| Some(Adapted { params, gives });
    match method {
        "iter" | "iter_mut" | "into_iter" | "drain" | "extract_if" | "union" | "difference" | "intersection" => {
            made(Vec::new(), Gives::Type(iterator(inner)))
        }
        "windows" | "chunks" | "chunks_exact" | "split" => {
            made(Vec::new(), Gives::Type(iterator(Ty::Slice(Box::new(inner)))))
        }
        "get" | "get_mut" | "first" | "first_mut" | "last" | "last_mut" | "pop" | "pop_front" | "pop_back"
        | "front" | "back" | "peek" | "take" => made(Vec::new(), Gives::Type(maybe(inner))),
        "remove" | "swap_remove" => made(Vec::new(), Gives::Type(inner)),
        "retain" | "sort_by_key" | "dedup_by_key" | "retain_mut" => made(vec![inner], Gives::Type(Ty::unit())),
        "sort_by" => made(vec![inner.clone(), inner], Gives::Type(Ty::unit())),
        "binary_search_by_key" | "partition_point" | "binary_search_by" => made(vec![inner], Gives::Type(Ty::EXTERNAL)),
        "clone" | "to_vec" | "into_boxed_slice" | "as_slice" | "as_mut_slice" | "to_owned" | "split_off" => {
            made(Vec::new(), Gives::Type(receiver.clone()))
        }
        "len" | "is_empty" | "contains" | "push" | "push_back" | "push_front" | "insert" | "extend" | "clear"
        | "truncate" | "sort" | "capacity" | "reserve" => made(Vec::new(), Gives::Type(Ty::EXTERNAL)),
        // Iterator adaptors can follow directly on what a parallel iterator gives.
        _ => iterator_method(&inner, receiver, method),
    }
}

fn map(key: &Ty, value: &Ty, receiver: &Ty, method: &str) -> Option<Adapted> {
    let made = |gives: Ty| Some(Adapted { params: Vec::new(), gives: Gives::Type(gives) });
    let pair = || Ty::Tuple(vec![key.clone(), value.clone()]);
    match method {
        "get" | "get_mut" | "remove" | "insert" | "put" | "pop" => made(maybe(value.clone())),
        "values" | "values_mut" | "into_values" => made(iterator(value.clone())),
        "keys" | "into_keys" => made(iterator(key.clone())),
        "iter" | "iter_mut" | "into_iter" | "drain" | "range" | "range_mut" => made(iterator(pair())),
        "first_key_value" | "last_key_value" | "pop_first" | "pop_last" | "get_key_value" | "remove_entry" => {
            made(maybe(pair()))
        }
        "entry" => made(Ty::std("std::Guard", vec![Ty::std("std::option::Option", vec![value.clone()])])),
        "retain" => Some(Adapted { params: vec![key.clone(), value.clone()], gives: Gives::Type(Ty::unit()) }),
        "len" | "is_empty" | "contains_key" | "clear" | "extend" => made(Ty::EXTERNAL),
        "clone" => made(receiver.clone()),
        _ => None,
    }
}

fn lock(inner: &Ty, receiver: &Ty, method: &str) -> Option<Adapted> {
    let made = |gives: Ty| Some(Adapted { params: Vec::new(), gives: Gives::Type(gives) });
    match method {
        "lock" | "read" | "write" | "try_lock" | "try_read" | "try_write" | "lock_owned" | "read_owned"
        | "write_owned" | "try_borrow" | "try_borrow_mut" => made(Ty::std("std::Locked", vec![inner.clone()])),
        "borrow" | "borrow_mut" | "load" | "load_full" | "blocking_lock" | "blocking_read" | "blocking_write"
        | "get_mut" | "replace" | "get_or_init" | "get_or_try_init" => {
            made(Ty::std("std::Locked", vec![inner.clone()]))
        }
        "get" | "take" => made(maybe(inner.clone())),
        "into_inner" => made(Ty::std("std::Locked", vec![inner.clone()])),
        "clone" => made(receiver.clone()),
        "set" | "store" => made(Ty::EXTERNAL),
        _ => None,
    }
}

/// A known container type, for wrapping what is built: `Some(x)`, `Ok(x)`, `Box::new(x)`.
pub(crate) fn wrap(path: &Outside, args: Vec<Ty>) -> Ty {
    Ty::Outside(Some(Rc::new(path.clone())), args)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local() -> Ty {
        Ty::Tuple(vec![Ty::Unknown])
    }

    #[test]
    fn adaptors_hand_on_what_they_hold() {
        let many = Ty::std("std::vec::Vec", vec![local()]);
        let iter = adapt(&many, "iter").map(|a| a.result(None));
        assert_eq!(iter.as_ref().map(element), Some(local()));
        let filter = iter.as_ref().and_then(|i| adapt(i, "filter"));
        assert_eq!(filter.map(|a| a.params), Some(vec![local()]));
    }

    #[test]
    fn a_map_iterates_over_pairs_and_gets_values() {
        let map = Ty::std("std::collections::BTreeMap", vec![Ty::EXTERNAL, local()]);
        assert_eq!(element(&map), Ty::Tuple(vec![Ty::EXTERNAL, local()]));
        let got = adapt(&map, "get").map(|a| a.result(None));
        assert_eq!(got.map(|ty| open_result(&ty, false)), Some(local()));
    }

    #[test]
    fn a_lock_opens_through_unwrap_or_await() {
        let lock = Ty::std("tokio::sync::Mutex", vec![local()]);
        let locked = adapt(&lock, "lock").map(|a| a.result(None)).unwrap_or(Ty::Unknown);
        let guard = open_result(&locked, false);
        assert_eq!(pointee(&guard), Some(&local()));
    }

    #[test]
    fn what_an_outside_crate_returns_is_outside_unless_it_holds_something_local() {
        let pool = Ty::std("deadpool::Pool", Vec::new());
        assert_eq!(adapt(&pool, "get").map(|a| a.result(None)), Some(Ty::EXTERNAL));
        let of_local = Ty::std("deadpool::Pool", vec![local()]);
        assert_eq!(adapt(&of_local, "get").map(|a| a.result(None).may_hold_local()), Some(true));
    }
}
