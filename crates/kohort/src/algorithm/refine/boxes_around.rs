//! Boxes around a row, drawn at random: which rows might be one class.

use super::region::{Region, Scratch};
use crate::data::{Cell, Hierarchy};

/// How many cells of a class's tuple are narrowed at least, and how many of the others widened at most.
const NARROWED: usize = 3;
const WIDENED: usize = 4;

/// How often a cell is drawn before narrowing ends: wide tuples can have few cells that can be narrowed.
const PATIENCE: usize = 40;

impl Region<'_> {
    /// A box around a group that costs at most this much and cannot grow along any axis, in [`Scratch::tuple`]. Returns its cost.
    pub(super) fn box_around(&mut self, group: u32, most: u64) -> u64 {
        self.frame.tuple(group, &mut self.scratch.tuple);
        self.scratch.open.clear();
        self.scratch.open.extend(0..self.frame.axes().len());
        self.widen(self.frame.own(group), most, usize::MAX)
    }

    /// A box around a group that is like the tuple of its class: narrower in some cells, wider in others. Such boxes hold enough
    /// rows far more often than any around the group. Returns its cost, which may be more than `most`.
    pub(super) fn box_like(&mut self, group: u32, class: u32, most: u64) -> u64 {
        self.scratch.tuple.clear();
        self.scratch.tuple.extend_from_slice(self.classes.tuple(class));
        self.scratch.open.clear();
        self.scratch.open.extend(0..self.frame.axes().len());
        let mut cost = self.classes.cost(class);
        let mut left = 1 + self.dice.below(NARROWED);
        for _ in 0..PATIENCE {
            if left == 0 && cost <= most {
                break;
            }
            if let Some((before, after)) = self.narrow(group) {
                cost = cost - before + after;
                left = left.saturating_sub(1);
            }
        }
        if cost > most {
            return cost;
        }
        let times = self.dice.below(WIDENED);
        self.widen(cost, most, times)
    }

    /// Narrows a cell drawn at random around the group; returns what it cost before and what it costs now, if it was not the group's
    /// own value already. The cell is not widened again.
    fn narrow(&mut self, group: u32) -> Option<(u64, u64)> {
        let at = self.dice.below(self.frame.axes().len());
        let (axis, code, cell) =
            (&self.frame.axes()[at], self.frame.codes(group)[at], self.scratch.tuple[at]);
        if cell == (Cell { lo: code, hi: code }) {
            return None;
        }
        let narrower = match axis.tree() {
            Some(tree) => {
                let node = ancestor(tree, code, self.dice.below(steps(tree, code, cell.lo).max(1)));
                Cell { lo: node, hi: node }
            }
            None => Cell {
                lo: code - self.dice.below((code - cell.lo) as usize + 1) as u32,
                hi: code + self.dice.below((cell.hi - code) as usize + 1) as u32,
            },
        };
        // What is wider than a value and holds missing ones says nothing, and is no cell of its own.
        let narrower = axis.join(narrower, narrower);
        self.scratch.tuple[at] = narrower;
        self.scratch.open.retain(|&open| open != at);
        Some((axis.cost(cell), axis.cost(narrower)))
    }

    /// Widens cells of [`Scratch::open`] axes, drawn at random, as long as the box costs at most this much, so many times at
    /// most. Returns what it costs then.
    fn widen(&mut self, mut cost: u64, most: u64, times: usize) -> u64 {
        for _ in 0..times {
            if self.scratch.open.is_empty() {
                break;
            }
            let drawn = self.dice.below(self.scratch.open.len());
            let at = self.scratch.open[drawn];
            let (now, last) = (self.scratch.tuple[at], self.frame.axes()[at].tree().is_none());
            let wider = self.wider(at, cost, most);
            if let Some(cell) = wider {
                let axis = &self.frame.axes()[at];
                cost = cost + axis.cost(cell) - axis.cost(now);
                self.scratch.tuple[at] = cell;
            }
            if last || wider.is_none() {
                self.scratch.open.swap_remove(drawn);
            }
        }
        cost
    }

    /// A wider cell for a box of this cost: the next node of a tree, or an interval that takes a share of what may be spent.
    fn wider(&mut self, at: usize, cost: u64, most: u64) -> Option<Cell> {
        let axis = &self.frame.axes()[at];
        let Scratch { tuple, .. } = &self.scratch;
        let (now, own) = (tuple[at], axis.cost(tuple[at]));
        let fits = |cell: Cell, limit: u64| axis.cost(cell) <= limit;
        if let Some(tree) = axis.tree() {
            let node = tree.parent(now.lo)?;
            return Some(Cell { lo: node, hi: node })
                .filter(|&cell| fits(cell, own + most.saturating_sub(cost)));
        }
        let limit = own + (most.saturating_sub(cost) as f64 * self.dice.share()) as u64;
        let upwards = self.dice.share();
        let mut cell = now;
        loop {
            let (up, down) = (axis.longer(cell, true), axis.longer(cell, false));
            let (up, down) = (up.filter(|&c| fits(c, limit)), down.filter(|&c| fits(c, limit)));
            cell = match (up, down) {
                (Some(up), Some(down)) => {
                    if self.dice.happens(upwards) {
                        up
                    } else {
                        down
                    }
                }
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => return Some(cell).filter(|&cell| cell != now),
            };
        }
    }
}

/// How many steps lead from a leaf up to a node above it.
fn steps(tree: &Hierarchy, leaf: u32, node: u32) -> usize {
    tree.depth(leaf).saturating_sub(tree.depth(node)) as usize
}

/// The node so many steps above a leaf.
fn ancestor(tree: &Hierarchy, leaf: u32, steps: usize) -> u32 {
    (0..steps).fold(leaf, |node, _| tree.parent(node).unwrap_or(node))
}
