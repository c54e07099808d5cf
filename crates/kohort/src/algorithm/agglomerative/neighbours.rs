//! Clusters with their nearest neighbours, kept up to date lazily.
//!
//! Every cluster remembers the nearest one among those with a higher lowest row, so every pair is remembered once. When a
//! cluster disappears, whoever had it as nearest keeps the old rank as a *lower bound*: all others are at least as far. A
//! new cluster is compared with everybody at once, and is the nearest of whom it comes closer to than the bound. So a
//! bound is worked out again only when it is the smallest of all; then all of it is exact.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicI64, Ordering};

use super::Cluster;
use super::first::{First, first_neighbours};
use super::metric::{FARTHEST, Metric};
use crate::algorithm::Run;
use crate::algorithm::cluster_scan::ClusterScan;
use crate::data::Cell;
use crate::error::Result;
use crate::space::Space;

/// How good a pair is: distance, size of the union, higher of the two keys. The lower key breaks further ties.
pub(super) type Rank = (i64, u32, u32);

/// Two clusters by their keys, the lower first, how far apart they are, and how many rows they have together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) distance: i64,
    pub(super) size: u32,
    pub(super) key: u32,
    pub(super) other: u32,
}

/// What a cluster knows about its nearest neighbour.
#[derive(Debug, Clone, Copy)]
struct Nearest {
    rank: Rank,
    /// The stamp of the neighbour of this rank. It is still there if it has that stamp; otherwise the rank is a lower bound.
    stamp: u32,
}

/// No neighbour at all.
const NOBODY: Nearest = Nearest { rank: (FARTHEST, u32::MAX, u32::MAX), stamp: 0 };

/// The stamp of no cluster.
const BOUND: u32 = u32::MAX;

/// Active clusters by key: their lowest row.
pub(super) struct Neighbours<'a> {
    metric: Metric,
    scan: ClusterScan<'a>,
    clusters: Vec<Option<Cluster>>,
    nearest: Vec<Nearest>,
    /// Per key: how many clusters of that key have come and gone.
    stamps: Vec<u32>,
    heap: BinaryHeap<Reverse<(i64, u32, u32, u32)>>,
    count: usize,
    interrupted: bool,
}

impl<'a> Neighbours<'a> {
    /// `start` holds clusters of equal rows, by lowest row. Where time is up, the neighbours are not to be relied on.
    pub(super) fn new(
        space: &'a Space<'a>,
        metric: Metric,
        start: Vec<Cluster>,
        run: &Run<'_>,
    ) -> Result<Self> {
        let first = first_neighbours(space, &metric, &start, run)?;
        let mut active = Self {
            metric,
            scan: ClusterScan::new(space),
            clusters: vec![None; space.rows()],
            nearest: vec![NOBODY; space.rows()],
            stamps: vec![0; space.rows()],
            heap: BinaryHeap::new(),
            count: start.len(),
            interrupted: false,
        };
        for (cluster, first) in start.into_iter().zip(first) {
            let key = cluster.rows[0];
            active.scan.put(key, cluster.rows.len(), &cluster.tuple);
            active.clusters[key as usize] = Some(cluster);
            let nearest = match first {
                First::Nobody => NOBODY,
                First::Bound(rank) => Nearest { rank, stamp: BOUND },
                First::Exact(rank) => active.exact(Some(rank)),
            };
            active.set(key, nearest);
        }
        Ok(active)
    }

    fn set(&mut self, key: u32, nearest: Nearest) {
        self.nearest[key as usize] = nearest;
        self.scan.note(key, nearest.rank.0);
        let (distance, size, other) = nearest.rank;
        if other != u32::MAX {
            self.heap.push(Reverse((distance, size, key, other)));
        }
    }

    /// Number of active clusters.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether `closest` gave up because time is up.
    pub(super) fn interrupted(&self) -> bool {
        self.interrupted
    }

    /// All rows of active clusters, ascending.
    pub(super) fn rows(&self) -> Vec<u32> {
        let mut rows: Vec<u32> =
            self.clusters.iter().flatten().flat_map(|c| c.rows.iter().copied()).collect();
        rows.sort_unstable();
        rows
    }

    /// The closest pair of active clusters.
    pub(super) fn closest(&mut self, run: &Run<'_>) -> Result<Option<Pair>> {
        while let Some(&Reverse((distance, size, key, other))) = self.heap.peek() {
            let known = self.nearest[key as usize];
            let gone = self.clusters[key as usize].is_none();
            if gone || known.rank != (distance, size, other) {
                self.heap.pop();
                continue;
            }
            if known.stamp == self.stamps[other as usize] {
                return Ok(Some(Pair { distance, size, key, other }));
            }
            if run.time_is_up()? {
                self.interrupted = true;
                return Ok(None);
            }
            self.heap.pop();
            self.look_around(key);
        }
        Ok(None)
    }

