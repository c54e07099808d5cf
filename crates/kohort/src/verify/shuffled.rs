//! A shuffled release: which rows of the original could stand behind its classes?

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::assignment::{self, Assignment, Transport};
use super::classes::Classes;
use super::exchange::Seats;
use super::grouping::AS_IT_IS;
use super::loss::PublishedColumn;
use super::notions::Owners;
use super::trace::Traced;
use super::values::Compared;
use super::{Reference, SourceCheck, boundaries};
use crate::data::{Groups, Table};

/// Rows that no assignment can tell apart: one class, one set of values.
struct Slots {
    class: Vec<u32>,
    demand: Vec<u64>,
    /// The slot of every released row that is in a class.
    of_row: Vec<Option<u32>>,
    /// Slots by values, as codes of the original; none for a value it does not have.
    by_values: FxHashMap<Vec<Option<u32>>, Vec<u32>>,
}

impl Slots {
    fn new(classes: &Classes<'_>, compared: &[Compared<'_>]) -> Self {
        let mut number: FxHashMap<(u32, Vec<Option<u32>>), u32> = FxHashMap::default();
        let mut slots = Self {
            class: Vec::new(),
            demand: Vec::new(),
            of_row: vec![None; classes.of_row.len()],
            by_values: FxHashMap::default(),
        };
        for (row, &class) in classes.of_row.iter().enumerate().filter(|(_, c)| **c < AS_IT_IS) {
            let values: Vec<_> = compared.iter().map(|c| c.shown(row)).collect();
            let slot = *number.entry((class, values.clone())).or_insert_with(|| {
                slots.class.push(class);
                slots.demand.push(0);
                slots.by_values.entry(values).or_default().push(slots.class.len() as u32 - 1);
                slots.class.len() as u32 - 1
            });
            slots.demand[slot as usize] += 1;
            slots.of_row[row] = Some(slot);
        }
        slots
    }
}

/// Kinds of original rows, slots of the release, and who fits where. Rows that are published as they are, or known to be
/// suppressed, take no part.
pub(super) struct Pairing<'a> {
    table: &'a Table,
    columns: &'a [PublishedColumn<'a>],
    kinds: Groups,
    slots: Slots,
    supply: Vec<u64>,
    fits: Vec<Vec<u32>>,
    /// How many people every class must have, where that was asked.
    k: Option<u32>,
}

impl<'a> Pairing<'a> {
    /// Compares all; `None` when there is too much of it.
    pub(super) fn new(
        reference: &Reference<'a>,
        classes: &Classes<'_>,
        columns: &'a [PublishedColumn<'a>],
        compared: &[Compared<'_>],
    ) -> Option<Self> {
        let table = reference.table;
        let slots = Slots::new(classes, compared);
        let mut codes: Vec<_> = table.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
        codes.extend(compared.iter().map(|c| (&*c.original, c.distinct)));
        let kinds = Groups::by(table.rows, &codes);
        let values = |kind: usize| {
            let row = kinds.rows(kind)[0] as usize;
            compared.iter().map(|c| Some(c.original.get(row))).collect::<Vec<_>>()
        };
        let near = |kind: usize| slots.by_values.get(&values(kind)).map_or(&[][..], Vec::as_slice);
        let pairs: usize = (0..kinds.len()).into_par_iter().map(|kind| near(kind).len()).sum();
        if pairs > assignment::PAIRS {
            return None;
        }
        let fits = |kind: usize| -> Vec<u32> {
            let row = kinds.rows(kind)[0] as usize;
            let admits = |&slot: &u32| {
                let class = slots.class[slot as usize] as usize;
                let mut pairs = columns.iter().zip(&table.qi);
                pairs.all(|(c, q)| c.cells[class].0.admits(&q.attribute, q.codes.get(row)))
            };
            near(kind).iter().copied().filter(admits).collect()
        };
        let fits: Vec<Vec<u32>> = (0..kinds.len()).into_par_iter().map(fits).collect();
        let open = |kind: usize| kinds.rows(kind).iter().filter(|&&row| reference.is_open(row)).count();
        let supply = (0..kinds.len()).map(|kind| open(kind) as u64).collect();
        Some(Self { table, columns, kinds, slots, supply, fits, k: reference.k })
    }

    fn class_of(&self, slot: u32) -> usize {
        self.slots.class[slot as usize] as usize
    }

    fn row_of(&self, kind: usize) -> u32 {
        self.kinds.rows(kind)[0]
    }

    fn beyond(&self, kind: usize, slot: u32) -> u64 {
        boundaries::beyond(self.table, self.columns, self.class_of(slot), self.row_of(kind) as usize)
    }

    /// Who fits where without violating a boundary.
    fn within(&self) -> Vec<Vec<u32>> {
        let allowed = |(kind, fits): (usize, &Vec<u32>)| {
            fits.iter().copied().filter(|&slot| self.beyond(kind, slot) == 0).collect()
        };
        self.fits.par_iter().enumerate().map(allowed).collect()
    }

    /// Looks for any assignment of original rows to released ones that fits every cell and value.
    ///
    /// Boundaries: an assignment without violations is looked for first. Where there is none, the violations of the one
    /// that was found are counted; unless one allowed value lies below another, every assignment has the same number.
    pub(super) fn solve(&self) -> Traced {
        let solve = |fits: &[Vec<u32>]| {
            let (supply, demand) = (self.supply.clone(), self.slots.demand.clone());
            Transport { supply, demand, fits: fits.to_vec() }.solve()
        };
        if boundaries::exist(self.table) {
            let within = self.within();
            let found = solve(&within);
            if found.unfilled == 0 {
                return self.traced(&found, &within);
            }
        }
        self.traced(&solve(&self.fits), &self.fits)
    }

