//! What the user wants (the rules file) and what is known (the packs).
//!
//! The rules file is found by `locate` and read in two stages: `decode` turns toml's spanned tree
//! into [`Rules`], collecting every problem with its place; [`InForce`] joins the rules with the
//! packs into the one list of what is forbidden, inert and a coordinator. Later floors see only
//! these two.

mod decode;
mod drill;
mod fence;
mod globs;
mod in_force;
mod listing;
mod literals;
mod locate;
mod names;
mod pack_file;
mod packs;
mod refusals;
mod rules;
mod rules_at;
mod timing;

pub use decode::decode;
pub use drill::{Allowed, Drill};
pub use fence::{EpochRises, Fence};
pub use globs::{GlobError, LONGEST_GLOB, path_globs};
pub use in_force::{Call, Client, InForce, Literal, Transport};
pub use listing::{About, Inert, Listed, ListedAs};
pub use locate::{AtRoot, Settled, find_at_root};
pub use names::{PackagePattern, matches_wildcard};
pub use packs::{Coordinator, Mender, PackName, Packs};
pub use refusals::Refusal;
pub use rules::{Exception, Forbid, ForbiddenCrate, Lease, LintLevel, Rules};
pub use rules_at::{RulesAt, RulesTable};
pub use timing::{ClockSkew, LONGEST as LONGEST_DURATION, Length, Step, Timing};
