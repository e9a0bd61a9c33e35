//! The longer help texts, apart from the flags so that both stay easy to read.
//!
//! They are written for 80 columns. Every example line stands in a test of the README or below.

/// Shown under the options of `cargo lease-guard --help`.
pub(super) const MAIN: &str = "\
Exit status:
  0  nothing denied
  1  something on the lease path is denied
  2  it could not be checked; the message says what to do

Examples:
  cargo lease-guard init                    write lease-guard.toml, with what it finds
  cargo lease-guard                         check the workspace of this folder
  cargo lease-guard --lease order-writer    check one lease
  cargo lease-guard -D client-clock         take a warning as seriously as an error
  cargo lease-guard --format json           for a program to read
  cargo lease-guard explain held-client     what a lint means and what to do

The rules are read from lease-guard.toml, .config/lease-guard.toml, or
[workspace.metadata.lease-guard]. Nothing of the workspace is built or run.";

pub(super) const CHECK: &str = "\
Examples:
  cargo lease-guard check
  cargo lease-guard check --manifest-path service/Cargo.toml --locked
  cargo lease-guard check -D held-client -A client-clock
  cargo lease-guard check --no-deps         where git dependencies cannot be had";

pub(super) const INIT: &str = "\
Looks for modules that hold a lease (leader election, locks, job ownership) and
for the coordinators that they talk to, and writes lease-guard.toml at the
workspace root, with comments that say why and teach the rest. A file that is
already there is left alone. Where nothing is found, nothing is written: a
template goes to standard output, and the exit status is 2.

Examples:
  cargo lease-guard init
  cargo lease-guard init --stdout
  cargo lease-guard init --manifest-path service/Cargo.toml";

pub(super) const EXPLAIN: &str = "\
Examples:
  cargo lease-guard explain forbidden-crate
  cargo lease-guard explain held-client";

pub(super) const RULES: &str = "\
Without a name: every entry of every pack in force, and why it is there. With
one: whether and why a package, a path, a call or a literal is forbidden, and
what to use instead. Outside of a workspace the default packs are asked.

Examples:
  cargo lease-guard rules
  cargo lease-guard rules reqwest
  cargo lease-guard rules reqwest::Url
  cargo lease-guard rules std::process::Command
  cargo lease-guard rules chat.completions
  cargo lease-guard rules --format json";

pub(super) const TREE: &str = "\
For each package of a lease: what its builds link, as cargo tree prints it, with
coordinators, cuts and forbidden crates marked. The exit status is 0 whatever is
linked; `cargo lease-guard` judges.

Examples:
  cargo lease-guard tree
  cargo lease-guard tree --lease order-writer";

pub(super) const WHY: &str = "\
Examples:
  cargo lease-guard why orders::health::probe
  cargo lease-guard why src/health.rs
  cargo lease-guard why reqwest";

pub(super) const MAP: &str = "\
The page (html, the default) needs no network: follow a route hop by hop with
its source lines, filter, search, print. The others are still pictures, in which
many items are drawn together by module.

Examples:
  cargo lease-guard map -o lease-map.html
  cargo lease-guard map -o lease-map.svg --lease order-writer
  cargo lease-guard map --format dot | dot -Tpdf -o lease-map.pdf
  cargo lease-guard map --format mermaid    for a Markdown page";

pub(super) const COMPLETIONS: &str = "\
The script goes to standard output. It completes `cargo-lease-guard`, and in bash,
zsh and fish `cargo lease-guard` too.

Examples:
  cargo lease-guard completions bash > ~/.bash_completion.d/cargo-lease-guard
  cargo lease-guard completions zsh > ~/.zfunc/_cargo-lease-guard
  cargo lease-guard completions fish > ~/.config/fish/completions/cargo-lease-guard.fish
  cargo lease-guard completions powershell >> $PROFILE
  cargo lease-guard completions elvish >> ~/.config/elvish/rc.elv";

pub(super) const MAN: &str = "\
The page goes to standard output, in the language of man.

Examples:
  cargo lease-guard man | man -l -
  cargo lease-guard man check | man -l -
  cargo lease-guard man > cargo-lease-guard.1";

pub(super) const CANARY: &str = "\
Puts a forbidden use into each selected module, in memory, and checks that it is
found. It shows that the rules guard what they say, and changes no file.

Examples:
  cargo lease-guard canary
  cargo lease-guard canary --lease order-writer";

pub(super) const TIMING: &str = "\
Takes the times of [lease.timing]. Shows whether a renewal comes in time, how
many may be lost, and how long a handover has two leaders or none while the
holder's clock is behind (+) or ahead (-). The exit status is 1 where the times
do not add up, or two lead within the bound on the clocks.

With --measure nothing of the workspace is read: COMMAND is run many times, and
the offset of the clock that it prints is estimated from the round trips.

Examples:
  cargo lease-guard timing
  cargo lease-guard timing --skew 0ms..400ms --guard 0ms..100ms
  cargo lease-guard timing -o timing.svg --lease order-writer
  cargo lease-guard timing --measure -- ssh db date +%s.%N";

pub(super) const CARD: &str = "\
One row for each question of a stop/go review, with the evidence and its place.
The exit status is 1 where a row says STOP.

Examples:
  cargo lease-guard card
  cargo lease-guard card --format markdown  for a pull request
  cargo lease-guard card -o card.html";

pub(super) const DRILL: &str = "\
Runs COMMAND (a failover test, say) in a network of its own, in which only what
[lease.drill] allow names can be reached; then once more for each fault of a
provider that answers badly, with the known clients led to a stand-in. Passes if
COMMAND succeeds each time and the stand-in was never asked. Linux only; no root
is needed. The result is kept in the target folder, in lease-guard/drill.json.

Exit status: 0 if passed; else that of the first COMMAND that failed (128 and
the number of the signal that ended it, 124 where it took too long); 1 where all
succeeded but a model was asked; 2 where the drill could not be held.

Examples:
  cargo lease-guard drill -- cargo test --test failover
  cargo lease-guard drill --lease order-writer --limit 10m -- ./failover.sh";
