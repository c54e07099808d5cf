//! The rows not yet in a cluster, laid out for scanning: one contiguous column of codes per attribute, one slot per
//! group of equal rows.

use super::Problem;
use super::scan::{add_up, scan};
use crate::data::Cell;
use crate::space::Space;

/// Groups with rows left.
pub(super) struct FreeRows<'a> {
    space: &'a Space<'a>,
    codes: Vec<Vec<u32>>,
    group: Vec<u32>,
    next_row: Vec<u32>,
    taken: Vec<u32>,
    slot_of: Vec<u32>,
    rows: usize,
}

/// The slots that are equally good, by group.
pub(super) struct Best {
    pub(super) gain: i64,
    pub(super) cost: u64,
    pub(super) groups: Vec<u32>,
}

impl Best {
    fn none() -> Self {
        Self { gain: 0, cost: u64::MAX, groups: Vec::new() }
    }

    fn rank(&self) -> (std::cmp::Reverse<i64>, u64) {
        (std::cmp::Reverse(self.gain), self.cost)
    }

    fn better(mut self, mut other: Self) -> Self {
        match (self.groups.is_empty(), other.groups.is_empty()) {
            (_, true) => self,
            (true, _) => other,
            _ if self.rank() < other.rank() => self,
            _ if self.rank() > other.rank() => other,
            _ => {
                self.groups.append(&mut other.groups);
                self
            }
        }
    }
}

impl<'a> FreeRows<'a> {
    pub(super) fn new(problem: Problem<'a>) -> Self {
        let space = problem.space;
        let groups = space.groups();
        Self {
            space,
            codes: (0..space.dims()).map(|d| space.ranks(d).to_vec()).collect(),
            group: (0..groups.len() as u32).collect(),
            next_row: (0..groups.len()).map(|g| groups.rows(g)[0]).collect(),
            taken: vec![0; groups.len()],
            slot_of: (0..groups.len() as u32).collect(),
            rows: space.rows(),
        }
    }

    /// Rows left.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The next row of a group that has rows left.
    pub(super) fn next_row(&self, group: u32) -> u32 {
        self.next_row[self.slot_of[group as usize] as usize]
    }

    /// Takes the next row of a group out of the pool.
    pub(super) fn take(&mut self, group: u32) -> u32 {
        let slot = self.slot_of[group as usize] as usize;
        let row = self.next_row[slot];
        let taken = &mut self.taken[group as usize];
        *taken += 1;
        self.rows -= 1;
        match self.space.groups().rows(group as usize).get(*taken as usize) {
            Some(&next) => self.next_row[slot] = next,
            None => self.close(slot),
        }
        row
    }

    fn close(&mut self, slot: usize) {
        for column in &mut self.codes {
            column.swap_remove(slot);
        }
        self.next_row.swap_remove(slot);
        self.group.swap_remove(slot);
        if let Some(&moved) = self.group.get(slot) {
            self.slot_of[moved as usize] = slot as u32;
        }
    }

    /// The rows left of any group, ascending.
    pub(super) fn left(&self, group: u32) -> &'a [u32] {
        &self.space.groups().rows(group as usize)[self.taken[group as usize] as usize..]
    }

    /// All rows left, ascending.
    pub(super) fn rest(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.group.iter().flat_map(|&g| self.left(g)).copied().collect();
        rows.sort_unstable();
        rows
    }

    /// The groups of highest gain and, among them, lowest cost.
    pub(super) fn best(&self, tables: &Tables, gain: impl Fn(u32) -> i64 + Sync) -> Best {
        self.first_by(tables, gain, |cost| cost).unwrap_or_else(Best::none)
    }

    /// The group of highest gain whose join costs most; lowest row first.
    pub(super) fn farthest(&self, tables: &Tables, gain: impl Fn(u32) -> i64 + Sync) -> Option<u32> {
        let found = self.first_by(tables, gain, |cost| u64::MAX - cost)?;
        found.groups.into_iter().min_by_key(|&g| self.next_row(g))
    }

    /// The groups of highest gain and, among them, of what is lowest by their cost.
    fn first_by(
        &self,
        tables: &Tables,
        gain: impl Fn(u32) -> i64 + Sync,
        by: impl Fn(u64) -> u64 + Sync,
    ) -> Option<Best> {
        let of_chunk = |slots: std::ops::Range<usize>| {
            let mut best = Best::none();
            for (slot, cost) in slots.clone().zip(self.costs(tables, slots)) {
                let group = self.group[slot];
                let found = Best { gain: gain(group), cost: by(cost), groups: Vec::new() };
                if best.groups.is_empty() || found.rank() < best.rank() {
                    best = Best { groups: vec![group], ..found };
                } else if found.rank() == best.rank() {
                    best.groups.push(group);
                }
            }
            best
        };
        scan(self.group.len(), of_chunk, Best::better).filter(|best| !best.groups.is_empty())
    }

    fn costs(&self, tables: &Tables, slots: std::ops::Range<usize>) -> Vec<u64> {
        let mut sums = vec![0u64; slots.len()];
        for (codes, table) in self.codes.iter().zip(&tables.0) {
            add_up(&mut sums, &codes[slots.clone()], table);
        }
        sums
    }
}

/// Per attribute and rank of a code: the cost of joining it to the current tuple.
pub(super) struct Tables(Vec<Vec<u32>>);

impl Tables {
    pub(super) fn new(space: &Space<'_>, tuple: &[Cell]) -> Self {
        let mut tables = Self(vec![Vec::new(); space.dims()]);
        for (dim, &cell) in tuple.iter().enumerate() {
            space.join_costs(dim, cell, &mut tables.0[dim]);
        }
        tables
    }

    /// The tables, attribute by attribute.
    pub(super) fn columns(&self) -> &[Vec<u32>] {
        &self.0
    }

    /// Brings the tables of the attributes that changed up to date.
    pub(super) fn update(&mut self, space: &Space<'_>, before: &[Cell], now: &[Cell]) {
        for (dim, (was, is)) in before.iter().zip(now).enumerate() {
            if was != is {
                space.join_costs(dim, *is, &mut self.0[dim]);
            }
        }
    }
}
