//! Agglomerative clustering (Gionis et al. 2008, Algorithms 1 and 2).
//!
//! Every row starts as a cluster. The two closest clusters are merged until a union has k rows: then it is ripe and leaves.
//! The modified form shrinks a ripe cluster to k rows and lets the others start again. The rows of the cluster that is left
//! over in the end join the ripe clusters they are closest to.
//!
//! *Reading* (`algorithms.md` §7.1): d(S) is the cost of the closure of S; the four distances are equations (8) to (11).
//! Shrinking removes the row without which the rest costs least, which is what maximizing dist(S, S∖{R}) means for all
//! four. ε of the fourth distance is on the scale of the paper's d, the mean over attributes. Equal rows are one
//! cluster from the start, and groups of more than k lend what they have beyond k ([`lenders`]; §10.2); `equal-rows=literal` takes
//! rows one by one, as the paper does. Where people have several rows, a cluster is ripe once its rows are those of k of
//! them. Models beyond k are repaired by merging.
//!
//! None of the distances is reducible (§10.3): a union can be closer to a third cluster than its parts were, so neither
//! dendrograms nor nearest-neighbour chains give these clusters. The shipped form keeps a nearest neighbour per cluster
//! ([`neighbours`]), which leaves every merge as it is, and merges equal rows as groups ([`equal_rows`]).
//!
//! *Complexity* O(d²) typically for d different rows, O(d³) at worst; memory O(d). *Guarantee*: every cluster satisfies the
//! demands; ripe clusters have between k and 2k − 2 rows (k, when shrunk), those of equal rows k or more; a table that is
//! k-anonymous stays as it is, unless rows are taken literally; none on the loss.
//!
//! NearPairs: smaller union, then the pair with the lowest row, then the lower partner; of rows to remove the lowest.

mod equal_rows;
mod first;
mod lenders;
mod metric;
mod neighbours;
mod ripen;

pub use equal_rows::EqualRows;
pub use metric::Distance;

use self::equal_rows::{merge_equal_rows, single_rows};
use self::lenders::Lenders;
use self::metric::Metric;
use self::neighbours::Neighbours;
use self::ripen::{Cluster, Growing, join_ripe};
use super::finish_with_mondrian::finish_with_mondrian;
use super::repair::repair;
use super::{Algorithm, AlgorithmEntry, Answer, Problem, Run, Settings};
use crate::demand::Notion;
use crate::error::{Error, Result};
use crate::parameter::{Accepts, Parameter, Range};
use crate::solution::Solution;

const DISTANCE: Parameter = Parameter {
    name: "distance",
    accepts: Accepts::Choice { values: &["1", "2", "3", "4"], default: "3" },
    about: "what is close (Gionis et al. 2008, (8) to (11)): 1 growth of the table's loss, 2 growth of a row's cost, 3 that over the logarithm of the rows, 4 the cost as a multiple of both before",
};

const EPSILON: Parameter = Parameter {
    name: "epsilon",
    // At 0, equal rows would be 0/0 apart. Costs of rows are at most 1 for the paper: with far more, all clusters are equally
    // far apart. The default is the paper's.
    accepts: Accepts::Number { range: Range::above(0.0).up_to(1e6), default: Some(0.1) },
    about: "the constant of distance 4",
};

const EQUAL_ROWS: Parameter = Parameter {
    name: "equal-rows",
    accepts: Accepts::Choice { values: &["lend", "literal"], default: "lend" },
    about: "lend: equal rows stay together and lend what they have beyond k, if that loses less; literal: row by row, as the paper's loop has it",
};

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "agglomerative",
    about: "merges the two closest clusters until they have k rows; keeps most detail, takes longest",
    source: "Gionis et al. 2008, Algorithm 1",
    complexity: "O(d²) to O(d³), d different rows",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[DISTANCE, EPSILON, EQUAL_ROWS],
    make: |settings| Ok(Box::new(Agglomerative::new(ENTRY.name, false, settings)?)),
};

