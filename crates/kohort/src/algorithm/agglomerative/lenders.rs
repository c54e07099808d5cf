//! Equal rows beyond k, which lend: what k of them do not need may complete somebody else's cluster.
//!
//! A group of m > k equal rows is ripe from the start and loses nothing. Up to m − k of its rows can go to a cluster that lacks as
//! many for k, as the stub goes to a small class in KACA (Li et al. 2006); those that stay lose nothing still. So a loan is a
//! merge like any other, with a cluster of exactly the rows that are lacking, and takes place where it is the closest of all.
//! Nobody must lend: where strangers are closer to one another, a group stays as it is.
//!
//! What a loan is like depends on the borrower alone, not on how much the lender has left. So a borrower keeps its nearest
//! lender until that has too little, and looks again then: what it kept was a lower bound.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::metric::Metric;
use super::neighbours::Neighbours;
use super::{Cluster, Problem};
use crate::algorithm::cluster_scan::ClusterScan;

/// A borrower, by its lowest row, and its nearest lender, by its place among the ripe clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Loan {
    pub(super) distance: i64,
    pub(super) borrower: u32,
    pub(super) lender: u32,
    /// Which cluster of that lowest row it was.
    stamp: u32,
}

/// Who has rows to lend.
pub(super) struct Lenders<'a> {
    problem: Problem<'a>,
    metric: Metric,
    k: usize,
    /// By place among the ripe clusters, with the rows that may go as size.
    scan: ClusterScan<'a>,
    /// Per place: how many rows may go.
    spare: Vec<usize>,
    loans: BinaryHeap<Reverse<Loan>>,
    /// How many loans there were.
    pub(super) granted: usize,
}

impl<'a> Lenders<'a> {
    /// Nobody lends.
    pub(super) fn none(problem: Problem<'a>, metric: Metric) -> Self {
        let k = problem.demands.k() as usize;
        let (scan, loans) = (ClusterScan::new(problem.space), BinaryHeap::new());
        Self { problem, metric, k, scan, spare: Vec::new(), loans, granted: 0 }
    }

    /// All groups of more than k equal rows lend that satisfy the demands by themselves. Where people have several rows,
    /// nobody does: it takes k people, not k rows.
    pub(super) fn new(
        problem: Problem<'a>,
        metric: Metric,
        group_of: &[u32],
        ripe: &[Vec<u32>],
        active: &Neighbours<'_>,
    ) -> Self {
        let mut lenders = Self { spare: vec![0; ripe.len()], ..Self::none(problem, metric) };
        for (place, rows) in ripe.iter().enumerate() {
            let lends = problem.demands.people().is_none() && rows.len() > lenders.k;
            if lends && lenders.holds(group_of, rows) {
                lenders.spare[place] = rows.len() - lenders.k;
                let tuple = problem.space.tuple(group_of[rows[0] as usize] as usize);
                lenders.scan.put(place as u32, lenders.spare[place], &tuple);
            }
        }
        active.each(|cluster, stamp| lenders.ask(cluster, stamp));
        lenders
    }

    fn holds(&self, group_of: &[u32], rows: &[u32]) -> bool {
        !self.problem.demands.need_sensitive() || self.problem.rows_hold(group_of, rows)
    }

    /// Finds the nearest lender of a cluster.
    pub(super) fn ask(&mut self, cluster: &Cluster, stamp: u32) {
        let (lacking, metric) = (self.k.saturating_sub(cluster.rows.len()), &self.metric);
        let mine = (cluster.rows.len() as u32, self.problem.space.cost(&cluster.tuple));
        let best = self.scan.best(&cluster.tuple, |s, _| {
            let rank = || (metric.of(mine, (lacking as u32, s.cost), s.joined), s.key);
            (s.size as usize >= lacking).then(rank)
        });
        if let Some(((distance, lender), _)) = best {
            self.loans.push(Reverse(Loan { distance, borrower: cluster.rows[0], lender, stamp }));
        }
    }

    /// The closest borrower and lender.
    pub(super) fn closest(&mut self, active: &Neighbours<'_>) -> Option<Loan> {
        while let Some(&Reverse(loan)) = self.loans.peek() {
            let borrower = active.cluster(loan.borrower, loan.stamp);
            let lacking = borrower.map(|cluster| self.k.saturating_sub(cluster.rows.len()));
            if lacking.is_some_and(|lacking| self.spare[loan.lender as usize] >= lacking) {
                return Some(loan);
            }
            self.loans.pop();
            if let Some(cluster) = borrower {
                self.ask(cluster, loan.stamp);
            }
        }
        None
    }

    /// Takes so many rows, the lowest, out of a lender's; none where the others would not satisfy the demands without them: then
    /// it lends no more.
    pub(super) fn lend(
        &mut self,
        lender: u32,
        lacking: usize,
        group_of: &[u32],
        rows: &mut Vec<u32>,
    ) -> Option<Vec<u32>> {
        let at = lender as usize;
        if !self.holds(group_of, &rows[lacking..]) {
            self.spare[at] = 0;
            self.scan.remove(lender);
            return None;
        }
        let tuple = self.problem.space.tuple(group_of[rows[0] as usize] as usize);
        self.spare[at] -= lacking;
        match self.spare[at] {
            0 => self.scan.remove(lender),
            left => self.scan.put(lender, left, &tuple),
        }
        self.granted += 1;
        Some(rows.drain(..lacking).collect())
    }
}
