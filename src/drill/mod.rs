//! The failure drill: a command (a failover test, say) run where no model can be reached, and then beside
//! a provider that answers badly.
//!
//! [`run`] is the drill. It runs the command once without any provider and once for each [`Fault`], each time
//! isolated anew: on Linux in namespaces of its own, or else under Landlock and seccomp (`linux`); elsewhere
//! there is no drill. The program that the isolation is built in is this very binary, called again: `main`
//! gives [`inside`] the first look at its arguments. What came of it is written where the card finds it
//! (`record`).
//!
//! A new fault is a variant in `faults`; a new client's variable is a line in `rules/base-urls.toml`.

mod base_urls;
mod commit;
mod conduct;
mod error;
mod faults;
mod isolated;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod nowhere;
mod options;
mod record;
mod report;
mod stand_in;
mod text;

pub use base_urls::BaseUrls;
pub use commit::commit_of;
pub use conduct::{Step, run};
pub use error::DrillError;
pub use faults::Fault;
pub use isolated::inside;
pub use options::{DrillOptions, DrillRules, IsolationKind};
pub use record::{Record, RecordedRun, read_record, record_path};
pub use report::{Condition, DrillReport, Ended, Isolation, Run};
pub use text::human;
