//! The graph against its oracle, `cargo tree`, and against what issue Graph asks of chains.

mod chains;
mod oracle;
mod published;
mod small;
