//! Clusters laid out for scanning: one column of cell numbers per attribute, one slot per cluster.
//!
//! The generalized cells that occur are numbered as they appear. What joining one of them to all others costs is worked
//! out once per cell, extended as new cells appear, and then read from a table: a scan adds up one entry per attribute and
//! cluster. A table is forgotten when all of them together grow too large; it is then made again, with the same content.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::scan::{add_up, scan};
use crate::data::Cell;
use crate::space::Space;

/// Where a table entry says that the other cell does not cover this one; a sum over attributes counts how often. Costs stay
/// below: a cell costs less than 2³², and no table has 2¹⁶ attributes.
const OUTSIDE: u32 = 48;

/// Entries of all tables of one attribute before they are forgotten: 64 MiB.
const ENTRIES: usize = 1 << 23;

/// The table entry of a cell: what it costs to join it, and whether that makes it larger.
fn entry(cell: Cell, joined: Cell, cost: u32) -> u64 {
    u64::from(cost) | u64::from(joined != cell) << OUTSIDE
}

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

    /// Brings the table of a cell up to date, unless that takes more joins than looking at so many clusters would.
    fn prepare_for(&mut self, space: &Space<'_>, dim: usize, cell: Cell, clusters: usize) {
        if self.seen.len() - self.marked(cell).len() <= clusters {
            self.prepare(space, dim, cell);
        }
    }

    /// Where a cell's costs are to be found.
    fn source(&self, cell: Cell) -> Source<'_> {
        let table = self.marked(cell);
        if table.len() == self.seen.len() { Source::Table(table) } else { Source::Joins(cell, &self.seen) }
    }

    /// Brings the table of a cell up to date.
    pub(super) fn prepare(&mut self, space: &Space<'_>, dim: usize, cell: Cell) {
        if self.entries > ENTRIES {
            self.joined.clear();
            self.entries = 0;
        }
        let table = self.joined.entry(cell).or_default();
        let from = table.len();
        space.each_join(dim, cell, &self.seen[from..], |other, joined, cost| {
            table.push(entry(other, joined, cost));
        });
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
pub(super) struct ClusterScan<'a> {
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

impl<'a> ClusterScan<'a> {
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

    /// Puts a cluster on the scan, or says how it has changed.
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
        let of_chunk = |slots: Slots<'_, '_>| {
            let mut picked = Vec::new();
            slots.each(|slot| picked.extend(of(slot)));
            picked
        };
        let both = |mut a: Vec<T>, b: Vec<T>| {
            a.extend(b);
            a
        };
        self.in_chunks(tuple, of_chunk, both).unwrap_or_default()
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
            slots.each(|slot| {
                let Some(rank) = rank(slot, best.as_ref().map(|b| b.0)) else { return };
                match &mut best {
                    Some((least, _)) if *least < rank => {}
                    Some((least, ties)) if *least == rank => ties.push(slot),
                    _ => best = Some((rank, vec![slot])),
                }
            });
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
        let (space, clusters) = (self.space, self.keys.len());
        for (dim, (cells, &cell)) in self.cells.iter_mut().zip(tuple).enumerate() {
            cells.prepare_for(space, dim, cell, clusters);
        }
        let sources: Vec<Source<'_>> =
            self.cells.iter().zip(tuple).map(|(cells, &cell)| cells.source(cell)).collect();
        let of_chunk = |slots| of(Slots { scan: self, sources: &sources, range: slots });
        scan(clusters, of_chunk, both)
    }
}

/// Where it is known what a cell costs joined with another.
enum Source<'s> {
    /// By number of the other.
    Table(&'s [u64]),
    /// Nowhere: the cell, and the others by number. Where nearly every cluster has cells of its own, tables would be used once.
    Joins(Cell, &'s [Cell]),
}

/// Clusters whose sums are worked out together, attribute by attribute.
const TOGETHER: usize = 64;

/// Some clusters next to a tuple.
struct Slots<'s, 'a> {
    scan: &'s ClusterScan<'a>,
    /// Per attribute: what the tuple's cell costs joined with any other.
    sources: &'s [Source<'s>],
    range: Range<usize>,
}

impl Slots<'_, '_> {
    /// Looks at them one after the other.
    fn each(self, mut look: impl FnMut(Slot)) {
        let Self { scan, sources, range } = self;
        for from in range.clone().step_by(TOGETHER) {
            let some = from..range.end.min(from + TOGETHER);
            let mut sums = [0u64; TOGETHER];
            for (dim, (source, column)) in sources.iter().zip(&scan.ids).enumerate() {
                let (sums, ids) = (&mut sums[..some.len()], &column[some.clone()]);
                match source {
                    Source::Table(table) => add_up(sums, ids, table),
                    Source::Joins(cell, seen) => join_up(scan.space, dim, *cell, seen, sums, ids),
                }
            }
            let clusters = scan.keys[some.clone()].iter().zip(&scan.sizes[some.clone()]);
            let known = scan.costs[some.clone()].iter().zip(&scan.notes[some]);
            for (((&key, &size), (&own, &note)), sum) in clusters.zip(known).zip(sums) {
                let inside = sum >> OUTSIDE == 0;
                look(Slot { key, size, cost: own, note, joined: cost(sum), inside });
            }
        }
    }
}

/// Adds to each sum what the cell of its number costs joined.
fn join_up(space: &Space<'_>, dim: usize, cell: Cell, seen: &[Cell], sums: &mut [u64], ids: &[u32]) {
    let mut others = [cell; TOGETHER];
    let others = &mut others[..ids.len()];
    others.iter_mut().zip(ids).for_each(|(other, &id)| *other = seen[id as usize]);
    let mut sums = sums.iter_mut();
    space.each_join(dim, cell, others, |other, joined, cost| {
        if let Some(sum) = sums.next() {
            *sum += entry(other, joined, cost);
        }
    });
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
