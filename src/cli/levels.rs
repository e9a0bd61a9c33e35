//! `-D`, `-W` and `-A`, in the order in which they were typed.
//!
//! clap's derive keeps each flag's values apart and so loses which came last; the indices of the
//! matches bring the order back.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::finding::Level;

/// Levels from the command line: later ones win over earlier ones and over the rules file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelFlags {
    /// The lint as typed, and its level, in the order of the command line.
    pub given: Vec<(String, Level)>,
}

const FLAGS: [(&str, char, Level, &str); 3] = [
    ("deny", 'D', Level::Deny, "Report LINT and fail (repeatable; the last one wins)"),
    ("warn", 'W', Level::Warn, "Report LINT without failing"),
    ("allow", 'A', Level::Allow, "Do not report LINT"),
];

impl LevelFlags {
    /// These flags, then `later`'s.
    pub(super) fn then(mut self, later: Self) -> Self {
        self.given.extend(later.given);
        self
    }
}

impl Args for LevelFlags {
    fn augment_args(command: Command) -> Command {
        FLAGS.iter().fold(command, |command, &(long, short, _, help)| {
            command.arg(Arg::new(long).short(short).long(long).value_name("LINT").help(help).action(ArgAction::Append))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for LevelFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut placed = Vec::new();
        for (id, _, level, _) in FLAGS {
            let values = matches.get_many::<String>(id).into_iter().flatten();
            let indices = matches.indices_of(id).into_iter().flatten();
            placed.extend(indices.zip(values).map(|(at, lint)| (at, lint.clone(), level)));
        }
        placed.sort_by_key(|&(at, ..)| at);
        Ok(Self { given: placed.into_iter().map(|(_, lint, level)| (lint, level)).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
