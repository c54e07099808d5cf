//! What the branches of the search share: the columns in their order, their levels, and what is left of a row at least.

use super::frame::Rests;
use super::lattice::Lattice;
use super::steps::{Step, steps};

/// All that does not change during the search.
pub(super) struct Plan<'a> {
    pub(super) lattice: &'a Lattice<'a>,
    pub(super) rests: Rests,
    /// Per depth: the levels of the column that is fixed there.
    pub(super) steps: Vec<Vec<Step<'a>>>,
    /// Per depth and rest: what the columns left cost at least.
    lows: Vec<Vec<u64>>,
    /// What a suppressed row costs.
    pub(super) full: u64,
    pub(super) k: u64,
}

impl<'a> Plan<'a> {
    pub(super) fn new(lattice: &'a Lattice<'a>) -> Self {
        let rests = Rests::new(lattice);
        let steps: Vec<Vec<Step<'a>>> = lattice.order.iter().map(|&dim| steps(lattice, dim)).collect();
        let mut lows = vec![vec![0; rests.count(steps.len())]];
        for (depth, steps) in steps.iter().enumerate().rev() {
            let (heads, tails) = rests.split(depth);
            let least = |code: u32| steps.iter().map(|step| step.price(code).floor).min().unwrap_or(0);
            let after = &lows[lows.len() - 1];
            let low = heads.iter().zip(tails).map(|(&code, &tail)| least(code) + after[tail as usize]);
            let low = low.collect();
            lows.push(low);
        }
        lows.reverse();
        let full = lattice.space.full_cost();
        Self { lattice, rests, steps, lows, full, k: u64::from(lattice.demands.k()) }
    }

    /// Per rest of a depth: what the columns left cost at least.
    pub(super) fn lows(&self, depth: usize) -> &[u64] {
        &self.lows[depth]
    }

    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.steps.len()
    }
}
