//! Any algorithm on tables of any size: cut the table into blocks, solve them side by side, mend across the cuts.
//!
//! A wrapper, not an algorithm of its own: what is solved in a block is solved by the algorithm it wraps, at the costs of
//! the whole table. [`cut`] says where the table is cut, [`mend`] what is done about rows that a cut parted from their
//! like. With b different rows per block a quadratic algorithm takes O(n · b) instead of O(n²).
//!
//! *Guarantee*: every class satisfies the demands, because every block as a whole does: a part is only cut where both sides
//! do. A table of one block is solved as without blocks. The answer does not depend on the number of threads. The weaker
//! notions hold as well: whatever covers k rows of a block covers as many of the table.
//!
//! Little is lost: on UCI Adult, 30,162 rows, in blocks of 1,000, `agglomerative` loses 0.6 % more at k = 2 and 0.4 to 0.7 % less
//! at k = 5, 10 and 50; the other clustering algorithms lose less at k = 10, because mending corrects what greedy choices left
//! behind. Where cuts sever too many ties, a table that is small enough stays whole.

mod cut;
mod mend;
mod near_pairs;
mod task;

use self::cut::{Cutter, Tree};
use self::mend::Mender;
pub(super) use self::task::Block;
pub use self::task::{BlockTask, HowToSolve};
use super::regions::{apart, joined, shares};
use super::{Algorithm, AlgorithmEntry, Answer, BlockCounts, Problem, Run};
use crate::demand::{Demands, Notion};
use crate::error::Result;
use crate::solution::Solution;

/// Different rows in a block, unless the job says otherwise. With twice as many, Adult loses between 0.1 % more and 0.6 % less
/// (k = 2 to 50), in up to 1.6 times the time.
const ROWS: usize = 1_000;

/// The same under demands that do not survive adding rows (a census-like table of 20,000 rows, entropy 3: il 0.291, as on the
/// whole table, instead of 0.310).
const MORE: usize = 8_000;

/// The same as a multiple of k: with fewer classes in a block there is little to choose from.
const TIMES_K: usize = 20;

/// Different rows up to which an algorithm that was asked for by name sees the whole table: seconds.
const UNIT: usize = 20_000;

/// The share of rows' nearest that cuts may take away before the table is left whole, if it is small enough, and nobody said how
/// large blocks are. In tables of people it is up to 0.05, in six columns of noise 0.13 (which costs 4 %); where likeness is
/// spread over many values of many columns, 0.3 (7 %). Larger blocks do not help: 40,000 such rows in blocks of 8,000 lose 1 %
/// less in 20 times the time.
const TOO_MANY: f64 = 0.2;

/// Joins of cells up to which that is done: those of [`UNIT`] different rows in eight columns.
const MOST_WORK: usize = 8 * UNIT * UNIT;

/// A column with more values than this takes so many times as long.
const MANY_VALUES: (usize, usize) = (256, 8);

/// About how many joins of cells a quadratic algorithm makes.
fn work(problem: Problem<'_>, different: usize) -> usize {
    let space = problem.space;
    let (many, times) = MANY_VALUES;
    let of = |dim: usize| if space.attribute(dim).present() > many { times } else { 1 };
    let columns: usize = (0..space.dims()).map(of).sum();
    different.saturating_pow(2).saturating_mul(columns)
}

/// An algorithm that sees a limited number of different rows at a time.
pub struct Blocks {
    solver: Box<dyn Algorithm>,
    /// How many different rows a block has at most, if the demands let it be cut so far.
    most: usize,
    /// Tables of at most so many different rows are left whole.
    whole: usize,
    /// Whether a table may stay whole where cutting loses too much.
    may_stay: bool,
}

impl Blocks {
    /// Blocks of at most `rows` different rows; 0 never cuts.
    pub fn of(solver: Box<dyn Algorithm>, rows: usize) -> Self {
        let most = if rows == 0 { usize::MAX } else { rows };
        Self { solver, most, whole: most, may_stay: false }
    }

