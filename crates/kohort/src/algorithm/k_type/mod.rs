//! The k-type notions of Gionis et al. 2008: every row gets a tuple of its own.
//!
//! (k,1): every tuple covers at least k rows ([`Start::Nearest`], Algorithm 3; [`Start::Expansion`], Algorithm 4).
//! (1,k): every row lies in at least k tuples (Algorithm 5, [`one_k`]). (k,k): both, by one after the other. Global (1,k):
//! every row has at least k *matches*, tuples it could own in some assignment of all rows to all tuples (Algorithm 6,
//! [`global`]). Which adversary each of them withstands is said in the certificate.
//!
//! *Guarantees*: Algorithm 3 is within a factor k − 1 of the optimal (k,1) for measures that obey the triangle inequality
//! (Proposition 5.1; not for entropy). Everything that a later step of theirs does only grows tuples, so what held keeps holding.
//! What the papers leave off with is refined ([`refine`]), unless that is not wanted: tuples shrink again as far as the notion
//! lets them. Adult, 30,162 rows, k = 10: il 0.0413 instead of 0.0569 for (k,k), and no (k,1) table is below 0.0409.
//!
//! *Complexity* O(k · d²) for d different rows (`k1-optimal`: [`optimal`]), and for global (1,k) as many searches for components as tuples are grown.

mod boxes;
mod global;
mod one_k;
mod optimal;
mod refine;
mod start;

use super::{Algorithm, AlgorithmEntry, Problem, Run, Settings};
use crate::data::Cell;
use crate::demand::Notion;
use crate::error::{Error, Result};
use crate::solution::Solution;
use refine::Refiner;
pub use refine::{STEPS, refine_tuples};
use start::Kinds;
pub use start::Start;

const NEAREST: &str = "Gionis et al. 2008, Algorithm 3";
const EXPANSION: &str = "Gionis et al. 2008, Algorithm 4";
const COMPLEXITY: &str = "O(k · d²), d different rows";
const BY_LEVELS: &str = "O(d · ∏(hⱼ + 1)), d different rows, hierarchies of heights hⱼ";
const BY_LEVELS_THEN_ROWS: &str = "O(d · ∏(hⱼ + 1) + k · d²), d different rows, hierarchies of heights hⱼ";

macro_rules! entry {
    ($name:literal, $about:literal, $source:expr, $start:expr, $goal:expr, $gives:expr) => {
        entry!($name, $about, $source, $start, $goal, $gives, COMPLEXITY)
    };
    ($name:literal, $about:literal, $source:expr, $start:expr, $goal:expr, $gives:expr, $complexity:expr) => {
        AlgorithmEntry {
            name: $name,
            about: $about,
            source: $source,
            complexity: $complexity,
            is_linear: false,
            recodes_columns: false,
            gives: $gives,
            settings: &[],
            make: |settings| make($name, $start, $goal, settings),
        }
    };
}

pub(super) const K1_NEAREST: AlgorithmEntry = entry!(
    "k1-nearest",
    "(k,1): every tuple covers the k nearest rows",
    NEAREST,
    Start::Nearest,
    Goal::Tuples,
    &[Notion::K1]
);
pub(super) const K1_EXPANSION: AlgorithmEntry = entry!(
    "k1-expansion",
    "(k,1): every tuple grows by the row that costs least",
    EXPANSION,
    Start::Expansion,
    Goal::Tuples,
    &[Notion::K1]
);
pub(super) const K1_OPTIMAL: AlgorithmEntry = entry!(
    "k1-optimal",
    "(k,1): the cheapest tuple for every row, by looking at all of them",
    "Gionis et al. 2008, section V-B; by levels",
    Start::Optimal,
    Goal::Tuples,
    &[Notion::K1],
    BY_LEVELS
);
pub(super) const ONE_K: AlgorithmEntry = entry!(
    "1k",
    "(1,k): every row lies in k tuples; many rows may stay as they are, so this protects nobody by itself",
    "Gionis et al. 2008, Algorithm 5",
    Start::Rows,
    Goal::Rows,
    &[Notion::OneK]
);
pub(super) const KK_NEAREST: AlgorithmEntry = entry!(
    "kk-nearest",
    "(k,k) from k1-nearest",
    "Gionis et al. 2008, Algorithms 3 and 5",
    Start::Nearest,
    Goal::Both,
    &[Notion::Kk]
);
pub(super) const KK_EXPANSION: AlgorithmEntry = entry!(
    "kk-expansion",
    "(k,k) from k1-expansion; usually more detail than k-anonymity leaves, on small tables sometimes less",
    "Gionis et al. 2008, Algorithms 4 and 5",
    Start::Expansion,
    Goal::Both,
    &[Notion::Kk]
);
pub(super) const GLOBAL: AlgorithmEntry = entry!(
    "global-1k",
    "global (1,k) from kk-expansion: k tuples that could be a person's, even for who knows the whole table",
    "Gionis et al. 2008, Algorithms 4, 5 and 6",
    Start::Expansion,
    Goal::Global,
    &[Notion::Global, Notion::Kk]
);

