//! Cargo's usual flags, as far as they narrow the graph.

use camino::Utf8PathBuf;

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

/// Which features of the workspace's members are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Features {
    /// Every one: the default, so that no configuration hides an offence.
    #[default]
    All,
    /// Those that are named.
    Some {
        /// As typed: `name`, `member/name`, `dependency/name`.
        names: Vec<String>,
        /// Whether the `default` features are on too.
        default: bool,
    },
}

impl Features {
    /// From the three flags. With none of them all features are on.
    pub fn from_flags(all_features: bool, no_default_features: bool, features: &[String]) -> Self {
        let names: Vec<String> = features
            .iter()
            .flat_map(|text| text.split([',', ' ']))
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        if all_features || (names.is_empty() && !no_default_features) {
            Self::All
        } else {
            Self::Some { names, default: !no_default_features }
        }
    }

    /// The flags of `cargo metadata` that say the same.
    pub(super) fn arguments(&self) -> Vec<String> {
        match self {
            Self::All => vec!["--all-features".into()],
            Self::Some { names, default } => {
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
}

#[cfg(test)]
mod tests {
    use super::Features;

    #[test]
    fn without_a_flag_every_feature_is_on() {
        assert_eq!(Features::from_flags(false, false, &[]), Features::All);
        let some = Features::from_flags(false, true, &["a,b c".into()]);
        assert_eq!(some, Features::Some { names: vec!["a".into(), "b".into(), "c".into()], default: false });
        assert_eq!(some.arguments(), ["--no-default-features", "--features=a,b,c"]);
    }
}
