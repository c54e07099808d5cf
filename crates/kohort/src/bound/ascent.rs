//! Prices that earn nearly as much as the sets of a pool allow: entropic scaling with momentum, near given prices.
//!
//! Every set S has a use `exp((paid - limit) / μ)`, every tuple with w rows wants the uses of its sets to add up to w: that is
//! the maximum of `Σ w y - μ Σ use`, which comes closer to the best prices the smaller μ is. Where the uses fall short
//! of w the price goes up, by the step of generalized iterative scaling, `μ / k · ln(w / uses)`; momentum (Nesterov) is lost
//! whenever the value falls. All sums are in a fixed order, so prices do not depend on threads.

use rayon::prelude::*;

use super::pool::Pool;

/// How the ascent is steered, in units of prices.
pub(super) struct Reach {
    /// How soft limits are, per row: μ / k.
    pub(super) softness: f64,
    /// How far a price may move.
    pub(super) trust: f64,
    /// No price may be above.
    pub(super) cap: f64,
    pub(super) steps: usize,
}

/// Pieces of work smaller than this are not worth handing to another thread.
const AT_ONCE: usize = 4096;

/// A pool by sets and by tuples, in floating point.
pub(super) struct Slope<'a> {
    pool: &'a Pool,
    /// Sets and rows, tuple after tuple.
    uses: Vec<(u32, f32)>,
    ends: Vec<usize>,
    rows: Vec<f64>,
    shared_by: f64,
}

/// How prices stand.
struct Standing {
    /// By how much every set exceeds its limit.
    excess: Vec<f64>,
    used: Vec<f64>,
    /// What is to be maximized.
    value: f64,
}

impl<'a> Slope<'a> {
    pub(super) fn new(pool: &'a Pool, counts: &[u32], shared_by: u64) -> Self {
        let mut ends = vec![0; counts.len()];
        for set in 0..pool.len() {
            for &(tuple, _) in pool.members(set) {
                ends[tuple as usize] += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        // Starts become ends while they are filled.
        let mut uses = vec![(0, 0.0); pool.size()];
        for set in 0..pool.len() {
            for &(tuple, rows) in pool.members(set) {
                let slot = &mut ends[tuple as usize];
                uses[*slot] = (set as u32, rows as f32);
                *slot += 1;
            }
        }
        let rows = counts.iter().map(|&count| f64::from(count)).collect();
        Self { pool, uses, ends, rows, shared_by: shared_by as f64 }
    }

    /// Prices near the given ones that earn as much as possible when everybody pays back what is too much.
    pub(super) fn climb(&self, center: &[i64], reach: &Reach) -> Vec<i64> {
        let center: Vec<f64> = center.iter().map(|&price| price as f64).collect();
        let (mut now, mut before) = (center.clone(), center.clone());
        let (mut momentum, mut value) = (1.0f64, f64::MIN);
        let mut best = (f64::MIN, center.clone());
        for _ in 0..reach.steps {
            let next = f64::midpoint(1.0, (1.0 + 4.0 * momentum * momentum).sqrt());
            let push = (momentum - 1.0) / next;
            let ahead: Vec<f64> = now.iter().zip(&before).map(|(a, b)| a + push * (a - b)).collect();
            let standing = self.standing(&ahead, reach.softness * self.shared_by);
            momentum = if standing.value < value { 1.0 } else { next };
            value = standing.value;
            before = std::mem::replace(&mut now, self.step(&ahead, &center, &standing, reach));
            let earned = self.earned(&ahead, &standing);
            if earned > best.0 {
                best = (earned, ahead);
            }
        }
        best.1.iter().map(|&price| price.floor() as i64).collect()
    }

    fn standing(&self, price: &[f64], mu: f64) -> Standing {
        let excess = |set: usize| {
            let paid = |&(tuple, rows): &(u32, u32)| price[tuple as usize] * f64::from(rows);
            self.pool.members(set).iter().map(paid).sum::<f64>() - self.pool.limit(set) as f64
        };
        let excess: Vec<f64> =
            (0..self.pool.len()).into_par_iter().with_min_len(AT_ONCE).map(excess).collect();
        let used: Vec<f64> =
            excess.par_iter().with_min_len(AT_ONCE).map(|excess| (excess / mu).min(40.0).exp()).collect();
        let value = self.gross(price) - mu * used.iter().sum::<f64>();
        Standing { excess, used, value }
    }

    fn gross(&self, price: &[f64]) -> f64 {
        price.iter().zip(&self.rows).map(|(price, rows)| price * rows).sum()
    }

    /// The sets of a tuple.
    fn sets(&self, tuple: usize) -> &[(u32, f32)] {
        let start = if tuple == 0 { 0 } else { self.ends[tuple - 1] };
        &self.uses[start..self.ends[tuple]]
    }

    fn step(&self, price: &[f64], center: &[f64], standing: &Standing, reach: &Reach) -> Vec<f64> {
        let stepped = |tuple: usize| {
            let used: f64 =
                self.sets(tuple).iter().map(|&(s, n)| standing.used[s as usize] * f64::from(n)).sum();
            let step = reach.softness * (self.rows[tuple] / used.max(1e-12)).ln();
            let high = (center[tuple] + reach.trust).min(reach.cap);
            let low = (center[tuple] - reach.trust).min(high);
            (price[tuple] + step.clamp(-reach.trust, reach.trust)).clamp(low, high)
        };
        (0..price.len()).into_par_iter().with_min_len(AT_ONCE).map(stepped).collect()
    }

    /// What prices earn when every tuple pays back what it is at fault in its worst set.
    fn earned(&self, price: &[f64], standing: &Standing) -> f64 {
        let back = |tuple: usize| {
            let worst = self.sets(tuple).iter().map(|&(set, _)| standing.excess[set as usize]);
            let worst = worst.reduce(f64::max).unwrap_or(0.0);
            worst / self.shared_by * self.rows[tuple]
        };
        let back: Vec<f64> = (0..price.len()).into_par_iter().with_min_len(AT_ONCE).map(back).collect();
        self.gross(price) - back.iter().sum::<f64>()
    }
}
