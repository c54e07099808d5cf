//! The lattice of level vectors, and what each level makes of each column's values.

use super::Fixed;
use crate::data::Cell;
use crate::model::BoundDemands;
use crate::space::Space;

/// One column: its levels, and per level what becomes of its values.
pub(super) struct Ladder {
    /// The lowest level that may be taken, and the highest.
    pub(super) range: (u32, u32),
    /// The height of the whole column, whatever may be taken of it.
    pub(super) height: u32,
    /// Per level of the range and value: the number of its cell.
    rungs: Vec<Vec<u32>>,
    /// Per level of the range: how many different cells there are.
    widths: Vec<u32>,
    /// Per level of the range and value: the cost of its cell.
    costs: Vec<Vec<u32>>,
    /// Per level of the range: the cost of all rows, and the same with no cell counted dearer than a suppressed one.
    sums: Vec<(u64, u64)>,
}

/// Per value: how many rows have it.
pub(super) fn rows_of(space: &Space<'_>, dim: usize) -> Vec<u64> {
    let mut rows_of = vec![0; space.attribute(dim).code_count() as usize];
    for (group, &code) in space.codes(dim).iter().enumerate() {
        rows_of[code as usize] += space.groups().rows(group).len() as u64;
    }
    rows_of
}

impl Ladder {
    fn new(space: &Space<'_>, dim: usize, range: (u32, u32)) -> Self {
        let attribute = space.attribute(dim);
        let rows_of = rows_of(space, dim);
        let full = u64::from(space.full_cell_cost(dim));
        let mut ladder = Self {
            range,
            height: attribute.height(),
            rungs: Vec::new(),
            widths: Vec::new(),
            costs: Vec::new(),
            sums: Vec::new(),
        };
        for level in range.0..=range.1 {
            let cells: Vec<Cell> = (0..rows_of.len() as u32).map(|c| attribute.raised(c, level)).collect();
            let (rung, width) = numbered(&cells, &rows_of);
            let costs: Vec<u32> = cells.iter().map(|&cell| space.cell_cost(dim, cell)).collect();
            let all = |cost: &dyn Fn(u32) -> u64| costs.iter().zip(&rows_of).map(|(&c, n)| cost(c) * n).sum();
            ladder.sums.push((all(&u64::from), all(&|c| u64::from(c).min(full))));
            ladder.rungs.push(rung);
            ladder.widths.push(width);
            ladder.costs.push(costs);
        }
        ladder
    }

    fn at(&self, level: u32) -> usize {
        (level - self.range.0) as usize
    }

    /// Per value the number of its cell at a level, and how many cells there are.
    pub(super) fn rung(&self, level: u32) -> (&[u32], u32) {
        (&self.rungs[self.at(level)], self.widths[self.at(level)])
    }

    /// Per value the cost of its cell at a level.
    pub(super) fn costs(&self, level: u32) -> &[u32] {
        &self.costs[self.at(level)]
    }

    /// The cost of a value's cell at a level.
    pub(super) fn cost(&self, level: u32, code: u32) -> u32 {
        self.costs[self.at(level)][code as usize]
    }

    /// Whether all values look alike at the highest level that may be taken.
    pub(super) fn says_nothing_at_the_top(&self) -> bool {
        self.widths.last().is_none_or(|&width| width <= 1)
    }

    pub(super) fn levels(&self) -> u64 {
        u64::from(self.range.1 - self.range.0) + 1
    }
}

/// Numbers for the cells of the values that occur, in order of first appearance.
fn numbered(cells: &[Cell], rows_of: &[u64]) -> (Vec<u32>, u32) {
    let mut numbers = rustc_hash::FxHashMap::default();
    let mut number = |(cell, &rows): (&Cell, &u64)| {
        let next = numbers.len() as u32;
        if rows == 0 { u32::MAX } else { *numbers.entry(*cell).or_insert(next) }
    };
    let rung = cells.iter().zip(rows_of).map(&mut number).collect();
    (rung, numbers.len() as u32)
}

/// All vectors of levels that may be taken.
///
/// Nodes are numbered in mixed radix over the columns in [`Lattice::order`], so that what is more general in every column
/// has the larger number.
pub(super) struct Lattice<'a> {
    pub(super) space: &'a Space<'a>,
    pub(super) demands: &'a BoundDemands,
    /// How many rows may be suppressed; never all.
    pub(super) quota: u64,
    pub(super) ladders: Vec<Ladder>,
    /// The columns in the order in which the search fixes their levels: those with most values first, because raising
    /// them merges most rows; single-level columns before all, because they cost one step only.
    pub(super) order: Vec<usize>,
    /// Per column: by how much a step up raises a node's number. Of no use where [`Lattice::nodes`] are too many.
    pub(super) strides: Vec<usize>,
    /// How many vectors there are; the largest number where it would not fit.
    pub(super) nodes: u64,
}

