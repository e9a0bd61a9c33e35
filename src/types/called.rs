//! What methods of well-known types call of the types that they hold: a map hashes its keys, `sort`
//! compares, `unwrap` prints the error.
//!
//! As in `outside`, types are known by their last name. To add a method, add it to the arm of its kind.

use super::{
    Ty,
    outside::{Kind, kind, open_result},
};

/// A method of a trait of the standard library that runs unseen.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// The trait.
    pub of: &'static str,
    /// Its method.
    pub method: &'static str,
    /// On what it is called.
    pub on: Ty,
}

const HASHED: &[(&str, &str)] = &[("Hash", "hash"), ("PartialEq", "eq")];
const ORDERED: &[(&str, &str)] = &[("Ord", "cmp")];
const EQUAL: &[(&str, &str)] = &[("PartialEq", "eq")];
const PARTLY: &[(&str, &str)] = &[("PartialOrd", "partial_cmp")];
const CLONED: &[(&str, &str)] = &[("Clone", "clone")];
const PRINTED: &[(&str, &str)] = &[("Debug", "fmt")];

/// What a method of this receiver calls of what the receiver holds, or of the receiver itself.
pub fn called(receiver: &Ty, method: &str) -> Vec<Called> {
    let (of, on) = match receiver.peel() {
        local @ Ty::Local(..) => (itself(method), vec![local.clone()]),
        Ty::Slice(inner) => (in_list(method), vec![(**inner).clone()]),
        Ty::Outside(Some(path), args) => match kind(path) {
            Kind::Map if method == "clone" => (CLONED, args.clone()),
            Kind::Map => (keyed(path.last(), method), args.iter().take(1).cloned().collect()),
            Kind::Many if path.last().contains("Set") || path.last() == "BinaryHeap" => {
                (keyed(path.last(), method), args.clone())
            }
            Kind::Many => (in_list(method), args.clone()),
            Kind::Iterator => (in_list(method), args.clone()),
            Kind::Maybe => match method {
                "clone" | "cloned" => (CLONED, args.clone()),
                "unwrap" | "expect" if args.len() > 1 => (PRINTED, vec![open_result(receiver, true)]),
                "unwrap_err" | "expect_err" => (PRINTED, vec![open_result(receiver, false)]),
                _ => return Vec::new(),
            },
            Kind::Pointer if matches!((path.last(), method), ("Box", "clone") | ("Cow", "into_owned" | "to_mut")) => {
                (CLONED, args.clone())
            }
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let each = |on: Ty| of.iter().map(move |&(of, method)| Called { of, method, on: on.clone() });
    on.into_iter().flat_map(each).collect()
}

/// Methods that std traits provide on top of those that a type implements or derives.
fn itself(method: &str) -> &'static [(&'static str, &'static str)] {
    match method {
        "cmp" | "max" | "min" | "clamp" => ORDERED,
        "partial_cmp" | "lt" | "le" | "gt" | "ge" => PARTLY,
        "eq" | "ne" => EQUAL,
        "hash" => &HASHED[..1],
        "clone_from" => CLONED,
        _ => &[],
    }
}

fn keyed(path: &str, method: &str) -> &'static [(&'static str, &'static str)] {
    let looks_up = matches!(
        method,
        "get"
            | "get_mut"
            | "get_key_value"
            | "get_or_insert_with"
            | "insert"
            | "replace"
            | "remove"
            | "remove_entry"
            | "take"
            | "entry"
            | "contains"
            | "contains_key"
            | "extend"
            | "put"
            | "push"
            | "pop"
            | "append"
            | "range"
            | "range_mut"
            | "split_off"
            | "is_subset"
            | "is_superset"
            | "is_disjoint"
            | "union"
            | "difference"
            | "intersection"
    );
    match (looks_up, path.starts_with("BTree") || path == "BinaryHeap") {
        (true, true) => ORDERED,
        (true, false) => HASHED,
        (false, _) if method == "clone" => CLONED,
        _ => &[],
    }
}

fn in_list(method: &str) -> &'static [(&'static str, &'static str)] {
    match method {
        "sort" | "sort_unstable" | "binary_search" | "max" | "min" | "sorted" | "cmp" => ORDERED,
        "is_sorted" | "partial_cmp" | "lt" | "le" | "gt" | "ge" => PARTLY,
        "contains" | "dedup" | "starts_with" | "ends_with" | "strip_prefix" | "strip_suffix" | "eq" | "ne" => EQUAL,
        "unique" => HASHED,
        "clone" | "cloned" | "to_vec" | "to_owned" | "extend_from_slice" | "resize" | "cycle" | "fill" => CLONED,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(receiver: &Ty, method: &str) -> Vec<(&'static str, Ty)> {
        called(receiver, method).into_iter().map(|one| (one.of, one.on)).collect()
    }

    #[test]
    fn maps_hash_or_compare_their_keys_and_leave_values_alone() {
        let (key, value) = (Ty::unit(), Ty::EXTERNAL);
        let hashed = Ty::std("std::collections::HashMap", vec![key.clone(), value.clone()]);
        assert_eq!(asked(&hashed, "get"), [("Hash", key.clone()), ("PartialEq", key.clone())]);
        let ordered = Ty::std("std::collections::BTreeMap", vec![key.clone(), value]);
        assert_eq!(asked(&ordered, "get"), [("Ord", key)]);
        assert_eq!(asked(&ordered, "values"), []);
    }

    #[test]
    fn only_a_result_prints_its_error_when_it_is_unwrapped() {
        let result = Ty::std("std::result::Result", vec![Ty::EXTERNAL, Ty::unit()]);
        assert_eq!(asked(&result, "unwrap"), [("Debug", Ty::unit())]);
        assert_eq!(asked(&result, "unwrap_or_default"), []);
        let option = Ty::std("std::option::Option", vec![Ty::unit()]);
        assert_eq!(asked(&option, "unwrap"), []);
        assert_eq!(asked(&option, "cloned"), [("Clone", Ty::unit())]);
    }

    #[test]
    fn a_shared_pointer_is_cloned_without_what_it_points_to() {
        assert_eq!(asked(&Ty::std("std::sync::Arc", vec![Ty::unit()]), "clone"), []);
        assert_eq!(asked(&Ty::std("std::boxed::Box", vec![Ty::unit()]), "clone"), [("Clone", Ty::unit())]);
    }
}
