//! The arithmetic of a lease: whether its times add up, and what clocks that are apart make of it.
//!
//! Everything here is pure but [`run_clock`], which runs the command of `timing --measure`. The lints
//! `insolvent-timing`, `guard-band` and `unmeasured-skew` and the command `timing` word and draw what
//! is worked out here; none of them does sums of its own.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `times` | the times of one lease, all known |
//! | `solvency` | whether a renewal comes in time, and how many may be lost |
//! | `handover` | one handover of a lease, simulated on two clocks |
//! | `sweep` | many handovers, the smallest guard, the verdict within a bound |
//! | `span_of` | `0ms..400ms`, and the points in such a range |
//! | `evidence` | whether anybody measured the bound on the clocks |
//! | `table`, `bars`, `svg` | the figures for the terminal and as a chart |
//! | `estimate`, `run_clock`, `epoch_text` | `--measure`: another machine's clock |

mod bars;
mod epoch_text;
mod estimate;
mod evidence;
mod handover;
mod run_clock;
mod solvency;
mod span_of;
mod svg;
mod svg_scale;
mod sweep;
mod table;
mod times;

pub use bars::bars;
pub use epoch_text::{EpochTextError, RemoteTime, parse_epoch};
pub use estimate::{Estimate, Sample, estimate};
pub use evidence::{OLDEST_DAYS, SkewEvidence, Unmeasured, unmeasured};
pub use handover::{Handover, Tally};
pub use run_clock::{ClockCommand, ClockError, run_clock};
pub use solvency::{Budget, Shortfall, Waited, budget, shortfalls};
pub use span_of::{RangeError, parse_range, points};
pub use svg::{Chart, svg};
pub use sweep::{Band, Point, band, smallest_guard, sweep};
pub use table::{Table, band_lines, budget_table, sweep_table};
pub use times::{LeaseTimes, Wait, nanos};
