//! Clustering a few classes anew.

use super::draft::Share;
use super::region::Region;

/// How many classes nearby are clustered together with one, at most.
const CLASSES: usize = 5;

/// How many classes are drawn where none is found nearby.
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
        self.look_around(group, wide);
        if !self.scratch.near.iter().any(|&class| self.is_free(class)) {
            self.draw_classes();
        }
        let mut ranked: Vec<(u64, u32)> = Vec::new();
        for &class in &self.scratch.near {
            if self.is_free(class) {
                let cost = self.frame.cost_with(self.classes.tuple(class), group);
                ranked.push(((cost as f64 * self.dice.between(0.8, 1.2)) as u64, class));
            }
        }
        ranked.sort_unstable();
        ranked.iter().take(count).for_each(|&(_, class)| self.dissolve(class));
    }

    /// Whether a class could be clustered anew and is not yet.
    fn is_free(&self, class: u32) -> bool {
        let cost = self.classes.cost(class);
        let loses = |share: &Share| self.frame.own(share.group) < cost;
        self.classes.shares(class).iter().any(loses) && !self.trial.has(class)
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
            if self.trial.has(class) || size <= k || shares.len() != 1 {
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
}
