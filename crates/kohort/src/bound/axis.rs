//! One quasi-identifier as the enumeration of boxes sees it: which cells there are and what each costs.
//!
//! Only values that occur matter, and of several cells that hold the same of them only the cheapest: the boxes that are
//! left are the closed ones. Where a larger cell may cost less than a smaller one inside it (entropy), the smaller one is
//! priced like the larger: who is in the small cell is in the large one as well, and may be published as that. So costs
//! never fall from a cell to a larger one, and closed boxes are enough for every measure.

use crate::data::{Cell, Domain, Hierarchy};
use crate::space::Space;

/// Beyond any sum of costs: no such cell is permitted.
pub(super) const FORBIDDEN: i64 = 1 << 40;

/// Values up to which the costs of all intervals are listed.
const LISTED: usize = 1500;

pub(super) enum Axis<'a> {
    Tree(Tree),
    Line(Line<'a>),
}

/// The part of a hierarchy that tells values of the table apart. Node 0 is its root.
pub(super) struct Tree {
    /// What each node costs.
    pub(super) cost: Vec<i64>,
    /// By depth below the root and rank of the value: the node there, or the value itself where its path is shorter.
    pub(super) at: Vec<Vec<u32>>,
    /// Whether a node has nothing below it.
    pub(super) is_leaf: Vec<bool>,
}

/// Intervals of values.
pub(super) struct Line<'a> {
    /// How many values occur.
    pub(super) values: usize,
    listed: Vec<i64>,
    space: &'a Space<'a>,
    dim: usize,
    /// Whether no interval may be wider than its boundary allows.
    is_bounded: bool,
}

impl<'a> Axis<'a> {
    pub(super) fn new(space: &'a Space<'a>, dim: usize, is_bounded: bool) -> Self {
        match &space.attribute(dim).domain {
            Domain::Tree(h) => Self::Tree(Tree::new(space, dim, h)),
            Domain::Interval(_) => Self::Line(Line::new(space, dim, is_bounded)),
        }
    }

    pub(super) fn is_line(&self) -> bool {
        matches!(self, Self::Line(_))
    }
}

impl Tree {
    fn new(space: &Space<'_>, dim: usize, h: &Hierarchy) -> Self {
        let own = |node: u32| i64::from(space.cell_cost(dim, Cell { lo: node, hi: node }));
        let mut least: Vec<i64> = (0..h.len() as u32).map(own).collect();
        // Parents have higher numbers: from the root down.
        for node in (0..h.root()).rev() {
            let above = h.parent(node).map_or(i64::MAX, |parent| least[parent as usize]);
            least[node as usize] = least[node as usize].min(above);
        }
        let values = space.values(dim);
        let mut tree = Self { cost: Vec::new(), at: Vec::new(), is_leaf: Vec::new() };
        tree.grow(h, &h.children_lists(), &least, values, (h.root(), 0, values.len(), 0));
        tree.fill();
        tree
    }

    /// Adds what a node of the hierarchy becomes, with all below it: `(node, first rank, end, depth)`.
    fn grow(
        &mut self,
        h: &Hierarchy,
        children: &[Vec<u32>],
        least: &[i64],
        values: &[u32],
        (mut node, start, end, depth): (u32, usize, usize, usize),
    ) {
        let inside = |node: u32| {
            let leaves = h.leaves(node);
            (values.partition_point(|&v| v < leaves.start), values.partition_point(|&v| v < leaves.end))
        };
        // A node whose values all lie below one child is that child.
        while let Some(&only) = children[node as usize].iter().find(|&&child| inside(child) == (start, end)) {
            node = only;
        }
        let id = self.cost.len() as u32;
        self.cost.push(least[node as usize]);
        self.is_leaf.push(h.is_leaf(node));
        if self.at.len() == depth {
            self.at.push(vec![u32::MAX; values.len()]);
        }
        self.at[depth][start..end].fill(id);
        for &child in &children[node as usize] {
            let (from, to) = inside(child);
            if from < to {
                self.grow(h, children, least, values, (child, from, to, depth + 1));
            }
        }
    }

    /// Values whose path is shorter stay what they are.
    fn fill(&mut self) {
        for depth in 1..self.at.len() {
            for rank in 0..self.at[depth].len() {
                if self.at[depth][rank] == u32::MAX {
                    self.at[depth][rank] = self.at[depth - 1][rank];
                }
            }
        }
    }
}

impl<'a> Line<'a> {
    fn new(space: &'a Space<'a>, dim: usize, is_bounded: bool) -> Self {
        let values = space.values(dim).len();
        let mut line = Self { values, listed: Vec::new(), space, dim, is_bounded };
        if values <= LISTED {
            let cells = (0..values).flat_map(|lo| (0..values).map(move |hi| (lo, hi)));
            let mut listed: Vec<i64> =
                cells.map(|(lo, hi)| if lo <= hi { line.own(lo, hi) } else { 0 }).collect();
            // From the widest inwards: no interval costs more than one that holds it.
            for width in (0..values.saturating_sub(1)).rev() {
                for lo in 0..values - width {
                    let hi = lo + width;
                    let left = if lo > 0 { listed[(lo - 1) * values + hi] } else { FORBIDDEN };
                    let right = if hi + 1 < values { listed[lo * values + hi + 1] } else { FORBIDDEN };
                    let at = lo * values + hi;
                    listed[at] = listed[at].min(left).min(right);
                }
            }
            line.listed = listed;
        }
        line
    }

    /// What the interval costs as it is; forbidden where it is wider than allowed.
    fn own(&self, lo: usize, hi: usize) -> i64 {
        let (values, attribute) = (self.space.values(self.dim), self.space.attribute(self.dim));
        let cell = attribute.join(attribute.leaf(values[lo]), attribute.leaf(values[hi]));
        if self.is_bounded && !attribute.within_width(cell) {
            return FORBIDDEN;
        }
        i64::from(self.space.cell_cost(self.dim, cell))
    }

    /// The cost of the interval between two ranks.
    #[inline]
    pub(super) fn cost(&self, lo: usize, hi: usize) -> i64 {
        if self.listed.is_empty() {
            // Not listed, a cost that may fall is worth nothing.
            return if self.space.is_monotone() { self.own(lo, hi) } else { 0 };
        }
        self.listed[lo * self.values + hi]
    }
}
