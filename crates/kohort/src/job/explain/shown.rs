//! What a release shows, group by group, and which rows of the original fit it.

use rayon::prelude::*;

use crate::data::{Attribute, Groups, Table};
use crate::measure::{Gauge, Measure};
use crate::verify::{Published, Released};

/// The groups of a release.
pub(super) struct Shown {
    /// Per quasi-identifier: what it shows in every group.
    pub(super) cells: Vec<Vec<Published>>,
    /// The same as it is written.
    pub(super) texts: Vec<Vec<String>>,
    /// Per group its rows in the release, ascending.
    pub(super) rows: Vec<Vec<u32>>,
    /// The group of every row; none where it shows nothing, or is published as it is.
    pub(super) group_of: Vec<Option<u32>>,
}

impl Shown {
    /// Reads what stands in the release by the attributes of its original.
    pub(super) fn new(released: &Released, table: &Table) -> Self {
        let columns = || released.qi.iter().flatten();
        let codes: Vec<_> = columns().map(|c| (&c.codes, c.texts.len() as u32)).collect();
        let groups = Groups::by(released.rows, &codes);
        let marked = |marks: &[bool], row: u32| marks.get(row as usize) == Some(&true);
        let is_open = |row: &u32| !marked(&released.hidden, *row) && !marked(&released.verbatim, *row);
        let rows: Vec<Vec<u32>> = (0..groups.len())
            .map(|group| groups.rows(group).iter().copied().filter(is_open).collect::<Vec<u32>>())
            .filter(|rows| !rows.is_empty())
            .collect();
        let mut group_of = vec![None; released.rows];
        for (group, rows) in (0..).zip(&rows) {
            for &row in rows {
                group_of[row as usize] = Some(group);
            }
        }
        let text =
            |at: usize, column: &crate::input::Column| column.texts[column.codes.get(at) as usize].clone();
        let (mut cells, mut texts) = (Vec::new(), Vec::new());
        for (columns, q) in released.qi.iter().zip(&table.qi) {
            let shown =
                |rows: &Vec<u32>| columns.iter().map(|c| text(rows[0] as usize, c)).collect::<Vec<_>>();
            let shown: Vec<Vec<String>> = rows.iter().map(shown).collect();
            cells.push(shown.iter().map(|texts| read(&q.attribute, texts)).collect());
            texts.push(shown.into_iter().map(|texts| spelled(&texts)).collect());
        }
        Self { cells, texts, rows, group_of }
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// What every group lost per cell of a column.
    pub(super) fn losses(&self, dim: usize, attribute: &Attribute, measure: Measure) -> Vec<f64> {
        let gauge = Gauge::new(measure, attribute);
        self.cells[dim].iter().map(|cell| cell.loss(&gauge)).collect()
    }

    /// Whether a row of the original fits a group.
    pub(super) fn admits(&self, group: usize, table: &Table, row: usize) -> bool {
        let mut pairs = self.cells.iter().zip(&table.qi);
        pairs.all(|(cells, q)| cells[group].admits(&q.attribute, q.codes.get(row)))
    }

    /// The kinds of rows that fit a group.
    pub(super) fn fitting(&self, group: usize, table: &Table, kinds: &Kinds) -> Vec<u32> {
        let fits = |kind: &u32| self.admits(group, table, kinds.first(*kind) as usize);
        (0..kinds.len() as u32).into_par_iter().filter(fits).collect()
    }
}

/// Rows of the original that look the same, as far as they may be in a group.
pub(super) struct Kinds {
    groups: Groups,
    rows: Vec<u32>,
}

impl Kinds {
    pub(super) fn new(table: &Table) -> Self {
        let rows = table.in_classes();
        let part = table.select(&rows);
        let codes: Vec<_> = part.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
        Self { groups: Groups::by(part.rows, &codes), rows }
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// A row of this kind.
    pub(super) fn first(&self, kind: u32) -> u32 {
        self.rows[self.groups.rows(kind as usize)[0] as usize]
    }

    /// All of them, as they are numbered in the table.
    pub(super) fn rows(&self, kind: u32) -> impl Iterator<Item = u32> {
        self.groups.rows(kind as usize).iter().map(|&at| self.rows[at as usize])
    }

    /// How many rows some kinds have.
    pub(super) fn count(&self, kinds: &[u32]) -> u64 {
        kinds.iter().map(|&kind| self.groups.rows(kind as usize).len() as u64).sum()
    }
}

/// A text, or two ends of an interval.
fn read(attribute: &Attribute, texts: &[String]) -> Published {
    match texts {
        [lo, hi] => Published::read_bounds(attribute, lo, hi),
        [one, ..] => Published::read(attribute, one),
        [] => Published::Unknown,
    }
}

fn spelled(texts: &[String]) -> String {
    match texts {
        [lo, hi] if lo == hi => lo.clone(),
        [lo, hi] => format!("[{lo}, {hi}]"),
        [one, ..] => one.clone(),
        [] => String::new(),
    }
}
