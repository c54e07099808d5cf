//! One quasi-identifier, laid out for millions of joins: what covers two cells, and what that costs, by look-up where the
//! tree is small.

use crate::data::{Cell, Domain, Hierarchy};
use crate::space::Space;

/// Trees of up to so many nodes have tables of all pairs: half a megabyte at most. Small numbers, so that those of most trees
/// stay in the fastest cache.
const LISTED: usize = 512;

/// Intervals of up to so many codes are listed with their costs.
const SPANS: u32 = 256;

/// An attribute of a space.
pub(super) struct Axis<'a> {
    space: &'a Space<'a>,
    dim: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// A tree with the lowest common ancestor of every pair of nodes, and what every node costs.
    Pairs { tree: &'a Hierarchy, nodes: usize, joins: Vec<u16>, costs: Vec<u32> },
    /// A tree that is too large for that.
    Tree(&'a Hierarchy),
    /// Intervals of codes; the code after the last value, if there is one, stands for missing values. What each costs is listed
    /// by lower and upper end, where there are few.
    Interval { values: u32, codes: u32, costs: Vec<u32> },
}

/// The joins of a tree, listed: that of two nodes is at `one * nodes + other`.
#[derive(Clone, Copy)]
pub(super) struct ListedTree<'a> {
    pub(super) at: usize,
    nodes: usize,
    joins: &'a [u16],
    costs: &'a [u32],
}

impl ListedTree<'_> {
    /// What the lowest common ancestor of two nodes costs.
    #[inline]
    pub(super) fn cost(&self, one: u32, other: u32) -> u64 {
        u64::from(self.costs[self.joins[one as usize * self.nodes + other as usize] as usize])
    }

    /// The lowest common ancestor of two nodes.
    #[inline]
    pub(super) fn join(&self, one: u32, other: u32) -> Cell {
        node(u32::from(self.joins[one as usize * self.nodes + other as usize]))
    }
}

/// The costs of all intervals of an axis.
#[derive(Clone, Copy)]
pub(super) struct ListedIntervals<'a> {
    pub(super) at: usize,
    values: u32,
    codes: u32,
    costs: &'a [u32],
}

impl ListedIntervals<'_> {
    /// What the smallest interval costs that covers both.
    #[inline]
    pub(super) fn cost(&self, one: Cell, other: Cell) -> u64 {
        let Cell { lo, hi } = self.join(one, other);
        u64::from(self.costs[lo as usize * self.codes as usize + hi as usize])
    }

    /// The smallest interval that covers both.
    #[inline]
    pub(super) fn join(&self, one: Cell, other: Cell) -> Cell {
        interval(one.lo.min(other.lo), one.hi.max(other.hi), self.values, self.codes)
    }
}

impl<'a> Axis<'a> {
    /// All attributes of a space.
    pub(super) fn all(space: &'a Space<'a>) -> Vec<Self> {
        (0..space.dims()).map(|dim| Self::new(space, dim)).collect()
    }

    fn new(space: &'a Space<'a>, dim: usize) -> Self {
        let kind = match &space.attribute(dim).domain {
            Domain::Tree(tree) if tree.len() <= LISTED => pairs(space, dim, tree),
            Domain::Tree(tree) => Kind::Tree(tree),
            Domain::Interval(numbers) => intervals(space, dim, numbers.len(), numbers.code_count()),
        };
        Self { space, dim, kind }
    }

    /// The number of codes.
    pub(super) fn codes(&self) -> u32 {
        match &self.kind {
            Kind::Pairs { tree, .. } | Kind::Tree(tree) => tree.leaf_count(),
            Kind::Interval { codes, .. } => *codes,
        }
    }

    /// What a cell costs.
    #[inline]
    pub(super) fn cost(&self, cell: Cell) -> u64 {
        match &self.kind {
            Kind::Pairs { costs, .. } => u64::from(costs[cell.lo as usize]),
            Kind::Tree(_) | Kind::Interval { .. } => u64::from(self.space.cell_cost(self.dim, cell)),
        }
    }