    /// As it is best where nobody said anything. Where a class can lose what it needs by taking in a row, and where nothing
    /// can be mended because there are no classes, blocks are larger. An algorithm that was asked for by name sees the whole
    /// table as long as that takes seconds, which is always so where its time is in proportion to the rows.
    pub fn by_default(
        solver: Box<dyn Algorithm>,
        entry: &AlgorithmEntry,
        by_name: bool,
        demands: &Demands,
    ) -> Self {
        let classes = entry.gives.contains(&Notion::K);
        let usual = if classes && demands.survive_adding_rows() { ROWS } else { MORE };
        let rows = solver.block_rows().unwrap_or(usual);
        let most = rows.max(TIMES_K.saturating_mul(demands.k() as usize));
        let whole = match (by_name || !classes, entry.is_linear) {
            (false, _) => most,
            (true, false) => UNIT.max(most),
            (true, true) => usize::MAX,
        };
        Self { whole, may_stay: true, ..Self::of(solver, most) }
    }

    /// The blocks of a table; none where it is better left whole, or cannot be cut. Where people have several rows, hardly two
    /// rows are equal, but few may differ in what is known of them: if the algorithm can do with that, so do the blocks.
    fn tree(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Option<Tree>> {
        let by_tuple = problem.demands.people().is_some() && self.solver.merges_equal_rows();
        let cutter = Cutter::new(problem, by_tuple);
        let different = cutter.different();
        if different <= self.whole {
            return Ok(None);
        }
        let tree = cutter.tree(self.most, run)?;
        let better_whole =
            self.may_stay && work(problem, different) <= MOST_WORK && tree.severed() > TOO_MANY;
        Ok(Some(tree).filter(|tree| tree.is_cut() && !better_whole))
    }
}

impl Algorithm for Blocks {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        self.solve(problem, run).map(|answer| answer.solution)
    }

    fn solve(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Answer> {
        let Some(tree) = self.tree(problem, run)? else {
            let solution = self.solver.group(problem, run)?;
            return Ok(Answer { solution, blocks: BlockCounts::whole(problem.space.groups().len()) });
        };
        let parted = apart(self.solver.as_ref(), problem, &tree.blocks(), run)?;
        self.mended(problem, &tree, parted.solution, run)
    }

    fn may_suppress(&self) -> bool {
        self.solver.may_suppress()
    }
}

/// A table that was cut into blocks.
pub struct CutTable(Tree);

impl CutTable {
    /// The rows of every block, ascending.
    pub fn blocks(&self) -> Vec<&[u32]> {
        self.0.blocks()
    }

    /// How many rows of each block may be suppressed, if `quota` may be in all.
    pub fn quotas(&self, quota: usize) -> Vec<usize> {
        shares(&self.0.blocks(), quota)
    }
}

impl Blocks {
    /// Cuts a table, for blocks that are solved elsewhere; none where it is better left whole.
    pub fn cut(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Option<CutTable>> {
        Ok(self.tree(problem, run)?.map(CutTable))
    }

    /// Puts the solutions of all blocks together and mends them across the cuts.
    pub fn mend(
        &self,
        problem: Problem<'_>,
        table: &CutTable,
        solutions: Vec<Solution>,
        run: &Run<'_>,
    ) -> Result<Answer> {
        let parted = joined(problem.space.rows(), &table.0.blocks(), solutions)?;
        self.mended(problem, &table.0, parted, run)
    }

    fn mended(&self, problem: Problem<'_>, tree: &Tree, parted: Solution, run: &Run<'_>) -> Result<Answer> {
        let (made, largest) = (tree.blocks().len() as u64, tree.largest() as u64);
        let counts = BlockCounts { cut: 1, blocks: made, largest, mended: 0 };
        let Solution::Clusters(class_of) = parted else {
            return Ok(Answer { solution: parted, blocks: counts });
        };
        let lists = Mender::new(self.solver.as_ref(), problem, self.most, run).mend(tree, &class_of)?;
        let mended = u64::from(!run.time_is_up()?);
        let solution = Solution::from_clusters(problem.space.rows(), &lists);
        Ok(Answer { solution, blocks: BlockCounts { mended, ..counts } })
    }
}
