//! Checks the planted copy.

use std::collections::BTreeSet;

use super::{EXTERN_NAME, PACKAGE, Plant, Spot, plant::planted, plants};
use crate::{
    finding::{Level, Problem},
    lints::{Sql, find, forbidden_names},
    project::{Dependency, DependencyKind, Manifests, Workspace, graph::Graph},
    reach::Walks,
    run::{Prepared, reader, view},
};

/// What the canary found out about one lease.
#[derive(Debug)]
pub struct Song {
    /// The lease's name.
    pub lease: String,
    /// Planted in modules, in items, in reached functions.
    pub planted: [usize; 3],
    /// Plants that the check reported.
    pub found: usize,
    /// Plants that the check did not report, and generated code in which none can stand.
    pub missed: Vec<Missed>,
}

/// A place where an offence would not be found.
#[derive(Debug)]
pub struct Missed {
    /// What it is.
    pub what: String,
    /// Where, as `file:line`.
    pub place: String,
    /// Why it was not found.
    pub why: String,
}

/// Plants in every lease that was asked for, and looks whether every plant is found.
///
/// # Errors
/// What keeps the check itself from looking.
pub fn sing(prepared: &Prepared) -> Result<Vec<Song>, Vec<Problem>> {
    let mut songs = Vec::new();
    for &number in &prepared.leases {
        songs.push(sing_one(prepared, number)?);
    }
    Ok(songs)
}

fn sing_one(prepared: &Prepared, number: usize) -> Result<Song, Vec<Problem>> {
    let manifests = Manifests::new(&prepared.files, &prepared.workspace);
    let graph = Graph::new(&prepared.workspace, &manifests, &prepared.text, &prepared.cargo);
    let mut plain = reader(prepared);
    let mut walks = Walks::new();
    let before = view(prepared, &mut plain, &graph, &mut walks, number)?;
    let (places, opaque) = plants(&mut plain, &before);
    // What nobody hears about is not found.
    let found = if is_silenced(prepared) { BTreeSet::new() } else { found_in_copy(prepared, number, &places)? };
    let place = |span: crate::base::Span| {
        let file = prepared.files.get(span.file);
        format!("{}:{}", file.path, file.line_column(span.start).line)
    };
    let mut missed: Vec<Missed> = Vec::new();
    for span in opaque {
        missed.push(Missed {
            what: prepared.files.text(span).split_whitespace().collect::<Vec<_>>().join(" "),
            place: place(span),
            why: "a build writes this code, so nothing in it can be seen; include it from the source tree".to_owned(),
        });
    }
    for plant in places.iter().filter(|plant| !found.contains(&Plant::name(plant.number))) {
        missed.push(Missed { what: plant.what.clone(), place: place(plant.span), why: why(prepared, plant) });
    }
    let count = |spot| places.iter().filter(|plant| plant.spot == spot).count();
    Ok(Song {
        lease: prepared.rules.leases[number].name.value.clone(),
        found: places.iter().filter(|plant| found.contains(&Plant::name(plant.number))).count(),
        planted: [count(Spot::Module), count(Spot::Item), count(Spot::Reached)],
        missed,
    })
}

/// The lint that reports a plant.
const LINT: &str = "forbidden-crate";

fn is_silenced(prepared: &Prepared) -> bool {
    find(LINT).is_ok_and(|lint| prepared.levels.of(lint) == Level::Allow)
}

fn why(prepared: &Prepared, plant: &Plant) -> String {
    if is_silenced(prepared) {
        return format!("the rules set `{LINT}` to allow, so no offence is reported");
    }
    if prepared.in_force.client(PACKAGE).is_none() {
        return "the rules switch the pack `model-clients` off, so no model client is reported".to_owned();
    }
    match (&plant.cut, &plant.caller) {
        (Some(workload), _) => format!("the workload `{workload}` cuts it off"),
        (None, Some(caller)) => format!("`{caller}` calls it, but the check does not come there"),
        (None, None) => "the check did not report it: this is a fault of the tool, report it".to_owned(),
    }
}

/// The names of the plants that a check of the planted copy reports.
fn found_in_copy(prepared: &Prepared, number: usize, plants: &[Plant]) -> Result<BTreeSet<String>, Vec<Problem>> {
    let copy = prepared.replanted(planted(&prepared.files, plants), |workspace: &mut Workspace| {
        for package in workspace.packages.iter_mut().filter(|package| package.local) {
            package.dependencies.push(Dependency {
                extern_name: EXTERN_NAME.to_owned(),
                package: PACKAGE.to_owned(),
                kind: DependencyKind::Normal,
                ..Dependency::default()
            });
        }
    })?;
    let manifests = Manifests::new(&copy.files, &copy.workspace);
    let graph = Graph::new(&copy.workspace, &manifests, &copy.text, &copy.cargo);
    let mut reader = reader(&copy);
    let view = view(&copy, &mut reader, &graph, &mut Walks::new(), number)?;
    let sql = Sql::default();
    let case = view.case(&copy, &reader, &manifests, None, &sql);
    let prefix = |path: &str| path.rsplit("::").next().map(str::to_owned);
    Ok(forbidden_names(&case).iter().filter_map(|path| prefix(path)).collect())
}
