//! Where a local package's dependencies are declared: their lines in Cargo.toml.
//!
//! Cargo metadata has no places, so the manifests' text is read again, but only of the packages that
//! something is said about.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use camino::{Utf8Path, Utf8PathBuf};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Dependency, DependencyKind, PackageId, Workspace, cargo::root_of};
use crate::base::{FileId, Files, Span};

/// The place of one declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The entry in the package's own manifest.
    pub line: Span,
    /// Where that says `workspace = true`: the entry of the root manifest that holds the version.
    pub inherited: Option<Span>,
}

/// Finds declarations; each manifest is parsed once.
#[derive(Debug)]
pub struct Manifests<'a> {
    files: &'a Files,
    workspace: &'a Workspace,
    parsed: Mutex<BTreeMap<Utf8PathBuf, Arc<Entries>>>,
}

/// The entries of one manifest, by section and key. The section of `[workspace.dependencies]` is its own.
type Entries = BTreeMap<(Section, String), Entry>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Workspace,
    /// The kind's table, and the target without its spaces.
    Package(&'static str, Option<String>),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    span: Span,
    inherits: bool,
}

impl<'a> Manifests<'a> {
    /// Over the manifests of a workspace; those that are read are entered in `files`.
    pub fn new(files: &'a Files, workspace: &'a Workspace) -> Self {
        Self { files, workspace, parsed: Mutex::default() }
    }

    /// The place of the `index`th of a local package's dependencies. None where the package is not
    /// local, or the text does not show the entry.
    pub fn declared(&self, package: PackageId, index: usize) -> Option<Declared> {
        let package = self.workspace.package(package);
        let dependency = package.dependencies.get(index).filter(|_| package.local)?;
        let entries = self.entries(&package.manifest)?;
        let sections = Section::of(dependency);
        let entry = *sections.into_iter().find_map(|section| entries.get(&(section, dependency.key.clone())))?;
        let inherited = entry.inherits.then(|| self.inherited(&package.manifest, &dependency.key)).flatten();
        Some(Declared { line: entry.span, inherited })
    }

    fn inherited(&self, manifest: &Utf8Path, key: &str) -> Option<Span> {
        let root = root_of(manifest).ok()?;
        Some(self.entries(&root)?.get(&(Section::Workspace, key.to_owned()))?.span)
    }

    fn entries(&self, manifest: &Utf8Path) -> Option<Arc<Entries>> {
        let known = self.parsed.lock().unwrap_or_else(PoisonError::into_inner).get(manifest).cloned();
        if known.is_some() {
            return known;
        }
        let file = self.files.load(manifest).ok()?;
        let entries = Arc::new(entries(file, &self.files.get(file).text)?);
        self.parsed.lock().unwrap_or_else(PoisonError::into_inner).insert(manifest.to_owned(), Arc::clone(&entries));
        Some(entries)
    }
}

impl Section {
    /// The tables that a declaration can stand in: cargo knows two spellings of some.
    fn of(dependency: &Dependency) -> Vec<Self> {
        let tables: &[&'static str] = match dependency.kind {
            DependencyKind::Normal => &["dependencies"],
            DependencyKind::Development => &["dev-dependencies", "dev_dependencies"],
            DependencyKind::Build => &["build-dependencies", "build_dependencies"],
        };
        let target = dependency.target.as_deref().map(without_spaces);
        tables.iter().map(|table| Self::Package(table, target.clone())).collect()
    }
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

const TABLES: [&str; 5] =
    ["dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies"];

fn entries(file: FileId, text: &str) -> Option<Entries> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = DeTable::parse(bare).ok()?;
    let mut reader = Reader { file, text: bare, shift: text.len() - bare.len(), out: Entries::new() };
    let table = table.get_ref();
    reader.sections(table, None);
    for (target, tables) in tables_of(table, "target") {
        reader.sections(tables, Some(without_spaces(target)));
    }
    if let Some(workspace) = table.get("workspace").and_then(|workspace| workspace.get_ref().as_table()) {
        reader.section(workspace, "dependencies", &Section::Workspace);
    }
    Some(reader.out)
}

