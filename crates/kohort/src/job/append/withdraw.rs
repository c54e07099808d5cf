//! Rows that are taken out again: only whole atoms can go without telling who left.

use rustc_hash::FxHashSet;

use super::keys::{Key, NOBODY};
use super::record::everybody;
use super::rows;
use crate::error::{Error, Result};
use crate::ledger::{Gone, Ledger};
use crate::verify::NO_ATOM;

/// Which rows of the last release go.
#[derive(Debug, Default)]
pub(super) struct Withdrawal {
    /// Whose rows are to go.
    pub(super) keys: FxHashSet<Key>,
    /// Row by row of the list.
    listed: Vec<Key>,
    /// By atom: whether it goes.
    pub(super) atoms: Vec<bool>,
    /// By row of the last release: whether it stays.
    pub(super) stays: Vec<bool>,
    /// Rows of the last release that were asked for.
    pub(super) rows: u64,
    /// Rows of others that go with them.
    pub(super) withheld: u64,
    /// Keys that the last release has.
    pub(super) known: FxHashSet<Key>,
}

impl Withdrawal {
    /// Finds out what goes. Refuses to take rows of others out unless that was allowed.
    pub(super) fn new(ledger: &Ledger, listed: Vec<Key>, withhold: bool) -> Result<Self> {
        let mut found = Self {
            keys: everybody(&listed),
            listed,
            atoms: vec![false; ledger.atoms.len()],
            stays: vec![true; ledger.atom_of.len()],
            ..Self::default()
        };
        if found.keys.is_empty() {
            return Ok(found);
        }
        let (mut sizes, mut asked) = (vec![0u64; found.atoms.len()], vec![0u64; found.atoms.len()]);
        for (row, &atom) in ledger.atom_of.iter().enumerate() {
            let is_asked = ledger.keys.get(row).is_some_and(|key| found.keys.contains(key));
            if is_asked {
                found.rows += 1;
                found.known.insert(ledger.keys[row]);
                found.stays[row] = false;
            }
            if atom != NO_ATOM {
                sizes[atom as usize] += 1;
                asked[atom as usize] += u64::from(is_asked);
            }
        }
        found.atoms = asked.iter().map(|&asked| asked > 0).collect();
        let torn = sizes.iter().zip(&asked).filter(|(size, asked)| **asked > 0 && asked < size);
        let (mut torn_atoms, mut others) = (0, 0);
        for (size, asked) in torn {
            torn_atoms += 1;
            others += size - asked;
        }
        found.withheld = others;
        if others > 0 && !withhold {
            let (they, atoms) = if torn_atoms == 1 { ("shares", "an atom") } else { ("share", "atoms") };
            return Err(Error::job(format!(
                "{} to be withdrawn, some of which {they} {atoms} with {} of people who stay: taken out alone, they could be found by comparing releases",
                rows(found.rows),
                rows(others)
            ))
            .option("withdraw")
            .number("rows", found.rows as f64)
            .number("others", others as f64)
            .help(format!(
                "‹withhold› takes these {} out, too, for good; or wait until everybody of their atoms leaves",
                rows(others)
            )));
        }
        for (stays, &atom) in found.stays.iter_mut().zip(&ledger.atom_of) {
            *stays &= atom == NO_ATOM || !found.atoms[atom as usize];
        }
        Ok(found)
    }

    /// Refuses a list that names somebody who was never given: misspelled, she would stay in. `keys` are those of the batch and of
    /// rows that waited.
    pub(super) fn check_known(&self, ledger: &Ledger, keys: &[Key], list: Option<&str>) -> Result<()> {
        let given = everybody(keys);
        let gone: FxHashSet<Key> = ledger.gone.iter().map(|gone| gone.key).collect();
        let is_unknown = |key: &Key| {
            *key != NOBODY && !self.known.contains(key) && !given.contains(key) && !gone.contains(key)
        };
        let unknown: Vec<usize> =
            (1..).zip(&self.listed).filter(|(_, key)| is_unknown(key)).map(|(row, _)| row).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let shown: Vec<String> = unknown.iter().take(10).map(usize::to_string).collect();
        let more = if unknown.len() > shown.len() { ", …" } else { "" };
        let one = unknown.len() == 1;
        Err(Error::input(format!(
            "{} of the list of withdrawals {} nobody who was ever given: row {}{more}, not counting the header",
            rows(unknown.len() as u64),
            if one { "names" } else { "name" },
            shown.join(", ")
        ))
        .in_file(list.unwrap_or_default())
        .option("withdraw")
        .number("rows", unknown.len() as f64)
        .help(format!(
            "correct {}, or take {} out of the list; who left before may stay in it",
            if one { "its spelling" } else { "their spelling" },
            if one { "it" } else { "them" }
        )))
    }

    /// How many of those who are to go had left before.
    pub(super) fn already_gone(&self, ledger: &Ledger) -> u64 {
        let left = |gone: &&Gone| self.keys.contains(&gone.key) && !self.known.contains(&gone.key);
        ledger.gone.iter().filter(left).count() as u64
    }

    /// Whether everything stays.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}
