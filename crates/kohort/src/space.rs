//! All that algorithms need of the data: distinct rows with multiplicities, and `join`, `contains`, `cost` for
//! generalized tuples. Hierarchies and intervals answer the same questions.
//!
//! Costs are integers on a scale of the table's own ([`Space::scale`]): sums do not depend on their order, a tie is a tie, and a fast form can be compared
//! with a plain loop bit for bit.

use std::sync::{Arc, OnceLock};

use crate::data::{Attribute, AxisCost, Cell, Codes, Domain, Groups, SearchCosts, Table, numbered};
use crate::model::BoundDemands;

struct Axis<'a> {
    attribute: &'a Attribute,
    cost: AxisCost,
    suppressed: u32,
}

/// Rows that no algorithm can tell apart: equal quasi-identifiers and, where a model asks, equal sensitive values.
pub struct Space<'a> {
    rows: usize,
    axes: Arc<Vec<Axis<'a>>>,
    groups: Groups,
    codes: Vec<Vec<u32>>,
    sensitive: Vec<Vec<u32>>,
    monotone: bool,
    scale: u32,
    /// Made when it is first needed: a table that is cut into blocks never does.
    local: OnceLock<Vec<Local>>,
    /// Made when it is first needed.
    tuples: OnceLock<Tuples>,
}

/// The codes of one attribute that occur, numbered from 0: a block has few of the values of a large table.
struct Local {
    /// By rank, ascending.
    values: Vec<u32>,
    /// Per group: the rank of its code.
    ranks: Vec<u32>,
}

impl Local {
    fn new(codes: &[u32], all: u32) -> Self {
        let (values, ranks) = ranked(codes, all);
        Self { values, ranks }
    }
}

/// Groups by tuple: those that differ in sensitive values alone have the same one.
pub struct Tuples {
    /// How many groups there are.
    groups: usize,
    /// Which have the same tuple; none where every group has its own, as in most large tables.
    shared: Option<Shared>,
}

struct Shared {
    groups: Groups,
    tuple_of: Vec<u64>,
}

