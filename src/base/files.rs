//! The files that were read, and places in them.
//!
//! A place is a byte range in a file; lines and columns are worked out only when a place is shown.
//! Everything that points at text (sources, manifests, the rules file) goes through [`Files`], so
//! that one renderer can quote any of them. Text can be laid over a path before it is read: the
//! canary plants its offence that way, and nothing on disk changes.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    sync::{Arc, PoisonError, RwLock},
};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// A file that was read, by its number in [`Files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A place: bytes `start..end` of a file, counted from 0, as the file stands on disk (a byte-order
/// mark and a shebang line count).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
}

/// A value, with the place that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// A line and a column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters (Unicode scalar values).
    pub column: u32,
}

/// One file's text.
#[derive(Debug)]
pub struct SourceFile {
    /// Relative to the workspace root, with `/`; starts with `../` for a file outside it.
    pub path: String,
    /// Where it lies.
    pub absolute: Utf8PathBuf,
    /// The whole text, as on disk.
    pub text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(path: String, absolute: Utf8PathBuf, text: String) -> Self {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
        let line_starts = std::iter::once(0).chain(newlines.map(|at| clamp(at + 1))).collect();
        Self { path, absolute, text, line_starts }
    }

    /// The line and column of a byte. A byte inside a character counts as that character.
    pub fn line_column(&self, byte: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|&start| start <= byte).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0) as usize;
        let mut end = (byte as usize).clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let column = self
            .text
            .get(start..end)
            .map_or(0, |s| s.strip_prefix('\u{feff}').filter(|_| start == 0).unwrap_or(s).chars().count());
        LineColumn { line: clamp(line), column: clamp(column + 1) }
    }
}

fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// All files that were read, each once.
#[derive(Debug)]
pub struct Files {
    root: Utf8PathBuf,
    overlay: BTreeMap<Utf8PathBuf, String>,
    table: RwLock<Table>,
}

#[derive(Debug, Default)]
struct Table {
    files: Vec<Arc<SourceFile>>,
    by_path: HashMap<Utf8PathBuf, FileId>,
}

impl Files {
    /// An empty table. Paths are shown relative to `root`, which must be absolute.
    pub fn new(root: impl Into<Utf8PathBuf>) -> Self {
        Self { root: normalise(&root.into()), overlay: BTreeMap::new(), table: RwLock::default() }
    }

    /// The folder that shown paths are relative to.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// A fresh table with the same root, in which `path` reads as `text` whatever is on disk.
    pub fn overlaid(&self, path: &Utf8Path, text: String) -> Self {
        let mut overlay = self.overlay.clone();
        overlay.insert(normalise(path), text);
        Self { root: self.root.clone(), overlay, table: RwLock::default() }
    }

    /// Reads a file, or finds it if it was read before.
    ///
    /// # Errors
    /// What the file system says; `InvalidData` where the file is not UTF-8 or over 4 GiB.
    pub fn load(&self, path: &Utf8Path) -> io::Result<FileId> {
        let path = normalise(path);
        if let Some(id) = self.known(&path) {
            return Ok(id);
        }
        let text = self.read(&path)?;
        Ok(self.add(&path, text))
    }

    /// A file's text, without entering it: what threads do side by side before an ordered [`Files::add`].
    ///
    /// # Errors
    /// As for [`Files::load`].
    pub fn read(&self, path: &Utf8Path) -> io::Result<String> {
        let text = match self.overlay.get(&normalise(path)) {
            Some(text) => text.clone(),
            None => std::fs::read_to_string(path)?,
        };
        if u32::try_from(text.len()).is_err() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is larger than 4 GiB"));
        }
        Ok(text)
    }

    /// Enters a file whose text is at hand. A path that is known already keeps its first text.
    pub fn add(&self, path: &Utf8Path, text: String) -> FileId {
        let path = normalise(path);
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = table.by_path.get(&path) {
            return id;
        }
        let id = FileId(clamp(table.files.len()));
        let shown = relative(&path, &self.root);
        table.files.push(Arc::new(SourceFile::new(shown, path.clone(), text)));
        table.by_path.insert(path, id);
        id
    }

    /// A file that was read.
    pub fn get(&self, id: FileId) -> Arc<SourceFile> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&table.files[id.0 as usize])
    }

    /// The number of a path that was read already.
    pub fn known(&self, path: &Utf8Path) -> Option<FileId> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.by_path.get(&normalise(path)).copied()
    }

    /// How a path is shown: relative to the root, with `/`.
    pub fn shown(&self, path: &Utf8Path) -> String {
        relative(&normalise(path), &self.root)
    }

    /// The text of a place.
    pub fn text(&self, span: Span) -> String {
        let file = self.get(span.file);
        file.text.get(span.start as usize..span.end as usize).unwrap_or_default().to_owned()
    }

    /// What findings are sorted by: the path as shown, then the byte range.
    pub fn order(&self, span: Span) -> (String, u32, u32) {
        (self.get(span.file).path.clone(), span.start, span.end)
    }
}

/// Takes `.` and `..` out of a path without asking the file system (a link is a name like any other).
pub fn normalise(path: &Utf8Path) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

fn relative(path: &Utf8Path, root: &Utf8Path) -> String {
    let (mut ours, mut theirs) = (path.components().peekable(), root.components().peekable());
    while let (Some(a), Some(b)) = (ours.peek(), theirs.peek()) {
        if a != b {
            break;
        }
        ours.next();
        theirs.next();
    }
    let up = theirs.map(|_| "..");
    up.chain(ours.map(|part| part.as_str())).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one_in_characters() {
        let files = Files::new("/w");
        let id = files.add("/w/a.rs".into(), "\u{feff}é = 1;\r\nxy".into());
        let file = files.get(id);
        assert_eq!(file.line_column(3), LineColumn { line: 1, column: 1 });
        assert_eq!(file.line_column(5), LineColumn { line: 1, column: 2 });
        assert_eq!(file.line_column(12), LineColumn { line: 2, column: 1 });
        assert_eq!(file.line_column(99), LineColumn { line: 2, column: 3 });
    }

    #[test]
    fn paths_are_shown_from_the_root() {
        let files = Files::new("/w/main");
        assert_eq!(files.shown("/w/main/src/../a.rs".into()), "a.rs");
        assert_eq!(files.shown("/w/shared/x.rs".into()), "../shared/x.rs");
    }

    #[test]
    fn an_overlay_is_read_instead_of_the_disk() {
        let files = Files::new("/nowhere").overlaid("/nowhere/a.rs".into(), "fn a() {}".into());
        let id = files.load("/nowhere/./a.rs".into()).expect("overlaid");
        assert_eq!(files.get(id).text, "fn a() {}");
    }
}
