//! The constants that the rules file names in place of durations, worked out from the source.
//!
//! What constants of a duration are made of out there is little: a call of `Duration::from_secs` and its
//! like, a number whose name tells its unit, sums and products, and other constants. That much is worked
//! out, exactly; of anything else it is said that it cannot be, and where.

use std::{collections::BTreeSet, time::Duration};

use super::{Anchor, Anchored};
use crate::{
    base::{Span, Spanned},
    config::{LONGEST_DURATION, Refusal},
    finding::Problem,
    resolve::{ImplFor, ItemId, Res, Space},
    source::{ExprIx, ExprKind, Facts, ItemKind, Name, Path, Stmt},
    types::Reader,
};

/// How many constants and expressions may stand one in the other.
const DEEPEST: usize = 256;
/// How many expressions are worked out for one constant: sums of sums of constants grow fast.
const MOST_STEPS: usize = 10_000;

/// What an expression comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    /// A whole number.
    Whole(i128),
    /// Another number.
    Broken(f64),
    /// A time in nanoseconds.
    Time(i128),
}

/// Where and why an expression cannot be worked out.
struct Stuck {
    at: Span,
    why: String,
}

impl Reader<'_> {
    /// The duration that a constant has whose path stands at `span` of the rules file.
    ///
    /// # Errors
    /// There is no such constant, or it cannot be worked out from the source; the place is that of the
    /// expression that stands in the way.
    pub fn duration_of(&mut self, path: &str, span: Span) -> Result<Duration, Problem> {
        let written = Spanned { value: path.to_owned(), span };
        let at = match self.anchor(path) {
            Anchored::At(at) => at,
            Anchored::Nowhere(known) => {
                let is_like_a_constant = |path: &&str| {
                    path.rsplit("::").next().is_some_and(|name| !name.contains(|c: char| c.is_lowercase()))
                };
                let known = known.iter().map(String::as_str).filter(is_like_a_constant).collect();
                return Err(Refusal::UnknownPath { written: path, known }.at(&written));
            }
            Anchored::Outside(krate) => return Err(Refusal::OutsidePath { written: path, krate: &krate }.at(&written)),
            Anchored::Broken(module) => return Err(self.broken_problem(module, span)),
        };
        let mut found = BTreeSet::new();
        for anchor in at {
            let Anchor::Item(item) = anchor else { return Err(no_constant(path, span)) };
            let mut fuel = MOST_STEPS;
            let worked_out = self.constant(item, DEEPEST, &mut fuel).and_then(|value| self.as_time(item, value));
            found.insert(worked_out.map_err(|stuck| Problem {
                message: format!("the constant `{path}` cannot be worked out: {}", stuck.why),
                place: Some(stuck.at),
                help: HELP.to_owned(),
            })?);
        }
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(duration), None) => Ok(duration),
            (Some(_), Some(_)) => Err(Problem {
                message: format!("`{path}` has several values, one for each configuration of the build"),
                place: Some(span),
                help: "write the duration out".to_owned(),
            }),
            (None, _) => Err(no_constant(path, span)),
        }
    }

    fn as_time(&mut self, item: ItemId, value: Value) -> Result<Duration, Stuck> {
        let at = self.item(item).name_span;
        let name = self.item(item).name.clone();
        let nanos = match value {
            Value::Time(nanos) => Some(nanos),
            Value::Whole(number) => match unit_of_name(&name) {
                Some(unit) => number.checked_mul(unit),
                None => {
                    let why =
                        format!("`{name}` is a number, and its name does not say of what (as `{name}_SECS` does)");
                    return Err(Stuck { at, why });
                }
            },
            Value::Broken(_) => None,
        };
        let duration = nanos.and_then(|nanos| u64::try_from(nanos).ok()).map(Duration::from_nanos);
        duration
            .filter(|duration| *duration <= LONGEST_DURATION)
            .ok_or_else(|| Stuck { at, why: format!("`{name}` is no duration between nothing and a year") })
    }

    /// The value of a constant or static.
    fn constant(&mut self, item: ItemId, depth: usize, fuel: &mut usize) -> Result<Value, Stuck> {
        let facts = self.facts_of(item);
        let about = &facts[self.item_ix(item)];
        let stuck = |why: &str| Stuck { at: about.name_span, why: why.to_owned() };
        match &about.kind {
            ItemKind::Const { value: Some(value), .. } | ItemKind::Static { value: Some(value), .. } if depth > 0 => {
                self.value(item, &facts, *value, depth - 1, fuel)
            }
            ItemKind::Const { .. } | ItemKind::Static { .. } if depth == 0 => {
                Err(stuck("the constants behind it are too many, or lead back to it"))
            }
            ItemKind::Const { .. } | ItemKind::Static { .. } => Err(stuck("it has no value here")),
            _ => Err(stuck("it is no constant")),
        }
    }

    fn value(
        &mut self,
        item: ItemId,
        facts: &Facts,
        at: ExprIx,
        depth: usize,
        fuel: &mut usize,
    ) -> Result<Value, Stuck> {
        let expr = &facts[at];
        let stuck = |why: &str| Stuck { at: expr.span, why: why.to_owned() };
        if depth == 0 {
            return Err(stuck("it nests too deep"));
        }
        let Some(left) = fuel.checked_sub(1) else { return Err(stuck("it takes too many steps")) };
        *fuel = left;
        let depth = depth - 1;
        match &expr.kind {
            ExprKind::Other => number(&self.files.text(expr.span)).ok_or_else(|| stuck("this is no number")),
            ExprKind::Path(path) => self.named(item, path, depth, fuel),
            ExprKind::Cast { value, to } => {
                let value = self.value(item, facts, *value, depth, fuel)?;
                let to = self.files.text(facts[*to].span);
                if fits(value, &to) { Ok(value) } else { Err(stuck("the cast does not keep the number")) }
            }
            ExprKind::Ref(value) | ExprKind::Deref(value) => self.value(item, facts, *value, depth, fuel),
            ExprKind::Block { scope: None, stmts, .. } => match stmts.as_slice() {
                [Stmt::Expr(value, false)] => self.value(item, facts, *value, depth, fuel),
                _ => Err(stuck("a block with statements is not followed")),
            },
            ExprKind::Closure { params, body, .. } if params.is_empty() => self.value(item, facts, *body, depth, fuel),
            ExprKind::Unary { op: "Neg", of } => match self.value(item, facts, *of, depth, fuel)? {
                Value::Whole(number) if number.checked_neg().is_some() => Ok(Value::Whole(-number)),
                _ => Err(stuck("only whole numbers are negated")),
            },
            ExprKind::Binary { op, left, right, .. } => {
                let (left, right) =
                    (self.value(item, facts, *left, depth, fuel)?, self.value(item, facts, *right, depth, fuel)?);
                binary(op, left, right).ok_or_else(|| stuck("this does not come to a number or a duration"))
            }
            ExprKind::Method { receiver, name, args, .. } => {
                let receiver = self.value(item, facts, *receiver, depth, fuel)?;
                match (&**name, receiver) {
                    ("unwrap" | "expect", _) => return Ok(receiver),
                    ("abs" | "unsigned_abs", Value::Whole(number)) if number.checked_abs().is_some() => {
                        return Ok(Value::Whole(number.abs()));
                    }
                    _ => {}
                }
                let args: Vec<Value> =
                    args.iter().map(|&arg| self.value(item, facts, arg, depth, fuel)).collect::<Result<_, _>>()?;
                method(receiver, name, &args).ok_or_else(|| stuck("this method is not worked out"))
            }
            ExprKind::Call { callee, args } => {
                let ExprKind::Path(path) = &facts[*callee].kind else { return Err(stuck("this call is not followed")) };
                let names: Vec<Name> = path.segments.iter().map(|segment| segment.name.clone()).collect();
                let module = self.module_of(item);
                let found = self.resolve_names(module, &names, path.global, Space::Value, false);
                let outside = found.iter().find_map(|(found, used)| match &found.res {
                    Res::Outside(outside) => {
                        Some(names[*used..].iter().fold(outside.clone(), |at, name| at.join(name)))
                    }
                    _ => None,
                });
                let Some(outside) = outside else { return Err(stuck("a function of the workspace is not followed")) };
                let args: Vec<Value> =
                    args.iter().map(|&arg| self.value(item, facts, arg, depth, fuel)).collect::<Result<_, _>>()?;
                call(&outside.segments, &args).ok_or_else(|| stuck("this function is not known to make a duration"))
            }
            ExprKind::Macro(_) => Err(stuck("a macro is not followed")),
            _ => Err(stuck("this is neither a number nor a duration")),
        }
    }

    fn named(&mut self, item: ItemId, path: &Path, depth: usize, fuel: &mut usize) -> Result<Value, Stuck> {
        let stuck = || Stuck { at: path.span, why: "this names no constant that can be worked out".to_owned() };
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name.clone()).collect();
        if path.qself.is_some() {
            return Err(stuck());
        }
        let mut members = BTreeSet::new();
        if let [first, rest @ ..] = names.as_slice()
            && &**first == "Self"
        {
            let owner = self.owner(item).ok_or_else(stuck)?;
            if let ImplFor::Local(of) = self.impl_for(owner) {
                self.anchor_member(of, rest, &mut members);
            }
        } else {
            let module = self.module_of(item);
            for (found, used) in self.resolve_names(module, &names, path.global, Space::Value, false) {
                match (&found.res, &names[used..]) {
                    (Res::Item(found), []) => {
                        members.insert(Anchor::Item(*found));
                    }
                    (Res::Item(found), rest) => {
                        self.anchor_member(*found, rest, &mut members);
                    }
                    (Res::Outside(outside), rest) if rest.last().map_or(outside.last(), |name| name) == "ZERO" => {
                        return Ok(Value::Time(0));
                    }
                    _ => {}
                }
            }
        }
        let mut members = members.into_iter();
        match (members.next(), members.next()) {
            (Some(Anchor::Item(found)), None) => self.constant(found, depth, fuel),
            _ => Err(stuck()),
        }
    }
}

