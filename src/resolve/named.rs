//! Functions by the words of their names.

use camino::Utf8PathBuf;

use super::{ItemId, World};
use crate::source::ItemKind;

impl World<'_> {
    /// The functions of the local packages that have one of these words (in lower case) between the underscores of
    /// their names, in the order of paths and places.
    pub fn functions_with(&mut self, words: &[&str]) -> Vec<ItemId> {
        use rayon::prelude::*;
        self.expand_all();
        let paths: Vec<Utf8PathBuf> = self.by_file.keys().cloned().collect();
        let table = self.files;
        let is_wanted = |path: &&Utf8PathBuf| {
            let file = table.load(path).map(|file| table.get(file));
            file.is_ok_and(|file| {
                words.iter().any(|word| memchr::memmem::find(file.text.as_bytes(), word.as_bytes()).is_some())
            })
        };
        let wanted: Vec<Utf8PathBuf> = paths.par_iter().filter(is_wanted).cloned().collect();
        self.parse_ahead(wanted.iter().cloned());
        let mut found = Vec::new();
        for path in wanted {
            let functions =
                self.items_of_file(&path, |kind| matches!(kind, ItemKind::Fn(function) if function.body.is_some()));
            found.extend(functions.into_iter().filter(|&item| {
                let name = self.item(item).name.to_lowercase();
                name.split('_').any(|word| words.contains(&word))
            }));
        }
        found
    }
}
