//! What a class must satisfy. Knows k, p, l, t and α; knows nothing of files, papers' steps or costs.
//!
//! Every model says whether it survives *adding rows* to a class or only *merging* classes that satisfy it
//! (`algorithms.md` §8). Algorithms ask instead of assuming.

mod boundaries;
mod bounds;
mod closeness;
mod diversity;
mod gains;
mod models;
mod notion;
mod parse;
mod solvable;
mod tally;

use serde::{Deserialize, Serialize};

pub use boundaries::Parts;
pub use bounds::{i_value, max_clusters};
pub use diversity::{entropy_l, entropy_reaches, largest_share, recursive_ratio};
pub use gains::Gains;
pub use models::Models;
pub use notion::Notion;
pub use tally::{Tally, ValueCounts};

use crate::data::Ground;

/// One privacy demand on every class of a release. With several sensitive columns, each must meet it by itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum Model {
    /// Every class has at least `k` rows (paper 001, Definition 2).
    KAnonymity {
        /// Smallest class size.
        k: u32,
    },
    /// Every class has at least `p` different values of every sensitive column (paper 001, Definition 3), or values of `p`
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
        about: "every class has at least N different values of each sensitive column; with --protected, values of N different protected parts of its hierarchy",
    },
    ModelEntry {
        flag: "--l-diversity distinct:L",
        name: "distinct l-diversity",
        about: "every class has at least L different values of each sensitive column",
    },
    ModelEntry {
        flag: "--l-diversity entropy:L",
        name: "entropy l-diversity",
        about: "the values of a class are as uncertain as L equally frequent ones",
    },
    ModelEntry {
        flag: "--l-diversity recursive:C,L",
        name: "recursive (c,l)-diversity",
        about: "the most frequent value of a class occurs less than C times as often as all values from the L-th most frequent on",
    },
    ModelEntry {
        flag: "--alpha A",
        name: "(alpha,k)-anonymity",
        about: "no sensitive value has a larger share of a class than A",
    },
    ModelEntry {
        flag: "--t-closeness T:GROUND",
        name: "t-closeness",
        about: "the sensitive values of a class are distributed as in the whole table, up to T; GROUND says how far values are apart: equal (default), ordered, hierarchical",
    },
];

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
