//! Systematic clustering (Kabir et al. 2011, Table 3): all clusters grow at the same time, around rows a fixed distance apart in
//! the sorted table.
//!
//! *Reading* (`algorithms.md` §5.5, S2-3 to S2-10): rows are sorted by quasi-identifiers, hierarchies in depth-first order
//! of their leaves, equal rows by number; there are p = ⌊n/k⌋ clusters; r₁…r_k is a permutation of 1…k, the same for all
//! clusters (1…k itself with seed 0). Cluster i starts with row r₁ + k(i−1); rows r_j + k(i−1) follow for j = 2…k, each into
//! the cluster *below* k rows where "the information loss if included" is least; what is left joins any cluster.
//! `systematic` compares the loss of the whole cluster after inclusion, as the paper's example does;
//! `systematic-plus` compares by how much the loss grows, which does not favour small clusters; which of the two loses less
//! depends on the table (`docs/reproduction.md`, 002). Models beyond k are repaired by merging.
//!
//! *Complexity* O(n²/k), Theorem 1. *Guarantee*: clusters have between k and 2k − 1 rows (Theorem 3) before any repair;
//! p(k−1) rows meet p(k−1) free places, so all clusters reach k, and at most k − 1 rows are left.
//!
//! NearPairs: smaller cluster, then earlier cluster.

use rand::seq::SliceRandom;

use super::cluster_scan::{ClusterScan, Slot};
use super::finish_with_mondrian::finish_with_mondrian;
use super::repair::repair;
use super::{Algorithm, AlgorithmEntry, Problem, Run, Settings};
use crate::data::Cell;
use crate::demand::Notion;
use crate::error::Result;
use crate::solution::Solution;

pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "systematic",
    about: "grows all clusters at once from the sorted table, by least loss of the whole cluster",
    source: "Kabir et al. 2011",
    complexity: "O(n²/k)",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[],
    make: |settings| make(ENTRY.name, Rule::Loss, settings),
};

pub(super) const PLUS: AlgorithmEntry = AlgorithmEntry {
    name: "systematic-plus",
    about: "the same, by least increase of the loss",
    source: "Kabir et al. 2011, rule of Byun et al. 2007",
    complexity: "O(n²/k)",
    is_linear: false,
    recodes_columns: false,
    gives: &[Notion::K],
    settings: &[],
    make: |settings| make(PLUS.name, Rule::Increase, settings),
};

fn make(name: &str, rule: Rule, settings: &Settings) -> Result<Box<dyn Algorithm>> {
    settings.check(name, &[])?;
    Ok(Box::new(Systematic { rule }))
}

/// Which cluster a row joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The one whose total loss is least afterwards.
    Loss,
    /// The one whose total loss grows least.
    Increase,
}

impl Rule {
    /// What is compared; the least wins.
    pub(super) fn value(self, slot: &Slot) -> i64 {
        match self {
            Self::Loss => (i64::from(slot.size) + 1) * slot.joined.cast_signed(),
            Self::Increase => slot.increase(),
        }
    }
}

/// Systematic clustering.
pub struct Systematic {
    /// Which cluster a row joins.
    pub rule: Rule,
}

impl Systematic {
    /// The order in which the rows of every stretch of k are taken: a permutation of `0..k`.
    pub fn order(k: usize, run: &Run<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..k).collect();
        if let Some(mut rng) = run.rng(3) {
            order.shuffle(&mut rng);
        }
        order
    }
}

impl Algorithm for Systematic {
    fn group(&self, problem: Problem<'_>, run: &Run<'_>) -> Result<Solution> {
        let k = problem.demands.k() as usize;
        let sorted = super::sorted_rows(problem.space);
        let (clusters, order) = (sorted.len() / k, Self::order(k, run));
        let mut growing = Growing::new(problem);
        for i in 0..clusters {
            growing.start(i, sorted[order[0] + k * i]);
        }
        let later = order[1..].iter().flat_map(|&r| (0..clusters).map(move |i| r + k * i));
        let places = later.chain(clusters * k..sorted.len());
        for (done, place) in places.enumerate() {
            if run.time_is_up()? {
                return finish_with_mondrian(
                    problem,
                    run,
                    Vec::new(),
                    &(0..sorted.len() as u32).collect::<Vec<_>>(),
                );
            }
            if place == clusters * k {
                growing.reopen();
            }
            growing.add(sorted[place], self.rule);
            run.watch.progress((clusters + done) as u64, sorted.len() as u64);
        }
        let lists = repair(problem, run, growing.rows)?;
        Ok(Solution::from_clusters(sorted.len(), &lists))
    }
}

/// Clusters that take rows one by one.
struct Growing<'a> {
    problem: Problem<'a>,
    group_of: Vec<u32>,
    rows: Vec<Vec<u32>>,
    tuples: Vec<Vec<Cell>>,
    scan: ClusterScan<'a>,
}

impl<'a> Growing<'a> {
    fn new(problem: Problem<'a>) -> Self {
        Self {
            problem,
            group_of: problem.space.groups().of_rows(),
            rows: Vec::new(),
            tuples: Vec::new(),
            scan: ClusterScan::new(problem.space),
        }
    }

    fn start(&mut self, number: usize, row: u32) {
        let tuple = self.problem.space.tuple(self.group_of[row as usize] as usize);
        self.scan.put(number as u32, 1, &tuple);
        self.rows.push(vec![row]);
        self.tuples.push(tuple);
    }

    /// Gives a row to the best open cluster. A cluster that reaches k rows is full.
    fn add(&mut self, row: u32, rule: Rule) {
        let group = self.group_of[row as usize] as usize;
        let leaf = self.problem.space.tuple(group);
        let best = self.scan.best(&leaf, |slot, _| Some((rule.value(&slot), slot.size, slot.key)));
        let Some(((.., key), _)) = best else { return };
        let tuple = &mut self.tuples[key as usize];
        self.problem.space.absorb(tuple, group);
        let rows = &mut self.rows[key as usize];
        rows.push(row);
        if rows.len() == self.problem.demands.k() as usize {
            self.scan.remove(key);
        } else {
            self.scan.put(key, rows.len(), tuple);
        }
    }

    /// All clusters are full: from now on they take any row.
    fn reopen(&mut self) {
        for (key, (rows, tuple)) in self.rows.iter().zip(&self.tuples).enumerate() {
            self.scan.put(key as u32, rows.len(), tuple);
        }
    }
}
