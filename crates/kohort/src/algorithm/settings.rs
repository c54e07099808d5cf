//! Settings of an algorithm: given as text, checked before they can be used.

use std::collections::BTreeMap;

use crate::error::{Error, Result, nearest};

/// A thing that can be set, for help texts and checks.
#[derive(Debug)]
pub struct SettingEntry {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub accepts: Accepts,
    /// What it changes.
    pub about: &'static str,
}

/// What a setting may be.
#[derive(Debug)]
pub enum Accepts {
    /// One of these words; the first is the default.
    OneOf(&'static [&'static str]),
    /// A number of at least 0; there is none by default.
    Number,
}

impl Accepts {
    /// What can be written, for help texts.
    pub fn shown(&self) -> String {
        match self {
            Self::OneOf(words) => words.join("|"),
            Self::Number => "NUMBER".to_owned(),
        }
    }

    /// The words that can be written; none for a number.
    pub fn words(&self) -> &'static [&'static str] {
        match self {
            Self::OneOf(words) => words,
            Self::Number => &[],
        }
    }

    fn refusal(&self, value: &str) -> Option<String> {
        match self {
            Self::OneOf(words) if words.contains(&value) => None,
            Self::OneOf(words) => {
                let mut sorted = words.to_vec();
                sorted.sort_unstable();
                Some(format!("expected one of: {}", sorted.join(", ")))
            }
            Self::Number if value.parse().is_ok_and(|x: f64| x.is_finite() && x >= 0.0) => None,
            Self::Number => Some("expected a number of at least 0".to_owned()),
        }
    }
}

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
    pub fn check(&self, algorithm: &str, known: &[SettingEntry]) -> Result<()> {
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
            if let Some(expected) = entry.accepts.refusal(value) {
                return Err(Error::job(format!("{algorithm}: {name} = '{value}'"))
                    .option_with("set", name)
                    .help(expected));
            }
        }
        Ok(())
    }

    /// The word of a checked setting, or its default.
    pub fn get<'a>(&'a self, entry: &'a SettingEntry) -> &'a str {
        let default = entry.accepts.words().first().copied().unwrap_or_default();
        self.0.get(entry.name).map_or(default, String::as_str)
    }

    /// The number of a checked setting, where one was given.
    pub fn number(&self, entry: &SettingEntry) -> Option<f64> {
        self.0.get(entry.name).and_then(|text| text.parse().ok())
    }
}
