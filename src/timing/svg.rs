//! The chart as SVG: for each guard a panel, the skew to the right, the time with two leaders or none
//! upwards.
//!
//! Written by hand, since it is one kind of drawing with two lines. It follows the reader's light or
//! dark setting, tells the lines apart by dashes as well as by colour, and holds no script and nothing
//! that is loaded from elsewhere. All text passes [`escaped`].

use std::{fmt::Write as _, ops::RangeInclusive};

use super::{
    Point, points, smallest_guard,
    svg_scale::{Scale, Tenths},
    sweep,
};
use crate::base::{show_signed_nanos, visible, xml_escaped};

/// What is to be drawn; times in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Above the chart: the lease's name.
    pub title: String,
    /// When the lease expires.
    pub expiry: i64,
    /// The skews, from and to.
    pub skews: RangeInclusive<i64>,
    /// A panel for each.
    pub guards: Vec<i64>,
    /// The bound on the clocks, either way, where the rules give one.
    pub bound: Option<i64>,
    /// The longest time without a leader that is accepted, where the rules give one.
    pub max_gap: Option<i64>,
}

const WIDTH: i64 = 7_200;
const HEAD: i64 = 760;
const PANEL: i64 = 2_400;
/// The plot within a panel: from the left, to the right, from above, to below.
const PLOT: (i64, i64, i64, i64) = (800, 6_800, 360, 1_860);

/// How many handovers a line is drawn through; it has a corner at twice the guard, which is among them.
const FINE: usize = 40;

const STYLE: &str = "\
svg{color-scheme:light dark;font:12px system-ui,sans-serif}\
.ground{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e}.grid{stroke:#d1d9e0}.axis{stroke:#59636e}\
.two{stroke:#b35900;fill:#b35900}.none{stroke:#0969da;fill:#0969da}.limit{stroke:#59636e;stroke-dasharray:2 4}\
.line{fill:none;stroke-width:2.5}.none.line{stroke-dasharray:7 3}.area{stroke:none;fill-opacity:.15}\
.title{font-size:15px;font-weight:600}\
@media (prefers-color-scheme:dark){\
.ground{fill:#0d1117}.ink{fill:#f0f6fc}.soft{fill:#9198a1}.grid{stroke:#3d444d}.axis{stroke:#9198a1}\
.two{stroke:#f0883e;fill:#f0883e}.none{stroke:#58a6ff;fill:#58a6ff}.limit{stroke:#9198a1}}";

