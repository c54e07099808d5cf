//! What is to become of every row of a batch and of those that waited.

use rustc_hash::{FxHashMap, FxHashSet};

use super::keys::{Key, NOBODY};
use super::record::everybody;
use super::rows;
use super::withdraw::Withdrawal;
use crate::data::Table;
use crate::error::{Error, Result};
use crate::job::checked::{CheckedJob, RowsAre};
use crate::ledger::Ledger;
use crate::verify::NO_ATOM;

/// What a row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// To be in a new atom, and to count there.
    New,
    /// Of somebody who is in an earlier release: it may be in a new atom, and counts for nothing there.
    Returning,
    /// Published as it is.
    Open,
    /// Lacks a value and waits for ever, unless it is withdrawn.
    Lacking,
    /// Withdrawn before it was published.
    Gone,
}

/// The batch as the ledger sees it.
pub(super) struct Batch<'a> {
    pub(super) ledger: &'a Ledger,
    pub(super) table: &'a Table,
    /// The key of every row; none where nothing tells people apart.
    pub(super) keys: &'a [Key],
    /// Whether rows are told apart by people, and not by identifiers.
    pub(super) by_people: bool,
}

impl Batch<'_> {
    /// The fate of every row. Refuses rows that were given before, and people who are hidden in some rows and not in others.
    pub(super) fn fates(&self, withdrawal: &Withdrawal, name: &str) -> Result<Vec<Fate>> {
        let before = everybody(&self.ledger.keys);
        let gone: FxHashSet<Key> = self.ledger.gone.iter().map(|gone| gone.key).collect();
        let fate = |row: usize| {
            let key = self.keys.get(row).copied().unwrap_or(NOBODY);
            if withdrawal.keys.contains(&key) {
                Fate::Gone
            } else if self.table.is_verbatim(row) {
                Fate::Open
            } else if self.table.is_lacking(row) {
                Fate::Lacking
            } else if self.by_people && (before.contains(&key) || gone.contains(&key)) {
                Fate::Returning
            } else {
                Fate::New
            }
        };
        let fates: Vec<Fate> = (0..self.table.rows).map(fate).collect();
        self.check_open(&fates, name)?;
        Ok(fates)
    }

    /// Somebody who is hidden in an atom must not be published as they are in another row.
    fn check_open(&self, fates: &[Fate], name: &str) -> Result<()> {
        if !self.by_people {
            return Ok(());
        }
        let mut hidden: FxHashMap<Key, bool> = FxHashMap::default();
        for (key, &atom) in self.ledger.keys.iter().zip(&self.ledger.atom_of) {
            *hidden.entry(*key).or_default() |= atom != NO_ATOM;
        }
        for gone in &self.ledger.gone {
            *hidden.entry(gone.key).or_default() |= gone.first_release > 0;
        }
        let open_before = |key: &Key| hidden.get(key) == Some(&false);
        let hidden_before = |key: &Key| hidden.get(key) == Some(&true);
        let contradicts = |(fate, key): &(&Fate, &Key)| match fate {
            Fate::Open => hidden_before(key),
            Fate::New | Fate::Returning => open_before(key),
            Fate::Lacking | Fate::Gone => false,
        };
        match fates.iter().zip(self.keys).filter(contradicts).count() {
            0 => Ok(()),
            n => Err(Error::input(format!(
                "{} of people who are published as they are in some rows and hidden in others, counting earlier releases",
                if n == 1 { "1 row is".to_owned() } else { format!("{n} rows are") }
            ))
            .in_file(name)
            .option("opt-out")
            .option("person")
            .number("rows", n as f64)
            .help(format!("somebody is published as they are with all rows or with none: take the {} out of the batch", rows(n as u64)))),
        }
    }
}

/// Where every row is another person, somebody who is there already, waits or was taken out cannot come again. The keys are those of
/// the batch; the last `had_waited` of them waited.
pub(super) fn check_twice(
    (ledger, by_people): (&Ledger, bool),
    job: &CheckedJob,
    (keys, had_waited): (&[Key], usize),
    name: &str,
) -> Result<()> {
    if by_people || job.rows_are == RowsAre::People || keys.is_empty() {
        return Ok(());
    }
    let (new, waiting) = keys.split_at(keys.len() - had_waited);
    let mut known = everybody(waiting);
    known.extend(everybody(&ledger.keys));
    known.extend(ledger.gone.iter().map(|gone| gone.key));
    match new.iter().filter(|key| **key != NOBODY && known.contains(*key)).count() {
        0 => Ok(()),
        n => Err(Error::input(format!(
            "{} the same identifiers as rows that were given before: they would count as other people",
            if n == 1 { "1 row has".to_owned() } else { format!("{n} rows have") }
        ))
        .in_file(name)
        .option("identifier")
        .number("rows", n as f64)
        .help("give only rows that were not given before: what was released is taken from the last release, rows that wait are in the ledger, and who was withdrawn or withheld stays out; if these are other people, say ‹rows-are-people›")),
    }
}
