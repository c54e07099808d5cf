//! The search for the best prices of some columns, round by round. Prices are valid after every round.
//!
//! First all tuples start at nothing and pay what they could pay more (the cheapest box of every row); a few times they
//! pay back what is too much and take what is left over, all at once. Then, round by round: climb with the sets that are known,
//! find out by a pass over all boxes what is too much, pay it back, and know more sets.

use super::UNKNOWN;
use super::ascent::{Reach, Slope};
use super::pass::{Known, Passed, pass};
use super::pool::Pool;
use super::terrain::{Allowance, Terrain};
use super::walk::Limits;

/// Rounds of paying back before the first climb.
const LOWERINGS: usize = 1;

/// Steps of the first climb, how many more each later one has, and of how many there are never more: the harder limits are,
/// the more it takes.
const STEPS: usize = 40;
const MORE_STEPS: usize = 6;
const MOST_STEPS: usize = 250;

/// How soft limits are at first and how far prices may move, in mean prices.
const SOFTNESS: f64 = 0.06;
const TRUST: f64 = 0.3;

/// What becomes of softness after a round that earned more, and of both after one that did not.
const COOLER: f64 = 0.82;
const CLOSER: f64 = 0.7;

/// A round that earns less than this share more is hardly worth its time; after so many of them the search ends.
const HARDLY: f64 = 3e-5;
const PATIENCE: usize = 3;

/// Sets that pay less than their limit by so many times the softness are idle.
const IDLE: f64 = 12.0;

pub(super) struct Hunt<'a> {
    pub(super) dims: Vec<usize>,
    pub(super) terrain: Terrain<'a>,
    allowance: Option<Allowance>,
    /// The best prices so far, valid, and what they earn.
    price: Vec<i64>,
    pub(super) value: f64,
    least: Vec<i64>,
    pool: Pool,
    softness: f64,
    trust: f64,
    /// Whether boxes were too many for the first pass.
    pub(super) is_cut: bool,
    rounds: usize,
    idle_rounds: usize,
    /// What the next round will take, and all rounds have taken.
    pub(super) next_work: u64,
    pub(super) work: u64,
}

impl<'a> Hunt<'a> {
    /// The price of the cheapest box, for every tuple; none where the pass was stopped.
    pub(super) fn start(
        dims: Vec<usize>,
        terrain: Terrain<'a>,
        allowance: Option<Allowance>,
        limits: Limits<'_>,
    ) -> Option<Self> {
        let nothing = vec![0; terrain.len()];
        let known = Known { fault: &vec![UNKNOWN; terrain.len()], least: &nothing };
        let passed = pass(&terrain, &nothing, &known, limits)?;
        let stranded = allowance.map_or(0, |allowance| allowance.full);
        let price = lowered(&nothing, &passed.fault, terrain.crowd.shared_by, stranded);
        let value = value(&price, &terrain.counts, allowance);
        let rows = terrain.counts.iter().map(|&count| f64::from(count)).sum::<f64>();
        let mean = (value / rows).max(0.0);
        let mut pool = Pool::default();
        pool.take(&terrain, &passed);
        let is_done = terrain.crowd.shared_by == 1 || value <= 0.0;
        Some(Self {
            dims,
            allowance,
            value,
            least: price.clone(),
            price,
            pool,
            softness: SOFTNESS * mean,
            trust: TRUST * mean,
            is_cut: passed.is_cut,
            rounds: 0,
            idle_rounds: if is_done { PATIENCE } else { 0 },
            next_work: passed.work,
            work: passed.work,
            terrain,
        })
    }

    /// Whether more rounds are hardly worth their time.
    pub(super) fn is_done(&self) -> bool {
        self.idle_rounds >= PATIENCE
    }

