//! Which algorithm was asked for: one by name, or whatever is likely to lose least.

use serde::Serialize;

use super::{ALGORITHMS, AlgorithmEntry, agglomerative, boxes, k_type};
use crate::demand::Notion;
use crate::error::{Error, Result, nearest};

/// What is chosen where nothing is said.
#[derive(Serialize)]
pub struct AutoEntry {
    /// The name in flags, job files and JSON; no algorithm has it.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
}

/// Whatever loses least.
pub static AUTO: AutoEntry = AutoEntry {
    name: "auto",
    about: "agglomerative and boxes, in blocks where there are many rows, others besides where diversity is hard to meet; whichever loses least is refined",
};

/// What was asked for.
#[derive(Clone, Copy)]
pub enum Choice {
    /// Whatever loses least.
    Auto,
    /// This one.
    Named(&'static AlgorithmEntry),
}

impl std::fmt::Debug for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Choice {
    /// Reads a name; refuses one that is neither `auto` nor in the list, or does not give the notion.
    pub fn parse(name: &str, notion: Notion) -> Result<Self> {
        if name == AUTO.name {
            return Ok(Self::Auto);
        }
        let entry = Self::entry(name)?;
        if entry.gives.iter().any(|given| given.implies(notion)) {
            return Ok(Self::Named(entry));
        }
        let gives: Vec<_> = entry.gives.iter().map(|given| format!("‹notion={}›", given.name())).collect();
        Err(Error::job(format!("{name} does not give the notion '{}'", notion.name()))
            .option("algorithm")
            .help(format!("say {}, or choose another algorithm", gives.join(" or "))))
    }

    /// The algorithm of this name in the list.
    pub fn entry(name: &str) -> Result<&'static AlgorithmEntry> {
        ALGORITHMS.iter().find(|e| e.name == name).ok_or_else(|| unknown(name))
    }

    /// As it was asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => AUTO.name,
            Self::Named(entry) => entry.name,
        }
    }

    /// The algorithm that is tried first. How large the table is does not matter: large ones are cut into blocks.
    pub fn first(self, notion: Notion) -> &'static AlgorithmEntry {
        match (self, notion) {
            (Self::Named(entry), _) => entry,
            (Self::Auto, Notion::K) => &agglomerative::ENTRY,
            (Self::Auto, Notion::OneK) => &k_type::ONE_K,
            (Self::Auto, Notion::K1) => &k_type::K1_EXPANSION,
            (Self::Auto, Notion::Kk) => &k_type::KK_OPTIMAL,
            (Self::Auto, Notion::Global) => &k_type::GLOBAL_OPTIMAL,
        }
    }

    /// Whether the order of rows is to decide nothing. The algorithms of papers break ties by it.
    pub fn sees_content_alone(self) -> bool {
        match self {
            Self::Auto => true,
            Self::Named(entry) => entry.name == boxes::ENTRY.name,
        }
    }

    /// Whether whole columns are generalized.
    pub fn recodes_columns(self) -> bool {
        matches!(self, Self::Named(entry) if entry.recodes_columns)
    }
}

fn unknown(name: &str) -> Error {
    let names: Vec<_> = std::iter::once(AUTO.name).chain(ALGORITHMS.iter().map(|e| e.name)).collect();
    let hint = nearest(name, names.iter().copied())
        .map_or_else(|| format!("one of {}", names.join(", ")), |n| format!("did you mean '{n}'?"));
    Error::job(format!("there is no algorithm '{name}'")).option("algorithm").help(hint)
}
