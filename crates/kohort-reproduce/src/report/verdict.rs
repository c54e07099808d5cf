//! What a paper says, and whether that was found again.

use serde::{Deserialize, Serialize};

/// Whether a claim was found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It was.
    Reproduced,
    /// It was not, wholly or in part; the words beside it say by how much.
    NotReproduced,
    /// That cannot be told; the words beside it say why.
    CannotBeCompared,
}

/// A sentence of a paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// What the paper says, in short.
    pub says: String,
    /// Whether that is so.
    pub verdict: Verdict,
    /// By what figures.
    pub found: String,
}

impl Claim {
    /// A claim with the verdict that a test gives.
    pub fn tested(says: &str, holds: bool, found: impl Into<String>) -> Self {
        let verdict = if holds { Verdict::Reproduced } else { Verdict::NotReproduced };
        Self { says: says.to_owned(), verdict, found: found.into() }
    }

    /// A claim that cannot be compared, and why.
    pub fn open(says: &str, why: impl Into<String>) -> Self {
        Self { says: says.to_owned(), verdict: Verdict::CannotBeCompared, found: why.into() }
    }

    /// The same found on made-up people, which tells nothing of the paper's table.
    #[must_use]
    pub fn on_made_up_people(self) -> Self {
        let found = format!("needs Adult; on made-up people: {}", self.found);
        Self { verdict: Verdict::CannotBeCompared, found, ..self }
    }

    /// The claim as one line.
    pub fn line(&self) -> String {
        format!("{}: {} ({})", self.verdict.words(), self.says, self.found)
    }
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::NotReproduced => "not reproduced",
            Self::CannotBeCompared => "cannot be compared",
        }
    }
}
