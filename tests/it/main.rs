//! The tests that look at the built binary from outside, in one program.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `action` | the GitHub action's shell steps, as a runner runs them |
//! | `answers` | three crates called reqwest, or not: the answers, and the screen a person sees |
//! | `canary` | `canary`: that it sings where the rules guard, and is silent where they do not |
//! | `card` | `card`: each row that goes, looks and stops, in each form |
//! | `cannot_check` | each way in which a check must refuse to be green, and what it then says |
//! | `corpus` | the shared corpus of cases, judged as its own runner judges |
//! | `drill` | the failure drill: what its command can reach, and what comes of it (`drill_probe` tries) |
//! | `dependencies` | licences, versions, sources and the oldest Rust of what is linked |
//! | `drill_command` | `drill`: what it says, its exit status, and whom the rules let through |
//! | `drill_example` | `drill` on the worked example, whose tests start a server of their own |
//! | `editors` | the settings of docs/editors.md, and what their command prints |
//! | `fixtures` | the project's own cases, each with a clean twin |
//! | `formats` | every format, read by what others wrote, each place mapped back to its source |
//! | `guard` | the check as a `#[test]` of the guarded workspace, compiled and run as one |
//! | `layout` | which floor may import which, and what may be named where |
//! | `linted` | the action, the workflows and the hooks before validators of others |
//! | `limits` | what the check is known to miss, as `docs/limits.md` says |
//! | `map` | `map`: each format in a tool of others, the page in a browser |
//! | `never_runs` | traps in the workspace that must not spring, and files that must not be written |
//! | `readme` | the README's commands, rules and screen |
//! | `real` | published crates that hold leases, with the verdict of a careful reader |
//! | `shells` | completions in the shells themselves, and the manual page |
//! | `sql_on_server` | the verdicts on SQL against what a PostgreSQL server does |
//! | `commands` | the command line itself: help, exit status, a reader that leaves |
//! | `init` | `init`: what it finds, the file that it writes, and that the check accepts it |
//! | `timing` | `timing`: the sums, the sweep, the chart, another clock |
//! | `tree_command` | `tree`: what a lease links, with the marks of the check |
//! | `why` | `why`: the way to an item, a file or a crate, or what was seen instead |
//! | `spoiled` | the worked example with one thing spoiled in each copy, and what fails for it |
//! | `rules_command` | `rules`: the lists, and what is known of one name |
//!
//! They stand on `case` (one workspace in one text file), `judge` (an expectation against a report),
//! `gate` (the binary in a scrubbed environment), `workspace` (folders to run it in), `sql_cases` (statements with
//! what is expected of them), `tools` (programs of others), `server` (a PostgreSQL server of one's own) and `example`
//! (the worked example, and copies of it).

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says why it fails by failing")]
#![expect(clippy::print_stdout, reason = "a test says what it left out")]

mod action;
mod answers;
mod canary;
mod cannot_check;
mod card;
mod case;
mod commands;
mod corpus;
mod dependencies;
#[cfg(target_os = "linux")]
mod drill;
#[cfg(target_os = "linux")]
mod drill_command;
#[cfg(target_os = "linux")]
mod drill_example;
#[cfg(target_os = "linux")]
mod drill_probe;
mod editors;
#[cfg(target_os = "linux")]
mod example;
mod fixtures;
mod formats;
mod gate;
mod guard;
mod init;
mod judge;
mod layout;
mod limits;
mod linted;
#[cfg(unix)]
mod map;
mod never_runs;
mod readme;
mod real;
mod rules_command;
#[cfg(unix)]
mod server;
mod shells;
#[cfg(target_os = "linux")]
mod spoiled;
#[cfg(unix)]
mod sql_cases;
#[cfg(unix)]
mod sql_on_server;
mod timing;
mod tools;
mod tree_command;
mod why;
mod workspace;
