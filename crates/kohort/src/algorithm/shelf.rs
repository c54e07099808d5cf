//! Clusters laid out for scanning: one column of cell numbers per attribute, one slot per cluster.
//!
//! The generalized cells that occur are numbered as they appear. What joining one of them to all others costs is worked
//! out once per cell, extended as new cells appear, and then read from a table: a scan adds up one entry per attribute and
//! cluster. A table is forgotten when all of them together grow too large; it is then made again, with the same content.

use rustc_hash::FxHashMap;

use super::scan::scan;
use crate::data::{Cell, Space};

/// Where a table entry says that the other cell does not cover this one; a sum over attributes counts how often. Costs stay
/// below: a fully lost cell is `1 << 24`, and entropies of 2³² rows are 32 bits.
const OUTSIDE: u32 = 48;

/// Entries of all tables of one attribute before they are forgotten: 64 MiB.
const ENTRIES: usize = 1 << 23;

/// The cost of a table entry, or of a sum of them.
pub(super) fn cost(entry: u64) -> u64 {
    entry & ((1 << OUTSIDE) - 1)
}

/// The cells of one attribute that occurred so far.
pub(super) struct Cells {
    seen: Vec<Cell>,
    number: FxHashMap<Cell, u32>,
    /// Per cell that was looked up, numbered or not: the cost of its join with cell 0, 1, 2, …, as far as it was needed.
    joined: FxHashMap<Cell, Vec<u64>>,
    entries: usize,
}

impl Cells {
    pub(super) fn new() -> Self {
        Self { seen: Vec::new(), number: FxHashMap::default(), joined: FxHashMap::default(), entries: 0 }
    }

    /// The number of a cell.
    pub(super) fn number(&mut self, cell: Cell) -> u32 {
        *self.number.entry(cell).or_insert_with(|| {
            self.seen.push(cell);
            self.seen.len() as u32 - 1
        })
    }

    /// Brings the table of a cell up to date.
    pub(super) fn prepare(&mut self, space: &Space<'_>, dim: usize, cell: Cell) {
        if self.entries > ENTRIES {
            self.joined.clear();
            self.entries = 0;
        }
        let table = self.joined.entry(cell).or_default();
        let from = table.len();
        let cost = |&other: &Cell| {
            let joined = space.join_cell(dim, cell, other);
            u64::from(space.cell_cost(dim, joined)) | u64::from(joined != other) << OUTSIDE
        };
        table.extend(self.seen[from..].iter().map(cost));
        self.entries += table.len() - from;
    }

    /// The costs of joining a cell to every other, by number; with a mark where the other does not cover it.
    pub(super) fn marked(&self, cell: Cell) -> &[u64] {
        self.joined.get(&cell).map_or(&[], Vec::as_slice)
    }
}

/// What a scan sees of a cluster.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// Who it is: the caller's number.
    pub(super) key: u32,
    /// Its rows.
    pub(super) size: u32,
    /// The cost of its tuple.
    pub(super) cost: u64,
    /// What the caller noted last.
    pub(super) note: i64,
    /// The cost of its tuple joined with the one that is looked up.
    pub(super) joined: u64,
    /// Whether its tuple covers the one that is looked up.
    pub(super) inside: bool,
}

impl Slot {
    /// By how much the cluster's loss grows when it takes the row that is looked up.
    pub(super) fn increase(&self) -> i64 {
        let size = i64::from(self.size);
        (size + 1) * self.joined.cast_signed() - size * self.cost.cast_signed()
    }
}

