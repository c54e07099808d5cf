//! k-member as an engineer would write it first: a loop over rows of codes, with what joining costs looked up in tables.
//!
//! The loop of the tests walks up trees for every join, so it says little about how fast a form without any idea is. This one has
//! tables and contiguous columns, but no groups of equal rows, no bounds and no threads.

use std::cmp::Reverse;

use kohort::data::{Cell, Domain};

use crate::plain::Plain;

/// One quasi-identifier.
struct Column {
    /// Per row.
    codes: Vec<u32>,
    /// How many codes there are.
    count: usize,
    /// Per cell and code, the smallest cell that covers both.
    joined: Vec<u32>,
    /// Per cell.
    cost: Vec<u64>,
}

impl Column {
    fn new(plain: &Plain<'_>, dim: usize) -> Self {
        let attribute = &plain.table.qi[dim].attribute;
        let count = attribute.code_count() as usize;
        let is_tree = matches!(attribute.domain, Domain::Tree(_));
        let cells: Vec<Cell> = match &attribute.domain {
            Domain::Tree(tree) => (0..tree.len() as u32).map(|node| Cell { lo: node, hi: node }).collect(),
            Domain::Interval(_) => (0..(count * count) as u32)
                .map(|cell| Cell { lo: cell / count as u32, hi: cell % count as u32 })
                .collect(),
        };
        let number = |cell: Cell| if is_tree { cell.lo } else { cell.lo * count as u32 + cell.hi };
        let code = |code: usize| Cell { lo: code as u32, hi: code as u32 };
        let with = |&cell: &Cell| (0..count).map(move |c| number(plain.join(dim, cell, code(c))));
        Self {
            codes: (0..plain.table.rows as u32).map(|row| plain.code(dim, row)).collect(),
            count,
            joined: cells.iter().flat_map(with).collect(),
            cost: cells.iter().map(|&cell| plain.cell_cost(dim, cell)).collect(),
        }
    }

    /// The cell of a row by itself.
    fn cell(&self, row: u32) -> u32 {
        self.with(0, row, true)
    }

    /// A cell joined with a row; the row alone where there is no cell.
    fn with(&self, cell: u32, row: u32, alone: bool) -> u32 {
        let code = self.codes[row as usize] as usize;
        let is_tree = self.cost.len() != self.count * self.count;
        match (alone, is_tree) {
            (true, true) => code as u32,
            (true, false) => (code * self.count + code) as u32,
            (false, _) => self.joined[cell as usize * self.count + code],
        }
    }

    /// By code, what joining it to a cell costs.
    fn costs(&self, cell: u32) -> Vec<u64> {
        let from = cell as usize * self.count;
        self.joined[from..from + self.count].iter().map(|&joined| self.cost[joined as usize]).collect()
    }
}

struct Table {
    columns: Vec<Column>,
}

impl Table {
    fn tuple(&self, row: u32) -> Vec<u32> {
        self.columns.iter().map(|column| column.cell(row)).collect()
    }

    fn grow(&self, tuple: &mut [u32], row: u32) {
        for (cell, column) in tuple.iter_mut().zip(&self.columns) {
            *cell = column.with(*cell, row, false);
        }
    }

    fn cost(&self, tuple: &[u32]) -> u64 {
        self.columns.iter().zip(tuple).map(|(column, &cell)| column.cost[cell as usize]).sum()
    }

    /// What joining each of some rows to a tuple costs.
    fn costs(&self, tuple: &[u32], rows: &[u32]) -> Vec<u64> {
        let mut sums = vec![0; rows.len()];
        for (column, &cell) in self.columns.iter().zip(tuple) {
            let costs = column.costs(cell);
            for (sum, &row) in sums.iter_mut().zip(rows) {
                *sum += costs[column.codes[row as usize] as usize];
            }
        }
        sums
    }
}

/// The clusters in the order in which they were begun; the first seed is the first row.
pub(crate) fn k_member(plain: &Plain<'_>) -> Vec<Vec<u32>> {
    let table = Table { columns: (0..plain.dims()).map(|dim| Column::new(plain, dim)).collect() };
    let mut left: Vec<u32> = (0..plain.table.rows as u32).collect();
    let mut clusters: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    let mut seed = 0;
    while left.len() >= plain.k {
        if !clusters.is_empty() {
            let costs = table.costs(&table.tuple(seed), &left);
            let ranked = left.iter().zip(costs).map(|(&row, cost)| (Reverse(cost), row));
            seed = ranked.min().map_or(seed, |(_, row)| row);
        }
        clusters.push(grow(&table, plain.k, &mut left, seed));
    }
    for row in left {
        disperse(&table, &mut clusters, row);
    }
    clusters.into_iter().map(|(rows, _)| rows).collect()
}

fn grow(table: &Table, k: usize, left: &mut Vec<u32>, seed: u32) -> (Vec<u32>, Vec<u32>) {
    let (mut rows, mut tuple) = (vec![seed], table.tuple(seed));
    left.retain(|&row| row != seed);
    while rows.len() < k {
        let costs = table.costs(&tuple, left);
        let Some((_, best)) = costs.into_iter().zip(left.iter().copied()).min() else { break };
        table.grow(&mut tuple, best);
        rows.push(best);
        left.retain(|&row| row != best);
    }
    (rows, tuple)
}

/// The row joins the cluster whose loss grows least; then the smaller, then the earlier one.
fn disperse(table: &Table, clusters: &mut [(Vec<u32>, Vec<u32>)], row: u32) {
    let increase = |(rows, tuple): &(Vec<u32>, Vec<u32>)| {
        let mut with = tuple.clone();
        table.grow(&mut with, row);
        let size = rows.len() as u64;
        ((size + 1) * table.cost(&with)).cast_signed() - (size * table.cost(tuple)).cast_signed()
    };
    if let Some((rows, tuple)) = clusters.iter_mut().min_by_key(|c| (increase(c), c.0.len())) {
        table.grow(tuple, row);
        rows.push(row);
    }
}
