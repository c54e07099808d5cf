//! Mending: rows that a cut parted from their like get a second chance.
//!
//! From the smallest cuts to the first one, the classes of either side that cost most per row are solved anew together, as
//! a table of their own. The new classes are taken if they lose less, so mending never makes a release worse. What comes
//! together near the first cut are the rows that found nobody like them anywhere, from all over the table.
//!
//! *Complexity*: at each cut a small table is solved, however many rows lie on its sides; O(n log n) to pick it.
//!
//! NearPairs: of classes that cost the same the one with the higher first row goes first.

use crate::algorithm::{Algorithm, Problem, Run, closure};
use crate::error::Result;
use crate::solution::{SUPPRESSED, Solution};

use super::cut::Tree;

/// A block has this many times the rows that are solved anew at a cut. With 4, mending is about a quarter of the search on a
/// million rows; with 2 it took longer and gained little more on Adult.
const PART: usize = 4;

/// A class and what a row of it costs.
struct Class {
    rows: Vec<u32>,
    cost: u64,
}

/// Mends the classes of blocks.
pub(super) struct Mender<'a> {
    solver: &'a dyn Algorithm,
    problem: Problem<'a>,
    /// How many rows of each side are solved anew at most.
    most: usize,
    group_of: Vec<u32>,
    run: &'a Run<'a>,
}

impl<'a> Mender<'a> {
    /// `block` is the number of different rows of a block.
    pub(super) fn new(
        solver: &'a dyn Algorithm,
        problem: Problem<'a>,
        block: usize,
        run: &'a Run<'a>,
    ) -> Self {
        let most = (block / PART / 2).max(problem.demands.k() as usize);
        Self { solver, problem, most, group_of: problem.space.groups().of_rows(), run }
    }

    /// The classes of all blocks, mended.
    pub(super) fn mend(&self, tree: &Tree, class_of: &[u32]) -> Result<Vec<Vec<u32>>> {
        Ok(self.classes(tree, class_of)?.into_iter().map(|class| class.rows).collect())
    }

    fn classes(&self, tree: &Tree, class_of: &[u32]) -> Result<Vec<Class>> {
        match tree {
            Tree::Block(rows, _) => Ok(self.of_block(rows, class_of)),
            Tree::Cut { left, right, .. } => {
                let (left, right) =
                    rayon::join(|| self.classes(left, class_of), || self.classes(right, class_of));
                self.across(left?, right?)
            }
        }
    }

    fn of_block(&self, rows: &[u32], class_of: &[u32]) -> Vec<Class> {
        let classes = rows.iter().map(|&row| class_of[row as usize]);
        listed(rows, classes).into_iter().map(|rows| self.class(rows)).collect()
    }

    fn class(&self, rows: Vec<u32>) -> Class {
        let cost = self.problem.space.cost(&closure(self.problem.space, &self.group_of, &rows));
        Class { rows, cost }
    }

    /// The classes of both sides of a cut, the costliest solved anew.
    fn across(&self, left: Vec<Class>, right: Vec<Class>) -> Result<Vec<Class>> {
        let (mut kept, mut pool) = self.costliest(left);
        let (others, more) = self.costliest(right);
        kept.extend(others);
        pool.extend(more);
        let pool = if self.run.time_is_up()? { pool } else { self.anew(pool)? };
        kept.extend(pool);
        Ok(kept)
    }

    /// The classes that stay as they are, and those that cost most.
    fn costliest(&self, mut classes: Vec<Class>) -> (Vec<Class>, Vec<Class>) {
        classes.sort_by_key(|class| (class.cost, class.rows[0]));
        let mut rows = 0;
        let fits = |class: &&Class| {
            rows += class.rows.len();
            rows <= self.most && class.cost > 0
        };
        let taken = classes.iter().rev().take_while(fits).count();
        let pool = classes.split_off(classes.len() - taken);
        (classes, pool)
    }

    /// The rows of some classes in new classes, if these lose less.
    fn anew(&self, pool: Vec<Class>) -> Result<Vec<Class>> {
        let mut rows: Vec<u32> = pool.iter().flat_map(|class| class.rows.iter().copied()).collect();
        if pool.len() < 2 {
            return Ok(pool);
        }
        rows.sort_unstable();
        let part = self.problem.space.part(&self.group_of, &rows);
        let problem = Problem { space: &part, demands: self.problem.demands, quota: 0 };
        let Solution::Clusters(class_of) = self.solver.group(problem, self.run)? else { return Ok(pool) };
        let lists = listed(&rows, class_of.into_iter());
        let new: Vec<Class> = lists.into_iter().map(|rows| self.class(rows)).collect();
        Ok(if Sum::of(&new) < Sum::of(&pool) { new } else { pool })
    }
}

/// The rows of every class, by class; suppressed rows are in none.
fn listed(rows: &[u32], classes: impl Iterator<Item = u32>) -> Vec<Vec<u32>> {
    let mut sorted: Vec<(u32, u32)> =
        classes.zip(rows.iter().copied()).filter(|(class, _)| *class != SUPPRESSED).collect();
    sorted.sort_unstable();
    let classes = sorted.chunk_by(|a, b| a.0 == b.0);
    classes.map(|class| class.iter().map(|(_, row)| *row).collect()).collect()
}

/// What some classes lose; classes that lose rows lose more than any that do not.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Sum {
    rows: std::cmp::Reverse<usize>,
    loss: u64,
}

impl Sum {
    fn of(classes: &[Class]) -> Self {
        let rows = classes.iter().map(|class| class.rows.len()).sum();
        let loss = classes.iter().map(|class| class.rows.len() as u64 * class.cost).sum();
        Self { rows: std::cmp::Reverse(rows), loss }
    }
}