pub(super) const MODIFIED: AlgorithmEntry = AlgorithmEntry {
    name: "agglomerative-modified",
    about: "the same, but ripe clusters are shrunk to k rows",
    source: "Gionis et al. 2008, Algorithm 2",
    complexity: "O(d²) to O(d³), d different rows",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[DISTANCE, EPSILON, EQUAL_ROWS],
    make: |settings| Ok(Box::new(Agglomerative::new(MODIFIED.name, true, settings)?)),
};

/// Agglomerative clustering.
pub struct Agglomerative {
    /// How far apart clusters are.
    pub distance: Distance,
    /// The constant of the fourth distance.
    pub epsilon: f64,
    /// Whether ripe clusters are shrunk to k rows.
    pub modified: bool,
    /// What becomes of equal rows.
    pub equal_rows: EqualRows,
}

impl Agglomerative {
    fn new(name: &str, modified: bool, settings: &Settings) -> Result<Self> {
        settings.check(name, ENTRY.settings)?;
        let distance = match settings.get(&DISTANCE).as_str() {
            "1" => Distance::Total,
            "2" => Distance::Cost,
            "4" => Distance::Factor,
            _ => Distance::CostByLog,
        };
        if distance != Distance::Factor && settings.has(&EPSILON) {
            return Err(Error::job("epsilon is a constant of distance 4 alone")
                .option_with("set", "epsilon")
                .help("omit it, or say ‹distance=4›"));
        }
        let equal_rows = match settings.get(&EQUAL_ROWS).as_str() {
            "literal" => EqualRows::Literal,
            _ => EqualRows::Lend,
        };
        Ok(Self { distance, epsilon: settings.number(&EPSILON).unwrap_or_default(), modified, equal_rows })
    }
}

impl Algorithm for Agglomerative {
    fn merges_equal_rows(&self) -> bool {
        self.equal_rows == EqualRows::Lend
    }

    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        match self.equal_rows {
            EqualRows::Literal => Ok(self.clusters(problem, run, Groups::Apart)?.0),
            EqualRows::Lend => self.with_loans_or_without(problem, run),
        }
    }
}

/// How groups of equal rows enter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    /// Row by row.
    Apart,
    /// Together, and those of more than k rows lend.
    Lending,
    /// Together, whatever else.
    Whole,
}

impl Agglomerative {
    /// Loans usually lose less, not always: where there were some, both ways are tried, and loans stay where neither is better.
    fn with_loans_or_without(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let (lent, loans) = self.clusters(problem, run, Groups::Lending)?;
        if loans == 0 || run.time_is_up()? {
            return Ok(lent);
        }
        let (whole, _) = self.clusters(problem, run, Groups::Whole)?;
        let [lent, whole] = [lent, whole].map(Answer::from);
        let is_better = whole.cost(problem.space) < lent.cost(problem.space);
        Ok(if is_better { whole.solution } else { lent.solution })
    }

    /// The clusters, and how many loans there were.
    fn clusters(&self, problem: Problem<'_>, run: &Run<'_>, groups: Groups) -> Result<(Solution, usize)> {
        let space = problem.space;
        let all = space.dims() as u64 * u64::from(space.scale());
        let metric = Metric::new(self.distance, self.epsilon, all);
        let group_of = space.groups().of_rows();
        let (ripe, start) = match groups {
            Groups::Apart => single_rows(problem, &group_of),
            Groups::Lending | Groups::Whole => merge_equal_rows(problem, &group_of),
        };
        let active = Neighbours::new(space, metric.clone(), start, run)?;
        let lenders = match groups {
            Groups::Lending => Lenders::new(problem, metric.clone(), &group_of, &ripe, &active),
            Groups::Apart | Groups::Whole => Lenders::none(problem, metric.clone()),
        };
        let mut growing = Growing { problem, group_of, ripe, active, lenders, modified: self.modified };
        if !growing.ripen(run)? {
            let rest = growing.active.rows();
            return Ok((finish_with_mondrian(problem, run, growing.ripe, &rest)?, 0));
        }
        let Growing { group_of, mut ripe, active, lenders, .. } = growing;
        join_ripe(problem, &metric, &group_of, &mut ripe, &active.rows());
        let lists = repair(problem, run, ripe)?;
        Ok((Solution::from_clusters(space.rows(), &lists), lenders.granted))
    }
}
