//! The intervals of the last axis: from every lower end upwards, with the largest prices so far at hand.

use super::judge::Top;
use super::{At, Ordered, Walk};
use crate::bound::axis::{FORBIDDEN, Line};
use crate::bound::sets::NO_SET;
use crate::bound::terrain::Crowd;

/// A part by value. Kept from one sweep to the next, so that nothing is allocated anew.
#[derive(Default)]
pub(super) struct Sweep {
    /// Rank and place, ascending.
    entries: Vec<(u32, u32)>,
    segments: Vec<Segment>,
    running: Running,
}

/// The entries of one value.
struct Segment {
    rank: usize,
    start: usize,
    end: usize,
    /// The least that one of them is known to be at fault.
    least: i64,
}

/// The largest prices among the entries so far.
#[derive(Default)]
struct Running {
    /// Places, ascending: prices descend.
    top: Vec<u32>,
    top_rows: u64,
    sum: i64,
    rows: u64,
}

impl Running {
    fn clear(&mut self) {
        self.top.clear();
        (self.top_rows, self.sum, self.rows) = (0, 0, 0);
    }

    fn add(&mut self, place: u32, from: &Ordered<'_>, shared_by: u64) {
        let count = u64::from(from.count[place as usize]);
        self.rows += count;
        if self.top_rows >= shared_by && self.top.last().is_some_and(|&last| last < place) {
            return;
        }
        let at = self.top.partition_point(|&other| other < place);
        self.top.insert(at, place);
        self.top_rows += count;
        self.sum += count.cast_signed() * from.price[place as usize];
        while let Some(&last) = self.top.last() {
            let count = u64::from(from.count[last as usize]);
            if self.top_rows - count < shared_by {
                break;
            }
            self.top.pop();
            self.top_rows -= count;
            self.sum -= count.cast_signed() * from.price[last as usize];
        }
    }

    /// The sum of the largest prices, and the last of them; none while there are too few rows.
    fn largest(&self, from: &Ordered<'_>, crowd: Crowd) -> Option<(i64, i64)> {
        let last = from.price[*self.top.last().filter(|_| self.rows >= crowd.rows)? as usize];
        Some((self.sum - (self.top_rows - crowd.shared_by).cast_signed() * last, last))
    }
}

impl Walk<'_> {
    /// All intervals of a part.
    pub(super) fn sweep(&mut self, line: &Line<'_>, at: At) {
        let mut sweep = std::mem::take(&mut self.sweep);
        self.lay_out(&mut sweep, &at);
        let whole = self.top(&self.stack[at.part.clone()]);
        let least = sweep.segments.iter().map(|segment| segment.least).min().unwrap_or(0);
        for lo in 0..sweep.segments.len() {
            if self.is_enough() {
                self.offer(at.part, at.cost, false);
                break;
            }
            self.upwards(&mut sweep, line, (lo, at.cost), (whole, least));
        }
        self.sweep = sweep;
    }

    /// Sorts the entries of a part by value.
    fn lay_out(&mut self, sweep: &mut Sweep, at: &At) {
        self.work += at.part.len() as u64;
        let places = &self.stack[at.part.clone()];
        sweep.entries.clear();
        sweep.entries.extend(places.iter().map(|&place| (self.rank(at.axis, place) as u32, place)));
        sweep.entries.sort_unstable();
        sweep.segments.clear();
        for (at, &(rank, place)) in sweep.entries.iter().enumerate() {
            let (rank, fault) = (rank as usize, self.fault[place as usize]);
            match sweep.segments.last_mut() {
                Some(last) if last.rank == rank => {
                    last.end = at + 1;
                    last.least = last.least.min(fault);
                }
                _ => sweep.segments.push(Segment { rank, start: at, end: at + 1, least: fault }),
            }
        }
    }

    /// All intervals with one lower end. No fault is above that of the whole part at their cost, and all are known to be at
    /// fault by `least`.
    fn upwards(
        &mut self,
        sweep: &mut Sweep,
        line: &Line<'_>,
        (lo, cost): (usize, i64),
        (whole, least): (Top, i64),
    ) {
        let crowd = self.from.terrain.crowd;
        let mut low = i64::MAX;
        sweep.running.clear();
        for hi in lo..sweep.segments.len() {
            let own = line.cost(sweep.segments[lo].rank, sweep.segments[hi].rank);
            let cost = cost + own;
            let paid = crowd.shared_by.cast_signed() * cost;
            if own >= FORBIDDEN || whole.before + whole.last - paid <= least {
                break;
            }
            let Segment { start, end, least, .. } = sweep.segments[hi];
            low = low.min(least);
            for &(_, place) in &sweep.entries[start..end] {
                sweep.running.add(place, self.from, crowd.shared_by);
            }
            self.work += (end - start) as u64 + 2;
            if let Some((sum, last)) = sweep.running.largest(self.from, crowd)
                && sum - paid > low
            {
                low = self.offer_interval(sweep, (lo, hi), (sum - last - paid, last), cost);
            }
        }
    }

    /// Tells the tuples of an interval how much they are at fault; returns the least that one of them is known to be.
    fn offer_interval(
        &mut self,
        sweep: &mut Sweep,
        (lo, hi): (usize, usize),
        (base, last): (i64, i64),
        cost: i64,
    ) -> i64 {
        let mut set = NO_SET;
        for segment in &mut sweep.segments[lo..=hi] {
            self.work += (segment.end - segment.start) as u64;
            segment.least = i64::MAX;
            for &(_, place) in &sweep.entries[segment.start..segment.end] {
                let place = place as usize;
                let fault = base + self.from.price[place].min(last);
                if fault > self.fault[place] {
                    self.fault[place] = fault;
                    if set == NO_SET {
                        set = self.sets.push(&sweep.running.top, cost);
                    }
                    self.by[place] = set;
                }
                segment.least = segment.least.min(self.fault[place]);
            }
        }
        sweep.segments[lo..=hi].iter().map(|segment| segment.least).min().unwrap_or(i64::MIN)
    }
}
