//! `reply-repair`: a reply that has to be mended before it can be read.

use super::{Case, Docs, Draft, Judge, Lint, case::package_name};
use crate::{
    finding::{Level, Problem},
    reach::EventKind,
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "reply-repair",
    level: Level::Deny,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
The lease path names a crate that mends broken replies.
",
        what_it_does: r"
Reports where code on the lease path, or reached from it, names a crate of the
pack `reply-repair`: parsers that complete JSON which was cut off, put in
missing quotes and commas, or take off the prose and the Markdown fences that a
model wrapped around it. Coordinators do not excuse it.

Parsers of lenient formats that people write (JSON5, comments in JSON) are not
reported: they refuse what is broken. The subject is the package.
",
        why_it_matters: r"
A control message is read or refused. One that needs mending came from
something that answers differently twice, and a parser that guesses what was
meant turns a truncated refusal into an order: half of an epoch is an epoch,
and a list of replicas that was cut off is a shorter list.
",
        example: r#"
```rust
pub fn verdict(reply: &str) -> Option<Verdict> {
    let mended = llm_json::repair_json(reply, &Default::default()).ok()?;
    serde_json::from_str(&mended).ok()
}
```
"#,
        instead: r"
Read control messages strictly (`serde_json::from_str` with
`deny_unknown_fields`), and treat one that does not parse as no answer: the
lease then runs out, which is safe. If the reply comes from a model, it has no
place on the lease path, mended or not: let a task of its own ask, and leave
the result where the lease can read it without waiting.
",
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    for (id, _, event, span) in case.events() {
        let (package, uses) = match event {
            EventKind::Outside { path, uses, .. } => (package_name(&path.krate), uses),
            EventKind::LocalCrate { package, uses } => (Some(case.workspace.package(*package).name.as_str()), uses),
            _ => continue,
        };
        let Some(mender) = package.and_then(|package| case.packs.mender(package)) else { continue };
        let place = if case.is_selected(id) { "the lease path" } else { "code that the lease path reaches" };
        let message = format!("{place} names `{}`, which mends replies: {}", mender.package, mender.why);
        let help = "read control messages strictly, and take one that does not parse for no answer";
        let draft = Draft::new(mender.package.clone(), span, message, "replies are mended here");
        drafts.push(draft.at(id, uses).help(help));
    }
    Ok(drafts)
}
