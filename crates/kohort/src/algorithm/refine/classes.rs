//! The classes of a region as they stand, and which groups are in which of them.

use smallvec::SmallVec;

use super::draft::{Draft, Share};
use super::frame::Frame;
use crate::data::Cell;

/// Classes by number. The number of one that is gone is given to the next.
pub(super) struct Classes {
    dims: usize,
    tuples: Vec<Cell>,
    sizes: Vec<u32>,
    costs: Vec<u64>,
    shares: Vec<Vec<Share>>,
    unused: Vec<u32>,
    /// Per group: its classes, with the rows each has. Most groups have a single one.
    of_group: Vec<SmallVec<[(u32, u32); 2]>>,
    /// How often nothing was found to try around a group since its classes last changed.
    tried: Vec<u16>,
}

impl Classes {
    /// No classes yet of these groups.
    pub(super) fn new(frame: &Frame<'_>) -> Self {
        Self {
            dims: frame.axes().len(),
            tuples: Vec::new(),
            sizes: Vec::new(),
            costs: Vec::new(),
            shares: Vec::new(),
            unused: Vec::new(),
            of_group: vec![SmallVec::new(); frame.groups()],
            tried: vec![0; frame.groups()],
        }
    }

    /// How many numbers are in use, those of classes that are gone included.
    pub(super) fn numbers(&self) -> usize {
        self.sizes.len()
    }

    /// The rows of a class.
    #[inline]
    pub(super) fn size(&self, class: u32) -> u32 {
        self.sizes[class as usize]
    }

    /// What a row of a class costs.
    #[inline]
    pub(super) fn cost(&self, class: u32) -> u64 {
        self.costs[class as usize]
    }

    /// What all rows of a class cost.
    #[inline]
    pub(super) fn loss(&self, class: u32) -> u64 {
        u64::from(self.size(class)) * self.cost(class)
    }

    /// The tuple of a class.
    #[inline]
    pub(super) fn tuple(&self, class: u32) -> &[Cell] {
        &self.tuples[class as usize * self.dims..][..self.dims]
    }

    /// Which rows a class has.
    pub(super) fn shares(&self, class: u32) -> &[Share] {
        &self.shares[class as usize]
    }

    /// The classes of a group, with the rows each has of it.
    #[inline]
    pub(super) fn of_group(&self, group: u32) -> &[(u32, u32)] {
        &self.of_group[group as usize]
    }

    /// The most that a row of the group costs.
    pub(super) fn dearest(&self, group: u32) -> u64 {
        self.of_group(group).iter().map(|&(class, _)| self.cost(class)).max().unwrap_or(0)
    }

    /// How often nothing was found to try around the group.
    pub(super) fn tried(&self, group: u32) -> u16 {
        self.tried[group as usize]
    }

    /// Nothing was found to try around the group.
    pub(super) fn was_tried(&mut self, group: u32) {
        let tried = &mut self.tried[group as usize];
        *tried = tried.saturating_add(1);
    }

    /// Adds a class.
    pub(super) fn put(&mut self, draft: &Draft) {
        let number = self.unused.pop().unwrap_or_else(|| self.another());
        let at = number as usize;
        for share in &draft.shares {
            self.of_group[share.group as usize].push((number, share.rows));
            self.tried[share.group as usize] = 0;
        }
        self.tuples[at * self.dims..][..self.dims].copy_from_slice(&draft.tuple);
        self.sizes[at] = draft.size;
        self.costs[at] = draft.cost;
        self.shares[at].clone_from(&draft.shares);
    }

    fn another(&mut self) -> u32 {
        self.sizes.push(0);
        self.costs.push(0);
        self.shares.push(Vec::new());
        self.tuples.resize(self.tuples.len() + self.dims, Cell { lo: 0, hi: 0 });
        self.sizes.len() as u32 - 1
    }

    /// Takes a class away.
    pub(super) fn remove(&mut self, class: u32) {
        let at = class as usize;
        for share in &self.shares[at] {
            self.of_group[share.group as usize].retain(|(other, _)| *other != class);
        }
        self.shares[at].clear();
        self.sizes[at] = 0;
        self.costs[at] = 0;
        self.unused.push(class);
    }

    /// All classes there are.
    pub(super) fn into_lists(self) -> Vec<Vec<Share>> {
        self.shares.into_iter().filter(|shares| !shares.is_empty()).collect()
    }
}
