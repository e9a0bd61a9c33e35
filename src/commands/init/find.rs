//! The leases of a workspace: search, choose, look.

use std::collections::BTreeSet;

use super::{
    choose::{Chosen, choose},
    lease::{Lease, look},
    search::candidates,
    signs::Signs,
};
use crate::{resolve::World, run::Bare, types::Reader};

/// What was found.
#[derive(Debug)]
pub(super) struct Found {
    /// The leases, one for each package that holds code of one.
    pub(super) leases: Vec<Lease>,
    /// What is only worth a look.
    pub(super) unsure: Vec<Unsure>,
    /// How many files were looked at.
    pub(super) files: usize,
}

/// Something that may be a lease.
#[derive(Clone, Debug)]
pub(super) struct Unsure {
    /// Its path from the crate's name.
    pub(super) path: String,
    /// Its file, as shown.
    pub(super) file: String,
    /// What speaks for it, or why it was not taken.
    pub(super) why: String,
}

/// Finds the leases of a workspace. Needs a deep stack, as everything that reads sources.
pub(super) fn find(bare: &Bare) -> anyhow::Result<Found> {
    let signs = Signs::new(&bare.packs)?;
    let mut reader = Reader::new(World::new(&bare.files, &bare.workspace, &[]));
    let (candidates, files) = candidates(&mut reader, &signs);
    let Chosen { leases: chosen, unsure } = choose(&reader, candidates);
    let mut names = BTreeSet::new();
    let mut found = Found { leases: Vec::new(), unsure: Vec::new(), files };
    for (package, code) in chosen {
        let name = unique(&bare.workspace.package(package).name, &mut names);
        let (lease, bad) = look(&mut reader, &bare.packs, name, code);
        found.leases.extend(lease);
        let not_read = bad.into_iter().map(|(candidate, why)| Unsure {
            path: candidate.path,
            file: candidate.file,
            why: format!("it was not taken: {why}"),
        });
        found.unsure.extend(not_read);
    }
    found.unsure.extend(unsure.into_iter().map(|candidate| {
        let why = candidate.why();
        Unsure { path: candidate.path, file: candidate.file, why }
    }));
    Ok(found)
}

fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = name.to_owned();
    while !taken.insert(name.clone()) {
        name.push('+');
    }
    name
}
