//! Classes in which people are counted instead of rows: the verifier's own definitions.
//!
//! A class is looked at as different pairs, a value of a person each. Entropy, recursive diversity, t, β and δ are those of the
//! values of all pairs; α is how many of the people who have a value have the most frequent one; p and the number of
//! different values are how many values can be given to different people, each to one who has it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rayon::prelude::*;
use serde::Serialize;

use super::classes::Classes;
use super::counts::Counts;
use super::diversity::Recoded;
use super::grouping::Grouping;
use super::notions::Owners;
use super::{Reference, Released};

/// Whose rows a release has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PeopleFound {
    /// How many people the original has; none without it.
    pub in_table: Option<u64>,
    /// How many people have rows in classes.
    pub released: u64,
    /// How many rows the smallest class has.
    pub smallest_class_rows: u64,
    /// Whether it is known which row is whose. Otherwise rows were assigned to people so that every cell fits, and another
    /// assignment could lead to other numbers.
    pub is_certain: bool,
}

/// The pairs of a class, per sensitive column: a person and a value each, ascending and different.
pub(super) struct ClassPeople {
    /// Whose rows it has, ascending and different.
    pub(super) people: Vec<u32>,
    pub(super) pairs: Vec<Vec<(u32, u32)>>,
}

/// Everybody's rows, class by class.
pub(super) struct ByPeople {
    pub(super) classes: Vec<ClassPeople>,
    /// Per sensitive column the codes of missing values, where those count for nothing.
    pub(super) missing: Vec<Vec<u32>>,
    pub(super) is_certain: bool,
}

/// Finds out whose rows every class has: because the release says it, because it is known which row comes from where, or
/// because `owners` were found. None where nobody asks or nobody knows.
pub(super) fn by_people(
    released: &Released,
    grouping: &Grouping,
    reference: Option<&Reference<'_>>,
    owners: Option<&Owners>,
    recoded: &[Recoded],
) -> Option<ByPeople> {
    let missing = || recoded.iter().map(|r| r.missing.clone()).collect();
    let shown = |person: &(dyn Fn(u32) -> u32 + Sync)| {
        let class = |class: usize| {
            let rows: Vec<(u32, u32)> =
                grouping.members(class).iter().map(|&row| (person(row), row)).collect();
            ClassPeople::new(&rows, recoded.len(), |column, row| {
                recoded[column].column.codes.get(row as usize)
            })
        };
        (0..grouping.len()).into_par_iter().map(class).collect()
    };
    if let Some(people) = &released.people {
        let classes = shown(&|row| people.codes.get(row as usize));
        return Some(ByPeople { classes, missing: missing(), is_certain: true });
    }
    let reference = reference?;
    let people = reference.table.people.as_ref()?;
    if let Some(order) = reference.order() {
        let classes = shown(&|row| people.codes.get(order[row as usize] as usize));
        return Some(ByPeople { classes, missing: missing(), is_certain: true });
    }
    if people.count as usize == reference.table.rows {
        // Everybody has one row, whichever it is.
        return Some(ByPeople { classes: shown(&|row| row), missing: missing(), is_certain: true });
    }
    let owners = owners?;
    let mut members: Vec<Vec<(u32, u32)>> = vec![Vec::new(); grouping.len()];
    for &(row, class) in &owners.members {
        members[class as usize].push((people.codes.get(row as usize), row));
    }
    let sensitive = &reference.table.sensitive;
    let class = |rows: &Vec<(u32, u32)>| {
        ClassPeople::new(rows, sensitive.len(), |column, row| sensitive[column].codes.get(row as usize))
    };
    Some(ByPeople {
        classes: members.par_iter().map(class).collect(),
        missing: sensitive.iter().map(|s| s.missing.into_iter().collect()).collect(),
        is_certain: owners.certain,
    })
}

impl ByPeople {
    /// How many people have rows in classes.
    pub(super) fn released(&self) -> u64 {
        let mut all: Vec<u32> = self.classes.iter().flat_map(|class| &class.people).copied().collect();
        all.par_sort_unstable();
        all.dedup();
        all.len() as u64
    }

    /// How many people the class has that has fewest.
    pub(super) fn least(&self) -> u64 {
        self.classes.iter().map(|class| class.people.len() as u64).min().unwrap_or(0)
    }

