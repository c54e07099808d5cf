//! The encoded table: quasi-identifiers and sensitive columns as small integers. Nothing else is held in memory.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Attribute, Codes, Coding, Ground, Hierarchy, People};

/// A quasi-identifier with one code per row.
#[derive(Debug, Clone)]
pub struct QuasiIdentifier {
    /// Its values and what they can become.
    pub attribute: Attribute,
    /// One code per row.
    pub codes: Codes,
}

/// A sensitive column with one code per row.
#[derive(Debug, Clone, Default)]
pub struct Sensitive {
    /// Column name.
    pub name: String,
    /// One code per row, `0..distinct`.
    pub codes: Codes,
    /// Number of different values.
    pub distinct: u32,
    /// The values by code, where there are few; only ever written to the release or compared with it. Empty otherwise.
    pub texts: Vec<String>,
    /// Texts with their codes, where numbers are written in several ways and `texts` is empty for it.
    pub spellings: Vec<(String, u32)>,
    /// Whether the column is text in its file, so that `texts` can be released in its place.
    pub is_text: bool,
    /// Whether its values are quantities, which may well be different in every row, and no texts or codes that name something.
    pub is_measured: bool,
    /// What p counts of each code instead of the value: the protected part of its hierarchy it belongs to. Empty where
    /// nothing is protected.
    pub kinds: Vec<u32>,
    /// The rank of each code among the values; empty where they have no order.
    pub ranks: Vec<u32>,
    /// Its hierarchy, and the leaf of each code, where it has one.
    pub tree: Option<Hierarchy>,
    /// The leaf of each code in `tree`.
    pub leaf_of: Vec<u32>,
    /// Where t-closeness shall measure this column by another distance than the others.
    pub ground: Option<Ground>,
    /// The code of missing values, where they count towards no number of values and no share: they protect nobody. None where
    /// nothing is missing or a missing value counts like any other.
    pub missing: Option<u32>,
    /// The texts besides blank ones that mean a missing value, where missing values count for nothing; none where they count
    /// like any other.
    pub na: Option<Vec<String>>,
    /// What its codes stand for.
    pub coding: Coding,
    /// How often each value occurs in the table that classes are compared with, by code, where that is not this table: a later
    /// release of a growing table is compared with what the first one was made from. Empty otherwise.
    pub frozen: Vec<u64>,
}

impl Sensitive {
    /// Whether the release can be written from memory, without reading the column again.
    pub fn is_kept(&self) -> bool {
        self.is_text && !self.texts.is_empty()
    }

    /// Whether its values are at hand as texts.
    pub fn has_texts(&self) -> bool {
        !self.texts.is_empty() || !self.spellings.is_empty()
    }
}

/// What the library keeps of an input table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Number of rows.
    pub rows: usize,
    /// The columns an outsider could know.
    pub qi: Vec<QuasiIdentifier>,
    /// The columns nobody may learn.
    pub sensitive: Vec<Sensitive>,
    /// Which rows are published as they are, because their people do not mind; empty when none is.
    pub verbatim: Vec<bool>,
    /// Which rows are suppressed before anything else, because they lack a value; empty when none is. Their quasi-identifiers
    /// count nowhere: no domain, range or frequency knows their values, and their codes mean nothing.
    pub lacking: Vec<bool>,
    /// Whose row is whose, where the job says by which columns people are told apart; otherwise every row is a person.
    pub people: Option<People>,
}

impl Table {
    /// Whether the row is published as it is.
    pub fn is_verbatim(&self, row: usize) -> bool {
        self.verbatim.get(row) == Some(&true)
    }

    /// Whether the row is suppressed because it lacks a value.
    pub fn is_lacking(&self, row: usize) -> bool {
        self.lacking.get(row) == Some(&true)
    }

    /// The rows to be released in classes: neither published as they are nor suppressed for what they lack.
    pub fn in_classes(&self) -> Vec<u32> {
        (0..self.rows)
            .filter(|&row| !self.is_verbatim(row) && !self.is_lacking(row))
            .map(|row| row as u32)
            .collect()
    }

    /// How many rows are published as they are.
    pub fn verbatim_count(&self) -> usize {
        self.verbatim.iter().filter(|&&v| v).count()
    }

    /// The given rows as a table of their own. Domains, ranges and counts stay those of the whole table, as the
    /// measures demand.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let pick = |codes: &Codes| rows.iter().map(|&r| codes.get(r as usize)).collect();
        Self {
            rows: rows.len(),
            qi: self
                .qi
                .par_iter()
                .map(|q| QuasiIdentifier { attribute: q.attribute.clone(), codes: pick(&q.codes) })
                .collect(),
            sensitive: self
                .sensitive
                .iter()
                .map(|s| Sensitive { codes: pick(&s.codes), texts: Vec::new(), ..s.clone() })
                .collect(),
            verbatim: Vec::new(),
            lacking: Vec::new(),
            people: self.people.as_ref().map(|p| People { codes: pick(&p.codes), count: p.count }),
        }
    }
}

