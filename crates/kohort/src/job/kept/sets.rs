//! Columns and sets of columns that single people out.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::collect::{EXACT, KeptColumns, Page, Seen, effective, of_code};
use super::sample::{ValueSample, both};
use super::told::{Finding, Single};
use crate::data::Role;

/// The share of rows with a value of their own from which on a column is nearly unique, and from which on a set singles out.
const HALF: f64 = 0.5;

/// How many kept columns, and how many quasi-identifiers, are combined: in tables that are counted exactly, and in others.
const SMALL: (usize, usize) = (10, 8);
const LARGE: (usize, usize) = (5, 3);

/// A crowd of k is not safe from columns that have this many times k values.
const MANY: f64 = 4.0;

/// The largest number of sets that are named.
const NAMED: usize = 5;

/// Pairs and triples of kept columns and quasi-identifiers, at least one of them kept.
pub(super) struct Sets {
    all: Vec<Set>,
}

struct Set {
    kept: Vec<usize>,
    /// Quasi-identifiers, by number.
    known: Vec<usize>,
    sample: ValueSample,
}

impl Sets {
    /// Chooses by the first rows. What is nearly unique by itself is not combined, and neither is what has one value.
    ///
    /// Quasi-identifiers are generalized; here they count with what an outsider knows of them, which is the value. So the kept
    /// columns beside them must do their part: they must have so many values that a crowd of k is not safe from them.
    pub(super) fn choose(page: &Page<'_>, of: &KeptColumns<'_>) -> Self {
        let (few, many) = if of.table().rows <= EXACT { SMALL } else { LARGE };
        let kept = most_varied(page.kept, few);
        let known = most_varied(&page.known[..of.table().qi.len()], many);
        let mut all = Vec::new();
        for some in subsets(&kept) {
            let together = |at: usize| some.iter().fold(0, |hash, &c| both(hash, page.kept[c][at]));
            let divides = effective((0..page.rows.len()).map(together)) >= MANY * f64::from(of.k());
            let others = if divides { subsets(&known) } else { Vec::new() };
            for others in std::iter::once(Vec::new()).chain(others) {
                if (2..=3).contains(&(some.len() + others.len())) {
                    let sample = ValueSample::new(EXACT, 0);
                    all.push(Set { kept: some.clone(), known: others, sample });
                }
            }
        }
        Self { all }
    }

    pub(super) fn add(&mut self, page: &Page<'_>) {
        self.all.par_iter_mut().for_each(|set| {
            let kept = set.kept.iter().map(|&c| page.kept[c].as_slice());
            let columns: Vec<&[u64]> =
                kept.chain(set.known.iter().map(|&q| page.known[q].as_slice())).collect();
            for (at, &row) in page.rows.iter().enumerate() {
                let hash = columns.iter().fold(0, |hash, column| both(hash, column[at]));
                set.sample.add(hash, row, std::iter::empty());
            }
        });
    }
}

/// The columns with the most values, at most so many: neither constant nor nearly unique by themselves.
fn most_varied(columns: &[Vec<u64>], most: usize) -> Vec<usize> {
    let effective = |hashes: &Vec<u64>| (hashes.len() as f64, effective(hashes.iter().copied()));
    let mut varied: Vec<(usize, f64)> = columns
        .iter()
        .map(effective)
        .enumerate()
        .filter(|(_, (rows, values))| *values > 1.0 + 1e-9 && *values < rows / 2.0)
        .map(|(at, (_, values))| (at, values))
        .collect();
    varied.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    varied.into_iter().take(most).map(|(at, _)| at).collect()
}

/// All subsets of one to three members.
fn subsets(of: &[usize]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for (i, &a) in of.iter().enumerate() {
        found.push(vec![a]);
        for (j, &b) in of.iter().enumerate().skip(i + 1) {
            found.push(vec![a, b]);
            found.extend(of[j + 1..].iter().map(|&c| vec![a, b, c]));
        }
    }
    found
}

/// Kept columns in which most rows that have a value have one of their own.
pub(super) fn nearly_unique(of: &KeptColumns<'_>, seen: &Seen) -> Vec<Finding> {
    let among = |sample, &present: &u64| Single { rows: present, ..alone(sample, seen) };
    let samples = seen.kept.iter().zip(&seen.present).map(|(sample, present)| among(sample, present));
    let unique = of.kept().zip(samples).filter(|(_, alone)| is_many(alone.count, alone.rows));
    let finding = |(column, alone): (&String, Single)| Finding::NearlyUnique {
        column: column.clone(),
        role: Role::Keep,
        alone: Single { count: alone.count.min(alone.rows), ..alone },
    };
    unique.map(finding).collect()
}

/// Sets that single most rows out, where no smaller set does. Whom the quasi-identifiers of a set single out by themselves does
/// not count.
pub(super) fn single_out(of: &KeptColumns<'_>, seen: &Seen, unique: &[String]) -> Vec<Finding> {
    let names: Vec<&String> = of.kept().collect();
    let known = of.known();
    let mut sets: Vec<(&Set, Single)> = Vec::new();
    let mut by_known: FxHashMap<&[usize], u64> = FxHashMap::default();
    let mut all: Vec<&Set> = seen.sets.iter().flat_map(|sets| &sets.all).collect();
    all.sort_by_key(|set| set.kept.len() + set.known.len());
    for set in all {
        let within = |smaller: &Set| {
            smaller.kept.iter().all(|c| set.kept.contains(c))
                && smaller.known.iter().all(|c| set.known.contains(c))
        };
        let is_new = !sets.iter().any(|(smaller, _)| within(smaller))
            && !set.kept.iter().any(|&c| unique.contains(names[c]));
        if !is_new {
            continue;
        }
        let alone = alone(&set.sample, seen);
        if !is_many(alone.count, seen.rows) {
            continue;
        }
        let without = match set.known.as_slice() {
            [] => 0,
            known => *by_known.entry(known).or_insert_with(|| alone_by(known, of, seen)),
        };
        if is_many(alone.count.saturating_sub(without), seen.rows) {
            sets.push((set, alone));
        }
    }
    sets.sort_by_key(|(set, alone)| (set.kept.len() + set.known.len(), std::cmp::Reverse(alone.count)));
    sets.truncate(NAMED);
    let finding = |(set, alone): (&Set, Single)| Finding::SinglesOut {
        kept: set.kept.iter().map(|&c| names[c].clone()).collect(),
        known: set.known.iter().map(|&q| known[q].name.to_owned()).collect(),
        alone,
    };
    sets.into_iter().map(finding).collect()
}

fn alone(sample: &ValueSample, seen: &Seen) -> Single {
    let count = sample.alone().min(seen.rows);
    Single { count, rows: seen.rows, is_estimate: sample.weight() > 1 }
}

/// How many rows of the table quasi-identifiers alone single out.
fn alone_by(known: &[usize], of: &KeptColumns<'_>, seen: &Seen) -> u64 {
    let mut sample = ValueSample::new(EXACT, 0);
    let columns = of.known();
    for row in 0..of.table().rows as u32 {
        let hash = known.iter().map(|&q| of_code(columns[q].codes, row)).fold(0, both);
        sample.add(hash, row, std::iter::empty());
    }
    sample.alone().min(seen.rows)
}

pub(super) fn is_many(rows: u64, of: u64) -> bool {
    rows > 1 && rows as f64 >= HALF * of as f64
}
