//! Settings of an algorithm: given as text, checked before they can be used.

use std::collections::BTreeMap;

use crate::error::{Error, Result, nearest};

/// A thing that can be set, for help texts and checks.
#[derive(Debug)]
pub struct SettingEntry {
    /// Its name.
    pub name: &'static str,
    /// What it may be; the first is the default.
    pub values: &'static [&'static str],
    /// What it changes.
    pub about: &'static str,
}

/// Settings by name, as given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
    pub fn check(&self, algorithm: &str, known: &[SettingEntry]) -> Result<()> {
        for (name, value) in self.iter() {
            let Some(entry) = known.iter().find(|e| e.name == name) else {
                let names: Vec<_> = known.iter().map(|e| e.name).collect();
                let hint = nearest(name, names.iter().copied()).map_or_else(
                    || {
                        format!(
                            "{algorithm} knows: {}",
                            if names.is_empty() { "no settings".into() } else { names.join(", ") }
                        )
                    },
                    |n| format!("did you mean '{n}'?"),
                );
                return Err(Error::job(format!("{algorithm} has no setting '{name}'"))
                    .at("--set")
                    .help(hint));
            };
            if !entry.values.contains(&value) {
                return Err(Error::job(format!("{algorithm}: {name} = '{value}'"))
                    .at("--set")
                    .help(format!("expected one of: {}", entry.values.join(", "))));
            }
        }
        Ok(())
    }

    /// The value of a checked setting, or its default.
    pub fn get<'a>(&'a self, entry: &'a SettingEntry) -> &'a str {
        self.0.get(entry.name).map_or(entry.values[0], String::as_str)
    }
}
