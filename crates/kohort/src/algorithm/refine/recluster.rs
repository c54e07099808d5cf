//! Clustering a few classes anew.

use super::draft::Share;
use super::region::Region;
use crate::data::Cell;

/// How many classes nearby are clustered together with one, at most.
const CLASSES: usize = 5;

/// How many classes are drawn where too few are found nearby.
const DRAWN: usize = 256;

/// How often rows that classes of equal rows can spare take part.
const LENT: f64 = 0.3;

/// Shares up to which clusters are merged; growing them one by one takes less time where there are more.
const MERGED: usize = 80;

/// Shares in all at most: beyond, a step would take as long as hundreds of others.
const MOST: usize = 400;

/// By how much costs are disturbed, so that the same rows are clustered in different ways.
const NOISE: [f64; 3] = [0.0, 0.05, 0.2];

/// How often the next cluster begins far from the one before; otherwise anywhere.
const FAR: f64 = 0.7;

/// The constant of the distance by factors, as a share of a fully lost row (Gionis et al. 2008, (11)).
const EPSILON: f64 = 0.1;

impl Region<'_> {
    /// Clusters the class of a row and some nearby anew.
    pub(super) fn recluster(&mut self) -> bool {
        let Some((group, class)) = self.costly_row() else { return false };
        self.begin();
        self.dissolve(class);
        let with = 1 + self.dice.below(CLASSES);
        self.dissolve_near(group, with);
        if self.dice.happens(LENT) {
            self.borrow_equal_rows();
        }
        self.cluster_pool()
    }

    /// Empties the nearest classes of a group into the pool, so many at most.
    pub(super) fn dissolve_near(&mut self, group: u32, count: usize) {
        if count == 0 {
            return;
        }
        let wide = self.dice.between(0.7, 1.5);
        self.look_around(group, (self.classes.dearest(group) as f64 * wide) as u64);
        if self.scratch.near.len() <= count {
            self.draw_classes();
        }
        let mut ranked: Vec<(u64, u32)> = Vec::new();
        for &class in &self.scratch.near {
            if self.classes.cost(class) > 0 && !self.trial.has(class) {
                let cost = self.frame.cost_with(self.classes.tuple(class), group);
                ranked.push(((cost as f64 * self.dice.between(0.8, 1.2)) as u64, class));
            }
        }
        ranked.sort_unstable();
        ranked.iter().take(count).for_each(|&(_, class)| self.dissolve(class));
    }

    /// Adds classes drawn at random to those nearby: in tables with many columns hardly any box holds two of them, and the nearest
    /// of some hundred are near.
    fn draw_classes(&mut self) {
        for _ in 0..DRAWN.min(self.classes.numbers()) {
            let class = self.dice.below(self.classes.numbers()) as u32;
            self.scratch.near.push(class);
        }
        self.scratch.near.sort_unstable();
        self.scratch.near.dedup();
        self.count(DRAWN);
    }

    /// Classes of equal rows nearby lend what they have beyond k: it costs them nothing.
    fn borrow_equal_rows(&mut self) {
        let k = self.holds.k();
        for at in 0..self.scratch.near.len() {
            let class = self.scratch.near[at];
            let (size, shares) = (self.classes.size(class), self.classes.shares(class));
            if self.trial.has(class) || self.classes.cost(class) != 0 || size <= k || shares.len() != 1 {
                continue;
            }
            let rows = (size - k).min(1 + self.dice.below(k as usize) as u32);
            let lent = Share { rows, group: shares[0].group };
            let place = self.trial.check_out(&self.classes, class);
            self.trial.drafts_mut()[place].give(lent);
            self.pool.push(lent);
            if self.dice.happens(0.5) {
                return;
            }
        }
    }

    /// Makes clusters of the pool; says whether that was done.
    pub(super) fn cluster_pool(&mut self) -> bool {
        self.pool.sort_unstable();
        let mut pool: Vec<Share> = Vec::with_capacity(self.pool.len());
        for share in &self.pool {
            match pool.last_mut().filter(|last| last.group == share.group) {
                Some(last) => last.rows += share.rows,
                None => pool.push(*share),
            }
        }
        self.pool.clear();
        if pool.len() > MOST {
            return false;
        }
        let noise = NOISE[self.dice.below(NOISE.len())];
        if pool.len() > MERGED || self.dice.happens(0.5) {
            self.grow_clusters(pool, noise);
        } else {
            self.merge_clusters(&pool, noise);
        }
        true
    }

    /// Clusters one by one: a row, and always the one that costs least more, until there are k (Byun et al. 2007). What is
    /// left then joins the cluster where it costs least more.
    fn grow_clusters(&mut self, mut pool: Vec<Share>, noise: f64) {
        let k = self.holds.k();
        let mut left: u32 = pool.iter().map(|share| share.rows).sum();
        let mut before: Option<u32> = None;
        while left >= k {
            let at = self.seed(&pool, before);
            before = Some(pool[at].group);
            let place = self.trial.fresh();
            // Equal rows stay together as long as what is left can be a class.
            let all = pool[at].rows;
            let rows = if all > k && left - all < k && left > all { k } else { all };
            left -= self.move_to(place, &mut pool, at, rows);
            while self.trial.drafts()[place].size < k {
                let at = self.nearest(&pool, place, noise);
                let rows = pool[at].rows.min(k - self.trial.drafts()[place].size);
                left -= self.move_to(place, &mut pool, at, rows);
            }
        }
        for share in pool {
            self.insert(share, false);
        }
    }

    /// Where the next cluster begins.
    fn seed(&mut self, pool: &[Share], before: Option<u32>) -> usize {
        let Some(before) = before.filter(|_| self.dice.happens(FAR)) else {
            return self.dice.below(pool.len());
        };
        self.frame.tuple(before, &mut self.scratch.tuple);
        let cost = |at: &usize| self.frame.cost_with(&self.scratch.tuple, pool[*at].group);
        (0..pool.len()).max_by_key(cost).unwrap_or(0)
    }

    /// What costs a draft least more, about.
    fn nearest(&mut self, pool: &[Share], place: usize, noise: f64) -> usize {
        let mut best = (f64::MAX, 0);
        self.count(pool.len());
        for (at, share) in pool.iter().enumerate() {
            let cost = self.frame.cost_with(&self.trial.drafts()[place].tuple, share.group) as f64;
            let cost = if noise > 0.0 { cost * self.dice.between(1.0, 1.0 + noise) } else { cost };
            if cost < best.0 {
                best = (cost, at);
            }
        }
        best.1
    }

    /// Moves rows from the pool into a draft; returns how many.
    fn move_to(&mut self, place: usize, pool: &mut Vec<Share>, at: usize, rows: u32) -> u32 {
        let share = Share { rows, ..pool[at] };
        if pool[at].rows == rows {
            pool.swap_remove(at);
        } else {
            pool[at].rows -= rows;
        }
        self.trial.drafts_mut()[place].add(&self.frame, share);
        rows
    }

    /// Merges the two closest clusters until they have k rows (Gionis et al. 2008, Algorithm 1, distances (8) and (11)). What is
    /// left then joins the cluster where it costs least more.
    fn merge_clusters(&mut self, pool: &[Share], noise: f64) {
        let k = self.holds.k();
        let by_factor = self.dice.happens(0.5);
        let mut open = Open { clusters: Vec::new(), by_factor, noise };
        for &share in pool {
            if share.rows >= k {
                let place = self.trial.fresh();
                self.trial.drafts_mut()[place].add(&self.frame, share);
            } else {
                let mut tuple = Vec::new();
                self.frame.tuple(share.group, &mut tuple);
                open.clusters.push(Cluster {
                    shares: vec![share],
                    tuple,
                    size: share.rows,
                    cost: 0,
                    nearest: None,
                });
            }
        }
        (1..open.clusters.len()).for_each(|at| self.find_nearest(&mut open, at, at));
        while let Some((a, b)) = open.closest() {
            let gone = open.clusters.swap_remove(b);
            let moved = open.clusters.len();
            let union = &mut open.clusters[a];
            self.frame.unite(&mut union.tuple, &gone.tuple);
            union.cost = self.frame.cost(&union.tuple);
            union.size += gone.size;
            union.shares.extend(gone.shares);
            open.renumber(moved, b, &[a, b]);
            if open.clusters[a].size >= k {
                let ripe = open.clusters.swap_remove(a);
                open.renumber(open.clusters.len(), a, &[a]);
                self.keep(ripe);
            } else {
                open.clusters[a].nearest = None;
                self.find_nearest(&mut open, a, usize::MAX);
            }
            for at in 0..open.clusters.len() {
                if open.clusters[at].nearest.is_none() {
                    self.find_nearest(&mut open, at, usize::MAX);
                }
            }
        }
        for cluster in open.clusters {
            if self.trial.drafts().iter().any(|draft| draft.size > 0) {
                cluster.shares.into_iter().for_each(|share| {
                    self.insert(share, false);
                });
            } else {
                self.keep(cluster);
            }
        }
    }

    /// A cluster as a draft.
    fn keep(&mut self, cluster: Cluster) {
        let place = self.trial.fresh();
        let draft = &mut self.trial.drafts_mut()[place];
        draft.shares.extend(cluster.shares);
        draft.tuple.extend(cluster.tuple);
        draft.size = cluster.size;
        draft.cost = cluster.cost;
    }

    /// Compares a cluster with those before `until`: the nearest of each may be the other.
    fn find_nearest(&mut self, open: &mut Open, at: usize, until: usize) {
        self.count(open.clusters.len().min(until));
        for other in 0..open.clusters.len().min(until) {
            if other == at {
                continue;
            }
            let distance = self.distance(open, at, other);
            for (one, two) in [(at, other), (other, at)] {
                let nearest = &mut open.clusters[one].nearest;
                // Those whose own is to be found yet are left to that.
                if one == at || nearest.is_some() || until != usize::MAX {
                    *nearest = Some((distance, two))
                        .filter(|found| nearest.is_none_or(|n| found.0 < n.0))
                        .or(*nearest);
                }
            }
        }
    }

    fn distance(&mut self, open: &Open, one: usize, other: usize) -> f64 {
        let (a, b) = (&open.clusters[one], &open.clusters[other]);
        let cost = self.frame.cost_of_union(&a.tuple, &b.tuple);
        let distance = if open.by_factor {
            let full = self.full_cost as f64 * EPSILON;
            cost as f64 / ((a.cost + b.cost) as f64 + full)
        } else {
            let before = u64::from(a.size) * a.cost + u64::from(b.size) * b.cost;
            (u64::from(a.size + b.size) * cost) as f64 - before as f64
        };
        if open.noise > 0.0 { distance * self.dice.between(1.0, 1.0 + open.noise) } else { distance }
    }
}