const HELP: &str = "what is worked out: `Duration::from_secs(15)` and its like, whole numbers whose names say the unit \
                    (`TTL_SECS`), sums, products and other constants; or write the duration in the rules file";

fn no_constant(path: &str, span: Span) -> Problem {
    Problem {
        message: format!("`{path}` is no constant"),
        place: Some(span),
        help: "name a `const` or `static`, or write the duration out".to_owned(),
    }
}

/// A number as Rust writes it.
fn number(text: &str) -> Option<Value> {
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = plain.strip_prefix(prefix) {
            let end = digits.find(['u', 'i']).unwrap_or(digits.len());
            return i128::from_str_radix(&digits[..end], radix).ok().map(Value::Whole);
        }
    }
    let end = plain.find(['u', 'i', 'f']).unwrap_or(plain.len());
    let (digits, suffix) = plain.split_at(end);
    match digits.parse() {
        Ok(whole) if !suffix.starts_with('f') => Some(Value::Whole(whole)),
        _ => digits.parse().ok().map(Value::Broken),
    }
}

/// Whether an integer keeps its value in a type.
fn fits(value: Value, to: &str) -> bool {
    let Value::Whole(number) = value else { return !to.starts_with(['u', 'i']) };
    match to.trim() {
        "u8" => u8::try_from(number).is_ok(),
        "u16" => u16::try_from(number).is_ok(),
        "u32" => u32::try_from(number).is_ok(),
        "u64" | "usize" => u64::try_from(number).is_ok(),
        "i8" => i8::try_from(number).is_ok(),
        "i16" => i16::try_from(number).is_ok(),
        "i32" => i32::try_from(number).is_ok(),
        "i64" | "isize" => i64::try_from(number).is_ok(),
        "u128" => number >= 0,
        "i128" => true,
        // Another number than a whole one: a float, or a type of one's own.
        _ => false,
    }
}

