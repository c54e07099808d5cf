//! The frequency set of the levels fixed so far, class by class, for the search of the best node.
//!
//! Rows of a class with fewer than k rows are gone for good: whatever is fixed later, their class only gets smaller. They
//! are counted and left out, so what is left shrinks with every column, by merging and by leaving out.

use super::class_test::ClassTest;
use super::plan::Plan;
use super::steps::{Price, Step};

/// The classes that can still be published at the levels fixed so far.
pub(super) struct Classes {
    /// How many columns are fixed.
    pub(super) depth: usize,
    /// Where each class begins among the entries, and where the last one ends.
    starts: Vec<u32>,
    /// What is not fixed yet, and how many rows have it.
    entries: Vec<(u32, u32)>,
    /// Per class: what the columns fixed so far cost one of its rows.
    prices: Vec<Price>,
    /// Rows that will be suppressed whatever is fixed later.
    pub(super) gone: u64,
}

impl Classes {
    /// All rows in one class, before any level is fixed.
    pub(super) fn start(plan: &Plan<'_>) -> Self {
        let groups = plan.lattice.space.groups();
        let entries: Vec<(u32, u32)> =
            (0..groups.len()).map(|g| (g as u32, groups.rows(g).len() as u32)).collect();
        let starts = vec![0, entries.len() as u32];
        Self { depth: 0, starts, entries, prices: vec![Price::default()], gone: 0 }
    }

    /// How much there is to look at.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entries of every class, and what its rows cost so far.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[(u32, u32)], Price)> {
        let of = |bounds: &[u32]| &self.entries[bounds[0] as usize..bounds[1] as usize];
        self.starts.windows(2).map(of).zip(self.prices.iter().copied())
    }

    fn push(&mut self, price: Price) {
        self.starts.push(self.entries.len() as u32);
        self.prices.push(price);
    }

    /// What any extension costs at least.
    pub(super) fn bound(&self, plan: &Plan<'_>) -> u64 {
        let lows = plan.lows(self.depth);
        let of = |(class, price): (&[(u32, u32)], Price)| -> u64 {
            class.iter().map(|&(rest, rows)| u64::from(rows) * (price.floor + lows[rest as usize])).sum()
        };
        self.iter().map(of).sum::<u64>() + self.gone * plan.full
    }

    /// What the release costs when all columns are fixed, and its discernability.
    pub(super) fn cost_and_dm(&self, plan: &Plan<'_>) -> (u64, u128) {
        let (mut cost, mut dm) = (self.gone * plan.full, u128::from(self.gone));
        dm *= plan.lattice.space.rows() as u128;
        for (class, price) in self.iter() {
            let rows = rows(class);
            cost += rows * price.exact;
            dm += u128::from(rows).pow(2);
        }
        (cost, dm)
    }

    /// Leaves out the classes that do not satisfy the demands.
    pub(super) fn thin(&mut self, plan: &Plan<'_>, test: &ClassTest<'_>) {
        let secrets = plan.rests.secrets(self.depth);
        let holds = |class: &[(u32, u32)]| {
            test.holds(class.iter().map(|&(rest, rows)| (secrets[rest as usize], rows)))
        };
        let held: Vec<bool> = self.iter().map(|(class, _)| holds(class)).collect();
        if held.iter().all(|&held| held) {
            return;
        }
        let mut kept = Self {
            depth: self.depth,
            starts: vec![0],
            entries: Vec::new(),
            prices: Vec::new(),
            gone: self.gone,
        };
        for ((class, price), held) in self.iter().zip(held) {
            if held {
                kept.entries.extend_from_slice(class);
                kept.push(price);
            } else {
                kept.gone += rows(class);
            }
        }
        *self = kept;
    }
}

/// How many rows a class has.
pub(super) fn rows(class: &[(u32, u32)]) -> u64 {
    class.iter().map(|&(_, rows)| u64::from(rows)).sum()
}

