//! The levels of one attribute: wider and wider cells, by which rows look alike.

use crate::data::{Cell, Domain, Hierarchy, Numbers};
use crate::space::Space;

/// Up to so many values each level of intervals is half as wide again as the one before, beyond it twice as wide.
const FINE: usize = 300;

/// The levels of one attribute.
pub(super) struct Ladder {
    levels: Vec<Level>,
}

struct Level {
    /// Per rank of a value: what it looks like.
    labels: Vec<u32>,
    /// What all rows cost together if their values look so.
    cost: u64,
}

impl Ladder {
    /// The levels of an attribute in a space.
    pub(super) fn new(space: &Space<'_>, dim: usize) -> Self {
        let values = space.values(dim);
        let mut rows = vec![0u64; values.len()];
        for (group, &rank) in space.ranks(dim).iter().enumerate() {
            rows[rank as usize] += space.groups().rows(group).len() as u64;
        }
        let level = |(labels, cells): (Vec<u32>, Vec<Cell>)| {
            let costs =
                cells.iter().zip(&rows).map(|(&cell, &rows)| u64::from(space.cell_cost(dim, cell)) * rows);
            Level { cost: costs.sum(), labels }
        };
        let steps = match &space.attribute(dim).domain {
            Domain::Tree(tree) => ancestors(tree, values),
            Domain::Interval(numbers) => intervals(numbers, values),
        };
        Self { levels: steps.into_iter().map(level).collect() }
    }

    /// What each level costs, the finest first.
    pub(super) fn costs(&self) -> Vec<u64> {
        self.levels.iter().map(|level| level.cost).collect()
    }

    /// What a value looks like at a level.
    #[inline]
    pub(super) fn label(&self, level: u32, rank: u32) -> u32 {
        self.levels[level as usize].labels[rank as usize]
    }
}

/// Labels and cells by rank, level by level: from every value one step up at a time, until all are the same.
fn ancestors(tree: &Hierarchy, values: &[u32]) -> Vec<(Vec<u32>, Vec<Cell>)> {
    let mut nodes: Vec<u32> = values.to_vec();
    let mut levels = Vec::new();
    loop {
        levels.push((nodes.clone(), nodes.iter().map(|&node| Cell { lo: node, hi: node }).collect()));
        let above: Vec<u32> = nodes.iter().map(|&node| tree.parent(node).unwrap_or(node)).collect();
        if above == nodes || nodes.iter().all(|&node| node == nodes[0]) {
            return levels;
        }
        nodes = above;
    }
}

/// Intervals of 1, 2, 3, 4, 6, 9, … values that occur. Missing values are apart from all others until the last level.
fn intervals(numbers: &Numbers, values: &[u32]) -> Vec<(Vec<u32>, Vec<Cell>)> {
    let present = values.iter().filter(|&&code| code < numbers.len()).count();
    let mut widths = vec![1];
    while let Some(&width) = widths.last().filter(|&&width| width < present) {
        let wider = if width < 3 {
            width + 1
        } else if present > FINE {
            width * 2
        } else {
            width * 3 / 2
        };
        widths.push(wider.min(present));
    }
    let mut levels: Vec<_> = widths.into_iter().map(|width| level(values, present, width)).collect();
    if present > 0 && present < values.len() {
        let top = Cell { lo: 0, hi: numbers.code_count() - 1 };
        levels.push((vec![0; values.len()], vec![top; values.len()]));
    }
    levels
}

fn level(values: &[u32], present: usize, width: usize) -> (Vec<u32>, Vec<Cell>) {
    let of_rank = |rank: usize| {
        if rank >= present {
            return (u32::MAX, Cell { lo: values[rank], hi: values[rank] });
        }
        let first = rank / width * width;
        let last = (first + width - 1).min(present - 1);
        ((rank / width) as u32, Cell { lo: values[first], hi: values[last] })
    };
    (0..values.len()).map(of_rank).unzip()
}
