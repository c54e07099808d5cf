//! Which levels of a column can be part of the best node.
//!
//! Two kinds cannot: a level at which the column alone leaves too many rows in classes of fewer than k, and a level that
//! changes nothing about the values and costs what the one before it costs, because that one is the smaller step.

use super::lattice::{Ladder, Lattice, rows_of};

/// One level that comes into question.
pub(super) struct Step<'a> {
    pub(super) level: u32,
    /// Per value: the number of its cell.
    pub(super) cells: &'a [u32],
    /// How many cells there are.
    pub(super) width: usize,
    /// Per value: what its cell costs.
    pub(super) costs: &'a [u32],
    /// What a cell counts at most in a bound: its row may yet be suppressed, which costs no more than this.
    most: u32,
}

impl Step<'_> {
    /// What a value's cell costs, and what it counts in a bound.
    pub(super) fn price(&self, code: u32) -> Price {
        let cost = self.costs[code as usize];
        Price { exact: u64::from(cost), floor: u64::from(cost.min(self.most)) }
    }
}

/// What a row costs: as published, and at least, whether it is published or not.
#[derive(Clone, Copy, Default)]
pub(super) struct Price {
    pub(super) exact: u64,
    pub(super) floor: u64,
}

impl Price {
    pub(super) fn plus(self, other: Self) -> Self {
        Self { exact: self.exact + other.exact, floor: self.floor + other.floor }
    }
}

/// The levels of a column that come into question, ascending.
pub(super) fn steps<'a>(lattice: &'a Lattice<'_>, dim: usize) -> Vec<Step<'a>> {
    let ladder = &lattice.ladders[dim];
    let rows_of = rows_of(lattice.space, dim);
    let most = if lattice.quota == 0 { u32::MAX } else { lattice.space.full_cell_cost(dim) };
    let mut steps: Vec<Step<'a>> = Vec::new();
    for level in ladder.range.0..=ladder.range.1 {
        let step = step(ladder, level, most);
        let idle = steps.last().is_some_and(|last| is_same(last, &step, &rows_of));
        if !idle && small(lattice, &step, &rows_of) <= lattice.quota {
            steps.push(step);
        }
    }
    steps
}

fn step(ladder: &Ladder, level: u32, most: u32) -> Step<'_> {
    let (cells, width) = ladder.rung(level);
    Step { level, cells, width: width as usize, costs: ladder.costs(level), most }
}

/// Whether a step up neither merges values nor costs anything. Cells only ever merge on the way up.
fn is_same(below: &Step<'_>, step: &Step<'_>, rows_of: &[u64]) -> bool {
    let alike = |code: usize| rows_of[code] == 0 || below.costs[code] == step.costs[code];
    below.width == step.width && (0..rows_of.len()).all(alike)
}

/// Rows in cells of fewer than k.
fn small(lattice: &Lattice<'_>, step: &Step<'_>, rows_of: &[u64]) -> u64 {
    let mut sizes = vec![0; step.width];
    let occurring = rows_of.iter().zip(step.cells).filter(|(rows, _)| **rows > 0);
    occurring.for_each(|(rows, &cell)| sizes[cell as usize] += rows);
    sizes.into_iter().filter(|&size: &u64| size < u64::from(lattice.demands.k())).sum()
}