    fn traced(&self, found: &Assignment, fits: &[Vec<u32>]) -> Traced {
        let owner =
            |&(kind, slot, rows): &(usize, u32, u64)| (self.row_of(kind), self.class_of(slot) as u32, rows);
        let owners = || Owners {
            pairs: found.flows.iter().map(owner).collect(),
            settled: self.settles(&found.flows, fits),
            members: self.members(&found.flows, fits),
            certain: self.is_certain(&found.flows, fits),
        };
        let beyond = found.flows.iter().map(|&(kind, slot, rows)| rows * self.beyond(kind, slot));
        Traced {
            check: SourceCheck::Matched,
            illegal: found.unfilled,
            violations: Some(beyond.sum()),
            owners: (found.unfilled == 0).then(owners),
        }
    }

    /// Whether all rows that look the same can only be in one class, and are.
    fn is_certain(&self, flows: &[(usize, u32, u64)], fits: &[Vec<u32>]) -> bool {
        let mut used = vec![0u64; self.kinds.len()];
        for &(kind, _, rows) in flows {
            used[kind] += rows;
        }
        let settled =
            |kind: usize| self.supply[kind] == 0 || used[kind] == self.supply[kind] && fits[kind].len() == 1;
        (0..self.kinds.len()).all(settled)
    }

    /// Rows and their classes: of rows that look the same the first ones go to the first class. Where people are counted, rows
    /// change places until classes have as many of them as can be.
    fn members(&self, flows: &[(usize, u32, u64)], fits: &[Vec<u32>]) -> Vec<(u32, u32)> {
        let is_open =
            |row: &u32| !self.table.is_verbatim(*row as usize) && !self.table.is_lacking(*row as usize);
        let mut used = vec![0usize; self.kinds.len()];
        let (mut rows, mut slot_of, mut kind_of) = (Vec::new(), Vec::new(), Vec::new());
        for &(kind, slot, count) in flows {
            let next = self.kinds.rows(kind).iter().filter(|row| is_open(row)).skip(used[kind]);
            rows.extend(next.take(count as usize));
            slot_of.resize(rows.len(), slot);
            kind_of.resize(rows.len(), kind as u32);
            used[kind] += count as usize;
        }
        let released = rows.len();
        if let Some((people, k)) = self.table.people.as_ref().zip(self.k) {
            for (kind, used) in used.into_iter().enumerate() {
                rows.extend(self.kinds.rows(kind).iter().filter(|row| is_open(row)).skip(used));
                kind_of.resize(rows.len(), kind as u32);
            }
            slot_of.resize(rows.len(), self.slots.class.len() as u32);
            let mut seats = Seats {
                slot_of,
                person_of: rows.iter().map(|&row| people.codes.get(row as usize)).collect(),
                kind_of,
                fits,
                class_of: &self.slots.class,
                classes: self.slots.class.iter().max().map_or(0, |&class| class as usize + 1),
            };
            seats.exchange(k as usize);
            slot_of = seats.slot_of;
        }
        let seated = rows.into_iter().zip(slot_of);
        let seated = seated.filter(|(_, slot)| (*slot as usize) < self.slots.class.len());
        let members: Vec<_> = seated.map(|(row, slot)| (row, self.class_of(slot) as u32)).collect();
        debug_assert_eq!(members.len(), released, "every slot keeps its number of rows");
        members
    }

    /// Whether the rows can only be suppressed that are, when released row `i` comes from original row `i`.
    pub(super) fn settles_in_order(&self) -> bool {
        let kind_of = self.kinds.of_rows();
        let rows = self.slots.of_row.iter().enumerate();
        let flows: Vec<_> =
            rows.filter_map(|(row, slot)| Some((kind_of[row] as usize, (*slot)?, 1))).collect();
        if boundaries::exist(self.table) {
            return self.settles(&flows, &self.within());
        }
        self.settles(&flows, &self.fits)
    }

    /// Whether every assignment leaves as many rows of each quasi-identifier out as this one does: whether no row that is
    /// left out could change places with a row that differs from it.
    fn settles(&self, flows: &[(usize, u32, u64)], fits: &[Vec<u32>]) -> bool {
        let mut left = self.supply.clone();
        let mut owners: Vec<Vec<usize>> = vec![Vec::new(); self.slots.demand.len()];
        for &(kind, slot, rows) in flows {
            left[kind] = left[kind].saturating_sub(rows);
            owners[slot as usize].push(kind);
        }
        let codes: Vec<_> = self.table.qi.iter().map(|q| (&q.codes, q.attribute.code_count())).collect();
        let looks = Groups::by(self.table.rows, &codes).of_rows();
        let look = |kind: usize| looks[self.row_of(kind) as usize];
        // Rows that look the same change places freely; so whoever one of them could replace, another could.
        let mut seen: Vec<bool> = left.iter().map(|&rows| rows > 0).collect();
        let mut open: Vec<usize> = (0..seen.len()).filter(|&kind| seen[kind]).collect();
        while let Some(kind) = open.pop() {
            for &owner in fits[kind].iter().flat_map(|&slot| &owners[slot as usize]) {
                if look(owner) != look(kind) {
                    return false;
                }
                if !std::mem::replace(&mut seen[owner], true) {
                    open.push(owner);
                }
            }
        }
        true
    }
}
