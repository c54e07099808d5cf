//! The k-type notions of anonymity (paper 000, Definitions 4.1, 4.4 and 4.6).

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, nearest};

/// What "everyone hides among k" means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notion {
    /// k-anonymity: every published tuple occurs at least k times.
    #[default]
    #[serde(rename = "k")]
    K,
    /// (1,k): every row lies in at least k published tuples.
    #[serde(rename = "1k")]
    OneK,
    /// (k,1): every published tuple covers at least k rows.
    #[serde(rename = "k1")]
    K1,
    /// (k,k): both.
    #[serde(rename = "kk")]
    Kk,
    /// Global (1,k): every row has at least k tuples it could own in some assignment of all rows to all tuples.
    #[serde(rename = "global-1k")]
    Global,
}

/// All notions with their names.
const NAMES: [(&str, Notion); 5] = [
    ("k", Notion::K),
    ("1k", Notion::OneK),
    ("k1", Notion::K1),
    ("kk", Notion::Kk),
    ("global-1k", Notion::Global),
];

impl Notion {
    /// The notion of this name.
    pub fn parse(name: &str) -> Result<Self> {
        let names = NAMES.map(|(n, _)| n);
        let hint = || {
            nearest(name, names)
                .filter(|near| near.len() > 2)
                .map_or_else(|| format!("one of {}", names.join(", ")), |n| format!("did you mean '{n}'?"))
        };
        let found = NAMES.iter().find(|(n, _)| *n == name).map(|(_, notion)| *notion);
        found.ok_or_else(|| Error::job(format!("there is no notion '{name}'")).at("--notion").help(hint()))
    }

    /// The name in flags, job files and JSON.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, notion)| *notion == self).map_or("k", |(name, _)| name)
    }

    /// Whether every table of this notion is also one of the other, for the same k (Propositions 4.5 and 4.7).
    pub fn implies(self, other: Self) -> bool {
        match (self, other) {
            (Self::K, _) | (Self::Kk, Self::OneK | Self::K1) | (Self::Global, Self::OneK) => true,
            (mine, theirs) => mine == theirs,
        }
    }

    /// Whom it protects against, in words for a certificate.
    pub fn adversary(self) -> &'static str {
        match self {
            Self::K => {
                "An outsider who knows the quasi-identifiers of everybody, and who is in the table, cannot tie a person to fewer rows."
            }
            Self::OneK => {
                "It protects nobody by itself: an outsider who finds a person in k tuples may know which of them is hers, because tuples can cover a single row."
            }
            Self::K1 => {
                "It protects nobody by itself: every tuple covers k rows, but a person may lie in a single tuple."
            }
            Self::Kk => {
                "It withstands an outsider who knows the quasi-identifiers of everybody, but not who exactly is in the table; one who knows that, too, can exclude tuples until fewer than k are left."
            }
            Self::Global => {
                "It withstands an outsider who knows the quasi-identifiers of everybody and who exactly is in the table: at least k tuples remain that could be a person's. They need not be equally likely."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways_and_typing_errors_are_told() {
        for (name, notion) in NAMES {
            assert_eq!((Notion::parse(name).unwrap(), notion.name()), (notion, name));
        }
        assert!(Notion::parse("globl-1k").unwrap_err().to_string().contains("global-1k"));
    }

    #[test]
    fn figure_1() {
        assert!(Notion::Kk.implies(Notion::OneK) && Notion::Kk.implies(Notion::K1));
        assert!(!Notion::Kk.implies(Notion::Global) && !Notion::Global.implies(Notion::K1));
        assert!(!Notion::Global.implies(Notion::Kk) && !Notion::OneK.implies(Notion::K1));
    }
}
