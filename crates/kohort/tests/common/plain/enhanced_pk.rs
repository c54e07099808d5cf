//! EnhancedPKClustering (`algorithms.md` §3.1 to §3.4): as many clusters as the sensitive values allow, begun all at once.

use std::cmp::Reverse;

use kohort::algorithm::{Quiet, Run};
use kohort::model::{i_value, max_clusters};
use rand::RngExt;

use super::Plain;
use super::greedy_pk::{most_gain, nearest};
use super::k_member::{alike, disperse};

/// The clusters by number, without those that were dissolved.
pub(crate) fn enhanced_pk(plain: &Plain<'_>, seed: u64) -> Vec<Vec<u32>> {
    course(plain, seed).clusters
}

/// A result, and how it came about.
pub(crate) struct Course {
    pub(crate) clusters: Vec<Vec<u32>>,
    /// How many clusters were begun.
    pub(crate) begun: usize,
    /// The clusters after the values of the most restrictive column were dealt.
    pub(crate) dealt: Vec<Vec<u32>>,
    pub(crate) swaps: usize,
    /// The numbers of those that could not be made diverse.
    pub(crate) failed: Vec<usize>,
    /// The clusters before rows moved between them.
    pub(crate) full: Vec<Vec<u32>>,
}

pub(crate) fn course(plain: &Plain<'_>, seed: u64) -> Course {
    assert!(plain.p >= 2 && plain.columns() >= 1, "there is nothing to deal");
    let column = most_restrictive(plain);
    let frequencies = frequencies(plain, column);
    let begun = bound(plain, column).min(plain.table.rows / plain.k);
    let counts: Vec<u64> = frequencies.iter().map(|f| f.1).collect();
    let low_values = i_value(&counts, plain.p as u32) as usize;
    let kinds: Vec<u32> = frequencies.iter().map(|f| f.0).collect();

    let mut work = Work {
        plain,
        clusters: vec![Vec::new(); begun],
        load: vec![0; begun],
        free: (0..plain.table.rows as u32).collect(),
        seeds: Vec::new(),
        apart: vec![u64::MAX; plain.table.rows],
        seed,
        swaps: 0,
        failed: Vec::new(),
    };
    if begun > 0 {
        let (high, low) = kinds.split_at(plain.p - low_values);
        work.deal_low(column, low, low_values);
        work.deal_high(column, high);
    }
    let dealt = work.clusters.clone();
    work.diversify();
    work.fill();
    let (begun, swaps, failed) = (work.clusters.len(), work.swaps, work.failed.clone());
    let full = work.dissolve();
    Course { clusters: improved(plain, full.clone()), begun, dealt, swaps, failed, full }
}

/// The kinds of one sensitive column and how often they occur: the most frequent first, then the lower kind.
fn frequencies(plain: &Plain<'_>, column: usize) -> Vec<(u32, u64)> {
    let rows: Vec<u32> = (0..plain.table.rows as u32).collect();
    let count = |kind: u32| rows.iter().filter(|&&row| plain.kind(column, row) == kind).count() as u64;
    let mut found: Vec<(u32, u64)> =
        plain.values(column, &rows).into_iter().map(|kind| (kind, count(kind))).collect();
    found.sort_by_key(|&(kind, count)| (Reverse(count), kind));
    found
}

/// How many diverse clusters one column allows.
fn bound(plain: &Plain<'_>, column: usize) -> usize {
    let counts: Vec<u64> = frequencies(plain, column).into_iter().map(|f| f.1).collect();
    max_clusters(&counts, plain.p as u32) as usize
}

/// The column that allows the fewest clusters; then the one with fewer kinds, then the first.
fn most_restrictive(plain: &Plain<'_>) -> usize {
    let rank = |&column: &usize| (bound(plain, column), frequencies(plain, column).len(), column);
    (0..plain.columns()).min_by_key(rank).unwrap()
}

struct Work<'p, 't> {
    plain: &'p Plain<'t>,
    clusters: Vec<Vec<u32>>,
    /// How many low values each cluster was given.
    load: Vec<usize>,
    /// The rows that are in no cluster, ascending.
    free: Vec<u32>,
    /// The rows with which clusters were begun.
    seeds: Vec<u32>,
    /// How far every free row is from the nearest of them.
    apart: Vec<u64>,
    seed: u64,
    swaps: usize,
    failed: Vec<usize>,
}

impl Work<'_, '_> {
    fn free_of(&self, column: usize, kind: u32) -> Vec<u32> {
        self.free.iter().copied().filter(|&row| self.plain.kind(column, row) == kind).collect()
    }