    /// The smallest cell that covers both.
    #[inline]
    pub(super) fn join(&self, a: Cell, b: Cell) -> Cell {
        match &self.kind {
            Kind::Pairs { nodes, joins, .. } => node(u32::from(joins[a.lo as usize * nodes + b.lo as usize])),
            Kind::Tree(tree) => node(tree.lca(a.lo, b.lo)),
            Kind::Interval { values, codes, .. } => interval(a.lo.min(b.lo), a.hi.max(b.hi), *values, *codes),
        }
    }

    /// What the smallest cell that covers both costs.
    #[inline]
    pub(super) fn cost_of_join(&self, a: Cell, b: Cell) -> u64 {
        self.cost(self.join(a, b))
    }

    /// The codes in a cell: the first one, and the first one after it that is outside.
    #[inline]
    pub(super) fn span(&self, cell: Cell) -> (u32, u32) {
        match &self.kind {
            Kind::Pairs { tree, .. } | Kind::Tree(tree) => {
                let leaves = tree.leaves(cell.lo);
                (leaves.start, leaves.end)
            }
            Kind::Interval { .. } => (cell.lo, cell.hi + 1),
        }
    }

    /// The tree, where there is one.
    pub(super) fn tree(&self) -> Option<&'a Hierarchy> {
        match &self.kind {
            Kind::Pairs { tree, .. } | Kind::Tree(tree) => Some(tree),
            Kind::Interval { .. } => None,
        }
    }

    /// All joins of the axis at this place, if it is a tree and they are listed.
    pub(super) fn listed_tree(&self, at: usize) -> Option<ListedTree<'_>> {
        match &self.kind {
            Kind::Pairs { nodes, joins, costs, .. } => Some(ListedTree { at, nodes: *nodes, joins, costs }),
            Kind::Tree(_) | Kind::Interval { .. } => None,
        }
    }

    /// All intervals of the axis at this place, if they are listed.
    pub(super) fn listed_intervals(&self, at: usize) -> Option<ListedIntervals<'_>> {
        match &self.kind {
            Kind::Interval { values, codes, costs } if !costs.is_empty() => {
                Some(ListedIntervals { at, values: *values, codes: *codes, costs })
            }
            _ => None,
        }
    }

    /// The interval one code longer at its upper or lower end; none where there is nothing on that side.
    pub(super) fn longer(&self, cell: Cell, upwards: bool) -> Option<Cell> {
        let Kind::Interval { values, .. } = &self.kind else { return None };
        match upwards {
            true if cell.hi + 1 < *values => Some(Cell { lo: cell.lo, hi: cell.hi + 1 }),
            false if cell.lo > 0 && cell.hi < *values => Some(Cell { lo: cell.lo - 1, hi: cell.hi }),
            _ => None,
        }
    }
}

fn node(node: u32) -> Cell {
    Cell { lo: node, hi: node }
}

/// An interval; what mixes missing values with others says nothing.
#[inline]
fn interval(lo: u32, hi: u32, values: u32, codes: u32) -> Cell {
    if hi == values && lo < values { Cell { lo: 0, hi: codes - 1 } } else { Cell { lo, hi } }
}

fn intervals<'a>(space: &Space<'_>, dim: usize, values: u32, codes: u32) -> Kind<'a> {
    let ends = if codes <= SPANS { codes } else { 0 };
    let cost = |(lo, hi): (u32, u32)| if lo <= hi { space.cell_cost(dim, Cell { lo, hi }) } else { 0 };
    let costs = (0..ends).flat_map(|lo| (0..ends).map(move |hi| (lo, hi))).map(cost).collect();
    Kind::Interval { values, codes, costs }
}

fn pairs<'a>(space: &Space<'_>, dim: usize, tree: &'a Hierarchy) -> Kind<'a> {
    let nodes = tree.len();
    let all = 0..nodes as u32;
    let joins = all.clone().flat_map(|a| all.clone().map(move |b| tree.lca(a, b) as u16)).collect();
    let costs = all.map(|of| space.cell_cost(dim, node(of))).collect();
    Kind::Pairs { tree, nodes, joins, costs }
}