/// A cluster with fewer than k rows.
struct Cluster {
    shares: Vec<Share>,
    tuple: Vec<Cell>,
    size: u32,
    cost: u64,
    /// The closest other cluster: distance and place.
    nearest: Option<(f64, usize)>,
}

/// The clusters with fewer than k rows.
struct Open {
    clusters: Vec<Cluster>,
    by_factor: bool,
    noise: f64,
}

impl Open {
    /// The two closest clusters, the first place first.
    fn closest(&self) -> Option<(usize, usize)> {
        let mut best: Option<(f64, usize, usize)> = None;
        for (at, cluster) in self.clusters.iter().enumerate() {
            if let Some((distance, other)) = cluster.nearest
                && best.is_none_or(|(least, ..)| distance < least)
            {
                best = Some((distance, at.min(other), at.max(other)));
            }
        }
        best.map(|(_, a, b)| (a, b))
    }

    /// The cluster at `from` is at `to` now; whose nearest was one of those that are gone has none.
    fn renumber(&mut self, from: usize, to: usize, gone: &[usize]) {
        for cluster in &mut self.clusters {
            cluster.nearest = cluster.nearest.and_then(|(distance, other)| {
                if gone.contains(&other) {
                    None
                } else {
                    Some((distance, if other == from { to } else { other }))
                }
            });
        }
    }
}
