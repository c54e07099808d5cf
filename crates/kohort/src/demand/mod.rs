//! What may be asked of a release, as data: demands on every class, and what hiding among k means.
//!
//! This room only names and describes. Whether a class meets a demand is decided twice and independently: by [`crate::model`]
//! while a release is made, and by [`crate::verify`] when it is checked.

mod list;
mod notion;
mod parse;

use serde::{Deserialize, Serialize};

pub use list::{MODELS, ModelEntry};
pub use notion::Notion;

use crate::data::Ground;
use crate::error::{Error, Result};

/// One privacy model with its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum Model {
    /// Every class has at least `k` rows (Samarati and Sweeney 1998).
    KAnonymity {
        /// Smallest class size.
        k: u32,
    },
    /// Every class has at least `p` different values of every sensitive column (Truta and Vinay 2006), or values of `p`
    /// different protected parts of its hierarchy (extended p-sensitivity, Campan and Truta 2006).
    PSensitive {
        /// Smallest number of different values.
        p: u32,
    },
    /// Distinct l-diversity: `l` different values, protected or not.
    DistinctL {
        /// Smallest number of different values.
        l: u32,
    },
    /// Entropy l-diversity (Machanavajjhala et al. 2006): the entropy of the values is at least log l.
    EntropyL {
        /// How many equally frequent values are as uncertain.
        l: f64,
    },
    /// Recursive (c,l)-diversity: the most frequent value occurs less than c times as often as all values from the l-th
    /// most frequent on.
    RecursiveL {
        /// Most the frequent value may outweigh the rare ones.
        c: f64,
        /// From which value on they are rare.
        l: u32,
    },
    /// (α,k)-anonymity (Wong et al. 2006), of all values: none has a larger share of its class.
    AlphaK {
        /// Largest share.
        alpha: f64,
    },
    /// t-closeness (Li et al. 2007): the values of a class are distributed much like those of the table.
    TCloseness {
        /// Largest distance.
        t: f64,
        /// What values are how far apart, unless their column says otherwise.
        ground: Ground,
    },
}

impl Model {
    /// Whether a class that satisfies the model keeps satisfying it when any rows are added ("superset-monotone"). All
    /// models are kept when two classes that satisfy them are merged ("union-closed").
    pub fn survives_adding_rows(&self) -> bool {
        matches!(self, Self::KAnonymity { .. } | Self::PSensitive { .. } | Self::DistinctL { .. })
    }

    /// Whether the model looks at sensitive values.
    pub fn needs_sensitive(&self) -> bool {
        !matches!(self, Self::KAnonymity { .. })
    }

    /// Whether classes are compared with the whole table, so that only who has the original can check it.
    pub fn compares_with_table(&self) -> bool {
        matches!(self, Self::TCloseness { .. })
    }

    /// How many different values it asks for by their number.
    pub fn different_values(&self) -> u32 {
        match *self {
            Self::PSensitive { p } => p,
            Self::DistinctL { l } => l,
            _ => 1,
        }
    }

    /// The flag that asks for it, for messages.
    pub fn flag(&self) -> &'static str {
        match self {
            Self::KAnonymity { .. } => "-k",
            Self::PSensitive { .. } => "-p",
            Self::DistinctL { .. } | Self::EntropyL { .. } | Self::RecursiveL { .. } => "--l-diversity",
            Self::AlphaK { .. } => "--alpha",
            Self::TCloseness { .. } => "--t-closeness",
        }
    }
}

impl std::fmt::Display for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::KAnonymity { k } => write!(f, "k = {k}"),
            Self::PSensitive { p } => write!(f, "p = {p}"),
            Self::DistinctL { l } => write!(f, "distinct {l}-diversity"),
            Self::EntropyL { l } => write!(f, "entropy {l}-diversity"),
            Self::RecursiveL { c, l } => write!(f, "recursive ({c},{l})-diversity"),
            Self::AlphaK { alpha } => write!(f, "alpha = {alpha}"),
            Self::TCloseness { t, ground } => write!(f, "t = {t} ({})", ground.name()),
        }
    }
}

/// All demands of a job; a class must satisfy every one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Demands(Vec<Model>);

impl From<Vec<Model>> for Demands {
    fn from(demands: Vec<Model>) -> Self {
        Self(demands)
    }
}

