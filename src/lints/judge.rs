//! Runs the lints over what was learnt.

use super::{Case, Draft, LINTS, Ledger, Lint, draft::gather};
use crate::{
    base::Spanned,
    finding::{Finding, Level, Problem},
};

/// What a lint looks at.
#[derive(Clone, Copy)]
pub enum Judge {
    /// One lease after the other.
    Lease(fn(&Case<'_>) -> Result<Vec<Draft>, Problem>),
    /// The rules file, once the leases were judged.
    Rules(fn(&Ledger<'_>) -> Vec<Finding>),
}

impl std::fmt::Debug for Judge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Lease(_) => "Lease",
            Self::Rules(_) => "Rules",
        })
    }
}

/// The levels in force.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    given: Vec<(String, Level)>,
}

impl Levels {
    /// The rules file's levels, then the command line's; later ones win.
    pub fn new<'l>(
        rules: impl IntoIterator<Item = (&'l str, Level)>,
        flags: impl IntoIterator<Item = (&'l str, Level)>,
    ) -> Self {
        Self { given: rules.into_iter().chain(flags).map(|(lint, level)| (lint.to_owned(), level)).collect() }
    }

    /// The level of a lint.
    pub fn of(&self, lint: &Lint) -> Level {
        self.given.iter().rev().find(|(name, _)| name == lint.name).map_or(lint.level, |(_, level)| *level)
    }
}

/// All that the lints say about a lease.
///
/// # Errors
/// Where the graph could not be asked.
pub fn judge_lease(case: &Case<'_>, levels: &Levels) -> Result<Vec<Finding>, Problem> {
    let mut findings = Vec::new();
    for lint in LINTS {
        let level = levels.of(lint);
        if let (Judge::Lease(judge), true) = (lint.judge, level > Level::Allow) {
            findings.extend(gather(case, lint, level, judge(case)?));
        }
    }
    Ok(findings)
}

/// All that the lints say about the rules file.
pub fn judge_rules(ledger: &Ledger<'_>, levels: &Levels) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lint in LINTS {
        let level = levels.of(lint);
        if let (Judge::Rules(judge), true) = (lint.judge, level > Level::Allow) {
            // What is less than usual for its lint is at most that.
            let level_of =
                |finding: &Finding| if finding.level < lint.level { level.min(finding.level) } else { level };
            findings.extend(judge(ledger).into_iter().map(|finding| Finding { level: level_of(&finding), ..finding }));
        }
    }
    findings
}

/// A finding about a line of the rules file.
pub(super) fn about_rules(
    lint: &Lint,
    lease: &str,
    subject: &str,
    at: &Spanned<impl Sized>,
    message: String,
    help: String,
) -> Finding {
    Finding {
        lint: lint.name,
        level: lint.level,
        lease: lease.to_owned(),
        subject: subject.to_owned(),
        message,
        primary: at.span,
        label: String::new(),
        also: Vec::new(),
        route: Vec::new(),
        chain: Vec::new(),
        notes: Vec::new(),
        help,
    }
}
