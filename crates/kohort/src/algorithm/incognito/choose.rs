//! Which of the nodes that do is taken (`algorithms.md` §4.4), where all of them are known.
//!
//! Lowest cost by the measure of the job, suppressed rows in full; then fewest suppressed rows; lowest DM; lowest sum of
//! levels over heights; first in the order of levels.
//!
//! Without suppression and under a monotone measure only minimal nodes come into question: whatever is more general costs no
//! less, has no lower DM and a larger sum of levels. Otherwise all nodes that do are candidates. They are looked at by what
//! they cost at least, and the search ends where that is more than what the best one costs, which leaves nothing out.

use super::lattice::Lattice;
use super::search::Found;
use super::view::View;
use crate::algorithm::Run;
use crate::error::Result;

/// What decides between two nodes, in this order. Smaller is better.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) cost: u64,
    suppressed: u64,
    dm: u128,
    steps: u128,
    pub(super) levels: Vec<u32>,
}

impl Rank {
    pub(super) fn new(lattice: &Lattice<'_>, cost: u64, suppressed: u64, dm: u128, levels: Vec<u32>) -> Self {
        Self { cost, suppressed, dm, steps: steps(lattice, &levels), levels }
    }

    pub(super) fn of(lattice: &Lattice<'_>, view: &View) -> Self {
        let cost = view.cost(lattice, lattice.cost_of(&view.levels));
        Self::new(lattice, cost, view.suppressed(), view.dm(), view.levels.clone())
    }
}

/// The sum of levels over heights, times a number that all heights divide.
fn steps(lattice: &Lattice<'_>, levels: &[u32]) -> u128 {
    let heights = || lattice.ladders.iter().map(|l| u128::from(l.height.max(1)));
    let whole = heights().fold(1u128, |a, b| (a / gcd(a, b)).saturating_mul(b));
    levels
        .iter()
        .zip(heights())
        .map(|(&level, height)| u128::from(level).saturating_mul(whole / height))
        .fold(0, u128::saturating_add)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The best of the nodes found, and whether time sufficed to be sure of that.
pub(super) fn choose(
    lattice: &Lattice<'_>,
    found: &Found,
    minimal: &[usize],
    run: &Run<'_>,
) -> Result<Option<(Rank, View, bool)>> {
    let view = |node: usize| {
        let view = View::new(lattice, lattice.levels(node));
        (Rank::of(lattice, &view), view)
    };
    let least = |node: usize| if lattice.quota == 0 { lattice.cost(node) } else { lattice.least_cost(node) };
    let only_minimal = lattice.is_best_at_the_bottom();
    let candidates = || -> Box<dyn Iterator<Item = usize>> {
        if only_minimal { Box::new(minimal.iter().copied()) } else { Box::new(found.accepted()) }
    };
    let Some(first) = candidates().min_by_key(|&node| (least(node), node)) else { return Ok(None) };
    let mut best = view(first);
    let rivals = candidates().map(|node| (least(node), node)).filter(|(cost, _)| *cost <= best.0.cost);
    let mut rivals: Vec<(u64, usize)> = rivals.collect();
    rivals.sort_unstable();
    for (cost, node) in rivals.into_iter().filter(|(_, node)| *node != first) {
        if cost > best.0.cost {
            break;
        }
        if run.time_is_up()? {
            return Ok(Some((best.0, best.1, false)));
        }
        let rival = view(node);
        if rival.0 < best.0 {
            best = rival;
        }
    }
    Ok(Some((best.0, best.1, true)))
}