impl Demands {
    /// k-anonymity and, when `p` is given, p-sensitivity. Refuses values that protect nobody or contradict each other.
    pub fn new(k: u32, p: Option<u32>) -> Result<Self> {
        if k < 2 {
            return Err(Error::job(format!("k = {k}, expected at least 2"))
                .at("-k")
                .help("with k = 1 every person may stand alone; common choices are 5, 10 or 20"));
        }
        let demands = Self(vec![Model::KAnonymity { k }]);
        match p {
            None | Some(1) => Ok(demands),
            Some(0) => Err(Error::job("p = 0, expected at least 1")
                .at("-p")
                .help("omit -p to ask for k-anonymity alone")),
            Some(p) => demands.and(Model::PSensitive { p }),
        }
    }

    /// One demand more.
    pub fn and(self, model: Model) -> Result<Self> {
        let (k, values) = (self.k(), model.different_values());
        if values > k {
            let name = if matches!(model, Model::PSensitive { .. }) { "p" } else { "l" };
            let help = format!(
                "a class of k rows has at most k different values: raise k to {values} or lower {name} to {k}"
            );
            return Err(Error::job(format!("{name} = {values} is larger than k = {k}"))
                .at(model.flag())
                .help(help));
        }
        Ok(self.anyway(model))
    }

    /// One demand more, whatever the smallest class size is.
    #[must_use]
    pub fn anyway(mut self, model: Model) -> Self {
        self.0.push(model);
        self
    }

    /// The same demands with a smaller k, and numbers of values that still fit.
    #[must_use]
    pub fn with_k(&self, smaller: u32) -> Self {
        let lowered = |m: &Model| match *m {
            Model::KAnonymity { .. } => Model::KAnonymity { k: smaller },
            Model::PSensitive { p } => Model::PSensitive { p: p.min(smaller) },
            Model::DistinctL { l } => Model::DistinctL { l: l.min(smaller) },
            other => other,
        };
        Self(self.0.iter().map(lowered).collect())
    }

    /// The single demands.
    pub fn iter(&self) -> impl Iterator<Item = &Model> {
        self.0.iter()
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The smallest class size asked for.
    pub fn k(&self) -> u32 {
        let k = |m: &Model| if let Model::KAnonymity { k } = m { *k } else { 1 };
        self.0.iter().map(k).max().unwrap_or(1)
    }

    /// The number of different sensitive values asked for.
    pub fn p(&self) -> u32 {
        self.0.iter().map(Model::different_values).max().unwrap_or(1)
    }

    /// The p of p-sensitivity, where it was asked for.
    pub fn asked_p(&self) -> Option<u32> {
        let p = |m: &Model| if let Model::PSensitive { p } = m { Some(*p) } else { None };
        self.0.iter().filter_map(p).max()
    }

    /// How far values are apart for t-closeness, where it was asked for.
    pub fn ground(&self) -> Option<Ground> {
        self.0
            .iter()
            .find_map(|m| if let Model::TCloseness { ground, .. } = m { Some(*ground) } else { None })
    }

    /// Whether any demand looks at sensitive values.
    pub fn need_sensitive(&self) -> bool {
        self.0.iter().any(Model::needs_sensitive)
    }

    /// Whether rows can be added to any class without a check.
    pub fn survive_adding_rows(&self) -> bool {
        self.0.iter().all(Model::survives_adding_rows)
    }

    /// Refuses demands on sensitive values where there are none.
    pub fn check_columns(&self, sensitive: usize) -> Result<()> {
        match self.0.iter().find(|m| m.needs_sensitive()) {
            Some(model) if sensitive == 0 => {
                Err(Error::job(format!("{model} is about sensitive values, but no column is sensitive"))
                    .at(model.flag())
                    .help("name the columns nobody may learn with --sensitive"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k_and_p_are_checked_before_use() {
        for (k, p) in [(0, None), (1, None), (5, Some(0)), (3, Some(4))] {
            assert!(matches!(Demands::new(k, p), Err(Error::Job(_))), "k = {k}, p = {p:?}");
        }
        assert_eq!(Demands::new(3, Some(1)).unwrap(), Demands::new(3, None).unwrap());
    }

    #[test]
    fn demands_travel_as_json() {
        let demands = Demands::new(5, Some(2)).unwrap().and(Model::AlphaK { alpha: 0.5 }).unwrap();
        let text = serde_json::to_string(&demands).unwrap();
        let expected = r#"[{"model":"k-anonymity","k":5},{"model":"p-sensitive","p":2},{"model":"alpha-k","alpha":0.5}]"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Demands>(&text).unwrap(), demands);
    }
}
