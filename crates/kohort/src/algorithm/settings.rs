//! Settings of an algorithm: given as text, checked before they can be used.

use std::collections::BTreeMap;

use crate::error::{Error, Result, nearest};
use crate::parameter::Parameter;

/// Settings by name, as given.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    /// Settings from name–value pairs.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(pairs.into_iter().collect())
    }

    /// The given pairs, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }

    /// Refuses names and values the algorithm does not know.
    pub fn check(&self, algorithm: &str, known: &[Parameter]) -> Result<()> {
        for (name, value) in self.iter() {
            let Some(entry) = known.iter().find(|e| e.name == name) else {
                let names: Vec<_> = known.iter().map(|e| e.name).collect();
                let hint = nearest(name, names.iter().copied()).map_or_else(
                    || {
                        if names.is_empty() {
                            format!("{algorithm} has no settings at all")
                        } else {
                            format!("{algorithm} has: {}", names.join(", "))
                        }
                    },
                    |n| format!("did you mean '{n}'?"),
                );
                return Err(Error::job(format!("{algorithm} has no setting '{name}'"))
                    .option("set")
                    .help(hint));
            };
            if !entry.accepts.admits(value) {
                return Err(Error::job(format!("{algorithm}: {name} = '{value}'"))
                    .option_with("set", name)
                    .help(format!("expected {}", entry.accepts)));
            }
        }
        Ok(())
    }

    /// Whether something was given.
    pub fn has(&self, entry: &Parameter) -> bool {
        self.0.contains_key(entry.name)
    }

    /// A checked setting, or its default; nothing where there is none.
    pub fn get(&self, entry: &Parameter) -> String {
        self.0.get(entry.name).cloned().or_else(|| entry.accepts.default()).unwrap_or_default()
    }

    /// The number of a checked setting, or its default where there is one.
    pub fn number(&self, entry: &Parameter) -> Option<f64> {
        self.get(entry).parse().ok()
    }
}