fn tables_of<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> impl Iterator<Item = (&'t str, &'t DeTable<'i>)> {
    let inner = table.get(key).and_then(|value| value.get_ref().as_table());
    inner.into_iter().flatten().filter_map(|(key, value)| Some((key.get_ref().as_ref(), value.get_ref().as_table()?)))
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    /// Bytes of a byte-order mark.
    shift: usize,
    out: Entries,
}

impl Reader<'_> {
    fn sections(&mut self, table: &DeTable<'_>, target: Option<String>) {
        for name in TABLES {
            self.section(table, name, &Section::Package(name, target.clone()));
        }
    }

    fn section(&mut self, table: &DeTable<'_>, name: &str, section: &Section) {
        let entries = table.get(name).and_then(|value| value.get_ref().as_table());
        for (key, value) in entries.into_iter().flatten() {
            let inherits = value.get_ref().get("workspace").and_then(|value| value.get_ref().as_bool()) == Some(true);
            if let Some(span) = self.span(key.span(), value) {
                self.out.insert((section.clone(), key.get_ref().clone().into_owned()), Entry { span, inherits });
            }
        }
    }

    /// From the key to the end of the value where that is on the key's line, else the key alone (the
    /// header of a table, the first line of a long entry).
    fn span(&self, key: Range<usize>, value: &Spanned<DeValue<'_>>) -> Option<Span> {
        let end_of_line = self.text.get(key.end..)?.find('\n').map_or(self.text.len(), |at| key.end + at);
        let end = Some(last(value)).filter(|end| (key.end..=end_of_line).contains(end)).unwrap_or(key.end);
        let place = |byte: usize| u32::try_from(byte + self.shift).ok();
        Some(Span { file: self.file, start: place(key.start)?, end: place(end)? })
    }
}

/// The last byte of a value; of a dotted key's table, that of what it holds.
fn last(value: &Spanned<DeValue<'_>>) -> usize {
    let inner = value.get_ref().as_table().into_iter().flatten().map(|(_, value)| value.span().end);
    inner.max().unwrap_or(0).max(value.span().end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::testing::Place;

    #[test]
    fn each_form_of_a_declaration_is_found_at_its_line() {
        let place = Place::new(&[
            (
                "Cargo.toml",
                "[workspace]\nmembers = ['m']\n[workspace.dependencies]\na = { path = 'a' }\nb.path = 'b'\n",
            ),
            (
                "m/Cargo.toml",
                "\u{feff}[package]\nname = 'm'\nversion = '0.1.0'\n[dependencies]\na.workspace = true # é\n\
                 'b' = { workspace = true, features = [\n] }\n[dependencies.c]\npath = '../c'\n\
                 [target.'cfg(target_os=\"linux\")'.dependencies]\nd = { path = '../d' }\n\
                 [dev-dependencies]\nd = { path = '../d' }\n",
            ),
            ("m/src/lib.rs", ""),
        ]);
        for name in ["a", "b", "c", "d"] {
            place.write(&format!("{name}/Cargo.toml"), &format!("[package]\nname = '{name}'\nversion = '0.1.0'\n"));
            place.write(&format!("{name}/src/lib.rs"), "");
        }
        let (_, workspace) = place.workspace("m");
        let files = Files::new(workspace.root.clone());
        let manifests = Manifests::new(&files, &workspace);
        let (id, package) = workspace.named("m").next().expect("m");
        let mut seen = Vec::new();
        for (index, dependency) in package.dependencies.iter().enumerate() {
            let declared = manifests.declared(id, index).expect("declared");
            let shown = |span: Span| {
                let file = files.get(span.file);
                format!("{}:{} {}", file.path, file.line_column(span.start).line, files.text(span))
            };
            seen.push((
                dependency.key.as_str(),
                shown(declared.line),
                declared.inherited.map(shown).unwrap_or_default(),
            ));
        }
        seen.sort();
        let expected = [
            ("a", "m/Cargo.toml:5 a.workspace = true", "Cargo.toml:4 a = { path = 'a' }"),
            ("b", "m/Cargo.toml:6 'b'", "Cargo.toml:5 b.path = 'b'"),
            ("c", "m/Cargo.toml:8 c", ""),
            ("d", "m/Cargo.toml:11 d = { path = '../d' }", ""),
            ("d", "m/Cargo.toml:13 d = { path = '../d' }", ""),
        ];
        assert_eq!(seen, expected.map(|(key, line, inherited)| (key, line.to_owned(), inherited.to_owned())));
    }
}