/// The nanoseconds of the unit that a constant's name has in it. None where it has two, or speaks of a rate; `MIN` is
/// no unit, for it may be the least of something.
fn unit_of_name(name: &str) -> Option<i128> {
    let name = name.to_lowercase();
    if name.split('_').any(|word| word == "per") {
        return None;
    }
    let unit = |word: &str| {
        let unit = match word {
            "ns" | "nano" | "nanos" | "nanosecond" | "nanoseconds" => "nanos",
            "us" | "micro" | "micros" | "microsecond" | "microseconds" => "micros",
            "ms" | "milli" | "millis" | "msec" | "msecs" | "millisecond" | "milliseconds" => "millis",
            "s" | "sec" | "secs" | "second" | "seconds" => "secs",
            "mins" | "minute" | "minutes" => "mins",
            "h" | "hour" | "hours" => "hours",
            _ => return None,
        };
        nanos_in(unit)
    };
    let mut units = name.split('_').filter_map(unit);
    let first = units.next()?;
    units.all(|other| other == first).then_some(first)
}

fn nanos_in(unit: &str) -> Option<i128> {
    Some(match unit {
        "nanos" | "nanoseconds" => 1,
        "micros" | "microseconds" => 1_000,
        "millis" | "milliseconds" => 1_000_000,
        "secs" | "seconds" => 1_000_000_000,
        "mins" | "minutes" => 60_000_000_000,
        "hours" => 3_600_000_000_000,
        "days" => 86_400_000_000_000,
        "weeks" => 604_800_000_000_000,
        _ => return None,
    })
}

