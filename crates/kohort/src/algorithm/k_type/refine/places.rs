//! Which kinds of rows a tuple covers.
//!
//! A cell admits a range of codes, so the kinds it admits lie side by side once they are sorted by code. They are looked for among
//! those of the column that admits fewest.

use std::ops::Range;

use crate::algorithm::k_type::global::admitted;
use crate::algorithm::k_type::start::Kinds;
use crate::data::Cell;
use crate::space::Space;

/// Kinds by code, column by column.
pub(super) struct Places<'a> {
    pub(super) kinds: &'a Kinds<'a>,
    /// The ranks of the first kind, then those of the second, and so on.
    ranks: Vec<u32>,
    /// Per column, its kinds by rank.
    sorted: Vec<Vec<u32>>,
    /// Per column and rank, where its kinds begin among them; and where the last end.
    begins: Vec<Vec<u32>>,
}

impl<'a> Places<'a> {
    pub(super) fn new(kinds: &'a Kinds<'a>) -> Self {
        let (count, dims) = (kinds.count.len(), kinds.space.dims());
        let ranks = (0..count).flat_map(|kind| kinds.ranks.iter().map(move |column| column[kind])).collect();
        let mut places =
            Self { kinds, ranks, sorted: Vec::with_capacity(dims), begins: Vec::with_capacity(dims) };
        for (dim, column) in kinds.ranks.iter().enumerate() {
            let mut sorted: Vec<u32> = (0..count as u32).collect();
            sorted.sort_by_key(|&kind| column[kind as usize]);
            let begin = |rank: u32| sorted.partition_point(|&kind| column[kind as usize] < rank) as u32;
            places.begins.push((0..=kinds.space.values(dim).len() as u32).map(begin).collect());
            places.sorted.push(sorted);
        }
        places
    }

    /// The rows of every kind, ascending.
    pub(super) fn rows_of_kinds(&self) -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); self.kinds.count.len()];
        for (row, &kind) in self.kinds.of_row.iter().enumerate() {
            rows[kind as usize].push(row as u32);
        }
        rows
    }

    /// How many rows some kinds have.
    pub(super) fn rows_of(&self, kinds: &[u32]) -> u64 {
        kinds.iter().map(|&kind| u64::from(self.kinds.count[kind as usize])).sum()
    }

    /// The smallest tuple that covers some kinds.
    pub(super) fn closure(&self, kinds: &[u32]) -> Vec<Cell> {
        let mut tuple = kinds.first().map_or_else(Vec::new, |&kind| self.kinds.tuple(kind as usize));
        for &kind in kinds {
            self.kinds.absorb(&mut tuple, kind as usize);
        }
        tuple
    }

    /// The ranks of one kind, column by column.
    fn ranks(&self, kind: u32) -> &[u32] {
        let dims = self.sorted.len();
        &self.ranks[kind as usize * dims..(kind as usize + 1) * dims]
    }

    /// The kinds that a tuple covers, ascending.
    pub(super) fn inside(&self, tuple: &[Cell]) -> Vec<u32> {
        let space = self.kinds.space;
        let ranges: Vec<Range<u32>> =
            tuple.iter().enumerate().map(|(dim, &cell)| rank_range(space, dim, cell)).collect();
        let place = |dim: usize| {
            let (begins, range) = (&self.begins[dim], &ranges[dim]);
            begins[range.start as usize] as usize..begins[range.end as usize] as usize
        };
        let Some(fewest) = (0..ranges.len()).min_by_key(|&dim| place(dim).len()) else { return Vec::new() };
        let covered =
            |kind: &&u32| self.ranks(**kind).iter().zip(&ranges).all(|(rank, range)| range.contains(rank));
        let mut inside: Vec<u32> =
            self.sorted[fewest][place(fewest)].iter().filter(covered).copied().collect();
        inside.sort_unstable();
        inside
    }
}

/// The codes that a cell admits, as ranks.
fn rank_range(space: &Space<'_>, dim: usize, cell: Cell) -> Range<u32> {
    let codes = admitted(space, dim, cell);
    space.rank(dim, codes.start)..space.rank(dim, codes.end)
}
