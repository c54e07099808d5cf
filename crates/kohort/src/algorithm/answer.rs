//! What an algorithm returns: classes, what they cost, and what was done for them.

use rayon::prelude::*;

use super::closure;
use crate::solution::{SUPPRESSED, Solution};
use crate::space::Space;

/// A solution and how it came about.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The classes, levels or tuples.
    pub solution: Solution,
    /// Into which blocks the table was cut, if it was.
    pub blocks: BlockCounts,
}

impl From<Solution> for Answer {
    fn from(solution: Solution) -> Self {
        Self { solution, blocks: BlockCounts::default() }
    }
}

impl Answer {
    /// What it costs all rows together, suppressed ones in full; none for tuples of single records.
    pub fn cost(&self, space: &Space<'_>) -> Option<u64> {
        match &self.solution {
            Solution::Clusters(class_of) => Some(cost_of_classes(space, class_of)),
            Solution::Levels(levels) => Some(levels.cost),
            Solution::PerRecord(_) => None,
        }
    }

    /// What no solution of this kind costs less than, where that is known.
    pub fn at_least(&self) -> Option<u64> {
        match &self.solution {
            Solution::Levels(levels) => levels.at_least,
            Solution::Clusters(_) | Solution::PerRecord(_) => None,
        }
    }
}

fn cost_of_classes(space: &Space<'_>, class_of: &[u32]) -> u64 {
    let group_of = space.groups().of_rows();
    let mut rows: Vec<Vec<u32>> = Vec::new();
    let mut lost = 0;
    for (row, &class) in class_of.iter().enumerate() {
        if class == SUPPRESSED {
            lost += space.full_cost();
            continue;
        }
        if rows.len() <= class as usize {
            rows.resize(class as usize + 1, Vec::new());
        }
        rows[class as usize].push(row as u32);
    }
    let of_class = |rows: &Vec<u32>| rows.len() as u64 * space.cost(&closure(space, &group_of, rows));
    lost + rows.par_iter().filter(|rows| !rows.is_empty()).map(of_class).sum::<u64>()
}

/// What became of tables that may be cut into blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BlockCounts {
    /// Tables that were cut.
    pub cut: u64,
    /// Blocks in all; a table that was left whole is one.
    pub blocks: u64,
    /// Different rows of the largest block.
    pub largest: u64,
    /// Tables that were mended across their cuts.
    pub mended: u64,
}

impl BlockCounts {
    /// A table that was left whole.
    pub(super) fn whole(different: usize) -> Self {
        Self { blocks: 1, largest: different as u64, ..Self::default() }
    }

    /// Both together.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            cut: self.cut + other.cut,
            blocks: self.blocks + other.blocks,
            largest: self.largest.max(other.largest),
            mended: self.mended + other.mended,
        }
    }
}
