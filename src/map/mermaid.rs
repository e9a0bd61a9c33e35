//! One picture as a flowchart of Mermaid, modules as subgraphs.
//!
//! Mermaid reads directives, Markdown and HTML within labels. Every character that could be part of
//! one is written by its number, as `#60;`, which it shows as the character:
//! <https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters>.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    model::{Map, Standing},
    picture::{Picture, Shape},
    svg::told,
};
use crate::base::visible;

/// The path of all leases. `title` heads it, in a comment.
pub fn mermaid(map: &Map, title: &str) -> String {
    let picture = Picture::overview(map);
    let mut out = format!("%% {}\nflowchart LR\n", label(title));
    let mut modules: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, shape) in picture.shapes.iter().enumerate() {
        modules.entry(&shape.module).or_default().push(at);
    }
    for (number, (module, shapes)) in modules.into_iter().enumerate() {
        let inner = !module.is_empty() && shapes.iter().any(|at| !picture.shapes[*at].class.starts_with("group"));
        if inner {
            let _ = writeln!(out, "  subgraph m{number}[\"{}\"]", label(module));
        }
        for at in shapes {
            let _ = writeln!(out, "  {}{}", if inner { "  " } else { "" }, node(at, &picture.shapes[at]));
        }
        if inner {
            out.push_str("  end\n");
        }
    }
    let (mut denied, mut warned) = (Vec::new(), Vec::new());
    for (number, line) in picture.lines.iter().enumerate() {
        let arrow = match (line.cut, line.by_name) {
            (true, _) => "--x",
            (false, true) => "-.->",
            (false, false) => "-->",
        };
        let words = if line.kinds.is_empty() { String::new() } else { format!("|\"{}\"|", label(&told(line))) };
        let _ = writeln!(out, "  n{} {arrow}{words} n{}", line.from, line.to);
        match line.offends {
            Some(Standing::Denied) => denied.push(number.to_string()),
            Some(_) => warned.push(number.to_string()),
            None => {}
        }
    }
    for (lines, colour) in [(denied, "#c0202b"), (warned, "#8a5a00")] {
        if !lines.is_empty() {
            let _ = writeln!(out, "  linkStyle {} stroke:{colour},stroke-width:2px", lines.join(","));
        }
    }
    out.push_str(CLASSES);
    out
}

const CLASSES: &str = "  classDef lease fill:#0a5fb4,stroke:#0a5fb4,color:#ffffff\n\
    \x20 classDef selected fill:#e3f0fd,stroke:#0a5fb4,stroke-width:2px,color:#1b1f24\n\
    \x20 classDef reached fill:#f6f8fa,stroke:#8c959f,color:#1b1f24\n\
    \x20 classDef stop fill:#e6f6ea,stroke:#1a7f37,color:#1b1f24\n\
    \x20 classDef denied fill:#fde7e8,stroke:#c0202b,stroke-width:2px,color:#c0202b\n\
    \x20 classDef warned fill:#fdf3d8,stroke:#8a5a00,color:#1b1f24\n";

fn node(at: usize, shape: &Shape) -> String {
    let text = format!("\"{}<br/>{}\"", label(&shape.title), label(&shape.below));
    let (text, class) = match shape.class {
        "lease" => (format!("([{text}])"), "lease"),
        "stop coordinator" | "stop workload" => (format!("([{text}])"), "stop"),
        "offender denied" => (format!("[{text}]"), "denied"),
        "offender warned" | "offender forgiven" => (format!("[{text}]"), "warned"),
        "group selected" => (format!("[[{text}]]"), "selected"),
        "group" => (format!("[[{text}]]"), "reached"),
        "selected" => (format!("[{text}]"), "selected"),
        _ => (format!("[{text}]"), "reached"),
    };
    format!("n{at}{text}:::{class}")
}

/// Text of a label: letters, digits and a few harmless signs as they are, the rest by number.
fn label(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | '_' | ':' | '.' | ',' | '/') {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
    out
}
