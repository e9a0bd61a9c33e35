//! What a still picture shows.
//!
//! Up to [`MOST`] items each get a shape of their own. Beyond that only the items on the routes of
//! findings do, and the others are drawn together, module by module, or package by package where the
//! modules are too many as well. What lies behind a local coordinator is its business, and is drawn
//! only where a finding's route passes it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::model::{Map, Standing};
use crate::finding::{Certainty, HopKind};

/// How many items, groups or subjects one picture shows side by side before it draws them together.
/// A picture of more no longer fits a page at a size that can be read.
pub(super) const MOST: usize = 40;

/// What a shape stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shows {
    /// A lease.
    Lease(usize),
    /// An item.
    Item(usize),
    /// Several items.
    Group {
        /// The module or package.
        name: String,
        /// The items.
        items: Vec<usize>,
    },
    /// A coordinator or workload.
    Stop(usize),
    /// What is offended with.
    Subject(usize),
    /// Further subjects: how many.
    MoreSubjects(usize),
}

/// One shape.
#[derive(Clone, Debug)]
pub struct Shape {
    /// What it stands for.
    pub shows: Shows,
    /// Its first line.
    pub title: String,
    /// Its second line.
    pub below: String,
    /// What kind of shape it is, in a word.
    pub class: &'static str,
    /// The module that it is of; empty for what is no code.
    pub module: String,
}

/// A line from one shape to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What it stands for.
    pub kinds: BTreeSet<HopKind>,
    /// Whether every hop that it stands for is one by name only.
    pub by_name: bool,
    /// Whether it ends at what cuts routes.
    pub cut: bool,
    /// Whether a shortest route takes it.
    pub shortest: bool,
    /// If it is on the route of findings: what the worst of them came to.
    pub offends: Option<Standing>,
}

/// Shapes and lines.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The shapes, in the order in which they are reached.
    pub shapes: Vec<Shape>,
    /// The lines, sorted.
    pub lines: Vec<Line>,
}

impl Picture {
    /// The whole path.
    pub fn overview(map: &Map) -> Self {
        let routes = map.on_routes();
        let shown: Vec<usize> =
            (0..map.items.len()).filter(|item| map.items[*item].behind.is_none() || routes.contains(item)).collect();
        let apart = if routes.len() <= MOST { routes } else { BTreeSet::new() };
        let mut places = vec![None; map.items.len()];
        if shown.len() <= MOST {
            shown.iter().for_each(|item| places[*item] = Some(Place::Alone));
            return draw(map, &places);
        }
        let rest: Vec<usize> = shown.iter().copied().filter(|item| !apart.contains(item)).collect();
        let mut groups = grouped(&rest, |item| map.items[item].module.clone());
        if groups.len() > MOST {
            groups = grouped(&rest, |item| map.items[item].package.clone());
        }
        join_small(&mut groups);
        apart.iter().for_each(|item| places[*item] = Some(Place::Alone));
        for (name, items) in groups {
            items.iter().for_each(|item| places[*item] = Some(Place::In(name.clone())));
        }
        draw(map, &places)
    }

    /// One module: its items, and what they have to do with directly.
    pub fn of_module(map: &Map, module: &str) -> Self {
        let routes = map.on_routes();
        let mut inside: Vec<usize> = (0..map.items.len()).filter(|item| map.items[*item].module == module).collect();
        let mut places = vec![None; map.items.len()];
        if inside.len() > MOST {
            let outward: BTreeSet<usize> = (map.edges.iter())
                .filter(|edge| map.items[edge.from].module != map.items[edge.to].module)
                .flat_map(|edge| [edge.from, edge.to])
                .collect();
            inside.sort_by_key(|item| (!routes.contains(item), !outward.contains(item), *item));
            let rest = format!("{module}, the rest");
            inside.split_off(MOST).into_iter().for_each(|item| places[item] = Some(Place::In(rest.clone())));
        }
        inside.iter().for_each(|item| places[*item] = Some(Place::Alone));
        let near: BTreeSet<usize> = (map.edges.iter())
            .filter(|edge| (map.items[edge.from].module == module) != (map.items[edge.to].module == module))
            .flat_map(|edge| [edge.from, edge.to])
            .filter(|item| map.items[*item].module != module)
            .collect();
        let near: Vec<usize> = near.into_iter().collect();
        let mut groups = grouped(&near, |item| map.items[item].module.clone());
        join_small(&mut groups);
        for (name, items) in groups {
            items.iter().for_each(|item| places[*item] = Some(Place::In(name.clone())));
        }
        draw(map, &places)
    }
}

/// Where an item is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Alone,
    In(String),
}

fn grouped(items: &[usize], by: impl Fn(usize) -> String) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    items.iter().for_each(|item| groups.entry(by(*item)).or_default().push(*item));
    groups
}

