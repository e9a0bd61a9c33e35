//! How the stand-in is put in a provider's place: the pack `rules/base-urls.toml`.

use std::{collections::BTreeMap, net::SocketAddr};

use serde::Deserialize;

const TEXT: &str = include_str!("../../rules/base-urls.toml");

/// The pack, as it was read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseUrls {
    variables: BTreeMap<String, Variable>,
    keys: Keys,
    proxies: Proxies,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variable {
    value: String,
    why: String,
    source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    names: Vec<String>,
    value: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proxies {
    names: Vec<String>,
}

/// What changes in a command's environment: a value, or none for a variable that is taken away.
pub(super) type Changes = BTreeMap<String, Option<String>>;

impl BaseUrls {
    /// The pack that is built in.
    ///
    /// # Errors
    /// Never for the embedded text, which a test reads; the type keeps the reader honest.
    pub fn embedded() -> Result<Self, toml::de::Error> {
        toml::from_str(TEXT)
    }

    /// The variables, each with whose it is and where that is read.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.variables.iter().map(|(name, v)| (name.as_str(), v.why.as_str(), v.source.as_str()))
    }

    /// The environment in which every known client asks the stand-in.
    pub(super) fn leading_to(&self, stand_in: SocketAddr) -> Changes {
        let (address, url) = (stand_in.to_string(), format!("http://{stand_in}"));
        let asked = self.variables.iter().map(|(name, variable)| {
            (name.clone(), Some(variable.value.replace("{url}", &url).replace("{address}", &address)))
        });
        let keys = self.keys.names.iter().map(|name| (name.clone(), Some(self.keys.value.clone())));
        let proxies = self.proxies.names.iter().map(|name| (name.clone(), None));
        asked.chain(keys).chain(proxies).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_leads_to_the_stand_in() {
        let pack = BaseUrls::embedded().unwrap();
        let changes = pack.leading_to("127.0.0.1:4711".parse().unwrap());
        for (name, why, source) in pack.variables() {
            let value = changes[name].as_deref().unwrap();
            assert!(value.contains("127.0.0.1:4711") && !value.contains('{'), "{name}: {value}");
            assert!(!why.is_empty() && !source.is_empty(), "{name} comes from nowhere");
        }
        assert_eq!(changes["OPENAI_BASE_URL"].as_deref(), Some("http://127.0.0.1:4711/v1"));
        assert_eq!(changes["OLLAMA_HOST"].as_deref(), Some("127.0.0.1:4711"));
        assert_eq!(changes["HTTPS_PROXY"], None);
    }

    #[test]
    fn no_name_has_two_meanings_and_all_are_sorted() {
        let pack = BaseUrls::embedded().unwrap();
        let mut names: Vec<_> = pack.variables.keys().chain(&pack.keys.names).chain(&pack.proxies.names).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        let lines: Vec<_> = TEXT.lines().filter(|line| line.contains("{ value")).collect();
        assert!(lines.is_sorted(), "the variables are in the order of the alphabet");
    }
}
