//! `forbidden-string`: an endpoint or key name among the literals.

use super::{Case, Docs, Draft, Judge, Lint};
use crate::{
    finding::{Level, Problem},
    reach::EventKind,
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "forbidden-string",
    level: Level::Deny,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
A literal on the lease path holds a model endpoint, a URL path or a key name.
",
        what_it_does: r#"
Reads the string literals of reached code: plain, raw, byte and C strings, the
joined parts of a `concat!`, and constants that a format string only captures
(`"{HOST}/v1"`). Reports those that hold a host such as `api.openai.com`, a
path such as `/v1/chat/completions`, a variable such as `OPENAI_API_KEY`, or a
literal that the rules file lists under `[forbid] strings`.

A literal counts only as a whole word: `api.openai.company` does not hold
`api.openai.com`. Comments, doc comments and the strings of attributes are
never matched. The subject is the literal as the pack or the rules file writes
it.
"#,
        why_it_matters: r"
Whoever speaks to a model through a bare socket, a shell command or a client
that no list knows still has to write down where it lives and which key opens
it.
",
        example: r#"
```rust
const ADVISOR: &str = "https://api.openai.com/v1/chat/completions";

pub fn advisor_key() -> Option<String> {
    std::env::var("OPENAI_API_KEY").ok()
}
```
"#,
        instead: r"
Move the constant and the code that uses it out of the lease's modules and out
of what they reach. If the literal is harmless where it stands (a list of hosts
that a firewall denies), keep it in a module that the lease does not reach, or
write an `[[exception]]` that says so.
",
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    for (id, _, event, span) in case.events() {
        let EventKind::Text(text) = event else { continue };
        let Some(literal) = case.in_force.literal(text).filter(|literal| case.counts_behind(id, literal.pack)) else {
            continue;
        };
        let message = format!("a string on the lease path holds `{}`: {}", literal.literal, literal.why);
        let draft = Draft::new(literal.literal, span, message, format!("holds `{}`", literal.literal));
        drafts.push(
            draft.at(id, &[]).help(
                "no model's address or key belongs on the lease path; keep it with the code that calls the model",
            ),
        );
    }
    Ok(drafts)
}