/// Clusters with their tuples.
pub(super) struct Shelf<'a> {
    space: &'a Space<'a>,
    cells: Vec<Cells>,
    /// Per attribute and slot, the number of its cell.
    ids: Vec<Vec<u32>>,
    keys: Vec<u32>,
    sizes: Vec<u32>,
    costs: Vec<u64>,
    /// Whatever the caller wants to see in a scan.
    notes: Vec<i64>,
    /// Per key, its slot; `u32::MAX` for none.
    slot_of: Vec<u32>,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(space: &'a Space<'a>) -> Self {
        Self {
            space,
            cells: (0..space.dims()).map(|_| Cells::new()).collect(),
            ids: vec![Vec::new(); space.dims()],
            keys: Vec::new(),
            sizes: Vec::new(),
            costs: Vec::new(),
            notes: Vec::new(),
            slot_of: Vec::new(),
        }
    }

    /// Puts a cluster on the shelf, or says how it has changed.
    pub(super) fn put(&mut self, key: u32, size: usize, tuple: &[Cell]) {
        let at = key as usize;
        if self.slot_of.len() <= at {
            self.slot_of.resize(at + 1, u32::MAX);
        }
        if self.slot_of[at] == u32::MAX {
            self.slot_of[at] = self.keys.len() as u32;
            self.keys.push(key);
            self.sizes.push(0);
            self.costs.push(0);
            self.notes.push(0);
            self.ids.iter_mut().for_each(|column| column.push(0));
        }
        let slot = self.slot_of[at] as usize;
        self.sizes[slot] = size as u32;
        self.costs[slot] = self.space.cost(tuple);
        for ((cells, column), &cell) in self.cells.iter_mut().zip(&mut self.ids).zip(tuple) {
            column[slot] = cells.number(cell);
        }
    }

    /// Leaves a note at a cluster.
    pub(super) fn note(&mut self, key: u32, note: i64) {
        self.notes[self.slot_of[key as usize] as usize] = note;
    }

    /// Takes a cluster away.
    pub(super) fn remove(&mut self, key: u32) {
        let slot = std::mem::replace(&mut self.slot_of[key as usize], u32::MAX) as usize;
        self.keys.swap_remove(slot);
        self.sizes.swap_remove(slot);
        self.costs.swap_remove(slot);
        self.notes.swap_remove(slot);
        self.ids.iter_mut().for_each(|column| {
            column.swap_remove(slot);
        });
        if let Some(&moved) = self.keys.get(slot) {
            self.slot_of[moved as usize] = slot as u32;
        }
    }

    /// The space of the clusters.
    pub(super) fn space(&self) -> &'a Space<'a> {
        self.space
    }

    /// What the clusters are next to a tuple, in no particular order: all that `of` picks.
    pub(super) fn pick<T: Send>(&mut self, tuple: &[Cell], of: impl Fn(Slot) -> Option<T> + Sync) -> Vec<T> {
        self.in_chunks(
            tuple,
            |slots: Slots<'_, '_>| slots.filter_map(&of).collect::<Vec<T>>(),
            |mut a, b| {
                a.extend(b);
                a
            },
        )
        .unwrap_or_default()
    }

    /// The clusters of smallest rank next to a tuple, and that rank. `rank` leaves out clusters by `None`; it sees the least
    /// rank so far, which need not be worked out where it cannot be reached. The order of the answer means nothing: let
    /// the rank decide, or choose among those that come back.
    pub(super) fn best<R: Ord + Copy + Send>(
        &mut self,
        tuple: &[Cell],
        rank: impl Fn(Slot, Option<R>) -> Option<R> + Sync,
    ) -> Option<(R, Vec<Slot>)> {
        let of_chunk = |slots: Slots<'_, '_>| {
            let mut best: Option<(R, Vec<Slot>)> = None;
            for slot in slots {
                let Some(rank) = rank(slot, best.as_ref().map(|b| b.0)) else { continue };
                match &mut best {
                    Some((least, _)) if *least < rank => {}
                    Some((least, ties)) if *least == rank => ties.push(slot),
                    _ => best = Some((rank, vec![slot])),
                }
            }
            best
        };
        let both = |a: Option<(R, Vec<Slot>)>, b: Option<(R, Vec<Slot>)>| match (a, b) {
            (Some(a), Some(b)) => Some(better(a, b)),
            (a, b) => a.or(b),
        };
        self.in_chunks(tuple, of_chunk, both).flatten()
    }

    /// Looks at all clusters, some at a time; the answers are put together in order.
    fn in_chunks<T: Send>(
        &mut self,
        tuple: &[Cell],
        of: impl Fn(Slots<'_, '_>) -> T + Sync,
        both: impl Fn(T, T) -> T + Sync + Send,
    ) -> Option<T> {
        self.prepare(tuple);
        let of_chunk = |slots: std::ops::Range<usize>| {
            let sums = self.joined(tuple, slots.clone());
            of(Slots { shelf: self, slot: slots.start, sums: sums.into_iter() })
        };
        scan(self.keys.len(), of_chunk, both)
    }

    /// Makes tables for a tuple's cells that know all cells of the shelf.
    fn prepare(&mut self, tuple: &[Cell]) {
        let space = self.space;
        for (dim, (cells, &cell)) in self.cells.iter_mut().zip(tuple).enumerate() {
            cells.prepare(space, dim, cell);
        }
    }

    fn joined(&self, tuple: &[Cell], slots: std::ops::Range<usize>) -> Vec<u64> {
        let mut sums = vec![0u64; slots.len()];
        for ((cells, &cell), column) in self.cells.iter().zip(tuple).zip(&self.ids) {
            let table = cells.marked(cell);
            for (sum, &id) in sums.iter_mut().zip(&column[slots.clone()]) {
                *sum += table[id as usize];
            }
        }
        sums
    }
}

/// Some clusters, one after the other.
struct Slots<'s, 'a> {
    shelf: &'s Shelf<'a>,
    slot: usize,
    sums: std::vec::IntoIter<u64>,
}

impl Iterator for Slots<'_, '_> {
    type Item = Slot;

    #[inline]
    fn next(&mut self) -> Option<Slot> {
        let (sum, slot) = (self.sums.next()?, self.slot);
        self.slot += 1;
        Some(Slot {
            key: self.shelf.keys[slot],
            size: self.shelf.sizes[slot],
            cost: self.shelf.costs[slot],
            note: self.shelf.notes[slot],
            joined: cost(sum),
            inside: sum >> OUTSIDE == 0,
        })
    }
}

/// The better of two answers; both, where they are equally good.
fn better<R: Ord>(mut a: (R, Vec<Slot>), mut b: (R, Vec<Slot>)) -> (R, Vec<Slot>) {
    match a.0.cmp(&b.0) {
        std::cmp::Ordering::Less => a,
        std::cmp::Ordering::Greater => b,
        std::cmp::Ordering::Equal => {
            a.1.append(&mut b.1);
            a
        }
    }
}
