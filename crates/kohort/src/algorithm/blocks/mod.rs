//! Any algorithm on tables of any size: cut the table into blocks, solve them side by side, mend across the cuts.
//!
//! A wrapper, not an algorithm of its own: what is solved in a block is solved by the algorithm it wraps, at the costs of
//! the whole table. [`cut`] says where the table is cut, [`mend`] what is done about rows that a cut parted from their
//! like. With b different rows per block a quadratic algorithm takes O(n · b) instead of O(n²).
//!
//! *Guarantee*: every class satisfies the models, because every block as a whole does: a part is only cut where both sides
//! do. A table of one block is solved as without blocks. The answer does not depend on the number of threads. The weaker
//! notions hold as well: whatever covers k rows of a block covers as many of the table.
//!
//! Nothing is lost on average: on UCI Adult, 30,162 rows, k = 2, 10 and 50, every clustering algorithm loses at most 1 %
//! more in blocks of 2,000, and mostly less, because mending corrects what greedy choices left behind.

mod cut;
mod mend;

use std::sync::atomic::{AtomicU64, Ordering};

use self::cut::Cutter;
use self::mend::Mender;
use super::parts::apart;
use super::{Algorithm, Entry, Problem, Run};
use crate::error::Result;
use crate::solution::Solution;

/// Different rows in a block, unless the job says otherwise.
const ROWS: usize = 2_000;

/// The same as a multiple of k: with fewer classes in a block there is little to choose from.
const TIMES_K: usize = 40;

/// Different rows up to which an algorithm that was asked for by name sees the whole table: seconds.
const WHOLE: usize = 20_000;

/// An algorithm that sees a limited number of different rows at a time.
pub struct Blocks {
    solver: Box<dyn Algorithm>,
    /// How many different rows a block has at most, if the models let it be cut so far.
    most: usize,
    /// Tables of at most so many different rows are left whole.
    whole: usize,
    /// How often a table was cut, into how many blocks in all, with how many different rows in the largest.
    cut: AtomicU64,
    made: AtomicU64,
    largest: AtomicU64,
}

impl Blocks {
    /// Blocks of at most `rows` different rows; 0 never cuts.
    pub fn of(solver: Box<dyn Algorithm>, rows: usize) -> Self {
        let most = if rows == 0 { usize::MAX } else { rows };
        let nothing = || AtomicU64::new(0);
        Self { solver, most, whole: most, cut: nothing(), made: nothing(), largest: nothing() }
    }

    /// As it is best where nobody said anything: algorithms that take time in proportion to the rows see the whole table,
    /// others that were asked for by name as long as that takes seconds.
    pub fn by_default(solver: Box<dyn Algorithm>, entry: &Entry, by_name: bool, k: u32) -> Self {
        let most = ROWS.max(TIMES_K.saturating_mul(k as usize));
        let whole = match (entry.is_linear, by_name) {
            (true, _) => usize::MAX,
            (false, true) => WHOLE.max(most),
            (false, false) => most,
        };
        Self { whole, ..Self::of(solver, most) }
    }

    /// How many blocks there were in the end; none where nothing was cut.
    pub fn count(&self) -> Option<u64> {
        (self.cut.load(Ordering::Relaxed) > 0).then(|| self.made.load(Ordering::Relaxed))
    }

    /// How many different rows the largest block had.
    pub fn largest(&self) -> u64 {
        self.largest.load(Ordering::Relaxed)
    }

    fn remember(&self, blocks: usize, largest: usize) {
        self.made.fetch_add(blocks as u64, Ordering::Relaxed);
        self.cut.fetch_add(u64::from(blocks > 1), Ordering::Relaxed);
        self.largest.fetch_max(largest as u64, Ordering::Relaxed);
    }
}

impl Algorithm for Blocks {
    fn solve(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let different = problem.space.groups().len();
        if different <= self.whole {
            self.remember(1, different);
            return self.solver.solve(problem, run);
        }
        let tree = Cutter::new(problem, self.most).tree();
        let blocks = tree.blocks();
        self.remember(blocks.len(), tree.largest());
        match apart(self.solver.as_ref(), problem, &blocks, run)? {
            Solution::Clusters(class_of) if blocks.len() > 1 => {
                let lists =
                    Mender::new(self.solver.as_ref(), problem, self.most, run).mend(&tree, &class_of)?;
                Ok(Solution::from_clusters(problem.space.rows(), &lists))
            }
            other => Ok(other),
        }
    }

    fn may_suppress(&self) -> bool {
        self.solver.may_suppress()
    }

    fn recodes_columns(&self) -> bool {
        self.solver.recodes_columns()
    }
}
