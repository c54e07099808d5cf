//! How many values of a class can be assigned to different people, each to one who has it: the largest matching of values and
//! people. One person's rows cannot provide two of them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::column_model::{ColumnModel, UNIT, Unmet, or_drop};
use super::p_sensitive::Kinds;
use super::present::no_value;
use super::{NO_VALUE, ValueCounts};
use crate::data::{Owner, Pairs};

/// At least so many kinds of values that different people have.
#[derive(Debug)]
pub(super) struct Assignable {
    pub(super) least: u32,
    pub(super) pairs: Arc<Pairs>,
    pub(super) kinds: Kinds,
    /// What to ask for instead ("p ≤ 3").
    pub(super) way_out: fn(usize) -> String,
}

impl Assignable {
    fn kind(&self, code: u32) -> u32 {
        self.kinds.of(self.pairs.value(code))
    }

    /// How many kinds can be assigned, up to `most`.
    fn assigned(&self, class: &ValueCounts, most: usize) -> usize {
        let mut has: Vec<(u32, Owner)> = class
            .iter()
            .map(|(code, _)| (self.kind(code), self.pairs.owner(code)))
            .filter(|(kind, _)| *kind != NO_VALUE)
            .collect();
        has.sort_unstable();
        has.dedup();
        let kinds: Vec<&[(u32, Owner)]> = has.chunk_by(|a, b| a.0 == b.0).collect();
        let person_of = vec![None; kinds.len()];
        Matching { kinds: &kinds, kind_of: FxHashMap::default(), person_of }.size(most)
    }
}

/// Kinds and the people they are assigned to.
struct Matching<'a> {
    /// Per kind, who has it.
    kinds: &'a [&'a [(u32, Owner)]],
    kind_of: FxHashMap<Owner, usize>,
    person_of: Vec<Option<Owner>>,
}

impl Matching<'_> {
    fn size(&mut self, most: usize) -> usize {
        let mut size = 0;
        for kind in 0..self.kinds.len() {
            if size == most {
                break;
            }
            size += usize::from(self.assign(kind));
        }
        size
    }

    /// Assigns one more kind; others may have to move on to somebody else. Looks for the shortest way, without recursion:
    /// a class can have as many kinds as rows.
    fn assign(&mut self, kind: usize) -> bool {
        let mut before: FxHashMap<Owner, usize> = FxHashMap::default();
        let mut seen: FxHashSet<usize> = FxHashSet::from_iter([kind]);
        let mut open = std::collections::VecDeque::from([kind]);
        while let Some(next) = open.pop_front() {
            for &(_, person) in self.kinds[next] {
                if before.contains_key(&person) {
                    continue;
                }
                before.insert(person, next);
                match self.kind_of.get(&person) {
                    None => {
                        self.move_along(person, &before);
                        return true;
                    }
                    Some(&other) => {
                        if seen.insert(other) {
                            open.push_back(other);
                        }
                    }
                }
            }
        }
        false
    }

    /// Gives a free person the kind that led to them, and so on back to the kind that had nobody.
    fn move_along(&mut self, free: Owner, before: &FxHashMap<Owner, usize>) {
        let mut next = Some(free);
        while let Some(person) = next {
            let kind = before[&person];
            self.kind_of.insert(person, kind);
            next = self.person_of[kind].replace(person);
        }
    }
}

impl ColumnModel for Assignable {
    fn holds(&self, class: &ValueCounts) -> bool {
        self.least <= 1 || self.assigned(class, self.least as usize) >= self.least as usize
    }

    fn shortage(&self, class: &ValueCounts) -> u64 {
        let has = self.assigned(class, self.least as usize) as u64;
        u64::from(self.least).saturating_sub(has) * UNIT
    }

    fn gain(&self, class: &ValueCounts, code: u32) -> i64 {
        let kind = self.kind(code);
        if kind == NO_VALUE || class.count(code) > 0 || self.holds(class) {
            return 0;
        }
        let owner = self.pairs.owner(code);
        if class.iter().all(|(other, _)| self.kind(other) != kind && self.pairs.owner(other) != owner) {
            return UNIT.cast_signed();
        }
        let mut with = class.clone();
        with.add(code, 1);
        self.lack(class).cast_signed() - self.lack(&with).cast_signed()
    }

    fn reason(&self, whole: &ValueCounts, column: &str) -> Unmet {
        let n = self.assigned(whole, usize::MAX);
        if n == 0 {
            return no_value(column);
        }
        let has = if n == 1 {
            "has no two values that different people have".to_owned()
        } else {
            format!("has only {n} values that can be those of {n} different people")
        };
        Unmet::new(has, format!("ask for {}, {}", (self.way_out)(n), or_drop(column))).reaching(n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tally::counts;

    fn of(pairs: &[(u32, u32)], missing: Option<u32>) -> Assignable {
        let (values, people): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
        let count = values.iter().max().map_or(0, |value| value + 1);
        let pairs = Arc::new(Pairs::new(values, people, count).unwrap());
        let kinds = Kinds::none_protected(missing);
        Assignable { least: 9, pairs, kinds, way_out: |n| format!("p ≤ {n}") }
    }

    fn all(pairs: &[(u32, u32)], missing: Option<u32>) -> usize {
        of(pairs, missing).assigned(&counts(&vec![1; pairs.len()]), usize::MAX)
    }

    #[test]
    fn one_person_provides_one_value() {
        assert_eq!(all(&[(0, 0), (1, 0), (2, 0)], None), 1);
        assert_eq!(all(&[(0, 0), (1, 0), (1, 1), (2, 0)], None), 2);
        // Value 0 must move from person 0 to person 1, and value 1 from person 1 to person 2.
        assert_eq!(all(&[(0, 0), (0, 1), (1, 1), (1, 2), (2, 0)], None), 3);
        assert_eq!(all(&[(0, 0), (1, 1), (1, 0)], Some(0)), 1, "what is missing is no value");
        assert_eq!(all(&[], None), 0);
    }

    /// Every matching of up to four values and four people, against trying all assignments.
    #[test]
    fn as_many_as_any_assignment_has() {
        fn best(rows: &[u32], used: u32) -> usize {
            let Some((&first, rest)) = rows.split_first() else { return 0 };
            let free = (0..4).filter(|person| first & !used & (1 << person) != 0);
            let with = free.map(|person| 1 + best(rest, used | 1 << person)).max().unwrap_or(0);
            with.max(best(rest, used))
        }
        for code in 0..1u32 << 16 {
            let rows = [0, 4, 8, 12].map(|shift| code >> shift & 15);
            let pairs: Vec<(u32, u32)> = (0..4)
                .flat_map(|value| (0..4).map(move |person| (value, person)))
                .filter(|&(value, person)| rows[value as usize] & (1 << person) != 0)
                .collect();
            assert_eq!(all(&pairs, None), best(&rows, 0), "{rows:?}");
        }
    }

    #[test]
    fn a_gain_is_what_one_more_pair_brings() {
        let model = of(&[(0, 0), (1, 0), (0, 1), (2, 2)], None);
        let only = |codes: &[usize]| {
            let mut times = [0; 4];
            for &code in codes {
                times[code] = 1;
            }
            counts(&times)
        };
        // Both values of person 0: one of the two counts, until person 1 has the other.
        assert_eq!(model.gain(&only(&[0]), 1), 0);
        assert_eq!(model.gain(&only(&[0, 1]), 2), UNIT.cast_signed());
        assert_eq!(model.gain(&only(&[0, 1]), 3), UNIT.cast_signed());
        assert_eq!(model.gain(&only(&[3]), 3), 0);
    }
}
