//! Who lies in which tuple, kept up to date while tuples change.
//!
//! What counts for a kind of rows are the tuples that it lies in: all of them for (k,k), its matches for global (1,k). A tuple
//! is a match if a way leads back from its owner (`algorithms.md` §7.3), that is, if its owner lies in the same component.
//! The tuple of row i may leave kind r out if r is left with tuples enough and, for global (1,k), if r still reaches i by
//! way of some j: r lies in the tuple of j, and j in the new tuple of i. Then everybody reaches whom they reached before:
//! components only become larger, and what is counted by those found last is never too much.

use rustc_hash::FxHashMap;

use super::places::Places;
use crate::algorithm::k_type::Tuples;
use crate::algorithm::{Problem, tally_rows};
use crate::data::{Cell, components};

/// Pairs of a kind and a tuple that covers it, beyond which they are not listed: half a gigabyte.
const PAIRS: usize = 1 << 26;

/// A tuple and the rows that own it.
pub(super) struct Held {
    pub(super) tuple: Vec<Cell>,
    pub(super) cost: u64,
    /// The kinds it covers, ascending.
    pub(super) inside: Vec<u32>,
    pub(super) owners: Vec<u32>,
}

/// The tuples of all rows, and what they cover.
pub(super) struct Cover<'a> {
    pub(super) problem: Problem<'a>,
    pub(super) places: &'a Places<'a>,
    is_global: bool,
    group_of: Vec<u32>,
    /// The different tuples; numbers are never used again.
    boxes: Vec<Held>,
    number: FxHashMap<Vec<Cell>, u32>,
    /// Per row, its tuple.
    of_row: Vec<u32>,
    /// Per kind, the tuples that cover it.
    around: Vec<Vec<u32>>,
    /// Per kind, how many rows own a tuple that counts for it.
    pub(super) count: Vec<u32>,
    /// Per kind, its component when components were last found; where every tuple counts, all have the same.
    component: Vec<u32>,
}

impl<'a> Cover<'a> {
    /// None where too many rows lie in too many tuples.
    pub(super) fn new(
        problem: Problem<'a>,
        places: &'a Places<'a>,
        is_global: bool,
        tuples: &Tuples,
    ) -> Option<Self> {
        let kinds = places.kinds.count.len();
        let mut cover = Self {
            problem,
            places,
            is_global,
            group_of: problem.space.groups().of_rows(),
            boxes: Vec::new(),
            number: FxHashMap::default(),
            of_row: Vec::with_capacity(tuples.len()),
            around: vec![Vec::new(); kinds],
            count: vec![0; kinds],
            component: vec![0; kinds],
        };
        let mut pairs = 0;
        for (row, tuple) in tuples.iter().enumerate() {
            let known = cover.boxes.len();
            let number = cover.number_of(tuple.clone());
            let held = &mut cover.boxes[number as usize];
            held.owners.push(row as u32);
            pairs += if number as usize == known { held.inside.len() } else { 0 };
            if pairs > PAIRS {
                return None;
            }
            cover.of_row.push(number);
        }
        cover.count_anew();
        Some(cover)
    }

    /// The number of a tuple, a new one where nobody has it yet.
    fn number_of(&mut self, tuple: Vec<Cell>) -> u32 {
        if let Some(&number) = self.number.get(&tuple) {
            return number;
        }
        let number = self.boxes.len() as u32;
        let (inside, cost) = (self.places.inside(&tuple), self.problem.space.cost(&tuple));
        for &kind in &inside {
            self.around[kind as usize].push(number);
        }
        self.number.insert(tuple.clone(), number);
        self.boxes.push(Held { tuple, cost, inside, owners: Vec::new() });
        number
    }

    /// Finds components, for global (1,k), and counts by them.
    pub(super) fn count_anew(&mut self) {
        if self.is_global {
            self.component = self.components();
        }
        self.count.fill(0);
        for held in &self.boxes {
            for &row in &held.owners {
                let own = self.component[self.kind(row) as usize];
                for &kind in held.inside.iter().filter(|&&kind| self.component[kind as usize] == own) {
                    self.count[kind as usize] += 1;
                }
            }
        }
    }

    fn components(&self) -> Vec<u32> {
        let kinds = self.around.len();
        let to_tuples = |list: &Vec<u32>| list.iter().map(|number| number + kinds as u32).collect();
        let mut out: Vec<Vec<u32>> = self.around.iter().map(to_tuples).collect();
        for held in &self.boxes {
            let mut owners: Vec<u32> = held.owners.iter().map(|&row| self.kind(row)).collect();
            owners.sort_unstable();
            owners.dedup();
            out.push(owners);
        }
        let mut found = components(&out);
        found.truncate(kinds);
        found
    }

