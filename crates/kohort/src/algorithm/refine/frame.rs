//! The groups of one region, laid out for millions of joins.

use super::axis::Axis;
use crate::data::Cell;

/// Groups of equal rows with their codes. Groups are numbered by the codes of the axis that tells them apart best, so that the
/// groups of a box lie close together.
pub(super) struct Frame<'a> {
    axes: &'a [Axis<'a>],
    /// One code per axis, group after group.
    codes: Vec<u32>,
    /// How many rows each group has here.
    rows: Vec<u32>,
}

impl<'a> Frame<'a> {
    /// Groups by their codes and numbers of rows.
    pub(super) fn new(axes: &'a [Axis<'a>], codes: Vec<u32>, rows: Vec<u32>) -> Self {
        Self { axes, codes, rows }
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
        for ((axis, cell), &code) in self.axes.iter().zip(tuple).zip(codes) {
            *cell = axis.join(*cell, leaf(code));
        }
    }

    /// Grows a tuple until it covers another.
    #[inline]
    pub(super) fn unite(&self, tuple: &mut [Cell], other: &[Cell]) {
        for ((axis, cell), &other) in self.axes.iter().zip(tuple).zip(other) {
            *cell = axis.join(*cell, other);
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
        let cells = self.axes.iter().zip(tuple).zip(codes);
        cells.map(|((axis, &cell), &code)| axis.cost_of_join(cell, leaf(code))).sum()
    }

    /// What a row costs that is published as the union of two tuples.
    #[inline]
    pub(super) fn cost_of_union(&self, one: &[Cell], other: &[Cell]) -> u64 {
        let cells = self.axes.iter().zip(one).zip(other);
        cells.map(|((axis, &a), &b)| axis.cost_of_join(a, b)).sum()
    }
}

#[inline]
fn leaf(code: u32) -> Cell {
    Cell { lo: code, hi: code }
}
