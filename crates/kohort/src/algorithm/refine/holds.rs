//! Whether classes in the making satisfy the demands.

use std::cell::Cell;

use super::draft::{Draft, Share};
use crate::model::BoundDemands;

/// Counting a share among the values of a class is taken to cost as much as looking at so many entries: an estimate.
const TALLIED: u64 = 8;

/// The demands on the classes of a region.
pub(super) struct Holds<'a> {
    demands: &'a BoundDemands,
    /// The sensitive codes that the demands look at, per column and group of the region.
    codes: Vec<Vec<u32>>,
    /// How many shares of classes were looked at, to know what steps cost.
    entries: Cell<u64>,
}

impl<'a> Holds<'a> {
    pub(super) fn new(demands: &'a BoundDemands, codes: Vec<Vec<u32>>) -> Self {
        Self { demands, codes, entries: Cell::new(0) }
    }

    /// The fewest rows of a class.
    #[inline]
    pub(super) fn k(&self) -> u32 {
        self.demands.k()
    }

    /// Whether the number of rows is all that is asked for.
    #[inline]
    pub(super) fn is_size_alone(&self) -> bool {
        self.codes.is_empty()
    }

    /// Whether a class satisfies the demands.
    pub(super) fn of(&self, draft: &Draft) -> bool {
        draft.size >= self.k() && (self.is_size_alone() || self.together(draft.shares.iter().copied()))
    }

    /// Whether it still would after giving some rows away.
    pub(super) fn without(&self, draft: &Draft, given: Share) -> bool {
        if self.is_size_alone() {
            return draft.size >= self.k() + given.rows;
        }
        let left = draft.shares.iter().map(|share| {
            if share.group == given.group {
                Share { rows: share.rows - given.rows, ..*share }
            } else {
                *share
            }
        });
        draft.size >= self.k() + given.rows && self.together(left.filter(|share| share.rows > 0))
    }

    /// Whether it still would with some rows more.
    pub(super) fn with(&self, draft: &Draft, taken: Share) -> bool {
        self.is_size_alone()
            || self.demands.survive_adding_rows()
            || self.together(draft.shares.iter().copied().chain([taken]))
    }

    /// Whether it still would after giving as many rows away as it gets.
    pub(super) fn exchanged(&self, draft: &Draft, given: Share, taken: Share) -> bool {
        if self.is_size_alone() {
            return true;
        }
        let left = draft.shares.iter().map(|share| {
            if share.group == given.group {
                Share { rows: share.rows - given.rows, ..*share }
            } else {
                *share
            }
        });
        self.together(left.filter(|share| share.rows > 0).chain([taken]))
    }

    /// What was looked at so far.
    pub(super) fn entries(&self) -> u64 {
        self.entries.get()
    }

    fn count(&self, entries: u64) {
        self.entries.set(self.entries.get() + entries);
    }

    fn together(&self, shares: impl Iterator<Item = Share>) -> bool {
        let items = shares.map(|share| (share.group, share.rows)).inspect(|_| self.count(TALLIED));
        self.demands.hold_together(items, |column, group: u32| self.codes[column][group as usize])
    }
}
