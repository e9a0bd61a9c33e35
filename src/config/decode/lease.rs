//! `[[lease]]`: what is guarded.

use super::{
    drill,
    error::RulesError,
    fence,
    keys::{Key, Section, Shape},
    timing,
    tree::{Decoder, Table},
    words,
};
use crate::config::Lease;

/// `[[lease]]`.
pub(super) const LEASE: Section = Section {
    path: "lease",
    shape: Shape::Tables,
    keys: &[
        Key { name: "name", example: r#"name = "order-writer""# },
        Key { name: "modules", example: r#"modules = ["orders::lease"]"# },
        Key { name: "files", example: r#"files = ["crates/orders/src/fence/**/*.rs"]"# },
        Key { name: "packages", example: r#"packages = ["lease-agent"]"# },
        Key { name: "coordinators", example: r#"coordinators = ["tokio-postgres"]"# },
        Key { name: "workloads", example: r#"workloads = ["orders::lease::with_lease::work"]"# },
        Key { name: "fence-rule", example: r#"fence-rule = "A write carries the epoch that it was granted.""# },
        Key { name: "fence", example: "[lease.fence]" },
        Key { name: "timing", example: "[lease.timing]" },
        Key { name: "drill", example: "[lease.drill]" },
    ],
};

pub(super) fn decode(d: &mut Decoder<'_>, table: &Table<'_>) -> Option<Lease> {
    let name = d.required(table, "name");
    d.check("name", &name, words::readable);
    let modules = d.strings(table, "modules");
    d.check("modules", &modules, words::rust_path);
    let files = d.strings(table, "files");
    d.check("files", &files, words::file_glob);
    let packages = d.strings(table, "packages");
    d.check("packages", &packages, words::package_name);
    if ["modules", "files", "packages"].iter().all(|key| table.is_vacant(key)) {
        let name = name.as_ref().map(|name| name.value.clone());
        d.report(table.span, RulesError::SelectsNothing { name, example: table.example("modules") });
    }
    let coordinators = d.strings(table, "coordinators");
    d.check("coordinators", &coordinators, words::coordinator);
    let workloads = d.strings(table, "workloads");
    d.check("workloads", &workloads, words::workload);
    let fence_rule = d.string(table, "fence-rule");
    let fence = fence::decode(d, table);
    let timing = timing::decode(d, table);
    let drill = drill::decode(d, table);
    let span = table.span;
    Some(Lease {
        name: name?,
        modules,
        files,
        packages,
        coordinators,
        workloads,
        fence_rule,
        fence,
        timing,
        drill,
        span,
    })
}
