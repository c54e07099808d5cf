//! Sets of k rows and what they may pay together: the constraints on prices that are known so far.

use rustc_hash::FxHashSet;

use super::pass::Passed;
use super::sets::NO_SET;
use super::terrain::Terrain;
use crate::data::mixed;

/// Rounds after which a set that is far from its limit is forgotten.
const IDLE_ROUNDS: u8 = 3;

/// Sets of tuples, with how many rows of each.
#[derive(Default)]
pub(super) struct Pool {
    ends: Vec<usize>,
    members: Vec<(u32, u32)>,
    limits: Vec<i64>,
    /// For how many rounds each was far from its limit.
    idle: Vec<u8>,
    seen: FxHashSet<(u64, i64)>,
}

impl Pool {
    pub(super) fn len(&self) -> usize {
        self.limits.len()
    }

    /// How many members all sets have.
    pub(super) fn size(&self) -> usize {
        self.members.len()
    }

    /// The tuples of a set, with how many rows of each.
    pub(super) fn members(&self, set: usize) -> &[(u32, u32)] {
        let start = if set == 0 { 0 } else { self.ends[set - 1] };
        &self.members[start..self.ends[set]]
    }

    /// What a set may pay at most.
    pub(super) fn limit(&self, set: usize) -> i64 {
        self.limits[set]
    }

    /// How much more than its limit a set pays.
    pub(super) fn excess(&self, set: usize, price: &[i64]) -> i64 {
        let paid = |&(tuple, rows): &(u32, u32)| price[tuple as usize] * i64::from(rows);
        self.members(set).iter().map(paid).sum::<i64>() - self.limits[set]
    }

    /// Per tuple, how much it is at fault by what is known, and in which set.
    pub(super) fn faults(&self, price: &[i64]) -> (Vec<i64>, Vec<u32>) {
        let mut found = (vec![super::UNKNOWN; price.len()], vec![NO_SET; price.len()]);
        for set in 0..self.len() {
            let excess = self.excess(set, price);
            for &(tuple, _) in self.members(set) {
                if excess > found.0[tuple as usize] {
                    found.0[tuple as usize] = excess;
                    found.1[tuple as usize] = set as u32;
                }
            }
        }
        found
    }

    /// Takes in what a pass found: every set, and for tuples outside the one that says how much they are at fault the same
    /// with them in the place of its cheapest row.
    pub(super) fn take(&mut self, terrain: &Terrain<'_>, passed: &Passed) {
        let shared_by = terrain.crowd.shared_by;
        for set in 0..passed.sets.len() as u32 {
            let (members, cost) = passed.sets.get(set);
            self.push(&rows_of(terrain, members, shared_by), shared_by.cast_signed() * cost);
        }
        for (tuple, &set) in passed.by.iter().enumerate().filter(|(_, set)| **set != NO_SET) {
            let (members, cost) = passed.sets.get(set);
            if !members.contains(&(tuple as u32)) {
                let mut rows = rows_of(terrain, members, shared_by - 1);
                rows.push((tuple as u32, 1));
                self.push(&rows, shared_by.cast_signed() * cost);
            }
        }
    }

    fn push(&mut self, rows: &[(u32, u32)], limit: i64) {
        if self.seen.insert((digest(rows), limit)) {
            self.members.extend_from_slice(rows);
            self.ends.push(self.members.len());
            self.limits.push(limit);
            self.idle.push(0);
        }
    }

    /// Forgets sets that have paid less than their limit by `far` for some rounds, unless some tuple is at fault in no other
    /// set as much.
    pub(super) fn tidy(&mut self, price: &[i64], far: i64) {
        let mut is_needed = vec![false; self.len()];
        for set in self.faults(price).1.into_iter().filter(|&set| set != NO_SET) {
            is_needed[set as usize] = true;
        }
        let mut kept = Self::default();
        for (set, is_needed) in is_needed.into_iter().enumerate() {
            let idle = if self.excess(set, price) < -far { self.idle[set] + 1 } else { 0 };
            if idle < IDLE_ROUNDS || is_needed {
                kept.push(self.members(set), self.limits[set]);
                kept.idle.pop();
                kept.idle.push(idle.min(IDLE_ROUNDS));
            }
        }
        *self = kept;
    }
}

/// The first rows of some tuples.
fn rows_of(terrain: &Terrain<'_>, tuples: &[u32], rows: u64) -> Vec<(u32, u32)> {
    let mut left = rows;
    let take = |&tuple: &u32| {
        let taken = u64::from(terrain.counts[tuple as usize]).min(left);
        left -= taken;
        (tuple, taken as u32)
    };
    tuples.iter().map(take).filter(|&(_, rows)| rows > 0).collect()
}

/// A digest of a set, whatever the order of its members.
fn digest(rows: &[(u32, u32)]) -> u64 {
    let of_member = |&(tuple, rows): &(u32, u32)| mixed((u64::from(tuple) << 32) | u64::from(rows));
    rows.iter().map(of_member).fold(0, u64::wrapping_add)
}