    /// The kind of a row.
    pub(super) fn kind(&self, row: u32) -> u32 {
        self.places.kinds.of_row[row as usize]
    }

    /// The tuple of a row.
    pub(super) fn held(&self, row: u32) -> &Held {
        &self.boxes[self.of_row[row as usize] as usize]
    }

    /// What all rows cost together.
    pub(super) fn cost(&self) -> u64 {
        self.boxes.iter().map(|held| held.owners.len() as u64 * held.cost).sum()
    }

    /// The owners of the tuples that cover a kind.
    pub(super) fn owners_around(&self, kind: u32) -> impl Iterator<Item = u32> {
        let tuples = self.around[kind as usize].iter().map(|&number| &self.boxes[number as usize]);
        tuples.flat_map(|held| held.owners.iter().copied())
    }

    /// Whether the tuple of a row counts for a kind that it covers.
    pub(super) fn counts(&self, row: u32, kind: u32) -> bool {
        self.component[kind as usize] == self.component[self.kind(row) as usize]
    }

    /// Whether fewer than k tuples count for a kind.
    pub(super) fn lacks(&self, kind: u32) -> bool {
        self.count[kind as usize] < self.problem.demands.k()
    }

    /// Whether a kind has enough without the tuple of a row, which covers it.
    pub(super) fn can_spare(&self, row: u32, kind: u32) -> bool {
        if kind == self.kind(row) {
            return false;
        }
        !self.counts(row, kind)
            || self.count[kind as usize] > self.problem.demands.k()
                && (!self.is_global || self.is_diverse_without(row, kind))
    }

    /// Whether the owners of the tuples that count for a kind satisfy the demands without a row.
    fn is_diverse_without(&self, row: u32, kind: u32) -> bool {
        if !self.problem.demands.need_sensitive() {
            return true;
        }
        let others = self.owners_around(kind).filter(|&other| other != row && self.counts(other, kind));
        let others: Vec<u32> = others.collect();
        self.problem.demands.hold(&tally_rows(self.problem, &self.group_of, &others))
    }

    /// Whether a kind reaches a row as before when the row's tuple covers only these kinds.
    pub(super) fn still_reaches(&self, kind: u32, row: u32, inside: &[u32]) -> bool {
        let is_between = |other: u32| other != row && inside.binary_search(&self.kind(other)).is_ok();
        !self.is_global || !self.counts(row, kind) || self.owners_around(kind).any(is_between)
    }

    /// Gives a row a cheaper tuple if everything holds then that must; says whether it did.
    pub(super) fn try_give(&mut self, row: u32, tuple: Vec<Cell>) -> bool {
        let inside = match self.number.get(&tuple) {
            Some(&number) => self.boxes[number as usize].inside.clone(),
            None => self.places.inside(&tuple),
        };
        let stays = |kind: u32| inside.binary_search(&kind).is_ok();
        let may_leave = |kind: u32| self.can_spare(row, kind) && self.still_reaches(kind, row, &inside);
        let may = self.problem.space.cost(&tuple) < self.held(row).cost
            && self.places.rows_of(&inside) >= u64::from(self.problem.demands.k())
            && self.held(row).inside.iter().all(|&kind| stays(kind) || may_leave(kind));
        if may {
            self.give(row, tuple);
        }
        may
    }

    /// Gives a row another tuple.
    pub(super) fn give(&mut self, row: u32, tuple: Vec<Cell>) {
        let (old, new) = (self.of_row[row as usize], self.number_of(tuple));
        if old == new {
            return;
        }
        let own = self.component[self.kind(row) as usize];
        for (number, is_new) in [(new, true), (old, false)] {
            for &kind in &self.boxes[number as usize].inside {
                let count = &mut self.count[kind as usize];
                match (self.component[kind as usize] == own, is_new) {
                    (true, true) => *count += 1,
                    (true, false) => *count -= 1,
                    (false, _) => {}
                }
            }
        }
        self.of_row[row as usize] = new;
        self.boxes[new as usize].owners.push(row);
        self.boxes[old as usize].owners.retain(|&other| other != row);
        if self.boxes[old as usize].owners.is_empty() {
            self.forget(old);
        }
    }

    /// Forgets a tuple that nobody owns.
    fn forget(&mut self, number: u32) {
        let held = &mut self.boxes[number as usize];
        self.number.remove(&std::mem::take(&mut held.tuple));
        for kind in std::mem::take(&mut held.inside) {
            let around = &mut self.around[kind as usize];
            if let Some(place) = around.iter().position(|&other| other == number) {
                around.swap_remove(place);
            }
        }
    }

    /// One tuple per row.
    pub(super) fn into_tuples(self) -> Tuples {
        self.of_row.iter().map(|&number| self.boxes[number as usize].tuple.clone()).collect()
    }
}
