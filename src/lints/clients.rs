//! Where code on the path names a forbidden client, by whatever name: what `forbidden-crate` reports
//! and `held-client` looks for.

use super::{Case, case::package_name};
use crate::{
    config::PackName,
    reach::EventKind,
    resolve::{Outside, UseRef},
};

/// A forbidden client that is named.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The package, as its manifest gives it.
    pub package: String,
    /// What is named of it, from the library's name.
    pub path: String,
    /// The pack that has it; none for `[forbid]`.
    pub pack: Option<PackName>,
    /// Why it is forbidden.
    pub why: String,
    /// If what is named opens no connection: what to use instead.
    pub inert: Option<String>,
    /// Whether it is reached by a re-export of another crate.
    pub through: Option<String>,
    /// The imports that the name came through.
    pub uses: Vec<UseRef>,
}

/// The forbidden client that something names, if it names one.
pub(super) fn named(case: &Case<'_>, event: &EventKind) -> Option<Named> {
    match event {
        EventKind::Outside { path, uses, .. } => {
            let mut named = named_outside(case, path)?;
            named.uses = uses.to_vec();
            Some(named)
        }
        EventKind::LocalCrate { package, uses } => {
            let name = case.workspace.package(*package).name.as_str();
            let client = case.in_force.client(name).filter(|_| !case.is_coordinator(name))?;
            Some(Named {
                package: name.to_owned(),
                path: name.to_owned(),
                pack: client.pack,
                why: client.why.to_owned(),
                inert: None,
                through: None,
                uses: uses.to_vec(),
            })
        }
        _ => None,
    }
}

fn named_outside(case: &Case<'_>, path: &Outside) -> Option<Named> {
    let package = package_name(&path.krate)?;
    let segments: Vec<&str> = path.segments.iter().map(|segment| &**segment).collect();
    if let Some(client) = case.in_force.client(package).filter(|_| !case.is_coordinator(package)) {
        return Some(Named {
            package: package.to_owned(),
            path: path.to_string(),
            pack: client.pack,
            why: client.why.to_owned(),
            inert: case.in_force.inert(package, &segments).map(str::to_owned),
            through: None,
            uses: Vec::new(),
        });
    }
    if package == "std" {
        return None;
    }
    // A re-export whose path spells the library's name: `etcd_client::tonic::transport`.
    segments.iter().enumerate().find_map(|(at, segment)| {
        let client = case.in_force.client_by_library(segment)?;
        Some(Named {
            package: client.package.to_owned(),
            path: path.to_string(),
            pack: client.pack,
            why: client.why.to_owned(),
            inert: case.in_force.inert(client.package, &segments[at + 1..]).map(str::to_owned),
            through: Some(package.to_owned()),
            uses: Vec::new(),
        })
    })
}