impl Tuples {
    /// How many different tuples there are.
    pub fn len(&self) -> usize {
        self.shared.as_ref().map_or(self.groups, |shared| shared.groups.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first group of every tuple.
    pub fn firsts(&self) -> impl Iterator<Item = u32> {
        let first = |tuple: usize| match &self.shared {
            Some(shared) => shared.groups.rows(tuple)[0],
            None => tuple as u32,
        };
        (0..self.len()).map(first)
    }

    /// The groups that have the same tuple as this one, ascending.
    pub fn like<'g>(&'g self, group: &'g u32) -> &'g [u32] {
        match &self.shared {
            Some(shared) => shared.groups.rows(shared.tuple_of[*group as usize] as usize),
            None => std::slice::from_ref(group),
        }
    }
}

/// With up to so many codes per entry, values are found in a list of all codes.
const SPARSE: usize = 4;

/// The values among some codes below `all`, ascending, and per entry the place of its own.
pub fn ranked(codes: &[u32], all: u32) -> (Vec<u32>, Vec<u32>) {
    if all as usize > SPARSE * codes.len() {
        let mut values = codes.to_vec();
        values.sort_unstable();
        values.dedup();
        let ranks = codes.iter().map(|code| values.partition_point(|v| v < code) as u32).collect();
        return (values, ranks);
    }
    let mut place = vec![u32::MAX; all as usize];
    for &code in codes {
        place[code as usize] = 0;
    }
    let values: Vec<u32> = (0..all).filter(|&code| place[code as usize] == 0).collect();
    values.iter().zip(0..).for_each(|(&value, at)| place[value as usize] = at);
    let ranks = codes.iter().map(|&code| place[code as usize]).collect();
    (values, ranks)
}

impl<'a> Space<'a> {
    /// The space of a table, under the costs of its quasi-identifiers. Rows are told apart by the sensitive columns that the
    /// demands look at.
    pub fn new(table: &'a Table, costs: SearchCosts, demands: &BoundDemands) -> Self {
        let sensitive = || demands.columns().iter().map(|c| &table.sensitive[c.at]);
        let mut columns: Vec<_> = table.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
        columns.extend(sensitive().map(|s| (&s.codes, s.distinct)));
        let groups = Groups::by(table.rows, &columns);
        let first = |g: usize| groups.rows(g)[0] as usize;
        let per_group = |codes: &Codes| (0..groups.len()).map(|g| codes.get(first(g))).collect();
        Self {
            rows: table.rows,
            codes: table.qi.iter().map(|q| per_group(&q.codes)).collect(),
            sensitive: sensitive().map(|s| per_group(&s.codes)).collect(),
            axes: Arc::new(
                table
                    .qi
                    .iter()
                    .zip(costs.axes)
                    .zip(costs.suppressed)
                    .map(|((q, cost), suppressed)| Axis { attribute: &q.attribute, cost, suppressed })
                    .collect(),
            ),
            groups,
            monotone: costs.monotone,
            scale: costs.scale,
            local: OnceLock::new(),
            tuples: OnceLock::new(),
        }
    }

    /// Some of the rows, ascending, as a space of their own: numbered from 0, at the same costs.
    #[must_use]
    pub fn part(&self, group_of: &[u32], rows: &[u32]) -> Self {
        let (groups, was) = Groups::among(group_of, rows);
        let pick = |column: &Vec<u32>| was.iter().map(|&g| column[g as usize]).collect();
        Self {
            rows: rows.len(),
            axes: self.axes.clone(),
            codes: self.codes.iter().map(pick).collect(),
            sensitive: self.sensitive.iter().map(pick).collect(),
            groups,
            monotone: self.monotone,
            scale: self.scale,
            local: OnceLock::new(),
            tuples: OnceLock::new(),
        }
    }

    /// What a suppressed row costs: every cell fully lost.
    pub fn full_cost(&self) -> u64 {
        (0..self.dims()).map(|dim| u64::from(self.full_cell_cost(dim))).sum()
    }

    /// What one column's cell of a suppressed row costs.
    pub fn full_cell_cost(&self, dim: usize) -> u32 {
        self.axes[dim].suppressed
    }

    /// What a fully lost cell costs under a measure that runs from 0 to 1, in a column of full weight.
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of quasi-identifiers.
    pub fn dims(&self) -> usize {
        self.axes.len()
    }

    /// Rows by group.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Its groups by tuple.
    pub fn tuples(&self) -> &Tuples {
        self.tuples.get_or_init(|| {
            let column = |dim: usize| {
                let codes = &self.codes[dim];
                (self.attribute(dim).code_count(), move |group: usize| codes[group])
            };
            let shared = (!self.sensitive.is_empty()).then(|| {
                let (tuple_of, count) = numbered(self.groups.len(), (0..self.dims()).map(column));
                Shared { groups: Groups::gather(&tuple_of, count), tuple_of }
            });
            Tuples { groups: self.groups.len(), shared }
        })
    }

    /// The codes of one attribute, per group.
    pub fn codes(&self, dim: usize) -> &[u32] {
        &self.codes[dim]
    }

    fn local(&self, dim: usize) -> &Local {
        let local = |dim: usize| Local::new(&self.codes[dim], self.attribute(dim).code_count());
        &self.local.get_or_init(|| (0..self.dims()).map(local).collect())[dim]
    }

    /// The codes of one attribute that occur, ascending.
    pub fn values(&self, dim: usize) -> &[u32] {
        &self.local(dim).values
    }

    /// Per group, the place of its code among [`Self::values`].
    pub fn ranks(&self, dim: usize) -> &[u32] {
        &self.local(dim).ranks
    }

    /// The place of a code among [`Self::values`].
    pub fn rank(&self, dim: usize, code: u32) -> u32 {
        self.values(dim).partition_point(|&value| value < code) as u32
    }

    /// The sensitive codes, per column that the demands look at and group.
    pub fn sensitive(&self) -> &[Vec<u32>] {
        &self.sensitive
    }

    /// The attribute behind a dimension.
    pub fn attribute(&self, dim: usize) -> &Attribute {
        self.axes[dim].attribute
    }

    /// Whether a larger cell can never be cheaper than a smaller one.
    pub fn is_monotone(&self) -> bool {
        self.monotone
    }

    /// The tuple of a group, not generalized.
    pub fn tuple(&self, group: usize) -> Vec<Cell> {
        self.codes.iter().map(|c| Cell { lo: c[group], hi: c[group] }).collect()
    }

    /// The smallest cell covering both.
    pub fn join_cell(&self, dim: usize, a: Cell, b: Cell) -> Cell {
        self.axes[dim].attribute.join(a, b)
    }

    /// Grows a tuple until it covers the group; says whether it had to grow.
    pub fn absorb(&self, tuple: &mut [Cell], group: usize) -> bool {
        let mut grew = false;
        for (dim, cell) in tuple.iter_mut().enumerate() {
            let code = self.codes[dim][group];
            if cell.lo == code && cell.hi == code {
                continue;
            }
            let joined = self.join_cell(dim, *cell, Cell { lo: code, hi: code });
            grew |= joined != *cell;
            *cell = joined;
        }
        grew
    }

    /// Whether every value of the group lies in the tuple.
    pub fn contains(&self, tuple: &[Cell], group: usize) -> bool {
        tuple
            .iter()
            .enumerate()
            .all(|(dim, &cell)| self.attribute(dim).contains(cell, self.codes[dim][group]))
    }

    /// The cost of one cell.
    #[inline]
    pub fn cell_cost(&self, dim: usize, cell: Cell) -> u32 {
        match &self.axes[dim].cost {
            AxisCost::Nodes(costs) => costs[cell.lo as usize],
            AxisCost::Pairs(costs, codes) => costs[cell.lo as usize * codes + cell.hi as usize],
            AxisCost::Range(cost) => cost(cell),
        }
    }

    /// The cost of a row published as this tuple.
    pub fn cost(&self, tuple: &[Cell]) -> u64 {
        tuple.iter().enumerate().map(|(dim, &cell)| u64::from(self.cell_cost(dim, cell))).sum()
    }

    /// Joins a cell to each of others: calls `of` with the other one, the smallest cell that covers both, and its cost.
    pub fn each_join(&self, dim: usize, cell: Cell, others: &[Cell], mut of: impl FnMut(Cell, Cell, u32)) {
        // What kind of attribute it is, is asked once.
        match (&self.attribute(dim).domain, &self.axes[dim].cost) {
            (Domain::Tree(h), AxisCost::Nodes(costs)) => others.iter().for_each(|&other| {
                let node = h.lca(cell.lo, other.lo);
                of(other, Cell { lo: node, hi: node }, costs[node as usize]);
            }),
            _ => others.iter().for_each(|&other| {
                let joined = self.join_cell(dim, cell, other);
                of(other, joined, self.cell_cost(dim, joined));
            }),
        }
    }

    /// For every code that occurs, by rank, the cost of the cell that covers it and `cell`: one table per step replaces a join
    /// per row.
    pub fn join_costs(&self, dim: usize, cell: Cell, out: &mut Vec<u32>) {
        let values = self.values(dim);
        out.clear();
        match (&self.attribute(dim).domain, &self.axes[dim].cost) {
            (Domain::Tree(h), AxisCost::Nodes(costs)) => {
                out.resize(values.len(), 0);
                let (mut node, mut done) = (cell.lo, 0..0);
                loop {
                    let leaves = h.leaves(node);
                    let start = values.partition_point(|&v| v < leaves.start);
                    let end = values.partition_point(|&v| v < leaves.end);
                    if done.is_empty() {
                        out[start..end].fill(costs[node as usize]);
                    } else {
                        out[start..done.start].fill(costs[node as usize]);
                        out[done.end..end].fill(costs[node as usize]);
                    }
                    done = start..end;
                    let Some(parent) = h.parent(node) else { break };
                    node = parent;
                }
            }
            _ => out.extend(values.iter().map(|&code| {
                let joined = self.join_cell(dim, cell, Cell { lo: code, hi: code });
                self.cell_cost(dim, joined)
            })),
        }
    }
}
