//! The trees as a person reads them, and the words that explain the marks.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

use super::forest::Forest;
use crate::{
    base::{counted, visible},
    cli::{Style, style},
    commands::page::{Name, Page, column},
    config::{Lease, PackName},
    project::{
        PackageId,
        graph::{Mark, Tree, TreeLine},
        same_name,
    },
    run::Prepared,
};

/// What is written behind a package, the word that the legend explains first.
struct Note {
    word: &'static str,
    tone: Style,
    text: String,
}

const NAMED: &str = "named";
const COORDINATOR: &str = "coordinator";
const COMPANION: &str = "companion";
const FORBIDDEN: &str = "forbidden";
const REPEATED: &str = "(*)";

pub(super) fn show(prepared: &Prepared, forests: &[Forest], page: &mut Page<'_>) -> io::Result<()> {
    let mut used = BTreeSet::new();
    for forest in forests {
        let lease = &prepared.rules.leases[forest.lease];
        page.heading_and(&format!("lease {}", lease.name.value), &talks_to(lease))?;
        for (package, trees) in &forest.packages {
            for tree in trees {
                page.blank()?;
                if trees.len() > 1 || tree.builds != [*package] {
                    page.text(0, &builds(prepared, &tree.builds))?;
                }
                lines(prepared, forest, tree, &mut used, page)?;
            }
        }
        page.blank()?;
        summary(prepared, forest, page)?;
        page.blank()?;
    }
    legend(&used, page)
}

fn talks_to(lease: &Lease) -> String {
    match lease.coordinators.iter().map(|written| written.value.as_str()).collect::<Vec<_>>().as_slice() {
        [] => "declares no coordinator".to_owned(),
        names => format!("may talk to {}", names.join(", ")),
    }
}

fn builds(prepared: &Prepared, members: &[PackageId]) -> String {
    let names: Vec<String> =
        members.iter().map(|&member| format!("`{}`", prepared.workspace.package(member).name)).collect();
    match names.as_slice() {
        [one] => format!("in the build of {one}:"),
        names => format!("in the builds of {}:", names.join(", ")),
    }
}

fn lines(
    prepared: &Prepared,
    forest: &Forest,
    tree: &Tree,
    used: &mut BTreeSet<&'static str>,
    page: &mut Page<'_>,
) -> io::Result<()> {
    // The packages on the way to a line: its prefix has four columns for each.
    let mut way: Vec<PackageId> = Vec::new();
    for line in &tree.lines {
        way.truncate(line.prefix.chars().count() / 4);
        let notes = notes(prepared, forest, line, way.last().copied());
        way.push(line.package);
        used.extend(notes.iter().map(|note| note.word));
        let package = prepared.workspace.package(line.package);
        let tone = notes.last().map_or(Style::new(), |note| if note.word == NAMED { Style::new() } else { note.tone });
        let mut text =
            format!("{}{tone}{}{tone:#} v{}", line.prefix, visible(&package.name), visible(&package.version));
        if package.local {
            let folder = package.manifest.parent().map(|folder| prepared.files.shown(folder)).unwrap_or_default();
            let folder = if folder.is_empty() { "." } else { &folder };
            text += &format!(" ({})", visible(folder));
        }
        if line.repeated {
            used.insert(REPEATED);
            text += " (*)";
        }
        for (number, Note { word, tone, text: more }) in notes.iter().enumerate() {
            let before = if number == 0 { "  " } else { ", " };
            text += &format!("{before}{tone}{word}{tone:#}{}", visible(more));
        }
        page.raw(format_args!("{text}"))?;
    }
    Ok(())
}

fn notes(prepared: &Prepared, forest: &Forest, line: &TreeLine, above: Option<PackageId>) -> Vec<Note> {
    let name = &prepared.workspace.package(line.package).name;
    let mut notes = Vec::new();
    if above.is_some_and(|above| forest.named.contains(&(above, line.package))) {
        notes.push(Note { word: NAMED, tone: style::LITERAL, text: String::new() });
    }
    match line.mark {
        Mark::None => {}
        Mark::Coordinator => {
            let lease = &prepared.rules.leases[forest.lease];
            let written = lease.coordinator_line(&prepared.packs, name).map_or("", |line| &line.value);
            notes.push(if same_name(written, name) {
                Note { word: COORDINATOR, tone: style::GOOD, text: String::new() }
            } else {
                Note { word: COMPANION, tone: style::GOOD, text: format!(" of {written}") }
            });
        }
        Mark::Forbidden => {
            let pack = prepared.in_force.client(name).and_then(|client| client.pack);
            let text = format!(" ({})", pack.map_or("[forbid]", PackName::word));
            notes.push(Note { word: FORBIDDEN, tone: style::ERROR, text });
        }
    }
    notes
}

fn summary(prepared: &Prepared, forest: &Forest, page: &mut Page<'_>) -> io::Result<()> {
    let all = || forest.packages.iter().flat_map(|(_, trees)| trees).flat_map(|tree| &tree.lines);
    let marked = |mark: Mark| all().filter(|line| line.mark == mark).map(|line| line.package).collect::<BTreeSet<_>>();
    let linked: BTreeSet<PackageId> = all().map(|line| line.package).collect();
    let forbidden = marked(Mark::Forbidden);
    let cuts = marked(Mark::Coordinator).len();
    let offending = match forbidden.len() {
        0 => "nothing forbidden".to_owned(),
        number => format!("{number} forbidden"),
    };
    let linked = counted(linked.len(), "package");
    page.text(0, &format!("{linked} up to the cuts, {}, {offending}", counted(cuts, "coordinator")))?;
    let why: BTreeMap<&str, &str> = forbidden
        .iter()
        .map(|&id| prepared.workspace.package(id).name.as_str())
        .map(|name| (name, prepared.in_force.client(name).map_or("", |client| client.why)))
        .collect();
    let wide = column(why.keys().copied(), 30);
    for (name, why) in why {
        page.entry(Name { word: name, indent: 2, column: wide }, why)?;
    }
    let lease = &prepared.rules.leases[forest.lease];
    let local: Vec<&str> =
        lease.coordinators.iter().map(|written| written.value.as_str()).filter(|name| name.contains("::")).collect();
    if !local.is_empty() {
        let paths = local.join("`, `");
        page.text(0, &format!("`{paths}` is a path in the source: it cuts routes there, and no package of a tree"))?;
    }
    Ok(())
}

fn legend(used: &BTreeSet<&'static str>, page: &mut Page<'_>) -> io::Result<()> {
    let words = BTreeMap::from([
        (NAMED, "code on the lease path, in the package above, names this crate: what it pulls in is judged"),
        (COORDINATOR, "the lease may talk to it; what it pulls in is its own business, so the tree is cut"),
        (COMPANION, "comes with a coordinator, and is cut like one"),
        (FORBIDDEN, "may not be on the lease path; the tree is cut, for what lies behind is not reported again"),
        (REPEATED, "what it links is shown further up"),
    ]);
    let shown: Vec<(&str, &str)> = words.into_iter().filter(|(word, _)| used.contains(word)).collect();
    let wide = column(shown.iter().map(|(word, _)| *word), 20);
    page.heading("Legend")?;
    for (word, text) in shown {
        page.entry(Name { word, indent: 2, column: wide }, text)?;
    }
    page.text(2, "Procedural macros, and what only builds and tests need, are not linked and so are left out.")?;
    page.text(2, "What is linked is no offence yet: `cargo lease-guard` says what the lease path reaches.")
}
