//! Finding the rules: one place, in a workspace that could hold several.
//!
//! It goes in two steps, because the members are known only when cargo has answered: [`find_at_root`]
//! looks where rules belong, so that reading them can begin; [`AtRoot::settle`] then looks for rules
//! where they do not belong. Two of them are refused, wherever they stand: none wins in silence. To
//! add a place, add it to `FILE_NAMES` or to [`RulesTable`].

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use memchr::memmem;
use toml::de::DeTable;

use crate::{
    base::{FileId, Files, Span, nearest},
    config::{
        RulesAt, RulesTable,
        rules_at::{as_value, place},
    },
    finding::Problem,
};

mod error;
#[cfg(test)]
mod tests;

use error::LocateError;

/// Where a rules file can stand, from the workspace root.
const FILE_NAMES: [&str; 2] = ["lease-guard.toml", ".config/lease-guard.toml"];

/// Names that people give to a rules file by mistake.
const NEAR_FILE_NAMES: [&str; 4] =
    ["lease_guard.toml", ".lease-guard.toml", "leaseguard.toml", ".cargo/lease-guard.toml"];

/// What the workspace root holds.
#[derive(Debug)]
pub struct AtRoot {
    root: Utf8PathBuf,
    chosen: Option<Found>,
    found: Vec<Found>,
}

/// Rules that were found, and that there are no others.
#[derive(Debug)]
pub struct Settled {
    /// Where they stand.
    pub at: RulesAt,
    /// What the report has to say: rules that `--rules` sets aside.
    pub notes: Vec<String>,
}

#[derive(Debug)]
struct Found {
    at: RulesAt,
    /// What messages call it: "`[workspace.metadata.lease-guard]` in `Cargo.toml`".
    name: String,
    /// The table's header; a whole file has no place.
    place: Option<Span>,
}

/// Looks for rules where they belong. `chosen` is the file that `--rules` names, as an absolute path:
/// it is an explicit choice, so it is taken whatever the workspace holds.
///
/// # Errors
/// Two rules at the root, or a rules file that cannot be read.
pub fn find_at_root(files: &Files, root: &Utf8Path, chosen: Option<&Utf8Path>) -> Result<AtRoot, Vec<Problem>> {
    let (found, problems) = found_in(files, root, root);
    let root = root.to_owned();
    if let Some(path) = chosen {
        let chosen = chosen_file(files, path).map_err(LocateError::alone)?;
        return Ok(AtRoot { root, chosen: Some(chosen), found });
    }
    if !problems.is_empty() {
        return Err(problems.into_iter().map(LocateError::problem).collect());
    }
    if found.len() > 1 {
        return Err(LocateError::several(&found).alone());
    }
    Ok(AtRoot { root, chosen: None, found })
}

impl AtRoot {
    /// The rules that will be in force unless [`settle`](Self::settle) finds others: reading them can
    /// begin. None where only a member may hold them.
    pub fn likely(&self) -> Option<RulesAt> {
        self.chosen.as_ref().or(self.found.first()).map(|found| found.at)
    }

    /// All rules that stand in the workspace, wherever, as messages call them; also a file that nearly
    /// has their name.
    ///
    /// # Errors
    /// Rules that cannot be read.
    pub fn standing(&self, files: &Files, members: &[Utf8PathBuf]) -> Result<Vec<String>, Vec<Problem>> {
        let mut names: Vec<String> = self.found.iter().map(|found| found.name.clone()).collect();
        for member in members.iter().filter(|member| !is_same_folder(member, &self.root)) {
            let (found, failed) = found_in(files, &self.root, member);
            if !failed.is_empty() {
                return Err(failed.into_iter().map(LocateError::problem).collect());
            }
            names.extend(found.into_iter().map(|found| found.name));
        }
        if let (true, LocateError::NoRules { slip: Some((found, _)) }) = (names.is_empty(), no_rules(files, &self.root))
        {
            names.push(format!("`{found}`"));
        }
        Ok(names)
    }

