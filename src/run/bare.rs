//! A workspace whose rules are still to be written.

use camino::{Utf8Path, Utf8PathBuf};

use super::{Failed, Request};
use crate::{
    base::Files,
    config::{Packs, find_at_root},
    finding::Problem,
    project::{
        Workspace,
        cargo::{MetadataRun, locate},
    },
};

/// A workspace, without regard to its rules.
#[derive(Debug)]
pub struct Bare {
    /// The files that were read.
    pub files: Files,
    /// The packages.
    pub workspace: Workspace,
    /// The packs.
    pub packs: Packs,
    /// Rules that stand in it already, as messages call them.
    pub standing: Vec<String>,
}

/// Reads the packages of a workspace, without their graph: nothing is downloaded, and no Cargo.lock
/// is needed or written.
///
/// # Errors
/// Where the workspace cannot be read, or holds rules that cannot be.
pub fn bare(request: &Request) -> Result<Bare, Box<Failed>> {
    let failed = |files: Files, problems: Vec<Problem>| Box::new(Failed { files, problems });
    let located = match locate(&request.cwd, request.cargo.manifest_path.as_deref()) {
        Ok(located) => located,
        Err(error) => return Err(failed(Files::new(request.cwd.clone()), vec![error.problem()])),
    };
    let mut cargo = request.cargo.clone();
    cargo.no_deps = true;
    let running = MetadataRun::start(&located, &cargo);
    let files = Files::new(located.root.clone());
    let read = || {
        let packs = Packs::embedded().map_err(|error| {
            let message = format!("the packs of this build do not parse: {error}");
            vec![Problem { message, place: None, help: "report it as a bug".to_owned() }]
        })?;
        let text = running.wait().map_err(|error| vec![error.problem()])?;
        let library_names = |package: &str| packs.library_names(package).first().cloned();
        let workspace = Workspace::read(&text, &library_names).map_err(|error| vec![error.problem()])?;
        let members = workspace.packages.iter().filter(|package| package.member);
        let members: Vec<Utf8PathBuf> =
            members.filter_map(|package| package.manifest.parent().map(Utf8Path::to_owned)).collect();
        let standing = find_at_root(&files, &located.root, None)?.standing(&files, &members)?;
        Ok((workspace, packs, standing))
    };
    match read() {
        Ok((workspace, packs, standing)) => Ok(Bare { files, workspace, packs, standing }),
        Err(problems) => Err(failed(files, problems)),
    }
}
