//! `forbidden-call`: a model's method chain, whatever the client is called.

use std::collections::{BTreeMap, BTreeSet};

use super::{Case, Docs, Draft, Judge, Lint, case::named_dependencies};
use crate::{
    base::Span,
    config::Call,
    finding::{Level, Problem},
    project::PackageId,
    reach::{Chain, EventKind},
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "forbidden-call",
    level: Level::Deny,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
A call on the lease path is spelt like a call to a model or an endpoint.
",
        what_it_does: r"
Looks at the calls that reached code makes, as paths of segments, and reports
those that hold a forbidden fragment. Segments must stand next to each other;
`::`, `.` and calls between them are the same, so `chat.completions` matches
`client.chat().completions()` and `openai::chat::completions::create` alike.
`*` stands for any letters inside one segment.

A fragment needs a call: a field `message.chat.completions` is none. A method
on a value that is plainly of a local type is left alone, since the code of
that type is read itself. Fragments that ordinary code also uses are tied to
crates that ship such a client.

The subject is the fragment as the pack or the rules file writes it, the
longest where several match.
",
        why_it_matters: r"
A client that was generated, vendored, or wrapped in a private crate has no
name that a list could hold. Its calls keep the shape of the API that they
speak.
",
        example: r#"
```toml
[forbid]
calls = ["advisor.vote"]
```

```rust
pub async fn may_lead(ctx: &Context) -> bool {
    let answer = ctx.llm().chat().completions().create(prompt()).await;
    answer.is_ok_and(|a| a.says_yes()) && crate::advisor::vote().await
}
```
"#,
        instead: r"
Decide by what the coordinator says: the holder, the epoch and the expiry in
its own row or key. If a model's opinion is wanted, ask for it before a
candidate stands for election, not while a lease is acquired or renewed, and
store the answer as plain data.
",
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let calls = case.in_force.calls();
    let mut drafts = Vec::new();
    let mut counting: BTreeMap<PackageId, Fragments<'_>> = BTreeMap::new();
    for (id, _, event, _) in case.events() {
        let EventKind::Chain(chain) = event else { continue };
        let package = case.package_of(id);
        let counting = counting.entry(package).or_insert_with(|| {
            let named = named_dependencies(case.workspace, package);
            Fragments::new(calls.iter().filter(|call| call.counts_beside(named.keys().copied())).collect())
        });
        let names: Vec<&str> = chain.segments.iter().map(|segment| &*segment.name).collect();
        let matches = counting.for_chain(&names).filter(|call| chain.awaited || !call.awaited).filter_map(|call| {
            let at = position(call, chain, &names)?;
            case.counts_behind(id, call.pack).then_some((call, at))
        });
        // The longest fragment tells, of equals the first.
        let best =
            matches.reduce(|best, other| if other.0.fragment.len() > best.0.fragment.len() { other } else { best });
        if let Some((call, at)) = best {
            let (first, last) = (&chain.segments[at], &chain.segments[at + call.segments.len() - 1]);
            let span = Span {
                file: first.span.file,
                start: first.span.start.min(last.span.start),
                end: first.span.end.max(last.span.end),
            };
            let message = format!("a call on the lease path is spelt `{}`: {}", call.fragment, call.why);
            let draft = Draft::new(call.fragment, span, message, format!("holds `{}`", call.fragment));
            drafts.push(draft.at(id, &[]).help("decide by what the coordinator says, and ask models elsewhere"));
        }
    }
    Ok(drafts)
}

/// The fragments that count in a package, by a segment that a chain must have to hold them.
struct Fragments<'c> {
    calls: Vec<&'c Call<'c>>,
    by_segment: BTreeMap<&'c str, Vec<usize>>,
    /// Those that have wildcards alone.
    wild: Vec<usize>,
}

impl<'c> Fragments<'c> {
    fn new(calls: Vec<&'c Call<'c>>) -> Self {
        let (mut by_segment, mut wild) = (BTreeMap::<&str, Vec<usize>>::new(), Vec::new());
        for (at, call) in calls.iter().enumerate() {
            match call.segments.iter().find(|segment| !segment.contains('*')) {
                Some(segment) => by_segment.entry(segment).or_default().push(at),
                None => wild.push(at),
            }
        }
        Self { calls, by_segment, wild }
    }

    /// Those that a chain of these names may hold, in their order.
    fn for_chain(&self, names: &[&str]) -> impl Iterator<Item = &'c Call<'c>> {
        let found = names.iter().filter_map(|name| self.by_segment.get(name)).chain([&self.wild]);
        let found: BTreeSet<usize> = found.flatten().copied().collect();
        found.into_iter().map(|at| self.calls[at])
    }
}

/// Where a fragment stands in a chain: its segments follow one another, one of them or a later one is
/// called, and no method among them belongs to a value that is plainly of a local type.
fn position(call: &Call<'_>, chain: &Chain, names: &[&str]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = call.position_in(&names[from..]).map(|at| at + from) {
        let end = at + call.segments.len();
        let within = &chain.segments[at..end];
        let next_call = chain.segments[end - 1..].iter().find(|segment| segment.called);
        let mut methods = within.iter().filter(|segment| segment.called).peekable();
        let local = match methods.peek() {
            Some(_) => methods.any(|segment| segment.local_receiver),
            None => next_call.is_some_and(|segment| segment.local_receiver),
        };
        if next_call.is_some() && !local {
            return Some(at);
        }
        from = at + 1;
    }
    None
}
