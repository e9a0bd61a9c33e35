//! The page: one file, without a network.
//!
//! The data stands in it as JSON in which no character can end the element that holds it, and the
//! script puts it on the screen as text only. Should something slip through all the same, the page's
//! own policy lets nothing load and no other script run: it names the one script and the one style by
//! their hashes, which a test keeps true.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    layout::{HEIGHT, layout, path, shortened},
    model::{Hop, Map, Offender, Place, Standing},
    picture::{Picture, Shows},
    sources::{Quoted, Sources},
    svg,
};
use crate::{
    base::{Files, visible},
    finding::Certainty,
};

/// The style: that of the pictures, then the page's.
const STYLE: &str = concat!(include_str!("page/picture.css"), include_str!("page/page.css"));
/// The script.
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("page/data.js"),
    include_str!("page/list.js"),
    include_str!("page/picture.js"),
    include_str!("page/route.js"),
    include_str!("page/page.js"),
);
/// The hash of [`STYLE`], as a Content-Security-Policy names it.
const STYLE_HASH: &str = "sha256-FZ7A2Fnr8kRY/ik0ClfAVeDEy5E6H9ClsksrYAqq794=";
/// The hash of [`SCRIPT`].
const SCRIPT_HASH: &str = "sha256-AzUEWXC76SNRC0YTCn75dtHv/UnfRAWfSfXgX/cubCc=";
/// What stands between head and data.
const BODY: &str = include_str!("page/body.html");

#[derive(Serialize)]
struct Data<'m> {
    title: &'m str,
    leases: Vec<LeaseData<'m>>,
    items: Vec<ItemData<'m>>,
    edges: Vec<EdgeData>,
    stops: Vec<StopData<'m>>,
    findings: Vec<FindingData<'m>>,
    files: Vec<Quoted>,
    pictures: Vec<PictureData>,
}

/// File, line, column, last line, column behind the last.
type PlaceData = (usize, u32, u32, u32, u32);

#[derive(Serialize)]
struct LeaseData<'m> {
    name: &'m str,
    stations: Vec<StationData<'m>>,
}

#[derive(Serialize)]
struct StationData<'m> {
    item: usize,
    from: Option<usize>,
    hop: Option<HopData<'m>>,
}

#[derive(Serialize)]
struct HopData<'m> {
    kind: &'static str,
    verb: &'static str,
    sure: bool,
    name: &'m str,
    at: PlaceData,
    item: Option<usize>,
}

#[derive(Serialize)]
struct ItemData<'m> {
    path: &'m str,
    name: &'m str,
    kind: &'static str,
    module: &'m str,
    package: &'m str,
    at: PlaceData,
    selected: &'m [usize],
    reached: Vec<(usize, usize)>,
    behind: Option<usize>,
}

#[derive(Serialize)]
struct EdgeData {
    from: usize,
    to: usize,
    kind: &'static str,
    verb: &'static str,
    sure: bool,
    at: PlaceData,
}

#[derive(Serialize)]
struct StopData<'m> {
    kind: &'static str,
    name: &'m str,
    cuts: Vec<(usize, PlaceData)>,
}

#[derive(Serialize)]
struct FindingData<'m> {
    lint: &'static str,
    standing: &'static str,
    lease: Option<usize>,
    subject: Option<usize>,
    name: &'m str,
    message: &'m str,
    help: &'m str,
    at: PlaceData,
    label: &'m str,
    item: Option<usize>,
    start: Option<usize>,
    route: Vec<HopData<'m>>,
    chain: &'m [String],
}

#[derive(Serialize)]
struct PictureData {
    /// The module that it shows; none for the whole path.
    module: Option<String>,
    width: f64,
    height: f64,
    shapes: Vec<ShapeData>,
    lines: Vec<LineData>,
}

#[derive(Serialize)]
struct ShapeData {
    class: &'static str,
    title: String,
    below: String,
    whole: String,
    x: f64,
    y: f64,
    w: f64,
    h: f64,
    items: Vec<usize>,
    alone: bool,
    stop: Option<usize>,
    lease: Option<usize>,
    subject: Option<usize>,
}

#[derive(Serialize)]
struct LineData {
    class: String,
    head: &'static str,
    told: String,
    d: String,
    from: usize,
    to: usize,
}

/// The page of a map.
///
/// # Errors
/// Where the data cannot be written as JSON.
pub fn html(map: &Map, title: &str, files: &Files) -> Result<String, serde_json::Error> {
    let data = serde_json::to_string(&data(map, title, files))?;
    let policy = format!(
        "default-src 'none'; style-src '{STYLE_HASH}'; script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'"
    );
    let plain_title: String = visible(title).chars().map(|c| if "<>&".contains(c) { '_' } else { c }).collect();
    Ok([
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"",
        &policy,
        "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>",
        &plain_title,
        "</title>\n<style>",
        STYLE,
        "</style>\n</head>\n",
        BODY,
        "<script type=\"application/json\" id=\"data\">",
        &harmless(&data),
        "</script>\n<script>",
        SCRIPT,
        "</script>\n</body>\n</html>\n",
    ]
    .concat())
}