    /// One round; prices stay as they were where it was stopped.
    pub(super) fn round(&mut self, limits: Limits<'_>) {
        let steps = match self.rounds.checked_sub(LOWERINGS) {
            None => 0,
            Some(climbs) => (STEPS + MORE_STEPS * climbs).min(MOST_STEPS),
        };
        let tried = if steps > 0 { self.climbed(steps) } else { self.price.clone() };
        let (fault, _) = self.pool.faults(&tried);
        let known = Known { fault: &fault, least: &self.least };
        let Some(passed) = pass(&self.terrain, &tried, &known, limits) else {
            self.idle_rounds = PATIENCE;
            return;
        };
        self.rounds += 1;
        if steps > 0 {
            self.pool.tidy(&tried, (IDLE * self.softness * self.terrain.crowd.shared_by as f64) as i64);
        }
        self.take(&tried, &passed);
        // A step reads every member of the pool twice.
        self.next_work = passed.work + (self.pool.size() * steps / 4) as u64;
        self.work += self.next_work;
    }

    fn climbed(&self, steps: usize) -> Vec<i64> {
        let shared_by = self.terrain.crowd.shared_by;
        let slope = Slope::new(&self.pool, &self.terrain.counts, shared_by);
        let cap =
            self.allowance.map_or(i64::MAX, |allowance| allowance.cap(&self.price, &self.terrain.counts));
        let reach = Reach { softness: self.softness, trust: self.trust, cap: cap as f64, steps };
        slope.climb(&self.price, &reach)
    }

    /// Takes new sets in, and new prices where they earn more.
    fn take(&mut self, tried: &[i64], passed: &Passed) {
        self.pool.take(&self.terrain, passed);
        let stranded = self.allowance.map_or(0, |allowance| allowance.full);
        let price = lowered(tried, &passed.fault, self.terrain.crowd.shared_by, stranded);
        let value = value(&price, &self.terrain.counts, self.allowance);
        let gain = value - self.value;
        self.idle_rounds = if gain < HARDLY * self.value { self.idle_rounds + 1 } else { 0 };
        if gain > 0.0 {
            self.price = price;
            self.value = value;
            self.softness *= COOLER;
        } else {
            self.softness *= CLOSER;
            self.trust *= CLOSER;
        }
    }

    /// Known sets that pay nearly what they may, and by how much less: at most this share of what k rows pay on average.
    pub(super) fn nearly_paid(&self, share: f64) -> impl Iterator<Item = (&[(u32, u32)], i64)> {
        let rows: f64 = self.terrain.counts.iter().map(|&count| f64::from(count)).sum();
        let most = share * self.value / rows * self.terrain.crowd.shared_by as f64;
        let slack = |set: usize| (self.pool.members(set), -self.pool.excess(set, &self.price));
        (0..self.pool.len()).map(slack).filter(move |(_, slack)| *slack as f64 <= most)
    }

    /// The price of every tuple.
    pub(super) fn prices(&self) -> &[i64] {
        &self.price
    }
}

/// Prices after everybody has paid back, or taken, what the worst box allows. Valid, whatever they were: a set of k rows in a box
/// paid at most its cost and the mean of their faults. Who is in no box at all cannot be released, and pays as said.
fn lowered(price: &[i64], fault: &[i64], shared_by: u64, stranded: i64) -> Vec<i64> {
    let paid_back = |(&price, &fault): (&i64, &i64)| match fault {
        UNKNOWN => stranded,
        fault => price + (-fault).div_euclid(shared_by.cast_signed()),
    };
    price.iter().zip(fault).map(paid_back).collect()
}

/// What valid prices earn: their sum, without what the dearest rows that may be suppressed pay above a suppressed row.
fn value(price: &[i64], counts: &[u32], allowance: Option<Allowance>) -> f64 {
    let paid: i128 =
        price.iter().zip(counts).map(|(&price, &rows)| i128::from(price) * i128::from(rows)).sum();
    let back = allowance.map_or(0, |allowance| allowance.back(price, counts));
    (paid - back) as f64
}
