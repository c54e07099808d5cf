//! The lattice of level vectors, and what each level makes of each column's values.

use super::Fixed;
use crate::data::{Cell, Space};
use crate::error::{Error, Result};
use crate::model::Models;

/// The largest lattice that is searched.
const LARGEST: u64 = 100_000_000;

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

impl Ladder {
    fn new(space: &Space<'_>, dim: usize, range: (u32, u32)) -> Self {
        let attribute = space.attribute(dim);
        let mut rows_of = vec![0u64; attribute.code_count() as usize];
        for (group, &code) in space.codes(dim).iter().enumerate() {
            rows_of[code as usize] += space.groups().rows(group).len() as u64;
        }
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

    /// The cost of a value's cell at a level.
    pub(super) fn cost(&self, level: u32, code: u32) -> u32 {
        self.costs[self.at(level)][code as usize]
    }

    /// Whether all values look alike at the highest level that may be taken.
    pub(super) fn says_nothing_at_the_top(&self) -> bool {
        self.widths.last().is_none_or(|&width| width <= 1)
    }

    fn levels(&self) -> u64 {
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
    pub(super) models: &'a Models,
    /// How many rows may be suppressed; never all.
    pub(super) quota: u64,
    pub(super) ladders: Vec<Ladder>,
    /// The columns in the order in which the search fixes their levels: those with most values first, because raising
    /// them merges most rows; single-level columns before all, because they cost one step only.
    pub(super) order: Vec<usize>,
    /// Per column: by how much a step up raises a node's number.
    pub(super) strides: Vec<usize>,
}

impl<'a> Lattice<'a> {
    /// The lattice below the boundaries, with some levels fixed. Refuses one that is too large to be searched.
    pub(super) fn new(space: &'a Space<'a>, models: &'a Models, quota: usize, fixed: &Fixed) -> Result<Self> {
        let ladders: Vec<Ladder> = (0..space.dims())
            .map(|dim| {
                let attribute = space.attribute(dim);
                let highest = attribute.highest_allowed(space.codes(dim).iter().copied());
                let level = fixed.get(&attribute.name).map(|&level| level.min(highest));
                Ladder::new(space, dim, level.map_or((0, highest), |level| (level, level)))
            })
            .collect();
        let nodes = ladders.iter().fold(1u64, |product, l| product.saturating_mul(l.levels()));
        if nodes > LARGEST {
            return Err(too_large(&ladders, nodes));
        }
        let mut order: Vec<usize> = (0..ladders.len()).collect();
        let values = |dim: usize| ladders[dim].widths.first().copied().unwrap_or(0);
        order.sort_by_key(|&dim| (ladders[dim].levels() > 1, std::cmp::Reverse(values(dim)), dim));
        let mut strides = vec![1; ladders.len()];
        let mut stride = 1;
        for &dim in order.iter().rev() {
            strides[dim] = stride;
            stride *= ladders[dim].levels() as usize;
        }
        let quota = (quota as u64).min((space.rows() as u64).saturating_sub(1));
        Ok(Self { space, models, quota, ladders, order, strides })
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.ladders.iter().map(|l| l.levels() as usize).product()
    }

    /// The levels of a node, by column.
    pub(super) fn levels(&self, node: usize) -> Vec<u32> {
        let level = |(ladder, stride): (&Ladder, &usize)| {
            ladder.range.0 + (node / stride % ladder.levels() as usize) as u32
        };
        self.ladders.iter().zip(&self.strides).map(level).collect()
    }

    /// The node of some levels.
    pub(super) fn node(&self, levels: &[u32]) -> usize {
        let ladders = self.ladders.iter().zip(&self.strides);
        ladders.zip(levels).map(|((ladder, stride), level)| ladder.at(*level) * stride).sum()
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

fn too_large(ladders: &[Ladder], nodes: u64) -> Error {
    let levels: Vec<String> = ladders.iter().map(|l| l.levels().to_string()).collect();
    Error::job(format!(
        "incognito would have to search {nodes} combinations of levels ({}), expected at most {LARGEST}",
        levels.join(" × ")
    ))
    .at("--algorithm incognito")
    .help("fix some levels with --levels, flatten hierarchies, or take an algorithm of local recoding such as mondrian")
}
