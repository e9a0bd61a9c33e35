//! The `--` before a command that is to be run, for those who left it out.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The subcommands that run a command, the flag that asks for it where there is one, and an example.
const RUN_A_COMMAND: [(&str, Option<&str>, &str); 2] = [
    ("drill", None, "drill -- cargo test --test failover"),
    ("timing", Some("--measure"), "timing --measure -- ssh db date +%s.%N"),
];

/// Says so in a misuse that comes of it: clap has no word on that. `command` is the whole command line's definition.
pub(super) fn with_dashes_told(mut error: clap::Error, arguments: &[OsString], command: clap::Command) -> clap::Error {
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let is_about_words = matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::MissingRequiredArgument);
    if !is_about_words || has("--") {
        return error;
    }
    let Ok(partial) = command.ignore_errors(true).try_get_matches_from(arguments) else { return error };
    let runs = RUN_A_COMMAND.iter().find(|(name, _, _)| partial.subcommand_name() == Some(*name));
    if let Some((_, flag, example)) = runs
        && flag.is_none_or(has)
    {
        let tip = format!("the command stands behind `--`, as in `{example}`");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}