/// Joins the smallest groups to one, so that at most [`MOST`] are left.
fn join_small(groups: &mut BTreeMap<String, Vec<usize>>) {
    if groups.len() <= MOST {
        return;
    }
    let mut names: Vec<(usize, String)> = groups.iter().map(|(name, items)| (items.len(), name.clone())).collect();
    names.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let small = names.split_off(MOST - 1);
    let joined: Vec<usize> = small.iter().filter_map(|(_, name)| groups.remove(name)).flatten().collect();
    groups.insert(format!("{} smaller groups", small.len()), joined);
}

fn draw(map: &Map, places: &[Option<Place>]) -> Picture {
    let mut drawing = Drawing::default();
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (item, place) in places.iter().enumerate() {
        if let Some(Place::In(name)) = place {
            groups.entry(name).or_default().push(item);
        }
    }
    for (number, place) in places.iter().enumerate() {
        let shape = match place {
            None => continue,
            Some(Place::Alone) => {
                let item = &map.items[number];
                let class = if item.selected_by.is_empty() { "reached" } else { "selected" };
                let below = format!("{} in {}", item.kind, item.module);
                let title = item.name().to_owned();
                Shape { shows: Shows::Item(number), title, below, class, module: item.module.clone() }
            }
            Some(Place::In(name)) => {
                let Some(items) = groups.remove(name.as_str()) else { continue };
                let selected = items.iter().any(|item| !map.items[*item].selected_by.is_empty());
                let class = if selected { "group selected" } else { "group" };
                let below = format!("{} item{}", items.len(), if items.len() == 1 { "" } else { "s" });
                let shows = Shows::Group { name: name.clone(), items };
                Shape { shows, title: name.clone(), below, class, module: name.clone() }
            }
        };
        drawing.add(shape);
    }
    drawing.code(map);
    drawing.stops(map);
    drawing.offenders(map);
    drawing.leases(map);
    drawing.finish()
}

#[derive(Default)]
struct Drawing {
    shapes: Vec<Shape>,
    at: BTreeMap<usize, usize>,
    stop_at: BTreeMap<usize, usize>,
    lease_at: BTreeMap<usize, usize>,
    lines: BTreeMap<(usize, usize), Line>,
}

impl Drawing {
    fn add(&mut self, shape: Shape) -> usize {
        let number = self.shapes.len();
        match &shape.shows {
            Shows::Item(item) => self.at.extend([(*item, number)]),
            Shows::Group { items, .. } => self.at.extend(items.iter().map(|item| (*item, number))),
            Shows::Stop(stop) => self.stop_at.extend([(*stop, number)]),
            Shows::Lease(lease) => self.lease_at.extend([(*lease, number)]),
            Shows::Subject(_) | Shows::MoreSubjects(_) => {}
        }
        self.shapes.push(shape);
        number
    }

    fn line(&mut self, from: usize, to: usize, kind: Option<HopKind>, by_name: bool) -> &mut Line {
        let line = self.lines.entry((from, to)).or_insert_with(|| Line { from, to, by_name: true, ..Line::default() });
        line.by_name &= by_name;
        line.kinds.extend(kind);
        line
    }

    fn code(&mut self, map: &Map) {
        for stop in map.edges.iter().filter_map(|edge| map.items[edge.to].behind) {
            self.stop(map, stop);
        }
        for edge in &map.edges {
            let (Some(&from), Some(&to)) = (self.at.get(&edge.from), self.at.get(&edge.to)) else { continue };
            if from == to {
                continue;
            }
            let by_name = edge.certainty == Certainty::ByName;
            match (map.items[edge.from].behind, map.items[edge.to].behind) {
                (None, Some(stop)) => {
                    let stop = self.stop(map, stop);
                    self.line(stop, to, Some(edge.kind), by_name).shortest |= edge.shortest;
                }
                _ => self.line(from, to, Some(edge.kind), by_name).shortest |= edge.shortest,
            }
        }
    }

    fn stop(&mut self, map: &Map, stop: usize) -> usize {
        if let Some(at) = self.stop_at.get(&stop) {
            return *at;
        }
        let of = &map.stops[stop];
        let class = match of.kind {
            super::StopKind::Coordinator => "stop coordinator",
            super::StopKind::Workload => "stop workload",
        };
        let below = of.kind.word().to_owned();
        self.add(Shape { shows: Shows::Stop(stop), title: of.name.clone(), below, class, module: String::new() })
    }

    fn stops(&mut self, map: &Map) {
        for (number, stop) in map.stops.iter().enumerate() {
            let from: BTreeSet<usize> = stop.cuts.iter().filter_map(|(item, _)| self.at.get(item).copied()).collect();
            for from in from {
                let to = self.stop(map, number);
                let line = self.line(from, to, None, false);
                line.cut = true;
                line.shortest = true;
            }
        }
    }

