//! Boxes that nearly pay for themselves: where good classes are to be found.
//!
//! Under the best prices, the classes of the best release cost what their rows pay (complementary slackness), but for what
//! the linear program leaves open. So sets of k rows that pay nearly what their box costs are where a search should look.

use super::hunt::Hunt;
use crate::data::Cell;
use crate::space::Space;

/// Boxes of a row at most: those whose rows pay the most of what they cost.
const BOXES: usize = 24;

/// By how much the rows of a box may pay less than it costs, as a share of what k rows pay on average.
const SLACK: f64 = 0.3;

/// Boxes that every row might be in.
#[derive(Debug, Clone)]
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

    /// The boxes that a row might be in, by number.
    pub fn boxes_of(&self, row: u32) -> &[u32] {
        let tuple = self.tuple_of_row[row as usize] as usize;
        let start = if tuple == 0 { 0 } else { self.ends[tuple - 1] };
        &self.listed[start..self.ends[tuple]]
    }

    /// The cells of a box.
    pub fn cells(&self, number: u32) -> &[Cell] {
        &self.boxes[number as usize * self.dims..][..self.dims]
    }
}
