//! The algorithms once more, row by row and without a single clever step: what the shipped ones must agree with.
//!
//! No groups of equal rows, no cost tables, no parallelism. Ancestors are found by walking, costs come from the gauges. But
//! no work for show either, because `bench` measures the shipped forms against these: what a loop needs again (the tuple
//! of a cluster, its cost) it keeps.

pub(crate) mod agglomerative;
pub(crate) mod agglomerative_cached;
pub(crate) mod enhanced_pk;
pub(crate) mod forest;
pub(crate) mod global_walk;
pub(crate) mod greedy_pk;
pub(crate) mod incognito;
pub(crate) mod insertion;
pub(crate) mod k_member;
pub(crate) mod k_type;
pub(crate) mod kaca;
pub(crate) mod models;
pub(crate) mod mondrian;
pub(crate) mod oka;
pub(crate) mod optimum;
pub(crate) mod repair;
pub(crate) mod systematic;

use kohort::data::{Cell, Domain, Hierarchy, Table};
use kohort::measure::{Gauge, Measure};

/// A table with the costs of one measure and the demands on every class.
pub(crate) struct Plain<'a> {
    pub(crate) table: &'a Table,
    gauges: Vec<Gauge>,
    shares: Vec<f64>,
    /// What a fully lost cell costs.
    pub(crate) scale: u32,
    pub(crate) k: usize,
    /// Different sensitive values asked for; 1 asks for none.
    pub(crate) p: usize,
    /// What p counts of every code, one list per sensitive column; none: the code itself.
    kinds: Vec<Option<Vec<u32>>>,
}

impl<'a> Plain<'a> {
    pub(crate) fn new(table: &'a Table, measure: Measure, k: usize, p: usize) -> Self {
        let heaviest = table.qi.iter().map(|q| q.attribute.weight).fold(f64::MIN_POSITIVE, f64::max);
        Self {
            table,
            gauges: table.qi.iter().map(|q| Gauge::new(measure, &q.attribute)).collect(),
            shares: table.qi.iter().map(|q| q.attribute.weight / heaviest).collect(),
            scale: measure.search_costs(table).scale,
            k,
            p,
            kinds: vec![None; table.sensitive.len()],
        }
    }

    /// The same with other kinds: the extended p-sensitivity of `algorithms.md` §3.5.
    pub(crate) fn with_kinds(self, kinds: Vec<Option<Vec<u32>>>) -> Self {
        assert_eq!(kinds.len(), self.table.sensitive.len());
        Self { kinds, ..self }
    }

    pub(crate) fn dims(&self) -> usize {
        self.table.qi.len()
    }

    pub(crate) fn code(&self, dim: usize, row: u32) -> u32 {
        self.table.qi[dim].codes.get(row as usize)
    }

    /// What a suppressed cell costs: in full, whatever the column weighs.
    pub(crate) fn full_cell_cost(&self, dim: usize) -> u64 {
        (self.gauges[dim].full() * f64::from(self.scale)).round() as u64
    }

    /// The row itself as a tuple.
    pub(crate) fn leaf(&self, row: u32) -> Vec<Cell> {
        (0..self.dims()).map(|dim| leaf(self.code(dim, row))).collect()
    }

    /// The smallest tuple that covers the tuple and the row.
    pub(crate) fn grown(&self, tuple: &[Cell], row: u32) -> Vec<Cell> {
        (0..self.dims()).map(|dim| self.join(dim, tuple[dim], leaf(self.code(dim, row)))).collect()
    }

    /// The smallest tuple that covers all rows.
    pub(crate) fn closure(&self, rows: &[u32]) -> Vec<Cell> {
        rows[1..].iter().fold(self.leaf(rows[0]), |tuple, &row| self.grown(&tuple, row))
    }

    pub(crate) fn join(&self, dim: usize, a: Cell, b: Cell) -> Cell {
        match &self.table.qi[dim].attribute.domain {
            Domain::Tree(h) => leaf(common_ancestor(h, a.lo, b.lo)),
            Domain::Interval(n) => {
                let (lo, hi) = (a.lo.min(b.lo), a.hi.max(b.hi));
                // Present and missing together: nothing can be said.
                let mixed = hi == n.len() && lo < n.len();
                Cell { lo: if mixed { 0 } else { lo }, hi }
            }
        }
    }

    pub(crate) fn cell_cost(&self, dim: usize, cell: Cell) -> u64 {
        (self.gauges[dim].cell(cell) * self.shares[dim] * f64::from(self.scale)).round() as u64
    }

