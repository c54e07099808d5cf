//! Where the rows of a release come from, and what the ledger says of them.

use rustc_hash::FxHashMap;

use super::keys::Key;
use crate::data::{Codes, People};
use crate::input::TableSource;
use crate::job::Made;
use crate::ledger::Ledger;
use crate::solution::is_class;
use crate::verify::NO_ATOM;

/// Where a row of a release comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// A row of the last release.
    Old(u32),
    /// A row of the batch, or one that waited.
    New(u32),
}

/// A later release as it was written, and what the ledger says of its rows.
pub(super) struct Written<'a> {
    /// The release before.
    pub(super) last: &'a dyn TableSource,
    pub(super) source: &'a dyn TableSource,
    /// Where every row stood in the last release; none for new ones.
    pub(super) was: Vec<Option<u32>>,
    pub(super) atom_of: Vec<u32>,
    pub(super) keys: Vec<Key>,
    pub(super) people: Option<People>,
    /// Rows of people who were in an earlier release than the one in which their atom was new.
    pub(super) uncounted: Vec<bool>,
}

/// What the ledger says of every row of the new release.
pub(super) fn describe<'a>(
    ledger: &Ledger,
    (made, atom_of_class): (&Made<'_>, &[u32]),
    keys: &[Key],
    origins: &[Origin],
    (last, source): (&'a dyn TableSource, &'a dyn TableSource),
    by_people: bool,
) -> Written<'a> {
    let atom = |from: &Origin| match from {
        Origin::Old(row) => ledger.atom_of[*row as usize],
        Origin::New(row) => match made.release.class_of[*row as usize] {
            class if is_class(class) => atom_of_class[class as usize],
            _ => NO_ATOM,
        },
    };
    let key = |from: &Origin| match from {
        Origin::Old(row) => ledger.keys[*row as usize],
        Origin::New(row) => keys[*row as usize],
    };
    let was = |from: &Origin| match from {
        Origin::Old(row) => Some(*row),
        Origin::New(_) => None,
    };
    let atom_of: Vec<u32> = origins.iter().map(atom).collect();
    let keys: Vec<Key> = if keys.is_empty() && ledger.keys.is_empty() {
        Vec::new()
    } else {
        origins.iter().map(key).collect()
    };
    let people = by_people.then(|| people(&keys));
    let uncounted = if by_people { uncounted(ledger, &atom_of, &keys) } else { Vec::new() };
    Written { last, source, was: origins.iter().map(was).collect(), atom_of, keys, people, uncounted }
}

/// People by their keys.
fn people(keys: &[Key]) -> People {
    let mut number: FxHashMap<Key, u32> = FxHashMap::default();
    let person = |key: &Key| {
        let next = number.len() as u32;
        *number.entry(*key).or_insert(next)
    };
    let codes: Codes = keys.iter().map(person).collect();
    People { codes, count: number.len() as u32 }
}

/// Rows of people who had been in a release before the one in which their atom was new. Who was
/// taken out of one counts no more in atoms that came later.
fn uncounted(ledger: &Ledger, atom_of: &[u32], keys: &[Key]) -> Vec<bool> {
    let number = ledger.next_number();
    let born = |atom: u32| ledger.atoms.get(atom as usize).map_or(number, |atom| atom.first_release);
    let mut first: FxHashMap<Key, u32> =
        ledger.gone.iter().map(|gone| (gone.key, gone.first_release)).collect();
    for (key, &atom) in keys.iter().zip(atom_of).filter(|(_, atom)| **atom != NO_ATOM) {
        let seen = first.entry(*key).or_insert(u32::MAX);
        *seen = (*seen).min(born(atom));
    }
    let is_later = |(key, &atom): (&Key, &u32)| {
        atom != NO_ATOM && first.get(key).is_some_and(|&first| first < born(atom))
    };
    keys.iter().zip(atom_of).map(is_later).collect()
}