/// Fixes the next column; room to work in, used again and again.
#[derive(Default)]
pub(super) struct Roller {
    cells: Vec<Pile>,
    touched: Vec<u32>,
    sorted: Vec<(u32, u32)>,
    /// Per rest: the last class that has it, and where.
    seen: Vec<(u32, u32)>,
    class: u32,
}

/// What a class has in one cell of the next column.
#[derive(Clone, Copy, Default)]
struct Pile {
    rows: u64,
    /// First how many entries it has, then where the next of them goes.
    entries: u32,
    price: Price,
}

impl Roller {
    /// The classes at one more level. Entries are sorted by cell, then equal rests are added up: both within one class, so
    /// that the tables stay small.
    pub(super) fn roll(&mut self, plan: &Plan<'_>, from: &Classes, step: &Step<'_>) -> Classes {
        let (heads, tails) = plan.rests.split(from.depth);
        self.prepare(step.width, plan.rests.count(from.depth + 1));
        let mut to = Classes {
            depth: from.depth + 1,
            starts: vec![0],
            entries: Vec::with_capacity(from.len() / 2),
            prices: Vec::new(),
            gone: from.gone,
        };
        for (class, price) in from.iter() {
            self.pile(class, heads, step);
            self.sort(class, heads, tails, step, plan.k);
            self.merge(price, plan.k, &mut to);
        }
        to
    }

    fn prepare(&mut self, cells: usize, rests: usize) {
        if self.cells.len() < cells {
            self.cells.resize(cells, Pile::default());
        }
        if self.seen.len() < rests {
            self.seen.resize(rests, (0, 0));
        }
    }

    /// What lies in which cell.
    fn pile(&mut self, class: &[(u32, u32)], heads: &[u32], step: &Step<'_>) {
        for &(rest, rows) in class {
            let code = heads[rest as usize];
            let cell = step.cells[code as usize];
            let pile = &mut self.cells[cell as usize];
            if pile.entries == 0 {
                self.touched.push(cell);
                pile.price = step.price(code);
            }
            pile.entries += 1;
            pile.rows += u64::from(rows);
        }
    }

    /// Brings what stays into the order of the cells.
    fn sort(&mut self, class: &[(u32, u32)], heads: &[u32], tails: &[u32], step: &Step<'_>, k: u64) {
        let mut next = 0;
        for &cell in &self.touched {
            let pile = &mut self.cells[cell as usize];
            let entries = std::mem::replace(&mut pile.entries, next);
            next += if pile.rows < k { 0 } else { entries };
        }
        self.sorted.clear();
        self.sorted.resize(next as usize, (0, 0));
        for &(rest, rows) in class {
            let pile = &mut self.cells[step.cells[heads[rest as usize] as usize] as usize];
            if pile.rows >= k {
                self.sorted[pile.entries as usize] = (tails[rest as usize], rows);
                pile.entries += 1;
            }
        }
    }

    /// Turns every cell into a class of its own, or counts its rows among those that are gone.
    fn merge(&mut self, price: Price, k: u64, to: &mut Classes) {
        let mut begin = 0;
        for cell in self.touched.drain(..) {
            let pile = std::mem::take(&mut self.cells[cell as usize]);
            if pile.rows < k {
                to.gone += pile.rows;
                continue;
            }
            if self.class == u32::MAX {
                self.seen.fill((0, 0));
                self.class = 0;
            }
            self.class += 1;
            for &(rest, rows) in &self.sorted[begin..pile.entries as usize] {
                let (class, at) = &mut self.seen[rest as usize];
                if *class == self.class {
                    to.entries[*at as usize].1 += rows;
                } else {
                    (*class, *at) = (self.class, to.entries.len() as u32);
                    to.entries.push((rest, rows));
                }
            }
            begin = pile.entries as usize;
            to.push(price.plus(pile.price));
        }
    }
}
