//! Boxes that nearly pay for themselves: where good classes are to be found.
//!
//! Under the best prices, the classes of the best release cost what their rows pay (complementary slackness), but for what
//! the linear program leaves open. So sets of k rows that pay nearly what their box costs are where a search should look.

use serde::{Deserialize, Serialize};

use super::hunt::Hunt;
use crate::data::{Cell, Domain};
use crate::space::Space;

/// Boxes of a row at most: those whose rows pay the most of what they cost.
const BOXES: usize = 24;

/// By how much the rows of a box may pay less than it costs, as a share of what k rows pay on average.
const SLACK: f64 = 0.3;

/// Boxes that every row might be in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Guide {
    dims: usize,
    /// The cells of all boxes, one after the other.
    boxes: Vec<Cell>,
    /// Numbers of boxes, those of one tuple after those of another, and where each ends.
    listed: Vec<u32>,
    ends: Vec<usize>,
    tuple_of_row: Vec<u32>,
}

impl Guide {
    pub(super) fn new(space: &Space<'_>, hunt: &Hunt<'_>) -> Self {
        let (dims, tuples) = (space.dims(), hunt.terrain.len());
        let mut group_of_tuple = vec![0; tuples];
        let mut tuple_of_row = vec![0; space.rows()];
        for (group, &tuple) in hunt.terrain.tuple_of.iter().enumerate() {
            group_of_tuple[tuple as usize] = group;
            for &row in space.groups().rows(group) {
                tuple_of_row[row as usize] = tuple;
            }
        }
        let cell = |dim: usize, members: &[(u32, u32)]| {
            let (attribute, codes) = (space.attribute(dim), space.codes(dim));
            let leaf = |&(tuple, _): &(u32, u32)| attribute.leaf(codes[group_of_tuple[tuple as usize]]);
            members.iter().map(leaf).reduce(|a, b| attribute.join(a, b))
        };
        let mut of_tuple: Vec<Vec<(i64, u32)>> = vec![Vec::new(); tuples];
        let mut boxes: Vec<Cell> = Vec::new();
        for (number, (members, slack)) in (0..).zip(hunt.nearly_paid(SLACK)) {
            boxes.extend((0..dims).filter_map(|dim| cell(dim, members)));
            for &(tuple, _) in members {
                of_tuple[tuple as usize].push((slack, number));
            }
        }
        let (mut ends, mut listed) = (Vec::with_capacity(tuples), Vec::new());
        for mut of in of_tuple {
            of.sort_unstable();
            of.truncate(BOXES);
            listed.extend(of.into_iter().map(|(_, number)| number));
            ends.push(listed.len());
        }
        Self { dims, boxes, listed, ends, tuple_of_row }
    }

    /// The boxes of some rows alone, which are numbered as they come.
    #[must_use]
    pub fn of_rows(&self, rows: &[u32]) -> Self {
        let mut tuples: Vec<u32> = rows.iter().map(|&row| self.tuple_of_row[row as usize]).collect();
        let tuple_of_row = tuples.clone();
        tuples.sort_unstable();
        tuples.dedup();
        let place = |sorted: &[u32], of: u32| sorted.partition_point(|&other| other < of) as u32;
        let mut used: Vec<u32> =
            tuples.iter().flat_map(|&tuple| self.boxes_of_tuple(tuple)).copied().collect();
        used.sort_unstable();
        used.dedup();
        let (mut ends, mut listed) = (Vec::with_capacity(tuples.len()), Vec::new());
        for &tuple in &tuples {
            listed.extend(self.boxes_of_tuple(tuple).iter().map(|&number| place(&used, number)));
            ends.push(listed.len());
        }
        Self {
            dims: self.dims,
            boxes: used.iter().flat_map(|&number| self.cells(number)).copied().collect(),
            listed,
            ends,
            tuple_of_row: tuple_of_row.into_iter().map(|tuple| place(&tuples, tuple)).collect(),
        }
    }

    /// Whether it is about the rows of a space, and names no box or cell that does not exist.
    pub fn fits(&self, space: &Space<'_>) -> bool {
        let is_cell = |(at, cell): (usize, &Cell)| match &space.attribute(at % self.dims).domain {
            Domain::Tree(tree) => cell.lo == cell.hi && (cell.lo as usize) < tree.len(),
            Domain::Interval(numbers) => cell.lo <= cell.hi && cell.hi < numbers.code_count(),
        };
        self.dims == space.dims()
            && self.dims > 0
            && self.boxes.len().is_multiple_of(self.dims)
            && self.boxes.iter().enumerate().all(is_cell)
            && self.listed.iter().all(|&number| (number as usize) < self.boxes.len() / self.dims)
            && self.ends.is_sorted()
            && self.ends.last().is_none_or(|&end| end == self.listed.len())
            && self.tuple_of_row.len() == space.rows()
            && self.tuple_of_row.iter().all(|&tuple| (tuple as usize) < self.ends.len())
    }

    /// The boxes that a row might be in, by number.
    pub fn boxes_of(&self, row: u32) -> &[u32] {
        self.boxes_of_tuple(self.tuple_of_row[row as usize])
    }

    fn boxes_of_tuple(&self, tuple: u32) -> &[u32] {
        let tuple = tuple as usize;
        let start = if tuple == 0 { 0 } else { self.ends[tuple - 1] };
        &self.listed[start..self.ends[tuple]]
    }

    /// The cells of a box.
    pub fn cells(&self, number: u32) -> &[Cell] {
        &self.boxes[number as usize * self.dims..][..self.dims]
    }
}
