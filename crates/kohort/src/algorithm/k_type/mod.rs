//! The k-type notions of Gionis et al. 2008: every row gets a tuple of its own.
//!
//! (k,1): every tuple covers at least k rows ([`Start::Nearest`], Algorithm 3; [`Start::Expansion`], Algorithm 4).
//! (1,k): every row lies in at least k tuples (Algorithm 5, [`one_k`]). (k,k): both, by one after the other. Global (1,k):
//! every row has at least k *matches*, tuples it could own in some assignment of all rows to all tuples (Algorithm 6,
//! [`global`]). Which adversary each of them withstands is said in the certificate.
//!
//! *Guarantees*: Algorithm 3 is within a factor k − 1 of the optimal (k,1) for measures that obey the triangle inequality
//! (Proposition 5.1; not for entropy). Everything that a later step does only grows tuples, so what held keeps holding.
//!
//! *Complexity* O(k · d²) for d different rows, and for global (1,k) as many searches for components as tuples are grown.

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
pub use start::Start;

const NEAREST: &str = "Gionis et al. 2008, Algorithm 3";
const EXPANSION: &str = "Gionis et al. 2008, Algorithm 4";
const COMPLEXITY: &str = "O(k · d²), d different rows";

macro_rules! entry {
    ($name:literal, $about:literal, $source:expr, $start:expr, $goal:expr, $gives:expr) => {
        AlgorithmEntry {
            name: $name,
            about: $about,
            source: $source,
            complexity: COMPLEXITY,
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
    &[Notion::K1]
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
    "(k,k) from k1-expansion; more detail than any k-anonymous table of these algorithms",
    "Gionis et al. 2008, Algorithms 4 and 5",
    Start::Expansion,
    Goal::Both,
    &[Notion::Kk]
);
pub(super) const GLOBAL: AlgorithmEntry = entry!(
    "global-1k",
    "global (1,k) from kk-expansion: k possible owners for every tuple, whoever knows the whole table",
    "Gionis et al. 2008, Algorithms 4, 5 and 6",
    Start::Expansion,
    Goal::Global,
    &[Notion::Global, Notion::Kk]
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
    /// Whether tuples are refined in the end.
    pub refine: bool,
}

impl Algorithm for KType {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let late = || {
            Err(Error::unsolvable("the time limit was over before there was a result; nothing was written")
                .option("time-limit")
                .help("give it more time, or ask for ‹notion=k›, whose algorithms can be cut short"))
        };
        let start = if std::env::var("OPT").is_ok() { Start::Optimal } else { self.start };
        let Some(tuples) = start.tuples(problem, run)? else { return late() };
        if self.goal == Goal::Tuples {
            return Ok(Solution::PerRecord(tuples));
        }
        let Some(tuples) = one_k::one_k(problem, run, tuples)? else { return late() };
        let steps = std::env::var("STEPS").ok().and_then(|s| s.parse().ok()).unwrap_or(10);
        let first = std::env::var("FIRST").is_ok();
        let tuples = if self.refine && (self.goal == Goal::Both || first) { refine::refine_tuples(problem, Goal::Both, tuples, steps, run)? } else { tuples };
        if self.goal < Goal::Global {
            return Ok(Solution::PerRecord(tuples));
        }
        match global::global(problem, run, tuples)? {
            Some(tuples) => Ok(Solution::PerRecord(if self.refine { refine::refine_tuples(problem, self.goal, tuples, steps, run)? } else { tuples })),
            None => late(),
        }
    }
}

/// One tuple per row.
type Tuples = Vec<Vec<Cell>>;
