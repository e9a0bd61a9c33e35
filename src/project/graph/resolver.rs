//! Which resolver a workspace asks for: cargo metadata does not tell.

use camino::Utf8Path;
use guppy::graph::cargo::CargoResolverVersion;
use toml::{Table, Value};

/// The resolver that the root manifest asks for: `workspace.resolver`, else `package.resolver`, else
/// that of the root package's edition (2021: 2, 2024: 3), else 1.
/// Source: <https://doc.rust-lang.org/cargo/reference/resolver.html#resolver-versions>.
pub(super) fn resolver_of(root: &Utf8Path) -> CargoResolverVersion {
    let text = std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let table: Table = text.strip_prefix('\u{feff}').unwrap_or(&text).parse().unwrap_or_default();
    let written = |table: &str, key: &str, of: &Table| of.get(table)?.get(key)?.as_str().map(str::to_owned);
    let resolver = written("workspace", "resolver", &table).or_else(|| written("package", "resolver", &table));
    if let Some(resolver) = resolver {
        return match resolver.as_str() {
            "1" => CargoResolverVersion::V1,
            "2" => CargoResolverVersion::V2,
            _ => CargoResolverVersion::V3,
        };
    }
    let own = table.get("package").and_then(|package| package.get("edition"));
    let inherited = own.and_then(|edition| edition.get("workspace")).and_then(Value::as_bool) == Some(true);
    let shared = table.get("workspace").and_then(|workspace| workspace.get("package")?.get("edition"));
    match if inherited { shared } else { own }.and_then(Value::as_str) {
        None | Some("2015" | "2018") => CargoResolverVersion::V1,
        Some("2021") => CargoResolverVersion::V2,
        Some(_) => CargoResolverVersion::V3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::testing::Place;

    #[test]
    fn the_resolver_is_the_written_one_or_that_of_the_edition() {
        let of = |manifest: &str| resolver_of(&Place::new(&[("Cargo.toml", manifest)]).root);
        assert_eq!(of("[workspace]\nresolver = '2'\n[package]\nedition = '2024'\n"), CargoResolverVersion::V2);
        assert_eq!(of("[package]\nresolver = '1'\nedition = '2021'\n"), CargoResolverVersion::V1);
        assert_eq!(of("[package]\nedition = '2021'\n"), CargoResolverVersion::V2);
        assert_eq!(
            of("[package]\nedition.workspace = true\n[workspace.package]\nedition = '2024'\n"),
            CargoResolverVersion::V3
        );
        assert_eq!(of("[workspace]\nmembers = []\n"), CargoResolverVersion::V1);
        assert_eq!(of("[package]\nname = 'a'\n"), CargoResolverVersion::V1);
    }
}