    /// The pairs of a class whose value is there.
    fn present(&self, class: usize, column: usize) -> impl Iterator<Item = (u32, u32)> {
        let missing = &self.missing[column];
        self.classes[class].pairs[column].iter().copied().filter(|(_, value)| !missing.contains(value))
    }

    /// How many values of the class can be given to different people; `kind` says which values count as one.
    pub(super) fn assignable<K: Ord + Copy>(
        &self,
        class: usize,
        column: usize,
        kind: impl Fn(u32) -> K,
    ) -> usize {
        let pairs: Vec<(u32, K)> =
            self.present(class, column).map(|(person, value)| (person, kind(value))).collect();
        let each = || pairs.chunk_by(|a, b| a.0 == b.0).map(|own| own.iter().map(|(_, kind)| *kind));
        if each().all(|own| own.len() == 1) {
            // Everybody has one value: any of those who have it will do.
            return pairs.iter().map(|(_, kind)| *kind).collect::<BTreeSet<_>>().len();
        }
        largest_matching(&each().map(Iterator::collect).collect::<Vec<_>>())
    }

    /// The share of people with the most frequent value, of all who have one; 0 where nobody has.
    pub(super) fn largest_share(&self, class: usize, column: usize) -> f64 {
        let people: BTreeSet<u32> = self.present(class, column).map(|(person, _)| person).collect();
        let values: Counts = self.present(class, column).map(|(_, value)| value).collect();
        values.falling().first().map_or(0.0, |&most| f64::from(most) / people.len() as f64)
    }
}

impl ClassPeople {
    fn new(rows: &[(u32, u32)], columns: usize, value: impl Fn(usize, u32) -> u32) -> Self {
        let mut people: Vec<u32> = rows.iter().map(|(person, _)| *person).collect();
        people.sort_unstable();
        people.dedup();
        let of_column = |column: usize| {
            let mut pairs: Vec<(u32, u32)> =
                rows.iter().map(|&(person, row)| (person, value(column, row))).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        };
        Self { people, pairs: (0..columns).map(of_column).collect() }
    }
}

impl Classes<'_> {
    /// Makes the values of every class those of its pairs.
    pub(super) fn count_people(&mut self, by_people: ByPeople) {
        for (class, people) in self.found.iter_mut().zip(&by_people.classes) {
            class.values =
                people.pairs.iter().map(|pairs| pairs.iter().map(|(_, value)| *value).collect()).collect();
        }
        self.missing.clone_from(&by_people.missing);
        self.people = Some(by_people);
    }
}

/// How many people can have a kind of their own, of those that each has. One after the other gets one; where all of somebody's
/// kinds are taken, whoever has one of them may have to take another, and so on.
fn largest_matching<K: Ord + Copy>(has: &[BTreeSet<K>]) -> usize {
    let kinds = has.iter().flatten().collect::<BTreeSet<_>>().len();
    let mut taken_by: BTreeMap<K, usize> = BTreeMap::new();
    let mut had: Vec<Option<K>> = vec![None; has.len()];
    for start in 0..has.len() {
        if taken_by.len() == kinds {
            break;
        }
        // Through whom every kind was reached.
        let mut reached: BTreeMap<K, usize> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        let mut free = None;
        'search: while let Some(person) = open.pop_front() {
            for &kind in &has[person] {
                if reached.contains_key(&kind) {
                    continue;
                }
                reached.insert(kind, person);
                let Some(&owner) = taken_by.get(&kind) else {
                    free = Some(kind);
                    break 'search;
                };
                open.push_back(owner);
            }
        }
        while let Some(kind) = free {
            let person = reached[&kind];
            taken_by.insert(kind, person);
            // What this person had goes to whoever led here; the first one had nothing.
            free = had[person].replace(kind);
        }
    }
    taken_by.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_provides_one_value() {
        let matched = |has: &[&[u32]]| {
            largest_matching(&has.iter().map(|kinds| kinds.iter().copied().collect()).collect::<Vec<_>>())
        };
        assert_eq!(matched(&[&[1, 2, 3]]), 1);
        assert_eq!(matched(&[&[1, 2], &[1]]), 2);
        assert_eq!(matched(&[&[1], &[1], &[1]]), 1);
        assert_eq!(matched(&[&[1, 2], &[1, 3], &[1], &[2]]), 3);
        assert_eq!(matched(&[&[1, 2], &[2, 3], &[3, 4], &[1, 2, 3, 4]]), 4);
        assert_eq!(matched(&[&[], &[]]), 0);
    }
}
