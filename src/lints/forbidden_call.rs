//! `forbidden-call`: a model's method chain, whatever the client is called.

use super::{Docs, Lint};
use crate::finding::Level;

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "forbidden-call",
    level: Level::Deny,
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