    /// The rules, once the members are known. `members` are the folders of the workspace's members
    /// (not of path dependencies outside it, whose rules speak for their own workspace).
    ///
    /// # Errors
    /// No rules; a second place of rules; rules in a member of several.
    pub fn settle(self, files: &Files, members: &[Utf8PathBuf]) -> Result<Settled, Vec<Problem>> {
        let (mut elsewhere, mut problems) = (Vec::new(), Vec::new());
        for member in members {
            let (found, failed) = found_in(files, &self.root, member);
            if (found.is_empty() && failed.is_empty()) || is_same_folder(member, &self.root) {
                continue;
            }
            elsewhere.extend(found);
            problems.extend(failed);
        }
        if let Some(chosen) = self.chosen {
            let aside = self.found.iter().chain(&elsewhere).filter(|found| found.at.file != chosen.at.file);
            let notes =
                aside.map(|found| format!("{} is set aside: `--rules` names {}", found.name, chosen.name)).collect();
            return Ok(Settled { at: chosen.at, notes });
        }
        if !problems.is_empty() {
            return Err(problems.into_iter().map(LocateError::problem).collect());
        }
        let is_at_root = !self.found.is_empty();
        let mut all = self.found;
        all.append(&mut elsewhere);
        let error = match all.as_slice() {
            [] => no_rules(files, &self.root),
            [only] => {
                let speaks_for_all = match only.at.table {
                    RulesTable::Package => members.len() <= 1,
                    RulesTable::Whole | RulesTable::Workspace => is_at_root,
                };
                match (speaks_for_all, is_at_root) {
                    (true, _) => return Ok(Settled { at: only.at, notes: Vec::new() }),
                    (false, true) => LocateError::OnePackage { place: only.place, members: members.len() },
                    (false, false) => LocateError::InMember { name: only.name.clone(), place: only.place },
                }
            }
            several => LocateError::several(several),
        };
        Err(error.alone())
    }
}

/// The rules that stand in a folder: in files, or in its manifest.
fn found_in(files: &Files, root: &Utf8Path, folder: &Utf8Path) -> (Vec<Found>, Vec<LocateError>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for name in FILE_NAMES {
        let path = folder.join(name);
        match read_rules_file(files, root, folder, &path) {
            Ok(Some(file)) => found.push(whole(files, file)),
            Ok(None) => {}
            Err(error) => problems.push(error),
        }
    }
    match manifest_tables(files, &folder.join("Cargo.toml")) {
        Ok(tables) => found.extend(tables),
        Err(error) => problems.push(error),
    }
    (found, problems)
}

fn whole(files: &Files, file: FileId) -> Found {
    let at = RulesAt { file, table: RulesTable::Whole };
    Found { at, name: format!("`{}`", files.get(file).path), place: None }
}

/// The file that `--rules` names; what it is, a person chose.
fn chosen_file(files: &Files, path: &Utf8Path) -> Result<Found, LocateError> {
    let file = files.load(path).map_err(|why| LocateError::chosen(files.shown(path), &why))?;
    if path.file_name() != Some("Cargo.toml") {
        return Ok(whole(files, file));
    }
    let mut tables = manifest_tables(files, path)?;
    match (tables.pop(), tables.pop()) {
        (Some(only), None) => Ok(only),
        (Some(second), Some(first)) => Err(LocateError::several(&[first, second])),
        (None, _) => Err(LocateError::NoTable { name: files.shown(path) }),
    }
}

