//! Which rows lie in which published tuples, by looking.
//!
//! Per attribute and code, one bit for every tuple that admits the code; a row lies in the tuples whose bits are set in all
//! attributes. Tuples come in portions, so that the bits fit in memory whatever the number of codes.

use std::ops::Range;

use rayon::prelude::*;

/// 64-bit words per portion: so many times 64 tuples are looked at together.
const WORDS: usize = 32;

/// Rows and tuples, attribute by attribute.
pub(super) struct LiesIn<'a> {
    /// Per attribute, the number of codes.
    pub(super) codes: Vec<u32>,
    /// Per attribute and row, its code.
    pub(super) rows: Vec<&'a [u32]>,
    /// Per attribute and tuple, the codes its cell admits.
    pub(super) tuples: Vec<Vec<Range<u32>>>,
}

impl LiesIn<'_> {
    /// Per row, the tuples it lies in, ascending. `None` when there are more than `most` pairs in all.
    pub(super) fn pairs(&self, most: usize) -> Option<Vec<Vec<u32>>> {
        let rows = self.rows.first().map_or(0, |codes| codes.len());
        let tuples = self.tuples.first().map_or(0, Vec::len);
        let mut found: Vec<Vec<u32>> = vec![Vec::new(); rows];
        for first in (0..tuples).step_by(64 * WORDS) {
            let admits = self.admits(first..tuples.min(first + 64 * WORDS));
            found.par_iter_mut().enumerate().for_each(|(row, list)| {
                let common = self.common(&admits, row);
                let set = |tuple: &usize| common[tuple / 64] >> (tuple % 64) & 1 == 1;
                list.extend((0..64 * WORDS).filter(set).map(|tuple| (first + tuple) as u32));
            });
            if found.iter().map(Vec::len).sum::<usize>() > most {
                return None;
            }
        }
        Some(found)
    }

    /// Per attribute and code, which tuples of a portion admit it.
    fn admits(&self, portion: Range<usize>) -> Vec<Vec<[u64; WORDS]>> {
        let of_attribute = |(tuples, &codes): (&Vec<Range<u32>>, &u32)| {
            let mut admits = vec![[0; WORDS]; codes as usize];
            for (at, range) in tuples[portion.clone()].iter().enumerate() {
                for code in range.start..range.end.min(codes) {
                    admits[code as usize][at / 64] |= 1 << (at % 64);
                }
            }
            admits
        };
        self.tuples.par_iter().zip(&self.codes).map(of_attribute).collect()
    }

    /// The tuples that admit every code of a row.
    fn common(&self, admits: &[Vec<[u64; WORDS]>], row: usize) -> [u64; WORDS] {
        let mut common = [u64::MAX; WORDS];
        for (admits, codes) in admits.iter().zip(&self.rows) {
            let bits = &admits[codes[row] as usize];
            common.iter_mut().zip(bits).for_each(|(common, bits)| *common &= bits);
        }
        common
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_lies_in_what_admits_all_its_codes() {
        let rows: [&[u32]; 2] = [&[0, 1, 2], &[0, 0, 1]];
        let graph = LiesIn {
            codes: vec![3, 2],
            rows: rows.to_vec(),
            tuples: vec![vec![0..1, 0..3, 1..3, 2..2], vec![0..1, 0..1, 0..2, 0..2]],
        };
        assert_eq!(graph.pairs(9).unwrap(), [vec![0, 1], vec![1, 2], vec![2]]);
        assert!(graph.pairs(4).is_none());
    }

    /// More tuples than one portion holds.
    #[test]
    fn portions_are_one_list() {
        let rows: [&[u32]; 1] = [&[0, 1]];
        let tuples: Vec<Range<u32>> = (0..5000).map(|t| (t % 2)..2).collect();
        let found = LiesIn { codes: vec![2], rows: rows.to_vec(), tuples: vec![tuples] }.pairs(9999).unwrap();
        assert_eq!((found[0].len(), found[1].len()), (2500, 5000));
        assert!(found.iter().all(|list| list.is_sorted()));
    }

    #[test]
    fn as_many_pairs_as_allowed_are_found() {
        let rows: [&[u32]; 1] = [&[0, 1]];
        let graph = LiesIn { codes: vec![2], rows: rows.to_vec(), tuples: vec![vec![0..2, 1..2]] };
        assert!(graph.pairs(3).is_some() && graph.pairs(2).is_none());
    }
}
