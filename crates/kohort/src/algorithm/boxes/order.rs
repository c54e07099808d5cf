//! Combinations of levels, from the cheapest to the dearest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Goes through all combinations without listing them: each leads to those that are one level higher in its last attribute above
/// the lowest level, or in one after it. So every combination is reached once, and after a cheaper one.
pub(super) struct CheapestFirst<'a> {
    /// Per attribute and level: what it costs.
    costs: &'a [Vec<u64>],
    waiting: BinaryHeap<Reverse<(u64, Vec<u32>)>>,
}

impl<'a> CheapestFirst<'a> {
    /// The combinations of these levels, of which every attribute has at least one.
    pub(super) fn new(costs: &'a [Vec<u64>]) -> Self {
        let lowest = costs.iter().map(|levels| levels[0]).sum();
        Self { costs, waiting: BinaryHeap::from([Reverse((lowest, vec![0; costs.len()]))]) }
    }
}

impl Iterator for CheapestFirst<'_> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let Reverse((cost, levels)) = self.waiting.pop()?;
        let last = levels.iter().rposition(|&level| level > 0).unwrap_or(0);
        for at in last..levels.len() {
            let (own, level) = (&self.costs[at], levels[at] as usize);
            if let Some(above) = own.get(level + 1) {
                let mut higher = levels.clone();
                higher[at] += 1;
                self.waiting.push(Reverse(((cost + above).saturating_sub(own[level]), higher)));
            }
        }
        Some(levels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_comes_once_and_in_order() {
        let costs = [vec![0, 5, 6], vec![0, 2], vec![1, 1, 9, 10]];
        let cost = |levels: &[u32]| -> u64 { levels.iter().zip(&costs).map(|(&l, c)| c[l as usize]).sum() };
        let found: Vec<Vec<u32>> = CheapestFirst::new(&costs).collect();
        assert!(found.is_sorted_by_key(|levels| cost(levels)));
        let mut different = found.clone();
        different.sort();
        different.dedup();
        assert_eq!((found.len(), different.len()), (24, 24));
    }
}
