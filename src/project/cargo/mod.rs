//! How cargo is called: so that nothing of the checked workspace runs, and nothing is written in it
//! but a missing Cargo.lock.
//!
//! `locate` finds the manifests, `config` reads cargo's configuration files and keeps what is
//! harmless, `toolchain` chooses the programs and the environment, `shelter` makes the folder from
//! which cargo is called, `run` calls it, `failure` says what to do where it fails. A new danger of
//! cargo's configuration needs no new code: `config` carries over what it knows and nothing else.

mod config;
mod failure;
mod locate;
mod options;
mod run;
mod shelter;
mod toolchain;

#[cfg(test)]
mod tests;

pub(super) use locate::root_of;
pub use locate::{Located, locate};
pub use options::CargoOptions;
pub use run::{MetadataRun, MetadataText};
pub use toolchain::Environment;
