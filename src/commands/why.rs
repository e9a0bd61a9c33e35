//! `why PATH`: whether and how an item, a file or a crate comes onto the lease path.

use std::{collections::BTreeSet, io::Write};

use camino::Utf8Path;

use super::check::{current_folder, prepared, refuse};
use crate::{
    base::{Files, nearest, visible},
    cli::{Screen, Why},
    finding::{Certainty, Hop, Problem, Verdict},
    project::{Manifests, PackageId, graph::Graph, same_name},
    reach::{Anchor, Anchored, EventKind, NodeId, Target, Trail, Walks},
    resolve::OutsideCrate,
    run::{LeaseView, Prepared, on_deep_stack, reader, view},
    types::Reader,
};

/// What is asked about.
enum Subject {
    /// Places in the local packages.
    Code(BTreeSet<Anchor>),
    /// A file, as shown.
    File(String),
    /// A package by its name.
    Package(String),
}

/// One answer.
struct Answer {
    lease: String,
    /// The way there, if there is one, with the place at its end.
    way: Option<(Vec<Hop>, Option<String>)>,
    selected: bool,
    seen: String,
}

/// Answers. 0 whether it is on the path or not, 2 if nothing has the name.
///
/// # Errors
/// Where the answer cannot be written.
pub(super) fn why(asked: &Why, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let prepared = match prepared(&asked.scope, &asked.project)? {
        Ok(prepared) => prepared,
        Err(failed) => return refuse(&failed.problems, &failed.files, screen),
    };
    match on_deep_stack(|| answers(&prepared, &asked.what)) {
        Ok(Ok(answers)) => {
            for answer in &answers {
                tell(answer, &asked.what, &prepared.files, out)?;
            }
            Ok(Verdict::Clean)
        }
        Ok(Err(problems)) => refuse(&problems, &prepared.files, screen),
        Err(problem) => refuse(&[problem], &prepared.files, screen),
    }
}

fn tell(answer: &Answer, what: &str, files: &Files, out: &mut dyn Write) -> anyhow::Result<()> {
    let (what, lease) = (visible(what), visible(&answer.lease));
    let Some((hops, end)) = &answer.way else {
        writeln!(out, "`{what}` is not on the path of lease `{lease}`")?;
        writeln!(out, "  {}", visible(&answer.seen))?;
        return Ok(());
    };
    if answer.selected && hops.is_empty() {
        let how = if end.is_some() { "what the rules select names it" } else { "the rules select it" };
        writeln!(out, "`{what}` is on the lease path of `{lease}`: {how}")?;
    } else {
        let count = hops.len();
        writeln!(out, "`{what}` is reached from lease `{lease}`, by {count} hop{}", if count == 1 { "" } else { "s" })?;
    }
    for (at, hop) in hops.iter().enumerate() {
        let file = files.get(hop.place.file);
        let place = file.line_column(hop.place.start);
        let sure =
            if hop.certainty == Certainty::ByName { " (by name: the receiver's type does not show)" } else { "" };
        let place = format!("{}:{}:{}", file.path, place.line, place.column);
        writeln!(out, "  {}. {}  {} `{}`{sure}", at + 1, visible(&place), hop.kind.verb(), visible(&hop.item))?;
    }
    if let Some(end) = end {
        writeln!(out, "  {}", visible(end))?;
    }
    Ok(())
}

fn answers(prepared: &Prepared, what: &str) -> Result<Vec<Answer>, Vec<Problem>> {
    let manifests = Manifests::new(&prepared.files, &prepared.workspace);
    let graph = Graph::new(&prepared.workspace, &manifests, &prepared.text, &prepared.cargo);
    let mut reader = reader(prepared);
    let mut walks = Walks::new();
    let subject = subject(prepared, &mut reader, what)?;
    let mut answers = Vec::new();
    for &number in &prepared.leases {
        let view = view(prepared, &mut reader, &graph, &mut walks, number)?;
        let hit =
            view.reached.nodes.iter().enumerate().find_map(|(id, _)| hit(&mut reader, prepared, &view, id, &subject));
        let trail = Trail { reader: &reader, selection: &view.selection, reached: &view.reached };
        answers.push(Answer {
            lease: prepared.rules.leases[number].name.value.clone(),
            selected: hit.as_ref().is_some_and(|(id, _)| view.reached.nodes[*id].step.is_none()),
            way: hit.map(|(id, end)| (trail.route(id), end)),
            seen: seen(prepared, &reader, &graph, &view, &subject),
        });
    }
    Ok(answers)
}

