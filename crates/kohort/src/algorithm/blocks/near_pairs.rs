//! Who is like whom: some rows of a part, each with the few others that would cost least together with it.

use rayon::prelude::*;

use crate::algorithm::scan::add_up;
use crate::data::Cell;
use crate::space::{Space, ranked};

/// Rows looked at together.
const TOGETHER: usize = 512;

/// The values of one attribute that occur in a part, numbered from 0.
struct Column {
    values: Vec<Cell>,
    /// Per row of the part: the number of its value.
    numbers: Vec<u32>,
}

impl Column {
    fn new(space: &Space<'_>, dim: usize, part: &[u32]) -> Self {
        let codes: Vec<u32> = part.iter().map(|&group| space.codes(dim)[group as usize]).collect();
        let (values, numbers) = ranked(&codes, space.attribute(dim).code_count());
        Self { values: values.into_iter().map(|code| Cell { lo: code, hi: code }).collect(), numbers }
    }
}

/// A part, laid out to be looked through.
pub(super) struct NearPairs<'a> {
    space: &'a Space<'a>,
    part: &'a [u32],
    columns: Vec<Column>,
}

impl<'a> NearPairs<'a> {
    pub(super) fn new(space: &'a Space<'a>, part: &'a [u32]) -> Self {
        let columns = (0..space.dims()).into_par_iter().map(|dim| Column::new(space, dim, part)).collect();
        Self { space, part, columns }
    }

    /// Pairs of groups: evenly spaced rows, each with so many of its nearest.
    pub(super) fn all(&self, seeds: usize, each: usize) -> Vec<(u32, u32)> {
        let seeds: Vec<usize> = evenly(self.part.len(), seeds).collect();
        let of =
            |&seed: &usize| self.nearest(seed, each).map(move |other| (self.part[seed], self.part[other]));
        seeds.par_iter().flat_map_iter(of).collect()
    }

    /// The few others that would cost least together with one, of equals the first. Rows that differ in nothing a cut could
    /// part them by tell nothing.
    fn nearest(&self, seed: usize, each: usize) -> impl Iterator<Item = usize> {
        let tables: Vec<Vec<u32>> = (0..self.columns.len()).map(|dim| self.table(dim, seed)).collect();
        let mut best = vec![(u64::MAX, usize::MAX); each];
        for from in (0..self.part.len()).step_by(TOGETHER) {
            let some = from..self.part.len().min(from + TOGETHER);
            let mut costs = [0u64; TOGETHER];
            for (column, table) in self.columns.iter().zip(&tables) {
                add_up(&mut costs[..some.len()], &column.numbers[some.clone()], table);
            }
            for (other, cost) in some.zip(costs) {
                if cost < best[each - 1].0 && self.differ(seed, other) {
                    best[each - 1] = (cost, other);
                    best.sort_unstable();
                }
            }
        }
        best.into_iter().map(|(_, other)| other).filter(|&other| other != usize::MAX)
    }

    /// What a row's value costs together with any other.
    fn table(&self, dim: usize, seed: usize) -> Vec<u32> {
        let column = &self.columns[dim];
        let mut table = Vec::with_capacity(column.values.len());
        let mine = column.values[column.numbers[seed] as usize];
        self.space.each_join(dim, mine, &column.values, |_, _, cost| table.push(cost));
        table
    }

    fn differ(&self, a: usize, b: usize) -> bool {
        self.columns.iter().any(|column| column.numbers[a] != column.numbers[b])
    }
}

/// So many of some places at most, evenly spaced.
pub(super) fn evenly(places: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = places.min(most);
    (0..count).map(move |i| i * places / count)
}
