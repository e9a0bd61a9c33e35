//! One picture in the DOT language of Graphviz, modules as clusters.
//!
//! A quoted string of DOT knows `\"`; in a label a backslash begins an escape and `&` an entity, so
//! both are escaped too: <https://graphviz.org/docs/attr-types/escString/>.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    model::{Map, Standing},
    picture::{Picture, Shape},
    svg::told,
};
use crate::base::visible;

/// The path of all leases. `title` names the graph.
pub fn dot(map: &Map, title: &str) -> String {
    let picture = Picture::overview(map);
    let mut out = format!("digraph {} {{\n", quoted(title));
    out.push_str("  rankdir=LR;\n  compound=true;\n");
    out.push_str("  node [shape=box, style=filled, fillcolor=\"#f6f8fa\", fontname=\"monospace\", fontsize=11];\n");
    out.push_str("  edge [color=\"#8c959f\", fontname=\"monospace\", fontsize=9];\n");
    let mut clusters: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, shape) in picture.shapes.iter().enumerate() {
        clusters.entry(&shape.module).or_default().push(at);
    }
    for (number, (module, shapes)) in clusters.into_iter().enumerate() {
        let inner = !module.is_empty() && shapes.iter().any(|at| !picture.shapes[*at].class.starts_with("group"));
        if inner {
            let _ = writeln!(out, "  subgraph cluster_{number} {{\n    label={};", quoted(module));
            out.push_str("    color=\"#8c959f\"; style=dotted; fontname=\"monospace\"; fontsize=10;\n");
        }
        for at in shapes {
            let _ = writeln!(out, "  {}n{at} [{}];", if inner { "  " } else { "" }, attributes(&picture.shapes[at]));
        }
        if inner {
            out.push_str("  }\n");
        }
    }
    for line in &picture.lines {
        let mut attributes = vec![format!("tooltip={}", quoted(&told(line)))];
        if !line.kinds.is_empty() {
            attributes.push(format!("label={}", quoted(&told(line))));
        }
        match line.offends {
            Some(Standing::Denied) => attributes.push("color=\"#c0202b\", penwidth=2".to_owned()),
            Some(_) => attributes.push("color=\"#8a5a00\", penwidth=2".to_owned()),
            None if line.cut => attributes.push("color=\"#1a7f37\", arrowhead=tee".to_owned()),
            None => {}
        }
        if line.by_name {
            attributes.push("style=dashed".to_owned());
        }
        let _ = writeln!(out, "  n{} -> n{} [{}];", line.from, line.to, attributes.join(", "));
    }
    out.push_str("}\n");
    out
}

fn attributes(shape: &Shape) -> String {
    let look = match shape.class {
        "lease" => ", shape=oval, fillcolor=\"#0a5fb4\", fontcolor=white",
        "stop coordinator" | "stop workload" => ", shape=oval, fillcolor=\"#e6f6ea\", color=\"#1a7f37\"",
        "offender denied" => ", fillcolor=\"#fde7e8\", color=\"#c0202b\", penwidth=2",
        "offender warned" | "offender forgiven" => ", fillcolor=\"#fdf3d8\", color=\"#8a5a00\"",
        "selected" | "group selected" => ", fillcolor=\"#e3f0fd\", color=\"#0a5fb4\", penwidth=2",
        _ => "",
    };
    let folder = if shape.class.starts_with("group") { ", shape=folder" } else { "" };
    let lines = [&shape.title, &shape.below].map(|line| escaped(line));
    format!("label=\"{}\\n{}\"{look}{folder}", lines[0], lines[1])
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}