    fn take(&mut self, cluster: usize, row: u32) {
        self.free.retain(|&r| r != row);
        self.clusters[cluster].push(row);
    }

    /// Phase 1a: every low value goes to as many clusters as it has rows for, the least loaded first.
    fn deal_low(&mut self, column: usize, low: &[u32], wanted: usize) {
        for &kind in low {
            if self.load.iter().all(|&load| load >= wanted) {
                return;
            }
            let mut rows = self.free_of(column, kind);
            let least = *self.load.iter().min().unwrap();
            let of_load = |load| (0..self.load.len()).filter(|&c| self.load[c] == load).collect::<Vec<_>>();
            let (lighter, heavier) = (of_load(least), of_load(least + 1));
            assert_eq!(lighter.len() + heavier.len(), self.load.len(), "loads are within 1 of each other");
            self.serve(&lighter, &mut rows);
            self.serve(&heavier, &mut rows);
        }
    }

    /// One row for every cluster of the set, as far as there are rows.
    fn serve(&mut self, set: &[usize], rows: &mut Vec<u32>) {
        if rows.len() <= set.len() {
            let mut waiting = set.to_vec();
            for row in std::mem::take(rows) {
                let cluster = *waiting.iter().min_by_key(|&&c| (self.increase(c, row), c)).unwrap();
                waiting.retain(|&c| c != cluster);
                self.give_low(cluster, row);
            }
        } else {
            for &cluster in set {
                let row = if self.clusters[cluster].is_empty() {
                    self.far_seed(rows)
                } else {
                    nearest(self.plain, &self.clusters[cluster], rows).unwrap()
                };
                rows.retain(|&r| r != row);
                self.give_low(cluster, row);
            }
        }
    }

    fn give_low(&mut self, cluster: usize, row: u32) {
        if self.clusters[cluster].is_empty() {
            self.begin_at(row);
        }
        self.take(cluster, row);
        self.load[cluster] += 1;
    }

    /// What the row adds to the loss of a cluster; nothing where it begins one.
    fn increase(&self, cluster: usize, row: u32) -> i128 {
        let rows = &self.clusters[cluster];
        if rows.is_empty() {
            return 0;
        }
        let with = [rows.as_slice(), &[row]].concat();
        self.plain.loss(&with) - self.plain.loss(rows)
    }

    /// The row that is farthest from all seeds; the first seed is drawn.
    fn far_seed(&self, rows: &[u32]) -> u32 {
        if self.seeds.is_empty() {
            let drawn = Run::new(self.seed, &Quiet)
                .rng(1)
                .map_or(0, |mut rng| rng.random_range(0..rows.len() as u32));
            // Equal rows are interchangeable: the drawn row stands for the lowest of those equal to it.
            return *rows.iter().find(|&&row| alike(self.plain, row, rows[drawn as usize])).unwrap();
        }
        *rows.iter().min_by_key(|&&row| (Reverse(self.apart[row as usize]), row)).unwrap()
    }

    fn begin_at(&mut self, seed: u32) {
        let tuple = self.plain.leaf(seed);
        for &row in &self.free {
            let apart = &mut self.apart[row as usize];
            *apart = (*apart).min(self.plain.joined_cost(&tuple, row));
        }
        self.seeds.push(seed);
    }

    /// Phase 1b: every high value goes to every cluster.
    fn deal_high(&mut self, column: usize, high: &[u32]) {
        for &kind in high {
            for cluster in 0..self.clusters.len() {
                let rows = self.free_of(column, kind);
                let row = nearest(self.plain, &self.clusters[cluster], &rows).unwrap();
                self.take(cluster, row);
            }
        }
    }

    /// Phase 1c: the other columns, by free rows or else by swaps.
    fn diversify(&mut self) {
        for cluster in 0..self.clusters.len() {
            while self.lack(&self.clusters[cluster]) > 0 {
                if let Some(row) = most_gain(self.plain, &self.clusters[cluster], &self.free) {
                    self.take(cluster, row);
                } else if let Some((other, y, x)) = self.best_swap(cluster) {
                    self.clusters[cluster] = exchanged(&self.clusters[cluster], x, Some(y));
                    self.clusters[other] = exchanged(&self.clusters[other], Some(y), x);
                    self.swaps += 1;
                } else {
                    self.failed.push(cluster);
                    break;
                }
            }
        }
    }

