//! What is forbidden, inert, and a coordinator: the rules and the packs joined.
//!
//! Package names are compared with `-` and `_` alike everywhere. Paths are given as segments behind
//! the library's name: `reqwest::blocking::Client` is package `reqwest`, path `["blocking", "Client"]`.

use std::collections::BTreeSet;

use crate::config::{PackName, Packs, Rules};

/// A forbidden client, model client or runtime: an entry of those packs or of `[forbid] crates`.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    /// The package, as the pack or the rules write it.
    pub package: &'a str,
    /// The pack, or none for `[forbid]`.
    pub pack: Option<PackName>,
    /// Why it is forbidden.
    pub why: &'a str,
}

/// A raw transport.
#[derive(Clone, Debug)]
pub struct Transport<'a> {
    /// How many segments of the named path (the crate's name included) make the subject:
    /// `std::net::TcpStream::connect` has 3, `libloading::Library::new` 2, `libc::connect` 2.
    pub subject_segments: usize,
    /// Why it is forbidden.
    pub why: &'a str,
}

/// A forbidden call-path fragment.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// As written; segments are split at `.`; `*` matches inside a segment.
    pub fragment: &'a str,
    /// The segments.
    pub segments: Vec<&'a str>,
    /// Counts only in a package whose manifest names one of these packages; empty for any.
    pub crates: &'a [String],
    /// Counts only where the call is awaited.
    pub awaited: bool,
    /// Why it is forbidden.
    pub why: &'a str,
}

/// A forbidden literal.
#[derive(Clone, Debug)]
pub struct Literal<'a> {
    /// As written.
    pub literal: &'a str,
    /// Why it is forbidden.
    pub why: &'a str,
}

/// The joined list.
#[derive(Debug)]
pub struct InForce {
    // filled in by the implementation
}

impl InForce {
    /// Joins the packs that the rules ask for with what the rules add.
    pub fn new(rules: &Rules, packs: &Packs) -> Self {
        let _ = (rules, packs);
        todo!()
    }

    /// Whether a package is a forbidden client (not a raw transport), and why.
    pub fn client(&self, package: &str) -> Option<Client<'_>> {
        let _ = package;
        todo!()
    }

    /// Whether a package counts as forbidden in a dependency chain, when the chain asks it for
    /// `features`: hyper only with `client`. Transports never count in chains.
    pub fn counts_in_chain(&self, package: &str, features: &BTreeSet<String>) -> bool {
        let _ = (package, features);
        todo!()
    }

    /// For a path of a forbidden client that opens no connection: what to use instead.
    pub fn inert(&self, package: &str, path: &[&str]) -> Option<&str> {
        let _ = (package, path);
        todo!()
    }

    /// Whether a path names a raw transport. `package` is a package name, or `std` (also for `core`
    /// and `alloc`). `path` may be longer than the entry (`TcpStream::connect`).
    pub fn transport(&self, package: &str, path: &[&str]) -> Option<Transport<'_>> {
        let _ = (package, path);
        todo!()
    }

    /// The reading of a wall clock that a path is, as the number of segments that make the subject.
    /// The forbidden call fragments.
    pub fn calls(&self) -> Vec<Call<'_>> {
        todo!()
    }

    /// The longest forbidden literal that a string holds, at a word boundary on both sides where
    /// the literal begins or ends with a letter or digit.
    pub fn literal(&self, text: &str) -> Option<Literal<'_>> {
        let _ = text;
        todo!()
    }

    /// The forbidden client whose library has this name (`tonic` in `etcd_client::tonic`).
    pub fn client_by_library(&self, lib_name: &str) -> Option<Client<'_>> {
        let _ = lib_name;
        todo!()
    }
}
