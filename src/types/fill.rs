//! `_` in a declared type, filled in from the value that it was given.

use std::rc::Rc;

use super::{Ty, element};
use crate::resolve::Outside;

impl Ty {
    /// Whether a part of the type is left open.
    pub fn has_hole(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Outside(_, args) | Self::Tuple(args) => args.iter().any(Self::has_hole),
            Self::Ref(inner) | Self::Slice(inner) => inner.has_hole(),
            _ => false,
        }
    }

    /// The type with its open parts taken from what the value shows: `Vec<_>` of what a `collect`
    /// gathers, `HashMap<_, _>` of its pairs, `Result<Vec<_>, _>` of its results.
    pub fn filled(&self, given: &Self) -> Self {
        if !self.has_hole() {
            return self.clone();
        }
        let each = |open: &[Self], known: &[Self]| open.iter().zip(known).map(|(a, b)| a.filled(b)).collect();
        match (self, given) {
            (Self::Unknown, given) => given.clone(),
            (Self::Outside(path, open), Self::Outside(None, known)) if known.is_empty() => {
                Self::Outside(path.clone(), open.iter().map(|open| open.filled(given)).collect())
            }
            (Self::Tuple(open), Self::Outside(None, known)) if known.is_empty() => {
                Self::Tuple(open.iter().map(|open| open.filled(given)).collect())
            }
            (Self::Ref(open), given) => Self::Ref(Box::new(open.filled(given.peel()))),
            (Self::Slice(open), given) => Self::Slice(Box::new(open.filled(&element(given)))),
            (Self::Tuple(open), Self::Tuple(known)) => Self::Tuple(each(open, known)),
            (Self::Outside(path, open), Self::Outside(other, known)) => {
                let same = path.as_ref().map(|path| path.last()) == other.as_ref().map(|path| path.last());
                let args = match known.as_slice() {
                    known if same && known.len() == open.len() => each(open, known),
                    [Self::Outside(inner, known)] if open.len() == known.len() && is_carrier(path, inner) => {
                        let gathered = Self::Outside(other.clone(), known[..1].to_vec());
                        let rest = each(&open[1..], &known[1..]);
                        [vec![open[0].filled(&gathered)], rest].concat()
                    }
                    [Self::Tuple(pair)] if pair.len() == open.len() => each(open, pair),
                    known if known.len() == open.len() => each(open, known),
                    _ => open.clone(),
                };
                Self::Outside(path.clone(), args)
            }
            (Self::Outside(path, open), Self::Slice(known)) if open.len() == 1 => {
                Self::Outside(path.clone(), vec![open[0].filled(known)])
            }
            _ => self.clone(),
        }
    }
}

/// Whether both are `Result`, or both `Option`: then the one gathers what the others carry.
fn is_carrier(a: &Option<Rc<Outside>>, b: &Option<Rc<Outside>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.last() == b.last() && matches!(a.last(), "Result" | "Option"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Ty;

    fn vec_of(inner: Ty) -> Ty {
        Ty::std("std::vec::Vec", vec![inner])
    }

    #[test]
    fn what_is_open_is_filled_and_the_rest_stays() {
        let text = || Ty::std("std::string::String", Vec::new());
        let set = |inner| Ty::std("std::collections::BTreeSet", vec![inner]);
        assert_eq!(set(Ty::Unknown).filled(&vec_of(text())), set(text()));
        assert_eq!(vec_of(text()).filled(&vec_of(Ty::EXTERNAL)), vec_of(text()));
        assert_eq!(Ty::Unknown.filled(&text()), text());
    }

    #[test]
    fn what_comes_from_outside_leaves_nothing_open() {
        assert_eq!(vec_of(Ty::Unknown).filled(&Ty::EXTERNAL), vec_of(Ty::EXTERNAL));
        assert_eq!(Ty::Tuple(vec![Ty::Unknown]).filled(&Ty::EXTERNAL), Ty::Tuple(vec![Ty::EXTERNAL]));
    }

    #[test]
    fn a_map_is_filled_from_pairs_and_a_result_from_results() {
        let map = |key, value| Ty::std("std::collections::HashMap", vec![key, value]);
        let pairs = vec_of(Ty::Tuple(vec![Ty::EXTERNAL, Ty::unit()]));
        assert_eq!(map(Ty::Unknown, Ty::Unknown).filled(&pairs), map(Ty::EXTERNAL, Ty::unit()));
        let result = |ok, error| Ty::std("std::result::Result", vec![ok, error]);
        let results = vec_of(result(Ty::EXTERNAL, Ty::unit()));
        assert_eq!(result(vec_of(Ty::Unknown), Ty::Unknown).filled(&results), result(vec_of(Ty::EXTERNAL), Ty::unit()));
    }
}