/// The functions of `std::time`, `chrono`, `time` and `jiff` that make a duration, and the cells whose
/// value is worked out late.
fn call(path: &[Name], args: &[Value]) -> Option<Value> {
    let [.., of, name] = path else { return None };
    if matches!(&**of, "LazyLock" | "Lazy" | "LazyCell") && &**name == "new" {
        return args.first().copied();
    }
    if !matches!(&**of, "Duration" | "TimeDelta" | "SignedDuration") {
        return None;
    }
    match (&**name, args) {
        ("new", [Value::Whole(seconds), Value::Whole(nanos)]) => {
            seconds.checked_mul(1_000_000_000)?.checked_add(*nanos).map(Value::Time)
        }
        ("from_secs_f64" | "from_secs_f32" | "seconds_f64" | "seconds_f32", [seconds]) => {
            let seconds = match seconds {
                Value::Broken(seconds) => *seconds,
                _ => return None,
            };
            let duration = Duration::try_from_secs_f64(seconds).ok()?;
            i128::try_from(duration.as_nanos()).ok().map(Value::Time)
        }
        (name, [Value::Whole(count)]) => {
            let unit = name.strip_prefix("from_").or(name.strip_prefix("try_")).unwrap_or(name);
            count.checked_mul(nanos_in(unit)?).map(Value::Time)
        }
        _ => None,
    }
}

fn method(of: Value, name: &str, args: &[Value]) -> Option<Value> {
    if let (Value::Time(nanos), Some(unit), []) = (of, name.strip_prefix("as_").and_then(nanos_in), args) {
        return Some(Value::Whole(nanos / unit));
    }
    let [other] = args else { return None };
    let op = match name.split_once('_')? {
        ("saturating" | "checked", "add") => "Add",
        ("saturating" | "checked", "sub") => "Sub",
        ("saturating" | "checked", "mul") => "Mul",
        ("checked", "div") => "Div",
        _ => return None,
    };
    binary(op, of, *other)
}

fn binary(op: &str, left: Value, right: Value) -> Option<Value> {
    use Value::{Broken, Time, Whole};
    Some(match (op, left, right) {
        ("Add", Whole(a), Whole(b)) => Whole(a.checked_add(b)?),
        ("Sub", Whole(a), Whole(b)) => Whole(a.checked_sub(b)?),
        ("Mul", Whole(a), Whole(b)) => Whole(a.checked_mul(b)?),
        ("Div", Whole(a), Whole(b)) => Whole(a.checked_div(b)?),
        ("Rem", Whole(a), Whole(b)) => Whole(a.checked_rem(b)?),
        ("Add", Time(a), Time(b)) => Time(a.checked_add(b)?),
        ("Sub", Time(a), Time(b)) => Time(a.checked_sub(b)?),
        ("Mul", Time(a), Whole(b)) | ("Mul", Whole(b), Time(a)) => Time(a.checked_mul(b)?),
        ("Div", Time(a), Whole(b)) => Time(a.checked_div(b)?),
        ("Add", Broken(a), Broken(b)) => Broken(a + b),
        ("Sub", Broken(a), Broken(b)) => Broken(a - b),
        ("Mul", Broken(a), Broken(b)) => Broken(a * b),
        ("Div", Broken(a), Broken(b)) => Broken(a / b),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_rust_writes_them() {
        for (text, value) in [("15", 15), ("1_000u64", 1000), ("0x1f_u32", 31), ("0b101", 5), ("0o17usize", 15)] {
            assert_eq!(number(text), Some(Value::Whole(value)), "{text}");
        }
        assert_eq!(number("1.5"), Some(Value::Broken(1.5)));
        assert_eq!(number("2f64"), Some(Value::Broken(2.0)));
        assert_eq!(number("true"), None);
        assert_eq!(number("'a'"), None);
    }

    #[test]
    fn a_name_says_its_unit() {
        assert_eq!(unit_of_name("LEASE_TTL_SECS"), Some(1_000_000_000));
        assert_eq!(unit_of_name("RENEW_MS"), Some(1_000_000));
        assert_eq!(unit_of_name("SECONDS_TO_LIVE"), Some(1_000_000_000));
        assert_eq!(unit_of_name("TTL"), None);
        assert_eq!(unit_of_name("TERMS"), None);
        assert_eq!(unit_of_name("MIN_TTL_SECS"), Some(1_000_000_000));
        assert_eq!(unit_of_name("TTL_MIN"), None);
        assert_eq!(unit_of_name("RENEWALS_PER_SECOND"), None);
        assert_eq!(unit_of_name("MS_OF_SECS"), None);
    }
}
