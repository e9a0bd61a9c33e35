//! SQL, judged: whether writes carry the lease's fence, and whether renewals can give it to two.
//!
//! # What a statement really guarantees
//!
//! A lease is a promise about time that a program can sleep through. What makes it safe is that storage refuses what
//! comes too late, by something that the sleeper brought along from before: its epoch. So the question that is asked
//! here of every statement is whether it is refused if its writer was superseded between the decision to write and the
//! moment at which the server runs it.
//!
//! - **Only the statement itself counts.** A `SELECT` before it, even `FOR UPDATE` in the same transaction, refuses
//!   nothing: the write that follows does not depend on what was seen. An advisory lock excludes others for a moment
//!   and says nothing of the epoch.
//! - **The lease's row must be asked for whole**: which lease, whose, which epoch, and unexpired, in one row. Without
//!   the name the writer may hold another lease (unless the row that is asked is the one that is written). Without
//!   the holder a table that was restored or rebuilt, in which epochs start again, lets anybody through. Without the
//!   epoch a process that lost the lease and got it back lets its own older writes through. Without the expiry a
//!   holder writes on after it should have stood down, up to the takeover.
//! - **The values must be the writer's.** A fence that is compared with what the same statement reads from the lease's
//!   table (`epoch = (SELECT epoch FROM leases ...)`) compares the current epoch with itself.
//! - **Every way must be guarded.** An `OR`, an outer join, a count that gives a row whatever was found, an `INSERT`
//!   whose condition stands only behind `ON CONFLICT`, a `WHEN NOT MATCHED`: each is a way round.
//! - **A fence column in the protected table** does it without the lease's row, if it is compared (`epoch <= $1`) and
//!   set by each write, so that it rises. Its resource is the row: one that is not there yet has seen no epoch, and a
//!   stale upsert that comes first creates it.
//! - **`EXISTS` without a lock** is judged on the statement's snapshot. A takeover that commits between that snapshot
//!   and the write's commit is not seen; that is the length of a statement, not of a pause. `FOR SHARE` on the lease's
//!   row, or a fence column, closes it. It is accepted here without.
//! - **`now()`** stands still within a transaction; `clock_timestamp()` does not. Both are the database's clock.
//! - **A takeover by sub-select** (`WHERE id = (SELECT id ... LIMIT 1)`) needs `FOR UPDATE`: under READ COMMITTED two
//!   at once find the same row, and the second, having waited for the first, updates it again.
//!
//! Some things cannot be seen: what triggers, rules, views and functions of the database do; whether rows of the
//! lease's table are deleted, with which the epoch starts again; which column is the lease's key (any equality with
//! another column counts, flags and states aside); a table whose name a program puts together. A row that is inserted
//! into the lease's own table is a lease that nobody had.
//!
//! # How it is done
//!
//! | module | what it is for |
//! | --- | --- |
//! | `rules` | the names that matter |
//! | `lexical` | words: is it worth parsing, and what does not parse but writes |
//! | `text` | statements, placeholders, places |
//! | `condition` | a condition as AND, OR and comparisons, negations pushed in |
//! | `facts` | what is known in each way in which a condition can hold |
//! | `scope`, `clock`, `analysis` | what names, times and values are |
//! | `branches`, `relations`, `queries`, `statements` | what conditions, queries and writes say of the lease's row |
//! | `writes`, `renewals` | the verdicts |
//! | `judge` | from a text to findings |
//!
//! A new shape of SQL is a case in `tests/data/fence`, with what a server does with it, and the few lines in `branches`
//! or `queries` that know it.

mod analysis;
mod branches;
mod clock;
mod condition;
mod facts;
mod finding;
mod judge;
mod lexical;
mod queries;
mod relations;
mod renewals;
mod rules;
mod scope;
mod statements;
mod text;
mod writes;

pub use finding::{RangeOf, RenewalFault, SqlFinding, SqlKind};
pub use judge::judge;
pub use lexical::names_word;
pub use rules::{FenceRules, TableName};

#[cfg(test)]
mod case_tests;