    /// The cluster of this key, if it is still the one of this stamp.
    pub(super) fn cluster(&self, key: u32, stamp: u32) -> Option<&Cluster> {
        self.clusters[key as usize].as_ref().filter(|_| self.stamps[key as usize] == stamp)
    }

    /// The stamp of the cluster of this key.
    pub(super) fn stamp(&self, key: u32) -> u32 {
        self.stamps[key as usize]
    }

    /// Shows all clusters with their stamps, by lowest row.
    pub(super) fn each(&self, mut see: impl FnMut(&Cluster, u32)) {
        self.clusters.iter().flatten().for_each(|cluster| see(cluster, self.stamp(cluster.rows[0])));
    }

    /// Takes both clusters out and returns their union.
    pub(super) fn merged(&mut self, a: u32, b: u32) -> Cluster {
        let (first, second) = (self.take(a), self.take(b));
        let space = self.scan.space();
        let join = |(dim, (&x, &y)): (usize, (&Cell, &Cell))| space.join_cell(dim, x, y);
        let tuple = first.tuple.iter().zip(&second.tuple).enumerate().map(join).collect();
        let mut rows = first.rows;
        rows.extend(second.rows);
        // The lowest row of both, which is the first of the first one, stays in front.
        Cluster { rows, tuple }
    }

    /// Takes a cluster out.
    pub(super) fn take(&mut self, key: u32) -> Cluster {
        self.scan.remove(key);
        self.count -= 1;
        self.stamps[key as usize] += 1;
        let cluster = self.clusters[key as usize].take();
        cluster.unwrap_or_else(|| Cluster { rows: Vec::new(), tuple: Vec::new() })
    }

    /// Adds a cluster: it finds its nearest, and may become that of others.
    pub(super) fn insert(&mut self, cluster: Cluster) {
        let key = cluster.rows[0];
        let mine = (cluster.rows.len() as u32, self.scan.space().cost(&cluster.tuple));
        let (nearest, closer) = self.compare(key, mine, &cluster.tuple);
        let stamp = self.stamps[key as usize];
        for (other, distance, size) in closer {
            if (distance, size, key) < self.nearest[other as usize].rank {
                self.set(other, Nearest { rank: (distance, size, key), stamp });
            }
        }
        self.scan.put(key, cluster.rows.len(), &cluster.tuple);
        self.clusters[key as usize] = Some(cluster);
        self.count += 1;
        self.set(key, nearest);
    }

    /// The nearest of those with a higher key, and those with a lower one that may be closer to it than to their nearest.
    fn compare(&mut self, key: u32, mine: (u32, u64), tuple: &[Cell]) -> (Nearest, Vec<(u32, i64, u32)>) {
        let metric = &self.metric;
        let least = AtomicI64::new(FARTHEST);
        let seen = self.scan.pick(tuple, |s| {
            let theirs = (s.size, s.cost);
            let limit = if s.key > key { least.load(Ordering::Relaxed) } else { s.note };
            if s.joined as f64 > metric.most(mine, theirs, limit) {
                return None;
            }
            let distance = metric.of(mine, theirs, s.joined);
            if s.key > key {
                least.fetch_min(distance, Ordering::Relaxed);
            }
            (distance <= limit).then_some((s.key, distance, mine.0 + s.size))
        });
        let (higher, lower): (Vec<_>, Vec<_>) = seen.into_iter().partition(|(other, ..)| *other > key);
        let nearest = higher.into_iter().map(|(other, distance, size)| (distance, size, other)).min();
        (self.exact(nearest), lower)
    }

    fn exact(&self, rank: Option<Rank>) -> Nearest {
        rank.map_or(NOBODY, |rank| Nearest { rank, stamp: self.stamps[rank.2 as usize] })
    }

    /// Finds the nearest cluster anew.
    fn look_around(&mut self, key: u32) {
        let Some(cluster) = &self.clusters[key as usize] else { return };
        let mine = (cluster.rows.len() as u32, self.scan.space().cost(&cluster.tuple));
        let metric = &self.metric;
        let best = self.scan.best(&cluster.tuple, |s, least: Option<Rank>| {
            let theirs = (s.size, s.cost);
            if s.key <= key || least.is_some_and(|l| s.joined as f64 > metric.most(mine, theirs, l.0)) {
                return None;
            }
            Some((metric.of(mine, theirs, s.joined), mine.0 + s.size, s.key))
        });
        let nearest = self.exact(best.map(|(rank, _)| rank));
        self.set(key, nearest);
    }
}
