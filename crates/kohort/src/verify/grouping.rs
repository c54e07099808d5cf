//! Which rows of a release read the same.

use std::hash::Hash;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Released;
use crate::input::Column;

/// The class number of a suppressed row.
pub(super) const HIDDEN: u32 = u32::MAX;

/// The class number of a row that is published as it is; it takes part in no class.
pub(super) const AS_IT_IS: u32 = u32::MAX - 1;

/// Rows by what their quasi-identifiers read; what else stands in them does not matter. Whoever looks at a release more
/// than once need group it only once.
#[derive(Default)]
pub struct Grouping {
    /// Per row, its class, or [`HIDDEN`] or [`AS_IT_IS`].
    pub(super) of_row: Vec<u32>,
    /// The rows in classes, those of one class next to each other.
    rows: Vec<u32>,
    /// Where every class begins in `rows`; the last entry is where the last one ends.
    start: Vec<u32>,
}

impl Grouping {
    /// Groups rows by the texts of their quasi-identifiers; suppressed rows and those published as they are are in no class.
    pub fn of(released: &Released) -> Self {
        let Released { hidden, verbatim, .. } = released;
        let qi: Vec<&Column> = released.qi.iter().flatten().collect();
        let apart = |row: usize| match (hidden.get(row), verbatim.get(row)) {
            (Some(true), _) => Some(HIDDEN),
            (_, Some(true)) => Some(AS_IT_IS),
            _ => None,
        };
        let of_row = match radix(&qi) {
            Some(radix) => number(released.rows, apart, |row| {
                qi.iter().zip(&radix).map(|(column, &r)| u128::from(column.codes.get(row)) * r).sum::<u128>()
            }),
            None => number(released.rows, apart, |row| {
                qi.iter().map(|c| c.codes.get(row)).collect::<Box<[u32]>>()
            }),
        };
        Self::gathered(of_row)
    }

    /// Groups rows by a mark that each of them has; [`AS_IT_IS`] is no class.
    pub(super) fn of_marks(marks: &[u32]) -> Self {
        Self::gathered(number(
            marks.len(),
            |row| (marks[row] == AS_IT_IS).then_some(AS_IT_IS),
            |row| marks[row],
        ))
    }

    /// The class of every row, and how many classes there are; none for a row in no class.
    pub fn classes(&self) -> (Vec<Option<u32>>, usize) {
        (self.of_row.iter().map(|&class| (class < AS_IT_IS).then_some(class)).collect(), self.len())
    }

    /// Brings the rows of every class together: jumping between classes row by row would miss the cache at every step.
    fn gathered(of_row: Vec<u32>) -> Self {
        let classes = of_row.iter().filter(|&&c| c < AS_IT_IS).max().map_or(0, |&c| c as usize + 1);
        let mut start = vec![0u32; classes + 1];
        for &class in of_row.iter().filter(|&&c| c < AS_IT_IS) {
            start[class as usize + 1] += 1;
        }
        for class in 0..classes {
            start[class + 1] += start[class];
        }
        let (mut next, mut rows) = (start.clone(), vec![0u32; start[classes] as usize]);
        for (row, &class) in of_row.iter().enumerate().filter(|(_, c)| **c < AS_IT_IS) {
            rows[next[class as usize] as usize] = row as u32;
            next[class as usize] += 1;
        }
        Self { of_row, rows, start }
    }

    /// Number of classes.
    pub(super) fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// The rows of a class, ascending; there is at least one.
    pub(super) fn members(&self, class: usize) -> &[u32] {
        &self.rows[self.start[class] as usize..self.start[class + 1] as usize]
    }
}

/// Place values that pack the text codes of a row into one number, when they fit.
fn radix(qi: &[&Column]) -> Option<Vec<u128>> {
    let mut place = 1u128;
    qi.iter()
        .map(|column| {
            let mine = place;
            place = place.checked_mul(column.texts.len() as u128)?;
            Some(mine)
        })
        .collect()
}

