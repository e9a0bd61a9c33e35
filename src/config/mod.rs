//! What the user wants (the rules file) and what is known (the packs).
//!
//! The rules file is read in two stages: `decode` turns toml's spanned tree into [`Rules`],
//! collecting every problem with its place; [`InForce`] joins the rules with the packs into the one
//! list of what is forbidden, inert and a coordinator. Later floors see only these two.

mod globs;
mod in_force;
mod packs;
mod rules;

pub use globs::{GlobError, LONGEST_GLOB, path_globs};
pub use in_force::{Call, Client, InForce, Literal, Transport};
pub use packs::{PackName, Packs};
pub use rules::{Exception, Forbid, ForbiddenCrate, Lease, LintLevel, Rules};