    /// How many kinds of values the rows lack in all columns.
    fn lack(&self, rows: &[u32]) -> usize {
        let lacking = |s: usize| self.plain.p.saturating_sub(self.plain.values(s, rows).len());
        (0..self.plain.columns()).map(lacking).sum()
    }

    /// Another cluster, the row it gives, and the row it gets in return, if any.
    fn best_swap(&self, cluster: usize) -> Option<(usize, u32, Option<u32>)> {
        let mine = &self.clusters[cluster];
        let mut allowed = Vec::new();
        for other in (0..self.clusters.len()).filter(|c| *c != cluster && !self.failed.contains(c)) {
            let theirs = &self.clusters[other];
            for &y in theirs {
                for x in std::iter::once(None).chain(mine.iter().copied().map(Some)) {
                    let (here, there) = (exchanged(mine, x, Some(y)), exchanged(theirs, Some(y), x));
                    if there.is_empty()
                        || self.lack(&here) >= self.lack(mine)
                        || self.lack(&there) > self.lack(theirs)
                    {
                        continue;
                    }
                    let loss = |rows: &[u32]| self.plain.loss(rows);
                    let added = loss(&here) + loss(&there) - loss(mine) - loss(theirs);
                    allowed.push((self.lack(&here), added, other, y, x));
                }
            }
        }
        allowed.into_iter().min().map(|(_, _, other, y, x)| (other, y, x))
    }

    /// Phase 2: rows for every cluster that is too small, one cluster after the other.
    fn fill(&mut self) {
        for cluster in 0..self.clusters.len() {
            while !self.failed.contains(&cluster) && self.clusters[cluster].len() < self.plain.k {
                let Some(row) = nearest(self.plain, &self.clusters[cluster], &self.free) else { return };
                self.take(cluster, row);
            }
        }
    }

    /// Phase 3: all rows of clusters that did not succeed, and all free rows, join the others.
    fn dissolve(self) -> Vec<Vec<u32>> {
        let (mut kept, mut left) = (Vec::new(), self.free);
        for (number, cluster) in self.clusters.into_iter().enumerate() {
            if self.failed.contains(&number) || cluster.len() < self.plain.k {
                left.extend(cluster);
            } else {
                kept.push(cluster);
            }
        }
        left.sort_unstable();
        if kept.is_empty() {
            return vec![left];
        }
        disperse(self.plain, &mut kept, left);
        kept
    }
}

/// The rows without one and with another at their end.
fn exchanged(rows: &[u32], out: Option<u32>, into: Option<u32>) -> Vec<u32> {
    rows.iter().copied().filter(|&row| Some(row) != out).chain(into).collect()
}

/// The last step of §3.4: row by row, the change that saves most is made: the row moves, or changes places with another.
fn improved(plain: &Plain<'_>, mut clusters: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    for _ in 0..4 {
        let mut moved = false;
        for row in 0..plain.table.rows as u32 {
            let from = clusters.iter().position(|c| c.contains(&row)).unwrap();
            if let Some((_, to, comes)) = best_change(plain, &clusters, from, row) {
                let (own, other) = (&clusters[from], &clusters[to]);
                (clusters[from], clusters[to]) =
                    (exchanged(own, Some(row), comes), exchanged(other, comes, Some(row)));
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    clusters
}

/// By how much the loss grows, with which cluster, and the row that comes in return, if any.
fn best_change(
    plain: &Plain<'_>,
    clusters: &[Vec<u32>],
    from: usize,
    row: u32,
) -> Option<(i128, usize, Option<u32>)> {
    let own = &clusters[from];
    let rest = exchanged(own, Some(row), None);
    if clusters.len() < 2 || plain.cost(&plain.closure(&rest)) >= plain.cost(&plain.closure(own)) {
        return None;
    }
    let increase =
        |c: usize| plain.loss(&exchanged(&clusters[c], None, Some(row))) - plain.loss(&clusters[c]);
    let mut near: Vec<_> = (0..clusters.len()).filter(|&c| c != from).map(|c| (increase(c), c)).collect();
    near.sort_unstable();
    let mut allowed = Vec::new();
    for (_, to) in near.into_iter().take(8) {
        let other = &clusters[to];
        let before = plain.loss(own) + plain.loss(other);
        for comes in std::iter::once(None).chain(other.iter().copied().map(Some)) {
            let (here, there) = (exchanged(own, Some(row), comes), exchanged(other, comes, Some(row)));
            if plain.holds(&here) && plain.holds(&there) {
                allowed.push((plain.loss(&here) + plain.loss(&there) - before, to, comes));
            }
        }
    }
    allowed.into_iter().min().filter(|change| change.0 < 0)
}
