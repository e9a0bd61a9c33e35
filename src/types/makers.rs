//! What well-known functions of other crates make: containers, empty or of what they are given.
//!
//! As in `outside`, types are known by their last name. What an empty container will hold does not
//! show where it is made: that part stays open, until something is put in.

use super::{
    Ty, element,
    outside::{Kind, kind},
    wrap,
};
use crate::resolve::Outside;

/// What a constructor of a well-known container makes of what it is given.
pub fn made_by(owner: Option<&str>, name: &str, given: Option<&Ty>) -> Option<Ty> {
    let named = |name: &str| Outside::std(&format!("std::{name}"));
    if matches!(name, "channel" | "sync_channel" | "unbounded_channel" | "bounded" | "unbounded") {
        // Only `watch` is given what it carries.
        let carried = given.filter(|_| owner == Some("watch")).cloned().unwrap_or(Ty::Unknown);
        let end = |name: &str| wrap(&named(name), vec![carried.clone()]);
        return Some(Ty::Tuple(vec![end("Sender"), end("Receiver")]));
    }
    let Some(inner) = given else { return owner.and_then(|owner| empty(owner, name)) };
    let inner = inner.clone();
    Some(match (owner, name, &inner) {
        (_, "Some", _) => Ty::std("std::option::Option", vec![inner]),
        (_, "Ok" | "Ready", _) => Ty::std("std::result::Result", vec![inner, Ty::Unknown]),
        (_, "Err", _) => Ty::std("std::result::Result", vec![Ty::Unknown, inner]),
        (
            Some(
                name @ ("Box" | "Arc" | "Rc" | "Pin" | "Mutex" | "RwLock" | "RefCell" | "Cell" | "Cow" | "ManuallyDrop"
                | "ArcSwap" | "Reverse" | "AssertUnwindSafe"),
            ),
            "new" | "pin" | "from" | "from_pointee",
            _,
        ) => wrap(&named(name), vec![inner]),
        (Some(name @ ("LazyLock" | "LazyCell" | "Lazy")), "new", Ty::Code(_, made)) => {
            wrap(&named(name), vec![(**made).clone()])
        }
        (Some(owner), "with_capacity", _) => return empty(owner, name),
        _ => return None,
    })
}

fn empty(owner: &str, name: &str) -> Option<Ty> {
    if !matches!(name, "new" | "with_capacity" | "default") {
        return None;
    }
    let path = Outside::std(&format!("std::{owner}"));
    match kind(&path) {
        Kind::Many => Some(wrap(&path, vec![Ty::Unknown])),
        Kind::Map => Some(wrap(&path, vec![Ty::Unknown, Ty::Unknown])),
        Kind::Lock if owner.starts_with("Once") => Some(wrap(&path, vec![Ty::Unknown])),
        _ => None,
    }
}

/// What a container is known to hold once a method has put something in.
pub fn put_in(container: &Ty, method: &str, given: &[Ty]) -> Ty {
    let Ty::Outside(Some(path), held) = container.peel() else { return container.clone() };
    let Some(what) = what_is_put(path, method, given) else { return container.clone() };
    if container.has_hole() {
        return container.filled(&Ty::Outside(Some(std::rc::Rc::clone(path)), what));
    }
    // A closure says more than the `Box<dyn Fn>` that the container was declared for.
    if what.len() != held.len() {
        return container.clone();
    }
    let held = held.iter().zip(what).map(|(held, put)| match (held.has_code(), put.has_code()) {
        (_, false) => held.clone(),
        (false, true) => put,
        (true, true) => Ty::Tuple(vec![held.clone(), put]),
    });
    Ty::Outside(Some(std::rc::Rc::clone(path)), held.collect())
}

/// What a method puts into a container, for each of its arguments.
fn what_is_put(path: &Outside, method: &str, given: &[Ty]) -> Option<Vec<Ty>> {
    Some(match (kind(path), method, given) {
        (Kind::Many, "push" | "push_back" | "push_front" | "insert", [.., last]) => vec![last.clone()],
        (Kind::Map, "insert" | "put", [key, value, ..]) => vec![key.clone(), value.clone()],
        (Kind::Many, "extend" | "append", [more, ..]) => vec![element(more)],
        (Kind::Map, "extend", [more, ..]) => match element(more) {
            Ty::Tuple(pair) => pair,
            _ => return None,
        },
        (Kind::Lock, "set", [value, ..]) => vec![value.clone()],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{made_by, put_in};
    use crate::types::Ty;

    #[test]
    fn constructors_wrap_what_they_are_given() {
        let option = made_by(Some("Option"), "Some", Some(&Ty::Unknown));
        assert_eq!(option, Some(Ty::std("std::option::Option", vec![Ty::Unknown])));
        assert_eq!(made_by(Some("str"), "trim", Some(&Ty::EXTERNAL)), None);
    }

    #[test]
    fn an_empty_container_is_open_until_something_is_put_in() {
        let empty = made_by(Some("Vec"), "new", None).expect("a list");
        assert!(empty.has_hole());
        assert_eq!(put_in(&empty, "len", &[]), empty);
        assert_eq!(put_in(&empty, "push", &[Ty::EXTERNAL]), Ty::std("std::Vec", vec![Ty::EXTERNAL]));
        let map = made_by(Some("BTreeMap"), "new", None).expect("a map");
        let filled = put_in(&map, "insert", &[Ty::EXTERNAL, Ty::unit()]);
        assert_eq!(filled, Ty::std("std::BTreeMap", vec![Ty::EXTERNAL, Ty::unit()]));
    }
}