    pub(crate) fn cost(&self, tuple: &[Cell]) -> u64 {
        tuple.iter().enumerate().map(|(dim, &cell)| self.cell_cost(dim, cell)).sum()
    }

    /// What a row would cost in a class of this tuple, the row included.
    pub(crate) fn joined_cost(&self, tuple: &[Cell], row: u32) -> u64 {
        (0..self.dims())
            .map(|dim| self.cell_cost(dim, self.join(dim, tuple[dim], leaf(self.code(dim, row)))))
            .sum()
    }

    /// What the smallest tuple that covers both tuples costs.
    pub(crate) fn joint_cost(&self, a: &[Cell], b: &[Cell]) -> u64 {
        (0..self.dims()).map(|dim| self.cell_cost(dim, self.join(dim, a[dim], b[dim]))).sum()
    }

    /// All rows by their quasi-identifiers, in the order in which they were named; equal rows as they came.
    pub(crate) fn sorted_rows(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..self.table.rows as u32).collect();
        let mut named: Vec<(u32, usize)> =
            self.table.qi.iter().enumerate().map(|(dim, q)| (q.attribute.place, dim)).collect();
        named.sort_unstable();
        let codes = |row: u32| named.iter().map(|&(_, dim)| self.code(dim, row)).collect::<Vec<_>>();
        rows.sort_by_key(|&row| (codes(row), row));
        rows
    }

    /// The smallest tuple that covers both tuples.
    pub(crate) fn joined(&self, a: &[Cell], b: &[Cell]) -> Vec<Cell> {
        (0..self.dims()).map(|dim| self.join(dim, a[dim], b[dim])).collect()
    }

    /// What publishing the rows as one class loses; signed, as losses are compared by their differences.
    pub(crate) fn loss(&self, rows: &[u32]) -> i128 {
        rows.len() as i128 * i128::from(self.cost(&self.closure(rows)))
    }

    pub(crate) fn columns(&self) -> usize {
        self.table.sensitive.len()
    }

    /// What p counts of the row's value in one sensitive column.
    pub(crate) fn kind(&self, column: usize, row: u32) -> u32 {
        let code = self.table.sensitive[column].codes.get(row as usize);
        self.kinds[column].as_ref().map_or(code, |kinds| kinds[code as usize])
    }

    /// The kinds of values of one sensitive column among some rows, each once.
    pub(crate) fn values(&self, column: usize, rows: &[u32]) -> Vec<u32> {
        let mut values: Vec<u32> = rows.iter().map(|&row| self.kind(column, row)).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Whether every sensitive column has enough values.
    pub(crate) fn diverse(&self, rows: &[u32]) -> bool {
        self.p <= 1 || (0..self.columns()).all(|s| self.values(s, rows).len() >= self.p)
    }

    pub(crate) fn holds(&self, rows: &[u32]) -> bool {
        rows.len() >= self.k && self.diverse(rows)
    }

    /// The cost of all rows when every cluster is published as its closure.
    pub(crate) fn total(&self, clusters: &[Vec<u32>]) -> u64 {
        clusters.iter().map(|c| c.len() as u64 * self.cost(&self.closure(c))).sum()
    }
}

pub(crate) fn leaf(code: u32) -> Cell {
    Cell { lo: code, hi: code }
}

/// The first node on the way up from `a` that is also on the way up from `b`.
fn common_ancestor(h: &Hierarchy, a: u32, b: u32) -> u32 {
    let up = |node| std::iter::successors(Some(node), |&n| h.parent(n));
    up(a).find(|&x| up(b).any(|y| x == y)).unwrap()
}

/// Cluster lists as one number per row.
pub(crate) fn numbered(rows: usize, clusters: &[Vec<u32>]) -> Vec<u32> {
    let mut of_row = vec![u32::MAX; rows];
    for (number, cluster) in clusters.iter().enumerate() {
        for &row in cluster {
            of_row[row as usize] = number as u32;
        }
    }
    of_row
}

/// One number per row as cluster lists.
pub(crate) fn listed(of_row: &[u32]) -> Vec<Vec<u32>> {
    let mut clusters = vec![Vec::new(); of_row.iter().max().map_or(0, |&c| c as usize + 1)];
    for (row, &cluster) in of_row.iter().enumerate() {
        clusters[cluster as usize].push(row as u32);
    }
    clusters
}
