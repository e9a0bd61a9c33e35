//! `opaque-code`: source that cannot be seen.

use super::{Case, Docs, Draft, Judge, Lint};
use crate::{
    base::Span,
    fence::SqlKind,
    finding::{Level, Problem},
    reach::EventKind,
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "opaque-code",
    level: Level::Warn,
    judge: Judge::Lease(judge),
    docs: Docs {
        summary: r"
Code on the lease path is generated at build time, and its source is not on
disk.
",
        what_it_does: r"
Reports an `include!` of a file that only a build writes (under `OUT_DIR`), and
macros that stand for one, such as `tonic::include_proto!`. An `include!` of a
file that is on disk, also by way of `CARGO_MANIFEST_DIR`, is read like any
other source and not reported.

With `[lease.fence]`, also SQL that writes to one of its tables and cannot be
parsed, and files of SQL that the source takes in and that are not there.

Nothing is built or run to find out more.
",
        why_it_matters: r"
What cannot be seen cannot be judged. The check says so instead of staying
green.
",
        example: r#"
```rust
// src/lease.rs
mod wire {
    include!(concat!(env!("OUT_DIR"), "/wire.rs"));
}
```
"#,
        instead: r#"
Commit the generated file and include it from the source tree, so that it is
read and reviewed like other code. Or keep generated code out of the lease's
modules: convert to plain types where the lease path begins. If the generator
is trusted, set `opaque-code = "allow"`, or write an `[[exception]]` for that
file.
"#,
    },
};

fn judge(case: &Case<'_>) -> Result<Vec<Draft>, Problem> {
    let mut drafts = Vec::new();
    let mut say = |subject: &str, span: Span, node| {
        let message = format!("`{subject}` is written by a build and cannot be seen");
        let mut draft = Draft::new(subject, span, message, "generated code that is not on disk");
        draft.node = node;
        drafts.push(
            draft.help("generate it into the source tree and include it from there, or keep it off the lease path"),
        );
    };
    for (id, _, event, span) in case.events() {
        if let EventKind::Opaque(text) = event {
            say(text, span, Some(id));
        }
    }
    let touched = case.opaque.iter().flat_map(|&module| &case.trail.reader.module(module).opaque);
    for &span in case.trail.selection.opaque.iter().chain(touched) {
        let text = case.files.text(span);
        say(text.split_whitespace().collect::<Vec<_>>().join(" ").as_str(), span, None);
    }
    drafts.extend(of_sql(case));
    Ok(drafts)
}

fn of_sql(case: &Case<'_>) -> Vec<Draft> {
    let unparsed = case.sql.found.iter().filter(|(_, finding)| finding.kind == SqlKind::Unparsed);
    let unparsed = unparsed.map(|(span, finding)| {
        let message = format!("a write to `{}` cannot be judged: {}", finding.table, finding.why);
        Draft::new(&*finding.table, *span, message, "this SQL could not be read")
            .help("write it as one plain statement of PostgreSQL's, or look at it by hand and write an `[[exception]]`")
    });
    let unread = case.sql.unread.iter().map(|(file, span, why)| {
        let message = format!("the SQL of `{file}` cannot be judged: {why}");
        Draft::new(&**file, *span, message, "this file could not be read")
            .help("keep it in the package, where it is read like other source")
    });
    unparsed.chain(unread).collect()
}