pub(super) const KK_OPTIMAL: AlgorithmEntry = entry!(
    "kk-optimal",
    "(k,k) from k1-optimal, or from k1-expansion where there are too many tuples to look at",
    "Gionis et al. 2008, section V-B and Algorithm 5",
    Start::Cheapest,
    Goal::Both,
    &[Notion::Kk],
    BY_LEVELS_THEN_ROWS
);
pub(super) const GLOBAL_OPTIMAL: AlgorithmEntry = entry!(
    "global-1k-optimal",
    "global (1,k) from kk-optimal",
    "Gionis et al. 2008, section V-B, Algorithms 5 and 6",
    Start::Cheapest,
    Goal::Global,
    &[Notion::Global, Notion::Kk],
    BY_LEVELS_THEN_ROWS
);

fn make(name: &str, start: Start, goal: Goal, settings: &Settings) -> Result<Box<dyn Algorithm>> {
    settings.check(name, &[])?;
    Ok(Box::new(KType { start, goal, refine: true }))
}

/// What must hold in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// (k,1): every tuple covers k rows.
    Tuples,
    /// (1,k): every row lies in k tuples.
    Rows,
    /// (k,k): both.
    Both,
    /// Global (1,k): every row has k matches.
    Global,
}

/// An algorithm of the k-type family: how it starts, and how far it goes.
pub struct KType {
    /// How the first tuples are found.
    pub start: Start,
    /// What must hold in the end.
    pub goal: Goal,
    /// Whether tuples shrink again in the end, for (k,k) and global (1,k); without, they are those of the paper.
    pub refine: bool,
}

impl Algorithm for KType {
    fn set_refined(&mut self, refined: bool) {
        self.refine = refined;
    }

    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let found = if self.refine && self.goal >= Goal::Both {
            self.refined(problem, run)
        } else {
            self.plain(problem, run)
        };
        found?.map(Solution::PerRecord).ok_or_else(|| {
            Error::unsolvable("the time limit was over before there was a result; nothing was written")
                .option("time-limit")
                .help("give it more time, or ask for ‹notion=k›, whose algorithms can be cut short")
        })
    }
}

impl KType {
    /// As in the paper. None when time is up.
    fn plain(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Option<Tuples>> {
        let Some(tuples) = self.start.tuples(problem, run)? else { return Ok(None) };
        if self.goal == Goal::Tuples {
            return Ok(Some(tuples));
        }
        let Some(tuples) = one_k::one_k(problem, run, tuples)? else { return Ok(None) };
        if self.goal < Goal::Global {
            return Ok(Some(tuples));
        }
        global::global(problem, run, tuples)
    }

    /// Refined: (k,k) first; then, for global (1,k), what that has become. None when time is up before the goal is reached.
    fn refined(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Option<Tuples>> {
        let kinds = Kinds::new(problem.space);
        let Some(refiner) = Refiner::new(problem, &kinds, run)? else { return Ok(None) };
        let wished = refiner.wished().filter(|_| self.start == Start::Cheapest);
        let Some(tuples) =
            wished.map_or_else(|| self.start.tuples(problem, run), |tuples| Ok(Some(tuples)))?
        else {
            return Ok(None);
        };
        let Some(tuples) = one_k::one_k(problem, run, tuples)? else { return Ok(None) };
        let tuples = refiner.shrink(Goal::Both, tuples, STEPS, run)?;
        if self.goal < Goal::Global {
            return Ok(Some(tuples));
        }
        let Some(tuples) = refiner.grow(tuples, run)? else { return Ok(None) };
        // Algorithm 6 itself finds little to do, unless the matches must be diverse.
        let Some(tuples) = global::global(problem, run, tuples)? else { return Ok(None) };
        refiner.shrink(Goal::Global, tuples, STEPS, run).map(Some)
    }
}

/// One tuple per row.
type Tuples = Vec<Vec<Cell>>;
