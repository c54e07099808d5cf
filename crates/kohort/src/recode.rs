//! Solution and table to release. The only place that generalizes.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::data::{Cell, Codes, Domain, Groups, QuasiIdentifier, Table};
use crate::solution::{Levels, SUPPRESSED, Solution, VERBATIM, is_class};

/// A table of generalized tuples: every row has a class, every class one cell per quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The class of every row of the table, or [`SUPPRESSED`] or [`VERBATIM`].
    pub class_of: Vec<u32>,
    /// Per quasi-identifier: its different published cells.
    pub cells: Vec<Vec<Cell>>,
    /// Per quasi-identifier and class: which of `cells` is published.
    pub tuples: Vec<Vec<u32>>,
}

impl Release {
    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.tuples.first().map_or(0, Vec::len)
    }

    /// What is published of a row in one column; `None` for a row in no class.
    pub fn cell(&self, dim: usize, row: usize) -> Option<Cell> {
        let class = self.class_of[row];
        is_class(class).then(|| self.cells[dim][self.tuples[dim][class as usize] as usize])
    }

    /// Whether some rows are published as they are.
    pub fn has_verbatim(&self) -> bool {
        self.class_of.contains(&VERBATIM)
    }
}

/// Applies a solution to the table it was found for.
pub fn recode(table: &Table, solution: &Solution) -> Release {
    match solution {
        Solution::Clusters(class_of) => closures(table, class_of),
        Solution::Levels(levels) => full_domain(table, levels),
        Solution::PerRecord(tuples) => intern(table, tuples),
    }
}

/// Every cluster becomes its closure.
fn closures(table: &Table, class_of: &[u32]) -> Release {
    let classes = class_of.iter().filter(|&&c| is_class(c)).max().map_or(0, |&c| c as usize + 1);
    let (cells, tuples) =
        table.qi.par_iter().map(|q| dictionary(closure(q, class_of, classes).into_iter())).unzip();
    Release { class_of: class_of.to_vec(), cells, tuples }
}

fn closure(q: &QuasiIdentifier, class_of: &[u32], classes: usize) -> Vec<Cell> {
    let mut cells: Vec<Option<Cell>> = vec![None; classes];
    for (row, &class) in class_of.iter().enumerate().filter(|(_, c)| is_class(**c)) {
        let leaf = q.attribute.leaf(q.codes.get(row));
        let cell = &mut cells[class as usize];
        *cell = Some(cell.map_or(leaf, |c| q.attribute.join(c, leaf)));
    }
    cells.into_iter().map(|cell| cell.unwrap_or_else(|| q.attribute.top())).collect()
}

/// Every value goes up by its column's level; rows with equal tuples share a class.
fn full_domain(table: &Table, solution: &Levels) -> Release {
    let published: Vec<Column> =
        table.qi.par_iter().zip(&solution.chosen).map(|(q, &level)| Column::raised(q, level)).collect();
    let columns: Vec<_> = published.iter().map(|c| (&c.codes, c.cells.len() as u32)).collect();
    let groups = Groups::by(table.rows, &columns);
    let mut class_of: Vec<u32> =
        (0..table.rows).map(|row| if table.is_verbatim(row) { VERBATIM } else { 0 }).collect();
    solution.suppressed.iter().for_each(|&row| class_of[row as usize] = SUPPRESSED);
    let mut firsts = Vec::new();
    for group in 0..groups.len() {
        let in_class = |row: &u32| is_class(class_of[*row as usize]);
        let rows: Vec<u32> = groups.rows(group).iter().copied().filter(in_class).collect();
        let Some(&first) = rows.first() else { continue };
        let class = firsts.len() as u32;
        firsts.push(first as usize);
        for row in rows {
            class_of[row as usize] = class;
        }
    }
    let of_classes = |c: Column| (firsts.iter().map(|&row| c.codes.get(row)).collect(), c.cells);
    let (tuples, mut cells): (Vec<Vec<u32>>, Vec<Vec<Cell>>) = published.into_iter().map(of_classes).unzip();
    for ((cells, q), &level) in cells.iter_mut().zip(&table.qi).zip(&solution.chosen) {
        if level > 0 && matches!(q.attribute.domain, Domain::Interval(_)) {
            *cells = vec![whole_range(q, &class_of)];
        }
    }
    Release { class_of, cells, tuples }
}

/// The range of an interval column, of the rows that are released: the ends of the whole table would be the values of
/// people who were suppressed.
fn whole_range(q: &QuasiIdentifier, class_of: &[u32]) -> Cell {
    let rows = class_of.iter().enumerate().filter(|(_, class)| is_class(**class));
    let leaves = rows.map(|(row, _)| q.attribute.leaf(q.codes.get(row)));
    leaves.reduce(|a, b| q.attribute.join(a, b)).unwrap_or_else(|| q.attribute.top())
}

/// A column at one level: its different cells, and which of them every row has.
struct Column {
    cells: Vec<Cell>,
    codes: Codes,
}

impl Column {
    fn raised(q: &QuasiIdentifier, level: u32) -> Self {
        let codes = 0..q.attribute.code_count();
        let (cells, of_code) = dictionary(codes.map(|code| q.attribute.raised(code, level)));
        Self { cells, codes: q.codes.iter().map(|code| of_code[code as usize]).collect() }
    }
}

/// Rows with equal tuples share a class.
fn intern(table: &Table, tuples: &[Vec<Cell>]) -> Release {
    let mut numbers: FxHashMap<&[Cell], u32> = FxHashMap::default();
    let mut order: Vec<&[Cell]> = Vec::new();
    let class_of = tuples
        .iter()
        .enumerate()
        .map(|(row, tuple)| {
            if tuple.is_empty() {
                return if table.is_verbatim(row) { VERBATIM } else { SUPPRESSED };
            }
            *numbers.entry(tuple).or_insert_with(|| {
                order.push(tuple);
                order.len() as u32 - 1
            })
        })
        .collect();
    let (cells, tuples) = (0..table.qi.len()).map(|dim| dictionary(order.iter().map(|t| t[dim]))).unzip();
    Release { class_of, cells, tuples }
}

fn dictionary(column: impl Iterator<Item = Cell>) -> (Vec<Cell>, Vec<u32>) {
    let mut numbers: FxHashMap<Cell, u32> = FxHashMap::default();
    let mut cells = Vec::new();
    let codes = column
        .map(|cell| {
            *numbers.entry(cell).or_insert_with(|| {
                cells.push(cell);
                cells.len() as u32 - 1
            })
        })
        .collect();
    (cells, codes)
}