impl<'a> Lattice<'a> {
    /// The lattice below the boundaries, with some levels fixed.
    pub(super) fn new(space: &'a Space<'a>, demands: &'a BoundDemands, quota: usize, fixed: &Fixed) -> Self {
        let ladders: Vec<Ladder> = (0..space.dims())
            .map(|dim| {
                let attribute = space.attribute(dim);
                let highest = attribute.highest_allowed(space.codes(dim).iter().copied());
                let level = fixed.get(&attribute.name).map(|&level| level.min(highest));
                Ladder::new(space, dim, level.map_or((0, highest), |level| (level, level)))
            })
            .collect();
        let nodes = ladders.iter().fold(1u64, |product, l| product.saturating_mul(l.levels()));
        let mut order: Vec<usize> = (0..ladders.len()).collect();
        let values = |dim: usize| ladders[dim].widths.first().copied().unwrap_or(0);
        order.sort_by_key(|&dim| (ladders[dim].levels() > 1, std::cmp::Reverse(values(dim)), dim));
        let mut strides = vec![1; ladders.len()];
        let mut stride = 1usize;
        for &dim in order.iter().rev() {
            strides[dim] = stride;
            stride = stride.saturating_mul(ladders[dim].levels() as usize);
        }
        let quota = (quota as u64).min((space.rows() as u64).saturating_sub(1));
        Self { space, demands, quota, ladders, order, strides, nodes }
    }

    /// Number of nodes, where they are few enough to be numbered.
    pub(super) fn len(&self) -> usize {
        self.nodes as usize
    }

    /// Whether a node that does decides for all that is more general. Without suppression union-closed is enough
    /// (`algorithms.md` §4.2).
    pub(super) fn passes_success_on(&self) -> bool {
        self.quota == 0 && self.demands.survive_merging() || self.demands.survive_adding_rows()
    }

    /// Whether of two nodes that do the less general one is never worse (`algorithms.md` §4.4).
    pub(super) fn is_best_at_the_bottom(&self) -> bool {
        self.quota == 0 && self.space.is_monotone()
    }

    /// The levels of a node, by column.
    pub(super) fn levels(&self, node: usize) -> Vec<u32> {
        let level = |(ladder, stride): (&Ladder, &usize)| {
            ladder.range.0 + (node / stride % ladder.levels() as usize) as u32
        };
        self.ladders.iter().zip(&self.strides).map(level).collect()
    }

    /// What all rows cost at some levels when none is suppressed.
    pub(super) fn cost_of(&self, levels: &[u32]) -> u64 {
        self.ladders.iter().zip(levels).map(|(ladder, &level)| ladder.sums[ladder.at(level)].0).sum()
    }

    /// The most general node's levels.
    pub(super) fn top(&self) -> Vec<u32> {
        self.ladders.iter().map(|l| l.range.1).collect()
    }

    /// The nodes one step less general.
    pub(super) fn below(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let steps = self.ladders.iter().zip(&self.strides);
        steps
            .filter(move |(ladder, stride)| !(node / *stride).is_multiple_of(ladder.levels() as usize))
            .map(move |(_, stride)| node - stride)
    }

    /// The nodes one step more general.
    pub(super) fn above(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let steps = self.ladders.iter().zip(&self.strides);
        steps
            .filter(move |(ladder, stride)| !(node / *stride + 1).is_multiple_of(ladder.levels() as usize))
            .map(move |(_, stride)| node + stride)
    }

    /// What all rows cost at a node when none is suppressed.
    pub(super) fn cost(&self, node: usize) -> u64 {
        self.sum(node, |sums| sums.0)
    }

    /// What a node costs at least, whichever rows are suppressed: a suppressed row costs every column's full cost, a
    /// released one its cells, and neither is less than the cells counted at full cost where they are dearer.
    pub(super) fn least_cost(&self, node: usize) -> u64 {
        self.sum(node, |sums| sums.1)
    }

    fn sum(&self, node: usize, which: impl Fn(&(u64, u64)) -> u64) -> u64 {
        let of = |(ladder, stride): (&Ladder, &usize)| {
            which(&ladder.sums[node / stride % ladder.levels() as usize])
        };
        self.ladders.iter().zip(&self.strides).map(of).sum()
    }
}
