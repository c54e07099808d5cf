//! Whether every released row can be a generalization of a row of the original.
//!
//! When rows correspond one to one this is a cell-by-cell test. A shuffled release has to be *matched*: is there an
//! assignment of original rows to classes that fills every class? Equal rows are interchangeable, so the question is a
//! flow between different original rows (how many of each) and classes (how large each).

use std::collections::VecDeque;

/// Different rows times classes beyond which the matching is not attempted.
pub(super) const PAIRS: usize = 400_000_000;

/// A bipartite transport problem: `supply` rows of each kind, `demand` rows in each class, and who fits where.
pub(super) struct Transport {
    pub(super) supply: Vec<u64>,
    pub(super) demand: Vec<u64>,
    pub(super) fits: Vec<Vec<u32>>,
}

/// A best assignment.
pub(super) struct Assignment {
    /// How many class places stay empty; 0 means every released row has a source.
    pub(super) unfilled: u64,
    /// Who goes where: kind, class, and how many.
    pub(super) flows: Vec<(usize, u32, u64)>,
}

impl Transport {
    /// Fills as many places as possible.
    ///
    /// Hopcroft–Karp with capacities: breadth-first layers from kinds with rows left, then augmenting paths within them.
    pub(super) fn solve(mut self) -> Assignment {
        let mut flow: Vec<Vec<u64>> = self.fits.iter().map(|f| vec![0; f.len()]).collect();
        self.fill_greedily(&mut flow);
        while self.augment(&mut flow) {}
        let all = self.fits.iter().zip(&flow).enumerate();
        let flows = all.flat_map(|(kind, (fits, amounts))| {
            let pairs = fits.iter().zip(amounts).filter(|(_, amount)| **amount > 0);
            pairs.map(move |(&class, &amount)| (kind, class, amount))
        });
        Assignment { flows: flows.collect(), unfilled: self.demand.iter().sum() }
    }

    fn fill_greedily(&mut self, flow: &mut [Vec<u64>]) {
        // Kinds with the fewest choices first.
        let mut kinds: Vec<usize> = (0..self.fits.len()).collect();
        kinds.sort_by_key(|&i| self.fits[i].len());
        for kind in kinds {
            for (at, &class) in self.fits[kind].iter().enumerate() {
                let moved = self.supply[kind].min(self.demand[class as usize]);
                flow[kind][at] += moved;
                self.supply[kind] -= moved;
                self.demand[class as usize] -= moved;
            }
        }
    }

    /// Finds one augmenting path by breadth-first search and pushes as much as it carries.
    fn augment(&mut self, flow: &mut [Vec<u64>]) -> bool {
        let mut holders: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.demand.len()];
        for (kind, amounts) in flow.iter().enumerate() {
            for (at, _) in amounts.iter().enumerate().filter(|(_, f)| **f > 0) {
                holders[self.fits[kind][at] as usize].push((kind as u32, at as u32));
            }
        }
        let mut came: Vec<Option<(u32, u32)>> = vec![None; self.demand.len()];
        let mut from: Vec<Option<(u32, u32)>> = vec![None; self.supply.len()];
        let mut seen: Vec<bool> = self.supply.iter().map(|&s| s > 0).collect();
        let mut queue: VecDeque<u32> = (0..self.supply.len() as u32).filter(|&k| seen[k as usize]).collect();
        while let Some(kind) = queue.pop_front() {
            for (at, &class) in self.fits[kind as usize].iter().enumerate() {
                if came[class as usize].is_some() {
                    continue;
                }
                came[class as usize] = Some((kind, at as u32));
                if self.demand[class as usize] > 0 {
                    self.push(flow, &came, &from, class);
                    return true;
                }
                for &(holder, place) in &holders[class as usize] {
                    if !seen[holder as usize] {
                        seen[holder as usize] = true;
                        from[holder as usize] = Some((class, place));
                        queue.push_back(holder);
                    }
                }
            }
        }
        false
    }

    /// Walks the path back from a class with room to a kind with rows left.
    fn push(
        &mut self,
        flow: &mut [Vec<u64>],
        came: &[Option<(u32, u32)>],
        from: &[Option<(u32, u32)>],
        end: u32,
    ) {
        let mut path = Vec::new();
        let mut class = end;
        let mut amount = self.demand[end as usize];
        while let Some((kind, at)) = came[class as usize] {
            path.push((kind, at, true));
            let Some((before, place)) = from[kind as usize] else {
                amount = amount.min(self.supply[kind as usize]);
                self.supply[kind as usize] -= amount;
                break;
            };
            amount = amount.min(flow[kind as usize][place as usize]);
            path.push((kind, place, false));
            class = before;
        }
        self.demand[end as usize] -= amount;
        for (kind, at, forward) in path {
            let f = &mut flow[kind as usize][at as usize];
            *f = if forward { *f + amount } else { *f - amount };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_assignments_greed_misses() {
        // Kind 0 fits both classes, kind 1 only class 0.
        let t = Transport { supply: vec![2, 2], demand: vec![2, 2], fits: vec![vec![0, 1], vec![0]] };
        assert_eq!(t.solve().unfilled, 0);
        let chain = Transport {
            supply: vec![1, 1, 1],
            demand: vec![1, 1, 1],
            fits: vec![vec![0, 1], vec![0, 2], vec![0, 1]],
        };
        assert_eq!(chain.solve().unfilled, 0);
    }

    #[test]
    fn says_how_many_places_stay_empty() {
        let t = Transport { supply: vec![5, 1], demand: vec![2, 4], fits: vec![vec![0], vec![0, 1]] };
        assert_eq!(t.solve().unfilled, 3);
    }

    /// Places that must stay empty: of some classes, those beyond all rows that fit any of them (Hall's condition).
    fn empty_places(supply: &[u64], demand: &[u64], fits: &[Vec<u32>]) -> u64 {
        let beyond = |classes: u32| {
            let is_in = |class: u32| classes >> class & 1 == 1;
            let asked: u64 = (0..).zip(demand).filter(|(class, _)| is_in(*class)).map(|(_, n)| n).sum();
            let there = fits.iter().zip(supply).filter(|(fits, _)| fits.iter().any(|&c| is_in(c)));
            asked.saturating_sub(there.map(|(_, n)| n).sum())
        };
        (0..1 << demand.len()).map(beyond).max().unwrap_or(0)
    }

    #[test]
    fn no_assignment_fills_more_places() {
        let classes = |set: u32| (0..3).filter(move |class| set >> class & 1 == 1).collect::<Vec<u32>>();
        let sizes = [
            ([1, 1, 1, 1], [1, 2, 1]),
            ([3, 1, 2, 0], [2, 2, 2]),
            ([1, 2, 1, 4], [5, 1, 1]),
            ([2, 1, 1, 0], [2, 2, 1]),
        ];
        for sets in 0..8_u32.pow(4) {
            let fits: Vec<Vec<u32>> = (0..4).map(|kind| classes(sets / 8_u32.pow(kind) % 8)).collect();
            for (supply, demand) in sizes {
                let (all, places) = (supply.to_vec(), demand.to_vec());
                let found = Transport { supply: all, demand: places, fits: fits.clone() }.solve();
                assert_eq!(found.unfilled, empty_places(&supply, &demand, &fits), "{supply:?} {fits:?}");
                let (mut rows, mut room) = (supply, demand);
                for (kind, class, amount) in found.flows {
                    assert!(amount > 0 && fits[kind].contains(&class));
                    rows[kind] -= amount;
                    room[class as usize] -= amount;
                }
                assert_eq!(room.iter().sum::<u64>(), found.unfilled);
            }
        }
    }
}