/// Rows with equal codes, numbered by first appearance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    start: Vec<u32>,
    rows: Vec<u32>,
}

impl Groups {
    /// Groups the rows `0..rows` by equality on all columns. Each column comes with its number of codes.
    pub fn by(rows: usize, columns: &[(&Codes, u32)]) -> Self {
        let (of_row, groups) =
            numbered(rows, columns.iter().map(|&(codes, count)| (count, move |row: usize| codes.get(row))));
        Self::gather(&of_row, groups)
    }

    /// The groups of some rows, which are renumbered from 0; and, per new group, its number in `group_of`.
    pub fn among(group_of: &[u32], rows: &[u32]) -> (Self, Vec<u32>) {
        let mut was = Vec::new();
        let mut seen: FxHashMap<u32, u64> = FxHashMap::default();
        let number = |&row: &u32| {
            let group = group_of[row as usize];
            *seen.entry(group).or_insert_with(|| {
                was.push(group);
                was.len() as u64 - 1
            })
        };
        let of_row: Vec<u64> = rows.iter().map(number).collect();
        (Self::gather(&of_row, was.len()), was)
    }

    /// Rows by the number of their group, below `groups`.
    pub(crate) fn gather(group: &[u64], groups: usize) -> Self {
        let mut start = vec![0u32; groups + 1];
        for &g in group {
            start[g as usize + 1] += 1;
        }
        for g in 0..groups {
            start[g + 1] += start[g];
        }
        let mut next = start.clone();
        let mut rows = vec![0; group.len()];
        for (row, &g) in group.iter().enumerate() {
            let slot = &mut next[g as usize];
            rows[*slot as usize] = row as u32;
            *slot += 1;
        }
        Self { start, rows }
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The group of every row.
    pub fn of_rows(&self) -> Vec<u32> {
        let mut of_row = vec![0; self.rows.len()];
        for group in 0..self.len() {
            for &row in self.rows(group) {
                of_row[row as usize] = group as u32;
            }
        }
        of_row
    }

    /// The rows of a group, ascending.
    pub fn rows(&self, group: usize) -> &[u32] {
        &self.rows[self.start[group] as usize..self.start[group + 1] as usize]
    }
}

/// Dense numbers, in order of first appearance, for items `0..items` that are equal in all columns, and how many there are. Each
/// column comes with its number of codes and the code of every item.
///
/// Columns are packed into 64-bit keys as long as they fit and folded to dense numbers when they do not, so any number of
/// columns works with one hash look-up per item and 64 bits.
pub(crate) fn numbered(
    items: usize,
    columns: impl IntoIterator<Item = (u32, impl Fn(usize) -> u32 + Sync)>,
) -> (Vec<u64>, usize) {
    let mut keys = vec![0u64; items];
    let mut size = 1u64;
    for (count, code) in columns {
        let count = u64::from(count.max(1));
        if size.checked_mul(count).is_none() {
            size = u64::from(fold(&mut keys));
        }
        keys.par_iter_mut().enumerate().for_each(|(item, key)| *key = *key * count + u64::from(code(item)));
        size = size.saturating_mul(count);
    }
    let found = fold(&mut keys);
    (keys, found as usize)
}

/// Replaces keys by dense numbers in order of first appearance; returns how many there are.
pub(crate) fn fold(keys: &mut [u64]) -> u32 {
    let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
    for key in keys {
        let next = seen.len() as u32;
        *key = u64::from(*seen.entry(*key).or_insert(next));
    }
    seen.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_by_first_appearance() {
        let a: Codes = [3, 1, 3, 1, 3].into_iter().collect();
        let b: Codes = [0, 0, 0, 1, 1].into_iter().collect();
        let groups = Groups::by(5, &[(&a, 4), (&b, 2)]);
        let rows: Vec<_> = (0..groups.len()).map(|g| groups.rows(g).to_vec()).collect();
        assert_eq!(rows, [vec![0, 2], vec![1], vec![3], vec![4]]);
    }

    #[test]
    fn forty_wide_columns_fold() {
        let columns: Vec<Codes> =
            (0..40).map(|c| (0..100u32).map(|r| (r % 50) * 70_000 + c).collect()).collect();
        let with_counts: Vec<_> = columns.iter().map(|c| (c, 4_000_000)).collect();
        let groups = Groups::by(100, &with_counts);
        assert_eq!(groups.len(), 50);
        assert!((0..50).all(|g| groups.rows(g) == [g as u32, g as u32 + 50]));
    }
}
