//! The algorithms: one file each, one trait, one list that help, job files and every other door read.
//!
//! An algorithm sees a [`Space`], the [`BoundDemands`] and a [`Run`]. It does not know which measure it minimizes, what the
//! columns are called or where the rows came from, and it is never believed: `verify` recomputes everything.

mod agglomerative;
mod answer;
mod blocks;
mod boxes;
mod choice;
mod cluster_scan;
mod enhanced_pk;
mod every_partition;
mod exact;
mod finish_with_mondrian;
mod forest;
mod free_rows;
mod incognito;
mod insertion;
mod k_member;
mod k_type;
mod kaca;
mod mondrian;
mod oka;
mod portfolio;
mod refine;
mod regions;
mod repair;
mod run;
mod scan;
mod settings;
mod settle;
mod suppress;
mod systematic;

pub use agglomerative::{Agglomerative, Distance, EqualRows};
pub use answer::{Answer, BlockCounts};
pub use blocks::{BlockTask, Blocks, CutTable, HowToSolve};
pub use boxes::Boxes;
pub use choice::{AUTO, AutoEntry, Choice};
pub use enhanced_pk::EnhancedPk;
pub use every_partition::cheapest_partition;
pub use forest::Forest;
pub use incognito::{Described, Fixed, Incognito};
pub use insertion::{
    INSERTION_RULES, Inserted, InsertionRule, InsertionRuleEntry, Joined, KeptCounts, insert, join_classes,
};
pub use k_member::{FirstSeed, KMember, Seeds};
pub use k_type::{Goal, KType, STEPS, Start, refine_tuples};
pub use kaca::Kaca;
pub use mondrian::{Cut, Mondrian};
pub use oka::Oka;
pub use portfolio::{Portfolio, Taken};
pub use refine::{Effort, Outsourced, RefineTask, Refined, RefinedBlock, refine, refine_elsewhere};
pub use regions::{SuppressionCounts, solve_regions};
pub use run::{Observer, Quiet, Run, Signal, Stage};
pub use settings::Settings;
pub use systematic::{Rule, Systematic};

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::data::Cell;
use crate::demand::Notion;
use crate::error::Result;
use crate::model::{BoundDemands, Tally};
use crate::parameter::Parameter;
use crate::solution::Solution;
use crate::space::Space;

/// What is to be solved.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The rows and what generalizing them costs.
    pub space: &'a Space<'a>,
    /// What every class must satisfy. The whole table as one class satisfies it.
    pub demands: &'a BoundDemands,
    /// How many rows may be suppressed.
    pub quota: usize,
}

/// A way to solve it.
pub trait Algorithm: Sync {
    /// Groups the rows. Same problem, same seed: same answer at any thread count.
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution>;

