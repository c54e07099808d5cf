//! The main loop: the closest two merge until they are ripe, or one borrows what it lacks; what is left joins the others.

use super::Problem;
use super::lenders::{Lenders, Loan};
use super::metric::Metric;
use super::neighbours::{Neighbours, Pair};
use crate::algorithm::cluster_scan::ClusterScan;
use crate::algorithm::{Run, closure};
use crate::data::Cell;
use crate::error::Result;

/// A cluster that is not yet ripe.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    pub(super) rows: Vec<u32>,
    pub(super) tuple: Vec<Cell>,
}

/// Clusters on their way.
pub(super) struct Growing<'a> {
    pub(super) problem: Problem<'a>,
    pub(super) group_of: Vec<u32>,
    pub(super) ripe: Vec<Vec<u32>>,
    pub(super) active: Neighbours<'a>,
    pub(super) lenders: Lenders<'a>,
    /// Whether ripe clusters are shrunk to k rows.
    pub(super) modified: bool,
}

impl Growing<'_> {
    /// Merges and lends as long as there are two to merge or to lend; says whether time sufficed. Of what is equally close, two
    /// clusters come before a loan.
    pub(super) fn ripen(&mut self, run: &Run<'_>) -> Result<bool> {
        let (rows, k) = (self.problem.space.rows() as u64, self.problem.demands.k());
        loop {
            if run.time_is_up()? {
                return Ok(false);
            }
            let pair = self.active.closest(run)?;
            if self.active.interrupted() {
                return Ok(false);
            }
            let closer = |loan: &Loan| pair.is_none_or(|p| (loan.distance, k) < (p.distance, p.size));
            match (self.lenders.closest(&self.active).filter(closer), pair) {
                (Some(loan), _) => self.lend(loan),
                (None, Some(pair)) => self.merge(pair),
                (None, None) => return Ok(true),
            }
            run.watch.progress(rows - self.active.count() as u64, rows);
        }
    }

    fn merge(&mut self, pair: Pair) {
        let mut union = self.active.merged(pair.key, pair.other);
        if !self.problem.has_k_people(&self.group_of, &union.rows) {
            self.insert(union);
            return;
        }
        let removed = if self.modified { self.shrink(&mut union.rows) } else { Vec::new() };
        self.ripe.push(union.rows);
        for row in removed {
            let tuple = self.problem.space.tuple(self.group_of[row as usize] as usize);
            self.insert(Cluster { rows: vec![row], tuple });
        }
    }

    fn insert(&mut self, cluster: Cluster) {
        let key = cluster.rows[0];
        self.lenders.ask(&cluster, self.active.stamp(key));
        self.active.insert(cluster);
    }

    /// What a cluster lacks for k comes from a lender.
    fn lend(&mut self, loan: Loan) {
        let Some(cluster) = self.active.cluster(loan.borrower, self.active.stamp(loan.borrower)) else {
            return;
        };
        let lacking = self.problem.demands.k() as usize - cluster.rows.len();
        let theirs = &mut self.ripe[loan.lender as usize];
        if let Some(lent) = self.lenders.lend(loan.lender, lacking, &self.group_of, theirs) {
            let mut rows = self.active.take(loan.borrower).rows;
            rows.extend(lent);
            self.ripe.push(rows);
        }
    }

    /// Takes rows out until k are left, always the one without which the rest costs least; returns them in that order.
    fn shrink(&self, rows: &mut Vec<u32>) -> Vec<u32> {
        let (space, k) = (self.problem.space, self.problem.demands.k() as usize);
        let mut removed = Vec::new();
        rows.sort_unstable();
        while rows.len() > k {
            let without = |at: usize| {
                let rest: Vec<u32> =
                    rows.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, &r)| r).collect();
                space.cost(&closure(space, &self.group_of, &rest))
            };
            let best = (0..rows.len()).min_by_key(|&at| (without(at), at)).unwrap_or(0);
            removed.push(rows.remove(best));
        }
        removed
    }
}

/// Each row joins the closest ripe cluster; without any, the rows are a cluster of their own.
pub(super) fn join_ripe(
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
