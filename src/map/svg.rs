//! One picture as SVG: light or dark as the reader's system is, and no script.

use std::fmt::Write as _;

use super::{
    layout::{HEIGHT, Layout, layout, path, shortened},
    model::{Map, Standing},
    picture::{Line, MOST, Picture, Shape},
};
use crate::base::{visible, xml_escaped};

/// The style, shared with the page.
const STYLE: &str = include_str!("page/picture.css");

/// The path of all leases. `title` heads it.
pub fn svg(map: &Map, title: &str) -> String {
    let picture = Picture::overview(map);
    let layout = layout(&picture);
    let legend = legend(map, &picture);
    let width = layout.width.max(560.0);
    let height = layout.height + 22.0 * (legend.len() as f64) + 12.0;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture alone\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"t d\">"
    );
    let _ = writeln!(out, "<title id=\"t\">{}</title>", text(title));
    let _ = writeln!(out, "<desc id=\"d\">{}</desc>", text(&legend.join(" ")));
    let _ = writeln!(out, "<style>\n{STYLE}</style>");
    out.push_str(MARKERS);
    let _ = writeln!(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>");
    lines(&mut out, &picture, &layout);
    for (shape, spot) in picture.shapes.iter().zip(&layout.spots) {
        let (left, top) = (tenth(spot.x - spot.width / 2.0), tenth(spot.y - spot.height / 2.0));
        let _ = writeln!(out, "<g class=\"shape {}\" transform=\"translate({left} {top})\">", shape.class);
        let _ = writeln!(out, "<title>{}</title>", text(&whole(map, shape)));
        let radius = if shape.class == "lease" || shape.class.starts_with("stop") { HEIGHT / 2.0 } else { 4.0 };
        let _ = writeln!(out, "<rect width=\"{}\" height=\"{HEIGHT}\" rx=\"{radius}\"/>", spot.width);
        let middle = tenth(spot.width / 2.0);
        let _ = writeln!(out, "<text class=\"name\" x=\"{middle}\" y=\"18\">{}</text>", text(&shortened(&shape.title)));
        let _ = writeln!(out, "<text x=\"{middle}\" y=\"33\">{}</text>\n</g>", text(&shortened(&shape.below)));
    }
    for (row, sentence) in legend.iter().enumerate() {
        let y = layout.height + 22.0 * (row as f64) + 8.0;
        let _ = writeln!(out, "<text class=\"legend\" x=\"16\" y=\"{y}\">{}</text>", text(sentence));
    }
    out.push_str("</svg>\n");
    out
}

/// The heads of the lines: an arrow, and a bar where a route is cut.
const MARKERS: &str = "<defs>\n\
    <marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
    markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0.5L8 4L0 7.5z\"/></marker>\n\
    <marker id=\"red\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" \
    markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0.5L8 4L0 7.5z\"/></marker>\n\
    <marker id=\"bar\" viewBox=\"0 0 4 14\" refX=\"3\" refY=\"7\" markerWidth=\"4\" markerHeight=\"14\" \
    markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M1 0h3v14h-3z\"/></marker>\n</defs>\n";

fn lines(out: &mut String, picture: &Picture, layout: &Layout) {
    // What offends is drawn last, on top.
    let mut order: Vec<usize> = (0..picture.lines.len()).collect();
    order.sort_by_key(|at| (picture.lines[*at].offends.is_some(), *at));
    for at in order {
        let (line, way) = (&picture.lines[at], &layout.ways[at]);
        let (class, marker) = class(line);
        let told = told(line);
        let _ = writeln!(
            out,
            "<path class=\"line{class}\" marker-end=\"url(#{marker})\" d=\"{}\"><title>{}</title></path>",
            path(way),
            text(&told)
        );
    }
}

/// A line's class, and its head.
pub(super) fn class(line: &Line) -> (String, &'static str) {
    let mut class = String::new();
    if line.by_name {
        class.push_str(" by-name");
    }
    if !line.shortest {
        class.push_str(" further");
    }
    let marker = match line.offends {
        Some(Standing::Denied) => {
            class.push_str(" denied");
            "red"
        }
        Some(_) => {
            class.push_str(" warned");
            "arrow"
        }
        None if line.cut => "bar",
        None => "arrow",
    };
    if line.cut {
        class.push_str(" cut");
    }
    (class, marker)
}

/// What a line stands for, in words.
pub(super) fn told(line: &Line) -> String {
    if line.cut {
        return "the route is cut here".to_owned();
    }
    let kinds: Vec<&str> = line.kinds.iter().map(|kind| kind.word()).collect();
    match (kinds.join(", "), line.by_name) {
        (kinds, _) if kinds.is_empty() => "leads here".to_owned(),
        (kinds, true) => format!("{kinds} (by name)"),
        (kinds, false) => kinds,
    }
}

/// A shape's words, unshortened.
fn whole(map: &Map, shape: &Shape) -> String {
    use super::picture::Shows;
    match &shape.shows {
        Shows::Item(item) => {
            let item = &map.items[*item];
            format!("{} {} at {}:{}", item.kind, item.path, item.place.file, item.place.line)
        }
        _ => format!("{}: {}", shape.title, shape.below),
    }
}

/// What the picture means and what it leaves out, one sentence each.
fn legend(map: &Map, picture: &Picture) -> Vec<String> {
    let mut legend = vec![
        "Heavy frame: on the lease path. Thin frame: reached. Round: a coordinator or workload; the route ends there."
            .to_owned(),
        "Red: denied, and the way there. Dashed: found by name only. Faint: a further way to what is reached already."
            .to_owned(),
    ];
    let grouped = picture.shapes.iter().filter(|shape| shape.class.starts_with("group")).count();
    if grouped > 0 {
        legend.push(format!(
            "{} items are more than the {MOST} that fit: what is on no finding's route is drawn together.",
            map.items.len()
        ));
    }
    legend
}

fn tenth(n: f64) -> f64 {
    (n * 10.0).round() / 10.0
}

/// Text for XML: visible, and no markup.
fn text(text: &str) -> String {
    xml_escaped(&visible(text))
}
