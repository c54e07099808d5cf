//! What a class must satisfy. Knows k and p; knows nothing of files, papers' steps or costs.
//!
//! Every model says whether it survives *adding rows* to a class or only *merging* classes that satisfy it
//! (`algorithms.md` §8). Algorithms ask instead of assuming.

mod boundaries;
mod bounds;
mod notion;
mod tally;

use serde::{Deserialize, Serialize};

pub use boundaries::Parts;
pub use bounds::{i_value, max_clusters};
pub use notion::Notion;
pub use tally::{Tally, ValueCounts};

use crate::data::Table;
use crate::error::{Error, Result};

/// One privacy demand on every class of a release.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum Model {
    /// Every class has at least `k` rows (paper 001, Definition 2).
    KAnonymity {
        /// Smallest class size.
        k: u32,
    },
    /// Every class has at least `p` different values of every sensitive column (paper 001, Definition 3).
    PSensitive {
        /// Smallest number of different values.
        p: u32,
    },
}

/// A model with one line about it, for help texts.
pub struct ModelEntry {
    /// The flag that asks for it.
    pub flag: &'static str,
    /// Its name in the field.
    pub name: &'static str,
    /// What it demands.
    pub about: &'static str,
}

/// All models, in the order in which they are listed.
pub static MODELS: &[ModelEntry] = &[
    ModelEntry {
        flag: "-k N",
        name: "k-anonymity",
        about: "every released combination of quasi-identifiers occurs at least N times",
    },
    ModelEntry {
        flag: "-p N",
        name: "p-sensitive k-anonymity",
        about: "every class has at least N different values of each sensitive column",
    },
];

impl Model {
    /// Whether a class with this content satisfies the model.
    pub fn holds(&self, class: &Tally) -> bool {
        match *self {
            Self::KAnonymity { k } => class.rows() >= u64::from(k),
            Self::PSensitive { p } => class.columns().iter().all(|c| c.distinct() >= p as usize),
        }
    }

    /// Whether a class that satisfies the model keeps satisfying it when any rows are added ("superset-monotone").
    pub fn survives_adding_rows(&self) -> bool {
        match self {
            Self::KAnonymity { .. } | Self::PSensitive { .. } => true,
        }
    }

    /// Whether the model looks at sensitive values.
    pub fn needs_sensitive(&self) -> bool {
        matches!(self, Self::PSensitive { .. })
    }
}

/// All demands of a job; a class must satisfy every one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Models(Vec<Model>);

impl Models {
    /// k-anonymity and, when `p` is given, p-sensitivity. Refuses values that protect nobody or contradict each other.
    pub fn new(k: u32, p: Option<u32>) -> Result<Self> {
        if k < 2 {
            return Err(Error::job(format!("k = {k}, expected at least 2"))
                .at("-k")
                .help("with k = 1 every person may stand alone; common choices are 5, 10 or 20"));
        }
        let mut models = vec![Model::KAnonymity { k }];
        match p {
            None | Some(1) => {}
            Some(0) => {
                return Err(Error::job("p = 0, expected at least 1")
                    .at("-p")
                    .help("leave -p away to ask for k-anonymity alone"));
            }
            Some(p) if p > k => {
                return Err(Error::job(format!("p = {p} is larger than k = {k}")).at("-p").help(format!(
                    "a class of k rows has at most k different values: raise k to {p} or lower p to {k}"
                )));
            }
            Some(p) => models.push(Model::PSensitive { p }),
        }
        Ok(Self(models))
    }

    /// The same demands with a smaller k, and a p that still fits.
    #[must_use]
    pub fn with_k(&self, smaller: u32) -> Self {
        let lowered = |m: &Model| match *m {
            Model::KAnonymity { .. } => Model::KAnonymity { k: smaller },
            Model::PSensitive { p } => Model::PSensitive { p: p.min(smaller) },
        };
        Self(self.0.iter().map(lowered).collect())
    }

    /// The single demands.
    pub fn iter(&self) -> impl Iterator<Item = &Model> {
        self.0.iter()
    }

    /// The smallest class size asked for.
    pub fn k(&self) -> u32 {
        self.0.iter().map(|m| if let Model::KAnonymity { k } = m { *k } else { 1 }).max().unwrap_or(1)
    }