/// Draws the chart: a whole document.
pub fn svg(chart: &Chart) -> String {
    let height = HEAD + PANEL * i64::try_from(chart.guards.len()).unwrap_or(1);
    let (width, height) = (Tenths(WIDTH), Tenths(height));
    let title = escaped(&chart.title);
    let panels: Vec<_> = chart.guards.iter().map(|&guard| Panel::of(chart, guard)).collect();
    let mut out = Drawing::default();
    out.line(&format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">"#
    ));
    out.line(&format!("<title>{title}: two leaders or none, by clock skew</title>"));
    let told: Vec<_> = panels.iter().map(Panel::told).collect();
    out.line(&format!("<desc>{}</desc>", escaped(&told.join(" "))));
    out.line(&format!("<style>{STYLE}</style>"));
    out.line(&format!(r#"<rect class="ground" width="{width}" height="{height}"/>"#));
    out.text(PLOT.0, 300, "ink title", "start", &chart.title);
    out.line(r#"<path class="two line" d="M80 54h28"/>"#);
    out.text(1_160, 580, "ink", "start", "two leaders at once");
    out.line(r#"<path class="none line" d="M260 54h28"/>"#);
    out.text(2_960, 580, "ink", "start", "no leader");
    // One scale for all, so that panels can be compared.
    let longest = panels.iter().map(Panel::highest).max().unwrap_or(0).max(1);
    for (panel, at) in panels.iter().zip(0_i64..) {
        panel.draw(&mut out, HEAD + at * PANEL, longest);
    }
    out.line("</svg>");
    out.0
}

struct Panel<'a> {
    chart: &'a Chart,
    guard: i64,
    line: Vec<Point>,
}

impl<'a> Panel<'a> {
    fn of(chart: &'a Chart, guard: i64) -> Self {
        let mut skews = points(chart.skews.clone(), FINE);
        // Where the lines have their corner.
        skews.extend(Some(guard.saturating_mul(2)).filter(|corner| chart.skews.contains(corner)));
        skews.sort_unstable();
        skews.dedup();
        Self { chart, guard, line: sweep(chart.expiry, &skews, &[guard], None) }
    }

    fn longest(&self, time: fn(&Point) -> i64) -> i64 {
        self.line.iter().map(time).max().unwrap_or(0)
    }

    fn highest(&self) -> i64 {
        self.longest(|p| p.tally.overlap).max(self.longest(|p| p.tally.gap))
    }

    /// The panel in one sentence, for a reader who does not see it.
    fn told(&self) -> String {
        let shown = |nanos| show_signed_nanos(nanos, false);
        format!(
            "With a guard of {}, between a skew of {} and {}: up to {} with two leaders, up to {} with none.",
            shown(self.guard),
            shown(*self.chart.skews.start()),
            shown(*self.chart.skews.end()),
            shown(self.longest(|p| p.tally.overlap)),
            shown(self.longest(|p| p.tally.gap)),
        )
    }

    fn draw(&self, out: &mut Drawing, top: i64, longest: i64) {
        let (left, right, above, below) = (PLOT.0, PLOT.1, top + PLOT.2, top + PLOT.3);
        // The accepted gap is drawn where it does not press the lines flat.
        let limit = self.chart.max_gap.filter(|gap| *gap <= longest.saturating_mul(2));
        let across = Scale { times: self.chart.skews.clone(), places: (left, right) };
        let up = Scale { times: 0..=limit.unwrap_or(0).max(longest), places: (below, above) };
        self.heading(out, top + 200);
        axes(out, &across, &up);
        if let Some(gap) = limit {
            let at = up.at(gap);
            out.line(&format!(r#"<path class="limit" d="M{} {at}H{}"/>"#, Tenths(left), Tenths(right)));
            out.text(right, at.0 - 40, "soft", "end", &format!("max-gap {}", show_signed_nanos(gap, false)));
        }
        let bound = self.chart.bound.unwrap_or(0);
        for side in [-bound, bound].into_iter().filter(|side| *side != 0 && self.chart.skews.contains(side)) {
            let at = across.at(side);
            out.line(&format!(r#"<path class="limit" d="M{at} {}V{}"/>"#, Tenths(above), Tenths(below)));
            // At an edge it would run over the marks, or out of the picture.
            let anchor = if at.0 <= PLOT.0 + 300 {
                "start"
            } else if at.0 >= PLOT.1 - 300 {
                "end"
            } else {
                "middle"
            };
            out.text(at.0, above - 40, "soft", anchor, &format!("bound {}", show_signed_nanos(side, true)));
        }
        let floor = Tenths(below);
        for (class, time) in [("none", (|p| p.tally.gap) as fn(&Point) -> i64), ("two", |p| p.tally.overlap)] {
            let mut path = String::new();
            for point in &self.line {
                let step = if path.is_empty() { 'M' } else { 'L' };
                // Writing to a String cannot fail.
                let _ = write!(path, "{step}{} {}", across.at(point.skew), up.at(time(point)));
            }
            let (from, to) = (across.at(*self.chart.skews.start()), across.at(*self.chart.skews.end()));
            out.line(&format!(r#"<path class="{class} area" d="{path}L{to} {floor}L{from} {floor}Z"/>"#));
            out.line(&format!(r#"<path class="{class} line" d="{path}"/>"#));
        }
    }

    fn heading(&self, out: &mut Drawing, at: i64) {
        // Within the bound, where there is one.
        let worst = self.chart.bound.map_or(*self.chart.skews.end(), |bound| bound.min(*self.chart.skews.end()));
        let smallest = smallest_guard(self.chart.expiry, worst);
        let text = format!(
            "guard {} (a skew of {} needs {})",
            show_signed_nanos(self.guard, false),
            show_signed_nanos(worst, true),
            show_signed_nanos(smallest, false),
        );
        out.text(PLOT.0, at - 60, "ink", "start", &text);
    }
}

/// Grid, marks and labels.
fn axes(out: &mut Drawing, across: &Scale, up: &Scale) {
    let ((left, right), (below, above)) = (across.places, up.places);
    for mark in up.marks(5) {
        let at = up.at(mark);
        out.line(&format!(r#"<path class="grid" d="M{} {at}H{}"/>"#, Tenths(left), Tenths(right)));
        out.text(left - 80, at.0 + 40, "soft", "end", &show_signed_nanos(mark, false));
    }
    for mark in across.marks(9) {
        let at = across.at(mark);
        out.line(&format!(r#"<path class="axis" d="M{at} {}v5"/>"#, Tenths(below)));
        out.text(at.0, below + 190, "soft", "middle", &show_signed_nanos(mark, true));
    }
    out.line(&format!(
        r#"<path class="axis" fill="none" d="M{} {}V{}H{}"/>"#,
        Tenths(left),
        Tenths(above),
        Tenths(below),
        Tenths(right)
    ));
    out.text((left + right) / 2, below + 370, "ink", "middle", "how far the holder's clock runs behind the grantor's");
    let (x, y) = (Tenths(160), Tenths((above + below) / 2));
    out.line(&format!(
        r#"<text class="ink" text-anchor="middle" transform="translate({x} {y}) rotate(-90)">time</text>"#
    ));
}

#[derive(Default)]
struct Drawing(String);

impl Drawing {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn text(&mut self, x: i64, y: i64, class: &str, anchor: &str, text: &str) {
        let (x, y, text) = (Tenths(x), Tenths(y), escaped(text));
        self.line(&format!(r#"<text x="{x}" y="{y}" class="{class}" text-anchor="{anchor}">{text}</text>"#));
    }
}

/// Text for XML: visible, and no markup.
fn escaped(text: &str) -> String {
    xml_escaped(&visible(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: i64 = 1_000_000;

    fn chart() -> Chart {
        Chart {
            title: "order-writer".to_owned(),
            expiry: 15_000 * MS,
            skews: -400 * MS..=400 * MS,
            guards: vec![0, 100 * MS],
            bound: Some(200 * MS),
            max_gap: Some(1_000 * MS),
        }
    }

    #[test]
    fn the_chart_of_the_documented_lease() {
        let drawn = svg(&chart());
        roxmltree::Document::parse(&drawn).unwrap();
        insta::assert_snapshot!(drawn);
    }

    #[test]
    fn the_line_is_where_the_simulation_is() {
        let drawn = svg(&Chart { guards: vec![100 * MS], max_gap: None, ..chart() });
        let tree = roxmltree::Document::parse(&drawn).unwrap();
        let class = |node: &roxmltree::Node<'_, '_>, class| node.attribute("class") == Some(class);
        let two = tree.descendants().filter(|n| class(n, "two line")).nth(1).unwrap().attribute("d").unwrap();
        // Up to a skew of 200 ms the line lies on the floor, then it rises to 200 of 600 ms at 400 ms.
        let below = Tenths(HEAD + PLOT.3);
        assert!(two.contains(&format!("L530 {below}L")), "{two}");
        assert!(two.ends_with(&format!("L680 {}", Tenths(HEAD + PLOT.3 - (PLOT.3 - PLOT.2) / 3))), "{two}");
    }

    proptest! {
        #[test]
        fn any_title_and_any_range_give_a_document(
            title in any::<String>(), a: i64, b: i64, bound: Option<i64>,
            guards in prop::collection::vec(any::<i64>(), 0..3),
        ) {
            let skews = a.min(b)..=a.max(b);
            let drawn = svg(&Chart { title, skews, guards, bound: bound.map(|b| b.saturating_abs()), ..chart() });
            prop_assert!(roxmltree::Document::parse(&drawn).is_ok(), "{}", drawn);
        }
    }
}
