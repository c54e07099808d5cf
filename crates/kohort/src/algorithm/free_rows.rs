//! The rows not yet in a cluster, laid out for scanning: one contiguous column of codes per attribute, one slot per
//! group of equal rows.
//!
//! A cluster that grows asks for the nearest row again and again. Where a larger tuple never costs less, what joining a row
//! cost last time is a lower bound of what it costs now: after one look at all rows from the seed ([`FreeRows::look_from`]),
//! only the few whose bound is not above the best answer are looked at again ([`FreeRows::nearest`]). What was seen from the seed also
//! tells which row is farthest from it, where the next cluster begins.

use std::ops::Range;

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
    /// Per slot, what joining the last seed costs; empty before the first look.
    apart: Vec<u64>,
    /// Per slot, what joining cost when it was last worked out, since that look.
    least: Vec<u64>,
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
            apart: Vec::new(),
            least: Vec::new(),
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
        if !self.apart.is_empty() {
            self.apart.swap_remove(slot);
            self.least.swap_remove(slot);
        }
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
        let of_chunk = |slots: Range<usize>| {
            let mut best = Best::none();
            for (slot, cost) in slots.clone().zip(self.costs(tables, slots)) {
                let group = self.group[slot];
                let found = Best { gain: gain(group), cost, groups: Vec::new() };
                if best.groups.is_empty() || found.rank() < best.rank() {
                    best = Best { groups: vec![group], ..found };
                } else if found.rank() == best.rank() {
                    best.groups.push(group);
                }
            }
            best
        };
        scan(self.group.len(), of_chunk, Best::better).unwrap_or_else(Best::none)
    }

    /// Works out what joining every group to the tuple of a seed costs.
    pub(super) fn look_from(&mut self, tables: &Tables) {
        let of_chunk = |slots: Range<usize>| self.costs(tables, slots);
        let both = |mut a: Vec<u64>, b: Vec<u64>| {
            a.extend(b);
            a
        };
        self.apart = scan(self.group.len(), of_chunk, both).unwrap_or_default();
        self.least.clone_from(&self.apart);
    }

    /// The groups of lowest cost next to a tuple that has only grown since the last look.
    pub(super) fn nearest(&mut self, tables: &Tables) -> Best {
        if !self.space.is_monotone() {
            return self.best(tables, |_| 0);
        }
        let mut best = Best::none();
        // Begun with the lowest bound, so that most others are above the first answer.
        let Some(lowest) = self.least.iter().copied().min() else { return best };
        let first = self.least.iter().position(|&least| least == lowest).unwrap_or(0);
        best.cost = self.cost(tables, first);
        for slot in 0..self.least.len() {
            if self.least[slot] > best.cost {
                continue;
            }
            let cost = self.cost(tables, slot);
            self.least[slot] = cost;
            if cost < best.cost {
                best = Best { cost, ..Best::none() };
            }
            if cost == best.cost {
                best.groups.push(self.group[slot]);
            }
        }
        best
    }

    /// The group of highest gain that was farthest from the last seed; lowest row first.
    pub(super) fn farthest_from_seed(&self, gain: impl Fn(u32) -> i64) -> Option<u32> {
        let slots = self.group.iter().zip(&self.apart).zip(&self.next_row);
        let ranked = slots.map(|((&group, &cost), &row)| (gain(group), cost, std::cmp::Reverse(row), group));
        ranked.max().map(|(.., group)| group)
    }

    fn cost(&self, tables: &Tables, slot: usize) -> u64 {
        let cells = self.codes.iter().zip(&tables.0);
        cells.map(|(codes, table)| u64::from(table[codes[slot] as usize])).sum()
    }

    fn costs(&self, tables: &Tables, slots: Range<usize>) -> Vec<u64> {
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