/// Tells what a name means: a Rust path, a file, a package.
fn subject(prepared: &Prepared, reader: &mut Reader<'_>, what: &str) -> Result<Subject, Vec<Problem>> {
    let from = |folder: &Utf8Path| Some(folder.join(what)).filter(|path| path.is_file());
    let here = || current_folder().ok().and_then(|folder| from(&folder));
    let path = from(&prepared.workspace.root).or_else(here).unwrap_or_else(|| prepared.workspace.root.join(what));
    if what.ends_with(".rs") || (what.contains('/') && path.is_file()) {
        if path.is_file() {
            return Ok(Subject::File(prepared.files.shown(&path)));
        }
        return Err(vec![Problem {
            message: format!("there is no file `{what}` in the workspace"),
            place: None,
            help: "paths start at the workspace root, or at the current folder".to_owned(),
        }]);
    }
    let packages = &prepared.workspace.packages;
    let declared = packages.iter().flat_map(|package| package.dependencies.iter().map(|d| d.package.as_str()));
    let known: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).chain(declared).collect();
    match reader.anchor(what) {
        Anchored::At(at) => Ok(Subject::Code(at)),
        Anchored::Broken(module) => Err(vec![reader.broken_problem_at(module, None)]),
        Anchored::Outside(package) => Ok(Subject::Package(package)),
        Anchored::Nowhere(near) => match known.iter().find(|name| same_name(name, what)) {
            Some(name) => Ok(Subject::Package((*name).to_owned())),
            None => {
                let ends: Vec<String> = ending_in(reader, what);
                if !ends.is_empty() {
                    return Err(vec![Problem {
                        message: format!("`{what}` is no path from a crate's name"),
                        place: None,
                        help: format!("did you mean `{}`?", ends.join("`, or `")),
                    }]);
                }
                let near = nearest(what, known.iter().copied().chain(near.iter().map(String::as_str)));
                Err(vec![Problem {
                    message: format!("nothing in this workspace is called `{what}`"),
                    place: None,
                    help: match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "give a Rust path from a crate's name, a file, or a package".to_owned(),
                    },
                }])
            }
        },
    }
}

/// The paths of items that end in what was asked for, a few of them.
fn ending_in(reader: &mut Reader<'_>, what: &str) -> Vec<String> {
    const MOST: usize = 4;
    let last = what.rsplit("::").next().unwrap_or(what);
    let end = format!("::{what}");
    let found = reader.items_called(last);
    let paths: BTreeSet<String> =
        found.into_iter().map(|item| reader.item_path(item)).filter(|path| path.ends_with(&end)).collect();
    paths.into_iter().take(MOST).collect()
}

/// Whether a node is, or names, what is asked about; with a word on the place at the end.
fn hit(
    reader: &mut Reader<'_>,
    prepared: &Prepared,
    view: &LeaseView,
    id: NodeId,
    subject: &Subject,
) -> Option<(NodeId, Option<String>)> {
    let node = &view.reached.nodes[id];
    match subject {
        Subject::Code(at) => {
            let inner = match &node.target {
                Target::Item(item) | Target::Default(item, _) | Target::Macro(item, _) => Anchor::Item(*item),
                Target::Field(item, variant, field) => Anchor::Field(*item, *variant, *field),
                Target::Scanned(module) => Anchor::Module(*module),
                _ => return None,
            };
            at.iter().any(|outer| reader.holds(outer, &inner)).then_some((id, None))
        }
        Subject::File(shown) => {
            let span = match &node.target {
                Target::Item(item) | Target::Default(item, _) | Target::Macro(item, _) => reader.item(*item).span,
                _ => node.events.first()?.span,
            };
            (prepared.files.get(span.file).path == *shown).then_some((id, None))
        }
        Subject::Package(name) => node.events.iter().find_map(|event| {
            let path = match &event.kind {
                EventKind::Outside { path, .. } => match &path.krate {
                    OutsideCrate::Package(package, _) if same_name(package, name) => path.to_string(),
                    _ => return None,
                },
                EventKind::LocalCrate { package, .. } => {
                    let package = &prepared.workspace.package(*package).name;
                    if !same_name(package, name) {
                        return None;
                    }
                    package.clone()
                }
                _ => return None,
            };
            let file = prepared.files.get(event.span.file);
            let at = file.line_column(event.span.start);
            Some((id, Some(format!("named at {}:{}:{} as `{path}`", file.path, at.line, at.column))))
        }),
    }
}

/// What was seen where the answer is no.
fn seen(prepared: &Prepared, reader: &Reader<'_>, graph: &Graph<'_>, view: &LeaseView, subject: &Subject) -> String {
    let all = view.reached.nodes.len();
    let nearby = match subject {
        Subject::Code(at) => {
            let items: BTreeSet<String> = at
                .iter()
                .map(|anchor| match anchor {
                    Anchor::Module(module) => reader.module_path(*module),
                    Anchor::Item(item) | Anchor::Parameter(item, _) | Anchor::Field(item, ..) => {
                        let span = reader.item(*item).span;
                        let file = prepared.files.get(span.file);
                        format!("{} at {}:{}", reader.item_path(*item), file.path, file.line_column(span.start).line)
                    }
                })
                .collect();
            format!(
                "it is there ({}), but nothing that the lease reaches names or calls it",
                items.into_iter().collect::<Vec<_>>().join(", ")
            )
        }
        Subject::File(_) => "no item of that file is reached".to_owned(),
        Subject::Package(name) => {
            let is_it = |id: &PackageId| same_name(&prepared.workspace.package(*id).name, name);
            let is_linked = view.packages.iter().any(|&of| graph.linked(of).is_ok_and(|all| all.iter().any(is_it)));
            let linked = match is_linked {
                // Without the graph nothing is known of what a named crate brings along.
                _ if !prepared.text.has_graph => "; whether its builds link it was not looked at (--no-deps)",
                true => ", but its builds link it: `tree` shows what brings it in",
                false => ", and its builds do not link it",
            };
            format!("no code that the lease reaches names it{linked}")
        }
    };
    let followed = if all == 1 { "1 place was followed" } else { &format!("{all} places were followed") };
    format!("{nearby}; {followed}")
}
