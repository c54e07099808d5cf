//! The private record of a table that grows: which rows were published together, in which releases.
//!
//! A ledger keeps *atoms*: sets of rows each of which meets every demand by itself. Every class of every release is a union of
//! atoms, so whoever compares releases sees unions of atoms and nothing smaller (`algorithms.md` §9). A ledger that has forgotten
//! a release cannot promise that any more; therefore it is one file with a checksum, it changes together with the release or
//! not at all, and what is damaged is refused.

mod check;
mod decode;
mod digest;
mod encode;
mod file;
mod journal;
mod layout;
mod lock;
mod mirror;
mod repair;
mod seal;
mod settle;
mod summary;
mod waiting;
mod whole;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::input::{JobSpec, MemoryTable};

pub use file::{LedgerFile, Looked, look};
pub use repair::{Repaired, repair};
pub use settle::Settled;
pub use summary::{LedgerSummary, ReleaseSummary, SizeCount};

/// The atom of rows that belong to none: those whose people do not mind, and that are published as they are.
pub const NO_ATOM: u32 = u32::MAX;

/// What is known of the earlier releases of a table.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// What was asked when it was created, without the places of input and output.
    pub job: JobSpec,
    /// The SHA-256 of each hierarchy as it was read, by column.
    pub trees: BTreeMap<String, String>,
    /// The released columns in their order: name and type.
    pub columns: Vec<(String, String)>,
    /// Whether anybody may have seen the earlier releases. Where nobody has, rows may be inserted into classes.
    pub published: bool,
    /// All releases, the first one first.
    pub releases: Vec<ReleaseRecord>,
    /// All atoms, in the order in which they came to be.
    pub atoms: Vec<Atom>,
    /// The atom of every row of the last release, in its order; [`NO_ATOM`] where it belongs to none.
    pub atom_of: Vec<u32>,
    /// The keyed digest of the person, or of the identifiers, of every row of the last release; empty where there are no such
    /// columns.
    pub keys: Vec<[u8; 16]>,
    /// The digests of people or rows that were in an earlier release and are in none since: taken out at somebody's wish, or with
    /// those who wished it. They are no new people if they come again.
    pub gone: Vec<Gone>,
    /// What the digests are keyed with.
    pub salt: [u8; 32],
    /// The distribution that t, beta and delta are measured against: the values of each sensitive column that they look at, and
    /// how many rows had them in the first release.
    /// Beside them, values of quasi-identifiers that hierarchies and ranges of the next release must have room for.
    pub frozen: BTreeMap<String, Vec<(String, u64)>>,
    /// Rows of the original that can form no atom yet, with all columns that the job reads.
    pub waiting: Option<MemoryTable>,
}

/// Somebody whose rows were taken out of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gone {
    /// The keyed digest.
    pub key: [u8; 16],
    /// The first release that hid rows of this key in an atom; 0 where it hid none. An atom that was new then counts the person still,
    /// if other rows are left there.
    pub first_release: u32,
}

/// A release that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseRecord {
    /// Counted from 1.
    pub number: u32,
    /// Where it was written, as a path from the root.
    pub place: PathBuf,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// How many rows it has.
    pub rows: u64,
    /// The atoms from this number on were new in it.
    pub first_new_atom: u32,
    /// The SHA-256 of the batch it was made with, unless that had no rows: the same batch does not come twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
}

/// Rows that are never published apart, and meet every demand by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Atom {
    /// How many rows it has, or had before it was withdrawn.
    pub rows: u32,
    /// How many people they belong to, where the job says whose row is whose.
    pub people: Option<u32>,
    /// The release in which it was new.
    pub first_release: u32,
    /// The first release without it.
    pub withdrawn_in: Option<u32>,
    /// Its class in the last release: atoms of the same number were published under one tuple.
    pub class: u32,
}

impl Ledger {
    /// The number that the next release will have.
    pub fn next_number(&self) -> u32 {
        self.releases.last().map_or(1, |release| release.number + 1)
    }

    /// How many rows wait for others.
    pub fn waiting_rows(&self) -> usize {
        self.waiting.as_ref().map_or(0, MemoryTable::rows)
    }
}

/// The name of a file that belongs to a ledger and lies beside it.
fn beside(ledger: &Path, ending: &str) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests;
