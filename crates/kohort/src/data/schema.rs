//! What a column is for and how its values compare.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an outsider may know of a column, and so what must happen to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names a person by itself; never released.
    Identifier,
    /// Says whose row it is, so that people are counted and not rows; never released.
    Person,
    /// Could be known to an outsider; generalized.
    #[serde(alias = "qi")]
    QuasiIdentifier,
    /// Nobody may learn whose it is; released as it is, protected by the models.
    Sensitive,
    /// Released as it is and protected by nothing.
    #[serde(alias = "other", alias = "passed-through", alias = "pass-through")]
    Keep,
    /// Not released, although it names nobody.
    Drop,
}

/// What becomes of columns that have no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rest {
    /// They are released as they are.
    Keep,
    /// They are left out.
    Drop,
}

impl Rest {
    /// The role that they get.
    pub fn role(self) -> Role {
        match self {
            Self::Keep => Role::Keep,
            Self::Drop => Role::Drop,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identifier => "identifier",
            Self::Person => "person",
            Self::QuasiIdentifier => "quasi-identifier",
            Self::Sensitive => "sensitive",
            Self::Keep => "kept",
            Self::Drop => "dropped",
        })
    }
}

/// How the values of a column compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Whole numbers; generalized to intervals.
    Integer,
    /// Numbers with a fraction; generalized to intervals.
    Decimal,
    /// Calendar days, `YYYY-MM-DD`; generalized to intervals.
    Date,
    /// Instants, `YYYY-MM-DDThh:mm:ss`, with `Z` where they are those of UTC; generalized to intervals.
    Timestamp,
    /// Names; generalized along a hierarchy.
    Category,
}

impl Kind {
    /// Every kind with an order and a distance, the narrowest first.
    pub const LINES: [Self; 4] = [Self::Integer, Self::Decimal, Self::Date, Self::Timestamp];

    /// Whether its values have an order and a distance.
    pub fn is_line(self) -> bool {
        self != Self::Category
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Integer => "integer",
            Self::Decimal => "decimal",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::Category => "category",
        })
    }
}

/// What to do with a row whose quasi-identifier is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// "Unknown" is a value like any other: rows that lack a value can share a class.
    #[default]
    Value,
    /// The job fails and says how many there are.
    Refuse,
    /// Such rows are suppressed.
    Suppress,
}

/// What a missing sensitive value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingSensitive {
    /// Nothing: no different value for p and l, and no part of a share.
    #[default]
    Ignore,
    /// A value like any other.
    Count,
}

/// Whether a text says that a value is missing: it is blank, or one of the spellings that were declared.
pub fn is_missing(text: &str, na: &[String]) -> bool {
    let text = text.trim();
    text.is_empty() || na.iter().any(|spelling| spelling.trim() == text)
}

/// How intervals are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intervals {
    /// As text: `[35, 38]`.
    #[default]
    Text,
    /// As two columns, `age_min` and `age_max`, of the column's own type.
    Bounds,
    /// As their middle.
    Midpoint,
}

/// The columns a quasi-identifier becomes when its intervals are published as bounds.
pub fn bound_names(column: &str) -> [String; 2] {
    [format!("{column}_min"), format!("{column}_max")]
}

/// What becomes of suppressed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Suppressed {
    /// They are left out.
    #[default]
    Drop,
    /// They stay as rows of `*` with every other column empty.
    Star,
}

/// How far apart two values of a sensitive column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// Different values are 1 apart.
    #[default]
    Equal,
    /// By their ranks: |i − j| / (m − 1) for m values.
    Ordered,
    /// By their lowest common ancestor: its height over the height of the tree.
    Hierarchical,
}

impl Ground {
    /// The name in flags and job files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Ordered => "ordered",
            Self::Hierarchical => "hierarchical",
        }
    }
}
