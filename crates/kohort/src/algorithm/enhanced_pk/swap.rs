//! What clusters lack in the other columns: from free rows, or in exchange with other clusters.
//!
//! What a cluster *lacks* is how many values it is short of p, over all columns. Where no free row brings any of them, a
//! row of another cluster comes, and maybe one goes there for it, if that helps this cluster and does not harm the other.
//! Of all such swaps the one is made that helps most, then loses least; a cluster that no swap helps has failed.
//!
//! A row that comes must bring a value that is wanted, and no row that goes can make it bring more. So most rows are passed
//! over after one look at their values, and losses are worked out only for swaps that are allowed and help most so far.

use rayon::prelude::*;

use super::super::{closure, signed};
use super::{Cluster, Column, Work};
use crate::data::Cell;
use crate::error::Result;
use crate::model::{NO_VALUE, Tally, ValueCounts};
use crate::space::Space;

/// Clusters searched by one task.
const CHUNK: usize = 64;

/// A swap, by rank: what the cluster lacks then, by how much the loss grows, with whom, the row that comes and the row that
/// goes, if any.
pub(super) type Swap = (usize, i64, usize, u32, Option<u32>);

/// A row that may leave its cluster.
pub(super) struct Leaver {
    pub(super) row: u32,
    group: u32,
    kinds: Vec<u32>,
    /// Per column, whether nobody else in the cluster is of its kind.
    alone: Vec<bool>,
}

/// A cluster without one of its rows, or as it is.
pub(super) struct Rest {
    pub(super) tuple: Vec<Cell>,
    pub(super) size: usize,
}