    fn offenders(&mut self, map: &Map) {
        let mut subject_at: BTreeMap<usize, usize> = BTreeMap::new();
        let near = |subject: usize, drawing: &Self| {
            let mut of_subject = map.offenders.iter().filter(|offender| offender.subject == Some(subject));
            of_subject.any(|offender| offender.item.is_none_or(|item| drawing.at.contains_key(&item)))
        };
        let wanted: Vec<usize> = (0..map.subjects.len()).filter(|subject| near(*subject, self)).collect();
        for &number in wanted.iter().take(MOST) {
            let subject = &map.subjects[number];
            let class = match subject.standing {
                Standing::Denied => "offender denied",
                Standing::Warned => "offender warned",
                Standing::Forgiven => "offender forgiven",
            };
            let below = match subject.standing {
                Standing::Denied => subject.lint.to_owned(),
                standing => format!("{}, {}", subject.lint, standing.word()),
            };
            let shows = Shows::Subject(number);
            let shape = Shape { shows, title: subject.name.clone(), below, class, module: String::new() };
            subject_at.insert(number, self.add(shape));
        }
        if let Some(more) = wanted.len().checked_sub(MOST).filter(|more| *more > 0) {
            let title = format!("and {more} more");
            let shows = Shows::MoreSubjects(more);
            let shape =
                Shape { shows, title, below: "findings".into(), class: "offender denied", module: String::new() };
            let at = self.add(shape);
            subject_at.extend(wanted.iter().skip(MOST).map(|number| (*number, at)));
        }
        for offender in &map.offenders {
            let Some(&to) = offender.subject.as_ref().and_then(|subject| subject_at.get(subject)) else { continue };
            let from = match offender.item {
                Some(item) => self.at.get(&item).copied(),
                None => offender.lease.map(|lease| self.lease(map, lease)),
            };
            let Some(from) = from else { continue };
            let worst = |line: &mut Line| {
                let standing = offender.standing;
                line.offends = Some(line.offends.map_or(standing, |known| known.min(standing)));
            };
            let line = self.line(from, to, None, false);
            line.shortest = true;
            worst(line);
            let hops = offender.route.iter().filter_map(|(_, item)| *item);
            let mut before = map.start(offender);
            for item in hops.chain(offender.item) {
                let ends = before.and_then(|before| Some((*self.at.get(&before)?, *self.at.get(&item)?)));
                if let Some(line) = ends.and_then(|ends| self.lines.get_mut(&ends)) {
                    worst(line);
                }
                before = Some(item);
            }
        }
    }

    fn lease(&mut self, map: &Map, lease: usize) -> usize {
        if let Some(at) = self.lease_at.get(&lease) {
            return *at;
        }
        let title = map.leases[lease].name.clone();
        let shows = Shows::Lease(lease);
        self.add(Shape { shows, title, below: "lease".into(), class: "lease", module: String::new() })
    }

    /// From each lease to what it selects; what another selected shape leads to needs no line.
    fn leases(&mut self, map: &Map) {
        for lease in 0..map.leases.len() {
            let selected: BTreeSet<usize> = (self.at.iter())
                .filter(|(item, _)| map.items[**item].selected_by.contains(&lease))
                .map(|(_, at)| *at)
                .collect();
            if selected.is_empty() {
                continue;
            }
            let inner: BTreeSet<usize> = (self.lines.keys())
                .filter(|(from, to)| selected.contains(from) && selected.contains(to))
                .map(|(_, to)| *to)
                .collect();
            let first: BTreeSet<usize> = selected.difference(&inner).copied().collect();
            let from = self.lease(map, lease);
            for to in if first.is_empty() { selected } else { first } {
                self.line(from, to, None, false).shortest = true;
            }
        }
    }

    /// Puts the shapes in the order in which they are reached.
    fn finish(self) -> Picture {
        let mut depth: Vec<Option<usize>> = vec![None; self.shapes.len()];
        let mut open: VecDeque<usize> = self.lease_at.values().copied().collect();
        open.iter().for_each(|at| depth[*at] = Some(0));
        while let Some(at) = open.pop_front() {
            for (_, line) in self.lines.range((at, 0)..=(at, usize::MAX)) {
                if depth[line.to].is_none() {
                    depth[line.to] = depth[at].map(|depth| depth + 1);
                    open.push_back(line.to);
                }
            }
        }
        let mut order: Vec<usize> = (0..self.shapes.len()).collect();
        order.sort_by_key(|at| (depth[*at].unwrap_or(usize::MAX), *at));
        let mut number = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, old)| number[*old] = new);
        let mut shapes: Vec<Option<Shape>> = self.shapes.into_iter().map(Some).collect();
        let mut lines: Vec<Line> = self.lines.into_values().collect();
        lines.iter_mut().for_each(|line| (line.from, line.to) = (number[line.from], number[line.to]));
        lines.sort_by_key(|line| (line.from, line.to));
        Picture { shapes: order.iter().filter_map(|old| shapes[*old].take()).collect(), lines }
    }
}
