//! Clustering some rows by merging the two closest clusters until they have k rows.

use super::draft::Share;
use super::region::Region;
use crate::data::Cell;

/// The constant of the distance by factors, as a share of a fully lost row (Gionis et al. 2008, (11)).
const EPSILON: f64 = 0.1;

/// Clusters in the making. Distances are kept, so that a merge asks only for those of the new cluster.
#[derive(Default)]
pub(super) struct Merging {
    dims: usize,
    /// Per cluster: its tuple, rows, cost of a row, and the closest other one that is open.
    tuples: Vec<Cell>,
    sizes: Vec<u32>,
    costs: Vec<u64>,
    nearest: Vec<(f64, u32)>,
    /// Which cluster each of the shares is in.
    cluster_of: Vec<u32>,
    /// Clusters with fewer than k rows, in order.
    open: Vec<u32>,
    /// The distance between two clusters is at `one * shares + other`.
    distances: Vec<f64>,
}

/// Farther than anything.
const FAR: (f64, u32) = (f64::INFINITY, u32::MAX);

impl Merging {
    fn begin(&mut self, shares: usize, dims: usize) {
        self.dims = dims;
        self.tuples.clear();
        self.sizes.clear();
        self.costs.clear();
        self.cluster_of.clear();
        self.open.clear();
        self.nearest.clear();
        self.nearest.resize(shares, FAR);
        self.distances.clear();
        self.distances.resize(shares * shares, 0.0);
    }

    fn tuple(&self, cluster: u32) -> &[Cell] {
        &self.tuples[cluster as usize * self.dims..][..self.dims]
    }

    fn loss(&self, cluster: usize) -> u64 {
        u64::from(self.sizes[cluster]) * self.costs[cluster]
    }

    fn set_distance(&mut self, one: u32, other: u32, distance: f64) {
        let shares = self.nearest.len();
        self.distances[one as usize * shares + other as usize] = distance;
        self.distances[other as usize * shares + one as usize] = distance;
    }

    /// Looks for the closest open cluster of one among what is known.
    fn find_nearest(&mut self, one: u32) {
        let row = &self.distances[one as usize * self.nearest.len()..][..self.nearest.len()];
        let mut nearest = FAR;
        for &other in &self.open {
            if other != one && row[other as usize] < nearest.0 {
                nearest = (row[other as usize], other);
            }
        }
        self.nearest[one as usize] = nearest;
    }

    /// The two closest open clusters, the first one first.
    fn closest(&self) -> Option<(u32, u32)> {
        let mut best = (FAR, u32::MAX);
        for &cluster in &self.open {
            let nearest = self.nearest[cluster as usize];
            if nearest.0 < best.0.0 {
                best = (nearest, cluster);
            }
        }
        let ((_, other), one) = best;
        (one != u32::MAX).then(|| (one.min(other), one.max(other)))
    }
}

impl Region<'_> {
    /// Merges the two closest clusters until they have k rows (Gionis et al. 2008, Algorithm 1, distances (8) and (11)). What is
    /// left then joins the cluster where it costs least more.
    pub(super) fn merge_clusters(&mut self, pool: &[Share], noise: f64) {
        let k = self.holds.k();
        let by_factor = self.dice.happens(0.5);
        let mut merging = std::mem::take(&mut self.merging);
        merging.begin(pool.len(), self.frame.axes().len());
        for (&share, cluster) in pool.iter().zip(0..) {
            self.frame.tuple(share.group, &mut self.scratch.tuple);
            merging.tuples.extend_from_slice(&self.scratch.tuple);
            merging.sizes.push(share.rows);
            merging.costs.push(0);
            merging.cluster_of.push(cluster);
            if share.rows >= k {
                self.keep(&merging, pool, cluster);
            } else {
                self.compare(&mut merging, cluster, (by_factor, noise));
                merging.open.push(cluster);
            }
        }
        for at in 0..merging.open.len() {
            merging.find_nearest(merging.open[at]);
        }
        while let Some((one, other)) = merging.closest() {
            self.merge(&mut merging, one, other);
            merging.open.retain(|&cluster| cluster != other);
            if merging.sizes[one as usize] >= k {
                merging.open.retain(|&cluster| cluster != one);
                self.keep(&merging, pool, one);
            } else {
                self.compare(&mut merging, one, (by_factor, noise));
            }
            for at in 0..merging.open.len() {
                let cluster = merging.open[at];
                let (distance, nearest) = merging.nearest[cluster as usize];
                let new = merging.distances[cluster as usize * pool.len() + one as usize];
                if cluster == one || nearest == one || nearest == other {
                    merging.find_nearest(cluster);
                } else if new < distance && merging.sizes[one as usize] < k {
                    merging.nearest[cluster as usize] = (new, one);
                }
            }
        }
        self.house_unripe(&merging, pool);
        self.merging = merging;
    }

    /// Finds out how far a cluster is from those that are open.
    fn compare(&mut self, merging: &mut Merging, one: u32, (by_factor, noise): (bool, f64)) {
        self.count(merging.open.len());
        for at in 0..merging.open.len() {
            let other = merging.open[at];
            if other == one {
                continue;
            }
            let cost = self.frame.cost_of_union(merging.tuple(one), merging.tuple(other));
            let (a, b) = (one as usize, other as usize);
            let distance = if by_factor {
                cost as f64 / ((merging.costs[a] + merging.costs[b]) as f64 + self.full_cost as f64 * EPSILON)
            } else {
                (u64::from(merging.sizes[a] + merging.sizes[b]) * cost) as f64
                    - (merging.loss(a) + merging.loss(b)) as f64
            };
            let factor = if noise > 0.0 { self.dice.between(1.0, 1.0 + noise) } else { 1.0 };
            merging.set_distance(one, other, distance * factor);
        }
    }

    /// Makes one cluster of two.
    fn merge(&mut self, merging: &mut Merging, one: u32, other: u32) {
        let (first, rest) = merging.tuples.split_at_mut(other as usize * merging.dims);
        let tuple = &mut first[one as usize * merging.dims..][..merging.dims];
        self.frame.unite(tuple, &rest[..merging.dims]);
        merging.costs[one as usize] = self.frame.cost(tuple);
        merging.sizes[one as usize] += merging.sizes[other as usize];
        merging.cluster_of.iter_mut().filter(|cluster| **cluster == other).for_each(|cluster| *cluster = one);
    }

    /// A cluster as a draft.
    fn keep(&mut self, merging: &Merging, pool: &[Share], cluster: u32) {
        let place = self.trial.fresh();
        let draft = &mut self.trial.drafts_mut()[place];
        let members = pool.iter().zip(&merging.cluster_of).filter(|(_, of)| **of == cluster);
        draft.shares.extend(members.map(|(share, _)| *share));
        draft.tuple.extend_from_slice(merging.tuple(cluster));
        draft.size = merging.sizes[cluster as usize];
        draft.cost = merging.costs[cluster as usize];
    }

    /// Finds drafts for the rows of a cluster that did not get k: where there is none, it is one.
    fn house_unripe(&mut self, merging: &Merging, pool: &[Share]) {
        for &cluster in &merging.open {
            if self.trial.drafts().iter().all(|draft| draft.size == 0) {
                self.keep(merging, pool, cluster);
                continue;
            }
            for (share, _) in pool.iter().zip(&merging.cluster_of).filter(|(_, of)| **of == cluster) {
                self.insert(*share, false);
            }
        }
    }
}
