//! `unknown-crate`: a forbidden name that nothing bears.

use super::{Docs, Judge, Ledger, Lint, judge::about_rules};
use std::collections::BTreeSet;

use crate::{
    base::nearest,
    finding::{Finding, Level},
    project::same_name,
};

/// The lint.
pub(super) static LINT: Lint = Lint {
    name: "unknown-crate",
    level: Level::Warn,
    judge: Judge::Rules(judge),
    docs: Docs {
        summary: r"
A name under `[forbid] crates` is neither in the graph nor in a pack.
",
        what_it_does: r"
Reports a package name that the rules file forbids and that neither the
dependency graph nor any pack knows, with the nearest name that is known. A
glob that matches no package is reported alike.
",
        why_it_matters: r"
A misspelt prohibition forbids nothing, and looks exactly like one that works.
",
        example: r#"
```toml
[forbid]
crates = ["acme-lmm"]    # the package is called acme-llm
```
"#,
        instead: r#"
Correct the name: packages are named as their own manifest names them
(`rig-core`, not `rig`). If the crate is forbidden in advance and not yet
anywhere in the graph, keep the line and set `unknown-crate = "allow"` under
`[lints]`.
"#,
    },
};

fn judge(ledger: &Ledger<'_>) -> Vec<Finding> {
    let packages = &ledger.workspace.packages;
    let declared = packages.iter().flat_map(|package| package.dependencies.iter().map(|d| d.package.as_str()));
    let known: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).chain(declared).collect();
    let mut findings = Vec::new();
    for entry in &ledger.rules.forbid.crates {
        let written = &entry.name;
        let is_glob = written.value.contains(['*', '?', '[']);
        let is_known = known.iter().any(|name| same_name(name, &written.value)) || ledger.packs.knows(&written.value);
        if is_glob || is_known {
            continue;
        }
        let near = nearest(&written.value, known.iter().copied().chain(ledger.packs.package_names()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "check the spelling; a crate that is not there yet may stay listed: allow the lint then".to_owned(),
        };
        let message = format!("`{}` is neither in the dependency graph nor in a pack", written.value);
        findings.push(about_rules(&LINT, "", &written.value, written, message, help));
    }
    findings
}
