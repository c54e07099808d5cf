//! Agglomerative clustering (Gionis et al. 2008, Algorithms 1 and 2).
//!
//! Every row starts as a cluster. The two closest clusters are merged until a union has k rows: then it is ripe and leaves.
//! The modified form shrinks a ripe cluster to k rows and lets the others start again. The rows of the cluster that is left
//! over in the end join the ripe clusters they are closest to.
//!
//! *Reading* (`algorithms.md` §7.1): d(S) is the cost of the closure of S; the four distances are equations (8) to (11).
//! Shrinking removes the row without which the rest costs least, which is what maximizing dist(S, S∖{R}) means for all
//! four. ε of the fourth distance is on the scale of the paper's d, the mean over attributes. Equal rows are one
//! cluster from the start, however many (§10.2). Where people have several rows, a cluster is ripe once its rows are those of k of
//! them. Models beyond k are repaired by merging.
//!
//! None of the distances is reducible (§10.3): a union can be closer to a third cluster than its parts were, so neither
//! dendrograms nor nearest-neighbour chains give these clusters. The shipped form keeps a nearest neighbour per cluster
//! ([`neighbours`]), which leaves every merge as it is, and merges equal rows as groups ([`equal_rows`]).
//!
//! *Complexity* O(d²) typically for d different rows, O(d³) at worst; memory O(d). *Guarantee*: every cluster satisfies the
//! demands; ripe clusters have between k and 2k − 2 rows (k, when shrunk), those of equal rows k or more; none on the loss.
//!
//! NearPairs: smaller union, then the pair with the lowest row, then the lower partner; of rows to remove the lowest.

mod equal_rows;
mod first;
mod metric;
mod neighbours;

pub use metric::Distance;

use self::equal_rows::merge_equal_rows;
use self::metric::Metric;
use self::neighbours::Neighbours;
use super::cluster_scan::ClusterScan;
use super::finish_with_mondrian::finish_with_mondrian;
use super::repair::repair;
use super::{Algorithm, AlgorithmEntry, Problem, Run, Settings, closure};
use crate::data::Cell;
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

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "agglomerative",
    about: "merges the two closest clusters until they have k rows; keeps most detail, takes longest",
    source: "Gionis et al. 2008, Algorithm 1",
    complexity: "O(d²) to O(d³), d different rows",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[DISTANCE, EPSILON],
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
    settings: &[DISTANCE, EPSILON],
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
        Ok(Self { distance, epsilon: settings.number(&EPSILON).unwrap_or_default(), modified })
    }
}

/// A cluster that is not yet ripe.
#[derive(Debug, Clone)]
struct Cluster {
    rows: Vec<u32>,
    tuple: Vec<Cell>,
}

impl Algorithm for Agglomerative {
    fn merges_equal_rows(&self) -> bool {
        true
    }

    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let (space, k) = (problem.space, problem.demands.k() as usize);
        let metric = Metric::new(self.distance, self.epsilon, space.dims());
        let group_of = space.groups().of_rows();
        let (mut ripe, start) = merge_equal_rows(problem, &group_of);
        let mut active = Neighbours::new(space, metric.clone(), start, run)?;
        if run.time_is_up()? {
            let rest = active.rows();
            return finish_with_mondrian(problem, run, ripe, &rest);
        }
        let rows = space.rows() as u64;
        while let Some((a, b)) = active.closest(run)? {
            if run.time_is_up()? {
                let rest = active.rows();
                return finish_with_mondrian(problem, run, ripe, &rest);
            }
            let mut union = active.merged(a, b);
            if !problem.has_k_people(&group_of, &union.rows) {
                active.insert(union);
                continue;
            }
            let removed =
                if self.modified { shrink(problem, &group_of, &mut union.rows, k) } else { Vec::new() };
            ripe.push(union.rows);
            for row in removed {
                let tuple = space.tuple(group_of[row as usize] as usize);
                active.insert(Cluster { rows: vec![row], tuple });
            }
            run.watch.progress(rows - active.count() as u64, rows);
        }
        if active.interrupted() {
            let rest = active.rows();
            return finish_with_mondrian(problem, run, ripe, &rest);
        }
        join_ripe(problem, &metric, &group_of, &mut ripe, &active.rows());
        let lists = repair(problem, run, ripe)?;
        Ok(Solution::from_clusters(space.rows(), &lists))
    }
}

/// Takes rows out until k are left, always the one without which the rest costs least; returns them in that order.
fn shrink(problem: Problem<'_>, group_of: &[u32], rows: &mut Vec<u32>, k: usize) -> Vec<u32> {
    let mut removed = Vec::new();
    rows.sort_unstable();
    while rows.len() > k {
        let without = |at: usize| {
            let rest: Vec<u32> = rows.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, &r)| r).collect();
            problem.space.cost(&closure(problem.space, group_of, &rest))
        };
        let best = (0..rows.len()).min_by_key(|&at| (without(at), at)).unwrap_or(0);
        removed.push(rows.remove(best));
    }
    removed
}

/// Each row joins the closest ripe cluster; without any, the rows are a cluster of their own.
fn join_ripe(
    problem: Problem<'_>,
    metric: &Metric,
    group_of: &[u32],
    ripe: &mut Vec<Vec<u32>>,
    rows: &[u32],
) {
    if rows.is_empty() {
        return;
    }
    if ripe.is_empty() {
        ripe.push(rows.to_vec());
        return;
    }
    let space = problem.space;
    let mut tuples: Vec<Vec<Cell>> = ripe.iter().map(|rows| closure(space, group_of, rows)).collect();
    let mut scan = ClusterScan::new(space);
    for (key, (rows, tuple)) in ripe.iter().zip(&tuples).enumerate() {
        scan.put(key as u32, rows.len(), tuple);
    }
    for &row in rows {
        let group = group_of[row as usize] as usize;
        let leaf = space.tuple(group);
        let alone = (1, space.cost(&leaf));
        let best =
            scan.best(&leaf, |s, _| Some((metric.of(alone, (s.size, s.cost), s.joined), s.size, s.key)));
        let Some(((.., key), _)) = best else { return };
        space.absorb(&mut tuples[key as usize], group);
        ripe[key as usize].push(row);
        scan.put(key, ripe[key as usize].len(), &tuples[key as usize]);
    }
}
