//! Where each shape stands.
//!
//! The layered layout is `dugong`'s, a port of dagre. Three things are kept from it on purpose: it is
//! never given a cycle (lines that lead back are laid out the other way round, and drawn as they are),
//! it ranks by tight trees (the network simplex has no bound on its steps), and it is given bounded
//! pictures only (see `picture`).

use dugong::{
    EdgeLabel, GraphLabel, NodeLabel, RankDir,
    graphlib::{Graph, GraphOptions},
    layout_dagreish,
};
use unicode_width::UnicodeWidthStr;

use super::picture::Picture;

/// How wide one column of the text is, in pixels: a monospaced font of 12 pixels is 7.2 wide.
const COLUMN: f64 = 7.25;
/// The height of a shape of two lines, in pixels.
pub(super) const HEIGHT: f64 = 42.0;
/// The space left and right of the text, in pixels.
const PADDING: f64 = 12.0;
/// The most columns of text in a shape.
pub(super) const COLUMNS: usize = 44;

/// A shape's place: its centre and size, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    /// The centre.
    pub(super) x: f64,
    /// The centre.
    pub(super) y: f64,
    /// The width.
    pub(super) width: f64,
    /// The height.
    pub(super) height: f64,
}

/// A picture, laid out from left to right.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The width of the whole, in pixels.
    pub(super) width: f64,
    /// The height of the whole, in pixels.
    pub(super) height: f64,
    /// The place of each shape.
    pub(super) spots: Vec<Spot>,
    /// The points that each line passes, from its beginning to its end.
    pub(super) ways: Vec<Vec<(f64, f64)>>,
}

/// Lays a picture out.
pub(super) fn layout(picture: &Picture) -> Layout {
    let options = GraphOptions { directed: true, multigraph: false, compound: true };
    let mut graph: Graph<NodeLabel, EdgeLabel, GraphLabel> = Graph::new(options);
    graph.set_graph(GraphLabel {
        rankdir: RankDir::LR,
        nodesep: 14.0,
        edgesep: 10.0,
        ranksep: 64.0,
        ranker: Some("tight-tree".to_owned()),
        ..GraphLabel::default()
    });
    for (at, shape) in picture.shapes.iter().enumerate() {
        let columns = shortened(&shape.title).width().max(shortened(&shape.below).width());
        let width = (columns as f64).mul_add(COLUMN, 2.0 * PADDING).max(72.0);
        graph.set_node(at.to_string(), NodeLabel { width, height: HEIGHT, ..NodeLabel::default() });
    }
    for line in &picture.lines {
        let (low, high) = (line.from.min(line.to), line.from.max(line.to));
        let weight = if line.offends.is_some() { 4.0 } else { 1.0 + f64::from(u8::from(line.shortest)) };
        let label = EdgeLabel { weight, minlen: 1, ..EdgeLabel::default() };
        graph.set_edge_with_label(low.to_string(), high.to_string(), label);
    }
    if !picture.shapes.is_empty() {
        layout_dagreish(&mut graph);
    }
    let spots: Vec<Spot> = (0..picture.shapes.len()).map(|at| spot(&graph, at)).collect();
    let ways = picture.lines.iter().map(|line| way(&graph, &spots, line.from, line.to)).collect();
    finish(spots, ways)
}

fn spot(graph: &Graph<NodeLabel, EdgeLabel, GraphLabel>, at: usize) -> Spot {
    let label = graph.node(&at.to_string());
    let (x, y) = label.map_or((0.0, 0.0), |label| (label.x.unwrap_or(0.0), label.y.unwrap_or(0.0)));
    let (width, height) = label.map_or((72.0, HEIGHT), |label| (label.width, label.height));
    Spot { x, y, width, height }
}

/// From the edge of one shape to the edge of the other, by the bends in between.
fn way(graph: &Graph<NodeLabel, EdgeLabel, GraphLabel>, spots: &[Spot], from: usize, to: usize) -> Vec<(f64, f64)> {
    let (low, high) = (from.min(to), from.max(to));
    let label = graph.edge(&low.to_string(), &high.to_string(), None);
    let bends = label.map(|label| label.points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>());
    let bends = bends.unwrap_or_default();
    let (left, right) = (spots[low], spots[high]);
    let (start, end) = ((left.x + left.width / 2.0, left.y), (right.x - right.width / 2.0, right.y));
    let mut way = vec![start];
    // Of a line to the next rank, only the ends matter.
    if bends.len() > 3 {
        way.extend(bends[1..bends.len() - 1].iter().filter(|(x, _)| *x > start.0 && *x < end.0));
    }
    way.push(end);
    if from > to {
        way.reverse();
    }
    way
}

/// Moves everything to a margin, and rounds to tenths of a pixel.
fn finish(mut spots: Vec<Spot>, mut ways: Vec<Vec<(f64, f64)>>) -> Layout {
    const MARGIN: f64 = 16.0;
    let points = || ways.iter().flatten().copied();
    let left = spots.iter().map(|s| s.x - s.width / 2.0).chain(points().map(|p| p.0)).fold(f64::INFINITY, f64::min);
    let top = spots.iter().map(|s| s.y - s.height / 2.0).chain(points().map(|p| p.1)).fold(f64::INFINITY, f64::min);
    let right = spots.iter().map(|s| s.x + s.width / 2.0).chain(points().map(|p| p.0)).fold(0.0, f64::max);
    let bottom = spots.iter().map(|s| s.y + s.height / 2.0).chain(points().map(|p| p.1)).fold(0.0, f64::max);
    if spots.is_empty() {
        return Layout { width: 2.0 * MARGIN, height: 2.0 * MARGIN, spots, ways };
    }
    let round = |n: f64| (n * 10.0).round() / 10.0;
    for spot in &mut spots {
        spot.x = round(spot.x - left + MARGIN);
        spot.y = round(spot.y - top + MARGIN);
        spot.width = round(spot.width);
    }
    for point in ways.iter_mut().flatten() {
        *point = (round(point.0 - left + MARGIN), round(point.1 - top + MARGIN));
    }
    Layout { width: round(right - left + 2.0 * MARGIN), height: round(bottom - top + 2.0 * MARGIN), spots, ways }
}

/// A text that fits a shape: the middle of a longer one is left out.
pub(super) fn shortened(text: &str) -> String {
    let text = crate::base::visible(text);
    if text.width() <= COLUMNS {
        return text.into_owned();
    }
    let half = COLUMNS / 2 - 1;
    let take = |characters: &mut dyn Iterator<Item = char>| {
        let mut taken = Vec::new();
        let mut width = 0;
        for c in characters {
            width += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
            if width > half {
                break;
            }
            taken.push(c);
        }
        taken
    };
    let head: String = take(&mut text.chars()).into_iter().collect();
    let tail: String = take(&mut text.chars().rev()).into_iter().rev().collect();
    format!("{head}…{tail}")
}

/// A line's way as the `d` of an SVG path: curves that leave and arrive level.
pub(super) fn path(way: &[(f64, f64)]) -> String {
    use std::fmt::Write as _;
    let mut d = String::new();
    for (at, point) in way.iter().enumerate() {
        if at == 0 {
            let _ = write!(d, "M{} {}", point.0, point.1);
            continue;
        }
        let before = way[at - 1];
        let middle = ((before.0 + point.0) * 5.0).round() / 10.0;
        let _ = write!(d, "C{middle} {} {middle} {} {} {}", before.1, point.1, point.0, point.1);
    }
    d
}
