//! Items by their names.

use camino::Utf8PathBuf;

use super::{ItemId, World};
use crate::source::ItemKind;

impl World<'_> {
    /// The functions of the local packages that have one of these words (in lower case) between the underscores of
    /// their names, in the order of paths and places.
    pub fn functions_with(&mut self, words: &[&str]) -> Vec<ItemId> {
        let is_function = |kind: &ItemKind| matches!(kind, ItemKind::Fn(function) if function.body.is_some());
        let mut found = self.items_in_files_with(words, is_function);
        found.retain(|&item| {
            let name = self.item(item).name.to_lowercase();
            name.split('_').any(|word| words.contains(&word))
        });
        found
    }

    /// The items of the local packages that are called so, in the order of paths and places.
    pub fn items_called(&mut self, name: &str) -> Vec<ItemId> {
        let mut found = self.items_in_files_with(&[name], |_| true);
        found.retain(|&item| &*self.item(item).name == name);
        found
    }

    fn items_in_files_with(&mut self, words: &[&str], keep: impl Fn(&ItemKind) -> bool) -> Vec<ItemId> {
        let holds = |text: &str, word: &&str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        let wanted = self.files_where(&|text| words.iter().any(|word| holds(text, word)));
        wanted.iter().flat_map(|path| self.items_of_file(path, &keep)).collect()
    }

    /// The files of all local packages whose text passes, parsed, in the order of paths.
    pub(super) fn files_where(&mut self, passes: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Utf8PathBuf> {
        use rayon::prelude::*;
        self.expand_all();
        let paths: Vec<Utf8PathBuf> = self.by_file.keys().cloned().collect();
        let table = self.files;
        let is_wanted = |path: &&Utf8PathBuf| table.load(path).is_ok_and(|file| passes(&table.get(file).text));
        let wanted: Vec<Utf8PathBuf> = paths.par_iter().filter(is_wanted).cloned().collect();
        self.parse_ahead(wanted.iter().cloned());
        wanted
    }
}