/// Numbers the rows of every stretch by the key of their texts, then makes equal keys of all stretches one class.
fn number<K: Eq + Hash + Clone + Send>(
    rows: usize,
    apart: impl Fn(usize) -> Option<u32> + Sync,
    key: impl Fn(usize) -> K + Sync,
) -> Vec<u32> {
    // One stretch per thread: shuffled rows meet nearly all classes in every stretch. However many stretches there are,
    // classes end up numbered by first appearance.
    let stretch = rows.div_ceil(rayon::current_num_threads()).max(1);
    let of_stretch = |(at, classes): (usize, &mut [u32])| {
        let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
        let mut keys: Vec<K> = Vec::new();
        for (row, class) in (at * stretch..).zip(classes) {
            *class = apart(row).unwrap_or_else(|| {
                *numbers.entry(key(row)).or_insert_with_key(|key| {
                    keys.push(key.clone());
                    keys.len() as u32 - 1
                })
            });
        }
        keys
    };
    let mut of_row = vec![0; rows];
    let keys: Vec<Vec<K>> = of_row.par_chunks_mut(stretch).enumerate().map(of_stretch).collect();
    let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
    let mut common = |key: K| {
        let next = numbers.len() as u32;
        *numbers.entry(key).or_insert(next)
    };
    for (classes, keys) in of_row.chunks_mut(stretch).zip(keys) {
        let renumbered: Vec<u32> = keys.into_iter().map(&mut common).collect();
        for class in classes.iter_mut().filter(|c| **c < AS_IT_IS) {
            *class = renumbered[*class as usize];
        }
    }
    of_row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(codes: &[u32], texts: usize) -> Column {
        Column {
            texts: vec![String::new(); texts],
            codes: codes.iter().copied().collect(),
            ..Column::default()
        }
    }

    fn grouped(qi: Vec<Column>, hidden: &[bool], verbatim: &[bool]) -> Grouping {
        let rows = qi[0].codes.len();
        let qi = qi.into_iter().map(|column| vec![column]).collect();
        let (hidden, verbatim) = (hidden.to_vec(), verbatim.to_vec());
        Grouping::of(&Released { rows, qi, sensitive: Vec::new(), hidden, verbatim, people: None })
    }

    #[test]
    fn rows_that_read_the_same_in_all_columns_are_a_class() {
        let columns = || {
            vec![
                column(&[0, 1, 0, 0, 1, 0], 2),
                column(&[1, 0, 1, 0, 0, 0], 2),
                column(&[2, 0, 2, 2, 0, 2], 3),
            ]
        };
        let all = grouped(columns(), &[], &[]);
        assert_eq!(all.of_row, [0, 1, 0, 2, 1, 2]);
        let members: Vec<&[u32]> = (0..all.len()).map(|class| all.members(class)).collect();
        assert_eq!(members, [[0, 2], [1, 4], [3, 5]]);
        let no = false;
        let some = grouped(columns(), &[true, no, no, no, no, no], &[no, no, no, no, no, true]);
        assert_eq!(some.of_row, [HIDDEN, 0, 1, 2, 0, AS_IT_IS]);
        let members: Vec<&[u32]> = (0..some.len()).map(|class| some.members(class)).collect();
        assert_eq!(members, [&[1, 4][..], &[2], &[3]]);
        let none = grouped(columns(), &[true; 6], &[]);
        assert_eq!((none.len(), &none.of_row), (0, &vec![HIDDEN; 6]));
        let none = grouped(columns(), &[], &[true; 6]);
        assert_eq!((none.len(), &none.of_row), (0, &vec![AS_IT_IS; 6]));
    }

    #[test]
    fn text_codes_are_packed_where_they_fit() {
        let (few, many) = (column(&[], 3), column(&[], 1 << 20));
        assert_eq!(radix(&[&few, &many, &few]), Some(vec![1, 3, 3 << 20]));
        assert_eq!(radix(&[&many; 7]), None, "140 bits");
        // What does not fit is grouped all the same.
        let wide = |codes: &[u32]| (0..7).map(|_| column(codes, 1 << 20)).collect();
        assert_eq!(grouped(wide(&[5, 6, 5]), &[], &[]).of_row, [0, 1, 0]);
    }
}
