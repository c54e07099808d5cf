//! The values of the most restrictive column, dealt out among the clusters.
//!
//! Each rare value gives a row to as many clusters as it has rows, the least loaded first, until every cluster has i of
//! them; then each frequent value gives one row to every cluster. Where clusters are scarce, each takes the row that costs
//! it least, and an empty one the row farthest from all rows with which clusters were begun; where rows are scarce, each
//! row takes the cluster whose loss grows least. While this goes on, a cluster's load is its number of rows, and its first
//! row is the one with which it was begun.

use rand::RngExt;

use super::super::cluster_scan::ClusterScan;
use super::super::free_rows::Tables;
use super::{Plan, Work};
use crate::data::Cell;
use crate::error::Result;

impl<'a> Work<'a> {
    /// Deals all values. Says whether there was time for it.
    pub(super) fn deal(&mut self, plan: &Plan) -> Result<bool> {
        let mut growing = ClusterScan::new(self.space());
        for value in &plan.low {
            let load = self.clusters.iter().map(|c| c.rows.len()).min().unwrap_or(usize::MAX);
            if load >= plan.i {
                break;
            }
            let of_load = |load: usize| {
                let clusters = self.clusters.iter().enumerate();
                clusters.filter(|(_, c)| c.rows.len() == load).map(|(number, _)| number).collect::<Vec<_>>()
            };
            for set in [of_load(load), of_load(load + 1)] {
                if self.run.time_is_up()? {
                    return Ok(false);
                }
                self.serve(&mut growing, value, &set);
            }
        }
        for value in &plan.high {
            for cluster in 0..self.clusters.len() {
                if self.run.time_is_up()? {
                    return Ok(false);
                }
                self.take_nearest(cluster, value);
            }
        }
        Ok(true)
    }

    /// One row of the value for every cluster of the set, as far as they go.
    fn serve(&mut self, growing: &mut ClusterScan<'a>, value: &[u32], set: &[usize]) {
        let free: usize = value.iter().map(|&g| self.pool.left(g).len()).sum();
        let Some(&first) = set.first().filter(|_| free > 0) else { return };
        let is_empty = self.clusters[first].rows.is_empty();
        match (free <= set.len(), is_empty) {
            // All empty ones are alike.
            (true, true) => set.iter().zip(self.free_rows(value)).for_each(|(&cluster, row)| {
                self.take(cluster, self.group(row));
            }),
            (true, false) => self.rows_choose(growing, value, set),
            (false, true) => self.begin_far_apart(value, set),
            (false, false) => set.iter().for_each(|&cluster| self.take_nearest(cluster, value)),
        }
        for &cluster in set {
            let c = &self.clusters[cluster];
            if !c.rows.is_empty() {
                growing.put(cluster as u32, c.rows.len(), &c.tuple);
            }
        }
    }

    /// Free rows of a value, ascending.
    fn free_rows(&self, value: &[u32]) -> Vec<u32> {
        let mut rows: Vec<u32> = value.iter().flat_map(|&g| self.pool.left(g)).copied().collect();
        rows.sort_unstable();
        rows
    }

    /// Every free row of the value joins the cluster of the set whose loss grows least; none takes two.
    fn rows_choose(&mut self, growing: &mut ClusterScan<'a>, value: &[u32], set: &[usize]) {
        let mut waits = vec![false; self.clusters.len()];
        for &cluster in set {
            waits[cluster] = true;
        }
        for row in self.free_rows(value) {
            let group = self.group(row);
            let best = growing.best(&self.space().tuple(group as usize), |slot, _| {
                waits[slot.key as usize].then(|| (slot.increase(), slot.key))
            });
            let Some(((_, cluster), _)) = best else { break };
            waits[cluster as usize] = false;
            self.take(cluster as usize, group);
        }
    }

    /// The cluster takes the free row of the value that costs least.
    fn take_nearest(&mut self, cluster: usize, value: &[u32]) {
        let costs = self.costs(&self.clusters[cluster].tuple, value);
        let free = value.iter().zip(costs).filter(|(g, _)| !self.pool.left(**g).is_empty());
        let best = free.min_by_key(|&(&g, cost)| (cost, self.pool.next_row(g)));
        if let Some((&group, _)) = best {
            self.take(cluster, group);
        }
    }

    /// Every cluster of the set is begun with the free row of the value that is farthest from all seeds so far; the very
    /// first one with a row drawn.
    fn begin_far_apart(&mut self, value: &[u32], set: &[usize]) {
        let mut nearest = vec![u64::MAX; value.len()];
        let seeds: Vec<u32> =
            self.clusters.iter().filter_map(|c| c.rows.first()).map(|&r| self.group(r)).collect();
        for &seed in &seeds {
            self.look_from(seed, value, &mut nearest);
        }
        for (at, &cluster) in set.iter().enumerate() {
            let group = if at == 0 && seeds.is_empty() {
                let rows = self.free_rows(value);
                let place = self.run.rng(1).map_or(0, |mut rng| rng.random_range(0..rows.len() as u32));
                Some(self.group(rows[place as usize]))
            } else {
                let free = value.iter().zip(&nearest).filter(|(g, _)| !self.pool.left(**g).is_empty());
                let rank = |&(&g, &cost): &(&u32, &u64)| (std::cmp::Reverse(cost), self.pool.next_row(g));
                free.min_by_key(rank).map(|(&g, _)| g)
            };
            let Some(group) = group else { return };
            self.take(cluster, group);
            self.look_from(group, value, &mut nearest);
        }
    }

    /// Remembers which groups are nearer to this seed than to all before.
    fn look_from(&self, seed: u32, value: &[u32], nearest: &mut [u64]) {
        let costs = self.costs(&self.space().tuple(seed as usize), value);
        nearest.iter_mut().zip(costs).for_each(|(least, cost)| *least = cost.min(*least));
    }

    /// What it costs to join groups to a tuple.
    fn costs(&self, tuple: &[Cell], groups: &[u32]) -> Vec<u64> {
        let (space, mut sums) = (self.space(), vec![0; groups.len()]);
        for (dim, table) in Tables::new(space, tuple).columns().iter().enumerate() {
            let ranks = space.ranks(dim);
            for (sum, &group) in sums.iter_mut().zip(groups) {
                *sum += u64::from(table[ranks[group as usize] as usize]);
            }
        }
        sums
    }
}
