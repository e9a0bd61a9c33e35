//! Which features of a workspace are taken as on: what the command line says, and cargo is told.

/// Which features of the workspace's members are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Features {
    /// Every one: the default, so that no feature hides an offence.
    #[default]
    All,
    /// Those that were asked for.
    Chosen {
        /// As typed, in order: `name`, `member/name`, `dependency/name`.
        names: Vec<String>,
        /// Whether the `default` features are on too.
        default: bool,
    },
}

impl Features {
    /// From cargo's three flags; names are parted by commas or spaces, as cargo takes them. With none of the
    /// flags all features are on.
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
            Self::Chosen { names, default: !no_default_features }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_flag_every_feature_is_on() {
        assert_eq!(Features::from_flags(false, false, &[]), Features::All);
        assert_eq!(Features::from_flags(true, true, &["a".into()]), Features::All);
        let names = vec!["a".into(), "b".into(), "c".into()];
        let some = Features::from_flags(false, true, &["a,b c".into()]);
        assert_eq!(some, Features::Chosen { names, default: false });
    }
}
