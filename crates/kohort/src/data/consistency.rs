//! Which rows lie in which generalized tuples: the bipartite graph of Gionis et al. 2008, without comparing all pairs.
//!
//! A generalized cell of either kind is a range of codes: the leaves of a hierarchy node are contiguous. So "the tuples that
//! admit this code" is one bitset per code and attribute, found by sweeping over the codes once, and the tuples a row lies
//! in are the intersection of as many bitsets as there are attributes: 64 tuples per machine word. Tuples are handled in
//! portions, so that the bitsets of a portion take a bounded amount of memory, whatever the number of codes.

use std::ops::Range;

use rayon::prelude::*;

/// Bytes all bitsets of one portion of tuples may take.
const BUDGET: usize = 64 << 20;

/// Rows and tuples of one table, attribute by attribute.
pub struct Consistency<'a> {
    /// Per attribute, the number of codes.
    pub codes: Vec<u32>,
    /// Per attribute and row, its code.
    pub rows: Vec<&'a [u32]>,
    /// Per attribute and tuple, the codes its cell admits.
    pub tuples: Vec<Vec<Range<u32>>>,
}

impl Consistency<'_> {
    /// Per row, the tuples it lies in, ascending. `None` when there are more than `most` pairs in all.
    pub fn neighbours(&self, most: usize) -> Option<Vec<Vec<u32>>> {
        let rows = self.rows.first().map_or(0, |codes| codes.len());
        let tuples = self.tuples.first().map_or(0, Vec::len);
        let mut found: Vec<Vec<u32>> = vec![Vec::new(); rows];
        let mut pairs = 0;
        let all: usize = self.codes.iter().map(|&c| c as usize).sum::<usize>().max(1);
        let portion = (8 * BUDGET / all).clamp(64, 1 << 20) / 64 * 64;
        for from in (0..tuples).step_by(portion) {
            let part = from..tuples.min(from + portion);
            let masks = self.masks(part.clone());
            found.par_iter_mut().enumerate().for_each(|(row, list)| {
                self.collect(&masks, row, part.start as u32, list);
            });
            pairs = found.iter().map(Vec::len).sum();
            if pairs > most {
                return None;
            }
        }
        (pairs <= most).then_some(found)
    }

    /// Per attribute and code, which tuples of a portion admit it.
    fn masks(&self, part: Range<usize>) -> Vec<Vec<u64>> {
        let words = part.len().div_ceil(64);
        let of_attribute = |(tuples, &codes): (&Vec<Range<u32>>, &u32)| {
            let mut masks = vec![0u64; words * codes as usize];
            // A bit flips where its range begins and where it ends; summing the flips up gives the ranges.
            let mut flip = |code: u32, at: usize| {
                if code < codes {
                    masks[code as usize * words + at / 64] ^= 1 << (at % 64);
                }
            };
            for (at, range) in tuples[part.clone()].iter().enumerate().filter(|(_, r)| r.start < r.end) {
                flip(range.start, at);
                flip(range.end, at);
            }
            for word in words..masks.len() {
                masks[word] ^= masks[word - words];
            }
            masks
        };
        self.tuples.par_iter().zip(&self.codes).map(of_attribute).collect()
    }

    fn collect(&self, masks: &[Vec<u64>], row: usize, first: u32, list: &mut Vec<u32>) {
        let words = masks.first().map_or(0, |m| m.len() / self.codes[0].max(1) as usize);
        for word in 0..words {
            let mut bits = u64::MAX;
            for (mask, codes) in masks.iter().zip(&self.rows) {
                bits &= mask[codes[row] as usize * words + word];
                if bits == 0 {
                    break;
                }
            }
            while bits != 0 {
                list.push(first + 64 * word as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_pairs_that_comparing_finds() {
        let mut state = 5u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for (attributes, rows, tuples) in [(1, 40, 3), (3, 70, 200), (2, 5, 129)] {
            let codes: Vec<u32> = (0..attributes).map(|_| 1 + next(9)).collect();
            let of_rows: Vec<Vec<u32>> =
                codes.iter().map(|&c| (0..rows).map(|_| next(c)).collect()).collect();
            let ranges: Vec<Vec<Range<u32>>> = codes
                .iter()
                .map(|&c| {
                    let range = |_| {
                        let from = next(c + 1);
                        from..from + next(c + 1 - from + 1).min(c - from)
                    };
                    (0..tuples).map(range).collect()
                })
                .collect();
            let graph = Consistency {
                codes: codes.clone(),
                rows: of_rows.iter().map(Vec::as_slice).collect(),
                tuples: ranges.clone(),
            };
            let found = graph.neighbours(usize::MAX).unwrap();
            for row in 0..rows {
                let lies =
                    |t: &u32| (0..attributes).all(|a| ranges[a][*t as usize].contains(&of_rows[a][row]));
                let expected: Vec<u32> = (0..tuples as u32).filter(lies).collect();
                assert_eq!(found[row], expected);
            }
            let pairs: usize = found.iter().map(Vec::len).sum();
            assert!(
                graph.neighbours(pairs).is_some() && (pairs == 0 || graph.neighbours(pairs - 1).is_none())
            );
        }
    }
}
