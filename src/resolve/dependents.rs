//! Which local packages can name what, and what their files say, word by word.
//!
//! An item can be named in its own package and in those that depend on it, through others or not. An impl of a
//! trait, a caller of a function or another name for a type stands nowhere else, so that only the files of
//! those are read, and of them only those parsed that have the word.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use aho_corasick::AhoCorasick;
use camino::Utf8PathBuf;

use super::{
    ItemId, KrateId, World,
    expand::is_word,
    words::{FileWords, WordIndex},
};
use crate::project::{DependencyKind, PackageId};

impl World<'_> {
    /// A local package and all local packages that depend on it, through others or not, in order.
    pub fn dependents(&mut self, of: PackageId) -> Rc<[PackageId]> {
        if let Some(known) = self.dependents.get(&of) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::from([of]);
        let mut fresh = vec![of];
        while let Some(of) = fresh.pop() {
            for (id, package) in self.workspace.local() {
                let mut normal = package.dependencies.iter().filter(|one| one.kind == DependencyKind::Normal);
                if normal.any(|one| one.resolved == Some(of)) && found.insert(id) {
                    fresh.push(id);
                }
            }
        }
        let found: Rc<[PackageId]> = found.into_iter().collect();
        self.dependents.insert(of, Rc::clone(&found));
        found
    }

    /// The packages in which an item can be named.
    pub fn packages_naming(&mut self, item: ItemId) -> Rc<[PackageId]> {
        let package = self.package_of(self.module_of(item));
        self.dependents(package)
    }

    /// What the files of some packages say, package by package.
    pub(super) fn words_of(&mut self, packages: &[PackageId]) -> Vec<Rc<WordIndex>> {
        use rayon::prelude::*;
        let fresh: BTreeSet<PackageId> = packages.iter().filter(|id| !self.words.contains_key(id)).copied().collect();
        if !fresh.is_empty() {
            let krates: Vec<KrateId> =
                self.krates().filter(|(_, krate)| fresh.contains(&krate.package)).map(|(id, _)| id).collect();
            self.expand(&krates);
            let mut files: BTreeMap<PackageId, Vec<Utf8PathBuf>> = fresh.iter().map(|&id| (id, Vec::new())).collect();
            for (path, modules) in &self.by_file {
                let of: BTreeSet<PackageId> = modules.iter().map(|&module| self.package_of(module)).collect();
                for package in of {
                    if let Some(files) = files.get_mut(&package) {
                        files.push(path.clone());
                    }
                }
            }
            let table = self.files;
            for (package, files) in files {
                let words: Vec<FileWords> = files
                    .par_iter()
                    .map(|path| table.load(path).map(|file| FileWords::of(&table.get(file).text)).unwrap_or_default())
                    .collect();
                self.words.insert(package, Rc::new(WordIndex::new(files, words)));
            }
        }
        packages.iter().filter_map(|id| self.words.get(id).cloned()).collect()
    }

    /// Names that a name is imported or aliased as in some packages, and that such a name is in turn; itself
    /// first.
    pub fn names_for(&mut self, name: &str, packages: &[PackageId]) -> BTreeSet<String> {
        let words = self.words_of(packages);
        let mut names = BTreeSet::new();
        let mut fresh = vec![name.to_owned()];
        while let Some(name) = fresh.pop() {
            if !names.contains(&name) {
                fresh.extend(words.iter().flat_map(|words| words.aliases(&name)).map(str::to_owned));
                names.insert(name);
            }
        }
        names
    }

    /// Files of some packages with an impl whose header has one of these words.
    pub(super) fn files_with_header(
        &mut self,
        names: &BTreeSet<String>,
        packages: &[PackageId],
    ) -> BTreeSet<Utf8PathBuf> {
        let mut found = BTreeSet::new();
        for words in self.words_of(packages) {
            let files = names.iter().flat_map(|name| words.with_header(name));
            found.extend(files.map(|file| words.files[file].clone()));
        }
        found
    }

    /// Files of some packages that have one of these words, with those that each has. A word with a second one
    /// counts only in files that have both.
    pub fn files_with_words(
        &mut self,
        words: &BTreeMap<String, Option<String>>,
        packages: &[PackageId],
    ) -> Vec<(Utf8PathBuf, BTreeSet<String>)> {
        use rayon::prelude::*;
        let sought: BTreeSet<&str> = words
            .iter()
            .flat_map(|(word, second)| [Some(word), second.as_ref()])
            .flatten()
            .map(String::as_str)
            .collect();
        let sought: Vec<&str> = sought.into_iter().collect();
        let Ok(search) = AhoCorasick::new(&sought) else { return Vec::new() };
        let indices = self.words_of(packages);
        let files: BTreeSet<&Utf8PathBuf> = indices.iter().flat_map(|words| &words.files).collect();
        let table = self.files;
        let in_file = |path: &Utf8PathBuf| {
            let file = table.get(table.load(path).ok()?);
            let text = file.text.as_bytes();
            let mut here: BTreeSet<&str> = BTreeSet::new();
            for found in search.find_overlapping_iter(text) {
                let starts = found.start() == 0 || !is_word(text[found.start() - 1]);
                let ends = text.get(found.end()).is_none_or(|c| !is_word(*c));
                if starts && ends {
                    here.insert(sought[found.pattern().as_usize()]);
                }
            }
            let has = |word: &String| here.contains(word.as_str());
            let found = words.iter().filter(|(word, second)| has(word) && second.as_ref().is_none_or(has));
            let found: BTreeSet<String> = found.map(|(word, _)| word.clone()).collect();
            (!found.is_empty()).then(|| (path.clone(), found))
        };
        files.into_par_iter().filter_map(in_file).collect()
    }
}