/// Reads a rules file that the workspace holds; none if there is none. A device or a pipe would never
/// end, and a link can lead to a stranger's file, which a diagnostic must not print.
fn read_rules_file(
    files: &Files,
    root: &Utf8Path,
    folder: &Utf8Path,
    path: &Utf8Path,
) -> Result<Option<FileId>, LocateError> {
    let name = files.shown(path);
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(LocateError::NoFile { name }),
        Ok(_) if leads_out(root, folder, path) => return Err(LocateError::LeadsOut { name }),
        Ok(_) => {}
        Err(why) if is_absent(&why) && path.is_symlink() => return Err(LocateError::LeadsNowhere { name }),
        Err(_) => {}
    }
    match files.load(path) {
        Ok(file) => Ok(Some(file)),
        Err(why) if is_absent(&why) => Ok(None),
        Err(why) => Err(LocateError::unreadable(name, &why)),
    }
}

/// Whether two paths lead to one folder: cargo may spell the root otherwise than it was found.
fn is_same_folder(a: &Utf8Path, b: &Utf8Path) -> bool {
    a == b || a.canonicalize_utf8().is_ok_and(|a| b.canonicalize_utf8().is_ok_and(|b| a == b))
}

fn leads_out(root: &Utf8Path, folder: &Utf8Path, path: &Utf8Path) -> bool {
    let real = path.canonicalize_utf8();
    real.is_ok_and(|real| ![root, folder].iter().any(|f| f.canonicalize_utf8().is_ok_and(|f| real.starts_with(f))))
}

fn is_absent(why: &io::Error) -> bool {
    matches!(why.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The tables of a manifest that hold rules. A manifest that cannot be read is cargo's to complain
/// about, unless it mentions us.
fn manifest_tables(files: &Files, path: &Utf8Path) -> Result<Vec<Found>, LocateError> {
    let Some(file) = read_manifest(files, path) else { return Ok(Vec::new()) };
    let source = files.get(file);
    if !may_hold_rules(&source.text) {
        return Ok(Vec::new());
    }
    let document = DeTable::parse(&source.text).map_err(|why| {
        let place = why.span().map(|range| place(file, range));
        LocateError::Manifest { name: source.path.clone(), why: why.message().to_owned(), place }
    })?;
    let document = as_value(document);
    let tables = [RulesTable::Workspace, RulesTable::Package].into_iter().filter_map(|table| {
        let place = Some(place(file, table.find(&document)?.span()));
        Some(Found { at: RulesAt { file, table }, name: format!("`[{}]` in `{}`", table.path(), source.path), place })
    });
    Ok(tables.collect())
}

fn read_manifest(files: &Files, path: &Utf8Path) -> Option<FileId> {
    let is_special = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if is_special { None } else { files.load(path).ok() }
}

/// Whether a manifest is worth parsing: most never mention us. A key can be written with escapes
/// (`"lease\u002Dguard"`), so those count too.
fn may_hold_rules(manifest: &str) -> bool {
    let manifest = manifest.as_bytes();
    ["lease-guard", "\\u", "\\U", "\\x"].iter().any(|word| memmem::find(manifest, word.as_bytes()).is_some())
}

/// Nothing was found: perhaps under a name that is nearly right.
fn no_rules(files: &Files, root: &Utf8Path) -> LocateError {
    let file = NEAR_FILE_NAMES.iter().find(|name| root.join(name).is_file());
    let table = || {
        let source = files.get(read_manifest(files, &root.join("Cargo.toml"))?);
        let document = DeTable::parse(&source.text).ok()?;
        ["workspace", "package"].into_iter().find_map(|owner| {
            let metadata = document.get_ref().get(owner)?.get_ref().get("metadata")?.get_ref().as_table()?;
            let near = metadata.keys().map(|key| key.get_ref().as_ref());
            let near = near.filter(|key| nearest(key, ["lease-guard"]).is_some()).min()?;
            Some((format!("[{owner}.metadata.{near}]"), format!("[{owner}.metadata.lease-guard]")))
        })
    };
    let slip = file.map(|name| ((*name).to_owned(), FILE_NAMES[0].to_owned())).or_else(table);
    LocateError::NoRules { slip }
}
