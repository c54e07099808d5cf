//! One quasi-identifier, laid out for millions of joins: what covers two cells, and what that costs, by look-up where the
//! tree is small.

use crate::data::{Cell, Domain, Hierarchy};
use crate::space::Space;

/// Trees of up to so many nodes have tables of all pairs: two megabytes at most.
const LISTED: usize = 512;

/// An attribute of a space.
pub(super) struct Axis<'a> {
    space: &'a Space<'a>,
    dim: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// A tree with the lowest common ancestor of every pair of nodes, and its cost.
    Pairs { tree: &'a Hierarchy, nodes: usize, joins: Vec<u32>, costs: Vec<u32> },
    /// A tree that is too large for that.
    Tree(&'a Hierarchy),
    /// Intervals of codes; the code after the last value, if there is one, stands for missing values.
    Interval { values: u32, codes: u32 },
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
            Domain::Interval(numbers) => {
                Kind::Interval { values: numbers.len(), codes: numbers.code_count() }
            }
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
        u64::from(self.space.cell_cost(self.dim, cell))
    }

    /// The smallest cell that covers both.
    #[inline]
    pub(super) fn join(&self, a: Cell, b: Cell) -> Cell {
        match &self.kind {
            Kind::Pairs { nodes, joins, .. } => node(joins[a.lo as usize * nodes + b.lo as usize]),
            Kind::Tree(tree) => node(tree.lca(a.lo, b.lo)),
            Kind::Interval { values, codes } => interval(a.lo.min(b.lo), a.hi.max(b.hi), *values, *codes),
        }
    }

    /// What the smallest cell that covers both costs.
    #[inline]
    pub(super) fn cost_of_join(&self, a: Cell, b: Cell) -> u64 {
        match &self.kind {
            Kind::Pairs { nodes, costs, .. } => u64::from(costs[a.lo as usize * nodes + b.lo as usize]),
            Kind::Tree(_) | Kind::Interval { .. } => self.cost(self.join(a, b)),
        }
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

fn pairs<'a>(space: &Space<'_>, dim: usize, tree: &'a Hierarchy) -> Kind<'a> {
    let nodes = tree.len();
    let joins: Vec<u32> =
        (0..nodes as u32).flat_map(|a| (0..nodes as u32).map(move |b| tree.lca(a, b))).collect();
    let costs = joins.iter().map(|&join| space.cell_cost(dim, node(join))).collect();
    Kind::Pairs { tree, nodes, joins, costs }
}
