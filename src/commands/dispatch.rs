//! From what was meant to the command that does it.

use std::io::Write;

use super::{
    canary, card, check, completions, drill, explain, init, man, map, measure,
    rules::{self, Asked},
    timing, tree, why,
};
use crate::{
    cli::{Command, Meaning},
    report,
};

/// The names that `--format` takes, the default first.
pub fn formats() -> Vec<&'static str> {
    report::FORMATS.iter().map(|format| format.name).collect()
}

/// Does what was meant. Reports go to `out`; progress and errors to standard error. Returns the exit status,
/// which is that of a verdict for every command but `drill`: that one hands on what its own command ended with.
///
/// # Errors
/// What keeps the command from being done at all; the caller prints it and exits with 2.
pub fn dispatch(meaning: &Meaning, out: &mut dyn Write) -> anyhow::Result<u8> {
    let verdict = match &meaning.command {
        Command::Explain(lint) => explain::explain(lint, out),
        Command::Init(asked) => init::init(asked, meaning.screen, out),
        Command::Check(asked) => check::check(asked, meaning.screen, out),
        Command::Rules { name, json, scope, project } => {
            let asked = Asked { name: name.as_deref(), json: *json, scope, project };
            rules::rules(asked, meaning.screen, out)
        }
        Command::Why(asked) => why::why(asked, meaning.screen, out),
        Command::Canary(asked) => canary::canary(asked, meaning.screen, out),
        Command::Map(asked) => map::map(asked, meaning.screen, out),
        Command::Timing(asked) => timing::timing(asked, meaning.screen, out),
        Command::Measure(asked) => measure::measure(asked, out),
        Command::Card(asked) => card::card(asked, meaning.screen, out),
        Command::Tree(asked) => tree::tree(asked, meaning.screen, out),
        Command::Completions(shell) => completions::completions(*shell, out),
        Command::Man(command) => man::man(command.as_deref(), out),
        Command::Drill(asked) => return drill::drill(asked, meaning.screen, out),
    };
    Ok(verdict?.exit_code())
}
