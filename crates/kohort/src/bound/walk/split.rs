//! Parts of parts.

use std::ops::Range;

use super::{At, Walk};
use crate::bound::axis::Axis;

/// In a tally: too few rows to go on with.
const TOO_FEW: u32 = u32::MAX;

impl Walk<'_> {
    /// Whether a part has as many rows as a box needs.
    pub(super) fn has_crowd(&self, part: Range<usize>) -> bool {
        let mut rows = 0;
        self.stack[part].iter().any(|&place| {
            rows += u64::from(self.from.count[place as usize]);
            rows >= self.from.terrain.crowd.rows
        })
    }

    /// Puts what lies in one node each on top of the stack, where it has enough rows; none where there is one node only.
    pub(super) fn split(
        &mut self,
        axis: usize,
        node_of: &[u32],
        part: Range<usize>,
    ) -> Option<Vec<Range<usize>>> {
        self.work += part.len() as u64;
        self.count(axis, node_of, part.clone());
        if let [only] = self.touched[..] {
            self.tally[only as usize] = (0, 0);
            return None;
        }
        let below = self.stack.len();
        let parts = self.assign(below);
        let ranks = &self.from.ranks[axis];
        let (low, high) = self.stack.split_at_mut(below);
        for &place in &low[part] {
            let slot = &mut self.tally[node_of[ranks[place as usize] as usize] as usize].0;
            if *slot != TOO_FEW {
                high[*slot as usize - below] = place;
                *slot += 1;
            }
        }
        for &node in &self.touched {
            self.tally[node as usize] = (0, 0);
        }
        Some(parts)
    }

    /// Counts rows and entries per node.
    fn count(&mut self, axis: usize, node_of: &[u32], part: Range<usize>) {
        let ranks = &self.from.ranks[axis];
        self.touched.clear();
        for &place in &self.stack[part] {
            let node = node_of[ranks[place as usize] as usize];
            let (rows, entries) = &mut self.tally[node as usize];
            if *entries == 0 {
                self.touched.push(node);
            }
            *rows = rows.saturating_add(self.from.count[place as usize]);
            *entries += 1;
        }
    }

    /// Makes room on the stack for every node with enough rows, and notes where it begins.
    fn assign(&mut self, below: usize) -> Vec<Range<usize>> {
        let (mut parts, mut end) = (Vec::new(), below);
        for &node in &self.touched {
            let (rows, entries) = &mut self.tally[node as usize];
            if u64::from(*rows) < self.from.terrain.crowd.rows {
                *rows = TOO_FEW;
                continue;
            }
            *rows = end as u32;
            parts.push(end..end + *entries as usize);
            end += *entries as usize;
        }
        self.stack.resize(end, 0);
        parts
    }

    /// Whether the cells that a part has on the axes before this one are the smallest that hold it.
    pub(super) fn is_closed(&self, at: &At) -> bool {
        let places = &self.stack[at.part.clone()];
        (0..at.axis).all(|axis| match &self.from.terrain.axes[axis] {
            Axis::Tree(tree) => {
                let (node, depth) = self.cells[axis];
                tree.is_leaf[node as usize] || {
                    let below = &tree.at[depth as usize + 1];
                    let child = below[self.rank(axis, places[0])];
                    places.iter().any(|&place| below[self.rank(axis, place)] != child)
                }
            }
            Axis::Line(_) => {
                let (lo, hi) = self.cells[axis];
                let has = |end: u32| places.iter().any(|&place| self.rank(axis, place) as u32 == end);
                has(lo) && has(hi)
            }
        })
    }
}