impl Work<'_> {
    /// Makes clusters p-sensitive one by one. Says whether there was time for it.
    pub(super) fn complete(&mut self) -> Result<bool> {
        for cluster in 0..self.clusters.len() {
            while self.lack(&self.clusters[cluster].kinds) > 0 {
                if self.run.time_is_up()? {
                    return Ok(false);
                }
                let wanted = self.wanted(cluster);
                let (gain, group) = self.best_free(cluster, |g| signed(self.brings(&wanted, g)));
                if let Some(group) = group.filter(|_| gain > 0) {
                    self.take(cluster, group);
                } else if let Some(swap) = self.best_swap(cluster, &wanted) {
                    self.swap(cluster, swap);
                } else {
                    self.clusters[cluster].failed = true;
                    break;
                }
            }
        }
        Ok(true)
    }

    fn lack(&self, kinds: &Tally) -> usize {
        self.columns.iter().zip(kinds.columns()).map(|(column, has)| column.lack(has.distinct())).sum()
    }

    /// Per column and kind, 1 where a cluster lacks kinds and has not this one.
    fn wanted(&self, cluster: usize) -> Vec<Vec<u8>> {
        let has = self.clusters[cluster].kinds.columns();
        let of_column = |(column, has): (&Column, &ValueCounts)| {
            let mut wanted = vec![u8::from(column.lack(has.distinct()) > 0); column.frequencies.len()];
            has.iter().for_each(|(kind, _)| wanted[kind as usize] = 0);
            wanted
        };
        self.columns.iter().zip(has).map(of_column).collect()
    }

    /// How many wanted kinds a row of the group has.
    fn brings(&self, wanted: &[Vec<u8>], group: u32) -> usize {
        // A missing value is wanted nowhere.
        let is_wanted = |(wanted, kind): (&Vec<u8>, u32)| wanted.get(kind as usize).copied().unwrap_or(0);
        wanted.iter().zip(self.kinds(group)).map(|pair| usize::from(is_wanted(pair))).sum()
    }

    /// The best of all allowed swaps.
    fn best_swap(&self, cluster: usize, wanted: &[Vec<u8>]) -> Option<Swap> {
        let c = &self.clusters[cluster];
        let goes: Vec<Leaver> = (0..c.rows.len()).map(|at| self.leaver(c, at)).collect();
        let rest: Vec<Rest> = c.rows.iter().map(|&row| self.without(c, row)).collect();
        let whole = Rest { tuple: c.tuple.clone(), size: c.rows.len() };
        let nobody = std::iter::once((None, &whole));
        let ways: Vec<_> = nobody.chain(goes.iter().map(Some).zip(&rest)).collect();
        let others: Vec<usize> =
            (0..self.clusters.len()).filter(|&d| d != cluster && !self.clusters[d].failed).collect();
        let search = |chunk: &[usize]| {
            let mut best = None;
            for &d in chunk {
                self.search(c, &ways, wanted, d, &mut best);
            }
            best
        };
        others.par_chunks(CHUNK).filter_map(search).min()
    }

    /// Looks for a better swap with one cluster. `ways`: who may go, and what is left then.
    fn search(
        &self,
        c: &Cluster,
        ways: &[(Option<&Leaver>, &Rest)],
        wanted: &[Vec<u8>],
        with: usize,
        best: &mut Option<Swap>,
    ) {
        let (space, d) = (self.space(), &self.clusters[with]);
        let (lack_c, lack_d) = (self.lack(&c.kinds), self.lack(&d.kinds));
        let before = loss(space, &c.tuple, c.rows.len()) + loss(space, &d.tuple, d.rows.len());
        for (at, &row) in d.rows.iter().enumerate() {
            let brings = self.brings(wanted, self.group(row));
            if brings == 0 || best.is_some_and(|b| lack_c - brings > b.0) {
                continue;
            }
            let comes = self.leaver(d, at);
            let mut rest_d = None;
            for &(goes, rest_c) in ways {
                let lack = self.lack_after(&c.kinds, goes, Some(&comes));
                let is_allowed = lack <= best.map_or(lack_c - 1, |b| b.0)
                    && self.lack_after(&d.kinds, Some(&comes), goes) <= lack_d
                    && d.rows.len() > usize::from(goes.is_none());
                if !is_allowed {
                    continue;
                }
                let rest_d = rest_d.get_or_insert_with(|| self.without(d, row));
                let after = rest_c.loss_with(space, Some(&comes)) + rest_d.loss_with(space, goes);
                let swap = (lack, after - before, with, row, goes.map(|g| g.row));
                if best.is_none_or(|b| swap < b) {
                    *best = Some(swap);
                }
            }
        }
    }

    pub(super) fn leaver(&self, cluster: &Cluster, at: usize) -> Leaver {
        let row = cluster.rows[at];
        let kinds: Vec<u32> = self.kinds(self.group(row)).collect();
        let counts = cluster.kinds.columns().iter().zip(&kinds);
        let alone = counts.map(|(counts, &kind)| counts.count(kind) == 1).collect();
        Leaver { row, group: self.group(row), kinds, alone }
    }

    fn without(&self, cluster: &Cluster, row: u32) -> Rest {
        let rows: Vec<u32> = cluster.rows.iter().copied().filter(|&r| r != row).collect();
        Rest { tuple: closure(self.space(), &self.group_of, &rows), size: rows.len() }
    }

    /// What a cluster lacks when one row goes and another comes.
    pub(super) fn lack_after(&self, has: &Tally, goes: Option<&Leaver>, comes: Option<&Leaver>) -> usize {
        let of_column = |(column, counts): (usize, &ValueCounts)| {
            let kind = comes.map(|c| c.kinds[column]);
            let lost = goes.is_some_and(|g| g.alone[column] && Some(g.kinds[column]) != kind);
            let new = kind.is_some_and(|kind| kind != NO_VALUE && counts.count(kind) == 0);
            self.columns[column].lack(counts.distinct() + usize::from(new) - usize::from(lost))
        };
        has.columns().iter().enumerate().map(of_column).sum()
    }

    pub(super) fn swap(&mut self, cluster: usize, (_, _, with, comes, goes): Swap) {
        self.move_row(comes, with, cluster);
        if let Some(row) = goes {
            self.move_row(row, cluster, with);
        }
    }

    fn move_row(&mut self, row: u32, from: usize, to: usize) {
        let group = self.group(row);
        let kinds: Vec<u32> = self.kinds(group).collect();
        let rest = self.without(&self.clusters[from], row);
        let left = &mut self.clusters[from];
        left.rows.retain(|&r| r != row);
        left.kinds.remove(kinds.iter().copied(), 1);
        left.tuple = rest.tuple;
        self.clusters[to].add(self.problem.space, row, group, kinds.into_iter());
    }
}

impl Rest {
    /// What the rest loses once it is joined by somebody.
    pub(super) fn loss_with(&self, space: &Space<'_>, comes: Option<&Leaver>) -> i64 {
        let Some(comes) = comes else { return loss(space, &self.tuple, self.size) };
        let group = comes.group as usize;
        let cost = |dim: usize| {
            let code = space.codes(dim)[group];
            let leaf = Cell { lo: code, hi: code };
            let joined = self.tuple.get(dim).map_or(leaf, |&cell| space.join_cell(dim, cell, leaf));
            u64::from(space.cell_cost(dim, joined))
        };
        signed(self.size + 1) * (0..space.dims()).map(cost).sum::<u64>().cast_signed()
    }
}

pub(super) fn loss(space: &Space<'_>, tuple: &[Cell], size: usize) -> i64 {
    signed(size) * space.cost(tuple).cast_signed()
}