    /// The same, with what was done for it.
    fn solve(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Answer> {
        Ok(self.group(problem, run)?.into())
    }

    /// Whether rows with equal quasi-identifiers are one to it, whatever else they hold: then how long it takes depends on how
    /// many different ones there are.
    fn merges_equal_rows(&self) -> bool {
        false
    }

    /// How many different rows it looks at together where nobody said how many, if it is not like the others in that.
    fn block_rows(&self) -> Option<usize> {
        None
    }

    /// Says whether what its paper ends with is to be refined, if it can do that itself.
    fn set_refined(&mut self, _refined: bool) {}

    /// Whether it suppresses rows of its own accord, within [`Problem::quota`].
    fn may_suppress(&self) -> bool {
        false
    }
}

/// An algorithm with all that other code may say about it.
#[derive(Serialize)]
pub struct AlgorithmEntry {
    /// The name in flags, job files and JSON.
    pub name: &'static str,
    /// One line for a person who must choose.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How long it takes on n rows.
    pub complexity: &'static str,
    /// Whether that is about in proportion to the rows. Others are given large tables in [`Blocks`].
    pub is_linear: bool,
    /// Whether it generalizes whole columns: it then keeps to boundaries by itself, sees the whole table at once, and
    /// suppresses within [`Problem::quota`] only if the job allows it.
    pub recodes_columns: bool,
    /// Which notions its tables satisfy.
    pub gives: &'static [Notion],
    /// What can be set.
    pub settings: &'static [Parameter],
    /// Checks the settings and builds it.
    #[serde(skip)]
    pub make: fn(&Settings) -> Result<Box<dyn Algorithm>>,
}

/// Every algorithm, in the order in which they are listed.
pub static ALGORITHMS: &[AlgorithmEntry] = &[
    boxes::ENTRY,
    k_member::ENTRY,
    k_member::GREEDY_CKA,
    k_member::GREEDY_PK,
    enhanced_pk::ENTRY,
    oka::ENTRY,
    systematic::ENTRY,
    systematic::PLUS,
    kaca::ENTRY,
    agglomerative::ENTRY,
    agglomerative::MODIFIED,
    forest::ENTRY,
    mondrian::ENTRY,
    incognito::ENTRY,
    k_type::K1_NEAREST,
    k_type::K1_EXPANSION,
    k_type::K1_OPTIMAL,
    k_type::ONE_K,
    k_type::KK_NEAREST,
    k_type::KK_EXPANSION,
    k_type::KK_OPTIMAL,
    k_type::GLOBAL,
    k_type::GLOBAL_OPTIMAL,
];

/// The rows by their codes, attribute after attribute in the order in which they were named; equal rows by number. Codes of hierarchies follow the depth-first
/// order of the leaves.
fn sorted_rows(space: &Space<'_>) -> Vec<u32> {
    let mut groups: Vec<u32> = (0..space.groups().len() as u32).collect();
    let mut dims: Vec<usize> = (0..space.dims()).collect();
    dims.sort_by_key(|&dim| space.attribute(dim).place);
    let key = |g: u32| dims.iter().map(move |&dim| space.codes(dim)[g as usize]);
    groups.sort_by(|&a, &b| key(a).cmp(key(b)));
    // Groups that differ in sensitive values only are one run of equal rows.
    let runs = groups.chunk_by(|&a, &b| key(a).eq(key(b)));
    runs.flat_map(|run| {
        let mut rows: Vec<u32> = run.iter().flat_map(|&g| space.groups().rows(g as usize)).copied().collect();
        rows.sort_unstable();
        rows
    })
    .collect()
}

/// The smallest tuple that covers some rows.
fn closure(space: &Space<'_>, group_of: &[u32], rows: &[u32]) -> Vec<Cell> {
    let mut groups = rows.iter().map(|&row| group_of[row as usize] as usize);
    let mut tuple = groups.next().map_or_else(Vec::new, |g| space.tuple(g));
    groups.for_each(|g| {
        space.absorb(&mut tuple, g);
    });
    tuple
}

/// What the demands see of some rows.
fn tally_rows(problem: Problem<'_>, group_of: &[u32], rows: &[u32]) -> Tally {
    let columns = problem.space.sensitive();
    let rows: Vec<(u32, u32)> = rows.iter().map(|&row| (row, 1)).collect();
    Tally::gather(columns.len(), &rows, |column, row| columns[column][group_of[row as usize] as usize])
}

impl Problem<'_> {
    /// Whether some rows are those of k people: whether they are k rows, unless somebody may have several.
    fn has_k_people(&self, group_of: &[u32], rows: &[u32]) -> bool {
        let k = self.demands.k() as usize;
        let Some(column) = self.demands.people() else { return rows.len() >= k };
        let person = |row: &u32| self.space.sensitive()[column][group_of[*row as usize] as usize];
        let mut seen = FxHashSet::default();
        rows.iter().any(|row| seen.insert(person(row)) && seen.len() >= k)
    }

    /// Whether rows satisfy the demands as one class.
    fn rows_hold(&self, group_of: &[u32], rows: &[u32]) -> bool {
        let columns = self.space.sensitive();
        let code = |column: usize, row: u32| columns[column][group_of[row as usize] as usize];
        self.demands.hold_together(rows.iter().map(|&row| (row, 1)), code)
    }
}

/// A number of rows, for differences.
fn signed(rows: usize) -> i64 {
    (rows as u64).cast_signed()
}
