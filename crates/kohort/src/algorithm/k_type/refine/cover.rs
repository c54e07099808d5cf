//! Who lies in which tuple, kept up to date while tuples change.
//!
//! What counts for a kind of rows are the tuples that it lies in: all of them for (k,k), its matches for global (1,k). A match
//! is a tuple from whose owner a way leads back (`algorithms.md` §7.3), that is, one whose owner lies in the same component.
//! A tuple of row i may leave a kind r out if r is left with tuples enough and, for global (1,k), if r still reaches i by
//! way of some j: r lies in the tuple of j, and j in the new tuple of i. Then everybody reaches whom they reached before,
//! so components only grow, and need not be found anew for what held to hold.

use rustc_hash::FxHashMap;

use super::places::Places;
use crate::algorithm::k_type::Tuples;
use crate::algorithm::{Problem, tally_rows};
use crate::data::{Cell, components};

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
    group_of: Vec<u32>,
    pub(super) boxes: Vec<Held>,
    /// Per row, its tuple.
    pub(super) of_row: Vec<u32>,
    number: FxHashMap<Vec<Cell>, u32>,
    /// Per kind, the tuples that cover it.
    pub(super) around: Vec<Vec<u32>>,
    /// Per kind, how many rows own a tuple that counts for it.
    pub(super) count: Vec<u32>,
    /// Per kind, its component; where every tuple counts, all have the same.
    component: Vec<u32>,
    is_global: bool,
}

impl<'a> Cover<'a> {
    pub(super) fn new(problem: Problem<'a>, places: &'a Places<'a>, is_global: bool, tuples: Tuples) -> Self {
        let kinds = places.kinds.count.len();
        let mut cover = Self {
            problem,
            places,
            group_of: problem.space.groups().of_rows(),
            boxes: Vec::new(),
            of_row: Vec::with_capacity(tuples.len()),
            number: FxHashMap::default(),
            around: vec![Vec::new(); kinds],
            count: vec![0; kinds],
            component: vec![0; kinds],
            is_global,
        };
        for (row, tuple) in tuples.into_iter().enumerate() {
            let number = cover.number_of(tuple);
            cover.boxes[number as usize].owners.push(row as u32);
            cover.of_row.push(number);
        }
        cover.count_anew();
        cover
    }

    /// The number of a tuple, a new one where it is not held yet.
    fn number_of(&mut self, tuple: Vec<Cell>) -> u32 {
        if let Some(&number) = self.number.get(&tuple) {
            return number;
        }
        let number = self.boxes.len() as u32;
        let inside = self.places.inside(&tuple);
        for &kind in &inside {
            self.around[kind as usize].push(number);
        }
        self.number.insert(tuple.clone(), number);
        let cost = self.problem.space.cost(&tuple);
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

    /// How many rows some kinds have.
    pub(super) fn rows_of(&self, kinds: &[u32]) -> u64 {
        kinds.iter().map(|&kind| u64::from(self.places.kinds.count[kind as usize])).sum()
    }

    /// Whether the tuple of a row counts for a kind that it covers.
    pub(super) fn counts(&self, row: u32, kind: u32) -> bool {
        self.component[kind as usize] == self.component[self.kind(row) as usize]
    }

    /// Whether a kind has enough without the tuple of a row; with `more` tuples more than it has.
    pub(super) fn can_spare(&self, row: u32, kind: u32, more: u32) -> bool {
        if kind == self.kind(row) {
            return false;
        }
        if !self.counts(row, kind) {
            return true;
        }
        if self.count[kind as usize] + more <= self.problem.demands.k() {
            return false;
        }
        !self.problem.demands.need_sensitive() || self.is_diverse_without(row, kind)
    }

    /// Whether the owners of the tuples that count for a kind satisfy the demands without a row.
    fn is_diverse_without(&self, row: u32, kind: u32) -> bool {
        let owners = self.around[kind as usize].iter().flat_map(|&number| &self.boxes[number as usize].owners);
        let others: Vec<u32> =
            owners.copied().filter(|&other| other != row && self.counts(other, kind)).collect();
        self.problem.demands.hold(&tally_rows(self.problem, &self.group_of, &others))
    }

    /// Whether a kind still reaches a row whose tuple covers only these kinds any more.
    pub(super) fn still_reaches(&self, kind: u32, row: u32, inside: &[u32]) -> bool {
        if !self.is_global || !self.counts(row, kind) {
            return true;
        }
        let owners = self.around[kind as usize].iter().flat_map(|&number| &self.boxes[number as usize].owners);
        owners.copied().any(|other| other != row && inside.binary_search(&self.kind(other)).is_ok())
    }

    /// Gives a row a tuple, if every demand still holds then. `more`: tuples that a kind is about to be given.
    pub(super) fn try_give(&mut self, row: u32, tuple: Vec<Cell>, more: Option<u32>) -> bool {
        let inside = match self.number.get(&tuple) {
            Some(&number) => self.boxes[number as usize].inside.clone(),
            None => self.places.inside(&tuple),
        };
        if self.rows_of(&inside) < u64::from(self.problem.demands.k()) || inside.binary_search(&self.kind(row)).is_err() {
            return false;
        }
        let stays = |kind: &u32| inside.binary_search(kind).is_ok();
        let may_leave = |&kind: &u32| {
            self.can_spare(row, kind, u32::from(more == Some(kind))) && self.still_reaches(kind, row, &inside)
        };
        if !self.held(row).inside.iter().filter(|kind| !stays(kind)).all(may_leave) {
            return false;
        }
        self.give(row, tuple);
        true
    }

    /// Gives a row a tuple.
    pub(super) fn give(&mut self, row: u32, tuple: Vec<Cell>) {
        let (old, new) = (self.of_row[row as usize], self.number_of(tuple));
        let own = self.component[self.kind(row) as usize];
        for (number, by) in [(new, 1), (old, u32::MAX)] {
            for &kind in &self.boxes[number as usize].inside {
                if self.component[kind as usize] == own {
                    let count = &mut self.count[kind as usize];
                    *count = count.wrapping_add(by);
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
        self.number.remove(&held.tuple);
        held.tuple = Vec::new();
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