/// JSON in which no text can end the element that it stands in, begin a comment, or end a line of a
/// script. Outside of strings JSON has none of these characters.
fn harmless(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{feff}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

fn data<'m>(map: &'m Map, title: &'m str, files: &Files) -> Data<'m> {
    let mut sources = Sources::default();
    for lease in &map.leases {
        lease.stations.iter().filter_map(|station| station.hop.as_ref()).for_each(|hop| sources.want(&hop.place));
    }
    map.items.iter().for_each(|item| sources.want(&item.place));
    map.edges.iter().for_each(|edge| sources.want(&edge.place));
    map.stops.iter().flat_map(|stop| &stop.cuts).for_each(|(_, place)| sources.want(place));
    for offender in &map.offenders {
        sources.want(&offender.place);
        offender.route.iter().for_each(|(hop, _)| sources.want(&hop.place));
    }
    let place = |place: &Place| -> PlaceData {
        (sources.number(&place.file), place.line, place.column, place.end_line, place.end_column)
    };
    let hop = |hop: &'m Hop, item: Option<usize>| HopData {
        kind: hop.kind.word(),
        verb: hop.kind.verb(),
        sure: hop.certainty == Certainty::Resolved,
        name: &hop.name,
        at: place(&hop.place),
        item,
    };
    let leases = map.leases.iter().map(|lease| LeaseData {
        name: &lease.name,
        stations: (lease.stations.iter())
            .map(|station| StationData {
                item: station.item,
                from: station.from,
                hop: station.hop.as_ref().map(|of| hop(of, Some(station.item))),
            })
            .collect(),
    });
    let items = map.items.iter().map(|item| ItemData {
        path: &item.path,
        name: item.name(),
        kind: item.kind,
        module: &item.module,
        package: &item.package,
        at: place(&item.place),
        selected: &item.selected_by,
        reached: item.reached_by.iter().map(|(lease, station)| (*lease, *station)).collect(),
        behind: item.behind,
    });
    let edges = map.edges.iter().map(|edge| EdgeData {
        from: edge.from,
        to: edge.to,
        kind: edge.kind.word(),
        verb: edge.kind.verb(),
        sure: edge.certainty == Certainty::Resolved,
        at: place(&edge.place),
    });
    let stops = map.stops.iter().map(|stop| StopData {
        kind: stop.kind.word(),
        name: &stop.name,
        cuts: stop.cuts.iter().map(|(item, at)| (*item, place(at))).collect(),
    });
    let finding = |offender: &'m Offender| FindingData {
        lint: offender.lint,
        standing: offender.standing.word(),
        lease: offender.lease,
        subject: offender.subject,
        name: offender.subject.map_or("the rules file", |subject| &map.subjects[subject].name),
        message: &offender.message,
        help: &offender.help,
        at: place(&offender.place),
        label: &offender.label,
        item: offender.item,
        start: map.start(offender),
        route: offender.route.iter().map(|(of, item)| hop(of, *item)).collect(),
        chain: &offender.chain,
    };
    Data {
        title,
        leases: leases.collect(),
        items: items.collect(),
        edges: edges.collect(),
        stops: stops.collect(),
        findings: map.offenders.iter().map(finding).collect(),
        files: sources.quote(files),
        pictures: pictures(map),
    }
}

/// The whole path, and one picture for each module that the whole draws as one shape.
fn pictures(map: &Map) -> Vec<PictureData> {
    let overview = Picture::overview(map);
    let known: BTreeSet<&str> = map.items.iter().map(|item| item.module.as_str()).collect();
    let groups = overview.shapes.iter().filter_map(|shape| match &shape.shows {
        Shows::Group { name, .. } if known.contains(name.as_str()) => Some(name.clone()),
        _ => None,
    });
    let modules: BTreeSet<String> = groups.collect();
    let of_modules =
        modules.into_iter().map(|module| picture(map, &Picture::of_module(map, &module), Some(module.clone())));
    std::iter::once(picture(map, &overview, None)).chain(of_modules).collect()
}

fn picture(map: &Map, picture: &Picture, module: Option<String>) -> PictureData {
    let layout = layout(picture);
    let shapes = picture.shapes.iter().zip(&layout.spots).map(|(shape, spot)| {
        let mut data = ShapeData {
            class: shape.class,
            title: shortened(&shape.title),
            below: shortened(&shape.below),
            whole: shape.title.clone(),
            x: spot.x,
            y: spot.y,
            w: spot.width,
            h: HEIGHT,
            items: Vec::new(),
            alone: false,
            stop: None,
            lease: None,
            subject: None,
        };
        match &shape.shows {
            Shows::Item(item) => {
                data.items = vec![*item];
                data.alone = true;
                data.whole.clone_from(&map.items[*item].path);
            }
            Shows::Group { items, .. } => data.items.clone_from(items),
            Shows::Stop(stop) => data.stop = Some(*stop),
            Shows::Lease(lease) => data.lease = Some(*lease),
            Shows::Subject(subject) => data.subject = Some(*subject),
            Shows::MoreSubjects(_) => {}
        }
        data
    });
    let mut lines: Vec<(bool, LineData)> = (picture.lines.iter().zip(&layout.ways))
        .map(|(line, way)| {
            let (class, head) = svg::class(line);
            let data = LineData { class, head, told: svg::told(line), d: path(way), from: line.from, to: line.to };
            (line.offends == Some(Standing::Denied), data)
        })
        .collect();
    lines.sort_by_key(|(denied, line)| (*denied, line.from, line.to));
    PictureData {
        module,
        width: layout.width,
        height: layout.height,
        shapes: shapes.collect(),
        lines: lines.into_iter().map(|(_, line)| line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn the_policy_names_the_script_and_the_style_that_are_there() {
        let hash = |text: &str| format!("sha256-{}", STANDARD.encode(Sha256::digest(text)));
        assert_eq!(STYLE_HASH, hash(STYLE), "after a change of the style, put this hash into html.rs");
        assert_eq!(SCRIPT_HASH, hash(SCRIPT), "after a change of the script, put this hash into html.rs");
    }

    #[test]
    fn no_text_can_end_the_data() {
        let hostile = serde_json::to_string("</script><!--\u{2028}&amp;").expect("text");
        let written = harmless(&hostile);
        assert!(!written.contains(['<', '>', '&', '\u{2028}']), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).expect("JSON"), "</script><!--\u{2028}&amp;");
    }
}
