//! Cargo's usual flags, as far as they narrow the graph.

use camino::Utf8PathBuf;

use crate::base::Features;

/// What the user asked of cargo.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CargoOptions {
    /// `--manifest-path`, as typed.
    pub manifest_path: Option<Utf8PathBuf>,
    /// The features of the workspace's members.
    pub features: Features,
    /// `--target`, any number; none for all targets.
    pub targets: Vec<String>,
    /// `--locked`.
    pub locked: bool,
    /// `--offline`.
    pub offline: bool,
    /// `--frozen`.
    pub frozen: bool,
    /// `--no-deps`: the sources and the manifests alone, without a graph.
    pub no_deps: bool,
}

/// The flags of `cargo metadata` that say which features are on.
pub(super) fn arguments(features: &Features) -> Vec<String> {
    match features {
        Features::All => vec!["--all-features".into()],
        Features::Chosen { names, default } => {
            let mut out = Vec::new();
            if !default {
                out.push("--no-default-features".into());
            }
            if !names.is_empty() {
                out.push(format!("--features={}", names.join(",")));
            }
            out
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_told_what_was_asked() {
        assert_eq!(arguments(&Features::All), ["--all-features"]);
        let some = Features::from_flags(false, true, &["a,b c".into()]);
        assert_eq!(arguments(&some), ["--no-default-features", "--features=a,b,c"]);
    }
}
