//! The groups of one region, laid out for millions of joins.

use super::axis::{Axis, ListedIntervals, ListedTree};
use crate::data::Cell;

/// Groups of equal rows with their codes. Groups are numbered by the codes of the axis that tells them apart best, so that the
/// groups of a box lie close together.
pub(super) struct Frame<'a> {
    axes: &'a [Axis<'a>],
    /// The axes by how they are joined: every row is joined with thousands of others.
    trees: Vec<ListedTree<'a>>,
    intervals: Vec<ListedIntervals<'a>>,
    others: Vec<usize>,
    /// One code per axis, group after group.
    codes: Vec<u32>,
    /// How many rows each group has here.
    rows: Vec<u32>,
    /// What a row of each group costs that is not generalized: something only where interval ends lie on a grid.
    own: Vec<u64>,
}

impl<'a> Frame<'a> {
    /// Groups by their codes and numbers of rows.
    pub(super) fn new(axes: &'a [Axis<'a>], codes: Vec<u32>, rows: Vec<u32>) -> Self {
        let trees: Vec<ListedTree<'a>> =
            axes.iter().enumerate().filter_map(|(at, axis)| axis.listed_tree(at)).collect();
        let intervals: Vec<ListedIntervals<'a>> =
            axes.iter().enumerate().filter_map(|(at, axis)| axis.listed_intervals(at)).collect();
        let is_listed =
            |at: &usize| trees.iter().any(|tree| tree.at == *at) || intervals.iter().any(|i| i.at == *at);
        let others = (0..axes.len()).filter(|at| !is_listed(at)).collect();
        let numbers: Vec<usize> = (0..axes.len()).filter(|&at| axes[at].tree().is_none()).collect();
        let own = |group: usize| {
            numbers.iter().map(|&at| axes[at].cost(leaf(codes[group * axes.len() + at]))).sum()
        };
        let own = (0..rows.len()).map(own).collect();
        Self { axes, trees, intervals, others, codes, rows, own }
    }

    pub(super) fn axes(&self) -> &'a [Axis<'a>] {
        self.axes
    }

    /// How many groups there are.
    pub(super) fn groups(&self) -> usize {
        self.rows.len()
    }

    /// How many rows a group has.
    #[inline]
    pub(super) fn rows(&self, group: u32) -> u32 {
        self.rows[group as usize]
    }

    /// What a row of a group costs at least.
    #[inline]
    pub(super) fn own(&self, group: u32) -> u64 {
        self.own[group as usize]
    }

    /// The codes of a group.
    #[inline]
    pub(super) fn codes(&self, group: u32) -> &[u32] {
        let dims = self.axes.len();
        &self.codes[group as usize * dims..][..dims]
    }

    /// The tuple of a group, not generalized.
    pub(super) fn tuple(&self, group: u32, tuple: &mut Vec<Cell>) {
        tuple.clear();
        tuple.extend(self.codes(group).iter().map(|&code| leaf(code)));
    }

    /// Grows a tuple until it covers the group.
    #[inline]
    pub(super) fn absorb(&self, tuple: &mut [Cell], group: u32) {
        let codes = self.codes(group);
        self.grow(tuple, |at| leaf(codes[at]));
    }

    /// Grows a tuple until it covers another.
    #[inline]
    pub(super) fn unite(&self, tuple: &mut [Cell], other: &[Cell]) {
        self.grow(tuple, |at| other[at]);
    }

    #[inline]
    fn grow(&self, tuple: &mut [Cell], other: impl Fn(usize) -> Cell) {
        for tree in &self.trees {
            let cell = &mut tuple[tree.at];
            *cell = tree.join(cell.lo, other(tree.at).lo);
        }
        for interval in &self.intervals {
            let cell = &mut tuple[interval.at];
            *cell = interval.join(*cell, other(interval.at));
        }
        for &at in &self.others {
            tuple[at] = self.axes[at].join(tuple[at], other(at));
        }
    }

    /// What a row costs that is published as this tuple.
    #[inline]
    pub(super) fn cost(&self, tuple: &[Cell]) -> u64 {
        self.axes.iter().zip(tuple).map(|(axis, &cell)| axis.cost(cell)).sum()
    }

    /// The same after the tuple has grown until it covers the group.
    #[inline]
    pub(super) fn cost_with(&self, tuple: &[Cell], group: u32) -> u64 {
        let codes = self.codes(group);
        self.cost_grown(tuple, |at| leaf(codes[at]))
    }

    /// What a row costs that is published as the union of two tuples.
    #[inline]
    pub(super) fn cost_of_union(&self, one: &[Cell], other: &[Cell]) -> u64 {
        self.cost_grown(one, |at| other[at])
    }

    #[inline]
    fn cost_grown(&self, tuple: &[Cell], other: impl Fn(usize) -> Cell) -> u64 {
        let mut cost = 0;
        for tree in &self.trees {
            cost += tree.cost(tuple[tree.at].lo, other(tree.at).lo);
        }
        for interval in &self.intervals {
            cost += interval.cost(tuple[interval.at], other(interval.at));
        }
        for &at in &self.others {
            cost += self.axes[at].cost_of_join(tuple[at], other(at));
        }
        cost
    }
}

#[inline]
fn leaf(code: u32) -> Cell {
    Cell { lo: code, hi: code }
}