    /// The number of different sensitive values asked for.
    pub fn p(&self) -> u32 {
        self.0.iter().map(|m| if let Model::PSensitive { p } = m { *p } else { 1 }).max().unwrap_or(1)
    }

    /// Whether a class with this content satisfies all demands.
    pub fn hold(&self, class: &Tally) -> bool {
        self.0.iter().all(|m| m.holds(class))
    }

    /// Whether any demand looks at sensitive values.
    pub fn need_sensitive(&self) -> bool {
        self.0.iter().any(Model::needs_sensitive)
    }

    /// Whether rows can be added to any class without a check.
    pub fn survive_adding_rows(&self) -> bool {
        self.0.iter().all(Model::survives_adding_rows)
    }

    /// What p counts of a value: the value itself.
    pub fn kind(&self, _column: usize, code: u32) -> u32 {
        code
    }

    /// In how many sensitive columns the class still lacks values and this row would bring a new one. Diversity is
    /// chased only while it is missing (`algorithms.md` §2.1).
    pub fn gain(&self, class: &Tally, sensitive: impl IntoIterator<Item = u32>) -> u32 {
        let p = self.p() as usize;
        let brings = |(c, code): (&ValueCounts, u32)| c.distinct() < p && c.count(code) == 0;
        class.columns().iter().zip(sensitive).filter(|&pair| brings(pair)).count() as u32
    }

    /// How far a class is from satisfying the models, in rows and values it lacks; 0 when it does.
    pub fn deficit(&self, class: &Tally) -> u64 {
        let lacks = |m: &Model| match *m {
            Model::KAnonymity { k } => u64::from(k).saturating_sub(class.rows()),
            Model::PSensitive { p } => {
                class.columns().iter().map(|c| u64::from(p).saturating_sub(c.distinct() as u64)).sum()
            }
        };
        self.0.iter().map(lacks).sum()
    }

    /// Refuses demands that not even the whole table as a single class meets: all models here are closed under merging
    /// classes, so nothing else could (`algorithms.md` §8).
    pub fn check_solvable(&self, table: &Table) -> Result<()> {
        let (k, rows) = (self.k() as usize, table.rows);
        if rows < k {
            let way_out = if rows < 2 {
                "nobody can hide alone: at least two rows must be neither opted out nor suppressed".into()
            } else {
                format!("ask for k ≤ {rows}, or add rows")
            };
            return Err(Error::unsolvable(format!("k = {k}, but the table has only {rows} rows to release"))
                .at("-k")
                .help(way_out));
        }
        if self.need_sensitive() && table.sensitive.is_empty() {
            return Err(Error::job(format!(
                "p = {} asks for diverse sensitive values, but no column is sensitive",
                self.p()
            ))
            .at("-p")
            .help("name the columns nobody may learn with --sensitive"));
        }
        let p = if self.need_sensitive() { self.p() } else { 1 };
        for s in &table.sensitive {
            let present = distinct(&s.codes);
            if present < p as usize {
                return Err(Error::unsolvable(format!(
                    "p = {p}, but sensitive column '{}' has only {present} different values",
                    s.name
                ))
                .at("-p")
                .help(format!("ask for p ≤ {present}, or do not declare '{}' as sensitive", s.name)));
            }
        }
        Ok(())
    }
}

fn distinct(codes: &crate::data::Codes) -> usize {
    codes.iter().collect::<rustc_hash::FxHashSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k_and_p_are_checked_before_use() {
        for (k, p) in [(0, None), (1, None), (5, Some(0)), (3, Some(4))] {
            assert!(matches!(Models::new(k, p), Err(Error::Job(_))), "k = {k}, p = {p:?}");
        }
        assert_eq!(Models::new(3, Some(1)).unwrap(), Models::new(3, None).unwrap());
    }

    #[test]
    fn gain_counts_only_what_is_still_missing() {
        let models = Models::new(3, Some(2)).unwrap();
        let mut class = Tally::new(2);
        class.add([0, 0], 1);
        class.add([1, 0], 1);
        assert_eq!(models.gain(&class, [2, 0]), 0);
        assert_eq!(models.gain(&class, [2, 9]), 1);
        assert!(!models.hold(&class));
        class.add([0, 9], 1);
        assert!(models.hold(&class));
    }
}
