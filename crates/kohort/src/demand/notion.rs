//! The k-type notions of anonymity (Gionis et al. 2008, Definitions 4.1, 4.4 and 4.6).

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

/// A notion with all that other code may say about it.
#[derive(Debug, Serialize)]
pub struct NotionEntry {
    /// Which one; in JSON its name.
    #[serde(rename = "name")]
    pub notion: Notion,
    /// Its name in the field.
    pub title: &'static str,
    /// One line for a person who must choose.
    pub about: &'static str,
    /// Whether it protects anybody by itself; the others are steps on the way.
    pub protects: bool,
}

/// All notions, in the order in which they are listed.
pub static NOTIONS: &[NotionEntry] = &[
    NotionEntry {
        notion: Notion::K,
        title: "k-anonymity",
        about: "k published rows look the same; k-anonymity",
        protects: true,
    },
    NotionEntry {
        notion: Notion::OneK,
        title: "(1,k)-anonymity",
        about: "every person fits at least k published rows; protects nobody by itself",
        protects: false,
    },
    NotionEntry {
        notion: Notion::K1,
        title: "(k,1)-anonymity",
        about: "every published row fits at least k people; protects nobody by itself",
        protects: false,
    },
    NotionEntry {
        notion: Notion::Kk,
        title: "(k,k)-anonymity",
        about: "both; enough against outsiders who do not know who exactly is in the table",
        protects: true,
    },
    NotionEntry {
        notion: Notion::Global,
        title: "global (1,k)-anonymity",
        about: "for every person at least k published rows could be hers, even if it is known who is in the table",
        protects: true,
    },
];

impl Notion {
    /// The notion of this name; `(k,k)` and `KK` are understood, too.
    pub fn parse(given: &str) -> Result<Self> {
        let plain: String = given.to_lowercase().chars().filter(|c| !"(), ".contains(*c)).collect();
        let name = if plain == "global1k" { "global-1k" } else { plain.as_str() };
        let names: Vec<_> = NOTIONS.iter().map(|entry| entry.notion.name()).collect();
        let hint = || {
            nearest(name, names.iter().copied())
                .filter(|near| near.len() > 2)
                .map_or_else(|| format!("one of {}", names.join(", ")), |n| format!("did you mean '{n}'?"))
        };
        let found = NOTIONS.iter().map(|entry| entry.notion).find(|notion| notion.name() == name);
        found.ok_or_else(|| Error::job(format!("there is no notion '{given}'")).option("notion").help(hint()))
    }

    /// The name in flags, job files and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::K => "k",
            Self::OneK => "1k",
            Self::K1 => "k1",
            Self::Kk => "kk",
            Self::Global => "global-1k",
        }
    }

    /// Whether every table of this notion is also one of the other, for the same k (Propositions 4.5 and 4.7).
    pub fn implies(self, other: Self) -> bool {
        match (self, other) {
            (Self::K, _) | (Self::Kk, Self::OneK | Self::K1) | (Self::Global, Self::OneK) => true,
            (mine, theirs) => mine == theirs,
        }
    }

    /// Its name in the field.
    pub fn title(self) -> &'static str {
        NOTIONS.iter().find(|entry| entry.notion == self).map_or("", |entry| entry.title)
    }

    /// Whether it protects anybody by itself.
    pub fn protects(self) -> bool {
        NOTIONS.iter().any(|entry| entry.notion == self && entry.protects)
    }

    /// Whom it protects against, in words for a certificate.
    pub fn adversary(self) -> &'static str {
        match self {
            Self::K => {
                "By quasi-identifiers alone, an outsider who knows those of everybody, and who is in the table, cannot tie a person to fewer rows."
            }
            Self::OneK => {
                "It protects nobody by itself: an outsider who finds that a person fits k published rows may know which of them is hers, because a published row can fit a single person."
            }
            Self::K1 => {
                "It protects nobody by itself: every published row fits k people, but a person may fit a single published row."
            }
            Self::Kk => {
                "It withstands an outsider who knows the quasi-identifiers of everybody, but not who exactly is in the table; one who knows that, too, may be able to exclude published rows until fewer than k are left. So it is worth something only where membership in the table is not publicly known (a sample, not a register)."
            }
            Self::Global => {
                "It withstands an outsider who knows the quasi-identifiers of everybody and who exactly is in the table: at least k published rows remain that could be a person's. They need not be equally likely."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways_and_typing_errors_are_told() {
        for entry in NOTIONS {
            let name = entry.notion.name();
            assert_eq!(Notion::parse(name).unwrap(), entry.notion);
            assert_eq!(
                (entry.notion.title(), serde_json::to_value(entry).unwrap()["name"].as_str()),
                (entry.title, Some(name))
            );
        }
        assert_eq!(NOTIONS.len(), 5, "one entry for each notion");
        assert!(Notion::parse("globl-1k").unwrap_err().to_string().contains("global-1k"));
    }

    #[test]
    fn figure_1() {
        assert!(Notion::Kk.implies(Notion::OneK) && Notion::Kk.implies(Notion::K1));
        assert!(!Notion::Kk.implies(Notion::Global) && !Notion::Global.implies(Notion::K1));
        assert!(!Notion::Global.implies(Notion::Kk) && !Notion::OneK.implies(Notion::K1));
    }
}
